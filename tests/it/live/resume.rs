//! A run that ended is started again on the same native conversation.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::house::{Answer, Conversation, House};

fn stop(house: &House) -> Conversation {
    assert_eq!(house.post(&house.run_path("/stop"), &json!({})).status, 202);
    house.until("the end", |it| it.state() == "ended")
}

fn resume(house: &House) -> Answer {
    house.post(&house.run_path("/resume"), &json!({}))
}

fn kill(house: &House) {
    let target = format!("={}:", house.run);
    let pid = house.tmux(&["display-message", "-p", "-t", &target, "#{pane_pid}"]);
    assert!(Command::new("kill").args(["-9", pid.trim()]).status().unwrap().success());
    house.until("the end", |it| it.state() == "ended");
}

fn config(house: &House) -> PathBuf {
    house.dir.path().join("state/home/.claude")
}

/// The CLI's own record of this conversation.
fn record(house: &House, epoch: &Value) -> PathBuf {
    let name = format!("{}.jsonl", epoch.as_str().unwrap());
    let folders = std::fs::read_dir(config(house).join("projects")).unwrap();
    folders.map(|it| it.unwrap().path().join(&name)).find(|it| it.is_file()).unwrap()
}

#[test]
fn a_stopped_run_goes_on_with_its_history_as_often_as_it_is_resumed() {
    let house = House::demo();
    let before = house.exchange("echo before");
    let early = resume(&house);
    assert_eq!((early.status, &early.body["code"]), (409, &json!("run_live")));
    for words in ["after", "once more"] {
        stop(&house);
        let resumed = resume(&house);
        assert_eq!((resumed.status, &resumed.body["id"]), (202, &json!(house.run)));
        assert_eq!(resumed.body["ended_at"], Value::Null);
        let again = resume(&house);
        assert_eq!((again.status, &again.body["code"]), (409, &json!("run_live")));
        let after = house.exchange(&format!("echo {words}"));
        assert_eq!(after.texts("assistant").last(), Some(&words));
        assert!(after.texts("assistant").contains(&"before"), "one view: {after:#?}");
        for same in ["epoch", "model", "permission_mode", "title", "created_at"] {
            assert_eq!(after.run[same], before.run[same], "{same}");
        }
        assert!(after.warnings().is_empty(), "{:?}", after.warnings());
        assert_eq!(after.page["epochs"].as_array().unwrap().len(), 1);
    }
    let end = house.conversation();
    assert_eq!(end.texts("user").len(), 4, "nothing twice: {:?}", end.texts("user"));
}

#[test]
fn a_run_that_ended_in_an_earlier_life_of_the_server_is_resumed() {
    let mut house = House::demo();
    let old = house.run.clone();
    let epoch = house.exchange("echo long ago").run["epoch"].clone();
    stop(&house);
    house.kill_server();
    house.start_again();
    house.run = old; // The demo has opened another one.
    assert_eq!(resume(&house).status, 202);
    let after = house.exchange("echo today");
    assert_eq!(after.run["epoch"], epoch);
    assert_eq!(after.texts("assistant")[1..], ["long ago", "today"]);
}

#[test]
fn a_conversation_is_live_in_one_run_only() {
    let mut house = House::demo();
    let first = house.run.clone();
    let words = house.exchange("echo mine");
    stop(&house);
    house.start_run(&json!({ "provider": "claude-code", "cwd": words.run["cwd"] }));
    let second = house.run.clone();
    house.exchange("echo yours");
    // A person takes the first conversation up in the second run's terminal.
    let target = format!("={second}:");
    let epoch = words.run["epoch"].as_str().unwrap();
    house.tmux(&["send-keys", "-l", "-t", &target, &format!("/resume {epoch}")]);
    house.until_screen("the command", |it| it.contains(epoch));
    house.tmux(&["send-keys", "-t", &target, "Enter"]);
    house.until("the other conversation", |it| it.run["epoch"] == epoch);

    house.run = first;
    let refused = resume(&house);
    assert_eq!((refused.status, &refused.body["code"]), (409, &json!("conversation_live")));
    assert_eq!(refused.body["run_id"], json!(second));
    assert!(refused.body["detail"].as_str().unwrap().contains(&second), "{}", refused.body);
    assert_eq!(house.conversation().state(), "ended");
    house.run = second;
    stop(&house);
    house.run = words.run["id"].as_str().unwrap().to_owned();
    assert_eq!(resume(&house).status, 202);
    assert!(house.exchange("echo again").texts("assistant").contains(&"mine"));
}

