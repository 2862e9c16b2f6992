//! The questions that the CLI asks before it does anything, hooks included.
//!
//! No record tells of them. That one is open follows from what we know at the
//! start: the door is silent, and the CLI's own configuration lacks the answer.
//! Newer versions have the safe answer first and no numbers, older ones do not,
//! so rows are found by their words alone.

use serde_json::Value;

use crate::schema::{Channel, Dialog, DialogKind, Question, QuestionOption};
use crate::seam::{Seen, StartupCheck};

use super::super::spawn::trusted;
use super::screen::{Row, below_rule, cursor, squash};
use super::sight::toward;

/// One of them.
pub(super) struct Startup {
    id: &'static str,
    title: &'static str,
    body: &'static str,
    /// What the screen says and no other screen does.
    says: &'static str,
    /// Our words for each answer, and those of its row. What goes on comes first,
    /// what is safe comes last.
    options: &'static [(&'static str, &'static str)],
}

const TRUST: Startup = Startup {
    id: "startup-trust",
    title: "Work in this folder?",
    body: "The CLI was never used in this folder. It would read, edit and run files here.",
    says: "Quick safety check: Is this a project you created or one you trust?",
    options: &[("Trust this folder", "Yes, I trust this folder"), ("No, end the run", "No, exit")],
};

const API_KEY: Startup = Startup {
    id: "startup-api-key",
    title: "Use the configured API key?",
    body: "The environment has an API key that was never used in this home.",
    says: "Detected a custom API key in your environment",
    options: &[("Use the key", "Yes"), ("Do not use it", "No (recommended)")],
};

const BYPASS: Startup = Startup {
    id: "startup-bypass",
    title: "Run everything without asking?",
    body: "In this mode the CLI never asks before it runs a command. It is meant for a sandbox.",
    says: "WARNING: Claude Code running in Bypass Permissions mode",
    options: &[("Accept the mode", "Yes, I accept"), ("No, end the run", "No, exit")],
};

const MCP: Startup = Startup {
    id: "startup-mcp",
    title: "Use the MCP server of this folder?",
    body: "The folder has an `.mcp.json`. Its servers may run code.",
    says: "New MCP server found in this project",
    options: &[
        ("Use this server", "Use this MCP server"),
        ("Use it, and all later ones here", "Use this and all future MCP servers in this project"),
        ("Go on without it", "Continue without using this MCP server"),
    ],
};

const ALL: [&Startup; 4] = [&TRUST, &MCP, &API_KEY, &BYPASS];

/// The one that is open, by what is known: they come in this order.
pub(super) fn dialog(check: &StartupCheck) -> Option<Dialog> {
    let json = |end: &str| -> Value {
        let file = check.files.iter().find(|(path, _)| path.ends_with(end));
        let text = file.and_then(|(_, text)| text.as_deref());
        text.and_then(|it| serde_json::from_str(it).ok()).unwrap_or(Value::Null)
    };
    let config = json(".claude.json");
    if config["hasCompletedOnboarding"] != Value::Bool(true) {
        return None; // It is being set up, with screens of another kind.
    }
    let startup = if !trusted(&config, &check.cwd) {
        &TRUST
    } else if unknown_servers(&json(".mcp.json"), &json("settings.local.json")) == 1 {
        &MCP
    } else if check.api_key.as_ref().is_some_and(|key| !has_answer_for(&config, key)) {
        &API_KEY
    } else if check.permission_mode.as_deref() == Some("bypassPermissions")
        && config["bypassPermissionsModeAccepted"] != Value::Bool(true)
    {
        &BYPASS
    } else {
        return None;
    };
    Some(startup.dialog())
}

/// How many servers the folder has about which nobody was asked. Several are asked
/// about on another screen. The CLI notes
/// the answers in the folder's local settings.
fn unknown_servers(servers: &Value, settings: &Value) -> usize {
    let listed = |list: &str, name: &str| {
        let mut names = settings[list].as_array().into_iter().flatten();
        names.any(|it| it == name)
    };
    let is_known = |name: &str| {
        settings["enableAllProjectMcpServers"] == Value::Bool(true)
            || listed("enabledMcpjsonServers", name)
            || listed("disabledMcpjsonServers", name)
    };
    let names = servers["mcpServers"].as_object().into_iter().flat_map(|it| it.keys());
    names.filter(|it| !is_known(it)).count()
}

/// The CLI keeps the end of each key about which it was told yes or no.
fn has_answer_for(config: &Value, key: &str) -> bool {
    let answers = &config["customApiKeyResponses"];
    let lists = [&answers["approved"], &answers["rejected"]];
    let mut known = lists.into_iter().filter_map(Value::as_array).flatten();
    known.any(|it| it.as_str().is_some_and(|end| !end.is_empty() && key.ends_with(end)))
}

pub(super) fn find(dialog: &Dialog) -> Option<&'static Startup> {
    ALL.into_iter().find(|it| it.id == dialog.id)
}

