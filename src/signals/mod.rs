//! Takes in what CLIs tell by themselves.
//!
//! Three ways in, one way on: a unix socket for the `seamux hook` process, a
//! spool folder for what that process could not deliver, and a loopback HTTP
//! listener for CLIs that can post. Each yields a [`Delivery`]: the payload as
//! it came and the run that it is for. What it means is for the seam.

mod http;
mod socket;
mod spool;
pub mod wire;

pub use http::HookHttp;
pub use socket::HookSocket;
pub use spool::{Spooled, sweep};

/// One payload for one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    pub run: String,
    pub payload: Vec<u8>,
    /// It waited in the spool: true when it was written, perhaps not any more.
    pub late: bool,
}
