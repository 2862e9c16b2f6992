//! What is typed, when, and what proves it.

use super::*;
use crate::schema::{HoldCause, SendWhen};
use crate::seam::{Caret, ReplyPlan};

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
        plan: ReplyPlan { recipe, recorded_as: text.into(), is_command: false },
        when: SendWhen::Now,
        force: false,
        epoch: None,
        cause: HoldCause::Order,
        in_doubt: false,
    }
}

fn start(outbox: &mut Outbox, held: Held, now: Instant) {
    assert!(outbox.is_free());
    outbox.start(held, Vec::new(), None, now);
}

/// Plays all steps; how often Enter was pressed.
fn type_it(outbox: &mut Outbox, held: Held, mut now: Instant) -> usize {
    start(outbox, held, now);
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
    start(&mut outbox, held("hello"), now);
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
    let both = [held("yes"), held("yes")];
    let ids: Vec<_> = both.iter().map(|it| it.receipt.id.clone()).collect();
    let enters: usize = both.into_iter().map(|it| type_it(&mut outbox, it, now)).sum();
    assert_eq!(enters, 2);
    assert!(outbox.recorded("no", Position::new(1, 0)).is_none());
    let first = outbox.recorded("yes", Position::new(2, 0)).expect("proven");
    let second = outbox.recorded("yes", Position::new(3, 0)).expect("proven");
    assert_eq!(vec![first.id, second.id], ids);
    assert!(outbox.recorded("yes", Position::new(4, 0)).is_none());
}

#[test]
fn a_record_of_before_proves_nothing() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    outbox.resume(held("yes"), Some(Position::new(100, 0)), false, now);
    assert!(outbox.recorded("yes", Position::new(99, 3)).is_none());
    assert!(outbox.recorded("yes", Position::new(100, 0)).is_some());
}

#[test]
fn a_text_that_was_not_recorded_fails_and_is_not_typed_again() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    type_it(&mut outbox, held("hello"), now);
    assert!(outbox.overdue(now).is_empty());
    let late = outbox.overdue(now + RECORD_LIMIT + Duration::from_secs(1));
    assert_eq!(late.first().map(|it| it.receipt.status), Some(ReceiptStatus::Failed));
    assert!(late.iter().all(|it| it.interrupted.is_none()));
    assert!(outbox.is_quiet() && outbox.wake_at().is_none());
}

#[test]
fn one_that_was_being_typed_when_we_stopped_comes_back_if_nothing_proves_it() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    outbox.resume(held("hello"), None, true, now);
    assert!(!outbox.is_free(), "its draft may stand in the composer");
    let late = outbox.overdue(now + RECORD_LIMIT + Duration::from_secs(1));
    assert!(late.iter().any(|it| it.interrupted.is_some()));
}

#[test]
fn a_reply_is_taken_back_only_while_nothing_of_it_is_typed() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    start(&mut outbox, held("hello"), now);
    outbox.next_step(now);
    assert!(outbox.take_back().is_some_and(|it| it.text == "hello"));
    start(&mut outbox, held("hello"), now);
    outbox.next_step(now);
    outbox.begun();
    assert!(outbox.take_back().is_none());
    assert!(outbox.fail_typing("no").is_some());
}

#[test]
fn a_text_in_the_queue_of_the_cli_may_take_its_time() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    type_it(&mut outbox, held("hello"), now);
    let queued = outbox.queued_by_cli("hello").expect("queued");
    assert_eq!(queued.status, ReceiptStatus::Queued);
    assert!(outbox.overdue(now + Duration::from_secs(9_000)).is_empty());
    assert!(outbox.recorded("hello", Position::new(9, 0)).is_some());
}

#[test]
fn the_end_of_the_process_fails_what_is_not_proven() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    type_it(&mut outbox, held("one"), now);
    start(&mut outbox, held("two"), now);
    let failed = outbox.fail_all("the run ended");
    assert_eq!(failed.len(), 2);
    assert!(outbox.is_quiet() && outbox.wake_at().is_none());
}

#[test]
fn the_next_text_waits_while_the_last_one_may_still_stand_in_the_composer() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    let mut one = held("one");
    one.plan.recipe.steps = vec![Step::Submit { key: Key::Enter, draft: "one".into() }];
    start(&mut outbox, one, now);
    if let Some(Step::Submit { key, draft }) = outbox.next_step(now) {
        outbox.submitted(key, draft);
    }
    assert!(outbox.finish_typing(now).is_some());
    assert!(!outbox.is_free());
    let look = now + Duration::from_secs(1);
    assert_eq!(outbox.look_due(look), Some(("one".into(), 1)));
    outbox.looked(Submitted::Again, look);
    assert!(!outbox.is_free(), "pressed again, so looked at again");
    let look = look + Duration::from_secs(3);
    assert!(outbox.look_due(look).is_some());
    outbox.looked(Submitted::Unclear, look);
    assert!(!outbox.is_free(), "it may stand there all the same");
    let look = look + Duration::from_secs(1);
    assert!(outbox.look_due(look).is_some());
    outbox.looked(Submitted::Gone, look);
    assert!(outbox.is_free() && outbox.look_due(look).is_none());
}

