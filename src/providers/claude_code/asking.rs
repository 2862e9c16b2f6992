//! Dialogs through the live door: what a waiting permission hook asks, and
//! what to tell it.
//!
//! The hook races the terminal's own dialog: whoever answers first wins, and
//! the other side clears. The options of plans and approvals are constants
//! here, in this order; those of a question are the model's.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::schema::{Answer, Channel, Dialog, DialogKind, Question, QuestionOption, Response};
use crate::seam::SeamError;

const ASK: &str = "AskUserQuestion";
const PLAN: &str = "ExitPlanMode";

/// What a person can say to a plan, and the mode that follows.
const PLAN_OPTIONS: [(&str, &str, Option<&str>); 3] = [
    (
        "Approve, ask before edits",
        "Carries the plan out and asks before each change",
        Some("default"),
    ),
    (
        "Approve, edit freely",
        "Carries the plan out and edits files without asking",
        Some("acceptEdits"),
    ),
    ("Keep planning", "Stays in plan mode; say what to change", None),
];

/// The place of the last of them, which approves nothing.
pub(super) const KEEP_PLANNING: usize = PLAN_OPTIONS.len() - 1;

/// What the model is told when a person wants to talk about a question first. With
/// words, they follow; both are read back from the record.
pub(super) const TALK_FIRST: &str =
    "The user does not answer yet and wants to talk about it first. ";
pub(super) const THEY_SAID: &str = "They said: ";
const ASK_THEM: &str = "Ask them what they would like to talk about.";

/// The parts of a waiting hook's payload that an answer needs.
#[derive(Deserialize)]
struct Asked {
    tool_name: String,
    #[serde(default)]
    tool_input: Value,
    #[serde(default)]
    permission_suggestions: Vec<Value>,
}

/// Equal for the two hooks of one call, of which only the first has its id.
pub(super) fn mark(tool: &str, input: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    tool.hash(&mut hasher);
    // Keys are sorted, so equal inputs have equal texts.
    input.to_string().hash(&mut hasher);
    hasher.finish()
}

pub(super) fn dialog(tool: &str, input: &Value, suggestions: &[Value]) -> Dialog {
    let (kind, title, body, questions) = match tool {
        ASK => {
            let questions = questions(input);
            let title = match questions.as_slice() {
                [only] => only.text.clone(),
                several => format!("{} questions", several.len()),
            };
            (DialogKind::Question, title, String::new(), questions)
        }
        PLAN => {
            let body = text(&input["plan"]);
            (DialogKind::Plan, "Plan".to_owned(), body, vec![plan_question()])
        }
        _ => {
            let (title, body) = request(tool, input);
            (DialogKind::Approval, title, body, vec![approval_question(suggestions)])
        }
    };
    let answerable = kind != DialogKind::Question || is_answerable(&questions);
    Dialog {
        id: String::new(),
        kind,
        title,
        body,
        questions,
        answerable,
        can_discuss: answerable && kind == DialogKind::Question,
        channel: if answerable { Channel::Live } else { Channel::None },
        outcome: None,
    }
}

/// Answers are keyed by the question's text, so two equal texts can't be told apart.
pub(super) fn is_answerable(questions: &[Question]) -> bool {
    let texts: std::collections::HashSet<&str> =
        questions.iter().map(|it| it.text.as_str()).collect();
    !questions.is_empty() && texts.len() == questions.len()
}

fn questions(input: &Value) -> Vec<Question> {
    let asked = input["questions"].as_array().map(Vec::as_slice).unwrap_or_default();
    asked
        .iter()
        .map(|it| Question {
            header: text(&it["header"]),
            text: text(&it["question"]),
            options: it["options"].as_array().into_iter().flatten().map(option).collect(),
            multi_select: it["multiSelect"] == Value::Bool(true),
            free_text: true,
        })
        .collect()
}

fn option(option: &Value) -> QuestionOption {
    QuestionOption {
        label: text(&option["label"]),
        description: text(&option["description"]),
        preview: option["preview"].as_str().map(Into::into),
    }
}

pub(super) fn plan_question() -> Question {
    Question {
        header: "Plan".into(),
        text: "Go ahead with this plan?".into(),
        options: PLAN_OPTIONS
            .iter()
            .map(|(label, description, _)| plain_option(label, description))
            .collect(),
        multi_select: false,
        free_text: true,
    }
}

