//! What a machine does to a program that runs for months: it is killed, the disk is
//! full, folders go away and come back, and the clock jumps.
//!
//! What is left to chance prints its seed; `SEAMUX_CHAOS_SEED` plays it again.

mod clock;
mod disk;
mod folders;
mod kills;
mod operating;
mod tmux_gone;
mod two_servers;
