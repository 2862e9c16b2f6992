use super::*;
use crate::seam::CommandFile;

fn home() -> AgentHome {
    AgentHome { home: "/home/dev".into(), env: Vec::new(), configured: Vec::new(), private: false }
}

/// A small world of files: what a person, a project and a plugin may have.
const FILES: &[(&str, &str)] = &[
    ("/home/dev/.claude/skills/notes/SKILL.md", "---\nname: notes\ndescription: Mine\n---\nx"),
    ("/home/dev/.claude/skills/quiet/SKILL.md", "---\nuser-invocable: false\n---\nx"),
    ("/home/dev/.claude/commands/both.md", "The person's"),
    ("/srv/app/.claude/commands/both.md", "The project's"),
    ("/srv/app/.claude/commands/zz/sub/deep.md", "---\nargument-hint: <x> [y]\n---\nDeep down"),
    ("/srv/app/.claude/commands/grp/SKILL.md", "One command of a folder"),
    ("/srv/app/.claude/commands/grp/beside.md", "Part of it"),
    ("/srv/app/.claude/commands/two words.md", "Cannot be typed"),
    ("/srv/app/.claude/commands/clear.md", "In the way of a builtin"),
    ("/srv/app/.claude/skills/dir/SKILL.md", "---\nname: named\ndescription: [a: b\n---\nx"),
    ("/srv/.claude/commands/above.md", "# From above"),
    ("/plugs/tool/commands/deep/do.md", "Of a plugin"),
    ("/plugs/tool/skills/s/SKILL.md", "---\nname: own\n---\nA skill of a plugin"),
    ("/plugs/off/commands/no.md", "Switched off"),
];

fn index(path: &str, text: &str) -> (PathBuf, String) {
    (path.into(), text.into())
}

