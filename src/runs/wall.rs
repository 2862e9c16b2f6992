//! Times of the wall clock, which can jump.
//!
//! How long something may take is measured by the monotonic clock. The wall clock is
//! asked only which of two things came first, where one of them is told by the CLI or
//! by a file. If it was set back in between, the earlier one bears the later time: but
//! then that time lies ahead of now, where no time can be that was taken since.

use std::time::{SystemTime, UNIX_EPOCH};

/// In milliseconds since 1970, as CLIs tell it.
pub(super) fn epoch_millis() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_millis().try_into().unwrap_or(u64::MAX)
}

/// Whether `a` came before `b`, of two times that were both taken before `now`.
pub(super) fn came_before<T: PartialOrd>(a: &T, b: &T, now: &T) -> bool {
    match (a > now, b > now) {
        (true, false) => true,
        (false, true) => false,
        _ => a < b,
    }
}

/// The same, of times in milliseconds since 1970.
pub(super) fn came_before_ms(a: u64, b: u64) -> bool {
    came_before(&a, &b, &epoch_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_a_jump_left_ahead_of_now_are_the_earlier_ones() {
        // Without a jump.
        assert!(came_before(&10, &20, &30));
        assert!(!came_before(&20, &10, &30) && !came_before(&20, &20, &30));
        // 50 was taken, then the clock was set back to 10.
        assert!(came_before(&50, &20, &30));
        assert!(!came_before(&20, &50, &30));
        // Both were taken before that.
        assert!(came_before(&50, &60, &30) && !came_before(&60, &50, &30));
    }
}
