//! Each rule finds what it is for, and leaves alone what is fine.

use super::{Tree, layers, rules};

fn found(rule: fn(&Tree) -> Vec<String>, files: &[(&str, &str)]) -> String {
    rule(&Tree::of(files)).join("\n")
}

#[test]
fn a_use_that_points_up_or_aside_is_found() {
    let rule = layers::dependencies_point_down;
    insta::assert_snapshot!(found(rule, &[
        ("src/schema/run.rs", "use crate::seam::Fact;\n"),
        ("src/http/runs.rs", "use crate::{runs::{NewRun, Hub}, terminal::Terminal};\n"),
        ("src/terminal/mod.rs", "fn f() { crate::runs::now(); }\n"),
        ("src/providers/one.rs", "pub use super::super::store::Store;\n"),
        ("src/helpers.rs", ""),
    ]), @r#"
    src/schema/run.rs: layers: `schema` must not use `seam`
    src/http/runs.rs: layers: `http` must not use `terminal`
    src/terminal/mod.rs: layers: `terminal` must not use `runs`
    src/providers/one.rs: layers: `super` leads out of `providers`; say `crate`
    src/helpers.rs: layers: `helpers` has no place in the table of layers
    "#);
    assert_eq!(
        found(
            rule,
            &[
                (
                    "src/runs/actor.rs",
                    "use crate::terminal::Pane;\nuse super::now;\n// crate::http is above\n"
                ),
                (
                    "src/store/mod.rs",
                    "fn f() {}\n#[cfg(test)]\nmod tests { use crate::cli::run; }\n"
                ),
                ("src/main.rs", "use crate::anything;\n"),
            ]
        ),
        ""
    );
}

#[test]
fn a_file_without_a_purpose_is_found() {
    let rule = rules::says_what_it_is_for;
    insta::assert_snapshot!(found(rule, &[
        ("src/a.rs", "// A comment.\n"),
        ("tests/it/b.rs", "//!No space.\n"),
        ("src/a/tests.rs", "use super::*;\n"),
        ("src/c.rs", "//! Does c.\n"),
    ]), @r#"
    src/a.rs: purpose: it begins without `//! `
    tests/it/b.rs: purpose: it begins without `//! `
    "#);
}

#[test]
fn a_long_file_is_found() {
    let (page, more) = ("x\n".repeat(151), "x\n".repeat(401));
    insta::assert_snapshot!(found(rules::is_not_too_long, &[
        ("src/a.rs", &more),
        ("src/b.rs", &more[2..]),
        ("web/src/a.tsx", &page),
        ("web/src/b.tsx", &page[2..]),
        ("web/src/a.test.tsx", &page),
        ("web/src/a.css", &more),
        ("fixtures/README.md", &more),
    ]), @r#"
    src/a.rs: length: 401 lines, the limit is 400
    web/src/a.tsx: length: 151 lines, the limit is 150
    web/src/a.css: length: 401 lines, the limit is 400
    "#);
}

#[test]
fn the_name_of_a_provider_above_the_seam_is_found() {
    insta::assert_snapshot!(found(rules::names_no_provider, &[
        ("src/runs/a.rs", "//! As Claude does.\nlet x = 1; // Codex too\nlet name = \"Gemini\";\n"),
        ("src/seam/b.rs", "struct OpenCode;\n"),
        ("src/providers/claude_code/mod.rs", "struct ClaudeCode;\n"),
        ("src/http/c.rs", "fn f() {}\n\n#[cfg(test)]\nmod tests { const X: &str = \"claude\"; }\n"),
    ]), @r#"
    src/seam/b.rs:1: names: `opencode` above the seam
    src/runs/a.rs:3: names: `gemini` above the seam
    "#);
}

#[test]
fn an_allowed_lint_is_found() {
    insta::assert_snapshot!(found(rules::allows_no_lint, &[
        ("src/a.rs", "#[allow(dead_code)]\n#![cfg_attr(test, allow(x))]\n"),
        ("src/b.rs", "#[expect(dead_code, reason = \"later\")]\nfn disallow() { disallow(); }\n"),
    ]), @r#"
    src/a.rs:1: lints: say `expect(LINT, reason = "...")` instead of `allow(`
    src/a.rs:2: lints: say `expect(LINT, reason = "...")` instead of `allow(`
    "#);
}

#[test]
fn leftovers_are_found() {
    insta::assert_snapshot!(found(rules::leaves_nothing_over, &[
        ("src/a.rs", "todo!()\nlet x = dbg!(1);\n"),
        ("tests/it/b.rs", "#[ignore = \"slow\"]\nfn b() {}\n"),
        ("web/src/c.test.ts", "test.only(\"c\", () => {});\n"),
        ("web/src/d.ts", "const todos = [];\n"),
    ]), @r#"
    src/a.rs:1: leftovers: `todo!`
    src/a.rs:2: leftovers: `dbg!`
    tests/it/b.rs:1: leftovers: `#[ignore`
    web/src/c.test.ts:1: leftovers: `.only(`
    "#);
}

#[test]
fn a_test_file_that_nobody_names_is_found() {
    insta::assert_snapshot!(found(rules::forgets_no_test_file, &[
        ("tests/it/main.rs", "mod a;\nmod deep;\n// mod lost;\n"),
        ("tests/it/a.rs", "mod one;\n"),
        ("tests/it/a/one.rs", ""),
        ("tests/it/a/two.rs", ""),
        ("tests/it/deep/mod.rs", "pub mod one;\n"),
        ("tests/it/deep/one.rs", ""),
        ("tests/it/lost.rs", ""),
    ]), @r#"
    tests/it/a/two.rs: tests: no `mod two;` in tests/it/a.rs
    tests/it/lost.rs: tests: no `mod lost;` in tests/it/main.rs
    "#);
}

#[test]
fn a_fixture_that_nobody_explains_is_found() {
    insta::assert_snapshot!(found(rules::explains_fixtures, &[
        ("fixtures/README.md", "`basic` and `ask*` are recorded.\n"),
        ("fixtures/cli/1.0/basic.jsonl", ""),
        ("fixtures/cli/1.0/ask-twice.jsonl", ""),
        ("fixtures/cli/1.0/task.jsonl", ""),
    ]), @r#"
    fixtures/cli/1.0/task.jsonl: fixtures: fixtures/README.md does not name it
    "#);
}
