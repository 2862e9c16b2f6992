//! The steps of an answer by keys: one look, and one key if it may be pressed.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;
use tracing::debug;

use crate::runs::actor::Actor;
use crate::runs::error::RunError;
use crate::runs::typing::terminal_key;
use crate::schema::{Dialog, Receipt, Response};
use crate::seam::{DialogRecipe, DialogStep, Key, SeamError, Seen, Spot};

/// A dialog that is cut off for this long, while nothing moves, is higher than the
/// screen. A CLI that is just drawing must not be disturbed: one of them goes on
/// drawing at its old places, and then the screen says what is not so.
const ROOM_AFTER: Duration = Duration::from_millis(1_000);

/// No dialog is higher than this.
const ROOM: u16 = 300;

/// How long one step may take.
const STEP_LIMIT: Duration = Duration::from_secs(15);

/// And how long a dialog may stay unseen that has had room.
const UNSEEN_LIMIT: Duration = Duration::from_secs(5);

/// A key that shows no effect in this time was swallowed, if the CLI does that.
/// Anything else may still take it.
const SWALLOWED: Duration = Duration::from_millis(2_500);

/// After a second press nobody knows how many are still on their way, until
/// nothing has moved for this long.
const QUIET: Duration = Duration::from_millis(3_000);

/// What is shown has to stay so for this long before a key that counts: what is
/// drawn can be ahead of what the CLI acts on. Seen after words were pasted, when
/// Enter took the field for empty.
const STILL: Duration = Duration::from_millis(120);
const STILL_AFTER_WORDS: Duration = Duration::from_millis(400);

const UNSEEN: &str =
    "the terminal does not show this dialog with what was chosen; look at the terminal";
const UNREAD: &str = "the CLI does not read what is typed; nothing more was pressed";
const UNMOVED: &str = "the CLI does not react to keys; nothing more was pressed";
const CHANGED: &str = "something else came up in the terminal, so the key was not pressed";

/// An answer that is being typed.
pub(in crate::runs) struct Keyed {
    pub(in crate::runs) receipt: Receipt,
    pub(super) dialog: Dialog,
    pub(super) response: Response,
    pub(super) steps: VecDeque<DialogStep>,
    pub(in crate::runs) due: Instant,
    /// When the present step began.
    pub(super) since: Instant,
    /// What was shown when the last key was pressed, and when that was.
    pub(super) before: Option<(String, Instant)>,
    /// Keys may be on their way that nobody counts on.
    pub(super) in_doubt: bool,
    /// Keys may be swallowed, as long as none has had an effect.
    is_guarded: bool,
    /// What was shown at the last look, and since when.
    shown: (String, Instant),
    /// The same of the whole screen, while the dialog is cut off.
    screen: (String, Instant),
    pub(super) has_room: bool,
    /// Something was typed.
    pub(super) is_begun: bool,
    /// The last thing that was typed were words.
    has_words: bool,
}

impl Keyed {
    /// With `in_doubt`, a key of an earlier answer may be on its way.
    pub(super) fn new(
        receipt: Receipt,
        dialog: Dialog,
        response: Response,
        recipe: DialogRecipe,
        in_doubt: bool,
    ) -> Self {
        let at = Instant::now();
        Self {
            receipt,
            dialog,
            response,
            is_guarded: matches!(recipe.steps.first(), Some(DialogStep::Settle(_))),
            steps: recipe.steps.into(),
            due: at,
            since: at,
            before: None,
            in_doubt,
            shown: (String::new(), at),
            screen: (String::new(), at),
            has_room: false,
            is_begun: false,
            has_words: false,
        }
    }

    /// Nothing on the whole screen has moved for a while.
    fn is_still(&mut self, screen: &str) -> bool {
        if self.screen.0 != screen {
            self.screen = (screen.to_owned(), Instant::now());
        }
        self.screen.1.elapsed() >= ROOM_AFTER
    }

    fn pressed(&mut self) {
        self.is_begun = true;
        self.has_words = false;
        self.before = Some((self.shown.0.clone(), Instant::now()));
    }
}

pub(super) enum Step {
    Done,
    NotYet,
    /// The answer is handed over.
    Committed,
}