/// Allow once, then what the CLI suggests to allow for longer, then deny.
fn approval_question(suggestions: &[Value]) -> Question {
    let mut options = vec![plain_option("Allow once", "")];
    options.extend(suggestions.iter().map(|it| plain_option(&suggestion_label(it), &place(it))));
    options.push(plain_option("Deny", "Say what to do instead, if you like"));
    Question {
        header: "Permission".into(),
        text: "Allow this?".into(),
        options,
        multi_select: false,
        free_text: true,
    }
}

fn plain_option(label: &str, description: &str) -> QuestionOption {
    QuestionOption { label: label.into(), description: description.into(), preview: None }
}

fn suggestion_label(suggestion: &Value) -> String {
    match suggestion["type"].as_str() {
        Some("addRules") => {
            let rules = suggestion["rules"].as_array().into_iter().flatten().map(|rule| {
                match rule["ruleContent"].as_str() {
                    Some(content) => format!("{}({content})", text(&rule["toolName"])),
                    None => text(&rule["toolName"]),
                }
            });
            format!("Always allow {}", rules.collect::<Vec<_>>().join(", "))
        }
        Some("addDirectories") => {
            let folders = suggestion["directories"].as_array().into_iter().flatten().map(text);
            format!("Allow the folder {}", folders.collect::<Vec<_>>().join(", "))
        }
        Some("setMode") => match suggestion["mode"].as_str() {
            Some("acceptEdits") => "Allow, and edit freely from now on".into(),
            mode => format!("Allow, and switch to the mode {}", mode.unwrap_or("suggested")),
        },
        _ => "Allow as suggested".into(),
    }
}

fn place(suggestion: &Value) -> String {
    match suggestion["destination"].as_str() {
        Some("session") => "For this session".into(),
        Some("localSettings") => "In this folder, kept in its local settings".into(),
        Some("projectSettings") => "In this folder, kept in its shared settings".into(),
        Some("userSettings") => "Everywhere, kept in your own settings".into(),
        _ => String::new(),
    }
}

/// What is to be allowed: a title for a line, and the whole of it for a reader.
fn request(tool: &str, input: &Value) -> (String, String) {
    let path = || text(&input["file_path"]);
    match tool {
        "Bash" => {
            (format!("Run {}", text(&input["command"])), code("sh", &text(&input["command"])))
        }
        "Write" => (format!("Write {}", path()), code("", &text(&input["content"]))),
        "Edit" => {
            let removed = text(&input["old_string"]);
            let added = text(&input["new_string"]);
            let lines = removed.lines().map(|it| format!("-{it}"));
            let lines: Vec<String> =
                lines.chain(added.lines().map(|it| format!("+{it}"))).collect();
            (format!("Edit {}", path()), code("diff", &lines.join("\n")))
        }
        "Read" => (format!("Read {}", path()), String::new()),
        "WebFetch" => (format!("Fetch {}", text(&input["url"])), text(&input["prompt"])),
        _ => {
            let whole = serde_json::to_string_pretty(input).unwrap_or_default();
            (format!("Use {tool}"), code("json", &whole))
        }
    }
}

/// A block of code that its own text cannot end.
fn code(language: &str, body: &str) -> String {
    let longest = body.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}{language}\n{body}\n{fence}")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub(super) fn decide(payload: &[u8], response: &Response) -> Result<Vec<u8>, SeamError> {
    let asked: Asked = serde_json::from_slice(payload).map_err(|_| SeamError::NotAnswerable)?;
    let dialog = dialog(&asked.tool_name, &asked.tool_input, &asked.permission_suggestions);
    if !dialog.answerable {
        return Err(SeamError::NotAnswerable);
    }
    let decision = match response {
        Response::Discuss { discuss } => {
            check_discussable(&dialog)?;
            json!({ "behavior": "deny", "message": talk_first(discuss) })
        }
        Response::Answers(answers) => {
            check(&dialog.questions, answers)?;
            match dialog.kind {
                DialogKind::Question => {
                    allow_with(answered(&asked.tool_input, &dialog.questions, answers))
                }
                DialogKind::Plan => plan(&asked.tool_input, &answers[0]),
                DialogKind::Approval => approval(&asked.permission_suggestions, &answers[0]),
            }
        }
    };
    let output = json!({
        "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision }
    });
    Ok(output.to_string().into_bytes())
}

