//! Lists conversations that no run of ours has: those that are live in some
//! terminal, and those of which only the record is left.

mod live;
mod past;

use std::collections::HashMap;
use std::time::SystemTime;

use crate::schema::{AdoptsAs, Discovered, Session, SessionState};
use crate::seam::{Activity, Sketch};
use crate::terminal::{Servers, Whereabouts};

use super::archive::blocking;
use super::error::RunError;
use super::place::Place;
use super::publish::attach;
use super::rfc3339;
use super::supervisor::Supervisor;

pub(super) use live::{Live, live_entries, outside};
pub(super) use past::{Found, Sketches, walk};

/// What is remembered between two looks.
#[derive(Default)]
pub(super) struct Discovery {
    pub(super) servers: Servers,
    pub(super) sketches: Sketches,
}

impl Supervisor {
    /// What could be adopted: all that is live, and at most `limit` of the rest. With
    /// `words`, only what has them in its title, folder or last line.
    pub async fn discover(&self, words: &str, limit: usize) -> Result<Discovered, RunError> {
        let words = words.trim().to_lowercase();
        let (mut live, mut past) = (Vec::new(), Vec::new());
        for place in &self.0.config.providers {
            let Some((found, sessions)) = self.look_at(place).await? else { continue };
            let known = self.known(place);
            let is_new = |it: &Found| !known.contains_key(&it.native_id);
            let is_live = |it: &Found| sessions.iter().any(|live| live.is(&it.native_id));
            let (of_live, of_past): (Vec<_>, Vec<_>) =
                found.into_iter().filter(is_new).partition(is_live);
            let sought = words.clone();
            let (sketches, place_there) = (self.0.discovery.sketches.clone(), place.clone());
            let (told, listed) = blocking(move || {
                let told = sketches.of(&place_there, of_live);
                let fits = |sketch: &Sketch| has_words(sketch, &sought);
                Ok((told, sketches.newest(&place_there, of_past, limit.saturating_add(1), fits)))
            })
            .await?;
            let mut told: HashMap<String, (Found, Sketch)> =
                told.into_iter().map(|it| (it.0.native_id.clone(), it)).collect();
            let provider = place.provider.descriptor().id;
            for it in sessions.iter().filter(|it| !known.contains_key(it.native_id())) {
                let session = of_live_one(provider, it, told.remove(it.native_id()));
                live.extend(session.filter(|it| shows(it, &words)));
            }
            past.extend(listed.into_iter().map(|it| (it.0.modified, of_past_one(provider, it))));
        }
        past.sort_by_key(|it| std::cmp::Reverse(it.0));
        let has_more = past.len() > limit;
        live.extend(past.into_iter().take(limit).map(|it| it.1));
        Ok(Discovered { sessions: live, has_more })
    }

    /// All records of a provider, the newest first, and its live processes with
    /// where they are. `None` if it cannot list any.
    pub(super) async fn look_at(
        &self,
        place: &Place,
    ) -> Result<Option<(Vec<Found>, Vec<Live>)>, RunError> {
        let there = place.clone();
        let looked =
            blocking(move || Ok(walk(&there).map(|it| (it, live_entries(&there))))).await?;
        let Some((found, entries)) = looked else { return Ok(None) };
        Ok(Some((found, self.whereabouts(entries).await)))
    }

    /// The conversations of our runs, each with its run. The one that it is in now
    /// counts before one that it once was in.
    pub(super) fn known(&self, place: &Place) -> HashMap<String, String> {
        let provider = place.provider.descriptor().id;
        let mut known = HashMap::new();
        for run in self.hub().runs().into_iter().filter(|it| it.provider == provider) {
            for epoch in self.hub().epochs(&run.id) {
                known.entry(epoch.id).or_insert_with(|| run.id.clone());
            }
            known.insert(run.epoch, run.id);
        }
        known
    }
}

fn of_live_one(provider: &str, live: &Live, told: Option<(Found, Sketch)>) -> Option<Session> {
    let entry = &live.entry;
    let outside = outside(&live.at);
    let attach = match &live.at {
        Whereabouts::Gone => return None,
        Whereabouts::Pane(found) => Some(attach(&found.attach())),
        _ => None,
    };
    let (found, sketch) = told.map(|(found, sketch)| (Some(found), sketch)).unwrap_or_default();
    let since = entry.since.map(|it| SystemTime::UNIX_EPOCH + std::time::Duration::from_millis(it));
    let at = found.as_ref().map(|it| it.modified).max(since);
    Some(Session {
        state: match entry.activity {
            Activity::Starting => SessionState::Starting,
            Activity::Idle => SessionState::Idle,
            Activity::Busy => SessionState::Working,
            Activity::Waiting => SessionState::Waiting,
        },
        adopts_as: if outside.is_some() { AdoptsAs::ReadOnly } else { AdoptsAs::Chat },
        hint: outside.as_ref().and_then(|it| it.hint.clone()),
        reason: outside.map(|it| it.message),
        cwd: entry.cwd.as_ref().map(|it| it.to_string_lossy().into_owned()),
        last_activity_at: at.map(rfc3339),
        size: found.map(|it| it.size),
        pid: Some(entry.pid),
        cli_version: entry.version.clone(),
        attach,
        ..session(
            provider,
            &entry.native_id,
            Sketch { cwd: sketch.cwd.or(entry.cwd.clone()), ..sketch },
        )
    })
}

fn of_past_one(provider: &str, (found, sketch): (Found, Sketch)) -> Session {
    Session {
        last_activity_at: Some(rfc3339(found.modified)),
        size: Some(found.size),
        ..session(provider, &found.native_id, sketch)
    }
}

fn session(provider: &str, native_id: &str, sketch: Sketch) -> Session {
    Session {
        provider: provider.to_owned(),
        native_id: native_id.to_owned(),
        state: SessionState::Past,
        adopts_as: AdoptsAs::Resume,
        reason: None,
        hint: None,
        title: title_of(&sketch, native_id),
        cwd: sketch.cwd.map(|it| it.to_string_lossy().into_owned()),
        branch: sketch.branch,
        last_line: sketch.last_line,
        last_activity_at: None,
        size: None,
        pid: None,
        cli_version: None,
        attach: None,
    }
}

/// Its own title, else the name of its folder.
pub(super) fn title_of(sketch: &Sketch, native_id: &str) -> String {
    let folder = || Some(sketch.cwd.as_ref()?.file_name()?.to_string_lossy().into_owned());
    sketch.title.clone().or_else(folder).unwrap_or_else(|| native_id.to_owned())
}

fn has_words(sketch: &Sketch, words: &str) -> bool {
    let cwd = sketch.cwd.as_ref().map(|it| it.to_string_lossy());
    let texts = [sketch.title.as_deref(), cwd.as_deref(), sketch.last_line.as_deref()];
    words.is_empty() || texts.into_iter().flatten().any(|it| it.to_lowercase().contains(words))
}

fn shows(session: &Session, words: &str) -> bool {
    let texts = [Some(&session.title), session.cwd.as_ref(), session.last_line.as_ref()];
    words.is_empty() || texts.into_iter().flatten().any(|it| it.to_lowercase().contains(words))
}
