//! The wall clock jumps: set by hand, by a time server, or after a sleep.
//!
//! The real program with a clock of its own (clock.c): it reads the time as the test
//! says, and the test writes what a CLI on that machine would write.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::house::{Conversation, repo};
use crate::stand_in::{StandIn, answered, said};

struct Clock {
    stand_in: StandIn,
    offset: PathBuf,
    ahead: i64,
}

impl Clock {
    fn start() -> Self {
        let mut offset = PathBuf::new();
        let stand_in = StandIn::start_in(|it| {
            let house = it.home.parent().unwrap();
            let library = house.join("clock.so");
            let built = Command::new("cc")
                .args(["-shared", "-fPIC", "-O1", "-o"])
                .arg(&library)
                .arg(repo().join("tests/it/chaos/clock.c"))
                .output()
                .unwrap();
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
            offset = house.join("offset");
            for (name, value) in [("LD_PRELOAD", &library), ("SX_CLOCK", &offset)] {
                it.environment.insert(name.into(), value.display().to_string());
            }
        });
        Self { stand_in, offset, ahead: 0 }
    }

    /// Sets the clock so many seconds ahead of the true time, or behind it.
    fn set(&mut self, ahead: i64) {
        let draft = self.offset.with_extension("draft");
        fs::write(&draft, ahead.to_string()).unwrap();
        fs::rename(draft, &self.offset).unwrap();
        self.ahead = ahead;
    }

    fn now(&self) -> SystemTime {
        let ahead = Duration::from_secs(self.ahead.unsigned_abs());
        let now = SystemTime::now();
        if self.ahead < 0 { now - ahead } else { now + ahead }
    }

    fn stamp(&self) -> String {
        jiff::Timestamp::try_from(self.now()).unwrap().to_string()
    }

    /// The CLI tells what it does now, by this clock.
    fn list(&self, status: &str) {
        self.stand_in.list_since(&self.stand_in.epoch, status, Some(self.now()));
        self.stand_in.say("Notification", json!({ "message": "look" }));
    }

    fn write(&self, mut record: Value) {
        record["timestamp"] = self.stamp().into();
        self.stand_in.write(&[record]);
    }

    fn until(&self, what: &str, done: impl Fn(&Conversation) -> bool) -> Conversation {
        self.stand_in.house.until_within(Duration::from_secs(15), what, done)
    }

    /// A whole turn, around a jump of the clock in its middle.
    fn turn(&mut self, words: &str, ahead: i64) {
        self.stand_in.say("UserPromptSubmit", json!({ "prompt": words }));
        self.list("busy");
        self.write(said(words));
        self.until("work", |now| now.state() == "working");
        self.set(ahead);
        self.write(answered(words));
        self.list("idle");
        self.until("rest", |now| {
            now.state() == "needs_input" && now.texts("assistant").last() == Some(&words)
        });
    }
}

const HOUR: i64 = 3600;

#[test]
fn a_run_goes_on_through_jumps_of_the_clock_in_both_directions() {
    let mut clock = Clock::start();
    clock.turn("as usual", 0);
    clock.turn("set back in a turn", -HOUR);
    clock.turn("and after that", -HOUR);
    clock.turn("set ahead", 24 * HOUR);
    clock.turn("and back again", 0);
    let house = &clock.stand_in.house;
    let seen = house.conversation();
    assert_eq!(seen.texts("user").len(), 5);
    assert_eq!(seen.warnings(), Vec::<&str>::new(), "no time ran out");
}

/// As where the time server answers only after seamux was started at boot.
#[test]
fn a_process_whose_clock_is_set_back_right_after_its_start_is_known_all_the_same() {
    let mut clock = Clock::start();
    let cwd = clock.stand_in.house.dir.path().to_owned();
    clock.set(HOUR);
    let run = clock.stand_in.house.start_run(&json!({ "provider": "claude-code", "cwd": cwd }));
    clock.stand_in.move_to(&run);
    clock.set(0);
    clock.turn("after the jump", 0);
    let seen = clock.stand_in.house.conversation();
    assert_eq!(seen.run["cli_version"], "2.1.198", "from its list of live processes");
    // A dialog is asked and answered in the terminal over another jump.
    clock.stand_in.say("UserPromptSubmit", json!({ "prompt": "list" }));
    clock.list("busy");
    clock.until("work", |now| now.state() == "working");
    let mut asking = clock.stand_in.hook(
        "PermissionRequest",
        json!({ "tool_name": "Bash", "tool_input": { "command": "ls" } }),
    );
    clock.list("waiting");
    clock.until("a question", |now| now.state() == "question");
    clock.set(-HOUR);
    clock.list("busy");
    clock.until("work again", |now| now.state() == "working" && now.run["pending_dialogs"] == 0);
    assert!(asking.wait().unwrap().success(), "its hook was let go");
    clock.list("idle");
    clock.until("rest", |now| now.state() == "needs_input");
}
