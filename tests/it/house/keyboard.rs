//! The person at the terminal: presses keys there, and looks.

use std::time::{Duration, Instant};

use super::{House, PATIENCE};

impl House {
    /// The pane of the run, in a form that no other name can match.
    pub(crate) fn pane(&self) -> String {
        format!("={}:", self.run)
    }

    pub(crate) fn press(&self, key: &str) {
        self.tmux(&["send-keys", "-t", &self.pane(), key]);
    }

    /// Presses a key of a dialog until the dialog is gone, as a person would: newer
    /// CLIs swallow what is pressed in the first moments after a dialog came up.
    pub(crate) fn press_until_gone(&self, key: &str, shows: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.screen().contains(shows) {
            assert!(Instant::now() < deadline, "`{shows}` stays on screen\n{}", self.screen());
            self.press(key);
            // One that was taken clears the screen at once; a second one on the
            // way would be typed into what comes next.
            let second = Instant::now() + Duration::from_secs(1);
            while self.screen().contains(shows) && Instant::now() < second {
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }
}
