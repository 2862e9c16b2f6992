//! Who may enter our folders and read what is in them.

use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

use crate::signals::wire::SOCKET;

use super::super::config::Config;
use super::Check;

/// The longest path of a unix socket.
const LONGEST_SOCKET: usize = 107;

pub(super) fn check(config: &Config) -> Vec<Check> {
    let mut checks =
        vec![folder("state folder", &config.state_dir), folder("sockets", &config.runtime_dir)];
    let length = config.runtime_dir.as_os_str().len() + 1 + SOCKET.len();
    if length > LONGEST_SOCKET {
        let detail = format!("{} is too long for a socket in it", config.runtime_dir.display());
        checks.push(Check::failed("sockets", detail, "choose a shorter one with --runtime-dir"));
    }
    let ours = ["token", "hook-secret", "seamux.db"].map(|it| config.state_dir.join(it));
    let socket = config.runtime_dir.join(SOCKET);
    checks.extend(ours.iter().chain([&socket]).filter_map(|it| secret(it)));
    checks
}

/// Made if it is not there, as a start would, and written to.
fn folder(name: &'static str, dir: &Path) -> Check {
    let at = dir.display();
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir);
    let meta = match made.and_then(|()| std::fs::metadata(dir)) {
        Ok(meta) => meta,
        Err(error) => {
            let hint = "make it, or choose another one with --state-dir or --runtime-dir";
            return Check::failed(name, format!("{at}: {error}"), hint);
        }
    };
    if meta.uid() != rustix::process::getuid().as_raw() {
        let hint = "choose a folder of your own with --state-dir or --runtime-dir";
        return Check::failed(name, format!("{at} belongs to somebody else"), hint);
    }
    if meta.mode() & 0o077 != 0 {
        let detail = format!("{at} can be entered by others (mode {:o})", meta.mode() & 0o777);
        return Check::failed(name, detail, format!("chmod 700 {at}"));
    }
    let trial = dir.join(format!("doctor-{}", std::process::id()));
    if let Err(error) = std::fs::write(&trial, "x").and_then(|()| std::fs::remove_file(&trial)) {
        return Check::failed(
            name,
            format!("{at} cannot be written: {error}"),
            "make room, or choose another one",
        );
    }
    Check::ok(name, format!("{at}, yours alone"))
}

/// Nothing to say of one that is not there yet.
fn secret(path: &Path) -> Option<Check> {
    let mode = std::fs::metadata(path).ok()?.mode() & 0o777;
    let at = path.display();
    let is_open = mode & 0o077 != 0;
    // The folder around it keeps others out as long as it is private itself.
    is_open.then(|| {
        Check::warning(
            "secrets",
            format!("{at} can be read by others (mode {mode:o})"),
            format!("chmod 600 {at}"),
        )
    })
}
