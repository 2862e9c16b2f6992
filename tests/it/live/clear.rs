//! A cleared conversation.

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
