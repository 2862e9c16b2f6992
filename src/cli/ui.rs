//! What the program says to the person who started it.

use std::fmt::{Display, Write as _};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context as _;
use serde_json::json;

/// An error with what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub(super) struct Advice {
    pub what: String,
    pub next: String,
}

impl Advice {
    pub(super) fn new(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { what: what.into(), next: next.into() }
    }
}

/// Says what failed, why, and what next.
pub(super) fn failure(error: &anyhow::Error) {
    let mut text = format!("seamux: {error}");
    for cause in error.chain().skip(1) {
        write!(text, ": {cause}").ok();
    }
    let hint = error.chain().find_map(|cause| {
        let advice = cause.downcast_ref::<Advice>().map(|it| it.next.clone());
        let terminal = cause.downcast_ref::<crate::terminal::TerminalError>();
        let run = cause.downcast_ref::<crate::runs::RunError>();
        advice.or_else(|| terminal?.hint().map(Into::into)).or_else(|| run?.hint())
    });
    if let Some(hint) = hint {
        write!(text, "\n  hint: {hint}").ok();
    }
    writeln!(io::stderr(), "{text}").ok(); // Nowhere else to say it.
}

/// What a script or a person needs to get in.
pub(super) struct Ready<'a> {
    pub url: String,
    pub token: &'a str,
    pub run_id: Option<&'a str>,
    pub demo: bool,
    pub attach: Option<String>,
    pub log: &'a Path,
}

impl Ready<'_> {
    /// The link that signs a browser in. The token is in the fragment, which
    /// no browser sends over the wire.
    fn link(&self) -> String {
        let run = self.run_id.map(|id| format!("&run={id}")).unwrap_or_default();
        format!("{}/#token={}{run}", self.url, self.token)
    }

    pub(super) fn announce(&self, as_json: bool, open: bool) {
        let mut out = io::stdout();
        if as_json {
            let mut line = json!({
                "url": self.url,
                "token": self.token,
                "pid": std::process::id(),
            });
            if let Some(run) = self.run_id {
                line["run_id"] = json!(run);
            }
            writeln!(out, "{line}").ok(); // A script that closed its end does not listen.
            return;
        }
        let what = if self.demo { "seamux demo" } else { "seamux" };
        writeln!(out, "\n  {what} is ready. Open this link:\n\n    {}\n", self.link()).ok();
        if let Some(attach) = &self.attach {
            writeln!(out, "  The same session in a terminal:\n\n    {attach}\n").ok();
        }
        if self.demo {
            say("The real CLI runs here with a scripted model: nothing leaves this machine.");
        }
        say(format_args!("Agents run on in tmux when seamux stops. Log: {}", self.log.display()));
        say("Stop with Ctrl-C.");
        if open {
            open_in_browser(&self.link());
        }
    }
}

/// Prints what a command was asked for.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    print_or_stop(text).map(drop)
}

/// The same; false if the reader has seen enough, as `| head` has.
pub(super) fn print_or_stop(text: &str) -> anyhow::Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        written => written.map(|()| true).context("could not print"),
    }
}

/// On one line, of so many characters at most, without what would move a terminal's cursor.
pub(super) fn plain(text: &str, longest: usize) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let line: String = words.join(" ").chars().filter(|it| !it.is_control()).collect();
    if line.chars().count() <= longest {
        return line;
    }
    line.chars().take(longest - 1).chain(['…']).collect()
}

/// One line for the person, indented like the rest.
pub(super) fn say(text: impl Display) {
    writeln!(io::stdout(), "  {text}").ok(); // A closed terminal is no reason to stop.
}

/// Only where a person sits in front of a screen; a server has none.
fn open_in_browser(link: &str) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|it| std::env::var_os(it).is_some());
    if !io::stdout().is_terminal() || !(has_screen || cfg!(target_os = "macos")) {
        return;
    }
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    Command::new(opener)
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok(); // The link is printed all the same.
}
