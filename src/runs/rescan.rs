//! When everybody looks again, in case a watcher missed something.

use std::time::Duration;

use tokio::time::Instant;

/// The watchers are backed up by one look in this time.
const EVERY: Duration = Duration::from_secs(30);

/// The moments of it. They are the same for all runs, so that a hundred idle ones
/// wake the machine once, and not a hundred times. Cheap to clone.
#[derive(Clone, Copy)]
pub(super) struct Rescan {
    first: Instant,
}

impl Rescan {
    pub(super) fn new() -> Self {
        Self { first: Instant::now() }
    }

    pub(super) fn next(self) -> Instant {
        self.after(Instant::now())
    }

    fn after(self, now: Instant) -> Instant {
        let passed = now.saturating_duration_since(self.first).as_secs() / EVERY.as_secs();
        self.first + EVERY * u32::try_from(passed + 1).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_look_at_the_same_moments() {
        let rescan = Rescan::new();
        let after = |time: Duration| rescan.after(rescan.first + time) - rescan.first;
        for (time, next) in [(0, 1), (1, 1), (29, 1), (30, 2), (31, 2), (300, 11)] {
            assert_eq!(after(Duration::from_secs(time)), EVERY * next, "{time}");
        }
    }
}