impl Actor {
    pub(super) async fn key_step(&mut self, keyed: &mut Keyed) -> Result<Step, RunError> {
        let Some(step) = keyed.steps.front().cloned() else { return Ok(Step::Committed) };
        if let DialogStep::Settle(time) = step {
            keyed.due = Instant::now() + time;
            return Ok(Step::Done);
        }
        let late = keyed.since.elapsed() >= STEP_LIMIT;
        // A key on top of one that is not read yet would be pressed blindly.
        if self.tools.terminal.unread_input(&self.pane).is_some_and(|it| it > 0) {
            return if late { refuse(UNREAD) } else { Ok(Step::NotYet) };
        }
        let screen = self.tools.terminal.capture(&self.pane).await?;
        let keys = self.provider.dialog_keys();
        let shown = keys.map(|it| it.shown(&screen, &keyed.dialog)).unwrap_or_default();
        if keyed.shown.0 != shown {
            keyed.shown = (shown, Instant::now());
        }
        let still = if keyed.has_words { STILL_AFTER_WORDS } else { STILL };
        let counts = !matches!(step, DialogStep::Reach(_));
        if counts && !late && keyed.shown.1.elapsed() < still {
            return Ok(Step::NotYet);
        }
        match step {
            DialogStep::Reach(spot) => self.reach(keyed, &spot, &screen, late).await,
            DialogStep::Press { key, on } => {
                self.key_press(keyed, key, &on, &screen).await?;
                Ok(Step::Done)
            }
            DialogStep::Commit { key, on } => {
                self.key_press(keyed, key, &on, &screen).await?;
                Ok(Step::Committed)
            }
            DialogStep::Paste { texts, on } => {
                self.still_on(keyed, &on, &screen)?;
                for text in &texts {
                    self.tools.terminal.paste(&self.pane, text).await?;
                }
                keyed.pressed();
                keyed.has_words = true;
                Ok(Step::Done)
            }
            DialogStep::Settle(_) => Ok(Step::Done),
        }
    }

    /// One look, and one key if it leads nearer. A key on top of one that has
    /// had no effect yet could go one row too far, just when Enter follows.
    async fn reach(
        &mut self,
        keyed: &mut Keyed,
        spot: &Spot,
        screen: &str,
        late: bool,
    ) -> Result<Step, RunError> {
        let seen = self.seen(keyed, spot, screen);
        if seen == Seen::Cut && !keyed.has_room && keyed.is_still(screen) {
            self.tools.terminal.give_room(&self.pane, ROOM).await?;
            keyed.has_room = true;
            keyed.since = Instant::now();
            // Drawn anew, all of it, before anything is believed.
            keyed.in_doubt = true;
            return Ok(Step::NotYet);
        }
        let mut again = false;
        if let Some((before, at)) = &keyed.before {
            if !keyed.shown.0.is_empty() && *before != keyed.shown.0 {
                keyed.before = None;
                keyed.is_guarded = false;
            } else if late {
                return refuse(UNMOVED);
            } else if at.elapsed() < SWALLOWED || !keyed.is_guarded {
                return Ok(Step::NotYet);
            } else {
                again = true;
            }
        }
        if keyed.in_doubt && !again && keyed.shown.1.elapsed() < QUIET {
            return if late { refuse(UNSEEN) } else { Ok(Step::NotYet) };
        }
        keyed.in_doubt = again;
        match seen {
            Seen::Yes => {
                keyed.before = None;
                return Ok(Step::Done);
            }
            _ if late => return refuse(UNSEEN),
            Seen::Nearer(key) => {
                debug!(?key, ?spot, "A key toward the answer");
                self.tools.terminal.press(&self.pane, terminal_key(key)).await?;
                keyed.pressed();
            }
            Seen::Cut if keyed.has_room && keyed.since.elapsed() >= UNSEEN_LIMIT => {
                return refuse(UNSEEN);
            }
            Seen::Cut | Seen::No => {}
        }
        Ok(Step::NotYet)
    }

    async fn key_press(
        &self,
        keyed: &mut Keyed,
        key: Key,
        on: &Spot,
        screen: &str,
    ) -> Result<(), RunError> {
        self.still_on(keyed, on, screen)?;
        debug!(?key, ?on, "A key that counts");
        self.tools.terminal.press(&self.pane, terminal_key(key)).await?;
        keyed.pressed();
        Ok(())
    }

    fn still_on(&self, keyed: &Keyed, on: &Spot, screen: &str) -> Result<(), RunError> {
        if self.seen(keyed, on, screen) == Seen::Yes { Ok(()) } else { refuse(CHANGED) }
    }

    fn seen(&self, keyed: &Keyed, spot: &Spot, screen: &str) -> Seen {
        let keys = self.provider.dialog_keys();
        keys.map_or(Seen::No, |it| it.sees(screen, &keyed.dialog, spot))
    }
}

fn refuse<T>(why: &str) -> Result<T, RunError> {
    Err(SeamError::Refused(why.to_owned()).into())
}
