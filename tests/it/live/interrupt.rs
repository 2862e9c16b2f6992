//! Breaking a turn off.

use serde_json::json;

use crate::house::House;

fn interrupt(house: &House) -> String {
    let answer = house.post(&house.run_path("/interrupt"), &json!({}));
    assert_eq!(answer.status, 202, "{}", answer.body);
    answer.body["id"].as_str().unwrap().to_owned()
}

#[test]
fn an_interrupt_in_the_middle_of_an_answer_ends_the_turn_and_the_run_goes_on() {
    let house = House::demo();
    house.reply("slow lines");
    house.until("streamed text", |it| !it.page["tail"].is_null());
    let receipt = interrupt(&house);
    let end = house.until("the turn's end", |it| {
        it.receipt(&receipt)["status"] == "recorded" && it.state() == "needs_input"
    });
    assert!(end.messages().iter().any(|it| it["lifecycle"]["event"] == "interrupted"), "{end:#?}");
    assert!(end.page["tail"].is_null());
    assert!(house.exchange("echo still here").texts("assistant").contains(&"still here"));
}

#[test]
fn an_interrupt_of_a_running_tool_cancels_it() {
    let house = House::demo();
    house.reply("endless tool");
    let asked = house.until("the question", |it| it.run["pending_dialogs"] == 1);
    let dialog = &asked.page["pending_dialogs"][0];
    let body = json!({ "dialog_id": dialog["id"], "answers": [{ "selected": [0] }] });
    assert_eq!(house.post(&house.run_path("/answer"), &body).status, 202);
    house.until("work", |it| it.state() == "working");
    let receipt = interrupt(&house);
    let end = house.until("the turn's end", |it| {
        it.receipt(&receipt)["status"] == "recorded" && it.state() == "needs_input"
    });
    assert_eq!(end.tools()[0]["status"], "cancelled", "{end:#?}");
}

#[test]
fn an_interrupt_in_the_moment_of_an_answer_stops_the_agent_all_the_same() {
    let house = House::demo();
    house.reply("endless tool");
    let asked =
        house.until("the question", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    let dialog = &asked.page["pending_dialogs"][0];
    let body = json!({ "dialog_id": dialog["id"], "answers": [{ "selected": [0] }] });
    assert_eq!(house.post(&house.run_path("/answer"), &body).status, 202);
    let receipt = interrupt(&house);
    let end = house.until("the turn's end", |it| {
        it.receipt(&receipt)["status"] == "recorded" && it.state() == "needs_input"
    });
    assert_eq!(end.tools()[0]["status"], "cancelled", "{end:#?}");
    assert!(house.exchange("echo still here").texts("assistant").contains(&"still here"));
}

#[test]
fn an_interrupt_before_the_first_word_leaves_a_clean_composer() {
    let house = House::demo();
    let prompt = house.reply("late answer");
    house
        .until("work", |it| it.state() == "working" && it.receipt(&prompt)["status"] == "recorded");
    let receipt = interrupt(&house);
    house.until("the proof", |it| it.receipt(&receipt)["status"] == "recorded");
    // The CLI puts the prompt back into its composer; the next reply must not
    // be appended to it.
    let end = house.exchange("echo alone");
    assert_eq!(end.texts("user").last(), Some(&"echo alone"));
    assert!(end.texts("assistant").contains(&"alone"));
}

#[test]
fn an_interrupt_when_nothing_runs_presses_no_key() {
    let house = House::demo();
    let receipt = interrupt(&house);
    let now = house.conversation();
    assert_eq!(now.receipt(&receipt)["status"], "failed");
    assert!(now.receipt(&receipt)["detail"].as_str().unwrap().contains("nothing is running"));
    assert!(house.exchange("echo fine").texts("assistant").contains(&"fine"));
}
