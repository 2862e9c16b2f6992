//! A CLI can show what was said before in its composer once more. It is
//! nobody's draft, and what is typed next stays whole.

use serde_json::json;

use crate::house::House;

fn keys(house: &House, arguments: &[&str]) {
    let target = format!("={}:", house.run);
    house.tmux(&[&["send-keys", "-t", &target], arguments].concat());
}

fn send_and_see(house: &House, text: &str) {
    let answer = house.post(&house.run_path("/reply"), &json!({ "text": text }));
    assert_eq!(answer.status, 202, "{}", answer.body);
    let id = answer.body["id"].as_str().unwrap();
    house.until("the proof", |it| it.receipt(id)["status"] == "recorded");
}

#[test]
fn what_was_said_and_stands_in_the_composer_again_is_cleared_wherever_the_cursor_is() {
    let house = House::demo();
    for cursor in ["C-a", "C-e"] {
        house.exchange("echo said before");
        keys(&house, &["-l", "echo said before"]);
        house.until_screen("the words again", |it| it.contains("❯\u{a0}echo said before"));
        keys(&house, &[cursor]);
        let next = format!("echo the next after {cursor}");
        send_and_see(&house, &next);
        let end = house.until("the answer", |it| it.state() == "needs_input");
        assert_eq!(end.texts("user").last(), Some(&next.as_str()));
    }
}

#[test]
fn what_was_said_is_cleared_if_it_is_taller_than_the_screen() {
    let house = House::demo();
    let tall: Vec<String> = (0..60).map(|n| format!("line {n} of many")).collect();
    let tall = format!("echo {}", tall.join("\n"));
    house.exchange(&tall);
    // As the CLI itself would show it: brought back from its history.
    keys(&house, &["Up"]);
    house.until_screen("the words again", |it| {
        let composer = it.rsplit('─').nth(1).is_some();
        composer && it.matches("line 59 of many").count() > 0 && !it.contains("❯")
    });
    send_and_see(&house, "echo the next");
    let end = house.until("the answer", |it| it.state() == "needs_input");
    assert_eq!(end.texts("user").last(), Some(&"echo the next"));
}
