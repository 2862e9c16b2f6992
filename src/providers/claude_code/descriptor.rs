//! What a person may choose for Claude Code.

use crate::schema::{Auth, AuthKind, Choice, OpenLink, RunOption};
use crate::seam::{Descriptor, SeedLayout};

/// The option that says how dialogs are answered, and its choice without a hook.
pub(super) const DIALOGS: &str = "dialogs";
pub(super) const BY_KEYS: &str = "keys";

pub(super) fn descriptor() -> Descriptor {
    Descriptor {
        id: "claude-code",
        display_name: "Claude Code",
        models: vec![
            choice("opus", "Opus", "The largest model"),
            choice("sonnet", "Sonnet", "Fast and capable"),
            choice("haiku", "Haiku", "The fastest model"),
        ],
        efforts: ["low", "medium", "high", "xhigh", "max"]
            .into_iter()
            .map(|level| choice(level, level, ""))
            .collect(),
        permission_modes: vec![
            choice("default", "Asks first", "Asks before it edits or runs anything"),
            choice("acceptEdits", "Edits freely", "Edits files without asking, asks for the rest"),
            choice("plan", "Plans first", "Reads only, and asks for approval of a plan"),
            choice("bypassPermissions", "Never asks", "Runs everything without asking"),
        ],
        default_permission_mode: "default",
        options: vec![RunOption {
            id: DIALOGS.into(),
            label: "Answering".into(),
            choices: vec![
                choice("door", "By hooks", "The CLI's hooks hand the answer over"),
                choice(BY_KEYS, "By keys", "Keys are pressed in the terminal, and no hook waits"),
            ],
        }],
        auth: Auth {
            kind: AuthKind::OauthCode,
            instructions: Some(
                "Sign in here, or run `claude auth login` in a terminal on this machine.".into(),
            ),
            credential_ref: None,
        },
        open: Some(OpenLink {
            label: "Open Claude".into(),
            url: Some("https://claude.ai/code".into()),
        }),
        seed: Some(SEED),
        capabilities: vec!["live_signals", "streaming", "interrupt", "resume"],
        verified_versions: &["2.1.198", "2.1.332"],
        install_hint: "Install it with `npm install -g @anthropic-ai/claude-code`, then start seamux again.",
    }
}

/// `CLAUDE.local.md` and not `CLAUDE.md`: the latter is a project's own, and tracked.
const SEED: SeedLayout = SeedLayout {
    context_file: Some("CLAUDE.local.md"),
    skill: Some(".claude/skills/{name}"),
    prompt: Some(".claude/commands/{name}.md"),
    // Where the CLI notes what a person allowed for good in this folder.
    exclude: &["/.claude/settings.local.json"],
    scrub: &[
        r"sk-ant-[A-Za-z0-9_-]{16,}",
        r"gh[pousr]_[A-Za-z0-9]{30,}",
        r"github_pat_[A-Za-z0-9_]{30,}",
        r"AKIA[0-9A-Z]{16}",
        r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----",
    ],
};

fn choice(id: &str, label: &str, description: &str) -> Choice {
    Choice { id: id.into(), label: label.into(), description: description.into() }
}

/// Behind the name of a model: that it is the one with the large window. The CLI
/// says it when it starts, and leaves it out of its record.
const LARGE: &str = "[1m]";

pub(super) fn without_mark(model: &str) -> &str {
    model.strip_suffix(LARGE).unwrap_or(model)
}

pub(super) fn context_limit(model: &str) -> Option<u64> {
    model.ends_with(LARGE).then_some(1_000_000)
}

/// Reads `2.1.198 (Claude Code)`.
pub(super) fn version(stdout: &str) -> Option<String> {
    let (version, rest) = stdout.trim().split_once(' ')?;
    let numeric = !version.is_empty()
        && version.split('.').all(|part| part.chars().next().is_some_and(|c| c.is_ascii_digit()));
    (numeric && rest.starts_with("(Claude Code)")).then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_line_is_read_and_another_programs_is_not() {
        assert_eq!(version("2.1.198 (Claude Code)\n").as_deref(), Some("2.1.198"));
        assert_eq!(version("claude 0.3 - a music player"), None);
        assert_eq!(version(""), None);
    }
}
