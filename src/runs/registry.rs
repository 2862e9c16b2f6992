//! What the actor learns from the CLI's own list of live processes.

use std::path::Path;
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use crate::seam::{Activity, RegistryEntry};

use super::actor::Actor;
use super::now;
use super::wall::{came_before, came_before_ms};

/// The mark of an interrupt is recorded within this time, if it is at all.
const INTERRUPT_MARK: Duration = Duration::from_millis(500);

/// The transcript is written in batches, and the last one comes within this
/// time of the process's rest.
const LAST_WORDS: Duration = Duration::from_millis(800);

impl Actor {
    pub(super) fn read_registry(&mut self) {
        let Some(entry) = self.find_entry() else {
            if self.registry_file.take().is_some() {
                // The process took itself off the list: it is ending.
                self.facts.registry = None;
            }
            return;
        };
        self.row.cli_version = entry.version.clone().or(self.row.cli_version.take());
        if let Some(cwd) = &entry.cwd {
            self.row.cwd = cwd.to_string_lossy().into_owned();
        }
        self.idle_since = entry.since.filter(|_| entry.activity == Activity::Idle);
        let before = self.facts.registry;
        if !self.is_of_before_the_prompt(&entry) {
            self.facts.registry = Some(entry.activity);
        }
        if entry.native_id != self.epoch {
            self.enter_epoch(&entry.native_id, "resume", None);
        }
        match entry.activity {
            Activity::Idle => {
                self.ready = true;
                self.outbox.cli_rests(Instant::now());
                self.answering.settled_before(entry.since);
                if before != Some(Activity::Idle) {
                    self.facts.settling = true;
                    self.settle_deadline = Some(Instant::now() + LAST_WORDS);
                }
                if before == Some(Activity::Busy) {
                    self.tail.clear();
                    if self.outbox.awaited_interrupt().is_some() {
                        self.early_interrupt = Some(Instant::now() + INTERRUPT_MARK);
                    }
                }
            }
            Activity::Busy => {
                self.ready = true;
                self.outbox.cli_works();
                if before == Some(Activity::Waiting) {
                    self.answering.left_waiting(entry.since);
                }
            }
            Activity::Waiting | Activity::Starting => {}
        }
        self.answering.waits((entry.activity == Activity::Waiting).then_some(&entry));
        if before != Some(entry.activity) {
            self.row.last_activity_at = now();
            self.read_transcript();
        }
    }

    /// The CLI writes its list a moment after it has taken a prompt. Until then
    /// the list still says idle, of the time before.
    fn is_of_before_the_prompt(&self, entry: &RegistryEntry) -> bool {
        entry.activity == Activity::Idle
            && entry.since.is_some_and(|since| came_before_ms(since, self.prompted_at))
    }

    /// The entry of our own process, and the file that holds it.
    fn find_entry(&mut self) -> Option<RegistryEntry> {
        let place = self.registry.as_ref()?;
        let live = self.provider.live()?;
        let now = SystemTime::now();
        let read = |path: &Path| {
            let modified = path.metadata().and_then(|it| it.modified()).ok()?;
            if self.not_before.is_some_and(|earliest| came_before(&modified, &earliest, &now)) {
                return None; // Left over from another process with this number.
            }
            live.registry_entry(&std::fs::read(path).ok()?)
        };
        let ours = |entry: &RegistryEntry| {
            i64::from(entry.pid) == i64::from(self.pane.process()) || entry.native_id == self.epoch
        };
        let known = self.registry_file.clone();
        let guess = place.dir.join(format!("{}{}", self.pane.process(), place.suffix));
        let direct = [known, Some(guess)].into_iter().flatten();
        let found = direct
            .filter_map(|path| read(&path).map(|entry| (path, entry)))
            .find(|(_, entry)| ours(entry))
            .or_else(|| {
                let files = std::fs::read_dir(&place.dir).ok()?.flatten().map(|it| it.path());
                files
                    .filter(|path| path.to_string_lossy().ends_with(place.suffix))
                    .filter_map(|path| read(&path).map(|entry| (path, entry)))
                    .find(|(_, entry)| ours(entry))
            });
        let (path, entry) = found?;
        if self.registry_file.as_ref() != Some(&path) {
            self.registry_bell = Some(self.tools.watcher.file(&path));
            self.registry_file = Some(path);
        }
        Some(entry)
    }

    /// What no record explains can only be seen in the terminal.
    pub(super) fn note_terminal_dialog(&mut self) {
        const CODE: &str = "terminal_dialog";
        let Some(what) = self.answering.unexplained().filter(|_| !self.is_explained()) else {
            self.warnings.retain(|it| it.code != CODE);
            return;
        };
        let message = format!("The agent waits in the terminal ({what}).");
        let hint = "Open the terminal to answer it; the chat goes on by itself.";
        self.warn(CODE, &message, Some(hint));
    }

    fn is_explained(&self) -> bool {
        self.was_just_answered() || self.has_unanswered()
    }

    /// What was answered may take a moment to go.
    pub(super) fn was_just_answered(&self) -> bool {
        self.answering.clears_by(Instant::now()).is_some()
            || self.answering.waits_for_the_answered()
    }

    pub(super) fn has_unanswered(&self) -> bool {
        !self.pending_now().is_empty()
    }
}
