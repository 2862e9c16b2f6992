//! Where the records of a growing file stand, and which of them hang together.
//!
//! Eight bytes for a record, and some forty for each tie. So the index of a
//! file is a hundredth of it or less, and building one costs one reading.

use std::collections::HashMap;
use std::ops::Range;

use crate::seam::Outline;

/// The index of the first part of a file, which may be all of it.
#[derive(Debug, Default)]
pub struct Index {
    /// The offset of each record.
    records: Vec<u64>,
    /// Where the next record begins.
    end: u64,
    /// Each tie of each record, in the order of the records.
    ties: Vec<Tie>,
    /// The newest element of `ties` with this key.
    newest: HashMap<u64, u32>,
    threads: [Vec<Stitch>; 8],
    /// Some record told nothing about its ties.
    unclear: bool,
}

#[derive(Debug)]
struct Tie {
    key: u64,
    record: u32,
    /// The one before with the same key, by its place in `ties` plus one.
    previous: u32,
}

/// A record on a thread.
#[derive(Debug)]
struct Stitch {
    record: u32,
    renews: bool,
}

impl Index {
    /// Adds the record at `at`. Records are added in the order in which they
    /// stand, and then it is told how far they [reach](Index::reach).
    pub fn push(&mut self, at: u64, outline: Option<&Outline>) {
        // Four thousand million records are beyond every file that there is.
        let record = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
        self.records.push(at);
        let Some(outline) = outline else {
            self.unclear = true;
            return;
        };
        for &key in &outline.ties {
            let this = u32::try_from(self.ties.len()).unwrap_or(u32::MAX - 1);
            let previous = self.newest.insert(key, this).map_or(0, |it| it + 1);
            self.ties.push(Tie { key, record, previous });
        }
        for (bit, thread) in self.threads.iter_mut().enumerate() {
            if outline.threads & (1 << bit) != 0 {
                thread.push(Stitch { record, renews: outline.renews & (1 << bit) != 0 });
            }
        }
    }

    /// The last record ends here.
    pub fn reach(&mut self, end: u64) {
        self.end = end;
    }

    /// Where the first record begins that is not in here.
    pub fn end(&self) -> u64 {
        self.end
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Whether [`Index::kin`] can tell.
    pub fn is_clear(&self) -> bool {
        !self.unclear
    }

    /// The number of the first record at or behind this offset.
    pub fn at_or_behind(&self, offset: u64) -> usize {
        self.records.partition_point(|it| *it < offset)
    }

    /// Where the bytes of a record stand, its line end among them.
    pub fn span(&self, record: usize) -> Range<u64> {
        let start = self.records.get(record).copied().unwrap_or(self.end);
        start..self.records.get(record + 1).copied().unwrap_or(self.end)
    }

    /// The records of `page` and all that they need to be mapped, in order:
    /// those with a common tie, and what stands before them on their threads.
    pub fn kin(&self, page: Range<usize>) -> Vec<usize> {
        let mut all: Vec<usize> = page.clone().collect();
        let first = self.ties.partition_point(|it| (it.record as usize) < page.start);
        for tie in self.ties[first..].iter().take_while(|it| (it.record as usize) < page.end) {
            let mut next = self.newest.get(&tie.key).map_or(0, |it| it + 1);
            while let Some(known) = next.checked_sub(1).and_then(|it| self.ties.get(it as usize)) {
                all.push(known.record as usize);
                next = known.previous;
            }
        }
        all.sort_unstable();
        all.dedup();
        let mut before = Vec::new();
        for thread in &self.threads {
            // Each stretch of the thread is walked once, from its newest needed end.
            let mut walked = usize::MAX;
            for &record in all.iter().rev() {
                let Ok(place) = thread.binary_search_by_key(&record, |it| it.record as usize)
                else {
                    continue;
                };
                for at in (0..=place.min(walked)).rev() {
                    before.push(thread[at].record as usize);
                    walked = at;
                    if thread[at].renews {
                        break;
                    }
                }
            }
        }
        all.extend(before);
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(outlines: &[(&[u64], u8, u8)]) -> Index {
        let mut index = Index::default();
        for (at, (ties, threads, renews)) in (0..).zip(outlines) {
            let outline = Outline { ties: ties.to_vec(), threads: *threads, renews: *renews };
            index.push(at * 10, Some(&outline));
            index.reach(at * 10 + 10);
        }
        index
    }

    #[test]
    fn a_page_needs_the_results_of_its_calls_wherever_they_stand() {
        let index =
            index(&[(&[7], 0, 0), (&[8], 0, 0), (&[], 0, 0), (&[7, 8], 0, 0), (&[7], 0, 0)]);
        assert_eq!(index.kin(0..1), [0, 3, 4]);
        assert_eq!(index.kin(2..3), [2]);
        assert_eq!(index.kin(4..5), [0, 3, 4]);
    }

    #[test]
    fn a_thread_is_needed_back_to_where_it_begins() {
        let index = index(&[
            (&[], 1, 1),
            (&[], 1, 1),
            (&[], 3, 0),
            (&[], 0, 0),
            (&[], 1, 0),
            (&[], 2, 0),
            (&[], 1, 1),
        ]);
        assert_eq!(index.kin(4..5), [1, 2, 4]);
        assert_eq!(index.kin(6..7), [6]);
        // What is needed for one thread may stand on another.
        assert_eq!(index.kin(5..6), [2, 5]);
    }

    #[test]
    fn records_are_found_by_where_they_begin() {
        let index = index(&[(&[], 0, 0), (&[], 0, 0)]);
        assert_eq!(
            (index.at_or_behind(0), index.at_or_behind(1), index.at_or_behind(11)),
            (0, 1, 2)
        );
        assert_eq!((index.span(1), index.end()), (10..20, 20));
    }
}