/// BB-TP-07: the sender is told of a text that the CLI took and never used.
#[test]
fn what_the_cli_took_into_its_queue_and_dropped_in_silence_is_told_when_it_rests() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    type_it(&mut outbox, held("/compact"), now);
    type_it(&mut outbox, held("B"), now);
    type_it(&mut outbox, held("C"), now);
    for text in ["/compact", "B", "C"] {
        let queued = outbox.queued_by_cli(text).expect("a receipt");
        assert_eq!(queued.status, ReceiptStatus::Queued);
    }
    let hour = now + Duration::from_secs(3600);
    assert!(outbox.overdue(hour).is_empty(), "a turn may take long");
    let returned = outbox.returned_by_cli("B").expect("a receipt");
    assert_eq!(returned.status, ReceiptStatus::Failed);
    outbox.cli_rests(hour);
    // Between two turns it rests for a moment only.
    outbox.cli_works();
    assert!(outbox.overdue(hour + RECORD_LIMIT).is_empty());
    outbox.cli_rests(hour);
    let later = hour + Duration::from_secs(5);
    outbox.cli_rests(later);
    assert!(outbox.recorded("C", Position::new(1, 0)).is_some());
    assert!(outbox.overdue(later).is_empty(), "it may be on its way into the record");
    let late = outbox.overdue(hour + RECORD_LIMIT);
    assert_eq!(late.len(), 1);
    assert_eq!(late[0].receipt.status, ReceiptStatus::Failed);
}

#[test]
fn a_fence_is_passed_when_the_cursor_went_away_and_came_back() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    let steps = vec![Step::Press(Key::Enter)];
    outbox.play(Recipe { name: "submit again", steps }, None);
    outbox.start_urgent(now);
    let at = |column| Some(Caret { line: 1, column, breaks: 0 });
    assert_eq!(outbox.fence_seen(None, 1, "short", now), Fenced::Wait);
    assert_eq!(outbox.fence_seen(at(9), 1, "short", now), Fenced::Go);
    assert_eq!(
        outbox.fence_seen(at(9), 1, "short", now),
        Fenced::Wait,
        "the key may still be on its way"
    );
    assert_eq!(outbox.fence_seen(None, 1, "short", now), Fenced::Wait);
    assert_eq!(outbox.fence_seen(at(8), 1, "short", now), Fenced::Return);
    assert_eq!(outbox.fence_seen(at(8), 1, "short", now), Fenced::Wait);
    assert_eq!(outbox.fence_seen(at(9), 1, "short", now), Fenced::Passed);
    // Each press became a line break, so none is on its way.
    let broken = Some(Caret { line: 1, column: 2, breaks: 2 });
    assert_eq!(outbox.fence_seen(broken, 3, "short", now), Fenced::Go);
    outbox.play(Recipe { name: "submit again", steps: vec![Step::Press(Key::Enter)] }, None);
    outbox.fail_typing("no");
    outbox.start_urgent(now);
    assert_eq!(outbox.fence_seen(broken, 2, "short", now), Fenced::Passed);
}

#[test]
fn the_cursor_of_a_long_draft_is_moved_only_after_it_has_stood_still() {
    let (mut outbox, now) = (Outbox::default(), Instant::now());
    outbox.play(Recipe { name: "submit again", steps: vec![Step::Press(Key::Enter)] }, None);
    outbox.start_urgent(now);
    let long = "words and words\n".repeat(1_000);
    let at = |line| Some(Caret { line, column: 9, breaks: 0 });
    let seconds = |count| now + Duration::from_secs(count);
    assert_eq!(outbox.fence_seen(at(1), 1, &long, now), Fenced::Wait);
    assert_eq!(outbox.fence_seen(at(1), 1, &long, seconds(3)), Fenced::Wait);
    assert_eq!(outbox.fence_seen(at(2), 1, &long, seconds(5)), Fenced::Wait, "text still comes");
    assert_eq!(outbox.fence_seen(at(2), 1, &long, seconds(8)), Fenced::Wait);
    assert_eq!(outbox.fence_seen(at(2), 1, &long, seconds(9)), Fenced::Go);
    assert_eq!(outbox.fence_seen(at(1), 1, &long, seconds(10)), Fenced::Return);
    assert_eq!(outbox.fence_seen(at(2), 1, &long, seconds(11)), Fenced::Passed);
}

#[test]
fn a_long_text_is_waited_for_longer() {
    let draft = |bytes: usize| Some((Key::Enter, "x".repeat(bytes)));
    assert_eq!(submitting::record_limit(draft(5).as_ref()), RECORD_LIMIT);
    assert!(submitting::record_limit(draft(128_000).as_ref()) > RECORD_LIMIT * 3);
}

#[test]
fn each_step_has_its_own_time_however_long_the_one_before_took() {
    let (mut outbox, mut now) = (Outbox::default(), Instant::now());
    let await_draft = || Step::AwaitDraft { draft: "d".into(), limit: Duration::from_secs(1) };
    let steps = vec![await_draft(), await_draft()];
    outbox.play(Recipe { name: "r", steps }, None);
    outbox.start_urgent(now);
    for _ in 0..2 {
        let mut looks = 0;
        let mut step = outbox.next_step(now).expect("a step");
        while outbox.look_again(step.clone(), "same".into(), Duration::from_secs(1), now) {
            looks += 1;
            now += DRAFT_LOOK;
            step = outbox.next_step(now).expect("the same step");
        }
        assert!((10..30).contains(&looks), "{looks}");
    }
}

#[test]
fn what_was_said_is_known_until_it_has_gone_and_a_minute_longer() {
    let mut outbox = Outbox::default();
    let known = |outbox: &Outbox, seconds: u64| {
        outbox.left_behind_at(Instant::now() + Duration::from_secs(seconds)).is_some()
    };
    outbox.was_said("said");
    assert!(known(&outbox, 300), "nobody has looked yet");
    outbox.nothing_is_left();
    assert!(known(&outbox, 10), "it may come back");
    assert!(!known(&outbox, 70), "what stands there later is somebody's");
}
