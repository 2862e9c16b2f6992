//! How to start Claude Code, and where it keeps things.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::schema::Warning;
use crate::seam::{
    AgentHome, Descriptor, FilePut, Launch, Prepared, SeamError, SpawnSpec, StartupCheck,
    TranscriptQuery,
};

use super::descriptor::{BY_KEYS, DIALOGS};
use super::input;

/// A longer first message is sent as a reply: one argument may hold 128 KiB.
const LONGEST_ARGUMENT: usize = 100 * 1024;

/// Events that run `seamux hook`. An event name that the CLI does not know
/// makes it skip the whole settings file, so only names that every verified
/// version lists may stand here.
const COMMAND_EVENTS: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "Notification",
    "Stop",
    "StopFailure",
];

/// Seconds until the CLI gives up on a hook; ours take a few milliseconds.
const HOOK_TIMEOUT: u64 = 10;

/// A dialog may wait for a person for days. The CLI's own default is ten minutes,
/// and the largest number that every version takes is 2,147,483.
const ASK_TIMEOUT: u64 = 2_000_000;

/// The key for the model, if a person pays by use.
pub(super) const API_KEY: &str = "ANTHROPIC_API_KEY";

/// The timer of questions that answer themselves, and the longest time that it takes.
const AFK_TIMEOUT: &str = "CLAUDE_AFK_TIMEOUT_MS";
const NEVER: &str = "2147483647";

/// The CLI holds text back from the person's own screen until this hook
/// answers or runs out of time, so it gets very little.
const DISPLAY_TIMEOUT: u64 = 1;

pub(super) fn prepare(spec: &SpawnSpec, descriptor: &Descriptor) -> Result<Prepared, SeamError> {
    let mode = spec.permission_mode.as_deref().unwrap_or(descriptor.default_permission_mode);
    if !descriptor.permission_modes.iter().any(|it| it.id == mode) {
        let known: Vec<_> = descriptor.permission_modes.iter().map(|it| it.id.as_str()).collect();
        return Err(SeamError::Invalid {
            field: "permission_mode",
            detail: format!("there is no permission mode `{mode}`; it can be {}", known.join(", ")),
        });
    }
    if let Some(effort) = &spec.effort
        && !descriptor.efforts.iter().any(|it| it.id == *effort)
    {
        return Err(SeamError::Invalid {
            field: "effort",
            detail: format!("there is no effort `{effort}`"),
        });
    }
    if let Some(model) = &spec.model
        && (model.starts_with('-') || model.trim().is_empty())
    {
        return Err(SeamError::Invalid {
            field: "model",
            detail: format!("`{model}` is not the name of a model"),
        });
    }

    check_options(spec, descriptor)?;

    let settings = spec.run_dir.join("settings.json");
    let mut argv: Vec<OsString> = vec![spec.program.clone().into()];
    let native_id = match &spec.launch {
        Launch::New { native_id } => {
            argv.extend(["--session-id".into(), native_id.into()]);
            native_id.clone()
        }
        Launch::Resume { native_id } => {
            argv.extend(["--resume".into(), native_id.into()]);
            native_id.clone()
        }
    };
    // Explicit, because the CLI's own default differs from version to version.
    argv.extend(["--permission-mode".into(), mode.into()]);
    if let Some(model) = &spec.model {
        argv.extend(["--model".into(), model.into()]);
    }
    if let Some(effort) = &spec.effort {
        argv.extend(["--effort".into(), effort.into()]);
    }
    argv.extend(["--settings".into(), settings.clone().into()]);

    let mut deferred_prompt = None;
    if let Some(prompt) = spec.prompt.as_deref().map(input::clean).filter(|it| !it.is_empty()) {
        // A slash command is not run from an argument, so it is typed.
        if prompt.len() > LONGEST_ARGUMENT || prompt.starts_with('/') {
            deferred_prompt = Some(prompt);
        } else {
            argv.extend(["--".into(), prompt.into()]);
        }
    }

    let mut files =
        vec![FilePut::Whole { path: settings, contents: settings_for(spec).to_string() }];
    let config = config_file(&spec.home);
    if spec.home.private {
        // A private home is new: without this the CLI greets, asks for trust, and waits.
        // A CLI that runs already writes the file as it knows it, and what was added since
        // is lost. So the first start says it for all folders: those of runs, nothing else.
        files.push(FilePut::MergeJson {
            path: config.clone(),
            members: json!({
                "hasCompletedOnboarding": true,
                "projects": { "/": { "hasTrustDialogAccepted": true } },
            }),
        });
    }

    let mut env = spec.home.env.clone();
    if spec.home.private {
        env.push(("DISABLE_AUTOUPDATER".into(), "1".into()));
        env.push(("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC".into(), "1".into()));
    }
    Ok(Prepared {
        argv,
        env,
        files,
        native_id: Some(native_id),
        deferred_prompt,
        startup_checks: vec![
            config,
            spec.cwd.join(".mcp.json"),
            spec.cwd.join(".claude/settings.local.json"),
        ],
    })
}

fn check_options(spec: &SpawnSpec, descriptor: &Descriptor) -> Result<(), SeamError> {
    for (id, value) in &spec.options {
        let known = descriptor.options.iter().find(|it| it.id == *id);
        let choices =
            known.map(|it| it.choices.iter().map(|it| it.id.as_str()).collect::<Vec<_>>());
        let detail = match choices {
            Some(choices) if choices.contains(&value.as_str()) => continue,
            Some(choices) => {
                format!("`{id}` cannot be `{value}`; it can be {}", choices.join(", "))
            }
            None => format!("there is no option `{id}`"),
        };
        return Err(SeamError::Invalid { field: "options", detail });
    }
    Ok(())
}

