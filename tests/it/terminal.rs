//! The terminal layer against a real tmux, each test on a server of its own.

mod dying;
mod losing;
mod pasting;
mod rig;
mod spawning;
mod traps;
