//! The beginning of a command's file: what stands between two lines of dashes, and the
//! first line of what follows.
//!
//! The CLI reads YAML and forgives a lot; this reads the part of it that people write
//! there, and where the CLI would take a broken value as it stands, so does this.

/// The longest description that the CLI makes up of a text.
const FIRST_LINE: usize = 100;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Front {
    fields: Vec<(String, String)>,
    /// The first line with words in it, without marks of a heading.
    first_line: Option<String>,
}

impl Front {
    pub(super) fn read(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines: Vec<&str> = text.lines().collect();
        let end = lines.iter().skip(1).position(|it| it.trim_end() == "---").map(|it| it + 1);
        let (head, body) = match end {
            Some(end) if lines[0].trim_end() == "---" => (&lines[1..end], &lines[end + 1..]),
            _ => (&lines[..0], &lines[..]),
        };
        Self { fields: fields(head).unwrap_or_default(), first_line: first_line(body) }
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let field = self.fields.iter().find(|(key, _)| key == name);
        field.map(|(_, value)| value.as_str()).filter(|it| !it.is_empty())
    }

    /// What it says of itself, else how its text begins.
    pub(super) fn description(&self) -> Option<&str> {
        self.get("description").or(self.first_line.as_deref())
    }

    pub(super) fn arg_hint(&self) -> Option<String> {
        let hint = self.get("argument-hint")?;
        // One list in brackets is a list to YAML, and the CLI joins it.
        let inner = hint.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let list = inner.filter(|it| !it.contains(['[', ']']));
        Some(list.map_or(hint.to_owned(), |it| {
            it.split(',').map(str::trim).collect::<Vec<_>>().join(",")
        }))
    }

    /// A person can call it by its name.
    pub(super) fn is_for_people(&self) -> bool {
        let value = self.get("user-invocable").unwrap_or("true");
        !["false", "no", "off"].contains(&value.to_lowercase().as_str())
    }
}

/// `None` if the head is broken so that nothing of it counts.
fn fields(head: &[&str]) -> Option<Vec<(String, String)>> {
    let mut fields = Vec::new();
    let mut at = 0;
    while at < head.len() {
        let line = head[at];
        at += 1;
        let is_inner = line.starts_with([' ', '\t', '-', '#']);
        let Some((key, value)) = line.split_once(':').filter(|_| !is_inner) else { continue };
        let value = value.trim();
        let inner = head[at..].iter().take_while(|it| it.starts_with([' ', '\t']) || it.is_empty());
        let inner: Vec<&str> = inner.map(|it| it.trim()).collect();
        let value = match value.chars().next() {
            Some('>' | '|') => inner.join(" ").trim().to_owned(),
            Some(quote @ ('"' | '\'')) => {
                let rest = &value[1..];
                rest[..rest.rfind(quote)?].to_owned()
            }
            _ => value.to_owned(),
        };
        at += inner.len();
        fields.push((key.trim().to_owned(), value));
    }
    Some(fields)
}

fn first_line(body: &[&str]) -> Option<String> {
    let line = body.iter().map(|it| it.trim()).find(|it| !it.is_empty())?;
    let heading = line.trim_start_matches('#');
    let line = if heading.len() < line.len() { heading.trim() } else { line };
    if line.chars().count() <= FIRST_LINE {
        return Some(line.to_owned());
    }
    Some(line.chars().take(FIRST_LINE - 3).chain("...".chars()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> (Option<String>, Option<String>, bool) {
        let front = Front::read(text);
        (front.description().map(Into::into), front.arg_hint(), front.is_for_people())
    }

    #[test]
    fn what_a_file_says_of_itself_and_else_its_first_line() {
        let cases = [
            "---\ndescription: Plain\nargument-hint: [who]\n---\nbody",
            "---\r\ndescription: \"with: colon\"\r\nargument-hint: <x> [y]\r\n---\r\nbody",
            "---\ndescription: >\n  folded\n  lines\nargument-hint: [one] [two]\n---\nbody",
            "---\ndescription: [a: b\n---\nbody",
            "---\ndescription: colon: inside # no comment\n---\nbody",
            "---\ndescription: \"unterminated\nargument-hint: [x]\n---\nbody counts",
            "---\ndescription:\n---\n\n# A heading\n\ntext",
            "No head at all\nmore",
            "---\nnever: closed",
            "---\nuser-invocable: no\n---\nhidden",
            "",
        ];
        let said: Vec<String> = cases.iter().map(|it| format!("{:?}", said(it))).collect();
        insta::assert_snapshot!(said.join("\n"), @r#"
        (Some("Plain"), Some("who"), true)
        (Some("with: colon"), Some("<x> [y]"), true)
        (Some("folded lines"), Some("[one] [two]"), true)
        (Some("[a: b"), None, true)
        (Some("colon: inside # no comment"), None, true)
        (Some("body counts"), None, true)
        (Some("A heading"), None, true)
        (Some("No head at all"), None, true)
        (Some("---"), None, true)
        (Some("hidden"), None, false)
        (None, None, true)
        "#);
    }
}
