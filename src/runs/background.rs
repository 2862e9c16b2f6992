//! Work ahead of time, that nobody waits for: the reading of long transcripts.
//!
//! A restart adopts a hundred runs at once. If each then read its whole record, the
//! disk and all cores would be theirs, and whoever just opened one run would wait
//! behind the ninety-nine others. So only a few have their turn at a time.

use std::io;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, spawn_blocking};

/// Hands out turns. Cheap to clone.
#[derive(Clone)]
pub(super) struct Background {
    turns: Arc<Semaphore>,
}

impl Default for Background {
    /// Half of the cores at most: the others are for what somebody waits for.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::with_turns((cores / 2).clamp(1, 4))
    }
}

impl Background {
    fn with_turns(turns: usize) -> Self {
        Self { turns: Arc::new(Semaphore::new(turns)) }
    }

    /// Does this work, which may block, when its turn has come.
    pub(super) fn spawn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> JoinHandle<io::Result<T>> {
        let turns = self.turns.clone();
        tokio::spawn(async move {
            let turn = turns.acquire_owned().await.map_err(io::Error::other)?;
            let work = spawn_blocking(move || {
                let _turn = turn;
                work()
            });
            work.await.map_err(io::Error::other)?
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn only_a_few_are_at_work_at_a_time_and_all_get_their_turn() {
        const ALL: usize = 12;
        let background = Background::with_turns(2);
        let (at_work, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (started, starts) = mpsc::channel();
        let (go_on, gate) = mpsc::channel();
        let gate = Arc::new(Mutex::new(gate));
        let mut works = Vec::new();
        for number in 0..ALL {
            let (at_work, most, started, gate) =
                (at_work.clone(), most.clone(), started.clone(), gate.clone());
            works.push(background.spawn(move || {
                most.fetch_max(at_work.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                started.send(number).map_err(io::Error::other)?;
                let gone_on = gate.lock().map_err(|_| io::Error::other("poisoned"))?.recv();
                at_work.fetch_sub(1, Ordering::SeqCst);
                gone_on.map_err(io::Error::other)
            }));
        }
        // Nobody ends before all that may have begun.
        let starts = spawn_blocking(move || (starts.recv(), starts.recv(), starts)).await;
        let (first, second, _starts) = starts.expect("two starts");
        assert!(first.is_ok() && second.is_ok());
        for _ in 0..ALL {
            tokio::task::yield_now().await;
            go_on.send(()).expect("somebody waits");
        }
        for work in works {
            work.await.expect("no panic").expect("done");
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn a_panic_costs_its_own_turn_only() {
        let background = Background::with_turns(1);
        let broken = background.spawn(|| -> io::Result<()> { panic!("on purpose") });
        let after = background.spawn(|| Ok(7));
        assert!(broken.await.expect("joined").is_err());
        assert_eq!(after.await.expect("joined").expect("done"), 7);
    }
}
