//! Reads a person's seed folder into files with their places.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use regex::bytes::Regex;

use crate::seam::SeedLayout;

use super::super::error::WorkspaceError;

const MOST_FILES: usize = 500;
const LARGEST: u64 = 1024 * 1024;
const DEEPEST: usize = 8;

/// What stands where something was scrubbed.
const REMOVED: &[u8] = b"[removed]";

/// One file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeedFile {
    /// From the folder that the CLI works in.
    pub(super) path: String,
    pub(super) contents: Vec<u8>,
    pub(super) executable: bool,
}

#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) files: Vec<SeedFile>,
    pub(super) skipped: Vec<String>,
}

pub(super) fn read(source: &Path, layout: &SeedLayout) -> Result<Read, WorkspaceError> {
    let doing = || format!("read the seed folder {}", source.display());
    let root = fs::canonicalize(source).map_err(|error| WorkspaceError::io(doing(), error))?;
    let mut walk = Walk { found: Vec::new(), skipped: Vec::new(), root: &root };
    walk.folder(&root, 0).map_err(|error| WorkspaceError::io(doing(), error))?;
    walk.found.sort();
    let mut read = Read { skipped: walk.skipped, ..Read::default() };
    let scrub: Vec<Regex> = layout.scrub.iter().filter_map(|it| Regex::new(it).ok()).collect();
    for (name, path) in walk.found {
        let Some(place) = place(layout, &name) else { continue };
        if read.files.len() == MOST_FILES {
            read.skipped.push(format!("everything from {name} on: more than {MOST_FILES} files"));
            break;
        }
        let metadata = fs::metadata(&path).map_err(|error| WorkspaceError::io(doing(), error))?;
        if metadata.len() > LARGEST {
            read.skipped.push(format!("{name}: it is larger than 1 MiB"));
            continue;
        }
        let contents = fs::read(&path).map_err(|error| WorkspaceError::io(doing(), error))?;
        let (contents, scrubbed) = scrubbed(contents, &scrub);
        if scrubbed > 0 {
            let what = "it looks like a secret, and was left out of the seeded file";
            read.skipped.push(format!("{scrubbed} text(s) in {name}: {what}"));
        }
        let executable = metadata.permissions().mode() & 0o100 != 0;
        read.files.push(SeedFile { path: place, contents, executable });
    }
    Ok(read)
}

/// Where a file of the seed folder belongs, if anywhere.
fn place(layout: &SeedLayout, name: &str) -> Option<String> {
    let place = match name.split_once('/') {
        None => (name == "context.md").then_some(layout.context_file?)?.to_owned(),
        Some(("skills", rest)) => {
            let (skill, file) = rest.split_once('/')?;
            format!("{}/{file}", layout.skill?.replace("{name}", skill))
        }
        Some(("prompts", rest)) => layout.prompt?.replace("{name}", rest.strip_suffix(".md")?),
        Some(_) => return None,
    };
    let is_plain = Path::new(&place).components().all(|it| match it {
        Component::Normal(part) => !part.eq_ignore_ascii_case(".git"),
        _ => false,
    });
    is_plain.then_some(place)
}

fn scrubbed(mut contents: Vec<u8>, patterns: &[Regex]) -> (Vec<u8>, usize) {
    let mut count = 0;
    for pattern in patterns {
        let found = pattern.find_iter(&contents).count();
        if found > 0 {
            count += found;
            contents = pattern.replace_all(&contents, regex::bytes::NoExpand(REMOVED)).into_owned();
        }
    }
    (contents, count)
}

struct Walk<'a> {
    root: &'a Path,
    found: Vec<(String, PathBuf)>,
    skipped: Vec<String>,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.strip_prefix(self.root).unwrap_or(&path);
            let Some(name) = name.to_str().map(str::to_owned) else {
                self.skipped.push(format!("{}: its name is no text", path.display()));
                continue;
            };
            if path.file_name().is_some_and(|it| it.to_string_lossy().starts_with(".git")) {
                continue; // The seed folder may be a repository itself.
            }
            // A link is followed only inside the folder.
            let real = fs::canonicalize(&path).ok().filter(|it| it.starts_with(self.root));
            let Some(metadata) = real.and_then(|it| fs::metadata(it).ok()) else {
                self.skipped.push(format!("{name}: it leads out of the seed folder, or nowhere"));
                continue;
            };
            let is_link = path.symlink_metadata()?.is_symlink();
            match metadata {
                it if it.is_file() => self.found.push((name, path)),
                it if it.is_dir() && !is_link && depth < DEEPEST => {
                    self.folder(&path, depth + 1)?;
                }
                _ => self.skipped.push(format!("{name}: it is no plain file or folder")),
            }
        }
        Ok(())
    }
}
