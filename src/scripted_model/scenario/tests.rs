#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use super::Scenario;

fn complaint(text: &str) -> String {
    Scenario::from_toml("x.toml", text).unwrap_err().to_string()
}

#[test]
fn the_built_in_scenarios_are_good() {
    assert!(Scenario::demo().rules.len() > 20);
    let live = include_str!("../../../compat/scenarios/live.toml");
    let live = Scenario::from_toml("compat/scenarios/live.toml", live).unwrap();
    let demo_starts = live.rules.iter().position(|it| it.name == "echo").unwrap();
    assert!(
        live.rules[..demo_starts]
            .iter()
            .any(|it| it.name == "fail 429"),
        "own rules go first"
    );
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
    insta::assert_snapshot!(all.map(|it| complaint(&it)).join("\n"), @"");
}

#[test]
fn a_rule_without_a_name_is_called_by_its_line() {
    let scenario =
        Scenario::from_toml("x.toml", "\n\n[[rule]]\nblocks = [{ text = \"{{cwd}}\" }]").unwrap();
    assert_eq!(scenario.rules[0].name, "x.toml:3");
}
