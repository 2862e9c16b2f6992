//! What reaches a program when someone types or pastes.

use seamux::terminal::{Key, Refusal, TerminalError};

use super::rig::{Rig, until};

async fn wait_for(file: &std::path::Path, expected: &[u8]) {
    let complete = || std::fs::read(file).ok().filter(|got| got.len() >= expected.len());
    let got = until("all bytes arrive", complete).await;
    assert!(got == expected, "{:?}", String::from_utf8_lossy(&got));
}

#[tokio::test]
async fn a_paste_arrives_byte_for_byte_inside_one_bracket() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let (pane, got) = rig.reader(&terminal, "reader").await;
    let big = "0123456789 'ä' \"q\" #{pid} $HOME\n\t\\;".repeat(3000);
    assert!(big.len() > 100_000);
    let mut expected = Vec::new();
    for text in ["one", "two\nlines\n", "-w", "end;", "é漢🦀", "%end 1 2 3", "#{pid} ~ {", &big]
    {
        terminal.paste(&pane, text).await.unwrap();
        expected.extend([b"\x1b[200~", text.as_bytes(), b"\x1b[201~"].concat());
        wait_for(&got, &expected).await;
        assert_eq!(rig.buffers(), "");
    }
}

#[tokio::test]
async fn keys_arrive_one_by_one() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let (pane, got) = rig.reader(&terminal, "reader").await;
    let keys = [
        (Key::Enter, &b"\r"[..]),
        (Key::Escape, b"\x1b"),
        (Key::Tab, b"\t"),
        (Key::BTab, b"\x1b[Z"),
        (Key::Up, b"\x1b[A"),
        (Key::Down, b"\x1b[B"),
        (Key::Right, b"\x1b[C"),
        (Key::Left, b"\x1b[D"),
        (Key::Space, b" "),
        (Key::Backspace, b"\x7f"),
        (Key::CtrlU, b"\x15"),
        (Key::CtrlC, b"\x03"),
        (Key::CtrlD, b"\x04"),
        (Key::Char(';'), b";"),
        (Key::Char('-'), b"-"),
        (Key::Char('1'), b"1"),
        (Key::Char('é'), "é".as_bytes()),
    ];
    let mut expected = Vec::new();
    for (key, bytes) in keys {
        terminal.press(&pane, key).await.unwrap();
        expected.extend(bytes);
        wait_for(&got, &expected).await;
    }
}

#[tokio::test]
async fn control_characters_never_leave_us() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let (pane, got) = rig.reader(&terminal, "reader").await;
    for text in ["a\x1b[201~b", "a\0b", "a\rb", "a\x7fb", "a\u{9b}b"] {
        let error = terminal.paste(&pane, text).await.unwrap_err();
        assert!(matches!(error, TerminalError::Refused(Refusal::ControlCharacter(_))), "{error}");
    }
    let error = terminal.press(&pane, Key::Char('\x03')).await.unwrap_err();
    assert!(matches!(error, TerminalError::Refused(Refusal::ControlCharacter(3))), "{error}");
    let error = terminal.paste(&pane, "").await.unwrap_err();
    assert!(matches!(error, TerminalError::Refused(Refusal::Empty)), "{error}");
    let error = terminal.paste(&pane, &"x".repeat(2 << 20)).await.unwrap_err();
    assert!(matches!(error, TerminalError::TooBig { .. }), "{error}");
    terminal.press(&pane, Key::Char('!')).await.unwrap();
    wait_for(&got, b"!").await;
}

#[tokio::test]
async fn a_refused_paste_leaves_no_buffer() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let (pane, got) = rig.reader(&terminal, "reader").await;
    let mut wrong = pane.clone();
    wrong.stamp = "other".into();
    let error = terminal.paste(&wrong, "text").await.unwrap_err();
    assert!(matches!(error, TerminalError::Refused(Refusal::Stamp)), "{error}");
    let mut wrong = pane.clone();
    wrong.pid += 1;
    let error = terminal.paste(&wrong, "text").await.unwrap_err();
    assert!(matches!(error, TerminalError::Refused(Refusal::Process)), "{error}");
    let mut wrong = pane.clone();
    wrong.server.start_time += 1;
    let error = terminal.press(&wrong, Key::Enter).await.unwrap_err();
    assert!(matches!(error, TerminalError::Refused(Refusal::Epoch)), "{error}");
    rig.tmux(&["select-pane", "-d", "-t", &pane.id]);
    let error = terminal.paste(&pane, "text").await.unwrap_err();
    assert!(matches!(error, TerminalError::Refused(Refusal::InputOff)), "{error}");
    rig.tmux(&["select-pane", "-e", "-t", &pane.id]);
    assert_eq!(rig.buffers(), "");
    terminal.press(&pane, Key::Char('!')).await.unwrap();
    wait_for(&got, b"!").await;
}

#[tokio::test]
async fn many_writers_at_once_do_not_mix() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let (pane, got) = rig.reader(&terminal, "reader").await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 10..60 {
        let (terminal, pane) = (terminal.clone(), pane.clone());
        tasks.spawn(async move { terminal.paste(&pane, &format!("text\n{number}")).await });
    }
    for outcome in tasks.join_all().await {
        outcome.unwrap();
    }
    let one = "\x1b[200~text\n10\x1b[201~".len();
    let complete = || std::fs::read(&got).ok().filter(|got| got.len() >= one * 50);
    let got = String::from_utf8(until("all bytes arrive", complete).await).unwrap();
    for number in 10..60 {
        assert_eq!(got.matches(&format!("\x1b[200~text\n{number}\x1b[201~")).count(), 1);
    }
    assert_eq!(rig.buffers(), "");
}

#[tokio::test]
async fn a_screen_full_of_protocol_does_no_harm() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let script = "printf '%%end 1 2 3\\n%%begin 1 2 1\\n%%error 1 2 1\\n%%exit\\nack:0:1\\npassed\\n\
        %%window-close @1\\n'; exec sleep 60";
    let pane = rig.sh(&terminal, "liar", script).await;
    let mut screen = String::new();
    while !screen.contains("window-close") {
        screen = terminal.capture(&pane).await.unwrap();
    }
    let lines = "%end 1 2 3\n%begin 1 2 1\n%error 1 2 1\n%exit\nack:0:1\npassed\n%window-close @1";
    assert!(screen.starts_with(lines), "{screen}");
    assert_eq!(terminal.probe(&pane).await.unwrap().dead, None);
}