#[test]
fn a_conversation_that_a_process_outside_of_any_run_has_is_left_to_it() {
    let house = House::demo();
    let epoch = house.exchange("echo shared").run["epoch"].clone();
    stop(&house);
    let entry = config(&house).join("sessions/1.json");
    let list = |more: &str| {
        // This very test plays the process.
        let pid = std::process::id();
        let text = format!(r#"{{"pid":{pid},"sessionId":{epoch},"status":"idle"{more}}}"#);
        std::fs::write(&entry, text).unwrap();
    };
    list("");
    let refused = resume(&house);
    assert_eq!((refused.status, &refused.body["code"]), (409, &json!("conversation_live")));
    assert_eq!(refused.body["run_id"], Value::Null);
    // The number was used again: the process that is meant is gone.
    list(r#","procStart":"1""#);
    assert_eq!(resume(&house).status, 202);
    assert!(house.exchange("echo free").texts("assistant").contains(&"free"));
}

#[test]
fn a_run_whose_process_was_killed_in_a_tool_call_goes_on_without_it() {
    let house = House::demo();
    house.reply("endless tool");
    let asked =
        house.until("the question", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    let dialog = &asked.page["pending_dialogs"][0]["id"];
    let allow = json!({ "dialog_id": dialog, "answers": [{ "selected": [0] }] });
    assert_eq!(house.post(&house.run_path("/answer"), &allow).status, 202);
    let running = |it: &Conversation| it.tools().iter().any(|it| it["status"] == "running");
    house.until("the call", |it| running(it) && it.state() == "working");
    kill(&house);
    assert_eq!(house.conversation().run["exit"]["signal"], "9");
    assert_eq!(resume(&house).status, 202);
    let after = house.exchange("echo back");
    assert!(after.texts("assistant").contains(&"back"));
    // The newer CLI records a result in its place, the older one does not.
    let status = after.tools()[0]["status"].clone();
    assert!(["cancelled", "error"].contains(&status.as_str().unwrap()), "it is {status}");
}

#[test]
fn a_question_of_a_killed_process_is_no_question_after_the_resume() {
    let house = House::demo();
    house.reply("ask one");
    // The hook can be faster than the record.
    let asked = |it: &Conversation| it.messages().iter().any(|it| it["kind"] == "dialog");
    house.until("the question, on record", |it| it.state() == "question" && asked(it));
    kill(&house);
    assert_eq!(resume(&house).status, 202);
    let after = house.exchange("echo asked enough");
    assert_eq!(after.page["pending_dialogs"], json!([]));
    let asked = after.messages().iter().find(|it| it["kind"] == "dialog").unwrap();
    assert_eq!(asked["dialog"]["outcome"]["accepted"], false);
}

#[test]
fn a_resume_that_fails_at_once_reads_as_ended_with_its_code_and_the_last_words() {
    let house = House::demo();
    let epoch = house.exchange("echo once").run["epoch"].clone();
    stop(&house);
    // A record without a conversation: the CLI finds nothing in it.
    std::fs::write(record(&house, &epoch), "{}\n").unwrap();
    assert_eq!(resume(&house).status, 202);
    let end = house.until("the end", |it| it.state() == "ended");
    assert_eq!(end.run["exit"]["code"], 1);
    let detail = end.run["exit"]["detail"].as_str().unwrap();
    assert!(detail.contains("No conversation found"), "{detail}");
    assert!(!house.tmux(&["list-sessions"]).contains(&house.run), "nothing tries again");
    let late = house.post(&house.run_path("/reply"), &json!({ "text": "hello?" }));
    assert_eq!(late.body["code"], "run_ended");
}

#[test]
fn what_was_never_written_down_begins_anew_and_says_so() {
    let mut house = House::demo();
    let cwd = house.conversation().run["cwd"].clone();
    let new = house.start_run(&json!({ "provider": "claude-code", "cwd": cwd }));
    let ready = |it: &Conversation| it.run["cli_version"].is_string();
    house.until("readiness", ready);
    stop(&house);
    assert_eq!(resume(&house).status, 202);
    let after = house.exchange("echo first words");
    assert_eq!(after.warnings(), ["nothing_to_resume"]);
    assert_eq!(after.run["epoch"], new["epoch"]);
    // And what somebody threw away.
    stop(&house);
    std::fs::remove_file(record(&house, &new["epoch"])).unwrap();
    assert_eq!(resume(&house).status, 202);
    let after = house.exchange("echo second words");
    assert_eq!(after.texts("assistant"), ["second words"]);
    assert_eq!(after.warnings(), ["nothing_to_resume"]);
}
