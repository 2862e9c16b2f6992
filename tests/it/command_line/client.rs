//! The commands that talk to a server, with a CLI that only stands in.

use std::fs;

use serde_json::json;

use super::{Said, alone, beside, say};
use crate::stand_in::{StandIn, answered, said};

#[test]
fn without_a_server_each_says_so_and_how_to_start_one() {
    let home = tempfile::tempdir().unwrap();
    for arguments in [
        &["ls"][..],
        &["run", "hello"],
        &["attach", "r-1"],
        &["tell", "r-1", "hello"],
        &["answer", "r-1"],
        &["wait", "r-1", "--for", "ended"],
        &["events"],
        &["stop", "r-1"],
        &["resume", "r-1"],
    ] {
        let words = alone(home.path(), arguments).failed();
        assert!(words.contains("no server is running with the state folder"), "{words}");
        assert!(words.contains("start it with `seamux serve`"), "{words}");
    }
}

#[test]
fn a_wrong_word_is_a_usage_error() {
    let home = tempfile::tempdir().unwrap();
    for arguments in
        [&["ls", "--state", "dead"][..], &["wait", "r-1"], &["wait", "r-1", "--for", "x"], &["no"]]
    {
        let said = alone(home.path(), arguments);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
        assert!(said.err.contains("--help"), "{}", said.err);
    }
}

#[test]
fn runs_are_listed_and_named_in_several_ways() {
    let it = StandIn::start();
    let run = it.house.run.clone();
    it.house.send_json("PATCH", &it.house.run_path(""), &json!({ "title": "Blue\u{1b}[31m door" }));
    let line = say(&it.house, &["ls"]).done();
    assert!(line.starts_with(&format!("{run}  idle  Blue")) && line.ends_with('\n'), "{line}");
    assert!(!line.contains('\u{1b}'), "{line:?}");
    let list = say(&it.house, &["ls", "--json"]).json();
    assert_eq!(list["runs"][0]["id"], run.as_str());
    assert_eq!(say(&it.house, &["ls", "--state", "ended"]).done(), "");
    assert_eq!(say(&it.house, &["ls", "no such title"]).done(), "");
    for name in [&run[..], &run[..8], &run[2..8]] {
        let command = say(&it.house, &["attach", "--print", name]).done();
        assert!(command.contains("tmux") && command.contains(&it.house.socket), "{command}");
    }
    let words = say(&it.house, &["attach", "--print", "r-nobody"]).failed();
    assert!(words.contains("there is no run `r-nobody`") && words.contains("seamux ls"), "{words}");
}

#[test]
fn a_wait_ends_with_the_state_that_it_waits_for() {
    let it = StandIn::start();
    let run = it.house.run.clone();
    let reached = say(&it.house, &["wait", &run, "--for", "idle", "--json"]).json();
    assert_eq!(reached["state"], "idle");
    let words = say(&it.house, &["wait", &run, "--for", "question", "--timeout", "1"]).failed();
    assert!(words.contains("did not come to question in time"), "{words}");

    let waiting = beside(&it.house, &["wait", &run, "--for", "needs_input", "--for", "question"]);
    let waiting = spawn(waiting);
    it.say("UserPromptSubmit", json!({ "prompt": "hello" }));
    it.write(&[said("hello"), answered("there")]);
    it.say("Stop", json!({}));
    it.list(&it.epoch, "idle");
    assert_eq!(Said::of(&waiting.wait_with_output().unwrap()).done(), "needs_input\n");

    let waiting = spawn(beside(&it.house, &["wait", &run, "--for", "ended"]));
    let other = spawn(beside(&it.house, &["wait", &run, "--for", "working"]));
    say(&it.house, &["stop", &run, "--force"]).done();
    assert_eq!(Said::of(&waiting.wait_with_output().unwrap()).done(), "ended\n");
    assert!(Said::of(&other.wait_with_output().unwrap()).failed().contains("has ended"));
    let words = say(&it.house, &["tell", &run, "hello"]).failed();
    assert!(words.contains("ended") && words.contains("resume it"), "{words}");
}

