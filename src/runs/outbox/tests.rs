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
    assert!(outbox.may_start(true));
    outbox.start_next(now);
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
    outbox.start_next(now);
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
    assert!(!outbox.may_start(true) && outbox.wake_at().is_none());
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
    let mut outbox = Outbox::default();
    outbox.hold(Held { when_idle: true, ..held("/clear") });
    assert!(!outbox.may_start(false));
    assert!(outbox.may_start(true));
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

#[test]
fn the_next_text_waits_while_the_last_one_may_still_stand_in_the_composer() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    let mut first = held("one");
    let key = Step::Submit { key: Key::Enter, draft: "one".into() };
    *first.plan.recipe.steps.last_mut().expect("a step") = key;
    outbox.hold(first);
    outbox.hold(held("two"));
    outbox.start_next(now);
    let later = now + Duration::from_secs(1);
    while let Some(step) = outbox.next_step(later) {
        if let Step::Submit { key, draft } = step {
            outbox.submitted(key, draft);
        } else if outbox.next_step(later).is_none() {
            break;
        }
    }
    let much_later = later + Duration::from_secs(1);
    if let Some(Step::Submit { key, draft }) = outbox.next_step(much_later) {
        outbox.submitted(key, draft);
    }
    assert!(outbox.finish_typing(much_later).is_some());
    assert!(!outbox.may_start(true));
    let look = much_later + Duration::from_secs(1);
    assert_eq!(outbox.look_due(look), Some((Key::Enter, "one".into())));
    outbox.looked(true, look);
    assert!(!outbox.may_start(true), "pressed again, so looked at again");
    let look = look + Duration::from_secs(3);
    assert!(outbox.look_due(look).is_some());
    outbox.looked(false, look);
    assert!(outbox.may_start(true) && outbox.look_due(look).is_none());
}
