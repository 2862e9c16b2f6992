//! The model that plays scenarios: a loopback server that speaks the model APIs that agent CLIs speak.
//!
//! With it the real CLI binary runs with no account, in tests, in CI and in `seamux demo`. Read in
//! this order: [`scenario`] (the file format), `situation` (what a rule can look at), `play` (which
//! rule answers, and with what), `anthropic` (one model API: requests in, messages and frames out),
//! `server` (sockets, counters, pacing).
//!
//! # What is deliberately absent
//!
//! - `scenario`, `situation`, `play` and `anthropic` do no I/O and take no time. Another model API
//!   is another sibling of `anthropic` over the same [`Scenario`].
//! - Nothing listens beyond loopback: the server believes every credential, so it must not be reachable.
//! - Nothing here knows about runs, providers or the page.

mod anthropic;
mod paced;
mod play;
pub mod scenario;
mod server;
mod situation;

use std::net::SocketAddr;

pub use scenario::Scenario;
pub use server::{ScriptedModel, SeenRequest, serve};

/// Why a scripted model could not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    #[error(
        "{0} is not a loopback address; the scripted model takes any credential, so it only listens on 127.0.0.1 or ::1"
    )]
    NotLoopback(SocketAddr),
    #[error("could not listen on {addr}")]
    Listen { addr: SocketAddr, source: std::io::Error },
    #[error("{name}:{line}: {detail}")]
    Scenario { name: String, line: usize, detail: String },
}
