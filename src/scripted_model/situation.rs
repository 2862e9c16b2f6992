//! What a rule can look at: one request, without the model API that carried it.

/// What the CLI wants from this request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Purpose {
    /// A turn of the conversation: the rules answer.
    Turn,
    /// Something small beside the conversation (a title, a topic). `about` is what it is about.
    Side { about: String, schema: Option<serde_json::Value> },
    /// The conversation shall be summarised.
    Compaction,
}

#[derive(Clone, Debug)]
pub(super) struct Situation {
    pub(super) purpose: Purpose,
    /// The last thing that a person (or a parent agent) typed, without what the CLI wrapped around it.
    pub(super) prompt: String,
    /// Nobody typed the prompt: the CLI tells that something in the background has ended.
    pub(super) notification: bool,
    /// The results in the last message; empty if that is the prompt itself.
    pub(super) results: Vec<ToolResult>,
    /// What was typed while the tools ran. The CLI says it beside their results, and expects that
    /// the model comes to it when its work is done.
    pub(super) waiting: Vec<String>,
    /// How many rounds of tool results there were since the prompt.
    pub(super) step: u32,
    pub(super) plan_mode: bool,
    pub(super) plan_file: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) tools: Vec<String>,
    /// Equal for a request and its retries, different for the next prompt. What `times` is counted by.
    pub(super) prompt_key: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ToolResult {
    pub(super) tool: String,
    pub(super) text: String,
    pub(super) failed: bool,
}

impl Situation {
    /// The same conversation, as if this were its last prompt.
    pub(super) fn prompted_by(&self, prompt: &str) -> Self {
        Self {
            prompt: prompt.into(),
            results: Vec::new(),
            step: 0,
            waiting: Vec::new(),
            ..self.clone()
        }
    }

    pub(super) fn offers(&self, tool: &str) -> bool {
        self.tools.iter().any(|it| it == tool)
    }
}
