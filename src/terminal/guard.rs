//! The check that stands before everything that is done to a pane.
//!
//! tmux runs one line at a time. So a line that checks and then acts cannot be
//! interrupted by a death, a person or a late wake-up between the two.

use std::time::{SystemTime, UNIX_EPOCH};

use tmux_interface::{DisplayMessage, IfShell};

use super::control::ANSWER_LIMIT;
use super::error::{Refusal, TerminalError};
use super::quote::Line;
use super::status::{Pane, PaneStatus, Report, STAMP, format};

/// A server option whose text, read as a time format, is the present second.
pub(super) const NOW: &str = "@seamux_now";

/// How much must be true before a command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    /// It is our pane in this life of the server.
    Ours,
    /// Also, what is typed now reaches the process that we started.
    Writable,
}

impl Guard {
    /// `then` if everything holds, else a report. tmux runs one line at a time,
    /// so nothing can come between the check and the command.
    pub(super) fn line(self, pane: &Pane, then: Line) -> Line {
        self.line_in_front(pane, then, None)
    }

    /// The same, and `name` has to be what runs in the foreground of the pane.
    pub(super) fn line_in_front(self, pane: &Pane, then: Line, name: Option<&str>) -> Line {
        let then = then.then(&DisplayMessage::new().print().message(PASSED).build());
        let report = DisplayMessage::new().print().target_pane(&pane.id).message(format()).build();
        let mut choice = IfShell::new()
            .not_execute()
            .target_pane(&pane.id)
            .shell_command(self.condition(pane, name))
            .command(then.into_text())
            .build();
        choice.push_param(Line::new(&report).into_text());
        Line::new(&choice)
    }

    fn condition(self, pane: &Pane, name: Option<&str>) -> String {
        let mut facts = vec![
            ("pid", pane.server.pid.to_string()),
            ("start_time", pane.server.start_time.to_string()),
            ("pane_id", pane.id.clone()),
            (STAMP, pane.mark().to_owned()),
        ];
        facts.extend(name.map(|name| ("pane_current_command", name.to_owned())));
        let mut last = "1".to_owned();
        if self == Self::Writable {
            facts.push(("pane_pid", pane.pid.to_string()));
            facts.extend(
                ["pane_dead", "pane_in_mode", "pane_input_off"].map(|name| (name, "0".to_owned())),
            );
            last = format!("#{{e|<|:#{{T:{NOW}}},{}}}", deadline());
        }
        let equal = |(name, value): (&str, String)| format!("#{{==:#{{{name}}},{value}}}");
        let all = |rest: String, fact: String| format!("#{{&&:{fact},{rest}}}");
        facts.into_iter().map(equal).rfold(last, all)
    }
}

/// When tmux must not write any more, in seconds since 1970.
///
/// By then the caller was told that there was no answer, and has other plans.
fn deadline() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() + ANSWER_LIMIT.as_secs()
}

/// What a guarded line says last if the guard let it through.
pub(super) const PASSED: &str = "passed";

/// Why a guard refused.
pub(super) fn refusal(report: Report, pane: &Pane) -> TerminalError {
    let status = match report.about(pane) {
        Ok(status) => status,
        Err(error) => return error,
    };
    let refusal = match status {
        PaneStatus { dead: Some(_), .. } => Refusal::Dead,
        PaneStatus { in_mode: true, .. } => Refusal::Mode,
        PaneStatus { input_off: true, .. } => Refusal::InputOff,
        _ => Refusal::Late,
    };
    TerminalError::Refused(refusal)
}
