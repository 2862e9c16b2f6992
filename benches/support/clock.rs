//! The monotonic clock, which is the same one for all processes.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

pub(crate) fn now() -> anyhow::Result<Duration> {
    Ok(clock_gettime(ClockId::CLOCK_MONOTONIC)?.into())
}
