//! The commands, as a person or a script types them.

mod client;
mod doctor;
mod live;
mod papers;
mod settings;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::house::{House, program};

/// What a command said and how it ended.
#[derive(Debug)]
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Said {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// What it printed, if it did what it was asked for.
    #[track_caller]
    fn done(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.out
    }

    #[track_caller]
    fn json(self) -> Value {
        let out = self.done();
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
    }

    /// Why it failed, with what to do next.
    #[track_caller]
    fn failed(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(1), ""), "{}", self.err);
        assert!(
            self.err.starts_with("seamux: ") && self.err.contains("\n  hint: "),
            "{}",
            self.err
        );
        self.err
    }
}

fn command(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command
        .args(arguments)
        .env_clear()
        .envs([("HOME", home.to_str().unwrap()), ("PATH", "/usr/local/bin:/usr/bin:/bin")])
        .current_dir(home)
        .stdin(Stdio::null());
    command
}

/// Beside a server, in the home of its person.
fn beside(house: &House, arguments: &[&str]) -> Command {
    let mut command = command(&house.dir.path().join("home"), arguments);
    command.env("SEAMUX_STATE_DIR", house.dir.path().join("state"));
    command
}

fn say(house: &House, arguments: &[&str]) -> Said {
    Said::of(&beside(house, arguments).output().unwrap())
}

fn alone(home: &Path, arguments: &[&str]) -> Said {
    Said::of(&command(home, arguments).output().unwrap())
}
