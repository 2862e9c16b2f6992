//! Answers by keys where something is in the way: the terminal's size, its
//! people, a CLI that stands still, a crash.

use std::time::Duration;

use serde_json::{Value, json};

use super::keys::{answer, by_keys, by_keys_in, outcomes, recorded, settle, wait_for_dialog};
use crate::house::{House, pinned_cli};

fn resize(house: &House, columns: &str, rows: &str) {
    house.tmux(&["resize-window", "-t", &house.pane(), "-x", columns, "-y", rows]);
}

fn size(house: &House) -> String {
    let size = house.tmux(&[
        "display-message",
        "-p",
        "-t",
        &house.pane(),
        "#{window_width}x#{window_height}",
    ]);
    size.trim().to_owned()
}

/// A run whose CLI is not the direct child of tmux, which wakes its children
/// when they are stopped.
pub(super) fn by_keys_behind_a_shell() -> House {
    by_keys_in(House::demo_in(|it| {
        use std::os::unix::fs::PermissionsExt;
        let wrapper = it.home.join("cli");
        let real = pinned_cli();
        std::fs::write(&wrapper, format!("#!/bin/sh\n{} \"$@\"\n", real.display())).unwrap();
        std::fs::set_permissions(&wrapper, PermissionsExt::from_mode(0o755)).unwrap();
        it.environment.insert("SEAMUX_DEMO_CLI".into(), wrapper.to_str().unwrap().into());
    }))
}

/// Sends a signal to the CLI of the run, and to no other process.
fn signal(house: &House, name: &str) {
    kill(&cli_of(house), name);
}

/// The process of the run's CLI.
pub(super) fn cli_of(house: &House) -> String {
    let epoch = house.conversation().run["epoch"].clone();
    let folder = house.dir.path().join("state/home/.claude/sessions");
    let entries = std::fs::read_dir(folder).unwrap().map(|it| std::fs::read(it.unwrap().path()));
    let mut entries = entries.map(|it| serde_json::from_slice::<Value>(&it.unwrap()).unwrap());
    entries.find(|it| it["sessionId"] == epoch).unwrap()["pid"].to_string()
}

pub(super) fn kill(pid: &str, name: &str) {
    let status = std::process::Command::new("kill").args([name, pid]).status();
    assert!(status.unwrap().success());
}

/// Another terminal that shows the run.
fn attach(house: &House) {
    let target = format!("={}", house.run);
    let attach = ["env", "-u", "TMUX", "tmux", "-L", &house.socket, "attach", "-t", &target];
    let viewer = ["new-session", "-d", "-s", "viewer", "-x", "100", "-y", "30"];
    house.tmux(&[&viewer[..], &attach[..]].concat());
    let attached = || house.tmux(&["list-clients", "-F", "#{client_session}"]).contains(&house.run);
    house.until_screen("the client", |_| attached());
}

/// Everything that can be asked, in one terminal.
fn answer_everything(house: &House) {
    house.reply("ask all");
    let dialog = wait_for_dialog(house);
    let chosen = json!([
        { "selected": [1] }, { "selected": [0, 2], "other_text": "Egg" }, { "selected": [1] },
        { "other_text": "as large as it gets, please, in as many words as fit" },
    ]);
    let end = settle(house, &dialog, &chosen);
    let expected =
        ["Blue", "Ham, Corn, Egg", "Row", "as large as it gets, please, in as many words as fit"];
    assert_eq!(recorded(&end), expected);

    house.reply("ask at length");
    let dialog = wait_for_dialog(house);
    let end = settle(house, &dialog, &json!([{ "selected": [2] }]));
    assert_eq!(recorded(&end), ["The third option with a rather long label"]);

    house.reply("long command");
    let dialog = wait_for_dialog(house);
    let end = settle(house, &dialog, &json!([{ "selected": [1], "other_text": "shorter" }]));
    assert!(end.texts("assistant").last().unwrap().contains("shorter"));

    house.reply("make a plan");
    let dialog = wait_for_dialog(house);
    let end = settle(house, &dialog, &json!([{ "selected": [1] }]));
    assert_eq!(outcomes(&end).last().unwrap()["accepted"], true);
    assert_eq!(end.run["permission_mode"], "acceptEdits");
}

/// BB-TM-09 and BB-TM-13: a dialog higher than the pane, and no size that stays.
#[test]
fn in_a_terminal_of_40_by_15_everything_is_answered_and_its_size_stays() {
    let house = by_keys();
    resize(&house, "40", "15");
    answer_everything(&house);
    assert_eq!(size(&house), "40x15");
}

#[test]
fn in_a_terminal_of_200_by_50_everything_is_answered() {
    let house = by_keys();
    resize(&house, "200", "50");
    answer_everything(&house);
    assert_eq!(size(&house), "200x50");
}

