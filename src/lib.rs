//! Runs real agent CLIs in tmux and gives all of them one chat.
//!
//! Read in this order: [`schema`] (the words), [`seam`] (what a CLI must tell
//! us), [`transcript`] and [`signals`] (what it tells), [`runs`] (the one place
//! where things happen), [`http`] (how others watch and steer).
//!
//! # What is deliberately absent
//!
//! - Only `terminal` knows that tmux exists. A pane id never leaves it.
//! - Only `cli` names concrete providers. Nothing between `seam` and the page
//!   knows a CLI by name.
//! - No message is stored: the CLI's own record is the only record.

pub mod cli;
pub mod http;
pub mod providers;
pub mod runs;
pub mod schema;
pub mod scripted_model;
pub mod seam;
pub mod signals;
pub mod store;
pub mod terminal;
pub mod transcript;
pub mod workspace;
