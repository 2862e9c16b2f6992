//! Which rule answers a situation, and with what. Pure.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use regex::{Captures, Regex};
use serde_json::{Value, json};

use super::scenario::{Block, Rule, Scenario, UsageOverride, When};
use super::situation::{Purpose, Situation, ToolResult};

pub(super) const BUILT_IN_PLACEHOLDERS: &[&str] = &["cwd", "plan_file", "prompt", "result"];

/// A chain that is longer than this is ended, because a scenario may have rules that feed each other.
const LONGEST_CHAIN: u32 = 25;
/// How much of a tool result `{result}` quotes.
const QUOTED_CHARS: usize = 300;

/// What to say, ready to be encoded for some model API.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answer {
    pub(super) parts: Vec<Part>,
    pub(super) before: Duration,
    pub(super) delay: Duration,
    pub(super) stop_reason: Option<String>,
    pub(super) input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Text(String),
    Thinking(String),
    /// `to_waiting`: it belongs to a message that waited, so its result belongs to another chain.
    Tool {
        name: String,
        input: Value,
        to_waiting: bool,
    },
}

/// The rule that plays, with what its patterns captured.
pub(super) struct Match<'a> {
    pub(super) index: usize,
    pub(super) rule: &'a Rule,
    values: BTreeMap<String, String>,
}

/// The first rule that matches; `None` if this is not a turn or no rule covers it.
pub(super) fn find<'a>(scenario: &'a Scenario, situation: &Situation) -> Option<Match<'a>> {
    if situation.purpose != Purpose::Turn || LONGEST_CHAIN < situation.step {
        return None;
    }
    scenario.rules.iter().enumerate().find_map(|(index, rule)| {
        let captured = matches(&rule.when, situation)?;
        let values =
            rule.texts.clone().into_iter().chain(facts(situation)).chain(captured).collect();
        Some(Match { index, rule, values })
    })
}

impl Match<'_> {
    pub(super) fn answer(&self, situation: &Situation) -> Answer {
        let parts = self.rule.blocks.iter().map(|block| match block {
            Block::Text(text) => Part::Text(self.fill(text)),
            Block::Thinking(text) => Part::Thinking(self.fill(text)),
            Block::Tool { names, input } => {
                let offered = names.iter().find(|it| situation.offers(it));
                let name = offered.or(names.last()).cloned().unwrap_or_default();
                let input = match self.fill_value(input) {
                    Value::String(json) => serde_json::from_str(&json).unwrap_or_default(),
                    input => input,
                };
                Part::Tool { name, input, to_waiting: false }
            }
        });
        let UsageOverride { input_tokens, output_tokens } = self.rule.usage;
        Answer {
            parts: parts.collect(),
            before: self.rule.before,
            delay: self.rule.delay,
            stop_reason: self.rule.stop_reason.clone(),
            input_tokens,
            output_tokens,
        }
    }

    /// Filled once: a placeholder in what a person typed stays what it is.
    pub(super) fn fill(&self, text: &str) -> String {
        let value =
            |captures: &Captures<'_>| match (captures.name("escaped"), captures.name("name")) {
                (Some(escaped), _) => format!("{{{}}}", escaped.as_str()),
                (None, Some(name)) => self.values.get(name.as_str()).cloned().unwrap_or_default(),
                (None, None) => String::new(),
            };
        PLACEHOLDER.replace_all(text, value).into_owned()
    }

    fn fill_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.fill(text)),
            Value::Array(items) => items.iter().map(|it| self.fill_value(it)).collect(),
            Value::Object(fields) => {
                fields.iter().map(|(name, it)| (name.clone(), self.fill_value(it))).collect()
            }
            other => other.clone(),
        }
    }
}

/// The answer when no rule plays, and the name under which the log shows it.
pub(super) fn without_a_rule(situation: &Situation) -> (&'static str, Answer) {
    let (name, text) = match &situation.purpose {
        Purpose::Side { about, schema: Some(schema) } => {
            ("(side request)", instance_of(schema, &title(about)).to_string())
        }
        Purpose::Side { about, schema: None } => ("(side request)", title(about)),
        Purpose::Compaction => ("(compaction)", summary(&situation.prompt)),
        Purpose::Turn if situation.notification => {
            ("(notification)", "A background task has ended.".into())
        }
        Purpose::Turn if situation.results.is_empty() => {
            ("(no rule)", "The scenario has no rule for this.".into())
        }
        Purpose::Turn => {
            ("(after a tool)", format!("Done. The tool said: {}", quote(&situation.results)))
        }
    };
    (name, Answer { parts: vec![Part::Text(text)], ..Answer::default() })
}

