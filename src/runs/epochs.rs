//! Which native conversation a run is in, and where its record stands.

use std::path::{Path, PathBuf};

use tracing::{info, warn};

use crate::schema::{Epoch, TranscriptStatus};
use crate::seam::{StartReason, TranscriptQuery};
use crate::store::EpochRow;
use crate::transcript::{Follower, places};

use super::actor::Actor;
use super::agents::Agents;
use super::locate::{locate, unreadable};
use super::now;

impl Actor {
    /// Follows this file, or looks for the file of the current conversation.
    pub(super) fn follow(&mut self, told: Option<PathBuf>) {
        let query = self.provider.locate_transcript(&self.home, &self.epoch);
        let Some(path) = told.or_else(|| locate(&*self.provider, &query)) else {
            let is_unreadable = self.note_unreadable(unreadable(&query));
            self.seek(&query, is_unreadable);
            return;
        };
        match &mut self.follower {
            Some(follower) if follower.path() == path => return,
            // The conversation moved: the open file goes along.
            Some(follower) if follower.is_at(&path) => follower.moved_to(path.clone()),
            Some(follower) => {
                let left = follower.path().display().to_string();
                warn!(epoch.id = self.epoch, left, "The conversation goes on in another file");
                let message = format!(
                    "The conversation goes on in another file, {}. What stood only in the one before is not shown.",
                    path.display()
                );
                let hint = format!("`seamux inspect {left}` shows that one.");
                self.warn("record_switched", &message, Some(&hint));
                self.follower = Some(Follower::new(path.clone()).within(query));
                self.read_anew();
            }
            None => self.follower = Some(Follower::new(path.clone()).within(query)),
        }
        self.watch(&path);
    }

    /// Nobody tells where the record will be, or when its folder can be read again: it
    /// is waited for wherever it may come up.
    fn seek(&mut self, query: &TranscriptQuery, is_unreadable: bool) {
        if self.follower.is_some() || !(self.must_seek || is_unreadable) {
            return;
        }
        let places = places(query);
        // A new bell rings once, for a first look: one for each change of the places.
        if self.sought.as_ref() != Some(&places) {
            self.transcript_bell = Some(self.tools.watcher.any(&places.0, &places.1));
            self.sought = Some(places);
        }
    }

    /// The record is read through the open file also when its name leads nowhere. Nobody
    /// knows then whether the CLI still writes there.
    pub(super) fn note_folder(&mut self) {
        let named = self.follower.as_ref().is_none_or(Follower::is_named);
        let query = || self.provider.locate_transcript(&self.home, &self.epoch);
        let why = if named { None } else { unreadable(&query()) };
        self.note_unreadable(why);
    }

    /// Tells a person that the CLI's records cannot be read, as long as it is so.
    pub(super) fn note_unreadable(&mut self, why: Option<(PathBuf, std::io::Error)>) -> bool {
        const CODE: &str = "transcript_unreadable";
        let Some((place, error)) = why else {
            self.warnings.retain(|it| it.code != CODE);
            return false;
        };
        let message = format!("The agent's record cannot be read: {} ({error}).", place.display());
        let hint = "Make it readable again; the conversation then comes back by itself.";
        self.warn(CODE, &message, Some(hint));
        self.transcript = TranscriptStatus::Gone;
        true
    }

    pub(super) fn watch(&mut self, path: &Path) {
        self.transcript_bell = Some(self.tools.watcher.file(path));
        self.save_epoch(Some(path));
    }

    /// What was read so far is void.
    pub(super) fn read_anew(&mut self) {
        self.mapper = self.provider.mapper();
        self.is_open = false;
        self.reading = None;
        self.facts.new_epoch();
        self.outbox.new_epoch();
        self.tools.hub.update(&self.row.id, |board| board.restart_view());
        self.more_to_read = true;
    }

    /// The CLI itself says that a conversation began, or goes on.
    ///
    /// Its list of live processes may have told first that there is another one, but
    /// not why. And what was said while we were away may be over by now: then that
    /// list knows better.
    pub(super) fn begin_epoch(
        &mut self,
        native_id: &str,
        reason: StartReason,
        transcript: Option<PathBuf>,
        late: bool,
    ) {
        if late && native_id != self.epoch && self.registry_file.is_some() {
            info!(epoch.id = native_id, "A conversation began and ended while nobody watched");
            return;
        }
        self.enter_epoch(native_id, reason.as_str(), transcript);
        // What is resumed or compacted began before, for another reason.
        if !matches!(reason, StartReason::Resume | StartReason::Compact) {
            self.tools.store.correct_reason(self.row.id.clone(), native_id.into(), reason.as_str());
            self.tools.hub.update(&self.row.id, |board| board.reason(native_id, reason.as_str()));
        }
    }

    /// The process goes on with this conversation, which may be a new one.
    pub(super) fn enter_epoch(
        &mut self,
        native_id: &str,
        reason: &str,
        transcript: Option<PathBuf>,
    ) {
        if native_id != self.epoch {
            // What the old conversation still holds is read before it is left.
            self.read_transcript();
            native_id.clone_into(&mut self.epoch);
            self.mapper = self.provider.mapper();
            self.follower = None;
            self.is_open = false;
            self.reading = None;
            self.transcript_bell = None;
            self.sought = None;
            self.transcript = TranscriptStatus::Locating;
            self.facts.new_epoch();
            self.outbox.new_epoch();
            self.tail.clear();
            self.agents = Agents::default();
            self.last_prompt = None;
            self.usage = None;
            let epoch =
                Epoch { id: native_id.to_owned(), reason: reason.to_owned(), started_at: now() };
            self.tools.hub.update(&self.row.id, |board| board.epoch(epoch));
            self.save_epoch_as(reason, transcript.as_deref());
        }
        self.follow(transcript);
    }

    fn save_epoch(&self, transcript: Option<&Path>) {
        self.save_epoch_as("startup", transcript);
    }

    /// The reason counts only for an epoch that is new.
    fn save_epoch_as(&self, reason: &str, transcript: Option<&Path>) {
        let row = EpochRow {
            native_id: self.epoch.clone(),
            reason: reason.to_owned(),
            started_at: now(),
            transcript: transcript.map(|path| path.to_string_lossy().into_owned()),
        };
        self.tools.store.note_epoch(self.row.id.clone(), row);
    }
}
