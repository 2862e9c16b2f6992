//! An account that has used up what it may use.

use serde_json::{Value, json};

use crate::house::{Conversation, House};

fn later(house: &House, text: &str) -> String {
    let body = json!({ "text": text, "when": "after_turn" });
    let sent = house.post(&house.run_path("/reply"), &body);
    assert_eq!(sent.status, 202, "{}", sent.body);
    sent.body["id"].as_str().unwrap().to_owned()
}

fn held<'a>(seen: &'a Conversation, entry: &str) -> &'a Value {
    let queued = seen.page["queued"].as_array().unwrap();
    queued.iter().find(|it| it["id"] == entry).unwrap_or(&Value::Null)
}

/// BB-SD-07
#[test]
fn at_a_usage_limit_what_waits_for_the_turn_is_kept_until_a_turn_succeeds() {
    let mut house = House::demo();
    house.reply("use it all up");
    let seen = house.until("the limit", |it| {
        it.warnings().contains(&"usage_limit") && it.state() == "needs_input"
    });
    let warning = seen.run["warnings"][0]["message"].as_str().unwrap();
    assert!(warning.contains("limit reached, resets 4pm (UTC)"), "{warning}");
    assert!(seen.messages().iter().any(|it| it["error"] == "rate_limit"));

    let entry = later(&house, "echo later");
    let is_blocked = |it: &Conversation| held(it, &entry)["cause"] == "blocked";
    let seen = house.until("the reason", is_blocked);
    assert!(held(&seen, &entry)["reason"].as_str().unwrap().contains("usage limit"));

    house.kill_server();
    house.start_again();
    let seen = house.until("the reason, in the next life", is_blocked);
    assert!(seen.warnings().contains(&"usage_limit"));

    // A person who sends something now knows better; what waited goes out behind it.
    let end = house.exchange("echo now");
    assert!(end.texts("assistant").contains(&"now"));
    let end = house.until("what waited", |it| {
        it.receipt(&entry)["status"] == "recorded" && it.state() == "needs_input"
    });
    assert_eq!(end.texts("user").last(), Some(&"echo later"));
    assert!(end.warnings().is_empty(), "{:?}", end.warnings());
}

#[test]
fn one_that_is_kept_at_a_limit_goes_out_when_a_person_says_now() {
    let house = House::demo();
    house.reply("use it all up");
    house.until("the limit", |it| it.warnings().contains(&"usage_limit"));
    let entry = later(&house, "echo at once");
    house.until("the reason", |it| held(it, &entry)["cause"] == "blocked");
    let path = house.run_path(&format!("/queue/{entry}"));
    let edited = house.send_json("PATCH", &path, &json!({ "when": "now" }));
    assert_eq!(edited.status, 200, "{}", edited.body);
    let end = house.until("it", |it| it.receipt(&entry)["status"] == "recorded");
    assert_eq!(end.texts("user").last(), Some(&"echo at once"));
}
