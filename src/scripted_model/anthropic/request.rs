//! From a Messages request to a [`Situation`]: who said what, and which part of it a person typed.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Deserialize;
use serde_json::Value;

use super::FOR_WAITING;
use super::surroundings::{Surroundings, split_reminders};
use crate::scripted_model::situation::{Purpose, Situation, ToolResult};

#[derive(Debug, Deserialize)]
pub(in crate::scripted_model) struct Request {
    pub(in crate::scripted_model) model: String,
    messages: Vec<Message>,
    #[serde(default)]
    system: Content,
    #[serde(default)]
    tools: Vec<Tool>,
    #[serde(default)]
    pub(in crate::scripted_model) stream: bool,
    #[serde(default)]
    metadata: Value,
    #[serde(default)]
    output_config: Value,
}

#[derive(Debug, Deserialize)]
struct Message {
    role: String,
    content: Content,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
    },
    ToolResult {
        tool_use_id: String,
        #[serde(default)]
        content: Content,
        #[serde(default)]
        is_error: bool,
    },
    /// Thinking, images, documents and what is still to come: nothing that a rule looks at.
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct Tool {
    name: String,
}

impl Default for Content {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl Content {
    fn texts(&self) -> Vec<&str> {
        match self {
            Self::Text(text) => vec![text],
            Self::Blocks(blocks) => {
                (blocks.iter())
                    .filter_map(|it| {
                        if let Block::Text { text } = it { Some(text.as_str()) } else { None }
                    })
                    .collect()
            }
        }
    }
}

impl Request {
    pub(in crate::scripted_model) fn situation(&self) -> Situation {
        let mut surroundings = Surroundings::default();
        surroundings.system_prompt(&self.system.texts().join("\n"));
        let mut talk = Talk::default();
        for message in &self.messages {
            match message.role.as_str() {
                "user" => talk.user(&message.content, &mut surroundings),
                "assistant" => talk.assistant(&message.content, &mut surroundings),
                // The CLI puts reminders into messages of their own, in the middle of the talk.
                _ => message.content.texts().into_iter().for_each(|it| surroundings.reminder(it)),
            }
        }
        let prompt = talk.prompts.last().cloned().unwrap_or_default();
        let last_texts =
            self.messages.iter().rfind(|it| it.role == "user").map(|it| it.content.texts());
        let purpose = if last_texts.is_some_and(|it| it.into_iter().any(is_compaction)) {
            talk.prompts.retain(|it| !is_compaction(it));
            Purpose::Compaction
        } else if self.tools.is_empty() || is_suggestion(&prompt) {
            let schema = self.output_config.pointer("/format/schema").cloned();
            Purpose::Side { about: inside_element(&prompt).into(), schema }
        } else {
            Purpose::Turn
        };
        Situation {
            purpose,
            prompt_key: self.prompt_key(&talk),
            notification: prompt.starts_with("<task-notification>"),
            prompt: talk.prompts.pop().unwrap_or_default(),
            results: talk.results,
            waiting: surroundings.waiting,
            step: talk.step,
            plan_mode: surroundings.plan_mode,
            plan_file: surroundings.plan_file,
            cwd: surroundings.cwd,
            tools: (self.tools.iter().map(|it| it.name.clone()))
                .chain(surroundings.deferred)
                .collect(),
        }
    }

    /// The metadata tells conversations apart, the number of prompts the turns of one conversation,
    /// and the step the requests of one turn. All of them are the same when a request is sent again.
    fn prompt_key(&self, talk: &Talk) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.metadata.to_string().hash(&mut hasher);
        talk.prompts.hash(&mut hasher);
        talk.step.hash(&mut hasher);
        hasher.finish()
    }
}

/// The conversation so far, as far as the next answer depends on it.
#[derive(Default)]
struct Talk {
    prompts: Vec<String>,
    results: Vec<ToolResult>,
    step: u32,
    tool_names: HashMap<String, String>,
}

impl Talk {
    fn assistant(&mut self, content: &Content, surroundings: &mut Surroundings) {
        self.results.clear();
        let blocks = if let Content::Blocks(blocks) = content { blocks.as_slice() } else { &[] };
        let mut calls = 0;
        let mut for_waiting = false;
        for block in blocks {
            if let Block::ToolUse { id, name } = block {
                self.tool_names.insert(id.clone(), name.clone());
                calls += 1;
                for_waiting |= id.starts_with(FOR_WAITING);
            }
        }
        if calls == 0 || for_waiting {
            let answered = std::mem::take(&mut surroundings.waiting);
            if let Some(prompt) = answered.into_iter().last().filter(|_| for_waiting) {
                self.prompts.push(prompt);
                self.step = 0;
            }
        }
    }

    fn user(&mut self, content: &Content, surroundings: &mut Surroundings) {
        let blocks = match content {
            Content::Text(text) => return self.text(text, true, surroundings),
            Content::Blocks(blocks) => blocks,
        };
        // A text beside a result is a note to it. Beside one that was refused or broken off it is the
        // next prompt: the CLI merges both into one message, as the model had no turn in between.
        let failed = |it: &Block| match it {
            Block::ToolResult { is_error, .. } => Some(*is_error),
            _ => None,
        };
        let mut results = blocks.iter().filter_map(failed).peekable();
        let mut is_prompt = results.peek().is_none() || results.any(|it| it);
        for block in blocks {
            match block {
                Block::Text { text }
                    if text.trim_start().starts_with("[Request interrupted by user") =>
                {
                    is_prompt = true;
                }
                Block::Text { text } => self.text(text, is_prompt, surroundings),
                Block::ToolResult { tool_use_id, content, is_error } => {
                    self.result(tool_use_id, content, *is_error, surroundings);
                }
                Block::ToolUse { .. } | Block::Other => (),
            }
        }
    }

    fn text(&mut self, text: &str, is_prompt: bool, surroundings: &mut Surroundings) {
        let (typed, reminders) = split_reminders(text);
        reminders.into_iter().for_each(|it| surroundings.reminder(it));
        let typed = typed.trim();
        if is_prompt && !typed.is_empty() {
            self.prompts.push(typed.into());
            self.results.clear();
            self.step = 0;
        }
    }

    fn result(
        &mut self,
        id: &str,
        content: &Content,
        failed: bool,
        surroundings: &mut Surroundings,
    ) {
        let tool = self.tool_names.get(id).cloned().unwrap_or_default();
        surroundings.tool_result(&tool, failed);
        let text = content.texts().join("\n");
        let (text, reminders) = split_reminders(&text);
        reminders.into_iter().for_each(|it| surroundings.reminder(it));
        if self.results.is_empty() {
            self.step += 1;
        }
        self.results.push(ToolResult { tool, text: text.trim().into(), failed });
    }
}

/// The CLI asks for a summary in the conversation itself, with its tools, so only the wording tells.
fn is_compaction(prompt: &str) -> bool {
    let prompt = prompt.to_lowercase();
    prompt.contains("<summary>")
        && (prompt.contains("text only") || prompt.contains("summary of the conversation"))
}

/// Likewise for the guess at what the person will type next.
fn is_suggestion(prompt: &str) -> bool {
    prompt.starts_with("[SUGGESTION MODE")
}

/// What a request for a title wraps in one element: the words that the title shall be about.
fn inside_element(prompt: &str) -> &str {
    let inside = || {
        let (name, rest) = prompt.trim_start().strip_prefix('<')?.split_once('>')?;
        let (inside, _) = rest.split_once(&format!("</{name}>"))?;
        Some(inside)
    };
    inside().unwrap_or(prompt)
}
