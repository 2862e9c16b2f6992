//! Reads the hooks of Claude Code and its list of live processes.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use crate::seam::{
    Activity, AgentHome, RegistryEntry, RegistryPlace, Signal, SignalKind, StartReason,
};

use super::asking;
use super::spawn::config_dir;

/// One hook payload. Every field is optional: a payload with an odd field is
/// still a signal.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Payload<'a> {
    #[serde(borrow)]
    hook_event_name: Option<Cow<'a, str>>,
    session_id: Option<String>,
    transcript_path: Option<PathBuf>,
    permission_mode: Option<String>,
    agent_id: Option<String>,
    source: Option<Cow<'a, str>>,
    model: Option<String>,
    reason: Option<String>,
    prompt: Option<String>,
    tool_name: Option<String>,
    tool_input: Value,
    permission_suggestions: Vec<Value>,
    tool_use_id: Option<String>,
    message: Option<String>,
    notification_type: Option<Cow<'a, str>>,
    error: Option<String>,
    message_id: Option<String>,
    index: Option<u64>,
    delta: Option<String>,
    #[serde(rename = "final")]
    last: Option<bool>,
}

pub(super) fn signal(payload: &[u8]) -> Option<Signal> {
    let payload: Payload<'_> = serde_json::from_slice(payload).ok()?;
    let name = payload.hook_event_name.as_deref()?;
    let kind = match name {
        "SessionStart" => SignalKind::ConversationStarted {
            reason: start_reason(payload.source.as_deref()),
            model: payload.model,
        },
        "SessionEnd" => {
            SignalKind::ConversationEnded { reason: payload.reason.unwrap_or_default() }
        }
        "UserPromptSubmit" => {
            SignalKind::PromptSubmitted { text: payload.prompt.unwrap_or_default() }
        }
        "PreToolUse" => {
            let name = payload.tool_name.unwrap_or_default();
            let mark = asking::mark(&name, &payload.tool_input);
            SignalKind::ToolStarting { call_id: payload.tool_use_id, name, mark }
        }
        "PermissionRequest" => {
            let name = payload.tool_name.unwrap_or_default();
            let mark = asking::mark(&name, &payload.tool_input);
            let dialog =
                asking::dialog(&name, &payload.tool_input, &payload.permission_suggestions);
            SignalKind::DialogRaised { dialog: Box::new(dialog), mark }
        }
        "PostToolUse" | "PostToolUseFailure" => {
            SignalKind::ToolEnded { call_id: payload.tool_use_id }
        }
        "Notification" => SignalKind::Notified {
            blocked: matches!(
                payload.notification_type.as_deref(),
                Some("permission_prompt" | "agent_needs_input")
            ),
            message: payload.message.unwrap_or_default(),
        },
        "Stop" => SignalKind::TurnEnded,
        "StopFailure" => SignalKind::TurnFailed { error: payload.error.unwrap_or_default() },
        "MessageDisplay" => SignalKind::TextDelta {
            message_id: payload.message_id.unwrap_or_default(),
            index: payload.index.unwrap_or_default(),
            text: payload.delta.unwrap_or_default(),
            last: payload.last.unwrap_or_default(),
        },
        other => SignalKind::Unknown { name: other.to_owned() },
    };
    Some(Signal {
        native_id: payload.session_id,
        transcript: payload.transcript_path.filter(|path| path.is_absolute()),
        permission_mode: payload.permission_mode,
        agent: payload.agent_id,
        kind,
    })
}

fn start_reason(source: Option<&str>) -> StartReason {
    match source {
        Some("resume") => StartReason::Resume,
        Some("clear") => StartReason::Clear,
        Some("compact") => StartReason::Compact,
        Some("fork") => StartReason::Fork,
        _ => StartReason::Startup,
    }
}

pub(super) fn registry(home: &AgentHome) -> RegistryPlace {
    RegistryPlace { dir: config_dir(home).join("sessions"), suffix: ".json" }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    pid: u32,
    session_id: String,
    #[serde(default, borrow)]
    status: Option<Cow<'a, str>>,
    #[serde(default)]
    waiting_for: Option<String>,
    #[serde(default)]
    status_updated_at: Option<u64>,
    #[serde(default)]
    cwd: Option<PathBuf>,
    #[serde(default)]
    version: Option<String>,
    #[serde(default, borrow)]
    proc_start: Option<Cow<'a, str>>,
}

pub(super) fn registry_entry(bytes: &[u8]) -> Option<RegistryEntry> {
    let entry: Entry<'_> = serde_json::from_slice(bytes).ok()?;
    Some(RegistryEntry {
        pid: entry.pid,
        native_id: entry.session_id,
        activity: match entry.status.as_deref() {
            Some("idle") => Activity::Idle,
            Some("busy") => Activity::Busy,
            Some("waiting") => Activity::Waiting,
            // No status yet: the process is up, its input is not.
            _ => Activity::Starting,
        },
        since: entry.status_updated_at,
        // Calls have other words: `permission prompt` and `input needed`.
        own_screen: entry.waiting_for.as_deref() == Some("dialog open"),
        waiting_for: entry.waiting_for,
        cwd: entry.cwd,
        version: entry.version,
        started: entry.proc_start.and_then(|it| it.parse().ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_hook_payload_is_a_signal() {
        for file in ["hooks-stdin-197.jsonl", "hooks-stdin-332.jsonl"] {
            let path = format!("{}/fixtures/claude-code/{file}", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).expect("a fixture");
            for line in text.lines().filter(|it| !it.is_empty()) {
                let signal = signal(line.as_bytes()).expect("a signal");
                assert!(signal.native_id.is_some() && signal.transcript.is_some(), "{line}");
            }
        }
    }

    #[test]
    fn an_unknown_event_keeps_its_name_and_nonsense_is_no_signal() {
        let kind = signal(br#"{"hook_event_name":"NewThing","session_id":"s"}"#).map(|it| it.kind);
        assert_eq!(kind, Some(SignalKind::Unknown { name: "NewThing".into() }));
        assert_eq!(signal(b"not json"), None);
        assert_eq!(signal(b"[]"), None);
    }

    #[test]
    fn a_registry_entry_without_status_is_still_starting() {
        let entry = registry_entry(br#"{"pid":7,"sessionId":"a"}"#).expect("an entry");
        assert_eq!(entry.activity, Activity::Starting);
        let entry = registry_entry(
            br#"{"pid":7,"sessionId":"a","procStart":"1172308","status":"waiting","waitingFor":"input needed"}"#,
        );
        let entry = entry.expect("an entry");
        assert_eq!((entry.activity, entry.started), (Activity::Waiting, Some(1_172_308)));
        assert_eq!(registry_entry(br#"{"pid":7,"sess"#), None);
    }
}
