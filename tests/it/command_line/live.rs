//! A whole conversation from the command line, with the real CLI.

use std::io::Write as _;
use std::process::Stdio;

use super::{Said, beside, say};
use crate::house::House;

#[test]
fn a_run_is_told_asked_answered_stopped_and_resumed() {
    let house = House::demo();
    let workspace = house.dir.path().join("state/workspace");
    let cwd = workspace.to_str().unwrap();
    let run =
        say(&house, &["run", "echo first words", "--cwd", cwd, "--title", "By hand", "--json"]);
    let run = run.json();
    assert_eq!(
        (run["title"].as_str(), run["provider"].as_str()),
        (Some("By hand"), Some("claude-code"))
    );
    let id = run["id"].as_str().unwrap();
    assert_eq!(say(&house, &["wait", id, "--for", "needs_input"]).done(), "needs_input\n");

    let receipt = say(&house, &["tell", id, "echo told", "--wait", "--json"]).json();
    assert_eq!(
        (receipt["status"].as_str(), receipt["by"].as_str()),
        (Some("recorded"), Some("token"))
    );
    say(&house, &["wait", "By hand", "--for", "needs_input"]).done();

    let mut piped = beside(&house, &["tell", id, "-", "--wait"]);
    let mut piped =
        piped.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    piped.stdin.take().unwrap().write_all(b"ask many").unwrap();
    assert_eq!(Said::of(&piped.wait_with_output().unwrap()).done(), "recorded\n");
    say(&house, &["wait", id, "--for", "question"]).done();

    let asked = say(&house, &["answer", id]).done();
    for words in ["  1  Red", "Which toppings? (several)", "=  your own words"] {
        assert!(asked.contains(words), "{asked}");
    }
    let words = say(&house, &["answer", id, "Blue"]).failed();
    assert!(words.contains("3 questions are asked, and 1 answered"), "{words}");
    let words = say(&house, &["answer", id, "Blue", "9", "1"]).failed();
    assert!(words.contains("`9` is no option of"), "{words}");
    let done = say(&house, &["answer", id, "blue", "1,Corn", "1", "--wait"]).done();
    assert_eq!(done, "recorded\n");
    say(&house, &["wait", id, "--for", "needs_input"]).done();
    assert!(say(&house, &["answer", id, "1"]).failed().contains("asks nothing"));

    let refused = say(&house, &["tell", id, "/model"]).failed();
    assert!(refused.contains("opens a screen"), "{refused}");

    say(&house, &["stop", id]).done();
    say(&house, &["wait", id, "--for", "ended"]).done();
    assert!(say(&house, &["resume", id]).done().starts_with(id));
    let again = say(&house, &["tell", id, "echo again", "--wait"]);
    assert_eq!(again.done(), "recorded\n");
}
