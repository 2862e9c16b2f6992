//! Every phrase that the demo promises.

use serde_json::{Value, json};

use super::talk::{TOOLS, Talk, story, user};

#[test]
fn echo_answers_exactly_the_rest_of_its_line() {
    let mut talk = Talk::demo();
    assert_eq!(talk.say("echo {cwd} ünï  ☃ $1 "), "{cwd} ünï  ☃ $1");
    assert_eq!(talk.say("please\n  Echo two words\nand more"), "two words");
    assert!(talk.say("an echo here").contains("scripted model"));
    assert_eq!(talk.say("<system-reminder>fail\necho no</system-reminder>echo yes"), "yes");
    let seen = talk.model.requests();
    assert_eq!(
        (seen[0].rule.as_str(), seen[2].rule.as_str(), seen[0].stream),
        ("echo", "menu", false)
    );
    assert_eq!(seen[0].tools, TOOLS);
}

#[test]
fn questions_are_asked_and_their_answers_heard() {
    let mut talk = Talk::demo();
    insta::assert_snapshot!(talk.say("Ask ONE now"), @r#"
    I have one question.
    AskUserQuestion {"questions":[{"header":"Colour","multiSelect":false,"options":[{"description":"Warm","label":"Red"},{"description":"Cold","label":"Blue"},{"description":"In between","label":"Green"}],"question":"Which colour?"}]}
    "#);
    insta::assert_snapshot!(talk.results(false, "\"Which colour?\"=\"Blue\""), @r#"Thank you. I heard: "Which colour?"="Blue""#);
    let many = talk.say("ask many");
    let input: Value =
        serde_json::from_str(many.split_once("AskUserQuestion ").unwrap().1).unwrap();
    let questions = input["questions"].as_array().unwrap();
    assert_eq!(
        questions.iter().map(|it| &it["header"]).collect::<Vec<_>>(),
        ["Colour", "Toppings", "Layout"]
    );
    assert_eq!(
        questions.iter().map(|it| &it["multiSelect"]).collect::<Vec<_>>(),
        [false, true, false]
    );
    assert!(questions[2]["options"].as_array().unwrap().iter().all(|it| it["preview"].is_string()));
    insta::assert_snapshot!(talk.results(true, "declined"), @"You did not answer. I heard: declined");
    talk.tools = vec!["Bash"];
    insta::assert_snapshot!(talk.say("ask one"), @"I can't ask here: this session offers no tool for questions.");
}

#[test]
fn a_plan_enters_plan_mode_writes_its_file_and_asks() {
    let mut talk = Talk::demo();
    insta::assert_snapshot!(talk.say("make a plan"), @r#"
    I switch to plan mode first.
    EnterPlanMode {}
    "#);
    insta::assert_snapshot!(talk.results(false, "Entered plan mode."), @r##"
    Here is my plan.
    ExitPlanMode {"plan":"# Greet the reader\n\n1. Add a greeting to `demo-notes.md`.\n2. Show it to you.\n3. Change nothing else.\n"}
    "##);
    insta::assert_snapshot!(talk.results(false, "approved"), @"You approved the plan. In the demo I stop here.");

    talk.messages.clear();
    talk.messages.push(json!({ "role": "system", "content":
        "Plan mode is active.\nWrite your plan to the plan file at /h/.claude/plans/a-b.md now." }));
    insta::assert_snapshot!(talk.say("make a plan"), @r##"
    I write the plan.
    Write {"content":"# Greet the reader\n\n1. Add a greeting to `demo-notes.md`.\n2. Show it to you.\n3. Change nothing else.\n","file_path":"/h/.claude/plans/a-b.md"}
    "##);
    insta::assert_snapshot!(talk.results(false, "created"), @r#"
    The plan is ready.
    ExitPlanMode {}
    "#);
    insta::assert_snapshot!(talk.results(true, "not yet"), @"You did not approve the plan, so I change nothing. I heard: not yet");
}

#[test]
fn a_command_runs_or_is_refused() {
    let mut talk = Talk::demo();
    insta::assert_snapshot!(talk.say("run a command"), @r#"
    I list the files here into a file.
    Bash {"command":"ls -la > demo-listing.txt","description":"List the files into demo-listing.txt"}
    "#);
    insta::assert_snapshot!(talk.results(false, ""), @"The command ran. The list is in `demo-listing.txt`.");
    talk.say("run a command");
    insta::assert_snapshot!(talk.results(true, "The person said no."), @"The command did not run. I heard: The person said no.");
}

#[test]
fn a_file_is_made_and_then_edited_back_and_forth() {
    let mut talk = Talk::demo();
    insta::assert_snapshot!(talk.say("edit a file"), @r#"
    I look at `demo-notes.md` first.
    Read {"file_path":"/w/demo-notes.md"}
    "#);
    insta::assert_snapshot!(talk.results(true, "does not exist"), @r##"
    It is not there, so I make it.
    Write {"content":"# Demo notes\n\nStatus: draft\n\nThis file is here to be edited by the scripted model.\n","file_path":"/w/demo-notes.md"}
    "##);
    insta::assert_snapshot!(talk.results(false, "created"), @"The file `demo-notes.md` is written. Say `edit a file` again and I edit it.");
    talk.say("edit a file");
    insta::assert_snapshot!(talk.results(false, "3\tStatus: draft"), @r#"
    I mark the draft as done.
    Edit {"file_path":"/w/demo-notes.md","new_string":"Status: done","old_string":"Status: draft"}
    "#);
    insta::assert_snapshot!(talk.results(false, "updated"), @"The file `demo-notes.md` is edited.");
    talk.say("edit a file");
    assert!(talk.results(false, "3\tStatus: done").contains("\"new_string\":\"Status: draft\""));
    talk.say("edit a file");
    assert!(talk.results(false, "unchanged").contains("Write "));
    insta::assert_snapshot!(talk.results(true, "refused"), @"The file is not edited. I heard: refused");
}

#[test]
fn a_subagent_is_sent_works_and_reports() {
    let mut talk = Talk::demo();
    let sent = talk.say("use a subagent");
    insta::assert_snapshot!(sent, @r#"
    I ask a subagent to look around.
    Agent {"description":"Look around","prompt":"Scripted subagent task: list the files here and report.","run_in_background":false,"subagent_type":"general-purpose"}
    "#);
    insta::assert_snapshot!(talk.results(false, "The report.\nagentId: 1 (internal)"), @"The subagent has reported: The report.");
    talk.tools = vec!["Task"];
    assert!(talk.say("use a subagent").contains("Task {"));

    let mut sub = Talk::demo();
    let input: Value = serde_json::from_str(sent.split_once("Agent ").unwrap().1).unwrap();
    insta::assert_snapshot!(sub.say(input["prompt"].as_str().unwrap()), @r#"
    I look around.
    Bash {"command":"ls","description":"List the files here"}
    "#);
    insta::assert_snapshot!(sub.results(false, "a.txt"), @"Report of the subagent. The tool said: a.txt");
}

#[test]
fn a_long_answer_takes_its_time_and_has_a_table_and_code() {
    let mut talk = Talk::demo();
    let text = talk.say("stream a long answer");
    let words = text.split_whitespace().count();
    assert!((380..=480).contains(&words), "{words}");
    assert!(
        text.contains("\n| --- |") && text.contains("\n```rust\n") && text.lines().count() > 60
    );
}

#[test]
fn failing_is_counted_for_each_prompt() {
    let mut talk = Talk::demo();
    for _ in 0..2 {
        talk.messages.push(user("please fail"));
        assert_eq!((talk.ask().0, talk.ask().0), (529, 529));
        assert_eq!(story(&talk.ask().1), "I was overloaded twice. Now I am back.");
    }
    let statuses: Vec<u16> = talk.model.requests().iter().map(|it| it.status).collect();
    assert_eq!(statuses, [529, 529, 200, 529, 529, 200]);
}

#[test]
fn the_first_phrase_of_the_table_wins_and_unknown_results_are_quoted() {
    let mut talk = Talk::demo();
    assert!(talk.say("fail, or edit a file, or ask one").contains("AskUserQuestion"));
    let mut talk = Talk::live();
    assert_eq!(talk.say("two tools").matches("Bash ").count(), 2);
    assert_eq!(talk.results(false, "/w"), "Done. The tool said: /w");
}

#[test]
fn a_message_that_waited_is_answered_with_the_end_of_the_work() {
    let mut talk = Talk::live();
    talk.say("safe tool");
    let call = talk.messages.last().unwrap()["content"][1]["id"].clone();
    talk.messages.push(json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": call, "content": "ok" }] }));
    talk.remind("You got a new message while you were working:\nrun a command\n\nIMPORTANT: do.");
    insta::assert_snapshot!(story(&talk.ask().1), @r#"
    Done. The tool said: ok
    I list the files here into a file.
    Bash {"command":"ls -la > demo-listing.txt","description":"List the files into demo-listing.txt"}
    "#);
    insta::assert_snapshot!(talk.results(false, ""), @"The command ran. The list is in `demo-listing.txt`.");
}
