//! Random prompts at random moments: none is lost, none is doubled, each
//! arrives as it was written.
//!
//! `SEAMUX_CHAOS_PROMPTS=1000` makes it long, `SEAMUX_CHAOS_SEED` repeats a run.

use std::collections::BTreeMap;
use std::time::Duration;

use seamux::providers::claude_code::ClaudeCode;
use seamux::seam::AgentProvider;
use serde_json::{Value, json};

use super::dice::{Dice, setting};
use crate::house::House;

/// What a terminal, a shell, a template or a picker could take for something else.
const PIECES: &[&str] = &[
    "word",
    "Enter",
    "C-c",
    "1",
    "2",
    "'single'",
    "\"double\"",
    "`code`",
    "$HOME",
    "#{pid}",
    "\\",
    "/clear",
    "!ls",
    "@src",
    "#tag",
    "--flag",
    ";",
    "%if",
    "~",
    "漢字",
    "👩‍💻",
    "é",
    "naïve",
    "{\"a\":[1]}",
    "<b>&amp;</b>",
    "\n",
    "\n\n",
    "  ",
    "\t",
    "\r\n",
    "\u{1b}[201~",
    "\u{7}",
    "\u{200b}",
    "http://x.y/z?q=1",
    "|",
    "&&",
    "line end \\",
    "ask",
    "0x41",
];

/// Pieces of a text of about 200 KB.
const LONGEST: u64 = 42_000;

fn text(dice: &mut Dice, number: usize) -> String {
    let length = *dice.pick(&[1, 3, 8, 20, 60, 400, 4_000]);
    let mut text = format!("echo p{number}q");
    // Long ones are rare enough to keep the whole affordable.
    let length = match length {
        4_000 if dice.roll(4) > 0 => 20,
        4_000 if dice.roll(5) == 0 => LONGEST,
        length => length,
    };
    for _ in 0..length {
        text.push_str(if dice.roll(3) == 0 { "" } else { " " });
        text.push_str(dice.pick::<&str>(PIECES));
    }
    // The end of a prompt is trimmed and a mention opens a menu; both have tests of their own.
    text.push_str(" end");
    text
}

fn send(house: &House, body: &Value) -> String {
    let answer = house.post(&house.run_path("/reply"), body);
    assert_eq!(answer.status, 202, "{}", answer.body);
    answer.body["id"].as_str().unwrap().to_owned()
}

fn status(house: &House, receipt: &str) -> Value {
    house.get(&house.run_path(&format!("/receipts/{receipt}"))).body
}

/// Waits until it is proven.
fn settled(house: &House, receipt: &str) {
    // 200 KB are minutes of work for a CLI on a busy machine.
    house.until_within(Duration::from_secs(400), receipt, |_| {
        let receipt = status(house, receipt);
        let shown = || format!("{receipt}\n{}\n{}", house.screen(), house.log());
        assert!(receipt["status"] != "failed", "{}", shown());
        receipt["status"] == "recorded"
    });
}

fn keys(house: &House, arguments: &[&str]) {
    let target = format!("={}:", house.run);
    house.tmux(&[&["send-keys", "-t", &target], arguments].concat());
}

