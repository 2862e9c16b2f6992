//! Conversations that a person started by hand: found, and made runs.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::{House, pinned_cli};

use super::desk::{Desk, environment, workspace};
use super::keys::{answer, recorded, settle, wait_for_dialog};

fn sessions(house: &House) -> Vec<Value> {
    let found = house.get("/api/v1/discover");
    assert_eq!(found.status, 200, "{}", found.body);
    found.body["sessions"].as_array().unwrap().clone()
}

/// Asks until the list has one that fits.
fn found(house: &House, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + Duration::from_secs(40);
    loop {
        let all = sessions(house);
        if let Some(it) = all.iter().find(|it| fits(it)) {
            return it.clone();
        }
        assert!(Instant::now() < deadline, "never listed: {what}\n{all:#?}\n{}", house.log());
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn adopt(house: &mut House, session: &Value) -> Value {
    let body = json!({ "provider": session["provider"], "native_id": session["native_id"] });
    let adopted = house.post("/api/v1/adopt", &body);
    assert_eq!(adopted.status, 201, "{}\n{}", adopted.body, house.log());
    house.run = adopted.body["id"].as_str().unwrap().to_owned();
    adopted.body
}

/// The CLI by hand on a desk, with one exchange done there.
fn by_hand(house: &House, desk: &Desk) -> Value {
    // Newer ones would allow a command by themselves.
    desk.line(&format!("'{}' --permission-mode default", pinned_cli().display()));
    found(house, "the new process", |it| it["state"] == "idle");
    desk.line("echo by hand");
    desk.until("the answer", |it| it.matches("by hand").count() >= 2);
    // The CLI is at rest a moment before its record is on disk. That has no last line where
    // something long stands behind it.
    let done = |it: &Value| {
        it["state"] == "idle"
            && it["title"] == "echo by hand"
            && it["last_line"].as_str().is_none_or(|it| it == "by hand")
    };
    found(house, "the first exchange", done)
}

#[test]
fn a_cli_in_a_persons_own_tmux_is_found_adopted_talked_to_and_left_in_peace() {
    let mut house = House::demo();
    assert_eq!(sessions(&house), Vec::<Value>::new(), "our own run is none of those");
    let desk = Desk::new(&house);
    let session = by_hand(&house, &desk);
    assert_eq!(session["adopts_as"], "chat", "{session}");
    assert_eq!(session["attach"]["session"], "desk");
    assert_eq!(session["cwd"], workspace(&house).to_str().unwrap());
    let size_before = desk.tmux(&["display-message", "-p", "#{window_width}x#{window_height}"]);

    let run = adopt(&mut house, &session);
    assert_eq!(run["origin"], "adopted");
    let now = house.until("its messages", |it| it.texts("assistant").contains(&"by hand"));
    assert!(now.warnings().is_empty(), "{:?}", now.warnings());
    assert_eq!(now.run["epoch"], session["native_id"]);
    assert_eq!(sessions(&house), Vec::<Value>::new(), "it is a run now");
    // Who has it is named.
    let body = json!({ "provider": "claude-code", "native_id": session["native_id"] });
    let again = house.post("/api/v1/adopt", &body);
    assert_eq!((again.status, &again.body["code"]), (409, &json!("conversation_live")));
    assert_eq!(again.body["run_id"], json!(house.run));

    let now = house.exchange("echo from the browser, with 漢字;");
    assert_eq!(now.texts("assistant").last(), Some(&"from the browser, with 漢字;"));

    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    let end = settle(&house, &dialog, &json!([{ "selected": [2] }]));
    assert_eq!(recorded(&end), ["Green"]);

    // What was cleared there is another conversation of the same run.
    desk.line("/clear");
    house.until("the next epoch", |it| it.run["epoch"] != session["native_id"]);
    let now = house.exchange("echo anew");
    assert_eq!(now.texts("assistant"), ["anew"]);
    assert_eq!(now.page["epochs"].as_array().unwrap().len(), 2);
    assert_eq!(sessions(&house), Vec::<Value>::new(), "it is still that run");

    house.kill_server();
    house.start_again();
    house.run = run["id"].as_str().unwrap().to_owned();
    let now = house.exchange("echo after the crash");
    assert_eq!(now.run["origin"], "adopted");
    house.reply("run a command");
    let dialog = wait_for_dialog(&house);
    settle(&house, &dialog, &json!([{ "selected": [1] }]));

    // Nothing of theirs was changed, and nobody of ours looks.
    assert_eq!(desk.tmux(&["list-clients"]), "");
    assert_eq!(desk.tmux(&["list-sessions", "-F", "#{session_name}"]), "desk\n");
    let size = desk.tmux(&["display-message", "-p", "#{window_width}x#{window_height}"]);
    assert_eq!(size, size_before);

    desk.line("/exit");
    let now = house.until("the end", |it| it.state() == "ended");
    assert!(now.texts("assistant").contains(&"after the crash"));
    desk.shell_is_well();
    assert!(!desk.screen().contains("after the crash\n\ndesk$ after"), "{}", desk.screen());
    let attach = house.get(&house.run_path("/attach"));
    assert_eq!(attach.body["code"], "run_ended");
}

#[test]
fn what_is_typed_never_reaches_the_shell_below_and_a_stop_leaves_it() {
    let mut house = House::demo();
    let desk = Desk::new(&house);
    by_hand(&house, &desk);
    // It waits for an answer as it is adopted.
    desk.line("ask one");
    let session = found(&house, "the question", |it| it["state"] == "waiting");
    adopt(&mut house, &session);
    let dialog = wait_for_dialog(&house);
    let end = settle(&house, &dialog, &json!([{ "selected": [0] }]));
    assert_eq!(recorded(&end), ["Red"]);
    // Ctrl-Z: the shell has the terminal, and the CLI lives.
    desk.tmux(&["send-keys", "-t", "=desk:", "C-z"]);
    desk.until("the shell", |it| it.contains("Stopped"));
    let receipt = house.reply("echo $((7 * 191))");
    house.until("it is held", |it| it.receipt(&receipt)["status"] == "queued");
    desk.shell_is_well();
    assert!(!desk.screen().contains("191"), "{}", desk.screen());
    desk.line("fg");
    let now = house.until("it went out", |it| it.receipt(&receipt)["status"] == "recorded");
    assert_eq!(now.texts("user").last(), Some(&"echo $((7 * 191))"));

    let stopped = house.post(&house.run_path("/stop"), &json!({}));
    assert_eq!(stopped.status, 202, "{}", stopped.body);
    house.until("the end", |it| it.state() == "ended");
    desk.shell_is_well();

    // It is a run like any other now.
    let resumed = house.post(&house.run_path("/resume"), &json!({}));
    assert_eq!(resumed.status, 202, "{}", resumed.body);
    let now = house.exchange("echo in a pane of its own");
    assert!(now.texts("assistant").contains(&"by hand"));
    desk.shell_is_well();
}

#[test]
fn a_past_conversation_is_listed_and_resumed_with_its_messages() {
    let mut house = House::demo();
    let desk = Desk::new(&house);
    let session = by_hand(&house, &desk);
    desk.line("/exit");
    let past = found(&house, "the past", |it| it["state"] == "past");
    assert_eq!(past["native_id"], session["native_id"]);
    assert_eq!((&past["adopts_as"], &past["title"]), (&json!("resume"), &json!("echo by hand")));
    assert!(past["size"].as_u64().unwrap() > 0 && past["last_activity_at"].is_string(), "{past}");
    let none = house.get("/api/v1/discover?q=nothing-has-these-words");
    assert_eq!(none.body["sessions"], json!([]));

    let run = adopt(&mut house, &past);
    assert_eq!((&run["origin"], &run["title"]), (&json!("adopted"), &json!("echo by hand")));
    let now = house.exchange("echo once more");
    // Between them the CLI may say that a turn of before had no answer: it does not
    // find one that it wrote before its prompt.
    let texts = now.texts("assistant");
    assert_eq!((texts.first(), texts.last()), (Some(&"by hand"), Some(&"once more")));
    assert_eq!(now.run["epoch"], past["native_id"]);
    desk.shell_is_well();

    house.post(&house.run_path("/stop"), &json!({}));
    house.until("the end", |it| it.state() == "ended");
    assert_eq!(sessions(&house), Vec::<Value>::new(), "a run had it");
    let body = json!({ "provider": "claude-code", "native_id": past["native_id"] });
    let again = house.post("/api/v1/adopt", &body);
    assert_eq!((again.status, &again.body["code"]), (409, &json!("conversation_known")));
}

/// A terminal that is no tmux pane.
struct Typewriter(Child);

impl Drop for Typewriter {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

#[test]
fn one_outside_tmux_can_be_read_and_says_why_it_takes_no_words() {
    let mut house = House::demo();
    let line = format!("stty cols 100 rows 40; exec '{}' 'echo outside'", pinned_cli().display());
    let script = Command::new("script")
        .args(["-qfc", &line, "/dev/null"])
        .env_clear()
        .envs(environment(&house))
        .current_dir(workspace(&house))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _typewriter = Typewriter(script);
    let session = found(&house, "the process", |it| it["state"] == "idle");
    assert_eq!(session["adopts_as"], "read_only");
    assert!(session["reason"].as_str().unwrap().contains("not in a tmux"), "{session}");
    assert!(session["attach"].is_null());

    adopt(&mut house, &session);
    let now = house.until("its messages", |it| it.texts("assistant").contains(&"outside"));
    assert_eq!((now.warnings(), &now.run["read_only"]), (vec!["read_only"], &json!(true)));
    assert!(now.run["attach"].is_null());
    for (path, body) in [
        ("/reply", json!({ "text": "hello" })),
        ("/interrupt", json!({})),
        ("/answer", json!({ "dialog_id": "d", "answers": [] })),
    ] {
        let refused = house.post(&house.run_path(path), &body);
        assert_eq!((refused.status, &refused.body["code"]), (409, &json!("read_only")), "{path}");
        assert!(refused.body["hint"].as_str().unwrap().contains("resume"), "{}", refused.body);
    }
    house.kill_server();
    let run = house.run.clone();
    house.start_again();
    house.run = run;
    let now = house.until("it is back", |it| it.texts("assistant").contains(&"outside"));
    assert_eq!((now.warnings(), now.state()), (vec!["read_only"], "needs_input"));

    // What it was told to do: end it, and resume it here.
    let stopped = house.post(&house.run_path("/stop"), &json!({}));
    assert_eq!(stopped.status, 202, "{}", stopped.body);
    let now = house.until("the end", |it| it.state() == "ended");
    assert!(now.warnings().is_empty());
    let resumed = house.post(&house.run_path("/resume"), &json!({}));
    assert_eq!(resumed.status, 202, "{}", resumed.body);
    let now = house.exchange("echo inside");
    let texts = now.texts("assistant");
    assert_eq!((texts.first(), texts.last()), (Some(&"outside"), Some(&"inside")));
    assert!(now.run["attach"].is_object());
}

#[test]
fn a_guest_that_ended_while_nobody_watched_is_a_run_that_ended() {
    let mut house = House::demo();
    let desk = Desk::new(&house);
    let session = by_hand(&house, &desk);
    adopt(&mut house, &session);
    house.until("its messages", |it| it.texts("assistant").contains(&"by hand"));
    // A text that is longer than the arguments of a tmux command may be.
    let long = format!("echo {}end", "漢字; $(id) `id` \"#{pid}\" ".repeat(600));
    let receipt = house.reply(&long);
    let now = house.until("the long text", |it| {
        it.receipt(&receipt)["status"] == "recorded" && it.state() == "needs_input"
    });
    assert_eq!(now.texts("user").last(), Some(&&*long));
    let run = house.run.clone();
    house.kill_server();
    desk.line("/exit");
    desk.shell_is_well();
    house.start_again();
    house.run = run;
    let now = house.conversation();
    assert_eq!(now.state(), "ended");
    assert!(now.texts("assistant").contains(&"by hand"));
    desk.shell_is_well();
}

/// However long the records are, a look at them costs their two ends, once.
#[test]
fn a_list_reads_little_of_long_records_and_nothing_of_what_it_knows() {
    const FILES: u64 = 50;
    let house = House::demo();
    let projects = house.dir.path().join("state/home/.claude/projects/-srv-long");
    std::fs::create_dir_all(&projects).unwrap();
    let prompt = json!({
        "type": "user", "uuid": "u", "isSidechain": false, "cwd": "/srv/long",
        "message": { "role": "user", "content": "A long story" },
    });
    for number in 0..FILES {
        let path = projects.join(format!("00000000-0000-4000-8000-{number:012}.jsonl"));
        std::fs::write(&path, format!("{prompt}\n")).unwrap();
        std::fs::File::options().write(true).open(path).unwrap().set_len(1 << 30).unwrap();
    }
    // Beside them stand a stub and what an agent said.
    let stub = projects.join("11111111-0000-4000-8000-000000000000.jsonl");
    std::fs::write(stub, "{\"type\":\"mode\",\"mode\":\"plan\"}\n").unwrap();
    std::fs::write(projects.join("agent-a1b2c3d4.jsonl"), format!("{prompt}\n")).unwrap();
    let before = house.bytes_read();
    let listed = sessions(&house);
    let first = house.bytes_read() - before;
    assert_eq!(listed.len() as u64, FILES, "{listed:#?}");
    assert!(listed.iter().all(|it| it["title"] == "A long story" && it["size"] == 1 << 30));
    assert!(first < FILES * (48 << 10) + (1 << 20), "{first} bytes");
    assert!(first >= FILES * (48 << 10), "{first} bytes are less than there is to read");
    let before = house.bytes_read();
    assert_eq!(sessions(&house), listed);
    let again = house.bytes_read() - before;
    assert!(again < 1 << 20, "{again} bytes");
    let some = house.get("/api/v1/discover?limit=7&q=LONG%20story");
    assert_eq!(some.body["sessions"].as_array().unwrap().len(), 7);
    assert_eq!(some.body["has_more"], true);
}

#[test]
fn processes_that_are_gone_are_no_sessions_and_unknown_ones_are_named() {
    let house = House::demo();
    let registry = house.dir.path().join("state/home/.claude/sessions");
    let cwd = workspace(&house);
    let me = std::process::id();
    // One that was killed, and one whose number somebody else has by now.
    for (pid, id) in [(4_194_303, "dead"), (me, "used-again")] {
        let entry = json!({
            "pid": pid, "sessionId": id, "cwd": cwd, "procStart": "1", "status": "idle",
            "kind": "interactive",
        });
        std::fs::write(registry.join(format!("{pid}.json")), entry.to_string()).unwrap();
    }
    assert_eq!(sessions(&house), Vec::<Value>::new());
    for (provider, id, status, code) in [
        ("claude-code", "dead", 404, "session_not_found"),
        ("claude-code", "../../etc/passwd", 404, "session_not_found"),
        ("nobody", "dead", 422, "unknown_provider"),
    ] {
        let body = json!({ "provider": provider, "native_id": id });
        let refused = house.post("/api/v1/adopt", &body);
        assert_eq!((refused.status, refused.body["code"].as_str()), (status, Some(code)));
        assert!(refused.body["hint"].is_string(), "{}", refused.body);
    }
    let refused = answer(&house, &json!({ "id": "x" }), &json!([]));
    assert_eq!(refused.status, 409, "the house still works");
}
