//! Screens of the CLI that are no dialog of ours.

use crate::house::House;

/// Opens a menu as a person does.
fn open(house: &House, command: &str, title: &str) {
    house.tmux(&["send-keys", "-l", "-t", &house.pane(), command]);
    house.until_screen("the command", |it| it.contains(command));
    house.press("Enter");
    house.until_screen("the menu", |it| it.contains(title));
}

#[test]
fn a_menu_in_the_terminal_is_told_at_once_and_nothing_is_typed_into_it() {
    let house = House::demo();
    open(&house, "/model", "Select model");
    let seen = house.until("the warning", |it| it.warnings().contains(&"terminal_dialog"));
    assert_eq!((seen.state(), seen.run["pending_dialogs"].as_u64()), ("question", Some(0)));
    let held = house.reply("echo 3 after the menu");
    let seen = house.until("the reply is held", |it| it.receipt(&held)["status"] == "queued");
    let reason = seen.receipt(&held)["detail"].as_str().unwrap();
    assert!(reason.contains("dialog"), "{reason}");
    assert!(house.screen().contains("Select model"), "{}", house.screen());
    house.press_until_gone("Escape", "Select model");
    let end = house.until("the held reply", |it| {
        it.texts("assistant").contains(&"3 after the menu") && it.state() == "needs_input"
    });
    assert!(end.warnings().is_empty(), "{:?}", end.warnings());
}
