//! Keys and texts for a terminal, as plain data.

use std::time::Duration;

/// What to do at the terminal, step by step. One key is one step: two keys in
/// one go arrive as a burst, and CLIs drop from bursts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// For logs and receipts.
    pub name: &'static str,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// One bracketed paste.
    Paste(String),
    Press(Key),
    /// Waits until the CLI has read all that was typed before.
    AwaitRead {
        limit: Duration,
    },
    /// Waits until this draft is seen in the composer. If it is not in this
    /// time, the rest of the recipe is not carried out.
    AwaitDraft {
        draft: String,
        limit: Duration,
    },
    /// Waits until the composer is empty; like [`Step::AwaitDraft`].
    AwaitEmpty {
        limit: Duration,
    },
    /// Sees that the CLI has acted on all keys before and this very draft still
    /// stands: all of them became line breaks behind it, or the cursor moves
    /// away and back.
    Fence {
        draft: String,
        /// How often the key that submits was pressed.
        pressed: usize,
        away: Key,
        back: Key,
        limit: Duration,
    },
    /// The key that hands the draft over. Never pressed on any other screen.
    Submit {
        key: Key,
        draft: String,
    },
    /// Time for the CLI to take in what came before.
    Settle(Duration),
}

/// The keys that a recipe may press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Enter,
    Escape,
    Tab,
    BackTab,
    Up,
    Down,
    Left,
    Right,
    Space,
    /// Clears the line before the cursor.
    ControlU,
    /// And behind it.
    ControlK,
    /// Draws the screen anew.
    ControlL,
    ControlS,
    /// To the beginning of the line.
    ControlA,
    /// And to its end.
    ControlE,
    Char(char),
}

/// How to hand a text to the CLI, and how to know it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyPlan {
    pub recipe: Recipe,
    /// The text as the CLI will record it.
    pub recorded_as: String,
    /// It is a command of the CLI and no message: typed only while the agent is
    /// at rest, and what stands behind it waits for it.
    pub is_command: bool,
}

/// Where the cursor stands in the composer: lines from its lower end, columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caret {
    pub line: usize,
    pub column: usize,
    /// Line breaks between the end of the draft and the cursor.
    pub breaks: usize,
}

/// What stands in the composer that a screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composer {
    Empty,
    /// Something that a person typed, or that was put back there.
    Draft {
        can_be_set_aside: bool,
    },
}
