//! What a reviewer would say twice, as tests.
//!
//! Each rule is a function from the files of this repository to findings, in
//! `rules` and `layers`. Here each runs over the real files; `can_fail` shows
//! for each that it finds what it is for.

mod can_fail;
mod layers;
mod rules;

use std::fs;
use std::path::Path;

/// One file, with its path as seen from the root of the repository.
struct File {
    path: String,
    text: String,
}

/// The files that the rules are about.
struct Tree(Vec<File>);

/// Where we write. What others wrote or what is generated is not ours to judge.
const ROOTS: &[&str] = &["src", "tests", "examples", "benches", "fixtures", "web/src", "web/e2e"];

/// Read as text. Of other files only the path counts.
const TEXTS: &[&str] = &["rs", "ts", "tsx", "mjs", "css", "md"];

impl Tree {
    fn read() -> Self {
        let mut tree = Self(Vec::new());
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for folder in ROOTS {
            tree.walk(root, folder);
        }
        tree
    }

    fn walk(&mut self, root: &Path, folder: &str) {
        let Ok(entries) = fs::read_dir(root.join(folder)) else { return };
        for entry in entries.flatten() {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().unwrap().is_dir() {
                self.walk(root, &path);
                continue;
            }
            let is_text = TEXTS.iter().any(|it| path.ends_with(&format!(".{it}")));
            let text = if is_text { fs::read_to_string(entry.path()).unwrap() } else { "".into() };
            self.0.push(File { path, text });
        }
    }

    fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| File::new(path, text)).collect())
    }

    /// The files below a folder whose names end so.
    fn below(&self, folder: &str, end: &str) -> impl Iterator<Item = &File> {
        self.0.iter().filter(move |it| it.path.starts_with(folder) && it.path.ends_with(end))
    }

    fn get(&self, path: &str) -> Option<&File> {
        self.0.iter().find(|it| it.path == path)
    }
}

impl File {
    fn new(path: &str, text: &str) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// The lines of the program itself: no comments, and nothing after the
    /// point where the file's test module begins.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let tests = self.text.find("#[cfg(test)]\nmod ").unwrap_or(self.text.len());
        let lines = self.text[..tests].lines().zip(1..);
        lines.filter_map(|(line, number)| {
            let code = line.split(" // ").next().unwrap_or_default();
            (!code.trim_start().starts_with("//")).then_some((number, code))
        })
    }
}

/// Fails with all findings at once, each with its file and its rule.
fn hold(rule: fn(&Tree) -> Vec<String>) {
    let findings = rule(&Tree::read());
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

#[test]
fn the_files_are_found_at_all() {
    let tree = Tree::read();
    for (folder, end, at_least) in
        [("src/", ".rs", 50), ("tests/", ".rs", 10), ("fixtures/", "", 50)]
    {
        assert!(tree.below(folder, end).count() >= at_least, "{folder}*{end}");
    }
}

#[test]
fn dependencies_point_down() {
    hold(layers::dependencies_point_down);
}

#[test]
fn every_file_says_what_it_is_for() {
    hold(rules::says_what_it_is_for);
}

#[test]
fn no_file_is_too_long() {
    hold(rules::is_not_too_long);
}

#[test]
fn no_provider_is_named_above_the_seam() {
    hold(rules::names_no_provider);
}

#[test]
fn lints_are_expected_and_never_allowed() {
    hold(rules::allows_no_lint);
}

#[test]
fn nothing_is_left_over() {
    hold(rules::leaves_nothing_over);
}

#[test]
fn no_test_file_is_forgotten() {
    hold(rules::forgets_no_test_file);
}

#[test]
fn every_fixture_is_in_the_readme() {
    hold(rules::explains_fixtures);
}
