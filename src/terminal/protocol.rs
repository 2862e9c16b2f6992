//! Reads the bytes that `tmux -C` writes. Pure: bytes in, messages out.
//!
//! The stream mixes answers (`%begin`, any lines, `%end` or `%error`) with
//! notifications (`%name rest`). Lines inside an answer are raw, so an agent can
//! print something that looks like protocol. Therefore an answer ends only at a
//! line that repeats all three numbers of its `%begin`, and nothing inside it
//! has a meaning. Lines are bytes, because nobody promises UTF-8.

/// One thing that tmux said.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Message {
    Block(Block),
    Notification { name: String, rest: String },
}

/// The answer to one executed command.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Block {
    /// False for blocks that answer no line of ours: the attach itself, and hooks.
    pub(super) ours: bool,
    pub(super) failed: bool,
    pub(super) body: Vec<u8>,
}

impl Block {
    /// The body without its last line feed, as text.
    pub(super) fn text(&self) -> String {
        let body = self.body.strip_suffix(b"\n").unwrap_or(&self.body);
        String::from_utf8_lossy(body).into_owned()
    }
}

/// Remembers what is half read.
#[derive(Debug, Default)]
pub(super) struct Parser {
    line: Vec<u8>,
    open: Option<(Vec<u8>, Block)>,
}

impl Parser {
    /// Takes the next bytes, cut anywhere.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Message> {
        let mut messages = Vec::new();
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.line.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            let line = std::mem::take(&mut self.line);
            messages.extend(self.take(line));
        }
        self.line.extend_from_slice(rest);
        messages
    }

    /// How much is kept of what is half read. The owner of the stream sets the limit.
    pub(super) fn held(&self) -> usize {
        self.line.len() + self.open.as_ref().map_or(0, |(_, block)| block.body.len())
    }

    fn take(&mut self, line: Vec<u8>) -> Option<Message> {
        if let Some((numbers, mut block)) = self.open.take() {
            let closes = |word: &[u8]| line.strip_prefix(word) == Some(&numbers[..]);
            if closes(b"%end ") || closes(b"%error ") {
                block.failed = closes(b"%error ");
                return Some(Message::Block(block));
            }
            block.body.extend_from_slice(&line);
            block.body.push(b'\n');
            self.open = Some((numbers, block));
            return None;
        }
        if let Some(numbers) = line.strip_prefix(b"%begin ") {
            let ours = numbers.rsplit(|byte| *byte == b' ').next() == Some(b"1");
            let block = Block { ours, ..Block::default() };
            self.open = Some((numbers.to_vec(), block));
            return None;
        }
        let text = String::from_utf8_lossy(line.strip_prefix(b"%")?).into_owned();
        let (name, rest) = text.split_once(' ').unwrap_or((&text, ""));
        Some(Message::Notification { name: name.into(), rest: rest.into() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &[u8]) -> Vec<Message> {
        Parser::default().feed(text)
    }

    fn block(body: &str) -> Message {
        Message::Block(Block { ours: true, failed: false, body: body.into() })
    }

    fn note(name: &str, rest: &str) -> Message {
        Message::Notification { name: name.into(), rest: rest.into() }
    }

    #[test]
    fn answers_and_notifications_are_told_apart() {
        let stream = b"%begin 5 1 0\n%end 5 1 0\n%session-changed $0 _ctl\n\
            %begin 5 2 1\ntwo\nlines\n%end 5 2 1\n%exit\n";
        let attach = Message::Block(Block::default());
        let expected =
            [attach, note("session-changed", "$0 _ctl"), block("two\nlines\n"), note("exit", "")];
        assert_eq!(read(stream), expected);
    }

    #[test]
    fn an_error_is_a_failed_answer() {
        let messages = read(b"%begin 5 2 1\ncan't find pane: %9\n%error 5 2 1\n");
        let [Message::Block(block)] = &messages[..] else { panic!("{messages:?}") };
        assert!(block.failed);
        assert_eq!(block.text(), "can't find pane: %9");
    }

    #[test]
    fn protocol_printed_by_an_agent_stays_text() {
        let body = "%end 1 2 3\n%begin 5 2 1\n%error 5 2\n%exit\n%end 5 2 10\n%window-close @1\n";
        let stream = format!("%begin 5 2 1\n{body}%end 5 2 1\n");
        assert_eq!(read(stream.as_bytes()), [block(body)]);
    }

    #[test]
    fn an_end_without_a_beginning_does_no_harm() {
        assert_eq!(
            read(b"%end 1 2 1\nnoise\n\n%begin 5 2 1\n%end 5 2 1\n"),
            [note("end", "1 2 1"), block("")]
        );
    }

    #[test]
    fn bytes_that_are_not_utf8_are_kept() {
        let messages = read(b"%begin 5 2 1\n\xff\xfe\n%end 5 2 1\n%output %1 \xff\n");
        assert!(matches!(&messages[0], Message::Block(block) if block.body == b"\xff\xfe\n"));
        assert_eq!(messages.len(), 2);
    }

    fn any_line() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            Just(b"%begin 5 2 1".to_vec()),
            Just(b"%end 5 2 1".to_vec()),
            Just(b"%error 5 2 1".to_vec()),
            Just(b"%end 1 2 3".to_vec()),
            prop::collection::vec(any::<u8>(), 0..20),
        ]
    }

    proptest! {
        #[test]
        fn how_the_stream_is_cut_changes_nothing(
            lines in prop::collection::vec(any_line(), 0..30),
            cuts in prop::collection::vec(1usize..9, 0..200),
        ) {
            let stream = lines.join(&b'\n');
            let mut parser = Parser::default();
            let mut rest = &stream[..];
            let mut messages = Vec::new();
            for cut in cuts {
                let (head, tail) = rest.split_at(cut.min(rest.len()));
                messages.extend(parser.feed(head));
                rest = tail;
            }
            messages.extend(parser.feed(rest));
            prop_assert_eq!(messages, read(&stream));
        }

        #[test]
        fn any_text_without_our_numbers_comes_back_whole(
            lines in prop::collection::vec("[ -~]{0,20}", 0..20),
        ) {
            let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let stream = format!("%begin 1234567 89 1\n{body}%end 1234567 89 1\n");
            prop_assert_eq!(read(stream.as_bytes()), [block(&body)]);
        }
    }
}
