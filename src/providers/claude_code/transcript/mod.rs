//! From the records of a transcript to messages and facts.
//!
//! Read in this order: the shapes in `record` and `loose`, the dispatch below,
//! then `user`, `assistant` and `system` for what each type of record means.
//! `carriers` knows the tags that Claude Code wraps around what a
//! person did; `tools`, `results` and `dialogs` know the tools; `thread` knows what
//! was left behind; `salvage` makes the most of a line that is not one good record;
//! `outline` says which records a page needs beside its own.
//!
//! # What is deliberately absent
//!
//! - **A wait for a call.** A result is mapped with or without its call, since a
//!   page may begin between the two; the call only adds what the result lacks.
//! - **An order.** Records may stand a little out of order on disk. Positions say
//!   where they stand, not when they were said.

mod assistant;
mod attached;
mod carriers;
mod condense;
mod dialogs;
mod loose;
mod outline;
mod page;
mod plain;
mod record;
mod results;
mod salvage;
mod system;
mod thread;
mod tools;
mod user;

use std::collections::HashMap;

use crate::schema::DialogKind;
use crate::seam::{Fact, Mapped, Record, RecordMapper};

pub(super) use outline::outline;

use page::Page;
use record::Native;
use thread::Thread;

/// Maps the records of one conversation of Claude Code.
///
/// What it remembers makes facts rarer (a model is told once, not with each
/// answer) and results richer. Forgetting all of it costs no message.
#[derive(Debug, Default)]
pub struct ClaudeMapper {
    /// Calls without a result so far.
    open: HashMap<String, Call>,
    /// The plan file as it was last written.
    plan: Option<String>,
    /// What the boundary said about the compaction whose summary comes next.
    compaction: Option<String>,
    /// The answer whose usage was told; all its blocks repeat it.
    usage_of: Option<String>,
    model: Option<String>,
    branch: Option<String>,
    title: Option<String>,
    /// A person chose the title, so the CLI's own ideas no longer count.
    is_named: bool,
    permission_mode: Option<String>,
    /// The one in which the newest prompt was said.
    prompt_mode: Option<String>,
    thread: Thread,
    /// The records are those of a subagent, which is here the one that speaks.
    is_agent: bool,
}

/// What a result needs to know about its call.
#[derive(Debug, Default)]
struct Call {
    command: Option<String>,
    description: Option<String>,
    /// Its kind and, for a plan, the text that was shown.
    dialog: Option<(DialogKind, String)>,
}

/// Types of record that say nothing to a reader: bookkeeping of the CLI, copies
/// of what stands elsewhere, and what was sent to the model beside the chat.
///
/// From the table of 2.1.332, without the types that are mapped.
const NEUTRAL: &[&str] = &[
    "agent-color",
    "agent-name",
    "agent-setting",
    "api-request",
    "api-request-blob",
    "api-request-resumed",
    "api-request-shape",
    "artifact-autoreact-ledger",
    "artifact-comment-monitor",
    "atis-latch",
    "attribution-snapshot",
    "bridge-session",
    "content-replacement",
    "continued-in",
    "cost-state",
    "data-flow-incomplete",
    "data-flow-records",
    "derived-from",
    "dev-mods",
    "ended-by-model",
    "file-history-delta",
    "file-history-snapshot",
    "fork-context-ref",
    "frame-link",
    "history-suppression",
    "isolation-latch",
    "last-prompt",
    "memory-mode",
    "mode",
    "observer-ref",
    "pr-link",
    "progress",
    "relocated",
    "resume-head-vouch",
    "session-owner",
    "tag",
    "tools-used",
    "worktree-state",
];

impl RecordMapper for ClaudeMapper {
    fn map(&mut self, record: Record<'_>) -> Mapped {
        let mut mapped = Mapped::default();
        let mut base = 0;
        salvage::for_each_object(record.bytes, |object| {
            let nothing = Native::default();
            let (native, text) = object.unwrap_or_else(|rest| (&nothing, rest));
            let mut page = Page::open(record.at, base, native, text, &mut mapped);
            if self.is_agent {
                page.take_the_floor();
            }
            match object {
                Ok(_) => self.read(native, &mut page),
                Err(_) => page.unknown(0, "unparsed"),
            }
            base = page.end();
        });
        mapped
    }
}

impl ClaudeMapper {
    /// Maps the file of a subagent as a conversation of its own.
    pub fn of_agent() -> Self {
        Self { is_agent: true, ..Self::default() }
    }

    fn read(&mut self, native: &Native<'_>, page: &mut Page<'_>) {
        let Some(kind) = native.kind.text() else {
            page.unknown(0, "untyped");
            return;
        };
        if !page.is_aside() {
            for (from, to) in self.thread.grow(native, page.place(0)) {
                page.fact(Fact::Abandoned { from, to });
            }
        }
        match kind {
            "user" => user::read(self, native, page),
            "assistant" => assistant::read(self, native, page),
            "system" => system::read(self, native, page),
            "attachment" => system::read_attachment(native, page),
            "queue-operation" => system::read_queue_operation(native, page),
            "custom-title" => self.retitle(native.custom_title.words(), true, page),
            "ai-title" => self.retitle(native.ai_title.words(), false, page),
            "summary" => self.retitle(native.summary.words(), false, page),
            "permission-mode" => match native.permission_mode.words() {
                // It lags behind the live mode, so only a change is news.
                Some(mode) => {
                    tell_change(&mut self.permission_mode, mode, page, Fact::PermissionMode);
                }
                None => page.unknown(0, kind),
            },
            _ if NEUTRAL.contains(&kind) => (),
            _ => page.unknown(0, kind),
        }
    }

    fn retitle(&mut self, title: Option<&str>, by_person: bool, page: &mut Page<'_>) {
        let Some(title) = title else {
            page.unknown(0, "title");
            return;
        };
        if by_person || !self.is_named {
            self.is_named = by_person;
            tell_change(&mut self.title, title, page, Fact::Title);
        }
    }

    fn note_branch(&mut self, native: &Native<'_>, page: &mut Page<'_>) {
        // `HEAD` is what the CLI writes outside of a repository and on no branch.
        if let Some(branch) = native.git_branch.words().filter(|it| *it != "HEAD") {
            tell_change(&mut self.branch, branch, page, Fact::Branch);
        }
    }
}

fn tell_change(
    last: &mut Option<String>,
    now: &str,
    page: &mut Page<'_>,
    fact: impl FnOnce(String) -> Fact,
) {
    if page.is_aside() || last.as_deref() == Some(now) {
        return;
    }
    *last = Some(now.to_owned());
    page.fact(fact(now.to_owned()));
}