fn found(version: &str, answer: Option<&str>) -> CommandsFound {
    let above = ["/srv/app", "/srv"].map(PathBuf::from);
    let indexes = [
        index(
            "/home/dev/.claude/plugins/installed_plugins.json",
            r#"{"plugins":{"tool@shop":[{"installPath":"/plugs/tool"}],"off@shop":[{"installPath":"/plugs/off"}]}}"#,
        ),
        index(
            "/home/dev/.claude/settings.json",
            r#"{"enabledPlugins":{"tool@shop":true,"off@shop":true}}"#,
        ),
        index("/srv/app/.claude/settings.json", r#"{"enabledPlugins":{"off@shop":false}}"#),
    ];
    let asked: Vec<_> = indexes.iter().map(|(path, _)| path.clone()).collect();
    let wanted = ClaudeCode::new().indexes(&home(), &above);
    assert!(asked.iter().all(|it| wanted.contains(it)), "{wanted:?}");
    let folders = ClaudeCode::new().folders(&home(), &above, &indexes);
    let in_folder = |folder: &CommandFolder| {
        let files = FILES.iter().filter_map(|(path, text)| {
            let relative = Path::new(path).strip_prefix(&folder.path).ok()?.to_owned();
            let is_one = files::is_command_file(folder, &relative);
            let (folder, text) = (folder.clone(), (*text).to_owned());
            is_one.then_some(CommandFile { folder, relative, text })
        });
        files.collect::<Vec<_>>()
    };
    CommandsFound {
        version: Some(version.into()),
        answer: answer.map(|it| format!("{it}\n").into_bytes()),
        files: folders.iter().flat_map(in_folder).collect(),
    }
}

fn shown(all: &[CommandSpec]) -> String {
    let line = |it: &CommandSpec| {
        let word = |it: &dyn std::fmt::Debug| format!("{it:?}").to_lowercase();
        let safe = if it.chat_safe { "" } else { " (terminal)" };
        let role = it.role.map(|it| format!(" role={}", word(&it))).unwrap_or_default();
        let hint = it.arg_hint.as_deref().map(|it| format!(" {it}")).unwrap_or_default();
        format!("{}{hint} [{}]{role}{safe}: {}", it.name, word(&it.source), it.description)
    };
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn files_are_named_and_described_as_the_cli_does() {
    let all = ClaudeCode::new().commands(&found("2.1.198", None));
    let own: Vec<_> = all.into_iter().filter(|it| it.source != CommandSource::Builtin).collect();
    insta::assert_snapshot!(shown(&own), @r"
    above [project]: From above
    both [user]: The person's
    clear [project]: In the way of a builtin
    grp [project]: One command of a folder
    named [project]: [a: b
    notes [user]: Mine
    own [plugin]: A skill of a plugin
    tool:deep:do [plugin]: Of a plugin
    zz:sub:deep <x> [y] [project]: Deep down
    ");
}

#[test]
fn a_skill_of_a_plugin_has_its_plugin_before_it_in_later_versions() {
    let names = |version| {
        let all = ClaudeCode::new().commands(&found(version, None));
        let names = all.into_iter().filter(|it| it.source == CommandSource::Plugin);
        names.map(|it| it.name).collect::<Vec<_>>()
    };
    assert_eq!(names("2.1.198"), ["own", "tool:deep:do"]);
    assert_eq!(names("2.1.332"), ["tool:deep:do", "tool:own"]);
}

#[test]
fn the_answer_gives_its_words_and_what_nobody_tried_stays_in_the_terminal() {
    let answer = r#"{"type":"control_response","response":{"response":{"commands":[
        {"name":"init","description":"Its\n own  words","argumentHint":""},
        {"name":"clear","description":"x"},{"name":"heapdump"},{"name":"__inner"},
        {"name":"brand-new","description":"Unknown","argumentHint":"<x>"}]}}}"#;
    let answer = answer.replace('\n', " ");
    let none = CommandsFound::default();
    let asked = CommandsFound { answer: Some(format!("{answer}\n").into_bytes()), ..none };
    let all = ClaudeCode::new().commands(&asked);
    let prompts =
        |it: &&CommandSpec| ["init", "brand-new", "clear", "model"].contains(&it.name.as_str());
    let some: Vec<_> = all.iter().filter(prompts).cloned().collect();
    insta::assert_snapshot!(shown(&some), @r"
    brand-new <x> [builtin] (terminal): Unknown
    clear [name] [builtin] role=clear: Start a new conversation with an empty context
    init [builtin]: Its own words
    model [model] [builtin] role=model (terminal): Choose the model
    ");
    for gone in ["batch", "heapdump", "__inner"] {
        assert!(!all.iter().any(|it| it.name == gone), "{gone}");
    }
}

#[test]
fn the_table_and_the_recorded_answer_give_the_recorded_menu() {
    for (version, answer, menu) in [
        (
            "2.1.198",
            include_str!("../../../../fixtures/claude-code/commands/initialize-198.jsonl"),
            include_str!("../../../../fixtures/claude-code/commands/menu-198.txt"),
        ),
        (
            "2.1.332",
            include_str!("../../../../fixtures/claude-code/commands/initialize-332.jsonl"),
            include_str!("../../../../fixtures/claude-code/commands/menu-332.txt"),
        ),
    ] {
        let found = |answer: Option<&str>| CommandsFound {
            version: Some(version.into()),
            answer: answer.map(|it| it.as_bytes().to_vec()),
            files: Vec::new(),
        };
        let mut menu: Vec<_> = menu.lines().map(|it| it.trim_start_matches('/')).collect();
        menu.sort_unstable();
        // With the answer, and without it.
        for answer in [Some(answer), None] {
            let all = ClaudeCode::new().commands(&found(answer));
            let names: Vec<_> = all.iter().map(|it| it.name.as_str()).collect();
            assert_eq!(names, menu, "{version}");
        }
    }
}

#[test]
fn what_is_no_answer_leaves_the_table() {
    for text in [
        "",
        "{}\n",
        "Error: no\n",
        "{\"type\":\"system\"}\n",
        "{\"response\":{\"response\":{\"commands\":[]}}}",
    ] {
        assert!(answer::read(text.as_bytes()).is_none(), "{text}");
    }
    let all = ClaudeCode::new().commands(&CommandsFound::default());
    assert!(all.iter().any(|it| it.name == "batch" && it.chat_safe));
    let refused = all.iter().filter(|it| opens_screen(&it.name));
    assert!(
        refused.clone().count() > 20
            && refused.clone().all(|it| !it.chat_safe && it.hint.is_some())
    );
}
