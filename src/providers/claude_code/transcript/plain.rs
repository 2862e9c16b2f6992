//! Text without what only a terminal understands.
//!
//! Most of a long transcript is the output of tools, and all of it passes here.
//! So the common text is copied in long pieces, and only what is odd is looked at.

/// `text` without escape sequences, and with line feeds as the only line breaks.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let (clean, odd) = rest.split_at(clean_length(rest.as_bytes()));
        out.push_str(clean);
        let mut chars = odd.chars();
        let Some(next) = chars.next() else { return out };
        rest = chars.as_str();
        match next {
            '\u{1b}' => rest = behind_escape(rest),
            '\r' if !rest.starts_with('\n') => out.push('\n'),
            _ if next.is_control() => (),
            _ => out.push(next),
        }
    }
}

/// How many bytes can be copied as they are. It ends where a character begins.
fn clean_length(bytes: &[u8]) -> usize {
    const CHUNK: usize = 64;
    // 0xc2 begins the control characters above ASCII, and some others.
    let is_odd = |it: u8| (it < b' ' && it != b'\n' && it != b'\t') || it == 0x7f || it == 0xc2;
    // No branch inside a chunk: so many bytes are compared at once.
    let chunks = bytes.chunks_exact(CHUNK);
    let clean = chunks.take_while(|it| !it.iter().fold(false, |any, it| any | is_odd(*it)));
    let start = clean.count() * CHUNK;
    bytes[start..].iter().position(|it| is_odd(*it)).map_or(bytes.len(), |it| start + it)
}

/// What follows the sequence that an escape character before `text` begins.
fn behind_escape(text: &str) -> &str {
    let mut chars = text.chars();
    match chars.next() {
        // Parameters, then one final character.
        Some('[') => {
            let end = chars.as_str().trim_start_matches(|it| (' '..='?').contains(&it));
            end.strip_prefix(|it| ('@'..='~').contains(&it)).unwrap_or(end)
        }
        // A text up to a bell, or to an escape and a backslash.
        Some(']') => {
            let inside = |it| !matches!(it, '\u{7}' | '\u{1b}' | '\n');
            let end = chars.as_str().trim_start_matches(inside);
            end.strip_prefix("\u{1b}\\").or(end.strip_prefix('\u{1b}')).unwrap_or(end)
        }
        _ => chars.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, a character at a time.
    fn slowly(text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            rest = &rest[next.len_utf8()..];
            match next {
                '\u{1b}' => rest = behind_escape(rest),
                '\r' if !rest.starts_with('\n') => out.push('\n'),
                '\n' | '\t' => out.push(next),
                _ if next.is_control() => (),
                _ => out.push(next),
            }
        }
        out
    }

    #[test]
    fn links_and_colours_leave_their_text() {
        assert_eq!(
            plain(
                "\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{7} \u{1b}[1;31mred\u{1b}[0m\r\nend\u{1b}"
            ),
            "link red\nend"
        );
    }

    #[test]
    fn nothing_depends_on_where_a_chunk_ends() {
        let odd =
            ["\u{1b}[31m", "\u{1b}]0;t\u{7}", "\r", "\r\n", "\0", "\u{7f}", "\u{85}", "°", "é", ""];
        for before in 0..140 {
            for odd in odd {
                let text = format!("{}{odd}{}{odd}", "x\t".repeat(before), "y\n".repeat(before));
                assert_eq!(plain(&text), slowly(&text), "{text:?}");
            }
        }
    }
}
