//! What is started, and with what.

use std::collections::BTreeMap;

use super::super::descriptor::descriptor;
use super::*;
use crate::seam::HookDoor;

fn spec() -> SpawnSpec {
    SpawnSpec {
        program: "/opt/claude".into(),
        version: None,
        cwd: "/srv/shop".into(),
        home: AgentHome {
            home: "/home/dev".into(),
            env: vec![("HOME".into(), "/home/dev".into())],
            configured: vec![("ANTHROPIC_API_KEY".into(), "secret".into())],
            private: false,
        },
        launch: Launch::New { native_id: "0e7c".into() },
        prompt: Some("-n hello".into()),
        model: None,
        effort: None,
        permission_mode: None,
        options: BTreeMap::new(),
        door: HookDoor {
            command: vec!["/opt/it's/seamux".into(), "hook".into()],
            url: Some("http://127.0.0.1:9/hook/r1".into()),
            authorization: "Bearer t".into(),
        },
        run_dir: "/run/r1".into(),
    }
}

fn start(spec: &SpawnSpec) -> Prepared {
    prepare(spec, &descriptor()).expect("a valid spec")
}

fn settings(prepared: &Prepared) -> Value {
    let Some(FilePut::Whole { contents, .. }) = prepared.files.first() else { panic!("no file") };
    serde_json::from_str(contents).expect("settings are JSON")
}

#[test]
fn the_conversation_gets_our_id_and_an_explicit_mode_and_the_prompt_cannot_be_a_flag() {
    let argv = start(&spec()).argv;
    let line: Vec<_> = argv.iter().map(|it| it.to_string_lossy()).collect();
    insta::assert_snapshot!(line.join(" "), @"/opt/claude --session-id 0e7c --permission-mode default --settings /run/r1/settings.json -- -n hello");
}

#[test]
fn a_secret_stands_in_the_settings_file_and_nowhere_else() {
    let prepared = start(&spec());
    assert_eq!(settings(&prepared)["env"]["ANTHROPIC_API_KEY"], "secret");
    assert!(!prepared.argv.iter().any(|it| it.to_string_lossy().contains("secret")));
    assert!(!prepared.env.iter().any(|(_, value)| value.contains("secret")));
}

#[test]
fn a_hook_path_with_a_quote_survives_the_shell() {
    let settings = settings(&start(&spec()));
    let command = &settings["hooks"]["Stop"][0]["hooks"][0]["command"];
    assert_eq!(command, r"'/opt/it'\''s/seamux' 'hook'");
}

#[test]
fn a_persons_own_configuration_is_never_written() {
    let prepared = start(&spec());
    assert_eq!(prepared.files.len(), 1);
    let mut private = spec();
    private.home.private = true;
    let prepared = start(&private);
    let Some(FilePut::MergeJson { path, members }) = prepared.files.get(1) else {
        panic!("a private home is prepared")
    };
    assert_eq!(path, Path::new("/home/dev/.claude.json"));
    assert_eq!(members["projects"]["/"]["hasTrustDialogAccepted"], true);
}

#[test]
fn a_very_long_first_message_is_sent_once_the_cli_is_ready() {
    let mut long = spec();
    long.prompt = Some("x".repeat(200 * 1024));
    let prepared = start(&long);
    assert_eq!(prepared.deferred_prompt.map(|it| it.len()), Some(200 * 1024));
    assert!(!prepared.argv.iter().any(|it| it == "--"));
}

#[test]
fn an_unknown_mode_is_refused_with_the_known_ones() {
    let mut odd = spec();
    odd.permission_mode = Some("yolo".into());
    let error = prepare(&odd, &descriptor()).expect_err("unknown");
    insta::assert_snapshot!(error, @"there is no permission mode `yolo`; it can be default, acceptEdits, plan, bypassPermissions");
}

#[test]
fn a_silent_start_names_the_question_that_is_open() {
    let code = |config: &str| {
        let check = StartupCheck {
            permission_mode: None,
            api_key: None,
            cwd: "/srv/shop".into(),
            files: vec![("x".into(), Some(config.to_owned()))],
        };
        silent_start(&check).code
    };
    assert_eq!(code("{}"), "setup_pending");
    assert_eq!(code(r#"{"hasCompletedOnboarding":true}"#), "trust_pending");
    let trusted =
        r#"{"hasCompletedOnboarding":true,"projects":{"/srv":{"hasTrustDialogAccepted":true}}}"#;
    assert_eq!(code(trusted), "door_silent");
}

#[test]
fn a_configured_folder_moves_everything_and_an_empty_one_does_not() {
    let mut home = spec().home;
    home.env.push(("CLAUDE_CONFIG_DIR".into(), String::new()));
    assert_eq!(config_dir(&home), Path::new("/home/dev/.claude"));
    home.env[1].1 = "/srv/claude".into();
    assert_eq!(config_dir(&home), Path::new("/srv/claude"));
    assert_eq!(config_file(&home), Path::new("/srv/claude/.claude.json"));
}

#[test]
fn with_the_answers_by_keys_no_hook_waits_and_an_unknown_choice_is_refused() {
    let mut spec = spec();
    assert!(settings(&start(&spec))["hooks"]["PermissionRequest"].is_array());
    spec.options.insert("dialogs".into(), "keys".into());
    let settings = settings(&start(&spec));
    assert!(settings["hooks"]["PermissionRequest"].is_null());
    assert!(settings["hooks"]["PreToolUse"].is_array());
    for (option, choice) in [("dialogs", "never"), ("dialgos", "keys")] {
        spec.options = BTreeMap::from([(option.into(), choice.into())]);
        let refused = prepare(&spec, &descriptor()).expect_err("refused");
        assert!(matches!(refused, SeamError::Invalid { field: "options", .. }), "{refused}");
    }
}
