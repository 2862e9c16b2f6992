//! Where a run works: git worktrees of our own, and what is seeded into a folder.
//!
//! git says what is so, each time anew; nothing here remembers it. Everything that
//! removes something looks first, and what can't be proven to be saved elsewhere
//! stays ([`Parked`]). What is remembered (which worktree belongs to which run) is
//! for the caller to write down before [`create`] is called.

mod branch;
mod create;
mod error;
mod git;
mod recover;
mod remove;
pub mod seeding;
mod unsaved;

pub use branch::current_branch;
pub use create::{Plan, Wanted, Worktree, create, plan};
pub use error::WorkspaceError;
pub use git::Git;
pub use recover::{Found, recover};
pub use remove::{Parked, Removal, remove};

/// Parts of file names: what is no plain letter becomes a dash.
fn slug(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._".contains(c) { c } else { '-' };
    let slug: String = text.chars().map(plain).take(60).collect();
    // A name that begins with a dot would be hidden, and `..` would lead out.
    let slug = slug.trim_matches(['-', '.']).to_owned();
    if slug.is_empty() { "x".into() } else { slug }
}

/// The first letters of a hash, to tell equal names apart.
fn short_hash(text: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    let hash = Sha256::digest(text);
    hash.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}
