//! Tries tmux out, on a server that is there for this alone.

use std::time::Duration;

use tmux_interface::{DisplayMessage, KillServer, SourceFile};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::quote::Line;
use super::server::Server;
use super::{Exit, Key, PaneSpec, Terminal, TerminalConfig, TerminalError, TerminalEvent};

const LIMIT: Duration = Duration::from_secs(10);

/// Ends with 0 if this word is typed into it.
const WORD: &str = "seamux";
const READER: &str = r#"read -r word; [ "$word" = "$0" ]"#;

/// What was found out.
#[derive(Clone, Debug)]
pub struct Checkup {
    pub version: String,
    /// What tmux said to our options, if it did not take them.
    pub refused: Option<String>,
    /// A text that was pasted and sent arrived in a program.
    pub types: bool,
}

/// Starts a server, types into a program, and ends the server.
///
/// `config` has to name a socket and a folder that nobody else uses.
pub async fn checkup(config: TerminalConfig) -> Result<Checkup, TerminalError> {
    let server = Server::new(config.clone())?;
    let (terminal, events) = Terminal::open(config).await?;
    let seen = look(&terminal, &server, events).await;
    let end = Line::new(&KillServer::new().build());
    terminal.inner.control.ask(vec![end]).await.ok(); // It ends in the middle of its answer.
    terminal.shutdown().await;
    std::fs::remove_file(&server.socket).ok(); // tmux leaves it behind.
    seen
}

async fn look(
    terminal: &Terminal,
    server: &Server,
    mut events: mpsc::Receiver<TerminalEvent>,
) -> Result<Checkup, TerminalError> {
    let conf = server.conf();
    let lines = vec![
        Line::new(&DisplayMessage::new().print().message("#{version}").build()),
        Line::new(&SourceFile::new().path(conf.to_string_lossy()).build()),
    ];
    let blocks = terminal.inner.control.ask(lines).await?;
    let text = |at: usize| blocks.get(at).map(|it| it.text()).unwrap_or_default();
    let refused = blocks.get(1).is_some_and(|it| it.failed).then(|| text(1));

    let argv = ["/bin/sh", "-c", READER, WORD].map(Into::into).to_vec();
    let pane = terminal.spawn(PaneSpec {
        session: "checkup".into(),
        stamp: "checkup".into(),
        labels: Vec::new(),
        argv,
        cwd: "/".into(),
        env: Vec::new(),
        size: (80, 24),
    });
    let pane = pane.await?;
    terminal.paste(&pane, WORD).await?;
    terminal.press(&pane, Key::Enter).await?;
    let ended = async {
        while let Some(event) = events.recv().await {
            if let TerminalEvent::Exited { exit, .. } = event {
                return exit == Exit::Code(0);
            }
        }
        false
    };
    let types = timeout(LIMIT, ended).await.unwrap_or(false);
    Ok(Checkup { version: text(0), refused, types })
}
