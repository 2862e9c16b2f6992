//! Takes in what CLIs tell by themselves.
//!
//! Three ways in, one way on: a unix socket for the `seamux hook` process, a
//! spool folder for what that process could not deliver, and a loopback HTTP
//! listener for CLIs that can post. Each yields a [`Delivery`]: the payload as
//! it came and the run that it is for. What it means is for the seam.
//!
//! A hook that asks stays connected until it is told what to answer, or that
//! nobody needs an answer any more.

mod http;
mod socket;
mod spool;
pub mod wire;

use tokio::sync::oneshot;

pub use http::HookHttp;
pub use socket::HookSocket;
pub use spool::{SpoolFile, Spooled, sweep};

/// One thing for one run.
#[derive(Debug)]
pub struct Delivery {
    pub run: String,
    pub body: Body,
}

#[derive(Debug)]
pub enum Body {
    /// `late`: it waited in the spool, and was true when it was written.
    Signal { payload: Vec<u8>, late: bool },
    /// A signal whose sender waits for an answer.
    Asked { payload: Vec<u8>, asker: Asker },
    /// The sender of that question has gone.
    AskerGone { id: u64 },
}

/// A hook process that waits. Dropping it tells the process that nobody needs
/// its answer.
#[derive(Debug)]
pub struct Asker {
    pub id: u64,
    answer: oneshot::Sender<Vec<u8>>,
}

impl Asker {
    /// An asker, and where its answer comes out. An answer that never comes is
    /// one that nobody needs.
    pub fn new(id: u64) -> (Self, oneshot::Receiver<Vec<u8>>) {
        let (answer, decided) = oneshot::channel();
        (Self { id, answer }, decided)
    }

    /// Hands the answer over. False if the process has gone.
    pub fn answer(self, output: Vec<u8>) -> bool {
        self.answer.send(output).is_ok()
    }
}
