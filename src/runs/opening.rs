//! How the actor begins with a transcript. A short one is read from its start.
//! Of a long one the end is shown at once and followed from there, while the
//! whole is read in the background; then that reading takes over.

use std::fs::File;
use std::sync::Arc;

use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::{debug, warn};

use crate::seam::{Fact, Mapped, Record};
use crate::transcript::{Follower, Progress};

use super::actor::Actor;
use super::source::{Known, Newest, Pass, Source, newest};

/// A longer transcript is begun at its end.
const SHORT: u64 = 4 * 1024 * 1024;

/// A background reading. Dropping it calls it off.
pub(super) struct Reading {
    task: JoinHandle<std::io::Result<Option<Pass>>>,
    /// What the end of the transcript told, which is newer than its start.
    told: Known,
    _stop: DropGuard,
}

impl Actor {
    /// Makes old messages readable, and begins at the end if there are many.
    pub(super) fn open_transcript(&mut self) -> std::io::Result<()> {
        let Some(follower) = &mut self.follower else { return Ok(()) };
        let Some(file) = follower.file()? else { return Ok(()) };
        let path = follower.path().to_owned();
        self.is_open = true;
        let source = Arc::new(Source::new(self.provider.clone(), path.clone(), file.clone())?);
        self.tools.hub.update(&self.row.id, |board| board.source(source.clone()));
        if file.metadata()?.len() > SHORT
            && let Some(newest) = newest(&self.provider, &file)?
        {
            self.begin_at_the_end(newest, source, file)?;
        }
        Ok(())
    }

    fn begin_at_the_end(
        &mut self,
        newest: Newest,
        source: Arc<Source>,
        file: Arc<File>,
    ) -> std::io::Result<()> {
        let Some(path) = self.follower.as_ref().map(|it| it.path().to_owned()) else {
            return Ok(());
        };
        debug!(skipped = newest.start, "A long transcript is shown from its end");
        let query = self.provider.locate_transcript(&self.home, &self.epoch);
        let follower = Follower::resume(path.clone(), file.clone(), newest.next)?;
        self.follower = Some(follower.within(query));
        self.mapper = newest.mapper;
        let stop = CancellationToken::new();
        let (provider, stopped) = (self.provider.clone(), stop.clone());
        self.reading = Some(Reading {
            task: self
                .tools
                .background
                .spawn(move || Pass::run(&provider, &source, path, file, &stopped)),
            told: Known::default(),
            _stop: stop.drop_guard(),
        });
        self.apply(newest.mapped, Some(newest.start));
        Ok(())
    }

    /// What the end tells while the whole is still being read. False for what
    /// only the whole can tell.
    pub(super) fn may_tell(&mut self, fact: &Fact) -> bool {
        let Some(reading) = &mut self.reading else { return true };
        reading.told.take(fact.clone());
        // A title that a person chose stands before those that the CLI thinks of.
        !matches!(fact, Fact::Title(_))
    }

    /// The background reading is through: from here on its reader goes on.
    pub(super) fn take_over(&mut self, pass: Option<Pass>) {
        let Some(Reading { told, .. }) = self.reading.take() else { return };
        let Some(mut pass) = pass else { return };
        let shown_up_to = self.follower.as_ref().map_or(0, Follower::next);
        let mut news: Vec<Mapped> = Vec::new();
        let Pass { follower, mapper, view, facts } = &mut pass;
        if let Some(current) = &self.follower {
            follower.moved_to(current.path().to_owned());
        }
        let progress = follower.read(usize::MAX, |at, bytes| {
            let mapped = mapper.map(Record { at, bytes });
            if at < shown_up_to {
                facts.take_all(view, mapped);
            } else if mapped != Mapped::default() {
                news.push(mapped);
            }
        });
        if !matches!(progress, Ok(Progress::Current)) {
            return; // The reader that we have finds out what happened.
        }
        let query = self.provider.locate_transcript(&self.home, &self.epoch);
        self.follower = Some(pass.follower.within(query));
        self.mapper = pass.mapper;
        let over = self.over();
        let open_dialogs = &mut self.facts.open_dialogs;
        self.tools.hub.update(&self.row.id, |board| {
            board.better_view(pass.view);
            board.end_open(&over);
            *open_dialogs = board.view().open_dialogs().len();
        });
        self.learn(pass.facts, &told);
        self.apply(news, None);
        self.name_agents();
    }

    /// Facts of the whole, as far as nothing newer was told.
    fn learn(&mut self, whole: Known, told: &Known) {
        if told.usage.is_none() {
            self.usage = whole.usage.or(self.usage);
        }
        if let Some(model) = whole.model.filter(|_| told.model.is_none()) {
            self.take_model(model);
        }
        if told.permission_mode.is_none() && whole.permission_mode.is_some() {
            self.row.permission_mode = whole.permission_mode;
        }
        if told.branch.is_none() && whole.branch.is_some() {
            self.row.branch = whole.branch;
        }
        if let Some(title) = whole.title
            && !self.row.named
        {
            self.row.title = title;
        }
        if told.turn.is_none()
            && let Some(turn) = whole.turn
        {
            self.facts.take_fact(&turn);
            whole.blocked.iter().for_each(|block| self.block(block));
        }
    }

    /// Waits until the background reading is through.
    pub(super) async fn finish_reading(&mut self) {
        if self.reading.is_some() {
            let pass = read_through(self.reading.as_mut()).await;
            self.take_over(pass);
        }
    }
}

/// Resolves when the background reading is through, and never without one.
pub(super) async fn read_through(reading: Option<&mut Reading>) -> Option<Pass> {
    let Some(reading) = reading else {
        return std::future::pending().await;
    };
    match (&mut reading.task).await {
        Ok(Ok(pass)) => pass,
        Ok(Err(error)) => {
            warn!(%error, "A long transcript could not be read from its start");
            None
        }
        Err(error) => {
            warn!(%error, "The reading of a long transcript broke off");
            None
        }
    }
}
