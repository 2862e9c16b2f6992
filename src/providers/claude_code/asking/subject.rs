//! What an approval is about, in words that a terminal shows too.

use crate::schema::Dialog;

/// What must stand on the screen for this approval and for no other. The
/// inverse of the titles that [`super::request`] makes.
pub(in super::super) fn subject(dialog: &Dialog) -> Vec<String> {
    let title = dialog.title.as_str();
    let (verb, rest) = title.split_once(' ').unwrap_or((title, ""));
    match verb {
        // The title may have a subagent's name behind it, the body has not.
        "Run" => fenced(&dialog.body).map(|it| vec![it.to_owned()]).unwrap_or_default(),
        "Write" | "Edit" => {
            let name = rest.rsplit('/').next().unwrap_or(rest);
            let text = fenced(&dialog.body).unwrap_or_default();
            let added = |line: &&str| verb == "Write" || line.starts_with('+');
            let first = text.lines().filter(added).map(|it| it.trim_start_matches('+').trim());
            let first = first.filter(|it| !it.is_empty()).map(|it| it.chars().take(40).collect());
            std::iter::once(word(name)).chain(first.take(1)).collect()
        }
        "Read" => vec![word(rest)],
        "Fetch" => vec![word(rest)],
        "Use" => match word(rest).strip_prefix("mcp__").and_then(|it| it.split_once("__")) {
            Some((server, _)) => vec!["Tool use".into(), server.to_owned()],
            None => vec![word(rest)],
        },
        _ => Vec::new(),
    }
}

/// Whether the terminal has a field for words beside yes and no.
pub(in super::super) fn takes_words(dialog: &Dialog) -> bool {
    !dialog.title.starts_with("Fetch ")
}

/// The words by which the terminal's row for a suggestion is known again, from
/// the label that we gave to it.
pub(in super::super) fn rule_words(label: &str) -> Option<Vec<String>> {
    if let Some(rules) = label.strip_prefix("Always allow ") {
        let content = match rules.split_once('(') {
            Some((_, content)) => content.split(')').next()?,
            None => rules.rsplit("__").next()?,
        };
        let content = content.strip_prefix("domain:").unwrap_or(content);
        let content = content.trim_end_matches([':', '*', '/']).trim_start_matches('/');
        return (!content.is_empty()).then(|| vec![content.trim().to_owned()]);
    }
    if let Some(folder) = label.strip_prefix("Allow the folder ") {
        // Some versions show the last part of the path alone.
        return folder.trim_end_matches('/').rsplit('/').next().map(|it| vec![it.to_owned()]);
    }
    label.contains("edit freely").then(|| vec!["edits".to_owned(), "session".to_owned()])
}

/// The inside of a fenced block of code.
fn fenced(body: &str) -> Option<&str> {
    let fence = body.len() - body.trim_start_matches('`').len();
    let (_, inside) = body.split_once('\n')?;
    (fence >= 3).then(|| inside.get(..inside.len().checked_sub(fence + 1)?))?
}

fn word(text: &str) -> String {
    text.split(" (subagent ").next().unwrap_or(text).to_owned()
}
