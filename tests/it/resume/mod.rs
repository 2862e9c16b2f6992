//! The contract of the event stream: whoever resumes where they were cut off
//! shows, byte for byte, what somebody shows who begins now.
//!
//! `SEAMUX_CUTS=1000 SEAMUX_SEED=7` makes it longer and another one.

mod client;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::House;
use crate::live::{Dice, setting};
use crate::stand_in::{StandIn, answered, call, said};
use client::Client;

/// What makes changes of every kind while the client is cut off.
struct Load {
    dice: Dice,
    number: u64,
    open_calls: Vec<String>,
    held: Vec<String>,
}

impl Load {
    fn step(&mut self, it: &StandIn) {
        self.number += 1;
        let number = self.number;
        match self.dice.roll(12) {
            0..3 => it.write(&[said(&format!("please do {number}"))]),
            3..6 => it.write(&[answered(&format!("done {number}, {}", "at length ".repeat(40)))]),
            6 => {
                let id = format!("t{number}");
                it.write(&[call(&id)]);
                self.open_calls.push(id);
            }
            7 => {
                if let Some(id) = self.open_calls.pop() {
                    it.write(&[json!({ "type": "user", "message": { "content": [
                        { "type": "tool_result", "tool_use_id": id, "content": format!("result {number}") }
                    ] } })]);
                }
            }
            8 => {
                let body = json!({ "title": format!("Title {number}") });
                it.house.send_json("PATCH", &it.house.run_path(""), &body);
            }
            9 => {
                let body = json!({ "text": format!("held {number}"), "when": "after_turn" });
                let receipt = it.house.post(&it.house.run_path("/reply"), &body).body;
                self.held.extend(receipt["id"].as_str().map(Into::into));
            }
            10 => {
                if let Some(id) = self.held.pop() {
                    let path = it.house.run_path(&format!("/queue/{id}"));
                    it.house.send("DELETE", &path, None, &[("authorization", &it.house.bearer())]);
                }
            }
            _ => self.ask(it),
        }
    }

    /// A dialog that comes and goes.
    fn ask(&mut self, it: &StandIn) {
        let input = json!({ "command": format!("rm {}", self.number) });
        let call = json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": self.number.to_string() });
        it.say("PreToolUse", call);
        it.list(&it.epoch, "waiting");
        let mut asking =
            it.hook("PermissionRequest", json!({ "tool_name": "Bash", "tool_input": input }));
        it.house.until("the question", |now| now.run["pending_dialogs"] != 0);
        asking.kill().unwrap();
        asking.wait().unwrap();
        it.list(&it.epoch, "busy");
    }
}

#[test]
fn a_client_that_is_cut_off_anywhere_shows_what_a_fresh_one_shows() {
    let cuts = setting("SEAMUX_CUTS", 100);
    let seed = setting("SEAMUX_SEED", 1);
    let it = StandIn::start();
    it.say("UserPromptSubmit", json!({ "prompt": "go" }));
    it.list(&it.epoch, "busy");
    let mut load = Load { dice: Dice(seed), number: 0, open_calls: Vec::new(), held: Vec::new() };
    let mut dice = Dice(seed ^ 0x5eed);
    let mut client = Client::of(&it.house);
    for _ in 0..cuts.div_ceil(10) {
        let steps = 5 + dice.roll(20);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| (0..steps).for_each(|_| load.step(&it)));
            for _ in 0..10 {
                // The head of the answer is some 600 bytes of it.
                client.follow(&it.house, 500 + dice.roll(6000) as usize);
            }
            writer.join().unwrap();
        });
        client.expect_caught_up(&it.house);
    }
    assert!(client.events > cuts as usize / 2, "{} events are no load", client.events);
    assert_eq!(client.resyncs, 0, "nothing happened that could not be told one by one");
}

#[test]
fn a_stream_without_a_cursor_tells_of_every_run_however_it_is_cut() {
    let mut it = StandIn::start();
    let folder = it.house.dir.path().to_owned();
    for _ in 0..4 {
        it.house.start_run(&json!({ "provider": "claude-code", "cwd": folder }));
    }
    let ids = |runs: &Value| -> Vec<String> {
        let mut ids: Vec<_> =
            runs["runs"].as_array().unwrap().iter().map(|it| it["id"].to_string()).collect();
        ids.sort();
        ids
    };
    let all = ids(&it.house.get("/api/v1/runs").body);
    assert_eq!(all.len(), 5);
    for bytes in (500..6000).step_by(150) {
        let mut client = Client::default();
        client.follow(&it.house, bytes);
        client.follow(&it.house, usize::MAX);
        let told: Vec<_> = client.runs.keys().map(|it| json!(it).to_string()).collect();
        assert_eq!(told, all, "cut after {bytes} bytes");
    }
}

#[test]
fn readers_that_never_read_hold_nobody_up() {
    let it = StandIn::start();
    let stalled: Vec<_> = (0..100).map(|_| client::stall(&it.house)).collect();
    let reader = it.house.events(&format!("?run={}", it.house.run), None);
    let began = Instant::now();
    // More than what is held for a reader that never comes for it.
    for number in 0..300 {
        it.write(&[answered(&format!("{number} {}", "at great length ".repeat(500)))]);
    }
    reader.up_to("the last one", |event| {
        let text = event.data["message"]["text"].as_str();
        event.name == "message.upsert" && text.is_some_and(|it| it.starts_with("299 "))
    });
    assert!(began.elapsed() < Duration::from_secs(20), "it took {:?}", began.elapsed());
    let asked = Instant::now();
    assert_eq!(it.house.get(&it.house.run_path("")).status, 200);
    assert!(asked.elapsed() < Duration::from_secs(2), "a request took {:?}", asked.elapsed());
    drop(stalled);
}

#[test]
fn a_cursor_of_another_life_is_told_to_begin_anew() {
    let mut it = StandIn::start();
    it.write(&[said("one")]);
    it.house.until("the first", |now| now.texts("user") == ["one"]);
    let mut client = Client::of(&it.house);
    restart(&mut it.house);
    it.write(&[said("two")]);
    it.house.until("the second", |now| now.texts("user").len() == 2);
    client.expect_caught_up(&it.house);
    assert_eq!(client.resyncs, 1);
}

fn restart(house: &mut House) {
    house.kill_server();
    house.start_again();
}
