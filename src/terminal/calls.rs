//! Talks to a tmux server that is not ours: one short-lived client for each request.
//!
//! A connection that stays would have to sit in a session. In one of the person's it
//! would count as somebody who looks; one of its own would stand in their lists and
//! keep their server alive. So a client comes with a few lines of commands, as if it
//! read a configuration file, and goes again. Slower by two milliseconds, and nothing
//! of it remains.

use std::path::PathBuf;
use std::process::Stdio;

use tmux_interface::DisplayMessage;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::error::TerminalError;
use super::protocol::Block;
use super::quote::Line;
use super::server::{listener, server_program};

/// The way to one server.
#[derive(Clone, Debug)]
pub(super) struct Calls {
    pub(super) socket: PathBuf,
}

impl Calls {
    /// Runs lines. For each there is a block of its last line of text, and one
    /// before it if there is more, as a connection would give.
    pub(super) async fn run(&self, lines: &[Line]) -> Result<Vec<Block>, TerminalError> {
        let nonce = getrandom::u64()
            .map_err(|error| std::io::Error::other(error.to_string()))
            .map_err(|source| TerminalError::io("draw a random number", source))?;
        let mut text = Vec::new();
        for line in lines {
            let say = |word| DisplayMessage::new().print().message(ack(nonce, word)).build();
            // What fails takes the rest of its line with it.
            for line in [line.clone().then(&say(DONE)), Line::new(&say(NEXT))] {
                text.extend_from_slice(line.as_bytes());
                text.push(b'\n');
            }
        }
        let mut client = self.client().await?;
        client.args(["source-file", "-"]);
        client.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let io = |source| TerminalError::io("start tmux", source);
        let mut child = client.spawn().map_err(io)?;
        let stdin = child.stdin.take();
        let write = async {
            if let Some(mut stdin) = stdin {
                stdin.write_all(&text).await.ok(); // A client that is gone says so in its output.
            }
        };
        let (output, ()) = tokio::join!(child.wait_with_output(), write);
        let output = output.map_err(io)?;
        let words = String::from_utf8_lossy(&output.stderr);
        blocks(&output.stdout, &words, lines, nonce).ok_or_else(|| self.explain(words.trim()))
    }

    /// A client of the very program that the server runs. It is not killed when
    /// nobody waits for it any more: see [`super::link::Link`].
    pub(super) async fn client(&self) -> Result<Command, TerminalError> {
        let nobody = || TerminalError::NoServer { socket: self.socket.clone() };
        let server = listener(&self.socket).await.ok_or_else(nobody)?;
        let program = server_program(server).filter(is_tmux).ok_or_else(nobody)?;
        let mut command = Command::new(program);
        command.arg0("tmux").arg("-u").arg("-S").arg(&self.socket);
        command.env_clear().process_group(0).kill_on_drop(false);
        Ok(command)
    }

    fn explain(&self, words: &str) -> TerminalError {
        if words.starts_with("no server") || words.starts_with("error connecting") {
            return TerminalError::NoServer { socket: self.socket.clone() };
        }
        if words.is_empty() { TerminalError::ControlLost } else { TerminalError::from_tmux(words) }
    }
}

/// Whoever listens there is asked by its own program, so that has to be tmux.
fn is_tmux(program: &PathBuf) -> bool {
    // A file that was replaced has ` (deleted)` behind its name.
    let name = |file: PathBuf| Some(file.file_name()?.to_string_lossy().into_owned());
    let name = std::fs::read_link(program).ok().and_then(name);
    name.is_some_and(|it| it.starts_with("tmux"))
}

const DONE: &str = "done";
const NEXT: &str = "next";

fn ack(nonce: u64, word: &str) -> String {
    format!("ack:{nonce:016x}:{word}")
}

/// `None` if the client did not come to its end.
fn blocks(mut text: &[u8], words: &str, lines: &[Line], nonce: u64) -> Option<Vec<Block>> {
    let [done, next] = [DONE, NEXT].map(|word| format!("{}\n", ack(nonce, word)));
    let mut failures = words.lines();
    let mut blocks = Vec::new();
    for line in lines {
        let at = memchr::memmem::find(text, next.as_bytes())?;
        let said = &text[..at];
        text = &text[at + next.len()..];
        let is_done = said.ends_with(done.as_bytes());
        let said = said.strip_suffix(done.as_bytes()).unwrap_or(said);
        // A guarded line always says something, and what it chose fails by itself.
        if !is_done || said.is_empty() && line.as_bytes().starts_with(b"if-shell") {
            let failure = failures.next().unwrap_or("a command failed").as_bytes().to_vec();
            blocks.push(Block { ours: true, failed: true, body: failure });
        } else if said.is_empty() {
            blocks.push(Block { ours: true, ..Block::default() });
        } else {
            let last = memchr::memrchr(b'\n', &said[..said.len() - 1]).map_or(0, |at| at + 1);
            let parts = [&said[..last], &said[last..]].into_iter().filter(|it| !it.is_empty());
            let block = |it: &[u8]| Block { ours: true, failed: false, body: it.to_vec() };
            blocks.extend(parts.map(block));
        }
    }
    Some(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DONE: &str = "ack:0000000000000007:done\n";
    const NEXT: &str = "ack:0000000000000007:next\n";

    fn line(word: &'static str) -> Line {
        Line::new(tmux_interface::TmuxCommand::new().name(word))
    }

    #[test]
    fn what_each_line_said_is_told_apart() {
        let lines = ["if-shell", "set-buffer", "if-shell", "delete-buffer"].map(line);
        let text = format!("a screen\n\npassed\n{DONE}{NEXT}{DONE}{NEXT}{DONE}{NEXT}{NEXT}");
        let words = "can't find pane: %9\nunknown buffer: b\n";
        let blocks = blocks(text.as_bytes(), words, &lines, 7).unwrap();
        let told: Vec<_> = blocks.iter().map(|it| (it.text(), it.failed)).collect();
        let told: Vec<_> = told.iter().map(|(text, failed)| (text.as_str(), *failed)).collect();
        assert_eq!(
            told,
            [
                ("a screen\n", false),
                ("passed", false),
                ("", false),
                ("can't find pane: %9", true),
                ("unknown buffer: b", true)
            ]
        );
    }

    #[test]
    fn a_client_that_broke_off_said_nothing() {
        assert_eq!(blocks(b"one\n", "", &[line("a")], 7), None);
    }
}
