//! What has to be installed, and what the kernel has to allow.

use std::path::Path;

use crate::runs::{Place, base_env, find_program, provider_info};
use crate::schema::CompatVerdict;
use crate::terminal::{Checkup, TerminalConfig, checkup};
use crate::transcript::Watcher;

use super::super::config::Config;
use super::Check;

/// Each run is watched in a few folders.
const WATCHES: u64 = 8192;
const INSTANCES: u64 = 64;

pub(super) async fn tmux(config: &Config) -> Check {
    const NAME: &str = "tmux";
    let name = format!("seamux-doctor-{}", std::process::id());
    let dir = config.runtime_dir.join(&name);
    let mut env = base_env(std::env::vars());
    env.retain(|(name, _)| ["PATH", "HOME", "LANG"].contains(&name.as_str()));
    let found = checkup(TerminalConfig { socket_name: name, runtime_dir: dir.clone(), env }).await;
    std::fs::remove_dir_all(&dir).ok(); // Only what was made for this.
    match found {
        Ok(Checkup { version, refused: Some(words), .. }) => Check::failed(
            NAME,
            format!("tmux {version} does not take our options: {words}"),
            "install tmux 3.3 or newer",
        ),
        Ok(Checkup { version, types: false, .. }) => Check::failed(
            NAME,
            format!("tmux {version} runs, but what was typed did not arrive in a program"),
            "try another version of tmux; 3.3 to 3.5 are known to work",
        ),
        Ok(Checkup { version, .. }) => {
            Check::ok(NAME, format!("tmux {version} starts programs, and text typed by us arrives"))
        }
        Err(error) => {
            let hint = error.hint().unwrap_or("look at what tmux itself says");
            Check::failed(NAME, error.to_string(), hint)
        }
    }
}

pub(super) async fn cli(place: &Place) -> Check {
    let descriptor = place.provider.descriptor();
    let info = provider_info(place).await;
    let Some(installed) = info.installed else {
        let detail = format!("{} is not installed", info.display_name);
        return Check::failed(descriptor.id, detail, descriptor.install_hint);
    };
    let is = format!("{} {} ({})", info.display_name, installed.version, installed.path);
    match info.compat {
        CompatVerdict::Verified => {
            Check::ok(descriptor.id, format!("{is}, a version that was tested"))
        }
        CompatVerdict::Untested | CompatVerdict::Unsupported => {
            let tested = descriptor.verified_versions.join(" and ");
            let hint =
                format!("it may well work; if something is odd, install one of those: {tested}");
            Check::warning(descriptor.id, format!("{is} was not tested"), hint)
        }
    }
}

/// Only where one is configured.
pub(super) fn key(place: &Place) -> Option<Check> {
    const NAME: &str = "API key";
    let path = place.api_key_file.as_ref()?;
    Some(match place.home_with_key() {
        Ok(_) => Check::ok(NAME, format!("{} holds one, yours alone", path.display())),
        Err(error) => Check::failed(NAME, error.to_string(), error.hint().unwrap_or_default()),
    })
}

/// Only worktrees need it.
pub(super) fn git(places: &[Place]) -> Check {
    let path = places.iter().find_map(|it| it.home.env("PATH")).unwrap_or_default();
    match find_program(&["git"], path) {
        Some(program) => Check::ok("git", program.display().to_string()),
        None => Check::warning(
            "git",
            "there is no git",
            "install it to give runs worktrees of their own",
        ),
    }
}

pub(super) fn watching() -> Check {
    const NAME: &str = "inotify";
    let raise = |name: &str, at_least: u64| {
        format!("raise it: sudo sysctl fs.inotify.{name}={}", at_least * 8)
    };
    if let Err(error) = Watcher::new() {
        let hint = raise("max_user_instances", INSTANCES);
        return Check::failed(NAME, format!("files cannot be watched: {error}"), hint);
    }
    let limit = |name: &str| {
        let text = std::fs::read_to_string(Path::new("/proc/sys/fs/inotify").join(name));
        text.ok().and_then(|it| it.trim().parse::<u64>().ok())
    };
    for (name, at_least) in [("max_user_watches", WATCHES), ("max_user_instances", INSTANCES)] {
        if let Some(found) = limit(name).filter(|it| *it < at_least) {
            return Check::warning(NAME, format!("{name} is only {found}"), raise(name, at_least));
        }
    }
    let watches =
        limit("max_user_watches").map_or("an unknown number of".into(), |it| it.to_string());
    Check::ok(NAME, format!("files are watched; {watches} watches are allowed"))
}