fn spawn(mut command: std::process::Command) -> std::process::Child {
    use std::process::Stdio;
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn attach_becomes_the_terminal_of_the_run() {
    let it = StandIn::start();
    let run = it.house.run.clone();
    let state = it.house.dir.path().join("state");
    let command = format!(
        "env -i HOME=/nonexistent PATH=/usr/bin:/bin TERM=xterm-256color LANG=C.UTF-8 \
         SEAMUX_STATE_DIR={} '{}' attach {run}",
        state.display(),
        crate::house::program().display()
    );
    // A terminal of somebody who sits elsewhere.
    let other = format!("{}-desk", it.house.socket);
    let desk = |arguments: &[&str]| {
        let mut tmux = std::process::Command::new("tmux");
        let output = tmux.args(["-L", &other, "-f", "/dev/null"]).args(arguments).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    desk(&["new-session", "-d", "-x", "90", "-y", "30", &command]);
    let socket = desk(&["display-message", "-p", "#{socket_path}"]);
    let there = format!("0 {run}");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let viewers =
        || it.house.tmux(&["list-clients", "-F", "#{client_control_mode} #{session_name}"]);
    let mut came = false;
    while !came && std::time::Instant::now() < deadline {
        came = viewers().lines().any(|it| it == there);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let screen = desk(&["capture-pane", "-p"]);
    desk(&["kill-server"]);
    fs::remove_file(socket.trim()).ok(); // tmux leaves it behind.
    assert!(came, "nobody attached: {screen}\n{}", viewers());
}

#[test]
fn events_are_lines_and_a_reader_that_has_enough_ends_them() {
    let it = StandIn::start();
    let program = crate::house::program();
    let script = format!("'{}' events --json | head -n 1", program.display());
    let home = it.house.dir.path().join("home");
    let output = std::process::Command::new("/bin/sh")
        .args(["-c", &script])
        .env_clear()
        .envs([("HOME", home.to_str().unwrap()), ("PATH", "/usr/bin:/bin")])
        .env("SEAMUX_STATE_DIR", it.house.dir.path().join("state"))
        .output()
        .unwrap();
    let event: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let name = event["event"].as_str().unwrap();
    assert!(["run.changed", "heartbeat"].contains(&name), "{event}");
}

#[test]
fn the_token_is_given_to_no_server_but_the_one_of_the_state_folder() {
    let mut it = StandIn::start();
    let state = it.house.dir.path().join("state");
    let url = fs::read_to_string(state.join("url")).unwrap();
    assert_eq!(url, it.house.url);
    it.house.kill_server();
    // The address is still there, and somebody else may have its port by now.
    assert!(state.join("url").exists());
    let words = say(&it.house, &["ls"]).failed();
    assert!(words.contains("no server is running"), "{words}");
    it.house.start_again();
    assert!(say(&it.house, &["ls"]).done().contains(&it.house.run));

    let mut elsewhere = beside(&it.house, &["ls", "--url", &it.house.url]);
    let words = Said::of(&elsewhere.output().unwrap()).failed();
    assert!(words.contains("needs its token") && words.contains("SEAMUX_TOKEN"), "{words}");
    let words = say(&it.house, &["ls", "--url", "https://agents.example"]).failed();
    assert!(words.contains("no TLS") && words.contains("tunnel"), "{words}");
    elsewhere.env("SEAMUX_TOKEN", "wrong");
    let words = Said::of(&elsewhere.output().unwrap()).failed();
    assert!(words.contains("This needs the token"), "{words}");
    elsewhere.env("SEAMUX_TOKEN", &it.house.token);
    assert!(Said::of(&elsewhere.output().unwrap()).done().contains(&it.house.run));
    it.house.terminate();
    assert!(!state.join("url").exists());
}
