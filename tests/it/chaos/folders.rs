//! The folder of the transcripts cannot be read for a while: a disk that was
//! unmounted, a link that points nowhere, a folder that somebody moved.
//!
//! Modes do not keep root out, so what stands in its place is no folder at all.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::house::Conversation;
use crate::stand_in::{StandIn, answered, append, said};

fn block_by_a_file(place: &Path) {
    fs::write(place, "no folder").unwrap();
}

fn block_by_a_dangling_link(place: &Path) {
    symlink("/nowhere/at/all", place).unwrap();
}

fn is_gone(now: &Conversation) -> bool {
    now.page["transcript"] == "gone" && now.warnings() == ["transcript_unreadable"]
}

#[test]
fn a_record_that_cannot_be_read_for_a_while_reads_as_gone_and_comes_back_whole() {
    for block in [block_by_a_file, block_by_a_dangling_link] {
        let mut it = StandIn::start();
        it.write(&[said("one"), answered("before")]);
        it.house.until("the first words", |now| now.texts("assistant") == ["before"]);
        let record = it.record("p", &it.epoch);
        let projects = record.ancestors().nth(2).unwrap().to_owned();
        let aside = projects.with_extension("aside");

        fs::rename(&projects, &aside).unwrap();
        block(&projects);
        let now = it.house.until("a word about it", is_gone);
        assert_eq!(now.texts("assistant"), ["before"], "what was read is not taken back");
        // The CLI holds its file open and goes on writing.
        append(&aside.join("p").join(record.file_name().unwrap()), &[said("two")]);

        fs::remove_file(&projects).unwrap();
        fs::rename(&aside, &projects).unwrap();
        it.write(&[answered("after")]);
        let now = it.house.until("all of it, and no warning", |now| {
            now.texts("assistant").len() == 2
                && now.page["transcript"] == "available"
                && now.warnings().is_empty()
        });
        assert_eq!(now.texts("user"), ["one", "two"]);

        // The same with a start in between.
        it.house.kill_server();
        fs::rename(&projects, &aside).unwrap();
        block(&projects);
        it.house.start_again();
        let now = it.house.until("a word about it", is_gone);
        assert_ne!(now.state(), "ended", "the process lives");
        fs::remove_file(&projects).unwrap();
        fs::rename(&aside, &projects).unwrap();
        it.write(&[said("three"), answered("again")]);
        let now = it.house.until("all of it", |now| now.texts("assistant").len() == 3);
        assert_eq!(now.texts("user"), ["one", "two", "three"]);
    }
}
