//! Runs real agent CLIs in tmux and gives all of them one chat.
//!
//! Read in this order: `schema` (the words), `seam` (what a CLI must tell us),
//! `providers` (how each CLI tells it), `runs` (the one place where things
//! happen), `http` (how others watch and steer).

pub mod providers;
pub mod schema;
pub mod scripted_model;
pub mod seam;
pub mod terminal;
