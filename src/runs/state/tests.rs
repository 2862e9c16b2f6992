//! Which source wins, and that the state follows from what is known and not from
//! the order in which it was learnt.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::seam::PromptMark;

fn prompt() -> Fact {
    Fact::Prompt(PromptMark { text: "x".into(), block: 0 })
}

#[test]
fn a_fresh_run_is_idle_until_somebody_speaks() {
    let mut facts = StateFacts { registry: Some(Activity::Idle), ..Default::default() };
    assert_eq!(facts.state(), RunState::Idle);
    facts.take_fact(&prompt());
    facts.take_fact(&Fact::TurnEnded);
    assert_eq!(facts.state(), RunState::NeedsInput);
}

#[test]
fn a_prompt_ends_the_rest_before_the_list_of_processes_says_so() {
    let mut facts = StateFacts { registry: Some(Activity::Idle), ..Default::default() };
    facts.take_signal(&SignalKind::PromptSubmitted { text: "x".into() });
    assert_eq!(facts.state(), RunState::Working);
}

#[test]
fn a_late_hook_cannot_overrule_what_the_cli_says_of_itself() {
    let mut facts = StateFacts { registry: Some(Activity::Busy), ..Default::default() };
    facts.take_signal(&SignalKind::TurnEnded);
    assert_eq!(facts.state(), RunState::Working);
}

#[test]
fn the_end_of_a_turn_is_not_told_before_its_words_are_there() {
    let mut facts = StateFacts { registry: Some(Activity::Idle), ..Default::default() };
    facts.settling = true;
    facts.take_fact(&prompt());
    assert_eq!(facts.state(), RunState::Working);
    facts.take_fact(&Fact::TurnEnded);
    assert_eq!(facts.state(), RunState::NeedsInput);
    // A turn that leaves no last record ends all the same.
    facts.take_fact(&prompt());
    facts.settling = false;
    assert_eq!(facts.state(), RunState::NeedsInput);
}

#[test]
fn an_interrupt_ends_the_turn_although_no_hook_tells_of_it() {
    let mut facts = StateFacts::default();
    facts.take_signal(&SignalKind::PromptSubmitted { text: "x".into() });
    assert_eq!(facts.state(), RunState::Working);
    facts.take_fact(&Fact::Interrupted);
    assert_eq!(facts.state(), RunState::NeedsInput);
}

#[test]
fn a_process_that_waits_is_a_question_even_if_nobody_knows_the_dialog() {
    let facts = StateFacts { registry: Some(Activity::Waiting), ..Default::default() };
    assert_eq!((facts.state(), facts.pending_dialogs()), (RunState::Question, 0));
}

#[test]
fn a_dialog_left_open_in_the_transcript_of_an_idle_process_is_not_pending() {
    let mut facts = StateFacts { open_dialogs: 1, spoken: true, ..Default::default() };
    assert_eq!((facts.state(), facts.pending_dialogs()), (RunState::Question, 1));
    facts.registry = Some(Activity::Idle);
    assert_eq!((facts.state(), facts.pending_dialogs()), (RunState::NeedsInput, 0));
}

#[test]
fn the_end_of_the_process_wins_over_everything() {
    let facts = StateFacts {
        ended: true,
        registry: Some(Activity::Busy),
        hooks: Some(Turn::Working),
        transcript: Some(Turn::Working),
        settling: true,
        live_dialogs: 2,
        open_dialogs: 3,
        spoken: true,
        background: ["a1".to_owned()].into(),
        process_since: None,
    };
    assert_eq!((facts.state(), facts.pending_dialogs()), (RunState::Ended, 0));
}

fn started(id: &str, time: &str) -> Fact {
    Fact::BackgroundStarted { id: id.into(), time: Some(time.into()) }
}

#[test]
fn an_agent_in_the_background_keeps_an_idle_process_working_until_it_reports() {
    let mut facts = StateFacts { registry: Some(Activity::Idle), ..Default::default() };
    facts.take_fact(&prompt());
    facts.take_fact(&started("a1", "2026-01-05T10:00:00.000Z"));
    facts.take_fact(&started("a2", "2026-01-05T10:00:00.000Z"));
    facts.take_fact(&Fact::TurnEnded);
    assert_eq!(facts.state(), RunState::Working);
    facts.take_fact(&Fact::BackgroundEnded { id: "a1".into() });
    facts.take_fact(&Fact::BackgroundEnded { id: "a-shell".into() });
    assert_eq!(facts.state(), RunState::Working);
    facts.take_fact(&Fact::BackgroundEnded { id: "a2".into() });
    assert_eq!(facts.state(), RunState::NeedsInput);
}

#[test]
fn an_agent_in_the_background_hides_no_dialog_and_no_new_conversation() {
    let mut facts = StateFacts { registry: Some(Activity::Waiting), ..Default::default() };
    facts.take_fact(&started("a1", "2026-01-05T10:00:00.000Z"));
    assert_eq!(facts.state(), RunState::Question);
    facts.new_epoch();
    facts.registry = Some(Activity::Idle);
    assert_eq!(facts.state(), RunState::Idle);
}

