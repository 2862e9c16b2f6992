//! Whatever happens to a file, what a follower hands out is what a simple model
//! says: whole lines, once, in their order, with their offsets.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use seamux::transcript::{Follower, Progress};

#[derive(Debug)]
pub(crate) enum Deed {
    Append(Vec<u8>),
    AppendLine(Vec<u8>),
    /// Cut short in place, and seen so: a file that grows again to its old length
    /// before anybody looks is another matter.
    Truncate(u16),
    /// Another file takes the name.
    Replace(Vec<u8>),
    /// The file goes to another name, and the follower is told.
    Move,
    /// The name leads nowhere for a moment.
    MoveUntold,
    Remove,
    Read,
}

impl Deed {
    /// Any bytes are deeds. One of them names a deed; for some a text follows, its
    /// length first.
    pub(crate) fn read(mut bytes: &[u8]) -> Vec<Self> {
        let mut deeds = Vec::new();
        while let Some((deed, rest)) = bytes.split_first() {
            bytes = rest;
            let mut text = || {
                let (length, rest) = bytes.split_first().unwrap_or((&0, &[]));
                let (text, rest) = rest.split_at(rest.len().min(usize::from(*length)));
                bytes = rest;
                text.to_vec()
            };
            deeds.push(match deed % 8 {
                0 => Self::Append(text()),
                1 => Self::AppendLine(text()),
                2 => Self::Replace(text()),
                3 => Self::Truncate(text().len() as u16),
                4 => Self::Move,
                5 => Self::MoveUntold,
                6 => Self::Remove,
                _ => Self::Read,
            });
        }
        deeds
    }
}

/// What is in the file, and how much of it was handed out.
struct Model {
    content: Vec<u8>,
    exists: bool,
    handed_out: usize,
    /// The most that was seen of this file, without which it cannot seem shorter.
    seen: usize,
    opened: bool,
    void: bool,
}

impl Model {
    /// The lines that are whole and new.
    fn read(&mut self) -> (Progress, Vec<(u64, Vec<u8>)>) {
        if !self.opened && !self.exists {
            return (Progress::Missing, Vec::new());
        }
        self.opened = true;
        if self.void || self.content.len() < self.seen {
            (self.void, self.opened, self.handed_out, self.seen) = (false, false, 0, 0);
            return (Progress::Replaced, Vec::new());
        }
        self.seen = self.content.len();
        let mut lines = Vec::new();
        while let Some(length) = self.content[self.handed_out..].iter().position(|it| *it == b'\n')
        {
            let line = &self.content[self.handed_out..self.handed_out + length];
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            lines.push((self.handed_out as u64, line.to_vec()));
            self.handed_out += length + 1;
        }
        (Progress::Current, lines)
    }
}

fn append(path: &Path, bytes: &[u8]) {
    let mut file = File::options().append(true).create(true).open(path).expect("open");
    file.write_all(bytes).expect("write");
}

pub(crate) fn check_deeds(deeds: Vec<Deed>) {
    let dir = tempfile::tempdir_in("/dev/shm").expect("a folder");
    let name = |number: usize| dir.path().join(number.to_string());
    let mut here: PathBuf = name(0);
    let mut names = 0;
    let mut follower = Follower::new(here.clone());
    let mut model = Model {
        content: Vec::new(),
        exists: false,
        handed_out: 0,
        seen: 0,
        opened: false,
        void: false,
    };
    let look = |follower: &mut Follower, model: &mut Model| {
        let mut lines = Vec::new();
        let progress = follower
            .read(usize::MAX, |at, line| lines.push((at, line.to_vec())))
            .expect("a readable file");
        assert_eq!((progress, lines), model.read());
    };
    for deed in deeds.into_iter().take(64) {
        match deed {
            Deed::Append(bytes) | Deed::AppendLine(bytes) if !model.exists => {
                // Written anew under the old name: another file, if one was open.
                append(&here, &bytes);
                model.void = model.opened;
                (model.content, model.exists) = (bytes, true);
            }
            Deed::Append(bytes) => {
                append(&here, &bytes);
                model.content.extend(bytes);
            }
            Deed::AppendLine(mut bytes) => {
                bytes.push(b'\n');
                append(&here, &bytes);
                model.content.extend(bytes);
            }
            Deed::Truncate(length) if model.exists => {
                let length = model.content.len().min(length.into());
                let file = File::options().write(true).open(&here).expect("open");
                file.set_len(length as u64).expect("truncate");
                model.content.truncate(length);
                look(&mut follower, &mut model);
            }
            Deed::Replace(bytes) => {
                names += 1;
                append(&name(names), &bytes);
                fs::rename(name(names), &here).expect("rename");
                model.void = model.opened;
                (model.content, model.exists) = (bytes, true);
            }
            Deed::Move if model.exists => {
                names += 1;
                fs::rename(&here, name(names)).expect("rename");
                here = name(names);
                follower.moved_to(here.clone());
            }
            Deed::MoveUntold if model.exists && !model.void => {
                names += 1;
                fs::rename(&here, name(names)).expect("rename");
                // The open file is still the right one; one that is not open is missing.
                model.exists = false;
                look(&mut follower, &mut model);
                model.exists = true;
                fs::rename(name(names), &here).expect("rename back");
            }
            // A replaced file that is gone before anybody looked leaves only the old one.
            Deed::Remove if model.exists && !model.void => {
                fs::remove_file(&here).expect("remove");
                model.exists = false;
            }
            Deed::Truncate(_) | Deed::Move | Deed::MoveUntold | Deed::Remove => {}
            Deed::Read => look(&mut follower, &mut model),
        }
    }
    look(&mut follower, &mut model);
    // After a replacement the next look reads the file from its start.
    look(&mut follower, &mut model);
}
