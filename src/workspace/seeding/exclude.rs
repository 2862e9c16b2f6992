//! Our block in a repository's `info/exclude`. A person's own lines stay as they
//! are, byte for byte.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::super::error::WorkspaceError;
use super::Seeds;
use super::manifest::{Manifest, replace};

impl Seeds {
    /// Brings the block in line with all manifests of this repository.
    pub(super) fn write_excludes(&self, file: &Path) -> Result<(), WorkspaceError> {
        let manifests = self.manifests()?;
        let here = manifests.iter().filter(|it| it.exclude_file.as_deref() == Some(file));
        let lines: BTreeSet<String> = here.flat_map(patterns).collect();
        let doing = || format!("write {}", file.display());
        let failed = |error| WorkspaceError::io(doing(), error);
        let (old, mode) = match fs::symlink_metadata(file) {
            Ok(it) if it.is_file() => (fs::read(file).map_err(failed)?, it.permissions().mode()),
            Ok(_) => return Err(failed(io::Error::other("it is a link, and no plain file"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Vec::new(), 0o644),
            Err(error) => return Err(failed(error)),
        };
        let new = with_block(&old, &self.mark(), &lines);
        if new == old {
            return Ok(());
        }
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        replace(file, &new, mode & 0o777).map_err(failed)
    }
}

/// The patterns that hide exactly these files, seen from the top of the worktree.
fn patterns(manifest: &Manifest) -> Vec<String> {
    let prefix = escaped(&manifest.prefix);
    let files = manifest.files.keys().map(|it| format!("/{prefix}{}", escaped(it)));
    let more = manifest.exclude.iter().filter_map(|it| it.strip_prefix('/'));
    files.chain(more.map(|it| format!("/{prefix}{it}"))).collect()
}

/// A name as a pattern that means this name alone.
fn escaped(name: &str) -> String {
    let mut pattern = String::new();
    for c in name.chars() {
        if matches!(c, '\\' | '*' | '?' | '[' | ' ') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// The text with our block in its place, at the end, or nowhere if it has no lines.
fn with_block(text: &[u8], mark: &str, lines: &BTreeSet<String>) -> Vec<u8> {
    let begin = format!("# seamux {mark}: files that it put into worktrees, begin");
    // The last line of the person had no end, and has none when the block is gone.
    let joined = format!("{begin}, joined");
    let end = format!("# seamux {mark}: end");
    let (before, was_joined, after) = split(text, &begin, &joined, &end);
    let mut new = before.to_vec();
    if !lines.is_empty() {
        let joins = match was_joined {
            Some(joins) => joins,
            None => !before.is_empty() && !before.ends_with(b"\n"),
        };
        if joins {
            new.push(b'\n');
        }
        let begin = if joins { joined } else { begin };
        for line in std::iter::once(&begin).chain(lines).chain([&end]) {
            new.extend_from_slice(line.as_bytes());
            new.push(b'\n');
        }
    } else if was_joined == Some(true) && !after.is_empty() {
        new.push(b'\n'); // Somebody wrote on behind the block.
    }
    new.extend_from_slice(after);
    new
}

/// What stands before our block, whether it was joined to it, and what stands behind.
fn split<'a>(
    text: &'a [u8],
    begin: &str,
    joined: &str,
    end: &str,
) -> (&'a [u8], Option<bool>, &'a [u8]) {
    let (mut at, mut found) = (0, None);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        // An editor may have given our lines other ends.
        let words = line.trim_ascii_end();
        match found {
            None if words == begin.as_bytes() => found = Some((at, false)),
            None if words == joined.as_bytes() => found = Some((at, true)),
            Some((from, joins)) if words == end.as_bytes() => {
                let before = if joins { &text[..from - 1] } else { &text[..from] };
                return (before, Some(joins), &text[at + line.len()..]);
            }
            _ => {}
        }
        at += line.len();
    }
    // Without its end it is not ours any more: a person took it apart.
    (text, None, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &[u8], lines: &[&str]) -> Vec<u8> {
        with_block(text, "m", &lines.iter().map(|it| (*it).to_owned()).collect())
    }

    #[test]
    fn a_persons_lines_are_the_same_before_with_and_after_the_block() {
        let texts: [&[u8]; 6] =
            [b"", b"a\n", b"a", b"a\r\nb\r\n", b"\xff\xfe*.o\n\n", b"# seamux other: begin\n"];
        for text in texts {
            let with = block(text, &["/x"]);
            assert!(with.starts_with(text));
            assert_eq!(block(&with, &["/x"]), with, "written once");
            let more = block(&with, &["/x", "/y"]);
            let more_text = String::from_utf8_lossy(&more);
            assert_eq!(more_text.matches("seamux m:").count(), 2, "{more_text}");
            assert_eq!(block(&more, &[]), text);
        }
    }

    #[test]
    fn what_stands_behind_the_block_stays_and_other_line_ends_do_no_harm() {
        let with = block(b"a\n", &["/x"]);
        let edited = [&with[..], b"mine\n"].concat();
        let crlf = String::from_utf8_lossy(&edited).replace('\n', "\r\n").into_bytes();
        assert_eq!(block(&edited, &[]), b"a\nmine\n");
        assert_eq!(block(&crlf, &[]), b"a\r\nmine\r\n");
        let joined = [&block(b"a", &["/x"])[..], b"mine"].concat();
        assert_eq!(block(&joined, &[]), b"a\nmine");
    }

    #[test]
    fn a_block_that_a_person_took_apart_is_theirs() {
        let with = block(b"", &["/x"]);
        let half = &with[..with.len() - 20];
        assert!(block(half, &["/y"]).starts_with(half));
    }

    #[test]
    fn a_pattern_means_one_file() {
        assert_eq!(escaped("a [1]*?\\.md"), r"a\ \[1]\*\?\\.md");
    }
}
