//! From what a person asked for to a process in a pane.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::seam::FilePut;

use super::error::RunError;
use super::view::shorten;
use super::workspaces::NewWorktree;

/// What a person asks for. Unknown fields are refused: a misspelt option that
/// does nothing is worse than none.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRun {
    pub provider: String,
    pub cwd: String,
    pub prompt: Option<String>,
    pub title: Option<String>,
    pub model: Option<String>,
    pub effort: Option<String>,
    pub permission_mode: Option<String>,
    /// Of the provider's options, by id.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// A folder of its own, beside the one that is named.
    pub worktree: Option<NewWorktree>,
    /// Whether its folder is seeded; as it is configured if nothing is said.
    pub seed: Option<bool>,
}

/// The folder, absolute and with links resolved, so that it is the same one
/// for us, for the terminal and for the CLI.
pub(super) fn folder(cwd: &str, home: &Path) -> Result<PathBuf, RunError> {
    let invalid = |code, detail: String, hint: &str| RunError::Invalid {
        field: "cwd",
        code,
        detail,
        hint: Some(hint.into()),
    };
    let path = match cwd.strip_prefix('~') {
        Some("") => home.to_owned(),
        Some(rest) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        _ => PathBuf::from(cwd),
    };
    if !path.is_absolute() {
        let detail = format!("`{cwd}` is not a full path");
        return Err(invalid("folder_not_absolute", detail, "begin it with / or ~/"));
    }
    let real = fs::canonicalize(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => invalid(
            "folder_missing",
            format!("there is no folder {}", path.display()),
            "create it first, or choose another one",
        ),
        _ => invalid(
            "folder_unreadable",
            format!("the folder {} cannot be entered: {error}", path.display()),
            "check its permissions",
        ),
    })?;
    if !real.is_dir() {
        let detail = format!("{} is a file, not a folder", path.display());
        return Err(invalid("not_a_folder", detail, "name the folder that it lies in"));
    }
    Ok(real)
}

/// A title for a list: what the person said first, else the folder's name.
pub(super) fn title_for(prompt: Option<&str>, cwd: &Path) -> String {
    let words = prompt
        .and_then(|it| it.lines().map(str::trim).find(|line| !line.is_empty()))
        .map(|line| shorten(line, 80));
    let name = || cwd.file_name().map(|it| it.to_string_lossy().into_owned());
    words.or_else(name).unwrap_or_else(|| "/".into())
}

pub(super) fn make_private_dir(path: &Path) -> Result<(), RunError> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| RunError::io(format!("make the folder {}", path.display()), error))
}

/// Writes what a provider asked for, each file in one step.
pub(super) fn write_files(files: &[FilePut]) -> Result<(), RunError> {
    for file in files {
        let (path, contents) = match file {
            FilePut::Whole { path, contents } => (path, contents.clone()),
            FilePut::MergeJson { path, members } => (path, merged(path, members)?),
        };
        write_private(path, contents.as_bytes())
            .map_err(|error| RunError::io(format!("write {}", path.display()), error))?;
    }
    Ok(())
}

/// Readable by its owner only, and either the old contents or the new ones.
pub(super) fn write_private(path: &Path, contents: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", uuid::Uuid::new_v4().simple()));
    let written = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)
        .and_then(|mut file| file.write_all(contents).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        fs::remove_file(&draft).ok(); // Half a file on a full disk takes room from others.
    }
    written
}

fn merged(path: &Path, members: &Value) -> Result<String, RunError> {
    let unreadable = |error| RunError::io(format!("read {}", path.display()), error);
    let mut object = match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map_err(|error| unreadable(io::Error::new(io::ErrorKind::InvalidData, error)))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Value::Object(Map::new()),
        Err(error) => return Err(unreadable(error)),
    };
    merge(&mut object, members);
    Ok(object.to_string())
}

fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (name, value) in from {
                merge(into.entry(name).or_insert(Value::Null), value);
            }
        }
        (into, from) => into.clone_from(from),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusal(cwd: &str) -> (&'static str, String) {
        let error = folder(cwd, Path::new("/root")).expect_err("refused");
        (error.code(), error.to_string())
    }

    #[test]
    fn each_wrong_folder_is_refused_in_its_own_words() {
        insta::assert_debug_snapshot!(
            [refusal("src"), refusal("/no/such/folder"), refusal("/etc/hostname")],
            @r#"
        [
            (
                "folder_not_absolute",
                "`src` is not a full path",
            ),
            (
                "folder_missing",
                "there is no folder /no/such/folder",
            ),
            (
                "not_a_folder",
                "/etc/hostname is a file, not a folder",
            ),
        ]
        "#
        );
    }

    #[test]
    fn a_link_and_a_tilde_lead_to_the_real_folder() {
        let dir = tempfile::tempdir().expect("a folder");
        let real = fs::canonicalize(dir.path()).expect("a path");
        std::os::unix::fs::symlink(&real, real.join("link")).expect("a link");
        let found = folder("~/link", &real).expect("a folder");
        assert_eq!(found, real);
    }

    #[test]
    fn a_title_is_the_first_thing_said_or_the_folder() {
        assert_eq!(
            title_for(Some("\n  Fix the build \nplease"), Path::new("/srv/shop")),
            "Fix the build"
        );
        assert_eq!(title_for(Some("  "), Path::new("/srv/shop")), "shop");
        assert_eq!(title_for(None, Path::new("/")), "/");
    }

    #[test]
    fn a_merge_keeps_what_it_does_not_know_and_nonsense_is_left_alone() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("c.json");
        fs::write(&path, r#"{"a":{"x":1},"b":2}"#).expect("write");
        let put = |members| write_files(&[FilePut::MergeJson { path: path.clone(), members }]);
        put(json!({ "a": { "y": true } })).expect("merged");
        let read: Value = serde_json::from_slice(&fs::read(&path).expect("read")).expect("JSON");
        assert_eq!(read, json!({ "a": { "x": 1, "y": true }, "b": 2 }));
        fs::write(&path, "not json").expect("write");
        assert!(put(json!({})).is_err());
        assert_eq!(fs::read_to_string(&path).expect("read"), "not json");
    }
}
