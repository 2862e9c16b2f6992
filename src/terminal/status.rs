//! What tmux tells about a pane.
//!
//! One format serves for probing, listing and for saying why a guard refused,
//! so the three cannot disagree about a field.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::error::{Refusal, TerminalError};

/// One life of a tmux server. Ids like `%7` start again in the next life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ServerEpoch {
    pub pid: i32,
    pub start_time: u64,
}

/// A pane that we started, in terms that stay true: ids, not names or indexes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pane {
    pub server: ServerEpoch,
    /// `$3`
    pub session: String,
    /// `@3`
    pub window: String,
    /// `%3`
    pub id: String,
    /// The process that was started in it. Proof of identity only together with tmux's word.
    pub pid: i32,
    /// Our id of the run.
    pub stamp: String,
    pub session_name: String,
    /// The process that is meant, where the pane is a person's own: it was started
    /// there by hand, below their shell, and the pane carries no stamp of ours.
    pub guest: Option<Process>,
}

/// One process, however often its number is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    pub pid: i32,
    /// Clock ticks since boot.
    pub began: u64,
}

impl Pane {
    /// The process that takes what is typed.
    pub fn process(&self) -> i32 {
        self.guest.map_or(self.pid, |guest| guest.pid)
    }

    /// What the pane's stamp has to be in tmux.
    pub(super) fn mark(&self) -> &str {
        if self.guest.is_some() { "" } else { &self.stamp }
    }
}

/// How the process of a pane ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    Code(i32),
    Signal(i32),
    /// It is gone, and nobody can say how: the pane was killed, or its server.
    Unknown,
}

/// A pane as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaneStatus {
    pub pane: Pane,
    /// `None` while the process lives.
    pub dead: Option<Exit>,
    /// Someone scrolls or chooses in it, so what is typed does not reach the process.
    pub in_mode: bool,
    pub input_off: bool,
    /// Where the process is; where it was started, once it is dead.
    pub cwd: PathBuf,
    /// Seconds since 1970.
    pub created_at: u64,
    pub labels: BTreeMap<String, String>,
    /// How many people look at it.
    pub attached: u32,
}

/// Pane options under which our own knowledge survives us.
pub(super) const STAMP: &str = "@seamux_run";
pub(super) const LABELS: &str = "@seamux_labels";

// The path stands last because it alone may contain nearly anything.
const FIELDS: [&str; 17] = [
    "pane_id",
    "session_id",
    "window_id",
    "pane_pid",
    "pid",
    "start_time",
    "pane_dead",
    "pane_dead_status",
    "pane_dead_signal",
    "pane_in_mode",
    "pane_input_off",
    "session_attached",
    "session_created",
    STAMP,
    LABELS,
    "session_name",
    "session_path",
];

pub(super) fn format() -> String {
    FIELDS.map(|field| format!("#{{{field}}}")).join("\t")
}

/// One line in `format`. The pane is missing if tmux found none, but the server
/// that answered always says who it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Report {
    pub(super) server: ServerEpoch,
    pub(super) status: Option<PaneStatus>,
}

impl Report {
    pub(super) fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.splitn(FIELDS.len(), '\t').collect();
        let &[
            id,
            session,
            window,
            pane_pid,
            pid,
            start_time,
            dead,
            status,
            signal,
            in_mode,
            input_off,
            attached,
            created,
            stamp,
            labels,
            session_name,
            path,
        ] = &fields[..]
        else {
            return None;
        };
        let server = ServerEpoch { pid: pid.parse().ok()?, start_time: start_time.parse().ok()? };
        if id.is_empty() {
            return Some(Self { server, status: None });
        }
        let pane = Pane {
            server,
            session: session.into(),
            window: window.into(),
            id: id.into(),
            pid: pane_pid.parse().ok()?,
            stamp: stamp.into(),
            session_name: session_name.into(),
            guest: None,
        };
        let status = PaneStatus {
            dead: (dead == "1").then(|| exit(status, signal)),
            in_mode: on(in_mode),
            input_off: on(input_off),
            cwd: path.into(),
            created_at: created.parse().unwrap_or(0),
            labels: decode_labels(labels),
            attached: attached.parse().unwrap_or(0),
            pane,
        };
        Some(Self { server, status: Some(status) })
    }

    /// The status, if it is still about `pane`.
    pub(super) fn about(self, pane: &Pane) -> Result<PaneStatus, TerminalError> {
        if self.server != pane.server {
            return Err(TerminalError::Refused(Refusal::Epoch));
        }
        let status = self.status.ok_or(TerminalError::NoTarget)?;
        if status.pane.stamp != pane.mark() {
            return Err(TerminalError::Refused(Refusal::Stamp));
        }
        // What a dead pane says about its process is of no use, and differs between versions.
        if status.dead.is_none() && status.pane.pid != pane.pid {
            return Err(TerminalError::Refused(Refusal::Process));
        }
        Ok(status)
    }
}

