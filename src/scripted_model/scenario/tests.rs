#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use super::{Block, Scenario};
use crate::scripted_model::play;
use crate::scripted_model::situation::{Purpose, Situation, ToolResult};

fn complaint(text: &str) -> String {
    Scenario::from_toml("x.toml", text).unwrap_err().to_string()
}

#[test]
fn the_built_in_scenarios_are_good() {
    assert!(Scenario::demo().rules.len() > 20);
    let live = include_str!("../../../compat/scenarios/live.toml");
    let live = Scenario::from_toml("compat/scenarios/live.toml", live).unwrap();
    let demo_starts = live.rules.iter().position(|it| it.name == "echo").unwrap();
    assert!(live.rules[..demo_starts].iter().any(|it| it.name == "fail 429"), "own rules go first");
    assert_eq!(live.rules.last().unwrap().name, "menu");
}

#[test]
fn every_complaint_names_the_line() {
    let rule = "[[rule]]\nname = \"a\"\n";
    let all = [
        format!("{rule}promt = 'x'\nblocks = [{{ text = \"x\" }}]"),
        format!("{rule}prompt = '('\nblocks = [{{ text = \"x\" }}]"),
        format!("{rule}blocks = [\n  {{ text = \"x\" }},\n  {{ text = \"{{txt}}\" }},\n]"),
        format!("{rule}blocks = [\n  {{ tool = \"A\", input = {{ a = [\"{{b}}\"] }} }},\n]"),
        format!("{rule}blocks = [\n  {{ text = \"x\", thinking = \"y\" }},\n]"),
        format!("{rule}blocks = [{{ tool = \"A\", input = 1 }}]"),
        format!("{rule}step = 1\nblocks = [{{ text = \"x\" }}]"),
        format!("{rule}says = \"a\"\nprompt = 'a'\nblocks = [{{ text = \"x\" }}]"),
        format!("\n{rule}error = {{ status = 529, times = 1 }}"),
        format!("{rule}error = {{ status = 418 }}"),
        "\ninclude = \"dmeo\"".to_owned(),
        "delay_ms = = 3".to_owned(),
    ];
    insta::assert_snapshot!(all.map(|it| complaint(&it)).join("\n"), @r#"
    x.toml:3: unknown field `promt`, expected one of `name`, `says`, `prompt`, `tool`, `step`, `failed`, `result`, `plan_mode`, `plan_file`, `offers`, `lacks`, `notification`, `blocks`, `error`, `cut`, `before_ms`, `delay_ms`, `stop_reason`, `usage`
    x.toml:3: regex parse error:
        (
        ^
    error: unclosed group
    x.toml:5: unknown placeholder `{txt}`; known: cwd, plan_file, prompt, result
    x.toml:4: unknown placeholder `{b}`; known: cwd, plan_file, prompt, result
    x.toml:4: a block has one of `text`, `thinking`, or `tool` with an optional `input`
    x.toml:3: a tool's `input` is a table, or a text with JSON
    x.toml:1: `step`, `failed` and `result` need a `tool`
    x.toml:1: a rule has either `says` or `prompt`
    x.toml:2: a rule needs `blocks`, unless its `error` has no `times`
    x.toml:3: status 418 is none of [400, 401, 403, 404, 413, 429, 500, 529]
    x.toml:2: there is no built-in scenario `dmeo`, only `demo`
    x.toml:1: extra `=`, expected nothing
    "#);
}

#[test]
fn the_long_answer_of_the_demo_takes_12_to_16_seconds() {
    let demo = Scenario::demo();
    let rule = demo.rules.iter().find(|it| it.name == "stream a long answer").unwrap();
    assert!(matches!(rule.blocks.as_slice(), [Block::Text(_)]));
    let words = rule.texts["long_answer"].split_whitespace().count();
    let seconds = rule.delay.as_secs_f64() * words as f64;
    assert!((12.0..16.0).contains(&seconds), "{seconds}");
}

#[test]
fn rules_that_feed_each_other_come_to_an_end() {
    let text = "[[rule]]\ntool = \"*\"\nblocks = [{ tool = \"Bash\" }]";
    let scenario = Scenario::from_toml("x.toml", text).unwrap();
    let result = ToolResult { tool: "Bash".into(), text: "ok".into(), failed: false };
    let at = |step| Situation {
        purpose: Purpose::Turn,
        prompt: "go".into(),
        notification: false,
        results: vec![result.clone()],
        waiting: Vec::new(),
        step,
        plan_mode: false,
        plan_file: None,
        cwd: None,
        tools: vec!["Bash".into()],
        prompt_key: 0,
    };
    assert!(play::find(&scenario, &at(25)).is_some());
    assert!(play::find(&scenario, &at(26)).is_none());
}

#[test]
fn a_rule_without_a_name_is_called_by_its_line() {
    let scenario =
        Scenario::from_toml("x.toml", "\n\n[[rule]]\nblocks = [{ text = \"{{cwd}}\" }]").unwrap();
    assert_eq!(scenario.rules[0].name, "x.toml:3");
}
