//! The scenario file: ordered rules in TOML, the first one that matches answers.
//!
//! ```toml
//! include = "demo"                  # optional: a built-in scenario, tried after this file's rules
//! delay_ms = 10                     # optional: pause before each word of text or thinking
//!
//! [texts]                           # optional: named texts, used as {name}
//! greeting = "Hello."
//!
//! [[rule]]
//! name = "echo"                     # optional: shown in the request log
//! # When it matches. All that is given must hold.
//! says = "two words"                # the typed prompt has this phrase, in any case, with any blanks, or
//! prompt = '(?im)^echo (?P<t>.+)$'  # the typed prompt matches this regex; its named groups become {t}
//! tool = "Bash"                     # the last message is a result of this tool ("*": of any tool);
//!                                   #   without it, the last message is the prompt itself
//! step = 1                          # it is the n-th round of tool results since that prompt
//! failed = true                     # the tool failed or was refused
//! result = 'regex'                  # on the result's text; named groups become placeholders
//! plan_mode = false                 # plan mode is on or off, as the request tells
//! plan_file = true                  # the request names a plan file (or does not)
//! offers = "EnterPlanMode"          # the request offers this tool
//! lacks = "EnterPlanMode"           # the request does not offer this tool
//! notification = true               # not typed: the CLI tells that a background task has ended. No
//!                                   #   other rule sees such a prompt, because it quotes what was said
//! # What it answers.
//! blocks = [
//!   { thinking = "Hm." },
//!   { text = "{greeting} You said {t}." },
//!   { tool = "Agent|Task", input = { prompt = "x" } },  # the first of these that is offered, else the last
//!   { tool = "Write", input = "{json}" },               # a text is filled and then read as JSON
//! ]
//! error = { status = 529, times = 2 }   # or message, retry_after, final (say that a retry is useless); without times: always
//! cut = { after = 5, times = 1 }        # close the connection after n chunks; without times: always
//! before_ms = 0                         # pause before the first byte
//! delay_ms = 10                         # as above, for this rule
//! stop_reason = "max_tokens"            # instead of end_turn or tool_use
//! usage = { input_tokens = 190000 }     # or output_tokens; instead of an estimate
//! ```
//!
//! Placeholders are `{cwd}`, `{plan_file}`, `{prompt}`, `{result}` (the beginning of the tool result),
//! the named groups and the named texts; `{{cwd}}` is the literal `{cwd}`. They work in texts,
//! thinking, error messages and every string of a tool's input. A rule with `error` plays its blocks
//! once the errors are used up; `times` is counted for each prompt on its own.
//!
//! Requests without tools (titles, topics) and compaction never reach the rules.
//! After a tool result that no rule covers, the model quotes it and ends the turn. A message that was
//! typed while tools ran is answered by the rules too, at the end of the answer that calls no tool.

mod file;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use regex::Regex;
use serde_json::Value;

use super::ModelError;

const DEMO: &str = include_str!("../../compat/scenarios/demo.toml");

/// Rules in the order in which they are tried.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(super) rules: Vec<Rule>,
}

/// One rule, checked: its patterns compile and its placeholders exist.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) when: When,
    pub(super) blocks: Vec<Block>,
    pub(super) error: Option<PlannedError>,
    pub(super) cut: Option<Cut>,
    pub(super) before: Duration,
    pub(super) delay: Duration,
    pub(super) stop_reason: Option<String>,
    pub(super) usage: UsageOverride,
    pub(super) texts: BTreeMap<String, String>,
}

/// All conditions that are given must hold.
#[derive(Clone, Debug, Default)]
pub(super) struct When {
    pub(super) prompt: Option<Regex>,
    /// `None`: the last message is the prompt. `Some`: it is a result of this tool.
    pub(super) tool: Option<String>,
    pub(super) step: Option<u32>,
    pub(super) failed: Option<bool>,
    pub(super) result: Option<Regex>,
    pub(super) plan_mode: Option<bool>,
    pub(super) plan_file: Option<bool>,
    pub(super) offers: Option<String>,
    pub(super) lacks: Option<String>,
    pub(super) notification: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Block {
    Text(String),
    Thinking(String),
    /// `names`: alternatives, because one tool has different names in different versions of a CLI.
    Tool {
        names: Vec<String>,
        input: Value,
    },
}

#[derive(Clone, Debug)]
pub(super) struct PlannedError {
    pub(super) status: u16,
    /// `None`: for ever.
    pub(super) times: Option<u32>,
    pub(super) message: Option<String>,
    pub(super) retry_after: Option<u32>,
    pub(super) is_final: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub(super) after: usize,
    /// `None`: for ever.
    pub(super) times: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UsageOverride {
    pub(super) input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
}

impl Scenario {
    /// Reads a scenario. `name` is what errors call the file.
    pub fn from_toml(name: &str, text: &str) -> Result<Self, ModelError> {
        file::read(name, text)
    }

    /// What `seamux demo` plays. Its phrases are promised to people and to tests.
    #[must_use]
    pub fn demo() -> Self {
        Self::from_toml("compat/scenarios/demo.toml", DEMO)
            .expect("the embedded scenario is read by a unit test")
    }

    /// The source of a built-in scenario, for `include`.
    fn built_in(name: &str) -> Option<&'static str> {
        (name == "demo").then_some(DEMO)
    }
}
