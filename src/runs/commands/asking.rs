//! Asks a CLI what commands it came with.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use tracing::warn;

use crate::seam::{CommandAsk, CommandCatalog};

use super::super::place::Place;
use super::super::probe::{Stamp, stamp};
use super::super::spawn::make_private_dir;

/// A CLI that does not answer in this time is not asked again for a while.
const LIMIT: Duration = Duration::from_secs(15);
const AGAIN: Duration = Duration::from_secs(300);

const LONGEST_ANSWER: usize = 4 * 1024 * 1024;

/// What was answered, as long as the program stays the same file.
pub(super) struct Asked {
    /// For the empty homes.
    dir: PathBuf,
    known: Mutex<HashMap<PathBuf, Known>>,
}

struct Known {
    stamp: Stamp,
    at: Instant,
    answer: Option<Vec<u8>>,
}

impl Asked {
    pub(super) fn new(state_dir: &Path) -> Self {
        let dir = state_dir.join("asked");
        // A server that was killed may have left some.
        std::fs::remove_dir_all(&dir).ok();
        Self { dir, known: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn ask(&self, place: &Place, program: &Path) -> Option<Vec<u8>> {
        let catalogue = place.provider.commands()?;
        let ask = catalogue.ask()?;
        let stamp = stamp(program)?;
        if let Some(known) = self.lock().get(program)
            && known.stamp == stamp
            && (known.answer.is_some() || known.at.elapsed() < AGAIN)
        {
            return known.answer.clone();
        }
        let home = self.dir.join(uuid::Uuid::new_v4().simple().to_string());
        let path = place.home.env("PATH").unwrap_or_default();
        let answer = self.in_empty_home(&home, path, program, &ask, catalogue).await;
        std::fs::remove_dir_all(&home).ok(); // It is looked for again at the next start.
        let answer = match answer {
            Ok(answer) => Some(answer),
            Err(reason) => {
                warn!(program = %program.display(), reason, "A CLI did not list its commands");
                None
            }
        };
        let known = Known { stamp, at: Instant::now(), answer: answer.clone() };
        self.lock().insert(program.to_owned(), known);
        answer
    }

    async fn in_empty_home(
        &self,
        home: &Path,
        path: &str,
        program: &Path,
        ask: &CommandAsk,
        catalogue: &dyn CommandCatalog,
    ) -> Result<Vec<u8>, &'static str> {
        make_private_dir(home).map_err(|_| "its home could not be made")?;
        let child = Command::new(program)
            .args(ask.args)
            .env_clear()
            .env("PATH", path)
            .env("HOME", home)
            .env("LANG", "C.UTF-8")
            .envs(ask.env.iter().copied())
            .current_dir(home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn();
        let mut child = child.map_err(|_| "it could not be started")?;
        let heard = timeout(LIMIT, hear(&mut child, ask.stdin, catalogue)).await;
        // It has said what it was started for, or will not.
        child.kill().await.ok();
        heard.map_err(|_| "it did not answer in time")?
    }
}

async fn hear(
    child: &mut Child,
    words: &str,
    catalogue: &dyn CommandCatalog,
) -> Result<Vec<u8>, &'static str> {
    let (Some(mut stdin), Some(mut stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("it could not be spoken to");
    };
    stdin.write_all(words.as_bytes()).await.map_err(|_| "it did not listen")?;
    let mut heard = Vec::new();
    while heard.len() < LONGEST_ANSWER {
        let read = stdout.read_buf(&mut heard).await.map_err(|_| "it could not be heard")?;
        if heard.ends_with(b"\n") && catalogue.is_answer(&heard) {
            return Ok(heard);
        }
        if read == 0 {
            return Err("it said something else");
        }
    }
    Err("its answer has no end")
}
