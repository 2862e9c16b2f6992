//! How a set of times is told: percentiles, and no mean that hides the tail;
//! and what else the machine did, without which they say little.

use std::fmt;
use std::time::Duration;

pub(crate) struct Spread(Vec<Duration>);

impl Spread {
    pub(crate) fn of(mut times: Vec<Duration>) -> Self {
        times.sort();
        Self(times)
    }

    /// The time that this share of all times does not exceed.
    fn at(&self, share: f64) -> Duration {
        let rank = (share * self.0.len() as f64).ceil() as usize;
        self.0.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0)] {
            write!(f, "{name} {:7.3}  ", self.at(share).as_secs_f64() * 1000.0)?;
        }
        write!(f, "ms")
    }
}

/// To be printed first: how many others wanted a core in the last minute.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = text.split(' ').next().unwrap_or("unknown");
    format!("{cores} cores, load average before {load}")
}
