//! The pinned real CLI in real tmux, with the scripted model.

mod clear;
mod conversation;
mod crash;
mod interrupt;
mod startup;
mod text;
