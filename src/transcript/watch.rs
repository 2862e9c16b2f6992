//! The news that a file or a folder changed.
//!
//! One watcher for the whole process. It watches folders, never files: a watch
//! on a file goes silent when the file is replaced. Somebody who waits for a
//! file gets a [`Bell`]; a ring means "look again" and nothing more, since the
//! kernel merges events.
//!
//! A folder that does not exist yet is waited for at the nearest folder above
//! it that does. The folder above each watched one is watched too: it tells when
//! the one below is replaced, and of its own end.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak, mpsc};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::Notify;
use tracing::warn;

/// Rings when something changed. A ring between two waits is kept.
#[derive(Clone)]
pub struct Bell(Arc<Notify>);

impl Bell {
    /// Resolves at the next ring, or at once if it rang since the last wait.
    pub async fn rung(&self) {
        self.0.notified().await;
    }

    /// Whether it rang since the last wait or the last look.
    pub fn has_rung(&self) -> bool {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        std::pin::pin!(self.0.notified()).poll(&mut context).is_ready()
    }
}

/// Watches files and folders for the whole process. Cheap to clone.
#[derive(Clone)]
pub struct Watcher(Arc<Inner>);

struct Inner {
    places: Mutex<Places>,
    /// `None` once the watcher is dropped, which ends the thread.
    jobs: mpsc::Sender<Job>,
}

#[derive(Default)]
struct Places {
    /// Who waits for what: an exact file, or a folder for anything in it.
    waiting: HashMap<PathBuf, Vec<Weak<Notify>>>,
    /// Folders that somebody wants and that are not watched yet.
    wanted: HashSet<PathBuf>,
    watched: HashSet<PathBuf>,
}

enum Job {
    /// Watch what is wanted, as far as it exists by now.
    Settle,
}

impl Watcher {
    pub fn new() -> notify::Result<Self> {
        let (jobs, todo) = mpsc::channel();
        let inner = Arc::new(Inner { places: Mutex::default(), jobs: jobs.clone() });
        let seen = Arc::downgrade(&inner);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if let Some(inner) = seen.upgrade() {
                inner.heard(event);
            }
        })?;
        let places = Arc::downgrade(&inner);
        std::thread::Builder::new()
            .name("watch".into())
            .spawn(move || settle_when_asked(watcher, &todo, &places))
            .map_err(notify::Error::io)?;
        Ok(Self(inner))
    }

    /// Rings when this file is made, changed, replaced or removed.
    pub fn file(&self, path: &Path) -> Bell {
        let folder = path.parent().unwrap_or_else(|| Path::new("/"));
        self.add([(path, folder)])
    }

    /// Rings when anything directly in this folder changes.
    pub fn folder(&self, path: &Path) -> Bell {
        self.add([(path, path)])
    }

    /// Watches the folder of this file anew: something happened there and no bell rang.
    pub fn renew(&self, path: &Path) {
        if let Some(folder) = path.parent() {
            let mut places = self.0.lock();
            places.watched.remove(folder);
            places.wanted.insert(folder.to_owned());
        }
        self.0.jobs.send(Job::Settle).ok(); // The thread lives as long as we do.
    }

    /// Rings when anything in the folder changes, or one of the files does.
    pub fn any(&self, folder: &Path, files: &[PathBuf]) -> Bell {
        let keys = files.iter().filter_map(|it| Some((it.as_path(), it.parent()?)));
        self.add(keys.chain([(folder, folder)]))
    }

    /// Rings when one of the files changes, or anything directly in one of the folders.
    pub fn all(&self, files: &[PathBuf], folders: &[PathBuf]) -> Bell {
        let files = files.iter().filter_map(|it| Some((it.as_path(), it.parent()?)));
        self.add(files.chain(folders.iter().map(|it| (it.as_path(), it.as_path()))))
    }

    fn add<'p>(&self, keys: impl IntoIterator<Item = (&'p Path, &'p Path)>) -> Bell {
        let bell = Arc::new(Notify::new());
        for (key, folder) in keys {
            let mut places = self.0.lock();
            let waiting = places.waiting.entry(key.to_owned()).or_default();
            waiting.retain(|it| it.strong_count() > 0);
            waiting.push(Arc::downgrade(&bell));
            if !places.watched.contains(folder) {
                places.wanted.insert(folder.to_owned());
            }
        }
        self.0.jobs.send(Job::Settle).ok(); // The thread lives as long as we do.
        // What happened before the watch stood is found by one look.
        bell.notify_one();
        Bell(bell)
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn heard(&self, event: notify::Result<notify::Event>) {
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                warn!(%error, "The file watcher reported an error; everybody looks again");
                return self.lock().ring_all();
            }
        };
        if event.need_rescan() {
            return self.lock().ring_all();
        }
        if let EventKind::Access(access) = event.kind
            && access != AccessKind::Close(AccessMode::Write)
        {
            return;
        }
        let moves = !matches!(
            event.kind,
            EventKind::Access(_) | EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_))
        );
        let mut places = self.lock();
        for path in &event.paths {
            places.ring(path);
            if let Some(folder) = path.parent() {
                places.ring(folder);
            }
            if moves {
                places.distrust(path);
            }
        }
        if !places.wanted.is_empty() {
            self.jobs.send(Job::Settle).ok();
        }
    }
}

