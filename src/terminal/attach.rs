//! The command that brings a person to a pane, from any shell.

use std::path::{Path, PathBuf};

use rustix::process::getuid;

use super::process::find_program;
use super::server::{Server, same_file, server_program};
use super::status::Pane;

/// How to attach. Detach with the prefix (Ctrl-b) and `d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachCommand {
    /// For a POSIX shell; works inside another tmux too.
    pub command: String,
    /// The same without a shell.
    pub argv: Vec<String>,
    pub socket: PathBuf,
    pub session: String,
}

/// What the command needs to know about the server.
#[derive(Debug)]
pub(super) struct Place {
    name: String,
    socket: PathBuf,
    usual: bool,
}

impl Place {
    pub(super) fn of(server: &Server) -> Self {
        Self {
            name: server.config.socket_name.clone(),
            socket: server.socket.clone(),
            usual: server.usual_place,
        }
    }

    /// A server that a person started.
    pub(super) fn theirs(socket: PathBuf) -> Self {
        let base = std::env::var_os("TMUX_TMPDIR").filter(|value| !value.is_empty());
        let base = base.map_or_else(|| "/tmp".into(), PathBuf::from);
        let usual = base.join(format!("tmux-{}", getuid().as_raw()));
        Self {
            name: socket.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            usual: socket.parent() == Some(&usual),
            socket,
        }
    }

    pub(super) fn command(&self, pane: &Pane) -> AttachCommand {
        let path = std::env::var("PATH").unwrap_or_default();
        let on_path = find_program(Path::new("tmux"), &path, Path::new("/"));
        let mut argv = vec!["tmux".to_owned()];
        // After an upgrade only the old program can talk to the old server.
        if let Some(theirs) = server_program(pane.server.pid)
            && !on_path.is_some_and(|ours| same_file(&ours, &theirs))
        {
            argv = vec![theirs.to_string_lossy().into_owned()];
        }
        if self.usual {
            argv.extend(["-L".to_owned(), self.name.clone()]);
        } else {
            argv.extend(["-S".to_owned(), self.socket.to_string_lossy().into_owned()]);
        }
        argv.extend(["attach", "-t"].map(str::to_owned));
        // A person's session has other windows; the id leads to the right one.
        argv.push(match pane.guest {
            Some(_) => pane.id.clone(),
            None => format!("={}", pane.session_name),
        });
        AttachCommand {
            command: argv.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" "),
            argv,
            socket: self.socket.clone(),
            session: pane.session_name.clone(),
        }
    }
}

/// Quotes for a shell. `=` too, because zsh expands a leading one.
fn quote(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./,:@+".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_reaches_the_program_as_it_is() {
        assert_eq!(quote("tmux"), "tmux");
        assert_eq!(quote("=run-1"), "'=run-1'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }
}
