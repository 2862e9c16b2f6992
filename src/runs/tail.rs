//! The text that the model is writing, ahead of the transcript.
//!
//! Pieces come from the live door and name nothing that the transcript knows,
//! so the two are joined by their text: what the records of this turn hold is
//! taken off the front of what was streamed, and the rest is the tail. White
//! space does not count, since records end where blocks end.

use crate::schema::StreamingTail;

#[derive(Default)]
pub(super) struct Tail {
    streamed: String,
    recorded: String,
}

impl Tail {
    pub(super) fn piece(&mut self, text: &str) {
        self.streamed.push_str(text);
    }

    /// The transcript holds this answer now.
    pub(super) fn recorded(&mut self, text: &str) {
        self.recorded.push_str(text);
        match self.join() {
            // A record may come before its last pieces: what it is ahead by is
            // kept, so that they are not shown again.
            Join::Equal | Join::Apart => self.clear(),
            Join::Ahead(at) => {
                self.recorded.drain(..at);
                self.streamed.clear();
            }
            Join::Behind(at) => {
                self.streamed.drain(..at);
                self.recorded.clear();
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.streamed.clear();
        self.recorded.clear();
    }

    pub(super) fn now(&self) -> Option<StreamingTail> {
        let text = match self.join() {
            Join::Behind(at) => &self.streamed[at..],
            Join::Equal | Join::Ahead(_) => "",
            // The pieces and the record tell different stories: the record is right.
            Join::Apart => &self.streamed,
        };
        let shown = !text.trim().is_empty();
        shown.then(|| StreamingTail { text: text.trim_start_matches('\n').to_owned() })
    }

    /// Looks no further than the shorter one reaches: a conversation that is
    /// read from its start streams nothing, and has no end of records.
    fn join(&self) -> Join {
        let mut streamed = self.streamed.char_indices().filter(|(_, c)| !c.is_whitespace());
        let mut recorded = self.recorded.char_indices().filter(|(_, c)| !c.is_whitespace());
        let mut end = 0;
        loop {
            match (recorded.next(), streamed.next()) {
                (Some((_, known)), Some((at, new))) if known == new => end = at + new.len_utf8(),
                (Some(_), Some(_)) => return Join::Apart,
                (Some((at, _)), None) => return Join::Ahead(at),
                (None, Some(_)) => return Join::Behind(end),
                (None, None) => return Join::Equal,
            }
        }
    }
}

/// How the records of this turn stand to what was streamed.
enum Join {
    Equal,
    /// The records go on from this byte.
    Ahead(usize),
    /// The streamed text goes on from this byte.
    Behind(usize),
    Apart,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(tail: &Tail) -> Option<String> {
        tail.now().map(|it| it.text)
    }

    #[test]
    fn pieces_grow_until_the_record_replaces_them() {
        let mut tail = Tail::default();
        tail.piece("One line.\n");
        tail.piece("Two lines.");
        assert_eq!(shown(&tail).as_deref(), Some("One line.\nTwo lines."));
        tail.recorded("One line.\nTwo lines.");
        assert_eq!(shown(&tail), None);
    }

    #[test]
    fn a_piece_that_comes_after_its_record_is_not_shown_again() {
        let mut tail = Tail::default();
        tail.piece("One line.\n");
        tail.recorded("One line.\nThe end.");
        tail.piece("The end.");
        assert_eq!(shown(&tail), None);
    }

    #[test]
    fn records_that_ran_ahead_meet_their_pieces_one_by_one() {
        let mut tail = Tail::default();
        for record in ["Block one.", "Block two.", "Block three."] {
            tail.recorded(record);
        }
        tail.piece("Block one.\nBlock ");
        assert_eq!(shown(&tail), None);
        tail.recorded("Block four.");
        tail.piece("two. Block three.\nBlock four.");
        assert_eq!(shown(&tail), None);
        tail.piece("\nBlock five.");
        assert_eq!(shown(&tail).as_deref(), Some("Block five."));
    }

    #[test]
    fn the_next_block_of_the_same_answer_is_still_streamed() {
        let mut tail = Tail::default();
        tail.piece("Block one.\n");
        tail.piece("Block");
        tail.recorded("Block one.");
        assert_eq!(shown(&tail).as_deref(), Some("Block"));
        tail.piece(" two.");
        tail.recorded("Block two.");
        assert_eq!(shown(&tail), None);
    }

    #[test]
    fn a_record_that_tells_another_story_wins_and_the_next_piece_starts_anew() {
        let mut tail = Tail::default();
        tail.piece("Half of a line that was cut");
        tail.recorded("Another answer.");
        assert_eq!(shown(&tail), None);
        tail.piece("New");
        assert_eq!(shown(&tail).as_deref(), Some("New"));
    }

    #[test]
    fn the_same_words_in_the_next_turn_are_shown() {
        let mut tail = Tail::default();
        tail.piece("Done.");
        tail.recorded("Done.");
        tail.piece("Done.");
        assert_eq!(shown(&tail).as_deref(), Some("Done."));
    }
}
