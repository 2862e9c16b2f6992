//! Follows native transcripts: whole records out of files that grow, and the
//! news that they grew.
//!
//! Knows bytes and files, and no CLI: what a record means is for the seam.

mod find;
mod follow;
mod watch;

pub use find::find;
pub use follow::{Follower, Progress};
pub use watch::{Bell, Watcher};
