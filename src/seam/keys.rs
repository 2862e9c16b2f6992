//! Answering a dialog with keys, as plain data: the door's stand-in.

use std::time::Duration;

use crate::schema::{Dialog, Response, ToolCall};

use super::error::SeamError;
use super::prepare::StartupCheck;
use super::recipe::Key;

/// Answers dialogs with keys, for when the live door is shut.
///
/// # Contract
///
/// - **Nothing is pressed blindly.** Each key of a recipe names what the screen
///   must show for it, and [`DialogKeys::sees`] compares. The screen says whether
///   a key may be pressed, and nothing else: which dialog there is, and what
///   became of it, comes from the CLI's records.
/// - **One key commits.** All keys before it can be taken back, by a person or
///   by the next attempt; it stands last and is pressed once.
/// - **The whole answer is checked first.** What the terminal cannot take is
///   refused before the first key, and never altered in silence.
pub trait DialogKeys: Send + Sync {
    /// The dialog with what keys can answer: its questions with their options,
    /// and whether they can at all.
    fn by_keys(&self, dialog: Dialog) -> Dialog;

    /// The dialog that this call opens while it waits for a permission, if it can.
    fn permission(&self, call: &ToolCall) -> Option<Dialog>;

    /// What the CLI asks before it starts, by what is known of a start at which
    /// its door stayed silent. It is recorded nowhere.
    fn startup(&self, check: &StartupCheck) -> Option<Dialog>;

    /// The keys that say this. Of words to talk about it, they say only that somebody
    /// wants to: the words themselves are sent behind it as a reply.
    fn recipe(
        &self,
        dialog: &Dialog,
        response: &Response,
        version: Option<&str>,
    ) -> Result<DialogRecipe, SeamError>;

    /// Whether the screen shows this dialog at this spot.
    fn sees(&self, screen: &str, dialog: &Dialog, spot: &Spot) -> Seen;

    /// Of what the screen shows, what a key in this dialog changes first, and
    /// nothing else that moves there: not the hints about a row, which may come
    /// later. Empty if the dialog is not there, or is just being drawn.
    fn shown(&self, screen: &str, dialog: &Dialog) -> String;
}

/// How to answer one dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogRecipe {
    /// For logs and receipts.
    pub name: &'static str,
    /// The versions on which the recipe was carried out by a test.
    pub verified_on: &'static [&'static str],
    pub steps: Vec<DialogStep>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogStep {
    /// Time in which the CLI swallows keys.
    Settle(Duration),
    /// Goes there with the keys that [`Seen::Nearer`] names.
    Reach(Spot),
    /// One key, only while the screen shows this spot.
    Press { key: Key, on: Spot },
    /// Bracketed pastes, back to back, only while the screen shows this spot.
    Paste { texts: Vec<String>, on: Spot },
    /// The key that hands the answer over. Never pressed twice.
    Commit { key: Key, on: Spot },
}

/// A place in a dialog. Numbers are places in the lists of the [`Dialog`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// The cursor stands on this option.
    Option { question: usize, option: usize },
    /// This option of several is marked, or is not.
    Marked { question: usize, option: usize, marked: bool },
    /// The cursor stands in the empty field for a person's own words. Some
    /// dialogs have one beside an option.
    Field { question: usize, beside: Option<usize> },
    /// It stands there, and the field holds these words.
    Words { question: usize, beside: Option<usize>, words: String },
    /// The cursor stands where a question with several answers is left.
    Onward { question: usize },
    /// The cursor stands where a person says that they want to talk about it first.
    Discuss,
    /// All is answered, with these words, and waits to be sent.
    Review { answers: Vec<String> },
}

/// What a screen shows of a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Not this dialog, or something that is still being drawn.
    No,
    /// A dialog, but not all of it, or not this one: with more room it may be.
    Cut,
    /// This dialog; the key leads nearer and answers nothing.
    Nearer(Key),
    Yes,
}
