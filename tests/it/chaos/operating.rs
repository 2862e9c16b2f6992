//! What an operator counts on: a stop that is quick and leaves the agents alone, and a
//! log that says as much as was asked for, and of which run.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::house::run_once;
use crate::stand_in::{StandIn, answered, said};

/// The goal is a second, which a bench measures (`cargo bench --bench months`). A
/// machine that does other work too gets more here.
const SOON: Duration = Duration::from_secs(4);

#[test]
fn a_stop_ends_the_streams_at_once_and_leaves_the_runs() {
    let mut it = StandIn::start();
    it.write(&[said("one"), answered("before")]);
    it.house.until("the first words", |now| now.texts("assistant") == ["before"]);
    let path = format!("?run={}", it.house.run);
    let streams: Vec<_> = (0..5).map(|_| it.house.events(&path, None)).collect();
    for stream in &streams {
        stream.up_to("a heartbeat", |it| it.name == "heartbeat");
    }
    // Somebody who asked half a question and went to sleep.
    let address = it.house.url.strip_prefix("http://").unwrap().to_owned();
    let mut sleeper = TcpStream::connect(address).unwrap();
    sleeper
        .write_all(b"POST /api/v1/runs HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{")
        .unwrap();
    let begun = Instant::now();
    assert_eq!(it.house.terminate(), Some(0));
    assert!(begun.elapsed() < SOON, "it took {:?}", begun.elapsed());
    for stream in streams {
        assert!(stream.has_ended(), "nobody is left to wait for the time-out of a connection");
    }
    assert!(it.house.tmux(&["list-sessions"]).contains(&it.house.run), "the agent runs on");
    it.write(&[answered("while nobody watched")]);
    it.house.start_again();
    it.house.until("all of it", |now| now.texts("assistant").len() == 2);
}

fn log_of(level: &str) -> (StandIn, String) {
    let it = StandIn::start_in(|it| {
        it.environment.remove("SEAMUX_LOG");
        let file = it.home.join(".config/seamux/config.toml");
        let rest = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("log = {level:?}\n{rest}")).unwrap();
    });
    // The second one is worth a line to who looks closely, and to nobody else.
    it.write(&[said("one"), json!({ "type": "brand-new" }), answered("words of the agent")]);
    it.house.until("the words", |now| now.texts("assistant") == ["words of the agent"]);
    let log = it.house.log();
    (it, log)
}

#[test]
fn the_log_says_as_much_as_was_asked_for_and_of_which_run() {
    let (it, log) = log_of("trace");
    let span = format!("run{{run.id={} provider.name=\"claude-code\"}}", it.house.run);
    assert!(log.lines().any(|it| it.contains(" INFO ") && it.contains(&span)), "{log}");
    assert!(log.lines().any(|it| it.contains("DEBUG") && it.contains(&span)), "{log}");
    assert!(!log.contains("words of the agent"), "what is said is in no log: {log}");
    let (_it, log) = log_of("seamux=info");
    assert!(log.contains(" INFO ") && !log.contains("DEBUG"), "{log}");
    let (_it, log) = log_of("warn");
    assert!(!log.contains(" INFO "), "{log}");
}

#[test]
fn a_log_filter_that_is_none_is_refused_with_what_would_be_right() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().to_str().unwrap();
    let output = run_once(
        &["serve", "--log", "seamux=loud", "--state-dir", home],
        &[("HOME", home), ("PATH", "/usr/bin:/bin")],
    );
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("seamux=loud") && text.contains("debug"), "{text}");
}
