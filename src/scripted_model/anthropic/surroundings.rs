//! What the CLI says around the conversation: reminders, the folder, plan mode and its file.
//!
//! These are the CLI's words, not the API's, so this is the one place that a new version of the CLI
//! can break. The live tests would show it: a plan that is not written to its file.

use std::sync::LazyLock;

use regex::Regex;

#[derive(Default)]
pub(super) struct Surroundings {
    pub(super) plan_mode: bool,
    pub(super) plan_file: Option<String>,
    pub(super) cwd: Option<String>,
    /// Typed while tools ran, and not answered yet.
    pub(super) waiting: Vec<String>,
    /// Tools whose descriptions the model would have to ask for first. The CLI takes a call without.
    pub(super) deferred: Vec<String>,
}

impl Surroundings {
    /// The system prompt describes plan mode whether it is on or not, so only the folder counts.
    pub(super) fn system_prompt(&mut self, text: &str) {
        self.folder(text);
    }

    pub(super) fn reminder(&mut self, text: &str) {
        self.folder(text);
        let waiting = WAITING.captures_iter(text).filter_map(|it| it.name("text"));
        self.waiting.extend(waiting.map(|it| it.as_str().trim().into()));
        if let Some(names) = DEFERRED.captures(text).and_then(|it| it.name("names")) {
            self.deferred.extend(names.as_str().lines().map(Into::into));
        }
        if let Some(last) = PLAN_MODE.captures_iter(text).last() {
            self.plan_mode = last.name("on").is_some();
        }
        if let Some(last) = PLAN_FILE.captures_iter(text).last() {
            self.plan_file = last.name("path").map(|it| it.as_str().into());
        }
    }

    /// The reminder about the new mode can come a turn late; the tool's own result can't.
    pub(super) fn tool_result(&mut self, tool: &str, failed: bool) {
        match tool {
            "EnterPlanMode" if !failed => self.plan_mode = true,
            "ExitPlanMode" if !failed => self.plan_mode = false,
            _ => (),
        }
    }

    fn folder(&mut self, text: &str) {
        if let Some(found) = FOLDER.captures(text).and_then(|it| it.name("path")) {
            self.cwd = Some(found.as_str().trim().into());
        }
    }
}

/// What was typed, and what stood in `<system-reminder>` elements.
pub(super) fn split_reminders(text: &str) -> (String, Vec<&str>) {
    let reminders =
        REMINDER.captures_iter(text).filter_map(|it| it.name("inside")).map(|it| it.as_str());
    (REMINDER.replace_all(text, "").into_owned(), reminders.collect())
}

static REMINDER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?s)<system-reminder>(?P<inside>.*?)</system-reminder>"));
static FOLDER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)working directory: (?P<path>/[^\n]*)"));
static PLAN_MODE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?P<on>plan mode (?:is|is still|still) active)|exited plan mode")
});
static WAITING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?s)new message while you were working:\n(?P<text>.*?)(?:\n\nIMPORTANT: |\z)")
});
static DEFERRED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)deferred tools are now available[^\n]*:\n(?P<names>(?:\w+(?:\n|\z))+)")
});
/// A line that speaks of the plan and names its file. The path may have blanks: homes do.
static PLAN_FILE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\bplan\b[^\n]*?(?:at|to|file)[: `]+(?P<path>/[^\n`]*?/plans/[^\n`/]+?\.md)\b")
});

fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("a constant pattern")
}
