//! Deaths, and how they are told.

use std::collections::BTreeMap;

use seamux::terminal::{Exit, PaneSignal, Terminal, TerminalError, TerminalEvent};

use super::rig::{Events, Rig, kill, lives, until};

fn exited(event: &TerminalEvent) -> Option<(String, Exit)> {
    match event {
        TerminalEvent::Exited { pane, exit } => Some((pane.session_name.clone(), *exit)),
        _ => None,
    }
}

#[tokio::test]
async fn a_death_is_told_with_its_code_or_signal() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    for (session, script, exit) in [
        ("good", "exit 0", Exit::Code(0)),
        ("bad", "exit 41", Exit::Code(41)),
        ("shot", "kill -9 $$", Exit::Signal(9)),
        ("asked", "kill -TERM $$", Exit::Signal(15)),
    ] {
        let pane = rig.sh(&terminal, session, script).await;
        assert_eq!(events.find(exited).await, (session.into(), exit));
        assert_eq!(terminal.probe(&pane).await.unwrap().dead, Some(exit));
    }
}

#[tokio::test]
async fn a_signal_reaches_the_process_and_its_death_is_told() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    for (signal, number) in [(PaneSignal::Terminate, 15), (PaneSignal::Kill, 9)] {
        let session = format!("s{number}");
        let pane = rig.sh(&terminal, &session, "exec sleep 60").await;
        terminal.signal(&pane, signal).await.unwrap();
        assert_eq!(events.find(exited).await, (session, Exit::Signal(number)));
        assert!(matches!(terminal.signal(&pane, signal).await, Err(TerminalError::Refused(_))));
    }
}

#[tokio::test]
async fn twenty_deaths_at_once_are_all_told() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    let mut expected = BTreeMap::new();
    for number in 0..20 {
        let session = format!("d{number}");
        let script = format!("until [ -e go ]; do sleep 0.01; done; exit {number}");
        rig.sh(&terminal, &session, &script).await;
        expected.insert(session, Exit::Code(number));
    }
    std::fs::write(rig.file("go"), "").unwrap();
    let mut told = BTreeMap::new();
    for _ in 0..20 {
        let (session, exit) = events.find(exited).await;
        assert_eq!(told.insert(session, exit), None, "told twice");
    }
    assert_eq!(told, expected);
}

#[tokio::test]
async fn a_killed_pane_is_noticed() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    let pane = rig.sh(&terminal, "victim", "exec sleep 60").await;
    rig.tmux(&["kill-pane", "-t", &pane.id]);
    assert_eq!(events.find(exited).await, ("victim".into(), Exit::Unknown));
    assert!(matches!(terminal.probe(&pane).await, Err(TerminalError::NoTarget)));
    terminal.kill(&pane).await.unwrap();
}

#[tokio::test]
async fn a_killed_pane_is_noticed_even_if_its_process_lives_on() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    let pane = rig.sh(&terminal, "stubborn", "trap '' HUP; : > ready; exec sleep 60").await;
    until("it ignores hangups", || rig.file("ready").exists().then_some(())).await;
    rig.tmux(&["kill-pane", "-t", &pane.id]);
    assert_eq!(events.find(exited).await, ("stubborn".into(), Exit::Unknown));
    assert!(lives(pane.pid));
    kill("KILL", &pane.pid.to_string());
}

#[tokio::test]
async fn after_a_kill_the_process_is_gone_even_if_it_ignores_hangups() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    let pane = rig.sh(&terminal, "stubborn", "trap '' HUP; : > ready; exec sleep 60").await;
    until("it ignores hangups", || rig.file("ready").exists().then_some(())).await;
    terminal.kill(&pane).await.unwrap();
    until("it is gone", || (!lives(pane.pid)).then_some(())).await;
    assert_eq!(events.find(exited).await.0, "stubborn");
}

#[tokio::test]
async fn a_dead_pane_can_be_killed_and_its_name_used_again() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    let pane = rig.sh(&terminal, "again", "exit 3").await;
    events.find(exited).await;
    terminal.kill(&pane).await.unwrap();
    terminal.kill(&pane).await.unwrap();
    let next = rig.sh(&terminal, "again", "exec sleep 60").await;
    assert_ne!(next.id, pane.id);
}

async fn orphaned(rig: &Rig) -> (Terminal, Events) {
    let (first, _events) = rig.open().await;
    let mut spec = rig.spec("live", &["sleep", "60"]);
    spec.labels = [("provider", "claude-code"), ("title", "50 % é\n#{pid};\tdone")]
        .map(|(key, value)| (key.into(), value.into()))
        .to_vec();
    first.spawn(spec).await.unwrap();
    let dead = rig.sh(&first, "dead", "until [ -e go ]; do sleep 0.01; done; exit 7").await;
    first.shutdown().await;
    std::fs::write(rig.file("go"), "").unwrap();
    until("it died", || (!lives(dead.pid)).then_some(())).await;
    rig.open().await
}

#[tokio::test]
async fn panes_are_found_again_with_stamps_labels_and_last_words() {
    let rig = Rig::new();
    let (terminal, mut events) = orphaned(&rig).await;
    let panes = terminal.panes().await.unwrap();
    let [dead, live] = &panes[..] else { panic!("{panes:?}") };
    assert_eq!((&*live.pane.stamp, live.dead), ("stamp-live", None));
    assert_eq!((&*dead.pane.stamp, dead.dead), ("stamp-dead", Some(Exit::Code(7))));
    assert_eq!(live.labels["provider"], "claude-code");
    assert_eq!(live.labels["title"], "50 % é\n#{pid};\tdone");
    assert!(dead.labels.is_empty());
    assert_eq!(live.cwd, rig.dir.path());
    assert!(live.created_at > 1_600_000_000);

    for status in &panes {
        terminal.watch(&status.pane).await.unwrap();
        terminal.watch(&status.pane).await.unwrap();
    }
    assert_eq!(events.find(exited).await, ("dead".into(), Exit::Code(7)));
    terminal.signal(&live.pane, PaneSignal::Terminate).await.unwrap();
    assert_eq!(events.find(exited).await, ("live".into(), Exit::Signal(15)));
}
