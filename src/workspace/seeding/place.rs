//! Reads and writes single files below a folder, and follows no link on the way.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;

use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, mkdirat, openat, renameat, renameat_with, unlinkat,
};
use rustix::io::Errno;

use super::manifest::{Manifest, hash};
use super::source::SeedFile;

/// What is at a place.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum There {
    Nothing,
    /// A file, by the hash of its contents.
    File(String),
    /// A link, a folder, something that can't be read; there or on the way there.
    InTheWay,
}

pub(super) fn look(root: &File, path: &str) -> There {
    let (folders, name) = split(path);
    let Ok(mut dir) = root.try_clone().map(OwnedFd::from) else { return There::InTheWay };
    for folder in folders {
        match open_folder(&dir, folder) {
            Ok(next) => dir = next,
            Err(Errno::NOENT) => return There::Nothing,
            Err(_) => return There::InTheWay,
        }
    }
    read(&dir, name)
}

/// Writes a file; the folders that were made for it. A file that is there is
/// replaced only if it is ours.
pub(super) fn put(
    root: &File,
    file: &SeedFile,
    manifest: &Manifest,
) -> Result<Vec<String>, String> {
    let (folders, name) = split(&file.path);
    let told = |error: std::io::Error| error.to_string();
    let mut dir = OwnedFd::from(root.try_clone().map_err(told)?);
    let (mut made, mut so_far) = (Vec::new(), String::new());
    for folder in folders {
        so_far = if so_far.is_empty() { folder.into() } else { format!("{so_far}/{folder}") };
        match mkdirat(&dir, folder, Mode::from_raw_mode(0o755)) {
            Ok(()) => made.push(so_far.clone()),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error.to_string()),
        }
        dir = open_folder(&dir, folder).map_err(|error| error.to_string())?;
    }
    let draft = format!(".seamux-{}", uuid::Uuid::new_v4().simple());
    let written = write(&dir, &draft, file).and_then(|()| {
        match read(&dir, name) {
            There::Nothing => renameat_with(&dir, &draft, &dir, name, RenameFlags::NOREPLACE),
            There::File(old) if manifest.wrote(&file.path, &old) => {
                renameat(&dir, &draft, &dir, name)
            }
            _ => Err(Errno::EXIST),
        }
        .map_err(Into::into)
    });
    if written.is_err() {
        unlinkat(&dir, &draft, AtFlags::empty()).ok(); // It may not have been made.
    }
    written.map_err(told).map(|()| made)
}

/// Removes a file if it is as we wrote it. Says whether it is gone.
pub(super) fn take(root: &File, path: &str, manifest: &Manifest) -> bool {
    match look(root, path) {
        There::Nothing => true,
        There::File(hash) if manifest.wrote(path, &hash) => {
            let (folders, name) = split(path);
            let Ok(dir) = root.try_clone().map(OwnedFd::from) else { return false };
            let dir = folders.iter().try_fold(dir, |dir, it| open_folder(&dir, it));
            dir.is_ok_and(|dir| unlinkat(&dir, name, AtFlags::empty()).is_ok())
        }
        _ => false,
    }
}

/// Removes a folder that is empty.
pub(super) fn take_folder(root: &File, path: &str) {
    let (folders, name) = split(path);
    let Ok(dir) = root.try_clone().map(OwnedFd::from) else { return };
    if let Ok(dir) = folders.iter().try_fold(dir, |dir, it| open_folder(&dir, it)) {
        unlinkat(&dir, name, AtFlags::REMOVEDIR).ok(); // It stays while something is in it.
    }
}

fn split(path: &str) -> (Vec<&str>, &str) {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    (parts, name)
}

fn open_folder(dir: &OwnedFd, name: &str) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(dir, name, flags, Mode::empty())
}

fn read(dir: &OwnedFd, name: &str) -> There {
    // A pipe would keep us waiting.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = match openat(dir, name, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return There::Nothing,
        Err(_) => return There::InTheWay,
    };
    let mut contents = Vec::new();
    let is_file = file.metadata().is_ok_and(|it| it.is_file());
    if is_file && file.read_to_end(&mut contents).is_ok() {
        There::File(hash(&contents))
    } else {
        There::InTheWay
    }
}

fn write(dir: &OwnedFd, name: &str, file: &SeedFile) -> std::io::Result<()> {
    let mode = if file.executable { 0o755 } else { 0o644 };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut draft = File::from(openat(dir, name, flags, Mode::from_raw_mode(mode))?);
    draft.write_all(&file.contents)?;
    draft.sync_all()
}
