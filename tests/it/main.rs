//! All integration tests in one binary.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod claude_transcript;
mod hook;
mod house;
mod http;
mod inspect;
mod live;
mod scripted_model;
mod state_property;
mod terminal;
mod transcript_cases;
