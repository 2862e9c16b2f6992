//! The pinned real CLI in real tmux, with the scripted model.

mod cases;
mod changes;
mod chaos;
mod chaos_dialogs;
mod commands;
mod conversation;
mod crash;
mod desk;
mod dialogs;
mod dice;
mod discover;
mod discuss;
mod epochs;
mod homes;
mod interrupt;
mod keys;
mod keys_odd;
mod left_behind;
mod limits;
mod longer;
mod lost;
mod queue;
mod receipts;
mod resume;
mod screens;
mod seeding;
mod startup;
mod subagents;
mod text;
mod worktrees;

pub(crate) use dice::{Dice, setting};
pub(crate) use worktrees::trust;
