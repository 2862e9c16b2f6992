//! Follows native transcripts: whole records out of files that grow, and the
//! news that they grew; and old records out of the middle of such a file.
//!
//! Knows bytes and files, and no CLI: what a record means is for the seam.

mod backward;
mod find;
mod follow;
mod index;
mod watch;

pub use backward::{last_line_end, line_start, read_line};
pub use find::{find, find_where, places};
pub use follow::{Follower, Progress};
pub use index::Index;
pub use watch::{Bell, Watcher};
