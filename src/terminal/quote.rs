//! Turns commands into one line that tmux reads back exactly.
//!
//! A line in the control stream is parsed like a configuration file, where `$`,
//! `~`, `;`, `#`, `{` and `%if` mean something. Inside double quotes with every
//! unusual byte as `\ooo` nothing means anything, and any byte but NUL survives.
//! The argv form of tmux has no such quoting: there a trailing `;` is eaten.

use tmux_interface::TmuxCommand;

/// One line of commands for the control stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line(Vec<u8>);

impl Line {
    pub(super) fn new(command: &TmuxCommand<'_>) -> Self {
        Self::default().then(command)
    }

    /// Appends a command that runs only if those before it succeeded.
    pub(super) fn then(self, command: &TmuxCommand<'_>) -> Self {
        self.then_with(command, &[])
    }

    /// Like `then`, with further arguments that need not be UTF-8.
    pub(super) fn then_with(mut self, command: &TmuxCommand<'_>, more: &[&[u8]]) -> Self {
        if !self.0.is_empty() {
            self.0.extend_from_slice(b" ; ");
        }
        let words = command.to_vec();
        let words = words.iter().map(|word| word.as_bytes());
        for (index, word) in words.chain(more.iter().copied()).enumerate() {
            if index > 0 {
                self.0.push(b' ');
            }
            quote(word, &mut self.0);
        }
        self
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The line as text, to become an argument of `if-shell`. Quoting makes it ASCII.
    pub(super) fn into_text(self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

fn quote(word: &[u8], out: &mut Vec<u8>) {
    let bare = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    if !word.is_empty() && word.iter().all(bare) {
        out.extend_from_slice(word);
        return;
    }
    out.push(b'"');
    for byte in word {
        match byte {
            // Never special inside double quotes, and common enough to be worth the space.
            b' ' | b',' | b'.' | b'/' | b':' | b'=' | b'@' | b'_' => out.push(*byte),
            byte if bare(byte) => out.push(*byte),
            byte => {
                let digit = |shift: u8| b'0' + ((byte >> shift) & 7);
                out.extend_from_slice(&[b'\\', digit(6), digit(3), digit(0)]);
            }
        }
    }
    out.push(b'"');
}

/// Protects text from being expanded where tmux expects a format.
///
/// `##` stands for `#`, except in front of `[`, where tmux takes any number of
/// `#` as they are because they begin a style.
pub(super) fn escape_format(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((byte, tail)) = rest.split_first() {
        if *byte != b'#' {
            out.push(*byte);
            rest = tail;
            continue;
        }
        let run = rest.iter().take_while(|byte| **byte == b'#').count();
        let times = if rest.get(run) == Some(&b'[') { run } else { run * 2 };
        out.resize(out.len() + times, b'#');
        rest = &rest[run..];
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn quoted(word: &[u8]) -> String {
        let mut out = Vec::new();
        quote(word, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn plain_words_stay_bare_and_all_else_is_octal() {
        assert_eq!(quoted(b"new-session"), "new-session");
        assert_eq!(quoted(b""), r#""""#);
        assert_eq!(quoted(b"end;"), r#""end\073""#);
        assert_eq!(quoted(b"~/$HOME"), r#""\176/\044HOME""#);
        assert_eq!(quoted("a\n\u{e9}\"".as_bytes()), r#""a\012\303\251\042""#);
        assert_eq!(quoted(b"%if"), r#""\045if""#);
    }

    #[test]
    fn commands_are_joined_by_a_semicolon_outside_quotes() {
        let mut first = TmuxCommand::new();
        first.name("kill-session").push_option("-t", "$3");
        let mut second = TmuxCommand::new();
        second.name("list-panes");
        let line = Line::new(&first).then_with(&second, &[b"\xff"]);
        assert_eq!(line.into_text(), r#"kill-session -t "\0443" ; list-panes "\377""#);
    }

    #[test]
    fn a_format_is_disarmed() {
        assert_eq!(escape_format(b"a#{pid}b"), b"a##{pid}b");
        assert_eq!(escape_format(b"d##e#"), b"d####e##");
        assert_eq!(escape_format(b"c#[x]"), b"c#[x]");
    }

    fn unquote(text: &str) -> Vec<u8> {
        let Some(inner) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else {
            return text.as_bytes().to_vec();
        };
        let mut bytes = inner.bytes();
        let mut out = Vec::new();
        while let Some(byte) = bytes.next() {
            out.push(if byte == b'\\' {
                (0..3).fold(0, |sum, _| (sum << 3) | (bytes.next().unwrap() - b'0'))
            } else {
                byte
            });
        }
        out
    }

    proptest! {
        #[test]
        fn every_word_comes_back_and_no_line_breaks(word in prop::collection::vec(1u8.., 0..80)) {
            let text = quoted(&word);
            prop_assert!(!text.contains('\n') && text.is_ascii());
            prop_assert_eq!(unquote(&text), word);
        }
    }
}
