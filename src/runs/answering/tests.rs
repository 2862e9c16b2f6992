//! Which dialogs wait, and what an answer is compared with.

use tokio::sync::oneshot;

use super::proof::difference;
use super::*;
use crate::schema::{Answer, Channel, Outcome, Question, QuestionOption, ToolStatus};
use crate::seam::ToolOutcome;

fn option(label: &str) -> QuestionOption {
    QuestionOption { label: label.into(), description: String::new(), preview: None }
}

fn dialog(id: &str, kind: DialogKind) -> Dialog {
    Dialog {
        id: id.into(),
        kind,
        title: "t".into(),
        body: String::new(),
        questions: vec![Question {
            header: String::new(),
            text: "Which?".into(),
            options: vec![option("Ham, smoked"), option("Corn"), option("Deny")],
            multi_select: true,
            free_text: true,
        }],
        answerable: true,
        can_discuss: kind == DialogKind::Question,
        channel: Channel::Live,
        outcome: None,
    }
}

fn raise(answering: &mut Answering, id: &str, at: u64) -> oneshot::Receiver<Vec<u8>> {
    let (asker, decided) = Asker::new(at);
    let dialog = dialog(id, DialogKind::Approval);
    answering.raised.push(Raised { dialog, payload: Vec::new(), asker, at });
    decided
}

fn ids(answering: &Answering) -> Vec<String> {
    answering.dialogs().into_iter().map(|it| it.id).collect()
}

#[test]
fn a_dialog_answered_in_the_terminal_is_let_go_and_a_newer_one_is_not() {
    let mut answering = Answering::default();
    let mut first = raise(&mut answering, "a", 100);
    answering.left_waiting(Some(200));
    assert!(ids(&answering).is_empty());
    assert!(first.try_recv().is_err(), "its hook hears that nobody needs an answer");
    let _second = raise(&mut answering, "b", 300);
    answering.left_waiting(Some(200));
    answering.settled_before(Some(200));
    assert_eq!(ids(&answering), ["b"], "news of before it says nothing about it");
    answering.settled_before(Some(400));
    assert!(ids(&answering).is_empty());
}

#[test]
fn of_two_dialogs_the_terminal_does_not_say_which_it_answered() {
    let mut answering = Answering::default();
    let _both = (raise(&mut answering, "a", 1), raise(&mut answering, "b", 2));
    answering.left_waiting(Some(9));
    assert_eq!(ids(&answering), ["a", "b"]);
    answering.settled("a");
    answering.gone(2);
    assert!(ids(&answering).is_empty());
}

#[test]
fn two_calls_of_the_same_kind_keep_their_order() {
    let mut answering = Answering::default();
    answering.began(Some("call-1"), 7);
    answering.began(Some("call-2"), 7);
    assert_eq!(answering.call_of(7).as_deref(), Some("call-1"));
    assert_eq!(answering.call_of(7).as_deref(), Some("call-2"));
    assert_eq!(answering.call_of(7), None);
}

fn recorded(status: ToolStatus, answer: Option<&str>) -> ToolOutcome {
    ToolOutcome {
        call_id: "a".into(),
        status,
        output: None,
        view: None,
        ended_at: None,
        dialog: answer.map(|answer| Outcome {
            accepted: true,
            discussed: false,
            answers: vec![("Which?".into(), answer.into())],
            detail: None,
        }),
    }
}

#[test]
fn an_answer_is_the_same_in_every_versions_spelling_and_another_is_told() {
    let asked = dialog("a", DialogKind::Question);
    let given = Response::Answers(vec![Answer { selected: vec![0, 1], other_text: None }]);
    let differs = |text| difference(&asked, &given, &recorded(ToolStatus::Ok, Some(text)));
    assert_eq!(differs("Ham, smoked, Corn"), None);
    assert_eq!(differs("\"Ham, smoked\", Corn"), None);
    assert_eq!(
        differs("Corn").as_deref(),
        Some("Answered here: Ham, smoked, Corn. Recorded by the CLI: Corn.")
    );
}

#[test]
fn an_approval_is_proven_by_what_the_call_did() {
    let asked = dialog("a", DialogKind::Approval);
    let (allow, deny) = (
        Response::Answers(vec![Answer { selected: vec![0], other_text: None }]),
        Response::Answers(vec![Answer { selected: vec![2], other_text: None }]),
    );
    assert_eq!(difference(&asked, &allow, &recorded(ToolStatus::Ok, None)), None);
    assert_eq!(
        difference(&asked, &allow, &recorded(ToolStatus::Error, None)),
        None,
        "it ran and failed"
    );
    assert_eq!(
        difference(&asked, &allow, &recorded(ToolStatus::Cancelled, None)),
        None,
        "it was broken off"
    );
    assert_eq!(difference(&asked, &deny, &recorded(ToolStatus::Error, None)), None);
    assert!(difference(&asked, &deny, &recorded(ToolStatus::Ok, None)).is_some());
}

#[test]
fn a_question_is_put_off_only_if_the_record_says_so() {
    let asked = dialog("a", DialogKind::Question);
    let talk = Response::Discuss { discuss: "why?".into() };
    let mut put_off = recorded(ToolStatus::Cancelled, Some(""));
    if let Some(outcome) = &mut put_off.dialog {
        *outcome = Outcome { accepted: false, discussed: true, answers: Vec::new(), detail: None };
    }
    assert_eq!(difference(&asked, &talk, &put_off), None);
    let told = |outcome| difference(&asked, &talk, &outcome).unwrap_or_default();
    assert!(told(recorded(ToolStatus::Ok, Some("Corn"))).ends_with("Recorded by the CLI: Corn."));
    assert!(told(recorded(ToolStatus::Cancelled, None)).ends_with("it was declined."));
    let answer = Response::Answers(vec![Answer { selected: vec![1], other_text: None }]);
    assert!(difference(&asked, &answer, &put_off).is_some(), "an answer is something else");
}

#[test]
fn words_follow_by_keys_alone_and_only_if_there_are_some() {
    let mut answering = Answering::default();
    let mut receipt = outbox::receipt(ReceiptKind::Answer, "token", now(), None);
    let talk = |words: &str| Response::Discuss { discuss: words.into() };
    assert!(answering.keep_words(receipt.clone(), &talk(" \n")).is_some());
    assert!(answering.keep_words(receipt.clone(), &talk("why?")).is_none());
    receipt.door = Door::Live;
    assert!(answering.keep_words(receipt, &talk("why?")).is_some(), "the door has them already");
    assert_eq!(answering.fail_all("over").len(), 1, "an end does not forget them");
}
