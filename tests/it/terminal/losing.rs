//! Lost connections, lost sockets and lost servers.

use seamux::terminal::{Exit, Key, Refusal, Terminal, TerminalError, TerminalEvent};

use super::rig::{Rig, kill, lives, until};

#[tokio::test]
async fn a_killed_connection_comes_back() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    let pane = rig.sh(&terminal, "run", "exec cat").await;
    for _ in 0..3 {
        kill("KILL", &rig.control_client());
        assert_eq!(events.next().await, TerminalEvent::ControlLost);
        assert_eq!(events.next().await, TerminalEvent::Reconnected);
        assert_eq!(terminal.probe(&pane).await.unwrap().pane, pane);
        terminal.paste(&pane, "still here").await.unwrap();
    }
    assert_eq!(rig.buffers(), "");
}

#[tokio::test]
async fn a_death_while_the_connection_is_away_is_told() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    let pane = rig.sh(&terminal, "run", "exec sleep 60").await;
    kill("KILL", &rig.control_client());
    kill("KILL", &pane.pid.to_string());
    events.wait(TerminalEvent::Exited { pane, exit: Exit::Signal(9) }).await;
}

#[tokio::test]
async fn a_killed_control_session_is_made_again() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    let pane = rig.sh(&terminal, "run", "exec sleep 60").await;
    rig.tmux(&["kill-session", "-t", "=_ctl"]);
    events.wait(TerminalEvent::Reconnected).await;
    assert_eq!(terminal.probe(&pane).await.unwrap().pane, pane);
}

#[tokio::test]
async fn a_killed_server_is_told_and_the_next_spawn_starts_another() {
    for end in ["kill -9", "kill-server"] {
        let rig = Rig::new();
        let (terminal, mut events) = rig.open().await;
        let old = rig.sh(&terminal, "run", "exec cat").await;
        if end == "kill-server" {
            rig.tmux(&["kill-server"]);
        } else {
            kill("KILL", &old.server.pid.to_string());
        }
        let mut told = vec![events.next().await, events.next().await, events.next().await];
        assert_eq!(told.remove(0), TerminalEvent::ControlLost, "{end}");
        assert!(told.contains(&TerminalEvent::ServerGone), "{end}: {told:?}");
        let exited = TerminalEvent::Exited { pane: old.clone(), exit: Exit::Unknown };
        assert!(told.contains(&exited), "{end}: {told:?}");
        assert!(matches!(terminal.probe(&old).await, Err(TerminalError::NoServer { .. })));
        assert_eq!(terminal.panes().await.unwrap(), []);
        terminal.kill(&old).await.unwrap();

        let new = rig.sh(&terminal, "run", "exec cat").await;
        assert_eq!(events.next().await, TerminalEvent::Reconnected, "{end}");
        assert_eq!(new.id, old.id, "ids start again");
        assert_ne!(new.server, old.server);
        let error = terminal.paste(&old, "meant for another").await.unwrap_err();
        assert!(matches!(error, TerminalError::Refused(Refusal::Epoch)), "{error}");
        let error = terminal.capture(&old).await.unwrap_err();
        assert!(matches!(error, TerminalError::Refused(Refusal::Epoch)), "{error}");
        terminal.kill(&old).await.unwrap();
        assert_eq!(terminal.probe(&new).await.unwrap().dead, None);
        assert!(events.is_empty());
    }
}

#[tokio::test]
async fn a_server_without_its_socket_is_called_back_and_never_doubled() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    let pane = rig.sh(&terminal, "run", "exec sleep 60").await;
    let client = rig.control_client();
    std::fs::remove_file(rig.socket()).unwrap();
    kill("KILL", &client);
    events.wait(TerminalEvent::Reconnected).await;
    assert_eq!(terminal.probe(&pane).await.unwrap().pane, pane);

    terminal.shutdown().await;
    std::fs::remove_file(rig.socket()).unwrap();
    let (terminal, _events) = rig.open().await;
    assert_eq!(terminal.panes().await.unwrap()[0].pane, pane);
}

#[tokio::test]
async fn a_server_that_stands_still_costs_timeouts_and_nothing_is_written_late() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    let (pane, got) = rig.reader(&terminal, "reader").await;
    kill("STOP", &pane.server.pid.to_string());
    let error = terminal.paste(&pane, "late").await.unwrap_err();
    assert!(matches!(error, TerminalError::Timeout(_)), "{error}");
    assert_eq!(events.next().await, TerminalEvent::ControlLost);
    let before = std::time::Instant::now();
    let error = terminal.press(&pane, Key::Char('?')).await.unwrap_err();
    assert!(matches!(error, TerminalError::Timeout(_)), "{error}");
    assert!(before.elapsed().as_secs() < 4, "it waited for a server that stands still");

    kill("CONT", &pane.server.pid.to_string());
    assert_eq!(events.next().await, TerminalEvent::Reconnected);
    assert_eq!(terminal.probe(&pane).await.unwrap().pane, pane);
    assert_eq!(rig.buffers(), "");
    terminal.press(&pane, Key::Char('!')).await.unwrap();
    let complete = || std::fs::read(&got).ok().filter(|got| !got.is_empty());
    assert_eq!(until("the key", complete).await, b"!");
    kill("KILL", &pane.pid.to_string());
    events.wait(TerminalEvent::Exited { pane, exit: Exit::Signal(9) }).await;
}

#[tokio::test]
async fn giving_up_on_a_server_that_stands_still_does_not_crash_it() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let pane = rig.sh(&terminal, "run", "exec sleep 60").await;
    kill("STOP", &pane.server.pid.to_string());
    // Once, as seamux does. tmux 3.3a can crash by itself when several clients
    // left it while it stood still.
    let error = Terminal::open(rig.config()).await.unwrap_err();
    assert!(matches!(error, TerminalError::Timeout(_)), "{error}");
    kill("CONT", &pane.server.pid.to_string());
    assert_eq!(terminal.probe(&pane).await.unwrap().pane, pane);
    let clients = || (rig.tmux(&["list-clients"]).lines().count() == 1).then_some(());
    until("only our client is left", clients).await;
    assert_eq!(terminal.probe(&pane).await.unwrap().pane, pane);
}

#[tokio::test]
async fn a_shutdown_leaves_no_client_and_all_panes() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let pane = rig.sh(&terminal, "run", "exec sleep 60").await;
    let client: i32 = rig.control_client().parse().unwrap();
    let clone = terminal.clone();
    terminal.shutdown().await;
    assert!(!lives(client) && lives(pane.pid));
    assert!(matches!(clone.probe(&pane).await, Err(TerminalError::Closed)));
}

#[tokio::test]
async fn a_dropped_terminal_leaves_no_client_and_all_panes() {
    let rig = Rig::new();
    let (terminal, events) = rig.open().await;
    let pane = rig.sh(&terminal, "run", "exec sleep 60").await;
    let client: i32 = rig.control_client().parse().unwrap();
    drop((terminal, events));
    until("the client is gone", || (!lives(client)).then_some(())).await;
    assert!(lives(pane.pid));
}

#[tokio::test]
async fn two_that_open_at_once_share_one_server() {
    let rig = Rig::new();
    let (one, two) = tokio::join!(rig.open(), rig.open());
    let pane = rig.sh(&one.0, "run", "exec sleep 60").await;
    assert_eq!(two.0.panes().await.unwrap()[0].pane, pane);
}
