//! What the CLI came with, as a table.
//!
//! The CLI does not say of a command what it does to the terminal, and it does not
//! list all of them when it is asked, so both stand here for the pinned versions.

use std::sync::LazyLock;

use crate::schema::CommandRole;

/// What a command does to the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Prompt,
    Turn,
    Returns,
    Screen,
    Terminal,
    Unlisted,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Builtin {
    pub(super) name: &'static str,
    pub(super) effect: Effect,
    since: Since,
    pub(super) role: Option<CommandRole>,
    pub(super) arg_hint: Option<&'static str>,
    pub(super) description: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Since {
    Always,
    OldOnly,
    NewOnly,
}

/// The version from which on a line for the newer pin holds.
const NEW: [u64; 3] = [2, 1, 332];

static TABLE: LazyLock<Vec<Builtin>> = LazyLock::new(|| {
    let lines = include_str!("builtin.tsv").lines();
    lines.filter(|it| !it.starts_with('#')).filter_map(row).collect()
});

/// The commands of one version; of an unknown one, those of the newest pin.
pub(super) fn of_version(version: Option<&str>) -> impl Iterator<Item = &'static Builtin> {
    let is_new = version.is_none_or(|it| numbers(it) >= NEW);
    TABLE.iter().filter(move |it| match it.since {
        Since::Always => true,
        Since::OldOnly => !is_new,
        Since::NewOnly => is_new,
    })
}

/// Whether a command of any version opens a screen that only keys can leave.
pub(in super::super) fn opens_screen(name: &str) -> bool {
    // Other names of commands in the table.
    let name = match name {
        "cost" | "stats" => "usage",
        "settings" => "config",
        name => name,
    };
    TABLE.iter().any(|it| it.name == name && it.effect == Effect::Screen)
}

pub(super) fn is_newer_than(version: Option<&str>, known: &str) -> bool {
    version.is_none_or(|it| numbers(it) > numbers(known))
}

fn numbers(version: &str) -> [u64; 3] {
    let mut parts = version.split('.').map(|it| it.parse().unwrap_or(0));
    [(); 3].map(|()| parts.next().unwrap_or(0))
}

fn row(line: &'static str) -> Option<Builtin> {
    let mut cells = line.split('\t');
    let mut cell = || cells.next();
    Some(Builtin {
        name: cell()?,
        effect: match cell()? {
            "prompt" => Effect::Prompt,
            "turn" => Effect::Turn,
            "returns" => Effect::Returns,
            "screen" => Effect::Screen,
            "terminal" => Effect::Terminal,
            "unlisted" => Effect::Unlisted,
            _ => return None,
        },
        since: match cell()? {
            "all" => Since::Always,
            "198" => Since::OldOnly,
            "332" => Since::NewOnly,
            _ => return None,
        },
        role: match cell()? {
            "" => None,
            word => Some(role(word)?),
        },
        arg_hint: cell().filter(|it| !it.is_empty()),
        description: cell()?,
    })
}

fn role(word: &str) -> Option<CommandRole> {
    Some(match word {
        "clear" => CommandRole::Clear,
        "compact" => CommandRole::Compact,
        "context" => CommandRole::Context,
        "plan" => CommandRole::Plan,
        "model" => CommandRole::Model,
        "login" => CommandRole::Login,
        "logout" => CommandRole::Logout,
        "exit" => CommandRole::Exit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        let text = include_str!("builtin.tsv");
        let lines = text.lines().filter(|it| !it.starts_with('#')).count();
        assert_eq!(TABLE.len(), lines);
    }

    #[test]
    fn a_name_stands_once_in_each_version() {
        for version in ["2.1.198", "2.1.332"] {
            let mut names: Vec<_> = of_version(Some(version)).map(|it| it.name).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{version}");
        }
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(of_version(Some("2.1.1000")).any(|it| it.name == "bug"));
        assert!(!of_version(Some("2.1.99")).any(|it| it.name == "bug"));
        assert!(of_version(None).any(|it| it.name == "bug"));
    }

    #[test]
    fn another_name_of_a_screen_is_the_same_screen() {
        assert!(opens_screen("cost") && opens_screen("model") && !opens_screen("clear"));
    }
}
