//! Which runs exist, and everything that happens to them.
//!
//! The [`Supervisor`] knows the runs and starts and adopts them; one actor task
//! owns each; the [`Hub`] holds what everybody may read. State is folded from
//! facts in `state`; the newest messages are kept in `view` and all others are read
//! from the CLI's record by `source`; texts wait in `queue` and go out through `outbox`.

mod actor;
mod adopt;
mod agents;
mod answering;
mod archive;
mod auth;
mod background;
mod blocked;
mod commands;
mod credential;
mod discover;
mod ending;
mod epochs;
mod error;
mod forgetting;
mod holding;
mod home;
mod hub;
mod input;
mod inspect;
mod interrupting;
mod keyed;
mod locate;
mod lost;
mod metrics;
mod naming;
mod opening;
mod outbox;
mod pairing;
mod place;
mod probe;
mod publish;
mod queue;
mod reading;
mod registry;
mod rescan;
mod resume;
mod route;
mod sending;
mod source;
mod spawn;
mod start;
mod startup;
mod state;
mod subagents;
mod supervisor;
mod tail;
mod takeover;
mod tokens;
mod typing;
mod view;
mod wall;
mod workspaces;

pub use error::RunError;
pub use home::{base_env, find_program};
pub use hub::{Hub, Snapshot, Wire};
pub use inspect::{Inspection, abandon, inspect, open_dialogs, states};
pub use metrics::Metrics;
pub use pairing::{Offer, Pairing, PairingError};
pub use place::Place;
pub use probe::provider_info;
pub use queue::QueueEdit;
pub use sending::{NewReply, QueueChange};
pub use source::{Newest, Source, newest};
pub use spawn::NewRun;
pub use supervisor::{Supervisor, SupervisorConfig};
pub use tokens::{NamedToken, TokenError, Tokens, cookie_of, digest};
pub use view::{Keep, Older, Over, Page, Partial, View, Window, for_wire};
pub use workspaces::{NewWorktree, SeedConfig};

/// Now, in the form of the API.
pub(crate) fn now() -> String {
    rfc3339(std::time::SystemTime::now())
}

fn rfc3339(at: std::time::SystemTime) -> String {
    let since = at.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let at = jiff::Timestamp::from_millisecond(since.as_millis() as i64).unwrap_or_default();
    at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
