//! What reaches a program when it is started.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

use seamux::terminal::{Terminal, TerminalConfig, TerminalError};

use super::rig::{Rig, content, lives};

#[tokio::test]
async fn arguments_arrive_as_they_are() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let words = [
        "two words",
        "'single'",
        "\"double\"",
        "$HOME",
        "~",
        "-leading",
        "--",
        "",
        "end;",
        ";",
        "#{pid}",
        "#(id)",
        "%if",
        "back\\slash",
        "line\nfeed",
        "{",
        "}",
        "ümläut",
        "a=b",
        "*",
    ];
    let script = r#"for word; do printf '[%s]' "$word"; done > draft; mv draft words"#;
    let argv = [&["/bin/sh", "-c", script, "sh"], &words[..]].concat();
    terminal.spawn(rig.spec("words", &argv)).await.unwrap();
    let expected: String = words.iter().map(|word| format!("[{word}]")).collect();
    assert_eq!(content(&rig.file("words")).await, expected);
}

#[tokio::test]
async fn a_single_word_is_a_program_and_not_a_shell_line() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let program = rig.file("a b; touch owned; $HOME;");
    std::fs::write(&program, "#!/bin/sh\nprintf '%s %s' \"$0\" $# > draft; mv draft ran\n")
        .unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = program.to_str().unwrap();
    terminal.spawn(rig.spec("one", &[program])).await.unwrap();
    assert_eq!(content(&rig.file("ran")).await, format!("{program} 0"));
    assert!(!rig.file("owned").exists());
}

#[tokio::test]
async fn the_environment_is_what_was_given_and_nothing_of_ours() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let secret = format!("s3cret-{}", std::process::id());
    let given = [
        ("SPACES", " a  b "),
        ("QUOTES", "it's \"so\""),
        ("FORMAT", "#{pid} #(id) ##"),
        ("LINES", "one\ntwo\n"),
        ("EMPTY", ""),
        ("DOLLAR", "$HOME `id` ;"),
        ("UTF", "é漢"),
        ("SECRET", &secret),
        ("LANG", "C"),
    ];
    let given = given.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let script = "cat /proc/$$/environ > draft; mv draft environ; exec sleep 60";
    let mut spec = rig.spec("env", &["/bin/sh", "-c", script]);
    spec.env = given.to_vec();
    terminal.spawn(spec).await.unwrap();

    let environ = content(&rig.file("environ")).await;
    let pairs = environ.split_terminator('\0').map(|pair| pair.split_once('=').unwrap());
    let mut found: BTreeMap<_, _> = pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    let of_tmux = ["TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX", "TMUX_PANE"];
    for name in of_tmux.into_iter().chain(["SHELL", "PWD"]) {
        assert!(found.remove(name).is_some(), "{name}");
    }
    let mut expected: BTreeMap<_, _> = rig.config().env.into_iter().collect();
    expected.extend(given);
    assert_eq!(found, expected);

    for entry in std::fs::read_dir("/proc").unwrap() {
        let line = std::fs::read(entry.unwrap().path().join("cmdline")).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&line).contains(&secret));
    }
    assert_eq!(rig.tmux(&["show-messages"]), "", "tmux keeps a log with our lines");
}

#[tokio::test]
async fn the_directory_is_the_one_that_was_asked_for() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    for (number, name) in ["a b;", "#{pid}", "##x", "#[x]", "it's é"].iter().enumerate() {
        let mut spec = rig.spec(&format!("dir{number}"), &["sleep", "60"]);
        spec.cwd = rig.file(name);
        std::fs::create_dir(&spec.cwd).unwrap();
        let expected = spec.cwd.clone();
        let pane = terminal.spawn(spec).await.unwrap();
        // Until it runs `sleep`, the process may still be on its way there.
        let comm = format!("/proc/{}/comm", pane.pid);
        let sleeps = || std::fs::read_to_string(&comm).ok().filter(|comm| comm == "sleep\n");
        super::rig::until("it runs", sleeps).await;
        assert_eq!(terminal.probe(&pane).await.unwrap().cwd, expected);
        assert_eq!(
            rig.tmux(&["display-message", "-p", "-t", &pane.id, "#{session_path}"]),
            expected.to_str().unwrap()
        );
    }
}

#[tokio::test]
async fn what_cannot_work_is_refused_before_anything_starts() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let spec = || rig.spec("bad", &["sleep", "60"]);
    let refused = async |change: &dyn Fn(&mut seamux::terminal::PaneSpec)| {
        let mut spec = spec();
        change(&mut spec);
        terminal.spawn(spec).await.unwrap_err()
    };
    let error = refused(&|spec| spec.cwd = "/no/such/place".into()).await;
    assert!(matches!(error, TerminalError::NoDirectory { .. }), "{error}");
    let error = refused(&|spec| spec.cwd = "relative".into()).await;
    assert!(matches!(error, TerminalError::NoDirectory { .. }), "{error}");
    let error = refused(&|spec| spec.argv = vec!["no-such-program".into()]).await;
    assert!(matches!(error, TerminalError::NoProgram { .. }), "{error}");
    let error = refused(&|spec| spec.argv[1] = "x".repeat(200_000).into()).await;
    assert!(matches!(error, TerminalError::TooBig { .. }), "{error}");
    for error in [
        refused(&|spec| spec.session = "a.b".into()).await,
        refused(&|spec| spec.session = String::new()).await,
        refused(&|spec| spec.stamp = "a,b".into()).await,
        refused(&|spec| spec.argv.clear()).await,
        refused(&|spec| spec.env = vec![("A=B".into(), String::new())]).await,
        refused(&|spec| spec.size = (0, 30)).await,
    ] {
        assert!(matches!(error, TerminalError::BadSpec(_)), "{error}");
    }
    assert_eq!(terminal.panes().await.unwrap(), []);
}

#[tokio::test]
async fn a_name_that_exists_is_refused_and_its_owner_untouched() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let first = rig.sh(&terminal, "twin", "exec sleep 60").await;
    let mut spec = rig.spec("twin", &["sleep", "60"]);
    spec.stamp = "other".into();
    let error = terminal.spawn(spec).await.unwrap_err();
    assert!(matches!(&error, TerminalError::DuplicateName(name) if name == "twin"), "{error}");
    assert_eq!(terminal.probe(&first).await.unwrap().pane, first);
}

#[tokio::test]
async fn a_name_that_begins_like_another_never_hits_it() {
    let rig = Rig::new();
    let (terminal, _events) = rig.open().await;
    let long = rig.sh(&terminal, "abcd", "exec sleep 60").await;
    let short = rig.sh(&terminal, "abc", "exec sleep 60").await;
    terminal.kill(&short).await.unwrap();
    terminal.kill(&short).await.unwrap();
    assert!(!lives(short.pid));
    assert!(matches!(terminal.probe(&short).await, Err(TerminalError::NoTarget)));
    assert!(matches!(terminal.paste(&short, "x").await, Err(TerminalError::NoTarget)));
    assert!(rig.tmux(&["has-session", "-t", "=abc"]).contains("can't find"));
    assert_eq!(terminal.probe(&long).await.unwrap().dead, None);
}

#[tokio::test]
async fn without_tmux_it_says_what_to_do() {
    let rig = Rig::new();
    let env = vec![("PATH".into(), "/nowhere".into())];
    let error = Terminal::open(TerminalConfig { env, ..rig.config() }).await.unwrap_err();
    assert!(matches!(error, TerminalError::TmuxMissing { .. }), "{error}");
    assert!(error.to_string().contains("/nowhere"));
    assert!(error.hint().unwrap().contains("install"));
}
