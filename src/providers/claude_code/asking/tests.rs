//! What a waiting hook is shown as, and what it is told.

use super::*;

fn payload(tool: &str, input: Value, suggestions: Value) -> Vec<u8> {
    json!({ "tool_name": tool, "tool_input": input, "permission_suggestions": suggestions })
        .to_string()
        .into_bytes()
}

fn pick(selected: &[usize]) -> Answer {
    Answer { selected: selected.to_vec(), other_text: None }
}

fn say(words: &str) -> Answer {
    Answer { selected: Vec::new(), other_text: Some(words.into()) }
}

fn decision(payload: &[u8], answers: &[Answer]) -> Value {
    says(payload, &Response::Answers(answers.to_vec()))
}

fn says(payload: &[u8], response: &Response) -> Value {
    let output = decide(payload, response).expect("a decision");
    let output: Value = serde_json::from_slice(&output).expect("JSON");
    assert_eq!(output["hookSpecificOutput"]["hookEventName"], "PermissionRequest");
    output["hookSpecificOutput"]["decision"].clone()
}

fn two_questions() -> Vec<u8> {
    let options = |labels: &[&str]| -> Value {
        labels.iter().map(|it| json!({ "label": it, "description": "" })).collect()
    };
    payload(
        "AskUserQuestion",
        json!({ "questions": [
            { "header": "Colour", "question": "Which colour?", "options": options(&["Red", "Blue"]) },
            { "header": "Top", "question": "Which toppings?", "multiSelect": true,
              "options": options(&["Ham, smoked", "Corn"]) },
        ] }),
        json!([]),
    )
}

#[test]
fn each_question_is_answered_by_its_own_text() {
    let decision = decision(&two_questions(), &[pick(&[1]), pick(&[0, 1])]);
    assert_eq!(decision["behavior"], "allow");
    assert_eq!(
        decision["updatedInput"]["answers"],
        json!({ "Which colour?": "Blue", "Which toppings?": "Ham, smoked, Corn" })
    );
    assert_eq!(decision["updatedInput"]["questions"].as_array().map(Vec::len), Some(2));
}

#[test]
fn own_words_stand_for_an_option_or_beside_several() {
    let both = Answer { selected: vec![1], other_text: Some("olives".into()) };
    let decision = decision(&two_questions(), &[say("green"), both]);
    let answers = &decision["updatedInput"]["answers"];
    assert_eq!(
        (&answers["Which colour?"], &answers["Which toppings?"]),
        (&json!("green"), &json!("Corn, olives"))
    );
}

#[test]
fn a_wrong_answer_is_refused_whole_and_says_what_is_wrong() {
    let wrong = |answers: &[Answer]| {
        let response = Response::Answers(answers.to_vec());
        decide(&two_questions(), &response).expect_err("refused").to_string()
    };
    assert_eq!(wrong(&[pick(&[0])]), "there are 2 questions and 1 answers");
    assert_eq!(wrong(&[pick(&[2]), pick(&[0])]), "question 1 has no option 2; the last one is 1");
    assert_eq!(wrong(&[pick(&[0, 1]), pick(&[0])]), "question 1 takes one option");
    assert_eq!(wrong(&[pick(&[0]), pick(&[1, 1])]), "question 2 has option 1 twice");
    assert_eq!(wrong(&[pick(&[0]), say("  ")]), "question 2 has no answer");
}

#[test]
fn two_questions_with_one_text_can_only_be_answered_in_the_terminal() {
    let twice = json!({ "question": "Sure?", "header": "", "options": [{ "label": "Yes" }] });
    let payload = payload("AskUserQuestion", json!({ "questions": [twice, twice] }), json!([]));
    let answers = Response::Answers(vec![pick(&[0]), pick(&[0])]);
    assert_eq!(decide(&payload, &answers), Err(SeamError::NotAnswerable));
}

#[test]
fn a_question_can_be_talked_about_first_and_a_plan_has_words_of_its_own() {
    let talk = |words: &str| Response::Discuss { discuss: words.into() };
    let decision = says(&two_questions(), &talk(" is \"blue\" navy? "));
    assert_eq!(decision["behavior"], "deny");
    let message = decision["message"].as_str().expect("a message");
    assert_eq!(message, format!("{TALK_FIRST}{THEY_SAID}is \"blue\" navy?"));
    let message = says(&two_questions(), &talk(" "))["message"].to_string();
    assert!(message.contains("Ask them what"), "{message}");

    let plan = payload("ExitPlanMode", json!({ "plan": "# Plan" }), json!([]));
    let refused = decide(&plan, &talk("why?"));
    assert!(matches!(refused, Err(SeamError::Invalid { field: "discuss", .. })), "{refused:?}");
}

#[test]
fn a_plan_is_approved_with_the_mode_that_was_chosen_or_sent_back_with_words() {
    let payload = payload("ExitPlanMode", json!({ "plan": "# Plan" }), json!([]));
    let asks = decision(&payload, &[pick(&[0])]);
    assert_eq!(asks["updatedInput"], json!({ "plan": "# Plan" }));
    assert_eq!(asks["updatedPermissions"][0]["mode"], "default");
    assert_eq!(decision(&payload, &[pick(&[1])])["updatedPermissions"][0]["mode"], "acceptEdits");
    let back = decision(
        &payload,
        &[Answer { selected: vec![2], other_text: Some("smaller steps".into()) }],
    );
    assert_eq!(
        back,
        json!({ "behavior": "deny", "message": "The user wants to keep planning: smaller steps" })
    );
    assert_eq!(decision(&payload, &[say("no")])["behavior"], "deny");
}

#[test]
fn an_approval_offers_what_the_cli_suggests_between_once_and_deny() {
    let rule = json!({ "type": "addRules", "behavior": "allow", "destination": "localSettings",
        "rules": [{ "toolName": "Bash", "ruleContent": "npm run:*" }] });
    let payload = payload("Bash", json!({ "command": "npm run build" }), json!([rule]));
    let asked: Asked = serde_json::from_slice(&payload).expect("a payload");
    let dialog = dialog(&asked.tool_name, &asked.tool_input, &asked.permission_suggestions);
    let labels: Vec<&str> =
        dialog.questions[0].options.iter().map(|it| it.label.as_str()).collect();
    assert_eq!(labels, ["Allow once", "Always allow Bash(npm run:*)", "Deny"]);
    assert_eq!(dialog.title, "Run npm run build");

    assert_eq!(decision(&payload, &[pick(&[0])]), json!({ "behavior": "allow" }));
    assert_eq!(decision(&payload, &[pick(&[1])])["updatedPermissions"], json!([rule]));
    assert_eq!(decision(&payload, &[pick(&[2])])["behavior"], "deny");
    assert_eq!(
        decision(&payload, &[say("use make")])["message"],
        "The user denied this and said: use make"
    );
}

#[test]
fn a_command_cannot_break_out_of_its_block() {
    let (_, body) = request("Bash", &json!({ "command": "echo '```'\n````" }));
    assert!(body.starts_with("`````sh\n") && body.ends_with("\n`````"), "{body}");
}