impl Places {
    fn ring(&mut self, key: &Path) {
        if let Some(waiting) = self.waiting.get_mut(key) {
            waiting.retain(|it| it.upgrade().map(|bell| bell.notify_one()).is_some());
            if waiting.is_empty() {
                self.waiting.remove(key);
            }
        }
    }

    /// What was made, moved or removed here may have taken watched folders along:
    /// they are watched anew. That they went is news, and what came in their place too.
    fn distrust(&mut self, path: &Path) {
        let below: Vec<_> = self.watched.extract_if(|it| it.starts_with(path)).collect();
        self.wanted.extend(below);
        let wanted: Vec<_> =
            self.wanted.iter().filter(|it| it.starts_with(path)).cloned().collect();
        wanted.iter().for_each(|folder| self.ring_within(folder));
    }

    fn ring_all(&mut self) {
        let keys: Vec<PathBuf> = self.waiting.keys().cloned().collect();
        keys.iter().for_each(|key| self.ring(key));
    }

    /// Rings everybody who waits for this folder or for a file in it.
    fn ring_within(&mut self, folder: &Path) {
        let keys: Vec<PathBuf> = self
            .waiting
            .keys()
            .filter(|key| key.as_path() == folder || key.parent() == Some(folder))
            .cloned()
            .collect();
        keys.iter().for_each(|key| self.ring(key));
    }
}

/// `watch` may not be called from the watcher's own callback, hence a thread.
fn settle_when_asked(
    mut watcher: RecommendedWatcher,
    todo: &mpsc::Receiver<Job>,
    inner: &Weak<Inner>,
) {
    while let Ok(Job::Settle) = todo.recv() {
        while todo.try_recv().is_ok() {}
        let Some(inner) = inner.upgrade() else { return };
        let wanted: Vec<PathBuf> = inner.lock().wanted.iter().cloned().collect();
        for folder in wanted {
            settle(&mut watcher, &inner, &folder);
        }
    }
}

/// Watches the folder, or the nearest one above it that exists.
fn settle(watcher: &mut RecommendedWatcher, inner: &Inner, folder: &Path) {
    let mut watch = |step: &Path| {
        // A watch stays with a folder that was moved away, and would not come back.
        watcher.unwatch(step).ok(); // Most often there is none.
        watcher.watch(step, RecursiveMode::NonRecursive).is_ok()
    };
    for step in folder.ancestors() {
        if !watch(step) {
            continue;
        }
        let above = step.parent().filter(|above| {
            let is_known = inner.lock().watched.contains(*above);
            step == folder && !is_known && watch(above)
        });
        let mut places = inner.lock();
        places.watched.extend(above.map(Path::to_owned));
        places.watched.insert(step.to_owned());
        if step == folder {
            places.wanted.remove(folder);
            // What was made before the watch stood made no event.
            places.ring_within(folder);
        } else if folder.exists() {
            // It appeared while we looked above it.
            drop(places);
            inner.jobs.send(Job::Settle).ok();
        }
        return;
    }
    warn!(folder = %folder.display(), "This folder cannot be watched; the slow re-scan covers it");
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    async fn rings(bell: &Bell) -> bool {
        timeout(Duration::from_secs(5), bell.rung()).await.is_ok()
    }

    /// Waits until `done` holds, looking again at each ring.
    async fn until(bell: &Bell, done: impl Fn() -> bool) {
        while !done() {
            assert!(rings(bell).await, "no ring, and it is not done");
        }
    }

    #[tokio::test]
    async fn an_append_rings_and_so_does_a_replacement() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("t");
        let watcher = Watcher::new().expect("a watcher");
        let bell = watcher.file(&path);
        assert!(rings(&bell).await, "the first look");
        std::fs::write(&path, "one").expect("write");
        assert!(rings(&bell).await);
        std::fs::write(dir.path().join("u"), "two").expect("write");
        std::fs::rename(dir.path().join("u"), &path).expect("rename");
        until(&bell, || std::fs::read_to_string(&path).is_ok_and(|it| it == "two")).await;
    }

    #[tokio::test]
    async fn a_file_in_folders_that_do_not_exist_yet_rings_when_it_comes() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a/b/c/t");
        let watcher = Watcher::new().expect("a watcher");
        let bell = watcher.file(&path);
        assert!(rings(&bell).await, "the first look");
        std::fs::create_dir_all(dir.path().join("a/b/c")).expect("folders");
        std::fs::write(&path, "one").expect("write");
        until(&bell, || path.exists()).await;
        // And once the folder is watched, an append rings by itself.
        std::fs::write(&path, "one and two").expect("write");
        assert!(rings(&bell).await);
    }

    #[tokio::test]
    async fn a_folder_rings_for_anything_in_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let watcher = Watcher::new().expect("a watcher");
        let bell = watcher.folder(dir.path());
        assert!(rings(&bell).await, "the first look");
        std::fs::write(dir.path().join("7.json"), "{}").expect("write");
        assert!(rings(&bell).await);
    }
}
