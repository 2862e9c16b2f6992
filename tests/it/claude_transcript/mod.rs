//! The transcript mapper of Claude Code, against recordings and against cases.

mod cases;
mod damage;
mod rewind;
mod stories;
mod tools;

use seamux::providers::claude_code::transcript::ClaudeMapper;
use seamux::seam::{Mapped, Record, RecordMapper};

/// Maps every line, at its line number.
fn map_lines<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Vec<Mapped> {
    let mut mapper = ClaudeMapper::default();
    (1..).zip(lines).map(|(at, bytes)| mapper.map(Record { at, bytes })).collect()
}

/// All that a transcript says, as one.
fn map_text(text: &str) -> Mapped {
    let mut all = Mapped::default();
    for mapped in map_lines(text.lines().map(str::as_bytes)) {
        all.messages.extend(mapped.messages);
        all.facts.extend(mapped.facts);
    }
    all
}