fn talk_first(words: &str) -> String {
    match words.trim() {
        "" => format!("{TALK_FIRST}{ASK_THEM}"),
        words => format!("{TALK_FIRST}{THEY_SAID}{words}"),
    }
}

pub(super) fn check_discussable(dialog: &Dialog) -> Result<(), SeamError> {
    if dialog.can_discuss {
        return Ok(());
    }
    let detail = "only a question can be talked about first; choose one of the options".into();
    Err(SeamError::Invalid { field: "discuss", detail })
}

pub(super) fn check(questions: &[Question], answers: &[Answer]) -> Result<(), SeamError> {
    let invalid = |detail: String| Err(SeamError::Invalid { field: "answers", detail });
    if questions.len() != answers.len() {
        let (asked, given) = (questions.len(), answers.len());
        return invalid(format!("there are {asked} questions and {given} answers"));
    }
    for (number, (question, answer)) in (1..).zip(questions.iter().zip(answers)) {
        let mut seen = std::collections::HashSet::new();
        for choice in &answer.selected {
            if *choice >= question.options.len() {
                let last = question.options.len().saturating_sub(1);
                return invalid(format!(
                    "question {number} has no option {choice}; the last one is {last}"
                ));
            }
            if !seen.insert(choice) {
                return invalid(format!("question {number} has option {choice} twice"));
            }
        }
        let words = answer.other_text.as_deref().is_some_and(|it| !it.trim().is_empty());
        let choices = answer.selected.len();
        if choices == 0 && !words {
            return invalid(format!("question {number} has no answer"));
        }
        if !question.multi_select && choices > 1 {
            return invalid(format!("question {number} takes one option"));
        }
    }
    Ok(())
}

/// The call's input with the answers in it: labels, or the person's own words.
fn answered(input: &Value, questions: &[Question], answers: &[Answer]) -> Value {
    let mut texts = Map::new();
    for (question, answer) in questions.iter().zip(answers) {
        let labels = answer.selected.iter().map(|at| question.options[*at].label.clone());
        let words = answer.other_text.iter().filter(|it| !it.trim().is_empty()).cloned();
        let parts: Vec<String> = labels.chain(words).collect();
        texts.insert(question.text.clone(), parts.join(", ").into());
    }
    // Nothing but this call's own questions: the CLI records what it is given.
    json!({ "questions": input["questions"], "answers": texts })
}

fn allow_with(input: Value) -> Value {
    json!({ "behavior": "allow", "updatedInput": input })
}

fn plan(input: &Value, answer: &Answer) -> Value {
    let words = answer.other_text.as_deref().map(str::trim).filter(|it| !it.is_empty());
    let mode = answer.selected.first().and_then(|at| PLAN_OPTIONS[*at].2);
    match mode {
        Some(mode) => {
            // Without an input the newer versions ignore the approval.
            let mut decision = allow_with(input.clone());
            decision["updatedPermissions"] =
                json!([{ "type": "setMode", "mode": mode, "destination": "session" }]);
            decision
        }
        None => {
            let message = words.map_or_else(
                || "The user wants to keep planning.".to_owned(),
                |words| format!("The user wants to keep planning: {words}"),
            );
            json!({ "behavior": "deny", "message": message })
        }
    }
}

fn approval(suggestions: &[Value], answer: &Answer) -> Value {
    let words = answer.other_text.as_deref().map(str::trim).filter(|it| !it.is_empty());
    match answer.selected.first() {
        Some(0) => json!({ "behavior": "allow" }),
        Some(at) if *at <= suggestions.len() => {
            json!({ "behavior": "allow", "updatedPermissions": [suggestions[at - 1]] })
        }
        // Deny, or words without a choice, which say what to do instead.
        _ => {
            let message = words.map_or_else(
                || "The user denied this.".to_owned(),
                |words| format!("The user denied this and said: {words}"),
            );
            json!({ "behavior": "deny", "message": message })
        }
    }
}

mod subject;
pub(super) use subject::{rule_words, subject, takes_words};

#[cfg(test)]
mod tests;
