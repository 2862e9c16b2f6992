//! What a person types is what the CLI records, byte for byte.

use crate::house::House;

#[test]
fn texts_that_a_terminal_would_act_on_arrive_as_texts() {
    let house = House::demo();
    let long = "a line with some words in it\n".repeat(60) + "the end";
    let cases: &[(&str, &str)] = &[
        ("!echo not a shell command", " !echo not a shell command"),
        ("ends with a backslash \\", "ends with a backslash \\"),
        ("see @demo", "see @demo"),
        ("/tmp/foo is a path", "/tmp/foo is a path"),
        ("# a heading", "# a heading"),
        ("tab\there", "tab    here"),
        ("windows\r\nlines", "windows\nlines"),
        ("hidden \u{202e}marks\u{200b} and \u{1b}[201~escapes", "hidden marks and [201~escapes"),
        ("emoji 👩‍💻 and 漢字 and e\u{301}", "emoji 👩‍💻 and 漢字 and \u{e9}"),
        ("quotes ' \" ` $HOME #{x} ; \\; %1", "quotes ' \" ` $HOME #{x} ; \\; %1"),
        ("  two spaces before, none after  ", "  two spaces before, none after"),
        (&long, &long),
    ];
    for (sent, recorded) in cases {
        let end = house.exchange(sent);
        assert_eq!(end.texts("user").last(), Some(recorded), "sent {sent:?}");
    }
}

#[test]
fn a_text_of_100_kb_arrives_whole() {
    let house = House::demo();
    let long: String =
        (0..2_000).map(|n| format!("line {n} of a long text, with words\n")).collect();
    let long = long.trim_end();
    assert!(long.len() > 70_000);
    let end = house.exchange(long);
    let recorded = end.texts("user").last().copied().unwrap();
    // A page shows it whole: prose of this size is not cut.
    assert_eq!(recorded.len(), long.len());
    assert!(recorded == long);
}

#[test]
fn a_first_message_that_looks_like_a_flag_is_a_message() {
    let mut house = House::demo();
    let cwd = house.dir.path().join("state/workspace");
    house.start_run(&serde_json::json!({
        "provider": "claude-code", "cwd": cwd, "prompt": "--version please",
    }));
    let end = house.until("the answer", |it| it.state() == "needs_input");
    assert_eq!(end.texts("user"), ["--version please"]);
}

#[test]
fn a_first_message_longer_than_an_argument_is_typed_once_the_cli_is_ready() {
    let mut house = House::demo();
    let cwd = house.dir.path().join("state/workspace");
    // Few lines, since each costs the CLI a drawing of all: docs/reliability.md, known limits.
    let long = ("words and words ".repeat(40) + "end\n").repeat(200);
    assert!(long.len() > 128_000);
    house.start_run(&serde_json::json!({ "provider": "claude-code", "cwd": cwd, "prompt": long }));
    let end = house.until_within(std::time::Duration::from_secs(150), "the answer", |it| {
        !it.texts("user").is_empty() && it.state() == "needs_input"
    });
    assert_eq!(end.texts("user").len(), 1);
    assert!(end.texts("user")[0] == long.trim_end());
}
