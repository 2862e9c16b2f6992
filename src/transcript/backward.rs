//! Looks into a file from behind: where its lines begin, without reading what
//! stands before them, and single lines by their place.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use super::follow::LONGEST_LINE;

const BLOCK: u64 = 256 * 1024;

/// Where the last whole line ends that stands before `end`, its line end among it.
pub fn last_line_end(file: &File, end: u64) -> io::Result<u64> {
    let mut before = end;
    Ok(newline_before(file, &mut before)?.map_or(0, |at| at + 1))
}

/// The beginning of a line such that from there to `end` are at least `wanted`
/// bytes, or the beginning of the file. `end` is where a line ends.
pub fn line_start(file: &File, end: u64, wanted: u64) -> io::Result<u64> {
    // The line that ends at `end` is taken whole, so its end is not looked at.
    let mut before = end.saturating_sub(wanted.max(1));
    Ok(newline_before(file, &mut before)?.map_or(0, |at| at + 1))
}

/// The last line end before `before`. One block is held, however far it is.
fn newline_before(file: &File, before: &mut u64) -> io::Result<Option<u64>> {
    let mut block = vec![0; (*before).min(BLOCK) as usize];
    while *before > 0 {
        let start = before.saturating_sub(BLOCK);
        let block = &mut block[..(*before - start) as usize];
        file.read_exact_at(block, start)?;
        if let Some(at) = memchr::memrchr(b'\n', block) {
            return Ok(Some(start + at as u64));
        }
        *before = start;
    }
    Ok(None)
}

/// Reads one line into `into`, without its end, and cut as a follower cuts it.
pub fn read_line(file: &File, span: Range<u64>, into: &mut Vec<u8>) -> io::Result<()> {
    let length = span.end.saturating_sub(span.start).saturating_sub(1) as usize;
    into.clear();
    into.resize(length.min(LONGEST_LINE), 0);
    file.read_exact_at(into, span.start)?;
    if into.last() == Some(&b'\r') {
        into.pop();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &[u8]) -> File {
        let file = tempfile::tempfile().expect("a file");
        file.write_all_at(text, 0).expect("written");
        file
    }

    #[test]
    fn the_beginning_of_a_line_is_found_from_behind() {
        let file = file(b"one\ntwo\nthree\nhal");
        let end = last_line_end(&file, 17).expect("readable");
        assert_eq!(end, 14);
        for (wanted, start) in [(1, 8), (6, 8), (7, 4), (10, 4), (11, 0), (99, 0)] {
            assert_eq!(line_start(&file, end, wanted).expect("readable"), start, "{wanted}");
        }
        assert_eq!(last_line_end(&file, 3).expect("readable"), 0);
    }

    #[test]
    fn a_line_longer_than_a_block_is_stepped_over() {
        let long = "x".repeat(3 * BLOCK as usize);
        let text = format!("a\n{long}\nb\n");
        let file = file(text.as_bytes());
        let end = text.len() as u64;
        assert_eq!(line_start(&file, end, 1).expect("readable"), end - 2);
        assert_eq!(line_start(&file, end, 3).expect("readable"), 2);
        assert_eq!(line_start(&file, end - 2, 1).expect("readable"), 2);
        let mut line = Vec::new();
        read_line(&file, 2..end - 2, &mut line).expect("readable");
        assert_eq!(line, long.as_bytes());
    }
}
