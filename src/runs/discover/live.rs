//! Live processes of a CLI, by its own list, and where each can be talked to.

use std::path::PathBuf;

use crate::runs::place::Place;
use crate::runs::supervisor::Supervisor;
use crate::schema::Warning;
use crate::seam::RegistryEntry;
use crate::terminal::{Process, Whereabouts, process_began};

/// A live process, and where it is.
pub(in crate::runs) struct Live {
    pub(in crate::runs) entry: RegistryEntry,
    pub(in crate::runs) process: Process,
    pub(in crate::runs) at: Whereabouts,
}

impl Live {
    pub(in crate::runs) fn native_id(&self) -> &str {
        &self.entry.native_id
    }

    pub(in crate::runs) fn is(&self, native_id: &str) -> bool {
        self.entry.native_id == native_id
    }
}

impl Supervisor {
    /// Where these processes are. Those that sit in a pane of a run of ours are left
    /// out, whatever conversation they are in.
    pub(in crate::runs) async fn whereabouts(&self, entries: Vec<RegistryEntry>) -> Vec<Live> {
        let named = |entry: RegistryEntry| Some((process_of(&entry)?, entry));
        let (processes, entries): (Vec<_>, Vec<_>) = entries.into_iter().filter_map(named).unzip();
        let places = self.0.discovery.servers.whereabouts(&processes).await;
        let live = processes.into_iter().zip(entries).zip(places);
        let live = live.map(|((process, entry), at)| Live { entry, process, at });
        let is_ours = |it: &Live| match &it.at {
            Whereabouts::Pane(found) => self.hub().run(&found.pane.stamp).is_some(),
            _ => false,
        };
        live.filter(|it| !is_ours(it)).collect()
    }
}

/// The living processes in the CLI's own list.
pub(in crate::runs) fn live_entries(place: &Place) -> Vec<RegistryEntry> {
    let read = || {
        let live = place.provider.live()?;
        let registry = live.registry(&place.home)?;
        let files = std::fs::read_dir(registry.dir).ok()?.flatten().map(|it| it.path());
        let entries = files
            .filter(|path: &PathBuf| path.to_string_lossy().ends_with(registry.suffix))
            .filter_map(|path| live.registry_entry(&std::fs::read(path).ok()?));
        Some(entries.filter(lives).collect())
    };
    read().unwrap_or_default()
}

/// A list keeps the entries of processes that were killed, and a number may be
/// another process by now.
fn lives(entry: &RegistryEntry) -> bool {
    let began = process_began(entry.pid);
    began.is_some() && (entry.started.is_none() || entry.started == began)
}

fn process_of(entry: &RegistryEntry) -> Option<Process> {
    Some(Process { pid: entry.pid.try_into().ok()?, began: process_began(entry.pid)? })
}

/// Why nothing can be typed there; `None` if it can.
pub(in crate::runs) fn outside(at: &Whereabouts) -> Option<Warning> {
    let (message, hint) = match at {
        Whereabouts::Pane(found) if found.pane.stamp.is_empty() => return None,
        Whereabouts::Pane(_) => {
            ("Another seamux runs it, and types into its terminal.", "Write to it there.")
        }
        Whereabouts::OutsideTmux => (
            "Its terminal is not in a tmux that answers, so nothing can be typed into it from here.",
            "To write from here, end it in its terminal and resume it: it goes on in tmux then.",
        ),
        Whereabouts::NoTerminal | Whereabouts::Gone => (
            "It has no terminal that anything could be typed into.",
            "To write from here, let it end and resume it: it goes on in tmux then.",
        ),
    };
    Some(Warning { code: "read_only".into(), message: message.into(), hint: Some(hint.into()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seam::Activity;

    fn entry(pid: u32, started: Option<u64>) -> RegistryEntry {
        RegistryEntry {
            pid,
            native_id: "n".into(),
            activity: Activity::Idle,
            since: None,
            waiting_for: None,
            own_screen: false,
            cwd: None,
            version: None,
            started,
        }
    }

    #[test]
    fn an_entry_counts_only_for_the_very_process_that_wrote_it() {
        let pid = std::process::id();
        let began = process_began(pid).expect("we live");
        assert!(lives(&entry(pid, Some(began))));
        assert!(lives(&entry(pid, None)), "a list that does not tell the time is believed");
        assert!(!lives(&entry(pid, Some(began + 1))), "the number was used again");
        assert!(!lives(&entry(u32::MAX / 2, None)), "there is no such process");
    }

    #[test]
    fn whatever_cannot_be_typed_into_says_why_and_what_to_do() {
        for at in [Whereabouts::OutsideTmux, Whereabouts::NoTerminal] {
            let why = outside(&at).expect("a reason");
            assert!(why.hint.is_some_and(|it| it.contains("resume")), "{at:?}");
        }
    }
}
