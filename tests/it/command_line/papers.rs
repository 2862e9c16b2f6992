//! Help, completions and manual pages.

use super::alone;

const COMMANDS: &[&str] = &[
    "serve",
    "demo",
    "run",
    "ls",
    "attach",
    "tell",
    "answer",
    "wait",
    "events",
    "stop",
    "resume",
    "inspect",
    "doctor",
    "config",
    "completions",
    "man",
];

#[test]
fn every_command_has_help_and_a_manual_page() {
    let home = tempfile::tempdir().unwrap();
    let all = alone(home.path(), &["--help"]).done();
    for command in COMMANDS {
        assert!(all.lines().any(|it| it.trim_start().starts_with(command)), "{command}: {all}");
        let help = alone(home.path(), &[command, "--help"]).done();
        assert!(help.contains(&format!("Usage: seamux {command}")), "{help}");
        let page = alone(home.path(), &["man", command]).done();
        assert!(page.contains(&format!(".TH seamux-{command}")), "{page}");
    }
    assert!(alone(home.path(), &["man"]).done().contains(".TH seamux"));
    let words = alone(home.path(), &["man", "hook"]).failed();
    assert!(words.contains("there is no command `hook`"), "{words}");
}

#[test]
fn the_completions_are_scripts_that_their_shell_reads() {
    let home = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = alone(home.path(), &["completions", shell]).done();
        assert!(script.contains("answer") && script.contains("after-turn"), "{shell}");
    }
    let script = alone(home.path(), &["completions", "bash"]).done();
    let path = home.path().join("seamux.bash");
    std::fs::write(&path, script).unwrap();
    let ask = format!(
        ". {} && COMP_WORDS=(seamux res) COMP_CWORD=1 && _seamux seamux res seamux && echo ${{COMPREPLY[@]}}",
        path.display()
    );
    let output = std::process::Command::new("bash").args(["-c", &ask]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "resume\n", "{output:?}");
}
