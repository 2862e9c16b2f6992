//! Paging, pairing and revisions.

use serde_json::json;

use super::*;
use crate::schema::{Channel, Dialog, DialogKind, ToolCall, ToolView};

fn text(record: u64) -> Message {
    Message::text(Position::new(record, 0), Role::User, format!("m{record}"))
}

fn call(record: u64, id: &str) -> Message {
    Message::tool(
        Position::new(record, 0),
        ToolCall {
            call_id: id.into(),
            name: "Run".into(),
            title: "Ran ls".into(),
            input: json!({ "command": "ls" }),
            output: None,
            status: ToolStatus::Running,
            view: None,
            started_at: None,
            ended_at: None,
        },
    )
}

fn dialog(record: u64, id: &str) -> Message {
    let mut message = Message::new(Position::new(record, 0), MessageKind::Dialog);
    message.dialog = Some(Dialog {
        id: id.into(),
        kind: DialogKind::Plan,
        title: "Plan".into(),
        body: "# Plan".into(),
        questions: Vec::new(),
        answerable: true,
        can_discuss: false,
        channel: Channel::Live,
        outcome: None,
    });
    message
}

fn result(id: &str, output: &str) -> ToolOutcome {
    ToolOutcome {
        call_id: id.into(),
        status: ToolStatus::Ok,
        output: Some(output.into()),
        view: None,
        ended_at: None,
        dialog: None,
    }
}

fn texts(page: &Page) -> Vec<&str> {
    page.messages.iter().filter_map(|it| it.text.as_deref()).collect()
}

#[test]
fn pages_join_without_a_gap_or_a_double() {
    let mut view = View::default();
    for record in 0..10 {
        view.put(text(record), record + 1);
    }
    let newest = view.page(Window::Newest, 3).page;
    assert_eq!((texts(&newest), newest.has_more), (vec!["m7", "m8", "m9"], true));
    let older = view.page(Window::Before(newest.messages[0].position), 7).page;
    assert_eq!(texts(&older).len(), 7);
    assert!(!older.has_more);
    let newer = view.page(Window::After(Position::new(3, 0)), 3).page;
    assert_eq!((texts(&newer), newer.has_more), (vec!["m4", "m5", "m6"], true));
}

#[test]
fn a_result_finds_its_call_whichever_came_first() {
    let mut view = View::default();
    view.put(call(5, "a"), 1);
    assert!(view.finish_call(result("a", "done"), 2));
    assert!(!view.finish_call(result("b", "early"), 3));
    view.put(call(9, "b"), 4);
    for at in [5, 9] {
        let tool = view.get(Position::new(at, 0)).and_then(|it| it.tool.as_ref());
        assert_eq!(tool.map(|it| it.status), Some(ToolStatus::Ok));
    }
    assert!(view.running_calls().is_empty());
}

#[test]
fn a_dialog_is_open_until_its_outcome_even_if_that_came_first() {
    let mut view = View::default();
    let open = |view: &View| view.open_dialogs().into_iter().map(|it| it.id).collect::<Vec<_>>();
    view.put(dialog(7, "b"), 1);
    view.put(dialog(5, "a"), 2);
    assert_eq!(open(&view), ["a", "b"]);
    view.put(dialog(7, "b"), 3);
    view.finish_call(result("a", "yes"), 4);
    assert_eq!(open(&view), ["b"]);
    view.finish_call(result("c", "early"), 5);
    view.put(dialog(9, "c"), 6);
    view.put(text(7), 7);
    assert!(open(&view).is_empty());
}

#[test]
fn only_the_newest_form_of_a_message_is_sent_again() {
    let mut view = View::default();
    view.put(call(5, "a"), 1);
    view.put(text(6), 2);
    view.finish_call(result("a", "done"), 3);
    let changed: Vec<u64> = view.changed_since(0).map(|it| it.revision).collect();
    assert_eq!(changed, [2, 3]);
    assert_eq!(view.changed_since(3).count(), 0);
}

#[test]
fn a_long_body_is_held_as_it_goes_over_the_wire() {
    let long = "é".repeat(20_000);
    let mut view = View::default();
    view.put(call(5, "a"), 1);
    view.finish_call(result("a", &long), 2);
    view.finish_call(result("b", &long), 3);
    view.put(call(6, "b"), 4);
    let mut whole = View::new(Keep::records(0..9, true));
    whole.put(call(5, "a"), 1);
    whole.finish_call(result("a", &long), 2);
    let held = view.get(Position::new(5, 0)).expect("held");
    let output = held.tool.as_ref().and_then(|it| it.output.as_ref()).expect("output");
    assert!(held.cut && output.len() <= wire::LONGEST_BODY + 3);
    let whole = whole.get(Position::new(5, 0)).expect("held");
    assert!(!whole.cut && for_wire(whole) == *held);
    // A result that waited for its call is cut alike.
    let late = view.get(Position::new(6, 0)).expect("held");
    assert_eq!(late.tool.as_ref().and_then(|it| it.output.as_ref()), Some(output));
    view.finish_call(result("a", "short"), 5);
    assert!(!view.get(Position::new(5, 0)).expect("held").cut);
}

fn small(messages: usize) -> View {
    View::new(Keep { messages, ..Keep::default() })
}

#[test]
fn old_messages_go_and_open_ones_stay() {
    let mut view = small(3);
    view.put(call(0, "a"), 1);
    for record in 1..10 {
        view.put(text(record), record + 1);
    }
    let held: Vec<u64> = view.messages.keys().map(|it| it.record).collect();
    assert_eq!((held, view.lost()), (vec![0, 7, 8, 9], 7));
    assert_eq!(view.running_calls(), ["a"]);
    // Its end is news, so it stays among the newest for a while.
    view.finish_call(result("a", "done"), 11);
    let changed: Vec<u64> = view.changed_since(8).map(|it| it.position.record).collect();
    assert_eq!((changed, view.lost()), (vec![8, 9, 0], 8));
}