#[test]
fn in_a_terminal_of_80_by_24_everything_is_answered_while_somebody_looks_on() {
    let house = by_keys();
    resize(&house, "80", "24");
    attach(&house);
    answer_everything(&house);
    assert_eq!(size(&house), "80x24");
}

/// BB-DG-03: a CLI that takes one key of what it reads at once.
#[test]
fn a_cli_that_stands_still_for_a_while_gets_each_key_once() {
    let house = by_keys_behind_a_shell();
    house.reply("ask all");
    let dialog = wait_for_dialog(&house);
    let chosen =
        json!([{ "selected": [1] }, { "selected": [1] }, { "selected": [1] }, { "selected": [1] }]);
    let sent = answer(&house, &dialog, &chosen);
    assert_eq!(sent.status, 202, "{}", sent.body);
    house.until_screen("the second question", |it| it.contains("Which toppings?"));
    signal(&house, "-STOP");
    std::thread::sleep(Duration::from_secs(4)); // Longer than any key may take.
    signal(&house, "-CONT");
    let receipt = sent.body["id"].as_str().unwrap();
    let end = house.until("the record", |it| {
        it.receipt(receipt)["status"] == "recorded" && it.state() == "needs_input"
    });
    assert_eq!(recorded(&end), ["Blue", "Olives", "Row", "Large, really"]);
}

#[test]
fn a_cli_that_does_not_read_gets_no_second_key_and_the_dialog_stays() {
    let house = by_keys_behind_a_shell();
    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    signal(&house, "-STOP");
    let mut details = Vec::new();
    for _ in 0..2 {
        let sent = answer(&house, &dialog, &json!([{ "selected": [1] }]));
        let receipt = sent.body["id"].as_str().unwrap().to_owned();
        let end = house.until("the failure", |it| it.receipt(&receipt)["status"] == "failed");
        assert_eq!(end.run["pending_dialogs"], 1, "it still waits");
        details.push(end.receipt(&receipt)["detail"].as_str().unwrap().to_owned());
    }
    assert!(details.iter().all(|it| it.contains("does not read")), "{details:?}");
    signal(&house, "-CONT");
    let end = settle(&house, &dialog, &json!([{ "selected": [2] }]));
    assert_eq!(recorded(&end), ["Green"]);
}

#[test]
fn copy_mode_is_left_when_nobody_looks_and_left_alone_when_somebody_does() {
    let house = by_keys();
    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    house.tmux(&["copy-mode", "-t", &house.pane()]);
    let end = settle(&house, &dialog, &json!([{ "selected": [1] }]));
    assert_eq!(recorded(&end), ["Blue"]);

    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    attach(&house);
    house.tmux(&["copy-mode", "-t", &house.pane()]);
    let sent = answer(&house, &dialog, &json!([{ "selected": [1] }]));
    let receipt = sent.body["id"].as_str().unwrap();
    let end = house.until("the failure", |it| it.receipt(receipt)["status"] == "failed");
    assert_eq!(end.run["pending_dialogs"], 1, "it still waits");
    house.tmux(&["send-keys", "-t", &house.pane(), "-X", "cancel"]);
    let end = settle(&house, &dialog, &json!([{ "selected": [2] }]));
    assert_eq!(recorded(&end), ["Green"]);
}

/// BB-DG-09
#[test]
fn browser_and_terminal_at_once_are_both_told_the_truth() {
    let house = by_keys();
    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    house.until_screen("the picker", |it| it.contains("3. Green"));
    let sent = answer(&house, &dialog, &json!([{ "selected": [0] }]));
    house.press("2");
    let receipt = sent.body["id"].as_str().unwrap();
    let end = house.until("the end of both", |it| {
        let status = it.receipt(receipt)["status"].as_str().unwrap_or("");
        ["recorded", "failed"].contains(&status) && it.run["pending_dialogs"] == 0
    });
    let ours = end.receipt(receipt)["status"] == "recorded";
    assert_eq!(recorded(&end), [if ours { "Red" } else { "Blue" }], "{}", end.receipt(receipt));
    assert_eq!(answer(&house, &dialog, &json!([{ "selected": [0] }])).status, 409);
}

#[test]
fn what_the_person_at_the_terminal_is_typing_is_not_sent() {
    let house = by_keys();
    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    house.until_screen("the picker", |it| it.contains("3. Green"));
    house.press("Up"); // From the first row to the field for own words.
    house.until_screen("the field", |it| it.contains("❯ 4."));
    house.tmux(&["send-keys", "-l", "-t", &house.pane(), "not done yet"]);
    house.until_screen("their words", |it| it.contains("not done yet"));
    let sent = answer(&house, &dialog, &json!([{ "other_text": "mine" }]));
    let receipt = sent.body["id"].as_str().unwrap();
    let end = house.until("the failure", |it| it.receipt(receipt)["status"] == "failed");
    assert_eq!(end.run["pending_dialogs"], 1);
    // The terminal has just got its size back, and is drawn anew.
    house.until_screen("their words, as they were", |it| it.contains("❯ 4. not done yet"));
}

