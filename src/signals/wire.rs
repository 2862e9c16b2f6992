//! What `seamux hook` writes, to a socket or to a file: the run's id, a line
//! end, and the payload as the CLI gave it.
//!
//! Standard library only: the hook process uses this and must start in a
//! millisecond.

/// A larger payload is not a signal that anybody can use.
pub const LARGEST_PAYLOAD: u64 = 16 * 1024 * 1024;

/// What the server answers once the signal is in its hands.
pub const TAKEN: u8 = b'+';

/// The socket's name in the runtime folder.
pub const SOCKET: &str = "hook.sock";

/// The spool's name in the state folder.
pub const SPOOL: &str = "spool";

/// How the names of finished spool files end.
pub const SPOOLED: &str = ".signal";

pub fn frame(run: &str, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(run.len() + 1 + payload.len());
    frame.extend_from_slice(run.as_bytes());
    frame.push(b'\n');
    frame.extend_from_slice(payload);
    frame
}

/// The run and the payload, or `None` if it is not such a frame.
pub fn parse(frame: &[u8]) -> Option<(&str, &[u8])> {
    let end = memchr::memchr(b'\n', frame)?;
    let run = std::str::from_utf8(&frame[..end]).ok()?;
    let named = !run.is_empty() && run.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    named.then_some((run, &frame[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_reads_back_and_nonsense_does_not() {
        assert_eq!(parse(&frame("r-1", b"{\n}")), Some(("r-1", b"{\n}".as_slice())));
        assert_eq!(parse(b"no line end"), None);
        assert_eq!(parse(b"../r1\n{}"), None);
        assert_eq!(parse(b"\n{}"), None);
    }
}
