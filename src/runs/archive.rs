//! Conversations that nobody follows any more: earlier epochs, and runs that
//! ended before this server started. Read from the CLI's record when asked for.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tracing::debug;

use crate::schema::{Message, Position};
use crate::seam::AgentProvider;

use super::error::RunError;
use super::hub::{Conversation, Snapshot};
use super::locate::locate;
use super::source::{Source, newest};
use super::supervisor::Supervisor;
use super::view::{Over, View, Window};

/// The newest messages of a record that nobody follows, and the way to the
/// others. Blocking: for a thread that may wait.
fn open(provider: &Arc<dyn AgentProvider>, path: PathBuf) -> io::Result<Conversation> {
    let file = Arc::new(File::open(&path)?);
    let source = Arc::new(Source::new(provider.clone(), path, file.clone())?);
    // Without the end alone, everything is old and read when it is asked for.
    let mut view = View::starting_at(u64::MAX);
    if let Some(newest) = newest(provider, &file)? {
        view = View::starting_at(newest.start);
        for mapped in newest.mapped {
            view.take(mapped);
        }
        view.end_open(&Over::Everything, || 0);
    }
    Ok(Conversation { view, source: Some(source) })
}

impl Supervisor {
    /// Reads a conversation that no actor follows, if it was not read yet.
    pub(super) async fn load(&self, run: &str, epoch: Option<&str>) -> Result<(), RunError> {
        let known = self.hub().run(run).ok_or_else(|| RunError::NotFound(run.into()))?;
        let epoch = epoch.unwrap_or(&known.epoch).to_owned();
        let followed = epoch == known.epoch && self.lock().contains_key(run);
        if followed || self.hub().is_loaded(run, &epoch) {
            return Ok(());
        }
        let Some(place) = self.place_of(&known).await? else {
            return Ok(());
        };
        if !self.hub().epochs(run).iter().any(|it| it.id == epoch) {
            return Err(no_epoch(&epoch));
        }
        let (provider, query) =
            (place.provider.clone(), place.provider.locate_transcript(&place.home, &epoch));
        let loaded = blocking(move || match locate(&*provider, &query) {
            Some(path) => open(&provider, path).map(Some),
            None => Ok(None),
        })
        .await?;
        let source = loaded.as_ref().and_then(|it| it.source.clone());
        self.hub().fill(run, &epoch, loaded);
        if let Some(source) = source {
            // Ahead of the first look at an old page. Nobody waits for it.
            self.0.tools.background.spawn(move || {
                if let Err(error) = source.index_all() {
                    debug!(%error, "A transcript could not be indexed ahead");
                }
                Ok(())
            });
        }
        Ok(())
    }

    /// One page of a conversation.
    pub async fn snapshot(
        &self,
        run: &str,
        epoch: Option<&str>,
        window: Window,
        limit: usize,
    ) -> Result<Snapshot, RunError> {
        self.load(run, epoch).await?;
        let (mut snapshot, unread) =
            self.hub().snapshot(run, epoch, window, limit).ok_or_else(|| match epoch {
                Some(epoch) => no_epoch(epoch),
                None => RunError::NotFound(run.into()),
            })?;
        snapshot.page = match unread.source {
            Some(source) if unread.partial.older.is_some() => {
                // What is still open, the view holds, however old it is.
                let partial = unread.partial;
                blocking(move || partial.complete(limit, |older| source.read(older, true))).await?
            }
            _ => unread.partial.page,
        };
        Ok(snapshot)
    }

    /// One message, with nothing cut.
    pub async fn message(
        &self,
        run: &str,
        epoch: Option<&str>,
        at: Position,
    ) -> Result<Message, RunError> {
        self.load(run, epoch).await?;
        let known = self.hub().message(run, epoch, at);
        let mut message = known.held;
        if let Some(source) = known.source {
            let mut whole = blocking(move || source.message(at, !known.is_open)).await?;
            if let Some(whole) = &mut whole {
                whole.abandoned = known.left;
            }
            message = match (whole, message) {
                (Some(whole), Some(held)) => Some(Message { revision: held.revision, ..whole }),
                (whole, held) => whole.or(held),
            };
        }
        message.ok_or_else(|| no_message(at))
    }
}

/// Reads on a thread that may wait.
pub(super) async fn blocking<T: Send + 'static>(
    read: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, RunError> {
    let done = tokio::task::spawn_blocking(read).await;
    done.unwrap_or_else(|error| Err(io::Error::other(error)))
        .map_err(|error| RunError::io("read the transcript", error))
}

pub(super) fn no_message(at: Position) -> RunError {
    RunError::Invalid {
        field: "position",
        code: "message_not_found",
        detail: format!("there is no message at {at}"),
        hint: None,
    }
}

pub(super) fn no_epoch(epoch: &str) -> RunError {
    RunError::Invalid {
        field: "epoch",
        code: "epoch_not_found",
        detail: format!("this run has no epoch {epoch}"),
        hint: Some("`epochs` in the answer without `epoch` lists them".into()),
    }
}