#[test]
fn a_dialog_outlives_kill_9_and_is_answered_by_the_keys_of_the_next_life() {
    let mut house = by_keys();
    resize(&house, "40", "15");
    house.reply("ask all");
    let dialog = wait_for_dialog(&house);
    let chosen =
        json!([{ "selected": [1] }, { "selected": [2] }, { "selected": [0] }, { "selected": [0] }]);
    assert_eq!(answer(&house, &dialog, &chosen).status, 202);
    // In the middle of the answer, while the terminal is higher than it was.
    house.until_screen("a key's effect", |it| it.contains("Olives"));
    house.kill_server();
    house.start_again();
    let again = wait_for_dialog(&house);
    assert_eq!(again["id"], dialog["id"], "it is the same dialog");
    let end = settle(&house, &again, &chosen);
    assert_eq!(recorded(&end), ["Blue", "Corn", "Stack", "Small"]);
    assert_eq!(size(&house), "40x15");
}

#[test]
fn of_two_questions_at_once_only_the_one_on_screen_is_answered() {
    let house = by_keys();
    house.reply("two questions");
    let both = house.until("both dialogs", |it| {
        let dialogs = it.page["pending_dialogs"].as_array().unwrap();
        dialogs.len() == 2 && dialogs.iter().all(|it| it["channel"] == "keys")
    });
    let mut dialogs = both.page["pending_dialogs"].as_array().unwrap().clone();
    // Versions differ in which one comes first.
    if !house.screen().contains(dialogs[0]["questions"][0]["text"].as_str().unwrap()) {
        dialogs.reverse();
    }
    let last = |at: usize| {
        let options = dialogs[at]["questions"][0]["options"].as_array().unwrap();
        (json!([{ "selected": [options.len() - 1] }]), options.last().unwrap()["label"].clone())
    };
    let early = answer(&house, &dialogs[1], &last(1).0);
    let receipt = early.body["id"].as_str().unwrap().to_owned();
    let now = house.until("the failure", |it| it.receipt(&receipt)["status"] == "failed");
    assert_eq!(now.run["pending_dialogs"], 2, "nothing was pressed");
    assert_eq!(answer(&house, &dialogs[0], &last(0).0).status, 202);
    house.until("one left", |it| it.run["pending_dialogs"] == 1);
    let end = settle(&house, &dialogs[1], &last(1).0);
    for (at, dialog) in dialogs.iter().enumerate() {
        let message = end.messages().iter().find(|it| it["dialog"]["id"] == dialog["id"]).unwrap();
        assert_eq!(message["dialog"]["outcome"]["answers"][0][1], last(at).1);
    }
}

/// BB-DG-11: the bridge dies while it waits.
#[test]
fn a_dialog_whose_hook_died_is_answered_by_keys_with_all_that_it_offered() {
    let house = House::demo();
    house.reply("write a file");
    let at_the_door =
        house.until("the door", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    let offered = at_the_door.page["pending_dialogs"][0].clone();
    house.until_screen("the permission", |it| it.contains("Do you want to create"));
    kill_asking_hook(&house);
    let dialog = wait_for_dialog(&house);
    assert_eq!((&dialog["id"], &dialog["questions"]), (&offered["id"], &offered["questions"]));
    let labels = dialog["questions"][0]["options"].as_array().unwrap();
    assert_eq!(labels.len(), 3, "once, for longer, and no: {labels:?}");
    settle(&house, &dialog, &json!([{ "selected": [1] }]));
    assert!(house.dir.path().join("state/workspace/live-written.txt").exists());
    // From now on nobody is asked.
    let end = house.exchange("two commands");
    assert_eq!(end.run["permission_mode"], "acceptEdits");
}

/// Ends the process that waits at the door, as a time-out would. It is known by
/// its arguments: `hook SOCKET SPOOL RUN ask`.
fn kill_asking_hook(house: &House) {
    let mut killed = 0;
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(line) = std::fs::read(process.path().join("cmdline")) else { continue };
        let words: Vec<_> = line.split(|it| *it == 0).map(String::from_utf8_lossy).collect();
        if words.iter().any(|it| *it == "ask") && words.iter().any(|it| *it == house.run.as_str()) {
            let pid = process.file_name();
            let status = std::process::Command::new("kill").arg("-9").arg(pid).status();
            assert!(status.unwrap().success());
            killed += 1;
        }
    }
    assert_eq!(killed, 1, "one hook asks");
}
