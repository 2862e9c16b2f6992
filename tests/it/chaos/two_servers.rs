//! Two servers on one state folder would fight over every run.

use std::time::{Duration, Instant};

use crate::house::House;
use crate::stand_in::{StandIn, answered, said};

/// What a second start says. It has to say it at once.
fn refused(house: &House) -> String {
    let begun = Instant::now();
    let second = house.start_beside();
    assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());
    assert_eq!(second.status.code(), Some(1));
    assert!(second.stdout.is_empty(), "it never was ready");
    String::from_utf8(second.stderr).unwrap()
}

#[test]
fn a_second_server_on_a_state_folder_is_refused_and_the_first_goes_on() {
    let mut it = StandIn::start();
    it.write(&[said("one"), answered("before")]);
    it.house.until("the first words", |now| now.texts("assistant") == ["before"]);
    let events = it.house.events(&format!("?run={}", it.house.run), None);
    let told = refused(&it.house);
    let pid = it.house.pid().to_string();
    for part in ["another seamux", &pid, "state", "--state-dir"] {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    // Nothing of the first one was touched: its run, its hooks, its readers.
    it.write(&[said("two"), answered("after")]);
    it.say("Stop", serde_json::json!({}));
    events.up_to("the news", |it| it.data["message"]["text"] == "after");

    // A server that was killed leaves a lock file, and no lock.
    it.house.kill_server();
    it.house.start_again();
    let now = it.house.until("all of it", |now| now.texts("assistant").len() == 2);
    assert_eq!(now.texts("assistant"), ["before", "after"]);
    let told = refused(&it.house);
    assert!(told.contains(&it.house.pid().to_string()), "the new one is named: {told}");
}
