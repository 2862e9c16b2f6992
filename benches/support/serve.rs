//! A server without any run.

use std::path::Path;
use std::process::Command;

use super::server::Server;

/// With this text as the whole configuration file.
pub(crate) fn serve(dir: &Path, config: &str) -> anyhow::Result<Server> {
    let config_dir = dir.join("home/.config/seamux");
    std::fs::create_dir_all(&config_dir)?;
    std::fs::write(config_dir.join("config.toml"), config)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_seamux"));
    Ok(Server::launch(dir, command.arg("serve"), &[])?.0)
}