/// Every text of a person in the conversation, page by page.
fn all_said(house: &House) -> Vec<String> {
    let (mut said, mut before) = (Vec::new(), None::<String>);
    loop {
        let query = before.map_or(String::new(), |it| format!("&before={it}"));
        let page = house.get(&house.run_path(&format!("/messages?limit=500{query}"))).body;
        let messages = page["messages"].as_array().unwrap();
        let prompts = messages.iter().filter(|it| it["role"] == "user" && it["kind"] == "text");
        for message in prompts {
            let at = message["position"].as_str().unwrap();
            let whole = if message["cut"] == true {
                house.get(&house.run_path(&format!("/messages/{at}"))).body
            } else {
                message.clone()
            };
            said.push(whole["text"].as_str().unwrap().to_owned());
        }
        if page["has_more"] != true {
            return said;
        }
        before = Some(messages[0]["position"].as_str().unwrap().to_owned());
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "a seed that nobody sees can't be played again")]
fn random_prompts_at_random_moments_arrive_exactly_once() {
    let seed = setting("SEAMUX_CHAOS_SEED", u64::from(std::process::id()));
    let prompts = setting("SEAMUX_CHAOS_PROMPTS", 12) as usize;
    println!("SEAMUX_CHAOS_SEED={seed} SEAMUX_CHAOS_PROMPTS={prompts}");
    let mut dice = Dice(seed);
    let mut house = House::demo();
    let mut sent: BTreeMap<String, String> = BTreeMap::new();
    let mut open: Vec<String> = Vec::new();
    let mut moments: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..prompts {
        let text = text(&mut dice, number);
        let body = json!({ "text": text, "client_id": format!("c{number}") });
        let moment =
            *dice.pick(&["at rest", "mid-turn", "draft", "forced", "dialog", "killed", "boot"]);
        *moments.entry(moment).or_default() += 1;
        if matches!(moment, "draft" | "forced" | "boot") {
            // Who types in the very moment in which we do is another test.
            open.drain(..).for_each(|it| settled(&house, &it));
        }
        let receipt = match moment {
            "draft" | "forced" => {
                keys(&house, &["-l", "my own words"]);
                house.until_screen("the draft", |it| it.contains("my own words"));
                let mut body = body.clone();
                body["force"] = json!(moment == "forced");
                let receipt = send(&house, &body);
                if moment == "forced" {
                    settled(&house, &receipt);
                    house.until_screen("the draft again", |it| it.contains("❯\u{a0}my own words"));
                }
                keys(&house, &["C-u"]);
                receipt
            }
            "dialog" => {
                house.reply("ask one");
                let asked = house
                    .until("a question", |it| it.page["pending_dialogs"][0]["channel"] == "live");
                let receipt = send(&house, &body);
                let dialog = &asked.page["pending_dialogs"][0]["id"];
                let answer = json!({ "dialog_id": dialog, "answers": [{ "selected": [1] }] });
                assert_eq!(house.post(&house.run_path("/answer"), &answer).status, 202);
                receipt
            }
            "mid-turn" => {
                house.reply("slow lines");
                house.until("a turn", |it| it.state() == "working");
                send(&house, &body)
            }
            "killed" => {
                let receipt = send(&house, &body);
                std::thread::sleep(Duration::from_millis(dice.roll(250)));
                house.kill_server();
                house.start_again();
                assert_eq!(send(&house, &body), receipt, "the page sends it again");
                receipt
            }
            "boot" => {
                house.until("rest", |it| it.state() == "needs_input");
                assert_eq!(house.post(&house.run_path("/stop"), &json!({})).status, 202);
                house.until("the end", |it| it.state() == "ended");
                assert_eq!(house.post(&house.run_path("/resume"), &json!({})).status, 202);
                std::thread::sleep(Duration::from_millis(dice.roll(900)));
                send(&house, &body)
            }
            _ => send(&house, &body),
        };
        sent.insert(receipt.clone(), text);
        open.push(receipt);
        if dice.roll(2) == 0 || moment != "at rest" {
            open.drain(..).for_each(|it| settled(&house, &it));
        }
    }
    open.drain(..).for_each(|it| settled(&house, &it));
    let said = all_said(&house);
    let provider = ClaudeCode::new();
    let mut wrong = Vec::new();
    for (receipt, text) in &sent {
        let expected = provider.reply(text).unwrap().recorded_as;
        let times = said.iter().filter(|it| **it == expected).count();
        let receipt = status(&house, receipt);
        if times != 1 || receipt["status"] != "recorded" {
            wrong.push(format!("{times} times, {receipt}: {text:?}"));
        }
        // One without anything special arrives as it is, by no rule of ours.
        let plain = !text.contains(|c: char| c.is_control() || c == '\u{200b}');
        assert!(!plain || &expected == text, "{text:?}");
    }
    println!("{prompts} prompts, {moments:?}, wrong: {}", wrong.len());
    assert!(wrong.is_empty(), "seed {seed}\n{}\n{}", wrong.join("\n"), house.log());
}
