//! The pinned real CLI in real tmux, with the scripted model.

mod changes;
mod chaos;
mod chaos_dialogs;
mod conversation;
mod crash;
mod desk;
mod dialogs;
mod dice;
mod discover;
mod epochs;
mod interrupt;
mod keys;
mod keys_odd;
mod queue;
mod receipts;
mod resume;
mod screens;
mod startup;
mod subagents;
mod text;
