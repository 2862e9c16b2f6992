//! What a person changes in the session itself: the permission mode, the model, what
//! goes with a prompt.

use serde_json::{Value, json};

use crate::house::{Conversation, House};

fn key(house: &House, name: &str) {
    house.tmux(&["send-keys", "-t", &format!("={}:", house.run), name]);
}

fn type_in(house: &House, text: &str) {
    house.tmux(&["send-keys", "-l", "-t", &format!("={}:", house.run), text]);
}

fn modes(seen: &Conversation) -> Vec<&str> {
    seen.messages().iter().filter_map(|it| it["permission_mode"].as_str()).collect()
}

#[test]
fn a_mode_that_is_changed_in_the_terminal_is_the_runs_mode_from_the_next_prompt_on() {
    let house = House::demo();
    house.exchange("echo one");
    key(&house, "BTab");
    house.until_screen("the other mode", |it| it.contains("accept edits on"));
    let after = house.exchange("echo two");
    assert_eq!(after.run["permission_mode"], "acceptEdits");
    assert_eq!(modes(&after), ["default", "default", "acceptEdits"]);
}

#[test]
fn a_model_that_is_changed_in_the_session_is_the_runs_model_and_one_row_says_so() {
    let house = House::demo();
    let before = house.exchange("echo one");
    type_in(&house, "/model haiku");
    house.until_screen("the command", |it| it.contains("/model haiku"));
    key(&house, "Enter");
    // It asks first whether the conversation should go on with another model.
    let is_row = |it: &&Value| it["lifecycle"]["event"] == "model_changed";
    let rows = |it: &Conversation| it.messages().iter().filter(is_row).count();
    house.until_screen("the switch, or a question about it", |it| {
        it.contains("Set model to") || it.contains("Yes, switch")
    });
    if house.screen().contains("Yes, switch") {
        key(&house, "Enter");
    }
    house.until("the row", |it| rows(it) == 1);
    let after = house.exchange("echo two");
    let model = after.run["model"].as_str().unwrap();
    assert!(model.contains("haiku"), "{model}");
    assert_ne!(after.run["model"], before.run["model"]);
    assert_eq!(rows(&after), 1);
    assert_eq!(after.run["context_usage"]["limit"], 200_000);
}

/// The record leaves out that a model is the one with the large window. A restart of
/// seamux and a resume of the run remember it.
#[test]
fn the_limit_of_the_context_is_that_of_the_model_that_was_chosen() {
    let mut house = House::demo();
    let cwd = house.conversation().run["cwd"].clone();
    let limit = |it: &Conversation| it.run["context_usage"]["limit"].clone();
    for (model, size) in [("claude-opus-4-8[1m]", 1_000_000), ("claude-haiku-4-5", 200_000)] {
        house.start_run(&json!({ "provider": "claude-code", "cwd": cwd, "model": model }));
        let now = house.exchange("echo how large");
        // The newer CLI takes the mark off this model by itself, and shows it without.
        let taken_off =
            now.run["model"] == "claude-opus-4-8" && now.run["cli_version"] != "2.1.198";
        let (model, size) = if taken_off { ("claude-opus-4-8", 200_000) } else { (model, size) };
        assert_eq!((&now.run["model"], limit(&now)), (&json!(model), json!(size)));
        let (run, other) = (house.run.clone(), now.run["model"].clone());
        house.kill_server();
        house.start_again();
        house.run = run;
        let now = house.until("the usage", |it| !limit(it).is_null());
        assert_eq!((&now.run["model"], limit(&now)), (&other, json!(size)));
        assert_eq!(house.post(&house.run_path("/stop"), &json!({})).status, 202);
        house.until("the end", |it| it.state() == "ended");
        assert_eq!(house.post(&house.run_path("/resume"), &json!({})).status, 202);
        let now = house.exchange("echo still as large");
        assert_eq!((&now.run["model"], limit(&now)), (&other, json!(size)));
    }
}

#[test]
fn images_and_files_of_a_prompt_are_named_and_not_held() {
    let house = House::demo();
    let folder = house.conversation().run["cwd"].as_str().unwrap().to_owned();
    let image = std::fs::read(crate::house::repo().join("docs/img/phone.png")).unwrap();
    std::fs::write(format!("{folder}/shot.png"), &image).unwrap();
    // A path that is pasted becomes the image itself.
    let target = format!("={}:", house.run);
    house.tmux(&["set-buffer", "-b", "image", &format!("{folder}/shot.png")]);
    house.tmux(&["paste-buffer", "-p", "-d", "-b", "image", "-t", &target]);
    house.until_screen("the image", |it| it.contains("[Image #1]"));
    type_in(&house, " echo an image");
    key(&house, "Enter");
    let seen = house.until("the image", |it| it.texts("user").len() == 2);
    let prompt = seen.messages().iter().rfind(|it| it["role"] == "user").unwrap();
    assert!(prompt["text"].as_str().unwrap().ends_with("echo an image"), "{prompt}");
    let attached = &prompt["attachments"][0];
    assert_eq!((&attached["kind"], &attached["mime"]), (&json!("image"), &json!("image/png")));
    assert!(attached["bytes"].as_u64().unwrap() > 0, "{attached}");
    assert!(prompt.to_string().len() < 1000, "what it holds is not sent along");
    house.until("rest", |it| it.state() == "needs_input");

    let receipt = house.reply("echo look at @demo-notes.md");
    let seen = house.until("the file", |it| {
        it.receipt(&receipt)["status"] == "recorded" && it.state() == "needs_input"
    });
    let files: Vec<_> = seen
        .messages()
        .iter()
        .filter_map(|it| it["attachments"].as_array())
        .flatten()
        .filter(|it| it["kind"] == "file")
        .collect();
    assert_eq!(files.len(), 1, "{files:#?}");
    assert_eq!(files[0]["name"], "demo-notes.md");
    let size = std::fs::metadata(format!("{folder}/demo-notes.md")).unwrap().len();
    assert_eq!(files[0]["bytes"], size);
}