fn on(flag: &str) -> bool {
    !matches!(flag, "" | "0")
}

fn exit(status: &str, signal: &str) -> Exit {
    // Some builds of tmux print the number of a signal, some its name.
    const NAMES: [(&str, i32); 15] = [
        ("HUP", 1),
        ("INT", 2),
        ("QUIT", 3),
        ("ILL", 4),
        ("TRAP", 5),
        ("ABRT", 6),
        ("BUS", 7),
        ("FPE", 8),
        ("KILL", 9),
        ("USR1", 10),
        ("SEGV", 11),
        ("USR2", 12),
        ("PIPE", 13),
        ("ALRM", 14),
        ("TERM", 15),
    ];
    let name = signal.to_ascii_uppercase();
    let name = name.strip_prefix("SIG").unwrap_or(&name);
    let named = || NAMES.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
    if let Some(number) = signal.parse().ok().or_else(named) {
        return Exit::Signal(number);
    }
    status.parse().map_or(Exit::Unknown, Exit::Code)
}

/// Labels in one option, `key=value&key=value`, each byte that could confuse a reader as `%xx`.
pub(super) fn encode_labels(labels: &[(String, String)]) -> String {
    let escape =
        |text: &str| -> String {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./: ".contains(&byte);
            text.bytes()
                .map(|byte| {
                    if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02x}") }
                })
                .collect()
        };
    let pair = |(key, value): &(String, String)| format!("{}={}", escape(key), escape(value));
    labels.iter().map(pair).collect::<Vec<_>>().join("&")
}

fn decode_labels(text: &str) -> BTreeMap<String, String> {
    let unescape = |text: &str| {
        let mut parts = text.split('%');
        let mut out = parts.next().unwrap_or_default().as_bytes().to_vec();
        for part in parts {
            match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                Some(byte) => {
                    out.push(byte);
                    out.extend_from_slice(&part.as_bytes()[2..]);
                }
                None => out.extend_from_slice(part.as_bytes()),
            }
        }
        String::from_utf8_lossy(&out).into_owned()
    };
    let pair = |pair: &str| pair.split_once('=').map(|(k, v)| (unescape(k), unescape(v)));
    text.split('&').filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LINE: &str = "%3\t$3\t@3\t41\t40\t1700\t1\t5\t\t0\t0\t1\t1701\tr1\ta=b\tname\t/a\tb";

    #[test]
    fn a_report_is_read_field_by_field() {
        let status = Report::parse(LINE).unwrap().status.unwrap();
        assert_eq!(status.pane.server, ServerEpoch { pid: 40, start_time: 1700 });
        assert_eq!(status.dead, Some(Exit::Code(5)));
        assert_eq!(status.cwd, PathBuf::from("/a\tb"));
        assert_eq!(status.labels["a"], "b");
        assert_eq!(Report::parse("too\tshort"), None);
    }

    #[test]
    fn another_life_of_the_server_is_refused_first() {
        let report = Report::parse(LINE).unwrap();
        let mut pane = report.clone().status.unwrap().pane;
        pane.server.start_time += 1;
        pane.stamp = "other".into();
        let error = report.about(&pane).unwrap_err();
        assert!(matches!(error, TerminalError::Refused(Refusal::Epoch)), "{error}");
    }

    #[test]
    fn a_signal_has_a_number_or_a_name() {
        assert_eq!(exit("", "9"), Exit::Signal(9));
        assert_eq!(exit("", "SIGTERM"), Exit::Signal(15));
        assert_eq!(exit("0", ""), Exit::Code(0));
        assert_eq!(exit("", ""), Exit::Unknown);
    }

    proptest! {
        #[test]
        fn labels_come_back(labels in prop::collection::btree_map("[a-z_]{1,9}", any::<String>(), 0..5)) {
            let pairs: Vec<_> = labels.clone().into_iter().collect();
            let text = encode_labels(&pairs);
            prop_assert!(!text.contains(['\t', '\n', '#']));
            prop_assert_eq!(decode_labels(&text), labels);
        }

        #[test]
        fn no_report_makes_the_parser_panic(line in any::<String>()) {
            Report::parse(&line);
            decode_labels(&line);
        }
    }
}
