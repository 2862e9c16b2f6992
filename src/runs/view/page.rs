//! Pages of a view, and what of a page has to come from the record.

use std::ops::Bound::{Excluded, Included, Unbounded};

use crate::schema::{Message, Position};

use super::View;
use super::left::{Branch, mark};

/// One page of messages, oldest first.
#[derive(Debug, Default, PartialEq)]
pub struct Page {
    pub messages: Vec<Message>,
    /// There are more on the side that the page was cut on.
    pub has_more: bool,
}

/// Which page to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    Newest,
    Before(Position),
    After(Position),
}

/// The part of a page that the view does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Older {
    /// Messages before `end`: one more than `want`, to know whether there are more.
    Before { end: Position, want: usize },
    /// Messages after `start` and before `end`, the oldest first.
    After { start: Position, end: Position, want: usize },
}

/// A page as far as the view holds it.
#[derive(Debug, Default)]
pub struct Partial {
    pub page: Page,
    pub older: Option<Older>,
    /// Old messages that the view holds all the same, in their newest form.
    pub overlay: Vec<Message>,
    /// Branches whose messages are marked.
    pub(super) left: Vec<Branch>,
}

impl View {
    pub fn page(&self, window: Window, limit: usize) -> Partial {
        let mut partial = match window {
            Window::Newest => self.page_before(None, limit),
            Window::Before(at) => self.page_before(Some(at), limit),
            Window::After(at) => self.page_after(at, limit),
        };
        if partial.older.is_some()
            && let Some(gone) = self.gone
        {
            partial.left.clone_from(&self.left);
            partial.overlay =
                self.messages.range(..=gone).map(|(_, it)| it.message.clone()).collect();
        }
        partial
    }

    fn page_before(&self, at: Option<Position>, limit: usize) -> Partial {
        let complete = self.complete_from();
        let end = at.unwrap_or(END);
        let range = complete.min(end)..end;
        let mut messages: Vec<Message> = self
            .messages
            .range(range)
            .rev()
            .take(limit + 1)
            .map(|(_, it)| it.message.clone())
            .collect();
        let has_more = messages.len() > limit;
        messages.truncate(limit);
        messages.reverse();
        let older = (!has_more && self.gone.is_some())
            .then(|| Older::Before { end: complete.min(end), want: limit - messages.len() });
        Partial { page: Page { messages, has_more }, older, ..Partial::default() }
    }

    fn page_after(&self, at: Position, limit: usize) -> Partial {
        let complete = self.complete_from();
        let is_old = next(at) < complete;
        let start = if is_old { Included(complete) } else { Excluded(at) };
        let mut messages: Vec<Message> = self
            .messages
            .range((start, Unbounded))
            .take(limit + 1)
            .map(|(_, it)| it.message.clone())
            .collect();
        let has_more = messages.len() > limit;
        if !is_old {
            messages.truncate(limit);
        }
        let older = is_old.then_some(Older::After { start: at, end: complete, want: limit });
        Partial { page: Page { messages, has_more }, older, ..Partial::default() }
    }

    /// From here on, every message is in the view.
    fn complete_from(&self) -> Position {
        self.gone.map_or(Position::default(), next)
    }
}

/// Behind every message.
const END: Position = Position { record: u64::MAX, block: u32::MAX };

/// The first position behind this one.
fn next(at: Position) -> Position {
    match at.block.checked_add(1) {
        Some(block) => Position { block, ..at },
        None => Position { record: at.record.saturating_add(1), block: 0 },
    }
}

impl Partial {
    /// The page with its old part, which `read` gets from the record: at most
    /// `want` and one more, in the order of their positions.
    pub fn complete<E>(
        self,
        limit: usize,
        read: impl FnOnce(Older) -> Result<Vec<Message>, E>,
    ) -> Result<Page, E> {
        let Self { mut page, older, overlay, left } = self;
        let Some(older) = older else {
            return Ok(page);
        };
        let mut old = read(older)?;
        mark(&mut old, &left);
        for message in overlay {
            if let Ok(at) = old.binary_search_by_key(&message.position, |it| it.position) {
                old[at] = message;
            }
        }
        match older {
            Older::Before { want, .. } => {
                page.has_more = old.len() > want;
                let surplus = old.len().saturating_sub(want);
                page.messages.splice(..0, old.drain(surplus..));
            }
            Older::After { .. } => {
                old.append(&mut page.messages);
                page.has_more = old.len() > limit;
                old.truncate(limit);
                page.messages = old;
            }
        }
        Ok(page)
    }
}
