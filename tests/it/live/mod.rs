//! The pinned real CLI in real tmux, with the scripted model.

mod conversation;
mod crash;
mod epochs;
mod interrupt;
mod startup;
mod text;
