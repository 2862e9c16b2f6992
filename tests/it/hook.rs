//! The hook process: fast, silent, and it never fails the CLI.

use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use seamux::signals::{Body, sweep, wire};

/// Runs the hook as a CLI does: through a shell, with the payload on its input.
fn hook(socket: &Path, spool: &Path, run: &str, payload: &[u8]) -> Output {
    let mut child = Command::new("/bin/sh")
        .arg("-c")
        .arg(format!(
            "'{}' hook '{}' '{}' '{run}'",
            env!("CARGO_BIN_EXE_seamux"),
            socket.display(),
            spool.display()
        ))
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(payload).unwrap();
    child.wait_with_output().unwrap()
}

fn is_silent_success(output: &Output) -> bool {
    output.status.success() && output.stdout.is_empty() && output.stderr.is_empty()
}

/// Takes one connection and answers with `answer`; what it was sent.
fn take_one(socket: &Path, answer: &'static [u8]) -> std::thread::JoinHandle<Vec<u8>> {
    let listener = UnixListener::bind(socket).unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut frame = Vec::new();
        stream.read_to_end(&mut frame).unwrap();
        stream.write_all(answer).ok();
        frame
    })
}

#[test]
fn a_signal_reaches_the_server_whole() {
    let dir = tempfile::tempdir().unwrap();
    let (socket, spool) = (dir.path().join("s"), dir.path().join("spool"));
    let server = take_one(&socket, &[wire::TAKEN]);
    let payload = format!(r#"{{"hook_event_name":"Stop","x":"{}"}}"#, "é\\n".repeat(100_000));
    assert!(is_silent_success(&hook(&socket, &spool, "r-1", payload.as_bytes())));
    let frame = server.join().unwrap();
    assert_eq!(wire::parse(&frame), Some(("r-1", payload.as_bytes())));
    assert!(!spool.exists(), "what was delivered is not kept");
}

#[test]
fn without_a_server_signals_wait_in_the_spool_in_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let (socket, spool) = (dir.path().join("s"), dir.path().join("spool"));
    for n in 0..5 {
        assert!(is_silent_success(&hook(
            &socket,
            &spool,
            "r-1",
            format!("{{\"n\":{n}}}").as_bytes()
        )));
    }
    let waiting = sweep(&spool).unwrap();
    let told: Vec<_> =
        waiting.iter().map(|it| (it.delivery.run.as_str(), &it.delivery.body)).collect();
    for (n, (run, body)) in told.iter().enumerate() {
        let Body::Signal { payload, late: true } = body else { panic!("{body:?}") };
        assert_eq!((*run, payload.as_slice()), ("r-1", format!("{{\"n\":{n}}}").as_bytes()));
    }
    assert_eq!(told.len(), 5);
    // Not taken until it is said so: a crash in between loses nothing.
    assert_eq!(sweep(&spool).unwrap().len(), 5);
    waiting.into_iter().for_each(|it| it.file.done());
    assert!(sweep(&spool).unwrap().is_empty());
}

#[test]
fn a_server_that_takes_it_and_dies_without_a_word_costs_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (socket, spool) = (dir.path().join("s"), dir.path().join("spool"));
    let server = take_one(&socket, b"");
    assert!(is_silent_success(&hook(&socket, &spool, "r-1", b"{}")));
    server.join().unwrap();
    assert_eq!(sweep(&spool).unwrap().len(), 1);
}

#[test]
fn nothing_makes_the_hook_fail_or_speak() {
    let dir = tempfile::tempdir().unwrap();
    let nowhere = Path::new("/proc/no/such/place");
    // No server and no place to spool.
    assert!(is_silent_success(&hook(nowhere, nowhere, "r-1", b"{}")));
    // A name that is not a run's, and a payload that is nothing.
    assert!(is_silent_success(&hook(&dir.path().join("s"), dir.path(), "../x", b"")));
    assert!(sweep(dir.path()).unwrap().is_empty(), "nonsense is thrown away");
    // Arguments missing.
    let output = Command::new(env!("CARGO_BIN_EXE_seamux")).arg("hook").output().unwrap();
    assert!(is_silent_success(&output));
}

/// Runs the hook as one that asks; it goes on in the background.
fn ask(socket: &Path, spool: &Path) -> std::process::Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_seamux"))
        .arg("hook")
        .args([socket, spool])
        .args(["r-1", "ask"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"{}").unwrap();
    child
}

/// Takes one question, and says `answer`.
fn take_question(listener: &UnixListener, answer: &[u8]) {
    let (mut stream, _) = listener.accept().unwrap();
    let mut question = [0; 12];
    stream.read_exact(&mut question).unwrap();
    assert_eq!(&question, b"r-1 ask 2\n{}");
    stream.write_all(answer).unwrap();
}

#[test]
fn a_hook_that_asks_prints_what_it_is_told_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let (socket, spool) = (dir.path().join("s"), dir.path().join("spool"));
    let listener = UnixListener::bind(&socket).unwrap();
    let child = ask(&socket, &spool);
    take_question(&listener, b"+={\"a\":1}");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    assert_eq!(output.stdout, b"{\"a\":1}");

    let child = ask(&socket, &spool);
    take_question(&listener, &[wire::TAKEN, wire::DISMISSED]);
    assert!(is_silent_success(&child.wait_with_output().unwrap()));
    assert!(!spool.exists(), "a question is not spooled");
}

#[test]
fn a_hook_that_asks_waits_for_the_next_life_of_the_server() {
    let dir = tempfile::tempdir().unwrap();
    let (socket, spool) = (dir.path().join("s"), dir.path().join("spool"));
    let listener = UnixListener::bind(&socket).unwrap();
    let child = ask(&socket, &spool);
    // Taken, and then the server dies.
    take_question(&listener, &[wire::TAKEN]);
    drop(listener);
    std::fs::remove_file(&socket).unwrap();
    let listener = UnixListener::bind(&socket).unwrap();
    take_question(&listener, b"+=yes");
    assert_eq!(child.wait_with_output().unwrap().stdout, b"yes");
}

#[test]
fn a_hook_whose_cli_is_gone_goes_too() {
    let dir = tempfile::tempdir().unwrap();
    // No server, and soon nobody who would read an answer.
    let mut child = ask(&dir.path().join("s"), dir.path());
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}
