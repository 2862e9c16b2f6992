//! The pinned real CLI in real tmux, with the scripted model.

mod changes;
mod chaos;
mod chaos_dialogs;
mod conversation;
mod crash;
mod dialogs;
mod dice;
mod discuss;
mod epochs;
mod interrupt;
mod keys;
mod keys_odd;
mod left_behind;
mod queue;
mod receipts;
mod resume;
mod screens;
mod startup;
mod subagents;
mod text;
