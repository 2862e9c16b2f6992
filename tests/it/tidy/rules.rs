//! The rules that need no table of layers.

use super::{File, Tree};

/// A component, any other file. Raised only here.
const LONGEST_COMPONENT: usize = 150;
const LONGEST_FILE: usize = 400;

/// Between the seam and the page nobody knows a CLI by name.
const NAMELESS: &[&str] =
    &["schema", "seam", "runs", "http", "store", "signals", "terminal", "transcript", "workspace"];
const NAMES: &[&str] = &["claude", "codex", "opencode", "gemini"];

/// What was meant to stay for a minute.
const LEFTOVERS: &[&str] = &["todo!", "unimplemented!", "dbg!", "#[ignore", ".only("];

/// These files speak of what they forbid.
const SPEAKS_OF_IT: &str = "tests/it/tidy";

pub(super) fn says_what_it_is_for(tree: &Tree) -> Vec<String> {
    let mute = |it: &&File| !it.path.ends_with("tests.rs") && !it.text.starts_with("//! ");
    let rust = tree.0.iter().filter(|it| it.path.ends_with(".rs"));
    rust.filter(mute).map(|it| format!("{}: purpose: it begins without `//! `", it.path)).collect()
}

pub(super) fn is_not_too_long(tree: &Tree) -> Vec<String> {
    let ours = tree.0.iter().filter(|it| !it.path.starts_with("fixtures/"));
    ours.filter_map(|file| {
        let is_component = file.path.ends_with(".tsx") && !file.path.ends_with(".test.tsx");
        let limit = if is_component { LONGEST_COMPONENT } else { LONGEST_FILE };
        let lines = file.text.lines().count();
        let path = &file.path;
        (lines > limit).then(|| format!("{path}: length: {lines} lines, the limit is {limit}"))
    })
    .collect()
}

pub(super) fn names_no_provider(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for folder in NAMELESS {
        for file in tree.below(&format!("src/{folder}/"), ".rs") {
            for (number, line) in file.code() {
                let line = line.to_lowercase();
                for name in NAMES.iter().filter(|name| line.contains(**name)) {
                    let path = &file.path;
                    findings.push(format!("{path}:{number}: names: `{name}` above the seam"));
                }
            }
        }
    }
    findings
}

pub(super) fn allows_no_lint(tree: &Tree) -> Vec<String> {
    let text = "lints: say `expect(LINT, reason = \"...\")` instead of `allow(`";
    find_words(tree, ".rs", &["allow("], |_| text.into())
}

pub(super) fn leaves_nothing_over(tree: &Tree) -> Vec<String> {
    find_words(tree, "", LEFTOVERS, |word| format!("leftovers: `{word}`"))
}

fn find_words(
    tree: &Tree,
    end: &str,
    words: &[&str],
    text: impl Fn(&str) -> String,
) -> Vec<String> {
    let mut findings = Vec::new();
    let files = tree.below("", end).filter(|it| !it.path.starts_with(SPEAKS_OF_IT));
    for file in files.filter(|it| !it.path.starts_with("fixtures/")) {
        for (line, number) in file.text.lines().zip(1..) {
            for word in words.iter().filter(|word| stands_in(line, word)) {
                findings.push(format!("{}:{number}: {}", file.path, text(word)));
            }
        }
    }
    findings
}

/// As a word of its own: `disallow(` is not `allow(`.
fn stands_in(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let goes_on = |c: char| c.is_alphanumeric() || c == '_';
        !word.starts_with(char::is_alphabetic) || !before.is_some_and(goes_on)
    })
}

/// Every file is a module of the file above it, up to `main.rs`: a file that
/// nobody names is not compiled and passes for ever.
pub(super) fn forgets_no_test_file(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for file in tree.below("tests/it/", ".rs").filter(|it| it.path != "tests/it/main.rs") {
        let inside = file.path.trim_end_matches(".rs").trim_end_matches("/mod");
        let (folder, name) = inside.rsplit_once('/').unwrap_or_default();
        let parents = if folder == "tests/it" {
            ["tests/it/main.rs".to_owned(), String::new()]
        } else {
            [format!("{folder}.rs"), format!("{folder}/mod.rs")]
        };
        let line = format!("mod {name};");
        let named = parents.iter().filter_map(|it| tree.get(it)).any(|parent| {
            parent.text.lines().any(|it| {
                let it = it.trim_start().trim_start_matches("pub(crate) ");
                it.trim_start_matches("pub ") == line
            })
        });
        if !named {
            let parent = parents[0].as_str();
            findings.push(format!("{}: tests: no `{line}` in {parent}", file.path));
        }
    }
    findings
}

/// A recording that nobody can explain proves nothing.
pub(super) fn explains_fixtures(tree: &Tree) -> Vec<String> {
    let readme = tree.get("fixtures/README.md").map(|it| it.text.as_str()).unwrap_or_default();
    let words: Vec<&str> = readme.split('`').skip(1).step_by(2).collect();
    let mut findings = Vec::new();
    for file in tree.below("fixtures/", "").filter(|it| it.path != "fixtures/README.md") {
        let (_, name) = file.path.rsplit_once('/').unwrap_or_default();
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        let named = |word: &&str| match word.split_once('*') {
            Some((start, end)) => stem.starts_with(start) && stem.ends_with(end),
            None => [stem, name].contains(word),
        };
        if !words.iter().any(named) {
            findings.push(format!("{}: fixtures: fixtures/README.md does not name it", file.path));
        }
    }
    findings
}