#[test]
fn what_an_earlier_process_left_in_the_background_is_gone() {
    let since = Some("2026-01-05T11:00:00.000Z".to_owned());
    let mut facts = StateFacts {
        registry: Some(Activity::Idle),
        process_since: since,
        spoken: true,
        ..Default::default()
    };
    facts.take_fact(&started("lost", "2026-01-05T10:00:00.000Z"));
    assert_eq!(facts.state(), RunState::NeedsInput);
    facts.take_fact(&started("alive", "2026-01-05T11:00:00.001Z"));
    assert_eq!(facts.state(), RunState::Working);
}

#[test]
fn a_conversation_that_was_resumed_waits_for_no_agent_of_its_last_process() {
    let started = |reason| SignalKind::ConversationStarted { reason, model: None };
    let mut facts = StateFacts { spoken: true, ..Default::default() };
    facts.take_fact(&self::started("a1", "2026-01-05T10:00:00.000Z"));
    facts.take_signal(&started(StartReason::Compact));
    assert_eq!(facts.state(), RunState::Working);
    facts.take_signal(&started(StartReason::Resume));
    assert_eq!(facts.state(), RunState::NeedsInput);
}

/// BB-SD-01: an interrupt fires no hook, and often writes nothing either.
#[test]
fn an_interrupt_that_nobody_records_ends_with_the_word_of_the_process() {
    let mut facts = StateFacts { registry: Some(Activity::Busy), ..Default::default() };
    facts.take_signal(&SignalKind::PromptSubmitted { text: "x".into() });
    facts.take_fact(&prompt());
    facts.take_fact(&Fact::TurnGoesOn);
    assert_eq!(facts.state(), RunState::Working);
    facts.registry = Some(Activity::Idle);
    assert_eq!(facts.state(), RunState::NeedsInput);
}

/// BB-SD-03: an open call is the last that the transcript says.
#[test]
fn a_process_that_waits_is_never_shown_as_working() {
    let mut facts = StateFacts::default();
    facts.take_fact(&prompt());
    facts.take_fact(&Fact::TurnGoesOn);
    facts.take_signal(&SignalKind::ToolStarting { call_id: None, name: "Bash".into(), mark: 0 });
    facts.registry = Some(Activity::Waiting);
    assert_eq!(facts.state(), RunState::Question);
}

/// One signal of each kind.
static SIGNALS: LazyLock<Vec<SignalKind>> = LazyLock::new(|| {
    let starts = [
        StartReason::Startup,
        StartReason::Resume,
        StartReason::Clear,
        StartReason::Compact,
        StartReason::Fork,
    ];
    let started = starts.map(|reason| SignalKind::ConversationStarted { reason, model: None });
    let text = || "x".to_owned();
    let others = [
        SignalKind::ConversationEnded { reason: text() },
        SignalKind::PromptSubmitted { text: text() },
        SignalKind::ToolStarting { call_id: None, name: text(), mark: 1 },
        SignalKind::ToolEnded { call_id: None },
        SignalKind::Notified { message: text(), blocked: true },
        SignalKind::TurnEnded,
        SignalKind::TurnFailed { error: text() },
        SignalKind::TextDelta { message_id: text(), index: 0, text: text(), last: false },
        SignalKind::Unknown { name: text() },
    ];
    started.into_iter().chain(others).collect()
});

fn some_signals() -> impl Strategy<Value = Vec<SignalKind>> {
    let indices = proptest::collection::vec(0..SIGNALS.len(), 0..12);
    indices.prop_map(|them| them.into_iter().map(|it| SIGNALS[it].clone()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// BB-SD-09: hooks come late, twice, in any order, or not at all.
    #[test]
    fn the_word_of_the_process_settles_the_state_after_hooks_in_any_order(
        early in some_signals(),
        late in some_signals(),
        dialogs in 0..3_usize,
    ) {
        let facts = |activity| {
            let mut facts = StateFacts { open_dialogs: dialogs, spoken: true, ..Default::default() };
            early.iter().for_each(|it| facts.take_signal(it));
            facts.registry = Some(activity);
            for signal in &late {
                facts.take_signal(signal);
                // It writes its list again after each change.
                facts.registry = Some(activity);
            }
            facts.state()
        };
        prop_assert_eq!(facts(Activity::Waiting), RunState::Question);
        let busy = if dialogs > 0 { RunState::Question } else { RunState::Working };
        prop_assert_eq!(facts(Activity::Busy), busy);
        prop_assert_eq!(facts(Activity::Idle), RunState::NeedsInput);
    }

    /// BB-SD-09: without that word, the order of all but the last hook is the same.
    #[test]
    fn an_end_of_the_turn_that_comes_last_is_the_end(signals in some_signals()) {
        let mut facts = StateFacts::default();
        signals.iter().for_each(|it| facts.take_signal(it));
        facts.take_signal(&SignalKind::TurnEnded);
        let state = facts.state();
        prop_assert!(matches!(state, RunState::NeedsInput | RunState::Idle), "{state:?}");
    }
}
