//! How a text has to be typed so that exactly this text is recorded.
//!
//! Every rule here was seen on the real CLI: it reads a leading `!` as a shell
//! command, `\` before Enter as a line break, and collapses a long paste into a
//! placeholder that the model is told not to obey.

use std::time::Duration;

use unicode_normalization::UnicodeNormalization;

use crate::seam::{Activity, Key, Recipe, ReplyPlan, SeamError, Step};

use super::commands::opens_screen;

/// A paste beyond either limit is collapsed and marked as foreign text.
const CHUNK_CHARS: usize = 700;
const CHUNK_BREAKS: usize = 2;

/// More than any person types, and what one terminal can take in a few seconds.
const LONGEST_REPLY: usize = 512 * 1024;

/// A CLI that is alive shows a pasted text in this time, even a long one.
const DRAFT_LIMIT: Duration = Duration::from_secs(10);

/// And puts a prompt back into its composer in this one.
const WITHDRAW_LIMIT: Duration = Duration::from_secs(2);

/// A draft of so many lines may not fit on a small screen.
const TALL: usize = 8;

/// A terminal holds 4,095 bytes that nobody has read.
const BURST: usize = 3_600;

/// The bytes of the marks around a paste.
const PASTE_MARKS: usize = 12;

/// From tmux to the terminal.
const ARRIVING: Duration = Duration::from_millis(15);

/// A CLI that reads nothing for so long stands still. One that lays out 200 KB on a busy
/// machine was seen to take 10 s for each paste.
const READ_LIMIT: Duration = Duration::from_secs(60);

/// And moves its cursor.
const FENCE_LIMIT: Duration = Duration::from_secs(10);

/// And clears it for a draft that is set aside in this one.
const SET_ASIDE_LIMIT: Duration = Duration::from_secs(2);

pub(super) fn reply(text: &str) -> Result<ReplyPlan, SeamError> {
    let text = clean(text);
    if text.is_empty() {
        return Err(SeamError::Empty);
    }
    if text.len() > LONGEST_REPLY {
        return Err(SeamError::TooLong(format!(
            "the message has {} KiB and the terminal takes {} KiB; put it in a file and name the file",
            text.len() / 1024,
            LONGEST_REPLY / 1024
        )));
    }
    let is_command = slash_command(&text).is_some();
    let typed = if text.starts_with('!') {
        // Without the space it would run as a shell command, unasked.
        format!(" {text}")
    } else if let Some(command) = slash_command(&text) {
        if opens_screen(command) {
            return Err(SeamError::Refused(format!(
                "/{command} opens a screen that only the terminal can answer; run it there"
            )));
        }
        // The space closes the completion menu, which would run its first match.
        if text.contains(' ') { text.clone() } else { format!("{text} ") }
    } else {
        text.clone()
    };
    let recorded_as = typed.trim_end().to_owned();
    let ends_in_mention =
        typed.split_whitespace().next_back().is_some_and(|it| it.starts_with('@'));
    let typed = if typed.ends_with('\\') || ends_in_mention { format!("{typed} ") } else { typed };

    let mut steps = pastes(&typed);
    if let [Step::Paste(first), _, ..] = &steps[..]
        && !first.trim().is_empty()
    {
        // The beginning of a long draft is soon out of sight.
        let first = Step::AwaitDraft { draft: first.clone(), limit: DRAFT_LIMIT };
        steps.insert(1, first);
    }
    steps.push(Step::Settle(settle_time(typed.len())));
    steps.push(Step::AwaitDraft { draft: typed.clone(), limit: DRAFT_LIMIT });
    steps.push(Step::Submit { key: Key::Enter, draft: typed });
    Ok(ReplyPlan { recipe: Recipe { name: "reply", steps }, recorded_as, is_command })
}

/// The text without what a terminal would act on or the CLI would drop.
pub(super) fn clean(text: &str) -> String {
    let unix = text.replace("\r\n", "\n").replace('\r', "\n").replace('\t', "    ");
    let kept: String = unix.chars().filter(|c| *c == '\n' || !is_hidden(*c)).nfc().collect();
    kept.trim_end().trim_start_matches('\n').to_owned()
}

/// Control characters, and invisible ones that make the CLI ask for a second
/// Enter. The joiners inside emoji and scripts stay.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The name of the command, unless the first word is a path.
fn slash_command(text: &str) -> Option<&str> {
    let word = text.strip_prefix('/')?.split(char::is_whitespace).next()?;
    (!word.is_empty() && !word.contains('/')).then_some(word)
}

