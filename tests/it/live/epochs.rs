//! What moves a conversation: a clear, a branch, another folder.

use serde_json::json;

use crate::house::House;

#[test]
fn a_clear_starts_a_new_epoch_and_the_old_one_stays_readable() {
    let house = House::demo();
    let before = house.exchange("echo old words");
    let old = before.run["epoch"].as_str().unwrap().to_owned();
    let receipt = house.reply("/clear");
    let cleared = house.until("the new epoch", |it| it.run["epoch"] != old.as_str());
    assert_eq!(cleared.page["epochs"].as_array().unwrap().len(), 2);
    // The echo of the command must not lock anybody out.
    let cleared = house.until("the proof and rest", |it| {
        it.receipt(&receipt)["status"] == "recorded" && it.state() != "working"
    });
    assert!(!cleared.texts("assistant").contains(&"old words"));
    let after = house.exchange("echo new words");
    assert_eq!(after.texts("assistant"), ["new words"]);
    let path = house.run_path(&format!("/messages?epoch={old}"));
    let text = house.get(&path).body.to_string();
    assert!(text.contains("old words"), "{text}");
}

/// BB-TL-05, with the real CLI.
#[test]
fn two_clears_in_a_row_end_in_the_newest_conversation_and_other_runs_are_not_mixed_in() {
    let mut house = House::demo();
    let first = house.exchange("echo old words");
    let run = house.run.clone();
    house.start_run(&json!({ "provider": "claude-code", "cwd": first.run["cwd"] }));
    house.exchange("echo of another run");
    let other = std::mem::replace(&mut house.run, run);
    house.reply("/clear");
    let second = house.until("the second", |it| it.run["epoch"] != first.run["epoch"]);
    house.reply("/clear");
    house.until("the third", |it| {
        it.page["epochs"].as_array().unwrap().len() == 3 && it.run["epoch"] != second.run["epoch"]
    });
    let after = house.exchange("echo new words");
    assert_eq!(after.texts("assistant"), ["new words"]);
    let epochs = after.page["epochs"].as_array().unwrap();
    let reasons: Vec<_> = epochs.iter().map(|it| it["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["startup", "clear", "clear"]);
    house.run = other;
    assert_eq!(house.exchange("echo unmixed").texts("assistant"), ["of another run", "unmixed"]);
}

#[test]
fn a_branch_is_a_new_epoch_with_the_history_and_the_chat_goes_on_in_it() {
    let house = House::demo();
    let before = house.exchange("echo on the trunk");
    let trunk = before.run["epoch"].clone();
    house.reply("/branch side");
    house.until("the branch, at rest", |it| {
        it.run["epoch"] != trunk
            && it.texts("assistant").contains(&"on the trunk")
            && it.state() != "working"
    });
    let after = house.exchange("echo on the branch");
    assert_eq!(after.texts("assistant")[1..], ["on the trunk", "on the branch"]);
}

#[test]
fn a_conversation_that_moves_to_another_folder_is_followed() {
    let house = House::demo();
    let epoch = house.exchange("echo here").run["epoch"].clone();
    let other = house.dir.path().join("state/home");
    let moved = house.reply(&format!("/cd {}", other.display()));
    house.until("the move", |it| it.receipt(&moved)["status"] == "recorded");
    let after = house.exchange("echo there");
    assert!(after.texts("assistant").contains(&"there"));
    assert_eq!(after.run["epoch"], epoch, "the conversation is the same one");
    assert!(after.texts("assistant").contains(&"here"));
    assert!(after.warnings().is_empty(), "{:?}", after.warnings());
    // BB-TL-09: it can be resumed from that folder only.
    assert_eq!(house.post(&house.run_path("/stop"), &json!({})).status, 202);
    house.until("the end", |it| it.state() == "ended");
    assert_eq!(house.post(&house.run_path("/resume"), &json!({})).status, 202);
    let after = house.exchange("echo there again");
    assert_eq!(after.run["cwd"], other.canonicalize().unwrap().to_str().unwrap());
    assert_eq!(after.run["epoch"], epoch);
    assert!(after.texts("assistant").contains(&"here"));
}
