//! The command lines of the tmux clients that we start.

use std::process::Stdio;
use std::time::Duration;

use tmux_interface::NewSession;
use tokio::process::Command;
use tokio::time::timeout;

use super::error::TerminalError;
use super::server::{Door, Server};

const START_LIMIT: Duration = Duration::from_secs(5);

/// Our own session, so that no output of an agent is ever sent to us.
const CONTROL_SESSION: &str = "_ctl";

/// Starts the server, without a connection of ours: a new tmux 3.3 crashes when two
/// control clients come to it at once. Of two that start it here one just finds it.
pub(super) async fn start(server: &Server, door: &Door) -> Result<(), TerminalError> {
    let mut command = command(server, door);
    command.args(words(NewSession::new().detached()));
    command.stdin(Stdio::null());
    let output = timeout(START_LIMIT, command.output()).await;
    let output = output.map_err(|_| TerminalError::Timeout(START_LIMIT))?;
    let output = output.map_err(|source| TerminalError::io("start tmux", source))?;
    let words = String::from_utf8_lossy(&output.stderr);
    // The exit status is of no use: tmux cannot make its socket, and calls it success.
    match words.trim() {
        "" => Ok(()),
        words if words.starts_with("duplicate session") => Ok(()),
        words => Err(TerminalError::Tmux(words.into())),
    }
}

/// The part of the command line that all our clients share.
pub(super) fn command(server: &Server, door: &Door) -> Command {
    let mut command = Command::new(&door.program);
    // Without -u tmux replaces tabs and all that is not ASCII in what it prints.
    command.arg0("tmux").args(["-u", "-L", &server.config.socket_name]);
    command.arg("-f").arg(server.conf());
    // The server keeps the environment and the arguments of its first client
    // for ever, and hands the environment to every pane.
    command.env_clear().envs(server.config.env.iter().map(|(key, value)| (key, value)));
    // Not ours to interrupt: Ctrl-C in our terminal must not reach it.
    command.process_group(0).kill_on_drop(false);
    command
}

/// The control session: found, or made.
pub(super) fn words(session: NewSession<'static>) -> Vec<String> {
    let mut session = session.session_name(CONTROL_SESSION).width(80).height(24).build();
    // Two words, so that no shell is asked. It only has to stay.
    session.push_param("--").push_param("sleep").push_param("infinity");
    session.to_vec().into_iter().map(Into::into).collect()
}
