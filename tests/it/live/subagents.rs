//! Subagents: what they say and do, while they work and afterwards.

use serde_json::{Value, json};

use crate::house::{Conversation, House};

/// The card of the first subagent.
fn card(seen: &Conversation) -> Option<&Value> {
    seen.tools().into_iter().find(|it| it["view"]["type"] == "subagent")
}

fn thread(house: &House, agent: &str) -> Vec<Value> {
    let thread = house.get(&house.run_path(&format!("/subagents/{agent}/messages")));
    assert_eq!(thread.status, 200, "{}", thread.body);
    thread.body["messages"].as_array().unwrap().clone()
}

#[test]
fn a_subagents_conversation_is_readable_under_its_tool_call() {
    let house = House::demo();
    let end = house.exchange("use a subagent");
    let tools = end.tools();
    let card = tools.iter().find(|it| it["view"]["type"] == "subagent").unwrap();
    let agent = card["view"]["agent"].as_str().unwrap();
    let thread = house.get(&house.run_path(&format!("/subagents/{agent}/messages")));
    assert_eq!(thread.status, 200, "{}", thread.body);
    let messages = thread.body["messages"].as_array().unwrap();
    assert!(messages.iter().any(|it| it["tool"]["status"] == "ok"), "{messages:#?}");
    assert!(messages.iter().any(|it| it["role"] == "assistant" && it["text"].is_string()));
    for made_up in ["nobody", "..%2F..%2Fx"] {
        let none = house.get(&house.run_path(&format!("/subagents/{made_up}/messages")));
        assert_eq!((none.status, &none.body["code"]), (404, &json!("agent_not_found")));
    }
}

#[test]
fn a_subagent_that_works_is_known_at_once_and_its_conversation_grows_under_its_card() {
    let mut house = House::demo();
    house.reply("slow subagent");
    let working = house
        .until("the agent's name", |it| card(it).is_some_and(|it| it["view"]["agent"].is_string()));
    let agent = card(&working).unwrap()["view"]["agent"].as_str().unwrap().to_owned();
    let ends = |words: &[Value]| words.iter().any(|it| it["text"] == "I have taken my time.");
    house.until("its first tool", |_| {
        thread(&house, &agent).iter().any(|it| it["tool"]["status"] == "ok")
    });
    assert!(!ends(&thread(&house, &agent)), "it works on");
    // A server that comes in the middle finds its name again.
    house.kill_server();
    house.start_again();
    house.until("the name again", |it| {
        card(it).is_some_and(|it| it["view"]["agent"] == agent.as_str())
    });
    let end = house.until("the end", |it| {
        card(it).is_some_and(|it| it["status"] == "ok") && ends(&thread(&house, &agent))
    });
    assert_eq!(card(&end).unwrap()["view"]["agent"], agent.as_str());
}

#[test]
fn a_long_body_of_a_subagent_is_cut_in_its_thread_and_whole_alone() {
    let house = House::demo();
    let folder = house.conversation().run["cwd"].as_str().unwrap().to_owned();
    let book: String = (0..1_800).map(|it| format!("line {it:05}\n")).collect();
    std::fs::write(format!("{folder}/book.txt"), &book).unwrap();
    let end = house.exchange("reading subagent");
    let agent = card(&end).unwrap()["view"]["agent"].as_str().unwrap().to_owned();
    let words = thread(&house, &agent);
    let cut = words.iter().find(|it| it["cut"] == true).unwrap();
    assert!(cut["tool"]["output"].as_str().unwrap().len() < book.len());
    let at = cut["position"].as_str().unwrap();
    let path = |at: &str| house.run_path(&format!("/subagents/{agent}/messages/{at}"));
    let whole = house.get(&path(at));
    assert_eq!(whole.status, 200, "{}", whole.body);
    assert_eq!(whole.body["tool"]["output"].as_str().unwrap().trim(), book.trim());
    assert_eq!(whole.body["cut"], Value::Null);
    for (at, code) in [("1.7", "message_not_found"), ("x", "invalid_position")] {
        assert_eq!(house.get(&path(at)).body["code"], code);
    }
}
