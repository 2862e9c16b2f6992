//! Which reply goes out, and what the others are told.

use super::*;
use crate::runs::outbox::receipt;
use crate::schema::ReceiptKind;
use crate::seam::Recipe;

fn held(text: &str) -> Held {
    Held {
        receipt: receipt(ReceiptKind::Reply, "test", "now".into(), None),
        text: text.into(),
        plan: ReplyPlan {
            recipe: Recipe { name: "reply", steps: Vec::new() },
            recorded_as: text.into(),
            is_command: text.starts_with('/'),
        },
        when: SendWhen::Now,
        force: false,
        epoch: Some("e1".into()),
        cause: HoldCause::Order,
        in_doubt: false,
    }
}

fn after_turn(text: &str) -> Held {
    Held { when: SendWhen::AfterTurn, ..held(text) }
}

fn queue(entries: Vec<Held>) -> Queue {
    Queue(entries)
}

fn at_rest() -> Moment<'static> {
    Moment {
        obstacle: None,
        at_rest: true,
        is_free: true,
        is_quiet: true,
        draft: None,
        blocked: None,
        epoch: "e1",
    }
}

fn working() -> Moment<'static> {
    Moment { at_rest: false, ..at_rest() }
}

fn next<'a>(queue: &'a Queue, moment: &Moment<'_>) -> Option<&'a str> {
    queue.next(moment).map(|it| it.text.as_str())
}

fn causes(queue: &mut Queue, moment: &Moment<'_>) -> Vec<HoldCause> {
    queue.explain(moment);
    queue.published().into_iter().map(|it| it.cause).collect()
}

#[test]
fn a_reply_goes_out_also_while_the_agent_works() {
    let queue = queue(vec![held("one"), held("two")]);
    assert_eq!(next(&queue, &working()), Some("one"));
}

#[test]
fn one_for_after_the_turn_waits_and_lets_others_pass() {
    let mut queue = queue(vec![after_turn("later"), held("now")]);
    assert_eq!(next(&queue, &working()), Some("now"));
    assert_eq!(next(&queue, &at_rest()), Some("later"));
    assert_eq!(causes(&mut queue, &working())[0], HoldCause::Turn);
}

#[test]
fn of_two_for_after_the_turn_the_second_waits_until_the_first_is_proven() {
    let queue = queue(vec![after_turn("second")]);
    assert_eq!(next(&queue, &Moment { is_quiet: false, ..at_rest() }), None);
}

#[test]
fn a_command_waits_for_rest_and_lets_nothing_pass() {
    let mut queue = queue(vec![held("/clear"), held("behind")]);
    assert_eq!(next(&queue, &working()), None);
    assert_eq!(causes(&mut queue, &working()), [HoldCause::Turn, HoldCause::Order]);
    assert_eq!(next(&queue, &at_rest()), Some("/clear"));
}

#[test]
fn a_reply_never_goes_into_another_conversation_than_it_was_meant_for() {
    let mut queue = queue(vec![held("for the old one"), Held { epoch: None, ..held("for any") }]);
    let cleared = Moment { epoch: "e2", ..at_rest() };
    assert_eq!(next(&queue, &cleared), Some("for any"));
    assert_eq!(causes(&mut queue, &cleared)[0], HoldCause::Epoch);
}

#[test]
fn a_draft_holds_all_but_what_is_sent_anyway() {
    let mut queue = queue(vec![held("waits"), Held { force: true, ..held("forced") }]);
    let draft = Moment { draft: Some(true), ..at_rest() };
    assert_eq!(next(&queue, &draft), Some("forced"));
    assert_eq!(causes(&mut queue, &draft)[0], HoldCause::Draft);
    let stays = Moment { draft: Some(false), ..at_rest() };
    assert_eq!(next(&queue, &stays), None);
    assert_eq!(causes(&mut queue, &stays), [HoldCause::Draft, HoldCause::Draft]);
}

#[test]
fn nothing_goes_out_over_an_obstacle_or_while_something_is_typed() {
    let mut queue = queue(vec![held("one"), held("two")]);
    let dialog = Moment { obstacle: Some((HoldCause::Dialog, "a dialog")), ..at_rest() };
    assert_eq!(next(&queue, &dialog), None);
    assert_eq!(queue.explain(&dialog).len(), 2);
    assert!(queue.explain(&dialog).is_empty(), "the same reason is no news");
    assert_eq!(next(&queue, &Moment { is_free: false, ..at_rest() }), None);
}

#[test]
fn what_may_have_been_sent_waits_for_a_person_and_holds_nobody_up() {
    let queue = queue(vec![Held { in_doubt: true, ..held("perhaps") }, held("next")]);
    assert_eq!(next(&queue, &at_rest()), Some("next"));
}

#[test]
fn entries_are_moved_before_others_and_to_the_end() {
    let mut queue = queue(vec![held("a"), held("b"), held("c")]);
    let ids: Vec<String> = queue.published().into_iter().map(|it| it.id).collect();
    let order = |queue: &Queue| queue.published().into_iter().map(|it| it.text).collect::<String>();
    assert!(queue.move_before(&ids[2], Some(&ids[0])));
    assert_eq!(order(&queue), "cab");
    assert!(queue.move_before(&ids[2], None));
    assert_eq!(order(&queue), "abc");
    assert!(
        !queue.move_before(&ids[0], Some("nobody")) && !queue.move_before(&ids[0], Some(&ids[0]))
    );
    assert_eq!(order(&queue), "abc", "nothing is lost");
}