fn settings_for(spec: &SpawnSpec) -> Value {
    let SpawnSpec { door, home, .. } = spec;
    let command = shell_words(&door.command);
    let mut hooks: Map<String, Value> = COMMAND_EVENTS
        .iter()
        .map(|event| {
            let hook = json!({ "type": "command", "command": command, "timeout": HOOK_TIMEOUT });
            ((*event).to_owned(), json!([{ "hooks": [hook] }]))
        })
        .collect();
    if spec.options.get(DIALOGS).is_none_or(|it| it != BY_KEYS) {
        let ask = format!("{command} ask");
        hooks.insert(
            "PermissionRequest".into(),
            json!([{ "hooks": [{ "type": "command", "command": ask, "timeout": ASK_TIMEOUT }] }]),
        );
    }
    if let Some(url) = &door.url {
        hooks.insert(
            "MessageDisplay".into(),
            json!([{ "hooks": [{
                "type": "http",
                "url": url,
                "timeout": DISPLAY_TIMEOUT,
                "headers": { "Authorization": door.authorization },
            }] }]),
        );
    }
    // Otherwise a question answers itself when nobody is at the terminal.
    let patient = [(AFK_TIMEOUT.to_owned(), json!(NEVER))];
    let configured = home.configured.iter().map(|(name, value)| (name.clone(), json!(value)));
    let configured: Map<String, Value> = patient.into_iter().chain(configured).collect();
    json!({
        // Otherwise some dialogs appear without the hook that announces them.
        "permissions": { "disableAutoMode": "disable" },
        // The full-screen renderer has no scrollback and asks to be tried.
        "tui": "default",
        // In this file and not in the environment, since it may hold secrets.
        "env": configured,
        "hooks": hooks,
    })
}

/// Words for `/bin/sh -c`, which is how the CLI runs a hook.
fn shell_words(words: &[OsString]) -> String {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| format!("'{}'", word.to_string_lossy().replace('\'', r"'\''")))
        .collect();
    quoted.join(" ")
}

/// The folder that holds transcripts and the list of live processes.
pub(super) fn config_dir(home: &AgentHome) -> PathBuf {
    match configured_dir(home) {
        Some(dir) => dir,
        None => home.home.join(".claude"),
    }
}

fn config_file(home: &AgentHome) -> PathBuf {
    configured_dir(home).unwrap_or_else(|| home.home.clone()).join(".claude.json")
}

fn configured_dir(home: &AgentHome) -> Option<PathBuf> {
    home.env("CLAUDE_CONFIG_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from)
}

/// An empty name of the folder splits the configuration, so it is dropped.
pub(super) fn home_env(get: &dyn Fn(&str) -> Option<String>) -> Vec<(String, String)> {
    let dir = get("CLAUDE_CONFIG_DIR").filter(|dir| Path::new(dir).is_absolute());
    dir.map(|dir| ("CLAUDE_CONFIG_DIR".to_owned(), dir)).into_iter().collect()
}

pub(super) fn locate_transcript(home: &AgentHome, native_id: &str) -> TranscriptQuery {
    TranscriptQuery::File {
        root: config_dir(home).join("projects"),
        name: format!("{native_id}.jsonl"),
    }
}

pub(super) fn api_key(home: &AgentHome) -> Option<String> {
    let configured = home.configured.iter().find(|(name, _)| name == API_KEY);
    configured.map(|(_, value)| value.as_str()).or_else(|| home.env(API_KEY)).map(str::to_owned)
}

/// What makes the CLI talk to a scripted model and to nobody else.
pub(super) fn scripted_env(model_url: &str) -> Vec<(String, String)> {
    vec![
        ("ANTHROPIC_BASE_URL".into(), model_url.into()),
        ("ANTHROPIC_AUTH_TOKEN".into(), "scripted".into()),
    ]
}

/// The CLI runs, but none of our hooks did: says which of its own start-up
/// questions is the likely reason.
pub(super) fn silent_start(check: &StartupCheck) -> Warning {
    let config: Value = check
        .files
        .first()
        .and_then(|(_, text)| text.as_deref())
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or(Value::Null);
    if config["hasCompletedOnboarding"] != Value::Bool(true) {
        return warning(
            "setup_pending",
            "Claude Code waits for its first set-up in the terminal.",
            "Open the terminal, finish the set-up, and the chat goes on by itself.",
        );
    }
    if !trusted(&config, &check.cwd) {
        return warning(
            "trust_pending",
            "Claude Code asks in the terminal whether it may work in this folder.",
            "Open the terminal and answer; the chat goes on by itself.",
        );
    }
    warning(
        "door_silent",
        "Claude Code started, but its hooks did not report.",
        "Open the terminal: it may show a settings error or a question.",
    )
}

pub(super) fn trusted(config: &Value, cwd: &Path) -> bool {
    cwd.ancestors().any(|dir| {
        config["projects"][dir.to_string_lossy().as_ref()]["hasTrustDialogAccepted"]
            == Value::Bool(true)
    })
}

fn warning(code: &str, message: &str, hint: &str) -> Warning {
    Warning { code: code.into(), message: message.into(), hint: Some(hint.into()) }
}

#[cfg(test)]
mod tests;
