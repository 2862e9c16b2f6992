//! Finds the tmux pane that a process of this user runs in, in whatever server.
//!
//! It is the pane whose terminal the process has. A process that merely descends
//! from a pane may have another one, as in a terminal inside an editor, and keys
//! for the pane would go to the editor.

use std::collections::{BTreeSet, HashMap};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::getuid;
use tokio::process::Child;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tracing::debug;

use super::attach::{AttachCommand, Place};
use super::calls::Calls;
use super::error::TerminalError;
use super::process::{stat, terminal_of, tmux_hint};
use super::status::{Pane, Process, Report, format};

/// A server that says nothing for so long is passed over.
const LIMIT: Duration = Duration::from_secs(2);

/// A pane of any server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPane {
    pub socket: PathBuf,
    /// With the process as its guest, and the stamp that it carries in tmux.
    pub pane: Pane,
}

impl FoundPane {
    /// How a person gets to it.
    pub fn attach(&self) -> AttachCommand {
        Place::theirs(self.socket.clone()).command(&self.pane)
    }
}

/// Where a process can be talked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    Pane(Box<FoundPane>),
    /// It has a terminal, and no server that answered has it as a pane.
    OutsideTmux,
    NoTerminal,
    Gone,
}

/// The tmux servers of this user.
#[derive(Debug, Default)]
pub struct Servers {
    /// Clients that a server owes an answer. They are not killed, and no other
    /// follows them.
    waiting: Mutex<HashMap<PathBuf, Child>>,
}

impl Servers {
    /// Where each of these processes is. Only asks, and changes nothing.
    pub async fn whereabouts(&self, processes: &[Process]) -> Vec<Whereabouts> {
        let mut at: Vec<_> = processes.iter().map(|it| Search::of(*it)).collect();
        // First where they say they are, then everywhere.
        let hinted =
            at.iter().filter(|it| it.is_sought()).filter_map(|it| tmux_hint(it.process.pid));
        let hinted: BTreeSet<PathBuf> = hinted.collect();
        self.search(&mut at, &hinted).await;
        if at.iter().any(Search::is_sought) {
            let others = sockets().into_iter().filter(|it| !hinted.contains(it)).collect();
            self.search(&mut at, &others).await;
        }
        at.into_iter().map(|it| it.found).collect()
    }

    async fn search(&self, at: &mut [Search], sockets: &BTreeSet<PathBuf>) {
        let mut asked = JoinSet::new();
        for socket in sockets.iter().filter(|it| !self.owes_an_answer(it)) {
            let calls = Calls { socket: socket.clone() };
            asked.spawn(async move { (calls.socket.clone(), list(&calls).await) });
        }
        while let Some(answer) = asked.join_next().await {
            match answer {
                Ok((socket, Ok(panes))) => {
                    for (terminal, pane) in panes {
                        let fits = |it: &&mut Search| it.is_sought() && it.terminal == terminal;
                        at.iter_mut().filter(fits).for_each(|it| it.settle(&socket, &pane));
                    }
                }
                Ok((socket, Err(Silence::Late(child)))) => {
                    debug!(socket = %socket.display(), "A tmux server gives no answer");
                    self.lock().insert(socket, *child);
                }
                Ok((socket, Err(Silence::Failed(error)))) => {
                    debug!(socket = %socket.display(), %error, "Not a tmux server that answers");
                }
                Err(error) => debug!(%error, "A search broke off"),
            }
        }
    }

    fn owes_an_answer(&self, socket: &Path) -> bool {
        let mut waiting = self.lock();
        waiting.retain(|_, child| matches!(child.try_wait(), Ok(None)));
        waiting.contains_key(socket)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Child>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One process, and what was found out.
struct Search {
    process: Process,
    terminal: u64,
    found: Whereabouts,
}

impl Search {
    fn of(process: Process) -> Self {
        let terminal = terminal_of(process.pid).filter(|_| process.is_alive());
        let found = match terminal {
            Some(_) => Whereabouts::OutsideTmux,
            None if process.is_alive() => Whereabouts::NoTerminal,
            None => Whereabouts::Gone,
        };
        Self { process, terminal: terminal.unwrap_or_default(), found }
    }

    fn is_sought(&self) -> bool {
        self.found == Whereabouts::OutsideTmux
    }

    fn settle(&mut self, socket: &Path, pane: &Pane) {
        let pane = Pane { guest: Some(self.process), ..pane.clone() };
        self.found = Whereabouts::Pane(Box::new(FoundPane { socket: socket.to_owned(), pane }));
    }
}

enum Silence {
    Late(Box<Child>),
    Failed(TerminalError),
}

/// The living panes of a server, each with the number of its terminal.
async fn list(calls: &Calls) -> Result<Vec<(u64, Pane)>, Silence> {
    let mut client = calls.client().await.map_err(Silence::Failed)?;
    client.args(["list-panes", "-a", "-F", &format!("#{{pane_tty}}\t{}", format())]);
    client.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let io = |source| Silence::Failed(TerminalError::io("start tmux", source));
    let mut child = client.spawn().map_err(io)?;
    let mut text = Vec::new();
    let read = async {
        if let Some(stdout) = &mut child.stdout {
            tokio::io::copy(stdout, &mut text).await.ok(); // Less than all is less to find.
        }
        child.wait().await
    };
    match timeout(LIMIT, read).await {
        Ok(Ok(_)) => {}
        Ok(Err(source)) => return Err(io(source)),
        Err(_) => return Err(Silence::Late(Box::new(child))),
    }
    Ok(String::from_utf8_lossy(&text).lines().filter_map(read_pane).collect())
}

fn read_pane(line: &str) -> Option<(u64, Pane)> {
    let (tty, report) = line.split_once('\t')?;
    let status = Report::parse(report)?.status.filter(|it| it.dead.is_none())?;
    let terminal = std::fs::metadata(tty).ok()?.rdev();
    // Its number may have gone to another terminal since.
    let is_there = stat(status.pane.pid).is_some();
    is_there.then_some((terminal, status.pane))
}

/// Where tmux makes its sockets.
fn sockets() -> BTreeSet<PathBuf> {
    let own = std::env::var_os("TMUX_TMPDIR").filter(|it| !it.is_empty()).map(PathBuf::from);
    let folders = own.into_iter().chain(["/tmp".into()]);
    let folders = folders.map(|it| it.join(format!("tmux-{}", getuid().as_raw())));
    let files = folders.filter_map(|it| std::fs::read_dir(it).ok()).flatten().flatten();
    files.map(|it| it.path()).collect()
}
