//! What is typed, when, and what proves it.

use super::*;

fn held(text: &str) -> Held {
    let recipe = Recipe {
        name: "reply",
        steps: vec![
            Step::Paste(text.into()),
            Step::Settle(Duration::from_millis(50)),
            Step::Press(Key::Enter),
        ],
    };
    Held {
        receipt: receipt(ReceiptKind::Reply, "test", "now".into(), None),
        text: text.into(),
        plan: ReplyPlan { recipe, recorded_as: text.into() },
        when_idle: false,
    }
}

/// Plays all steps; how often Enter was pressed.
fn type_it(outbox: &mut Outbox, mut now: Instant) -> usize {
    assert!(outbox.start_next(true, now));
    let mut enters = 0;
    while outbox.finish_typing(now).is_none() {
        match outbox.next_step(now) {
            Some(step) => enters += usize::from(step == Step::Press(Key::Enter)),
            None => now += Duration::from_millis(10),
        }
    }
    enters
}

#[test]
fn enter_waits_until_the_text_has_settled_and_is_pressed_once() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    outbox.hold(held("hello"));
    assert!(outbox.start_next(true, now));
    assert_eq!(outbox.next_step(now), Some(Step::Paste("hello".into())));
    assert_eq!(outbox.next_step(now), None, "the text settles");
    let later = now + Duration::from_millis(50);
    assert_eq!(outbox.next_step(later), Some(Step::Press(Key::Enter)));
    assert_eq!(outbox.finish_typing(later).map(|it| it.status), Some(ReceiptStatus::Typed));
    assert_eq!(outbox.next_step(later), None);
}

#[test]
fn two_equal_texts_are_proven_one_by_one_and_in_order() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    outbox.hold(held("yes"));
    outbox.hold(held("yes"));
    let ids: Vec<_> = outbox.queued().into_iter().map(|it| it.id).collect();
    assert_eq!(type_it(&mut outbox, now) + type_it(&mut outbox, now), 2);
    assert!(outbox.recorded("no", Position::new(1, 0)).is_none());
    let first = outbox.recorded("yes", Position::new(2, 0)).expect("proven");
    let second = outbox.recorded("yes", Position::new(3, 0)).expect("proven");
    assert_eq!(vec![first.id, second.id], ids);
    assert!(outbox.recorded("yes", Position::new(4, 0)).is_none());
}

#[test]
fn a_text_that_was_not_recorded_fails_and_is_not_typed_again() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    outbox.hold(held("hello"));
    type_it(&mut outbox, now);
    assert!(outbox.overdue(now).is_empty());
    let late = outbox.overdue(now + RECORD_LIMIT + Duration::from_secs(1));
    assert_eq!(late.first().map(|it| it.status), Some(ReceiptStatus::Failed));
    assert!(!outbox.start_next(true, now) && outbox.wake_at().is_none());
}

#[test]
fn a_text_in_the_queue_of_the_cli_may_take_its_time() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    outbox.hold(held("hello"));
    type_it(&mut outbox, now);
    let queued = outbox.queued_by_cli("hello").expect("queued");
    assert_eq!(queued.status, ReceiptStatus::Queued);
    assert!(outbox.overdue(now + Duration::from_secs(9_000)).is_empty());
    assert!(outbox.recorded("hello", Position::new(9, 0)).is_some());
}

#[test]
fn a_command_waits_for_an_idle_cli() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    outbox.hold(Held { when_idle: true, ..held("/clear") });
    assert!(!outbox.start_next(false, now));
    assert!(outbox.start_next(true, now));
}

#[test]
fn the_end_of_the_process_fails_what_is_not_proven() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    outbox.hold(held("one"));
    type_it(&mut outbox, now);
    outbox.hold(held("two"));
    let failed = outbox.fail_all("the run ended");
    assert_eq!(failed.len(), 2);
    assert!(outbox.queued().is_empty() && outbox.wake_at().is_none());
}