/// Comes to the messages that waited, once the answer calls no tool any more.
pub(super) fn answer_waiting(scenario: &Scenario, situation: &Situation, answer: &mut Answer) {
    let calls = |it: &Part| matches!(it, Part::Tool { .. });
    if situation.purpose != Purpose::Turn || answer.parts.iter().any(calls) {
        return;
    }
    for message in &situation.waiting {
        let situation = situation.prompted_by(message);
        let Some(found) = find(scenario, &situation) else {
            continue;
        };
        let mut more = found.answer(&situation);
        for part in &mut more.parts {
            if let Part::Tool { to_waiting, .. } = part {
                *to_waiting = true;
            }
        }
        answer.parts.append(&mut more.parts);
        answer.delay = answer.delay.max(more.delay);
    }
}

fn matches(when: &When, situation: &Situation) -> Option<BTreeMap<String, String>> {
    let holds = |wanted: Option<bool>, is: bool| wanted.is_none_or(|it| it == is);
    let conditions = when.notification == situation.notification
        && holds(when.plan_mode, situation.plan_mode)
        && holds(when.plan_file, situation.plan_file.is_some())
        && when.offers.as_ref().is_none_or(|it| situation.offers(it))
        && when.lacks.as_ref().is_none_or(|it| !situation.offers(it));
    if !conditions {
        return None;
    }
    let mut captured = BTreeMap::new();
    if let Some(prompt) = &when.prompt {
        capture(prompt, &situation.prompt, &mut captured)?;
    }
    match &when.tool {
        None if situation.results.is_empty() => (),
        None => return None,
        Some(tool) => {
            let of_tool = |it: &&ToolResult| tool == "*" || *tool == it.tool;
            let result = situation.results.iter().rfind(of_tool)?;
            if !holds(when.failed, result.failed)
                || when.step.is_some_and(|it| it != situation.step)
            {
                return None;
            }
            if let Some(pattern) = &when.result {
                capture(pattern, &result.text, &mut captured)?;
            }
            captured.insert("result".into(), quote(std::slice::from_ref(result)));
        }
    }
    Some(captured)
}

fn capture(pattern: &Regex, text: &str, into: &mut BTreeMap<String, String>) -> Option<()> {
    let captures = pattern.captures(text)?;
    for name in pattern.capture_names().flatten() {
        let value = captures.name(name).map_or("", |it| it.as_str());
        into.insert(name.into(), value.into());
    }
    Some(())
}

fn facts(situation: &Situation) -> [(String, String); 4] {
    let or = |value: &Option<String>, other: &str| value.clone().unwrap_or_else(|| other.into());
    [
        // A relative path still means the workspace when the request does not name it.
        ("cwd".into(), or(&situation.cwd, ".")),
        ("plan_file".into(), or(&situation.plan_file, "")),
        ("prompt".into(), situation.prompt.clone()),
        ("result".into(), quote(&situation.results)),
    ]
}

fn quote(results: &[ToolResult]) -> String {
    let text = results.last().map_or("", |it| it.text.trim());
    match text.char_indices().nth(QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.into(),
    }
}

fn title(about: &str) -> String {
    let is_word = |it: &&str| it.chars().any(char::is_alphanumeric);
    let words: Vec<&str> = about.split_whitespace().filter(is_word).take(6).collect();
    if words.is_empty() { "Scripted conversation".into() } else { words.join(" ") }
}

fn summary(prompt: &str) -> String {
    let last = title(prompt);
    format!(
        "<analysis>\nA conversation with the scripted model.\n</analysis>\n\n<summary>\n\
         1. The person tried the phrases of a scripted model. The last request was: {last}\n\
         2. Nothing is left to do.\n</summary>"
    )
}

/// The smallest value that fits the schemas which CLIs send for titles and topics.
fn instance_of(schema: &Value, text: &str) -> Value {
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => {
            let fields = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            fields.map(|(name, it)| (name.clone(), instance_of(it, text))).collect()
        }
        Some("array") => json!([]),
        Some("boolean") => json!(false),
        Some("integer" | "number") => json!(0),
        _ => match schema.get("enum").and_then(Value::as_array).and_then(|it| it.first()) {
            Some(first) => first.clone(),
            None => json!(text),
        },
    }
}

pub(super) fn placeholders_in(text: &str) -> impl Iterator<Item = &str> {
    PLACEHOLDER.captures_iter(text).filter_map(|it| it.name("name")).map(|it| it.as_str())
}

static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\{\{(?P<escaped>[a-z_]+)\}\}|\{(?P<name>[a-z_]+)\}").expect("a constant pattern")
});
