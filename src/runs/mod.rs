//! Which runs exist, and everything that happens to them.
//!
//! The [`Supervisor`] knows the runs and starts and adopts them; one actor task
//! owns each; the [`Hub`] holds what everybody may read. State is folded from
//! facts in `state`; the newest messages are kept in `view` and all others are read
//! from the CLI's record by `source`; texts go out through `outbox`.

mod actor;
mod adopt;
mod answering;
mod archive;
mod error;
mod home;
mod hub;
mod inspect;
mod keyed;
mod opening;
mod outbox;
mod probe;
mod publish;
mod reading;
mod registry;
mod route;
mod sending;
mod source;
mod spawn;
mod state;
mod subagents;
mod supervisor;
mod tail;
mod typing;
mod view;

pub use error::RunError;
pub use home::{base_env, find_program};
pub use hub::{Hub, Snapshot};
pub use inspect::{Inspection, abandon, inspect, open_dialogs, states};
pub use source::{Newest, Source, newest};
pub use spawn::NewRun;
pub use supervisor::{Place, Supervisor, SupervisorConfig};
pub use view::{Keep, Older, Page, Partial, View, Window, for_wire};

/// Now, in the form of the API.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
