//! The list of slash commands beside the CLI's own menu.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::{House, pinned_cli};

fn write(root: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

const OF_THE_PERSON: &[(&str, &str)] = &[
    ("commands/mine.md", "---\ndescription: Mine\nargument-hint: <who>\n---\necho mine\n"),
    ("skills/dir/SKILL.md", "---\nname: named\ndescription: A skill\n---\necho skill\n"),
    ("skills/quiet/SKILL.md", "---\ndescription: No\nuser-invocable: false\n---\nx\n"),
];

const OF_THE_PROJECT: &[(&str, &str)] = &[
    ("commands/zz/sub/deep.md", "Deep down\n"),
    ("commands/mine.md", "Loses to the person's\n"),
    ("skills/review-it/SKILL.md", "---\ndescription: Reviews it\n---\nx\n"),
];

const OF_A_SHOP: &[(&str, &str)] = &[
    (
        ".claude-plugin/marketplace.json",
        r#"{"name":"shop","owner":{"name":"me"},"plugins":[{"name":"tool","source":"./tool","description":"d"}]}"#,
    ),
    ("tool/.claude-plugin/plugin.json", r#"{"name":"tool","version":"1.0.0","description":"d"}"#),
    ("tool/commands/deep/do.md", "---\ndescription: Does\n---\nx\n"),
    ("tool/skills/own/SKILL.md", "---\nname: own-name\ndescription: Skill\n---\nx\n"),
];

/// The CLI's own way to a plugin, from a folder on this machine.
fn install_plugin(home: &Path, shop: &Path) {
    write(shop, OF_A_SHOP);
    for arguments in
        [&["marketplace", "add", shop.to_str().unwrap()][..], &["install", "tool@shop"]]
    {
        let output = Command::new(pinned_cli())
            .arg("plugin")
            .args(arguments)
            .env_clear()
            .envs([("HOME", home.to_str().unwrap()), ("PATH", "/usr/bin:/bin")])
            .envs([("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"), ("ANTHROPIC_AUTH_TOKEN", "none")])
            .envs([("DISABLE_AUTOUPDATER", "1"), ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}

/// The demo's home and folder with commands of every kind in them.
fn furnished() -> House {
    House::demo_in(|it| {
        let state = it.home.with_file_name("state");
        let config = state.join("home/.claude");
        write(&config, OF_THE_PERSON);
        write(&state.join("workspace/.claude"), OF_THE_PROJECT);
        install_plugin(&state.join("home"), &it.home.join("shop"));
    })
}

fn listed(house: &House, query: &str) -> Vec<Value> {
    let answer = house.get(&house.run_path(&format!("/commands{query}")));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body["commands"].as_array().unwrap().clone()
}

fn names(commands: &[Value]) -> BTreeSet<String> {
    commands.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

/// The names in the menu that the CLI shows below a slash, read by going down in it.
fn menu(house: &House) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut presses_without_news = 0;
    house.tmux(&["send-keys", "-t", &house.pane(), "-l", "/"]);
    house.until_screen("the menu", |it| it.contains("/add-dir"));
    // The menu goes round, so its end is where nothing new comes for a while.
    while presses_without_news < 60 {
        let before = names.len();
        let rows = house.screen();
        let rows = rows.lines().map(|it| it.trim_start().trim_start_matches("❯ "));
        let rows = rows.filter_map(|it| it.strip_prefix('/')?.split_once("  "));
        names.extend(rows.map(|(name, _)| name.to_owned()));
        presses_without_news = if names.len() > before { 0 } else { presses_without_news + 1 };
        house.press("Down");
        std::thread::sleep(Duration::from_millis(40));
    }
    house.press("Escape");
    house.press("C-u");
    names
}

#[test]
fn the_list_has_what_the_menu_has_and_nothing_else() {
    let house = furnished();
    let listed = listed(&house, "?all=true");
    let (ours, theirs) = (names(&listed), menu(&house));
    // In the menu of the full-screen renderer alone, which our runs do not have.
    let only_ours: Vec<_> = ours.difference(&theirs).filter(|it| *it != "scroll-speed").collect();
    let only_theirs: Vec<_> = theirs.difference(&ours).collect();
    assert!(only_ours.is_empty() && only_theirs.is_empty(), "{only_ours:?} {only_theirs:?}");
    let of = |name: &str| {
        let it = listed.iter().find(|it| it["name"] == name).unwrap();
        format!("{} {} {}", it["source"], it["chat_safe"], it["description"])
    };
    assert_eq!(of("mine"), r#""user" true "Mine""#);
    assert_eq!(of("named"), r#""user" true "A skill""#);
    assert_eq!(of("zz:sub:deep"), r#""project" true "Deep down""#);
    assert_eq!(of("tool:deep:do"), r#""plugin" true "Does""#);
    assert!(of("model").starts_with(r#""builtin" false"#));
}

#[test]
fn the_cli_is_asked_and_the_chat_gets_what_it_can_send() {
    let house = furnished();
    let safe = listed(&house, "");
    assert!(safe.iter().all(|it| it["chat_safe"] == true && it["hint"].is_null()));
    let all = listed(&house, "?all=true");
    let rest = all.iter().filter(|it| it["chat_safe"] == false);
    assert!(rest.clone().all(|it| it["hint"].as_str().unwrap().contains("terminal")));
    assert!(rest.count() > 20);
    let clear = safe.iter().find(|it| it["role"] == "clear").unwrap();
    assert_eq!((&clear["name"], &clear["source"]), (&json!("clear"), &json!("builtin")));
    assert!(!house.log().contains("did not list its commands"), "{}", house.log());
    // In its own words, which stand in no table of ours.
    let batch = all.iter().find(|it| it["name"] == "batch").unwrap();
    assert!(batch["description"].as_str().unwrap().to_lowercase().contains("agents"), "{batch}");
    // The empty home that it was asked in is gone.
    assert_eq!(fs::read_dir(house.dir.path().join("state/asked")).unwrap().count(), 0);
}

#[test]
fn a_command_that_is_written_while_the_run_goes_on_is_listed_and_one_that_is_removed_is_not() {
    let house = furnished();
    let has = |name: &str| names(&listed(&house, "")).contains(name);
    let until = |what: &str, done: &dyn Fn() -> bool| {
        let deadline = Instant::now() + Duration::from_secs(10);
        while !done() {
            assert!(Instant::now() < deadline, "in vain: {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    assert!(has("zz:sub:deep") && !has("late"));
    let project = house.dir.path().join("state/workspace/.claude");
    write(&project, &[("commands/late.md", "Late\n"), ("skills/later/SKILL.md", "Later\n")]);
    until("the new ones", &|| has("late") && has("later"));
    fs::remove_file(project.join("commands/late.md")).unwrap();
    until("the removed one", &|| !has("late") && has("later"));
}

#[test]
fn what_the_chat_is_offered_leaves_the_composer_as_it_was() {
    let house = furnished();
    house.exchange("echo before");
    let own = |it: &&Value| it["source"] == "builtin";
    let safe = listed(&house, "");
    // A prompt is a turn like any other; the rest is the CLI's own work.
    const PROMPTS: &[&str] = &[
        "batch",
        "claude-api",
        "code-review",
        "dataviz",
        "debug",
        "deep-research",
        "doctor",
        "fewer-permission-prompts",
        "init",
        "insights",
        "loop",
        "plugin-authoring",
        "review",
        "run",
        "run-skill-generator",
        "security-review",
        "simplify",
        "statusline",
        "team-onboarding",
        "update-config",
        "verify",
        "workflow-authoring",
    ];
    let commands = names(&safe.iter().filter(own).cloned().collect::<Vec<_>>());
    // What stands in the composer has a wide space before it, and what was sent has not.
    let composer = |text: &str| format!("❯\u{a0}{text}");
    for name in commands.iter().filter(|it| !PROMPTS.contains(&it.as_str())) {
        house.tmux(&["send-keys", "-t", &house.pane(), "-l", &format!("/{name} ")]);
        house.until_screen(name, |it| it.contains(&composer(&format!("/{name}"))));
        house.press("Enter");
        house.until_screen(&format!("/{name} is done"), |it| {
            !it.contains(&composer("/")) && !it.contains("esc to interrupt")
        });
        house.tmux(&["send-keys", "-t", &house.pane(), "-l", "still here"]);
        house.until_screen(&format!("a composer after /{name}"), |it| {
            it.contains(&composer("still here"))
        });
        house.press("C-u");
        house.until_screen("an empty composer", |it| !it.contains(&composer("still here")));
    }
}
