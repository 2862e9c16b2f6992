//! Who may use whom: `docs/architecture.md` as a table.

use super::{File, Tree};

/// Each module and what it may use besides itself. A module may use what stands
/// below it here, never what stands above or beside.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "cli",
        &[
            "http",
            "runs",
            "providers",
            "workspace",
            "transcript",
            "signals",
            "store",
            "terminal",
            "scripted_model",
            "seam",
            "schema",
        ],
    ),
    ("http", &["runs", "seam", "schema"]),
    ("runs", &["workspace", "transcript", "signals", "store", "terminal", "seam", "schema"]),
    ("providers", &["seam", "schema"]),
    ("workspace", &["seam", "schema"]),
    ("transcript", &["seam", "schema"]),
    ("signals", &["seam", "schema"]),
    ("store", &["seam", "schema"]),
    ("terminal", &[]),
    ("scripted_model", &[]),
    ("seam", &["schema"]),
    ("schema", &[]),
];

/// Files at the root, which wire the modules together.
const WIRING: &[&str] = &["src/lib.rs", "src/main.rs"];

pub(super) fn dependencies_point_down(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    let files = tree.below("src/", ".rs").filter(|it| !WIRING.contains(&it.path.as_str()));
    for file in files.filter(|it| !it.path.ends_with("/tests.rs")) {
        let path = &file.path;
        let module = path["src/".len()..].split(['/', '.']).next().unwrap_or_default();
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == module) else {
            findings
                .push(format!("{path}: layers: `{module}` has no place in the table of layers"));
            continue;
        };
        for used in uses(file) {
            if used != module && !allowed.contains(&used.as_str()) {
                findings.push(format!("{path}: layers: `{module}` must not use `{used}`"));
            }
        }
        if climbs_out(file) {
            findings.push(format!("{path}: layers: `super` leads out of `{module}`; say `crate`"));
        }
    }
    findings
}

/// The modules at the root that the code names, also those in a group.
fn uses(file: &File) -> Vec<String> {
    let code: String = file.code().flat_map(|(_, line)| [line, "\n"]).collect();
    let mut used: Vec<String> = code.split("crate::").skip(1).flat_map(first_names).collect();
    used.sort();
    used.dedup();
    used
}

/// `a::b` names `a`; `{a::b, c}` names `a` and `c`.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut names, mut depth) = (vec![name(group)], 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(&group[at + 1..])),
            _ => {}
        }
    }
    names.retain(|it| !it.is_empty());
    names
}

/// `super` more often than the file is deep reaches the root, where the names
/// of other layers are.
fn climbs_out(file: &File) -> bool {
    let inside = file.path["src/".len()..].trim_end_matches(".rs").trim_end_matches("/mod");
    let out = "super::".repeat(inside.split('/').count());
    file.code().any(|(_, line)| line.contains(&out))
}

#[test]
fn the_table_itself_points_down() {
    for (at, (module, allowed)) in LAYERS.iter().enumerate() {
        for used in *allowed {
            let below = LAYERS[at..].iter().any(|(name, _)| name == used);
            assert!(below, "`{module}` may use `{used}`, which does not stand below it");
        }
    }
}