/// The pastes, and waits between them: what a terminal can't hold at once is cut in two
/// anywhere, also in the mark of a paste. A busy CLI then takes the second part of the
/// mark for words, or never learns that the paste has ended.
fn pastes(text: &str) -> Vec<Step> {
    let (mut steps, mut unread) = (Vec::new(), 0);
    for chunk in chunks(text) {
        let bytes = chunk.len() + PASTE_MARKS;
        if unread + bytes > BURST && unread > 0 {
            steps.extend([Step::Settle(ARRIVING), Step::AwaitRead { limit: READ_LIMIT }]);
            unread = 0;
        }
        unread += bytes;
        steps.push(Step::Paste(chunk));
    }
    steps
}

/// The text in pastes of which none is long enough to be collapsed.
pub(super) fn chunks(text: &str) -> Vec<String> {
    let mut chunks = Vec::new();
    let (mut chunk, mut chars, mut breaks) = (String::new(), 0, 0);
    for c in text.chars() {
        let is_break = c == '\n';
        if chars == CHUNK_CHARS || (is_break && breaks == CHUNK_BREAKS) {
            chunks.push(std::mem::take(&mut chunk));
            (chars, breaks) = (0, 0);
        }
        chunk.push(c);
        chars += 1;
        breaks += usize::from(is_break);
    }
    if !chunk.is_empty() {
        chunks.push(chunk);
    }
    chunks
}

/// The CLI takes about 1 ms for 100 bytes; an Enter that comes earlier is lost.
fn settle_time(bytes: usize) -> Duration {
    Duration::from_millis((60 + bytes as u64 / 50).min(8_000))
}

/// Under load the CLI may act on Enter only seconds later, and a draft of a
/// person that was set aside is back then. The keys of the fence do nothing in
/// an empty composer (Left opens a list there) and answer no dialog.
pub(super) fn submit_again(draft: &str, pressed: usize) -> Recipe {
    let fence = Step::Fence {
        draft: draft.to_owned(),
        pressed,
        away: Key::ControlA,
        back: Key::ControlE,
        limit: FENCE_LIMIT,
    };
    let submit = Step::Submit { key: Key::Enter, draft: draft.to_owned() };
    Recipe { name: "submit again", steps: vec![fence, submit] }
}

/// The CLI keeps the draft and puts it back after the next message.
pub(super) fn set_aside() -> Recipe {
    let steps = vec![Step::Press(Key::ControlS), Step::AwaitEmpty { limit: SET_ASIDE_LIMIT }];
    Recipe { name: "set aside", steps }
}

pub(super) fn interrupt(activity: Activity) -> Result<Recipe, SeamError> {
    match activity {
        Activity::Busy => Ok(Recipe { name: "interrupt", steps: vec![Step::Press(Key::Escape)] }),
        // When idle, the same key pressed twice opens the rewind picker.
        Activity::Idle => Err(SeamError::Refused("nothing is running".into())),
        Activity::Starting => Err(SeamError::Refused("it is still starting".into())),
        Activity::Waiting => {
            Err(SeamError::Refused("a dialog is open; answer or decline it first".into()))
        }
    }
}

/// An interrupt before the first word puts the prompt back into the composer,
/// where the next reply would be appended to it.
pub(super) fn withdraw(text: &str) -> Recipe {
    let back = Step::AwaitDraft { draft: text.to_owned(), limit: WITHDRAW_LIMIT };
    let steps = std::iter::once(back).chain(clear(text).steps).collect();
    Recipe { name: "withdraw", steps }
}

pub(super) fn clear(draft: &str) -> Recipe {
    let lines = draft.lines().count().clamp(1, 200);
    // One press clears a line, the next joins it with the one above; and the same behind the
    // cursor, which the CLI may have left at the beginning.
    let presses = lines * 2 - 1;
    let keys = [Key::ControlU, Key::ControlK].into_iter().flat_map(|key| vec![key; presses]);
    // Of a composer taller than the screen, 2.1.198 leaves the screen without its upper half.
    let keys = keys.chain((lines > TALL).then_some(Key::ControlL));
    let steps =
        keys.flat_map(|key| [Step::Press(key), Step::Settle(Duration::from_millis(20))]).collect();
    Recipe { name: "clear", steps }
}

#[cfg(test)]
mod tests;
