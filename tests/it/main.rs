//! All integration tests in one binary.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod api_docs;
mod auth;
mod chaos;
mod claude_transcript;
mod command_line;
mod commands;
mod hook;
mod house;
mod http;
mod inspect;
mod lazy;
mod live;
mod long;
mod long_line;
mod openapi;
mod resume;
mod scripted_model;
mod security;
mod stand_in;
mod state_property;
mod terminal;
mod tidy;
mod transcript_cases;
mod transcript_files;
mod workspaces;