#[test]
fn a_page_says_what_has_to_be_read_and_takes_it() {
    let mut view = small(3);
    view.put(call(0, "a"), 1);
    for record in 1..10 {
        view.put(text(record), record + 1);
    }
    let newest = view.page(Window::Newest, 5);
    assert_eq!(newest.older, Some(Older::Before { end: Position::new(6, 1), want: 2 }));
    let old = |records: std::ops::Range<u64>| records.map(text).collect::<Vec<_>>();
    let page = newest.complete(5, |_| Ok::<_, ()>(old(4..7))).expect("read");
    assert_eq!((texts(&page), page.has_more), (vec!["m5", "m6", "m7", "m8", "m9"], true));
    let after = view.page(Window::After(Position::new(5, 0)), 2);
    let end = Position::new(6, 1);
    assert_eq!(after.older, Some(Older::After { start: Position::new(5, 0), end, want: 2 }));
    let page = after.complete(2, |_| Ok::<_, ()>(old(6..7))).expect("read");
    assert_eq!((texts(&page), page.has_more), (vec!["m6", "m7"], true));
    // What the view holds of old messages is newer than what is read.
    let oldest = view.page(Window::Before(Position::new(1, 0)), 2);
    let page = oldest.complete(2, |_| Ok::<_, ()>(old(0..1))).expect("read");
    assert!(page.messages[0].tool.is_some() && !page.has_more);
}

#[test]
fn a_better_reading_changes_only_what_differs() {
    let mut view = View::starting_at(5);
    view.put(text(5), 1);
    view.put(call(6, "a"), 2);
    let mut better = View::default();
    (4..6).for_each(|record| better.put(text(record), 0));
    better.put(call(6, "a"), 0);
    better.finish_call(result("a", "done"), 0);
    let mut revision = 2;
    view.succeeded_by(better, &mut revision);
    let revisions: Vec<u64> = view.messages.values().map(|it| it.message.revision).collect();
    assert_eq!((revisions, revision), (vec![3, 1, 4], 4));
    assert!(!view.may_lack(Position::new(4, 0)));
}

#[test]
fn the_last_line_is_the_news_of_the_agent() {
    let mut view = View::default();
    view.put(text(1), 1);
    assert_eq!(view.last_line().as_deref(), Some("m1"));
    let answer = Message::text(Position::new(2, 0), Role::Assistant, "First.\n\n- **Last** line\n");
    view.put(answer, 2);
    assert_eq!(view.last_line().as_deref(), Some("Last line"));
}

#[test]
fn a_call_of_a_left_branch_still_gets_its_result() {
    let mut view = View::default();
    view.put(call(5, "a"), 1);
    view.put(text(6), 2);
    view.abandon(Position::new(5, 0), Position::new(6, 0), || 3);
    assert!(view.finish_call(result("a", "done"), 4));
    let left: Vec<bool> = view.messages.values().map(|it| it.message.abandoned).collect();
    let changed: Vec<u64> = view.changed_since(0).map(|it| it.revision).collect();
    assert_eq!((left, changed), (vec![true, false], vec![2, 4]));
}

fn ended(id: &str) -> ToolOutcome {
    ToolOutcome {
        call_id: id.into(),
        status: ToolStatus::Ok,
        output: None,
        view: None,
        ended_at: None,
        dialog: None,
    }
}

fn status(view: &View, record: u64) -> ToolStatus {
    let message = view.get(Position::new(record, 0)).expect("a message");
    message.tool.as_ref().expect("a call").status
}

#[test]
fn what_an_earlier_process_left_open_is_over_and_what_this_one_began_is_not() {
    let at = |record, id, time: &str| Message { time: Some(time.into()), ..call(record, id) };
    let mut view = View::default();
    view.put(at(1, "old", "2026-01-05T10:00:00.000Z"), 1);
    view.put(at(2, "new", "2026-01-05T12:00:00.000Z"), 2);
    let mut revision = 2;
    view.end_open(&Over::Before("2026-01-05T11:00:00.000Z".into()), || {
        revision += 1;
        revision
    });
    assert_eq!((status(&view, 1), status(&view, 2)), (ToolStatus::Cancelled, ToolStatus::Running));
    assert_eq!(view.changed_since(2).count(), 1, "each end is a change");
}

/// Until a long record was read through, a call may seem to have no result.
#[test]
fn a_call_that_was_taken_for_over_still_gets_its_result() {
    let mut view = View::default();
    view.put(call(1, "a"), 1);
    view.end_open(&Over::Everything, || 2);
    assert_eq!(status(&view, 1), ToolStatus::Cancelled);
    assert!(!view.is_open(Position::new(1, 0)));
    view.finish_call(ended("a"), 3);
    assert_eq!(status(&view, 1), ToolStatus::Ok);
}

#[test]
fn a_running_call_gets_its_agents_name_and_loses_nothing() {
    let mut message = call(1, "a");
    if let Some(tool) = &mut message.tool {
        tool.view = Some(ToolView::Subagent { description: "Look around".into(), agent: None });
    }
    let mut view = View::default();
    assert_eq!(view.unnamed_agents(), None);
    view.put(message, 1);
    assert_eq!(view.unnamed_agents(), Some(vec!["a".into()]));
    view.name_agent("a", "a1b2", 2);
    assert_eq!(view.unnamed_agents(), Some(vec![]));
    assert_eq!(view.changed_since(1).count(), 1);
    view.finish_call(ended("a"), 3);
    assert_eq!((status(&view, 1), view.unnamed_agents()), (ToolStatus::Ok, None));
}
