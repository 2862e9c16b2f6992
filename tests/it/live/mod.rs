//! The pinned real CLI in real tmux, with the scripted model.

mod conversation;
mod crash;
mod dialogs;
mod epochs;
mod interrupt;
mod keys;
mod startup;
mod text;
