//! From TOML to checked rules. Every complaint names the file and the line.

use std::collections::BTreeMap;
use std::time::Duration;

use regex::Regex;
use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

use super::{Block, Cut, PlannedError, Rule, Scenario, UsageOverride, When};
use crate::scripted_model::ModelError;
use crate::scripted_model::play::{BUILT_IN_PLACEHOLDERS, placeholders_in};

const STATUSES: [u16; 8] = [400, 401, 403, 404, 413, 429, 500, 529];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    include: Option<Spanned<String>>,
    #[serde(default)]
    delay_ms: u64,
    #[serde(default)]
    texts: BTreeMap<String, String>,
    #[serde(default, rename = "rule")]
    rules: Vec<Spanned<RawRule>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    name: Option<String>,
    says: Option<Spanned<String>>,
    prompt: Option<Spanned<String>>,
    tool: Option<String>,
    step: Option<u32>,
    failed: Option<bool>,
    result: Option<Spanned<String>>,
    plan_mode: Option<bool>,
    plan_file: Option<bool>,
    offers: Option<String>,
    lacks: Option<String>,
    #[serde(default)]
    notification: bool,
    #[serde(default)]
    blocks: Vec<Spanned<RawBlock>>,
    error: Option<Spanned<RawError>>,
    cut: Option<RawCut>,
    #[serde(default)]
    before_ms: u64,
    delay_ms: Option<u64>,
    stop_reason: Option<String>,
    #[serde(default)]
    usage: RawUsage,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBlock {
    text: Option<String>,
    thinking: Option<String>,
    tool: Option<String>,
    input: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawError {
    status: u16,
    times: Option<u32>,
    message: Option<String>,
    retry_after: Option<u32>,
    #[serde(default, rename = "final")]
    is_final: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCut {
    after: usize,
    times: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawUsage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

pub(super) fn read(name: &str, text: &str) -> Result<Scenario, ModelError> {
    let source = Source { name, text };
    let raw: RawFile = toml::from_str(text)
        .map_err(|err| source.error(err.span().map_or(0, |span| span.start), err.message()))?;
    let defaults = Defaults { delay_ms: raw.delay_ms, texts: raw.texts };
    let mut rules = raw
        .rules
        .into_iter()
        .map(|rule| source.rule(rule, &defaults))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(include) = raw.include {
        let wanted = include.get_ref();
        let included = Scenario::built_in(wanted).ok_or_else(|| {
            source.error(
                include.span().start,
                &format!("there is no built-in scenario `{wanted}`, only `demo`"),
            )
        })?;
        rules.extend(read(wanted, included)?.rules);
    }
    Ok(Scenario { rules })
}

struct Defaults {
    delay_ms: u64,
    texts: BTreeMap<String, String>,
}

struct Source<'a> {
    name: &'a str,
    text: &'a str,
}

impl Source<'_> {
    fn line(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or(self.text);
        before.matches('\n').count() + 1
    }

    fn error(&self, at: usize, detail: &str) -> ModelError {
        ModelError::Scenario { name: self.name.into(), line: self.line(at), detail: detail.into() }
    }

    fn rule(&self, spanned: Spanned<RawRule>, defaults: &Defaults) -> Result<Rule, ModelError> {
        let at = spanned.span().start;
        let raw = spanned.into_inner();
        if raw.says.is_some() && raw.prompt.is_some() {
            return Err(self.error(at, "a rule has either `says` or `prompt`"));
        }
        if raw.tool.is_none()
            && (raw.step.is_some() || raw.failed.is_some() || raw.result.is_some())
        {
            return Err(self.error(at, "`step`, `failed` and `result` need a `tool`"));
        }
        if raw.blocks.is_empty() && raw.error.as_ref().is_none_or(|it| it.get_ref().times.is_some())
        {
            return Err(self.error(at, "a rule needs `blocks`, unless its `error` has no `times`"));
        }
        let prompt = match (&raw.says, &raw.prompt) {
            (Some(says), _) => Some(self.regex(says.span().start, &phrase(says.get_ref()))?),
            (None, Some(prompt)) => Some(self.regex(prompt.span().start, prompt.get_ref())?),
            (None, None) => None,
        };
        let result = match &raw.result {
            Some(result) => Some(self.regex(result.span().start, result.get_ref())?),
            None => None,
        };
        let known: Vec<&str> = (BUILT_IN_PLACEHOLDERS.iter().copied())
            .chain(defaults.texts.keys().map(String::as_str))
            .chain(
                [&prompt, &result]
                    .into_iter()
                    .flatten()
                    .flat_map(|it| it.capture_names().flatten()),
            )
            .collect();
        let blocks = raw
            .blocks
            .into_iter()
            .map(|block| {
                let at = block.span().start;
                let block = self.block(at, block.into_inner())?;
                self.check_placeholders(at, &block, &known)?;
                Ok(block)
            })
            .collect::<Result<Vec<_>, ModelError>>()?;
        let error = raw.error.map(|error| self.planned_error(error, &known)).transpose()?;
        Ok(Rule {
            name: raw.name.unwrap_or_else(|| format!("{}:{}", self.name, self.line(at))),
            when: When {
                prompt,
                tool: raw.tool,
                step: raw.step,
                failed: raw.failed,
                result,
                plan_mode: raw.plan_mode,
                plan_file: raw.plan_file,
                offers: raw.offers,
                lacks: raw.lacks,
                notification: raw.notification,
            },
            blocks,
            error,
            cut: raw.cut.map(|cut| Cut { after: cut.after, times: cut.times }),
            before: Duration::from_millis(raw.before_ms),
            delay: Duration::from_millis(raw.delay_ms.unwrap_or(defaults.delay_ms)),
            stop_reason: raw.stop_reason,
            usage: UsageOverride {
                input_tokens: raw.usage.input_tokens,
                output_tokens: raw.usage.output_tokens,
            },
            texts: defaults.texts.clone(),
        })
    }

    fn regex(&self, at: usize, pattern: &str) -> Result<Regex, ModelError> {
        Regex::new(pattern).map_err(|err| self.error(at, &err.to_string()))
    }

    fn block(&self, at: usize, raw: RawBlock) -> Result<Block, ModelError> {
        match raw {
            RawBlock { text: Some(text), thinking: None, tool: None, input: None } => {
                Ok(Block::Text(text))
            }
            RawBlock { text: None, thinking: Some(text), tool: None, input: None } => {
                Ok(Block::Thinking(text))
            }
            RawBlock { text: None, thinking: None, tool: Some(names), input } => {
                let input = input.unwrap_or_else(|| Value::Object(serde_json::Map::new()));
                if !input.is_object() && !input.is_string() {
                    return Err(self.error(at, "a tool's `input` is a table, or a text with JSON"));
                }
                Ok(Block::Tool {
                    names: names.split('|').map(|it| it.trim().to_owned()).collect(),
                    input,
                })
            }
            _ => Err(self.error(
                at,
                "a block has one of `text`, `thinking`, or `tool` with an optional `input`",
            )),
        }
    }

    fn planned_error(
        &self,
        spanned: Spanned<RawError>,
        known: &[&str],
    ) -> Result<PlannedError, ModelError> {
        let at = spanned.span().start;
        let raw = spanned.into_inner();
        if !STATUSES.contains(&raw.status) {
            return Err(self.error(at, &format!("status {} is none of {STATUSES:?}", raw.status)));
        }
        if let Some(message) = &raw.message {
            self.check_text(at, message, known)?;
        }
        Ok(PlannedError {
            status: raw.status,
            times: raw.times,
            message: raw.message,
            retry_after: raw.retry_after,
            is_final: raw.is_final,
        })
    }

    fn check_placeholders(
        &self,
        at: usize,
        block: &Block,
        known: &[&str],
    ) -> Result<(), ModelError> {
        match block {
            Block::Text(text) | Block::Thinking(text) => self.check_text(at, text, known),
            Block::Tool { input, .. } => self.check_value(at, input, known),
        }
    }

    fn check_value(&self, at: usize, value: &Value, known: &[&str]) -> Result<(), ModelError> {
        match value {
            Value::String(text) => self.check_text(at, text, known),
            Value::Array(items) => items.iter().try_for_each(|it| self.check_value(at, it, known)),
            Value::Object(fields) => {
                fields.values().try_for_each(|it| self.check_value(at, it, known))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        }
    }

    fn check_text(&self, at: usize, text: &str, known: &[&str]) -> Result<(), ModelError> {
        match placeholders_in(text).find(|it| !known.contains(it)) {
            Some(unknown) => Err(self.error(
                at,
                &format!("unknown placeholder `{{{unknown}}}`; known: {}", known.join(", ")),
            )),
            None => Ok(()),
        }
    }
}

/// A phrase matches in any case, and where it has blanks the prompt may have other blanks.
fn phrase(says: &str) -> String {
    let words: Vec<String> = says.split_whitespace().map(regex::escape).collect();
    format!(r"(?i)\b{}\b", words.join(r"\s+"))
}
