//! Ways of tmux to lose work. Each of these went wrong in a naive program.

use seamux::terminal::{Exit, Refusal, TerminalError, TerminalEvent};

use super::rig::{Rig, kill, until};

#[tokio::test]
async fn a_paste_into_a_dead_pane_is_refused_and_the_server_lives() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    let pane = rig.sh(&terminal, "dead", "exit 0").await;
    events.wait(TerminalEvent::Exited { pane: pane.clone(), exit: Exit::Code(0) }).await;
    let error = terminal.paste(&pane, "anyone?").await.unwrap_err();
    assert!(matches!(error, TerminalError::Refused(Refusal::Dead)), "{error}");
    let error = terminal.press(&pane, seamux::terminal::Key::Enter).await.unwrap_err();
    assert!(matches!(error, TerminalError::Refused(Refusal::Dead)), "{error}");
    assert_eq!(rig.buffers(), "");
    assert_eq!(terminal.probe(&pane).await.unwrap().pane.server, pane.server);
}

#[tokio::test]
async fn pastes_that_race_with_deaths_never_hurt_the_server() {
    let rig = Rig::new();
    let (terminal, mut events) = rig.open().await;
    for number in 0..25 {
        let pane = rig.sh(&terminal, &format!("race{number}"), "exec cat").await;
        kill("KILL", &pane.pid.to_string());
        loop {
            match terminal.paste(&pane, "now").await {
                Ok(()) => {}
                Err(TerminalError::Refused(Refusal::Dead)) => break,
                Err(error) => panic!("{error}"),
            }
        }
        events.wait(TerminalEvent::Exited { pane, exit: Exit::Signal(9) }).await;
    }
    assert_eq!(rig.buffers(), "");
}

#[tokio::test]
async fn each_window_has_its_own_size_and_more_sessions_can_follow() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    for (session, size) in [("wide", (160, 50)), ("tall", (45, 90)), ("third", (80, 24))] {
        let mut spec = rig.spec(session, &["sleep", "60"]);
        spec.size = size;
        let pane = terminal.spawn(spec).await.unwrap();
        let text = "#{window_width} #{window_height} #{window-size}";
        let shown = rig.tmux(&["display-message", "-p", "-t", &pane.id, text]);
        assert_eq!(shown, format!("{} {} manual", size.0, size.1));
    }
    assert_ne!(rig.tmux(&["show-options", "-gwv", "window-size"]), "manual");
}

#[tokio::test]
async fn copy_mode_is_left_first_so_that_the_brackets_survive() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let (pane, got) = rig.reader(&terminal, "reader").await;
    rig.tmux(&["copy-mode", "-t", &pane.id]);
    assert!(terminal.probe(&pane).await.unwrap().in_mode);
    terminal.paste(&pane, "q\nq").await.unwrap();
    let expected = b"\x1b[200~q\nq\x1b[201~";
    let complete = || std::fs::read(&got).ok().filter(|got| got.len() >= expected.len());
    assert_eq!(until("the paste", complete).await, expected);
    assert!(!terminal.probe(&pane).await.unwrap().in_mode);
}

#[tokio::test]
async fn copy_mode_is_respected_while_a_person_is_attached() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let (pane, _got) = rig.reader(&terminal, "reader").await;
    // The person sits in a tmux of another server, as people do.
    let desk = Rig::new();
    let (person, _desk_events) = desk.open().await;
    let attach = terminal.attach(&pane);
    assert_eq!(attach.command, format!("tmux -L {} attach -t '=reader'", rig.name));
    let at_desk = desk.sh(&person, "desk", &attach.command).await;
    let mut attached = 0;
    while attached == 0 {
        attached = terminal.probe(&pane).await.unwrap().attached;
        let seat = person.probe(&at_desk).await.unwrap();
        assert_eq!(seat.dead, None, "{}", person.capture(&at_desk).await.unwrap());
    }
    terminal.paste(&pane, "fine").await.unwrap();
    rig.tmux(&["copy-mode", "-t", &pane.id]);
    let error = terminal.paste(&pane, "not now").await.unwrap_err();
    assert!(matches!(error, TerminalError::Refused(Refusal::Mode)), "{error}");
    let status = terminal.probe(&pane).await.unwrap();
    assert!(status.in_mode);
    let size = rig.tmux(&["display-message", "-p", "-t", &pane.id, "#{pane_width} #{pane_height}"]);
    assert_eq!(size, "100 30", "a viewer does not change the size");
    assert_eq!(rig.buffers(), "");
}

#[tokio::test]
async fn an_upgrade_of_tmux_does_not_cut_us_off_from_the_old_server() {
    let mut rig = Rig::new();
    let bin = rig.file("bin");
    std::fs::create_dir(&bin).unwrap();
    std::fs::copy("/usr/bin/tmux", bin.join("tmux")).unwrap();
    rig.path = format!("{}:/usr/bin:/bin", bin.display());
    let (terminal, mut events) = rig.open().await;
    let pane = rig.sh(&terminal, "run", "exec sleep 60").await;

    // Stands for a version that the running server does not understand.
    std::fs::remove_file(bin.join("tmux")).unwrap();
    std::fs::copy("/bin/cat", bin.join("tmux")).unwrap();
    kill("KILL", &rig.control_client());
    events.wait(TerminalEvent::Reconnected).await;
    assert_eq!(terminal.probe(&pane).await.unwrap().pane, pane);
    let program = format!("/proc/{}/exe", pane.server.pid);
    assert_eq!(terminal.attach(&pane).argv[0], program);

    terminal.shutdown().await;
    let (terminal, _events) = rig.open().await;
    assert_eq!(terminal.panes().await.unwrap()[0].pane, pane);
}

#[tokio::test]
async fn a_connect_that_stays_silent_ends_with_an_error() {
    let mut rig = Rig::new();
    let bin = rig.file("bin");
    std::fs::create_dir(&bin).unwrap();
    std::fs::write(bin.join("tmux"), "#!/bin/sh\nexec sleep 60\n").unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(bin.join("tmux"), executable).unwrap();
    rig.path = format!("{}:/usr/bin:/bin", bin.display());
    let error = seamux::terminal::Terminal::open(rig.config()).await.unwrap_err();
    assert!(matches!(error, TerminalError::Timeout(_)), "{error}");
}

#[tokio::test]
async fn the_configuration_is_in_force_and_no_line_was_refused() {
    let rig = Rig::new();
    let (first, _events) = rig.open().await;
    first.shutdown().await;
    let (_second, _events) = rig.open().await;
    for (scope, option, value) in [
        ("-sv", "exit-empty", "off"),
        ("-sv", "set-clipboard", "off"),
        ("-sv", "message-limit", "0"),
        ("-sv", "terminal-features[90]", "xterm-256color:RGB:title"),
        ("-gv", "mouse", "off"),
        ("-gv", "status", "off"),
        ("-gv", "update-environment", ""),
        ("-gwv", "remain-on-exit", "on"),
        ("-gwv", "allow-rename", "off"),
        ("-gv", "history-limit", "20000"),
    ] {
        assert_eq!(rig.tmux(&["show-options", scope, option]), value, "{option}");
    }
    let keys = rig.tmux(&["list-keys", "-T", "prefix"]);
    assert_eq!(keys.lines().count(), 2, "{keys}");
    assert_eq!(rig.tmux(&["show-options", "-sv", "@seamux_now"]), "%s");
    let conf = rig.dir.path().join(format!("run/tmux-{}.conf", rig.name));
    assert_eq!(rig.tmux(&["source-file", conf.to_str().unwrap()]), "");
}
