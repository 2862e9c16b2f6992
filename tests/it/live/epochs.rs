//! What moves a conversation: a clear, a branch, another folder.

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
    house.reply(&format!("/cd {}", other.display()));
    // The CLI asks whether the folder is trusted; that is a person's to answer.
    house.until("the question", |it| it.state() == "question");
    let held = house.reply("echo there");
    house.until("the reply is held", |it| it.receipt(&held)["status"] == "queued");
    house.press("Down");
    house.until_screen("the second row", |it| {
        it.lines().any(|line| line.trim_start().starts_with('❯') && line.contains("Yes"))
    });
    house.press_until_gone("Enter", "Is this a directory you created");
    let after = house.until("the answer from there", |it| it.texts("assistant").contains(&"there"));
    assert_eq!(after.run["epoch"], epoch, "the conversation is the same one");
    assert!(after.texts("assistant").contains(&"here"));
    assert!(after.warnings().is_empty(), "{:?}", after.warnings());
}