impl Startup {
    fn dialog(&self) -> Dialog {
        let option = |label: &str| QuestionOption {
            label: label.to_owned(),
            description: String::new(),
            preview: None,
        };
        Dialog {
            id: self.id.to_owned(),
            kind: DialogKind::Approval,
            title: self.title.to_owned(),
            body: self.body.to_owned(),
            questions: vec![Question {
                header: "Start".to_owned(),
                text: self.title.to_owned(),
                options: self.options.iter().map(|it| option(it.0)).collect(),
                multi_select: false,
                free_text: false,
            }],
            answerable: true,
            can_discuss: false,
            channel: Channel::Keys,
            outcome: None,
        }
    }

    /// All of its rows have to be there, and no other one with the cursor.
    pub(super) fn sees(&self, lines: &[&str], option: usize) -> Option<Seen> {
        let lines = below_rule(lines);
        if !squash(&lines.concat()).contains(&squash(self.says)) {
            return None;
        }
        let rows = self.rows(lines);
        let wanted = squash(self.options.get(option)?.1);
        (rows.len() == self.options.len())
            .then(|| Some(toward(&rows, rows.iter().position(|it| it.text == wanted)?)))?
    }

    pub(super) fn rows(&self, lines: &[&str]) -> Vec<Row> {
        let row = |line: &&str| {
            let (has_cursor, text) = cursor(line);
            let text = text.trim_start_matches(|c: char| c.is_ascii_digit());
            let text = text.strip_prefix(". ").unwrap_or(text);
            let known = self.options.iter().any(|it| it.1 == text);
            (known || has_cursor).then(|| Row { has_cursor, text: squash(text), ..Row::default() })
        };
        below_rule(lines).iter().filter_map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(
        config: &Value,
        mode: &str,
        key: Option<&str>,
        servers: &Value,
        local: &Value,
    ) -> String {
        let file = |path: &str, value: &Value| (path.into(), Some(value.to_string()));
        let files = vec![
            file("/h/.claude.json", config),
            file("/w/.mcp.json", servers),
            file("/w/.claude/settings.local.json", local),
        ];
        let check = StartupCheck {
            cwd: "/w/deep".into(),
            files,
            permission_mode: Some(mode.into()),
            api_key: key.map(str::to_owned),
        };
        dialog(&check).map(|it| it.id).unwrap_or_default()
    }

    #[test]
    fn what_is_asked_follows_from_what_the_configuration_lacks() {
        let none = Value::Null;
        let new = json!({ "hasCompletedOnboarding": true });
        let mut used = new.clone();
        used["projects"]["/w"] = json!({ "hasTrustDialogAccepted": true });
        let servers = json!({ "mcpServers": { "one": {} } });
        let refused = json!({ "disabledMcpjsonServers": ["one"] });
        let bypass = "bypassPermissions";
        assert_eq!(check(&none, "default", None, &none, &none), "");
        assert_eq!(check(&new, bypass, Some("k"), &servers, &none), "startup-trust");
        assert_eq!(check(&used, bypass, Some("k"), &servers, &none), "startup-mcp");
        assert_eq!(check(&used, bypass, Some("k"), &servers, &refused), "startup-api-key");
        used["customApiKeyResponses"] = json!({ "approved": ["end"] });
        assert_eq!(check(&used, bypass, Some("the-end"), &none, &none), "startup-bypass");
        assert_eq!(check(&used, "default", Some("the-end"), &none, &none), "");
        used["bypassPermissionsModeAccepted"] = json!(true);
        assert_eq!(check(&used, bypass, None, &none, &none), "");
    }

    #[test]
    fn each_row_is_found_by_its_words_and_no_enter_is_blind() {
        use crate::seam::Key::{Down, Up};
        // Where the cursor stands first: what is safe, or what goes on, by version.
        let first = [("2.1.198", [0, 1, 1, 0]), ("2.1.332", [1, 1, 1, 2])];
        for (version, cursors) in first {
            let screens = ["trust", "key", "bypass", "mcp"];
            for ((screen, startup), cursor) in
                screens.into_iter().zip([&TRUST, &API_KEY, &BYPASS, &MCP]).zip(cursors)
            {
                let root = env!("CARGO_MANIFEST_DIR");
                let path =
                    format!("{root}/fixtures/claude-code/screens/{version}/startup-{screen}.txt");
                let text = std::fs::read_to_string(path).expect("a fixture");
                let lines: Vec<&str> = text.lines().collect();
                for option in 0..startup.options.len() {
                    let seen = startup.sees(&lines, option);
                    let here = seen == Some(Seen::Yes);
                    assert_eq!(here, option == cursor, "{version} {screen} {option}: {seen:?}");
                    let moves = [Some(Seen::Yes), Some(Seen::Nearer(Down)), Some(Seen::Nearer(Up))];
                    assert!(moves.contains(&seen), "{version} {screen} {option}: {seen:?}");
                }
                let others = ALL.into_iter().filter(|it| it.id != startup.id);
                assert!(others.into_iter().all(|it| it.sees(&lines, 0).is_none()), "{screen}");
            }
        }
    }
}
