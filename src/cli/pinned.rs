//! The pinned real CLI from npm, for the demo.
//!
//! It is installed into a private folder and never ships with seamux.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;

use super::ui::{Advice, say};

/// The same pins that the live tests run on.
const PACKAGE: &str = include_str!("../../compat/package.json");
const LOCK: &str = include_str!("../../compat/package-lock.json");

/// The program, installing it first if it is not there.
pub(super) fn pinned_cli(dir: &Path) -> anyhow::Result<PathBuf> {
    let program = program_in(dir)?;
    let is_current =
        std::fs::read_to_string(dir.join("package-lock.json")).is_ok_and(|it| it == LOCK);
    if is_current && program.is_file() {
        return Ok(program);
    }
    say("Installing the pinned CLI from npm (once, about 250 MB)...");
    std::fs::create_dir_all(dir).with_context(|| format!("could not make {}", dir.display()))?;
    std::fs::write(dir.join("package.json"), PACKAGE)?;
    std::fs::write(dir.join("package-lock.json"), LOCK)?;
    let status = Command::new("npm")
        .args(["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"])
        .arg("--loglevel=error")
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .map_err(|error| {
            Advice::new(
                format!("npm could not be started: {error}"),
                "install Node.js with npm, or name an installed CLI with --cli",
            )
        })?;
    if !status.success() || !program.is_file() {
        // Half an installation must not look like a whole one the next time.
        std::fs::remove_file(dir.join("package-lock.json")).ok();
        let next = "check the network, or name an installed CLI with --cli";
        return Err(Advice::new("npm could not install the pinned CLI", next).into());
    }
    Ok(program)
}

/// The native program of this platform. The package's own wrapper needs an
/// install script, which npm does not run unasked.
fn program_in(dir: &Path) -> anyhow::Result<PathBuf> {
    let platform = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        ("macos", "x86_64") => "darwin-x64",
        ("macos", "aarch64") => "darwin-arm64",
        (os, arch) => {
            let what = format!("the pinned CLI is not made for {os} on {arch}");
            return Err(Advice::new(what, "name an installed CLI with --cli").into());
        }
    };
    let package = format!("node_modules/@anthropic-ai/claude-code-{platform}");
    Ok(dir.join(package).join("claude"))
}
