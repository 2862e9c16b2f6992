//! What `seamux hook` and the server say to each other.
//!
//! A signal is the run's id, a line end, and the payload as the CLI gave it,
//! up to the end of the stream or of the file. A question has ` ask LENGTH`
//! behind the id and leaves the stream open: the server's first byte is
//! [`TAKEN`], and later comes [`DECIDED`] with what the hook shall print, or
//! [`DISMISSED`]. A stream that ends without either is a server that died.
//!
//! Standard library only: the hook process uses this and must start in a
//! millisecond.

/// A larger payload is not a signal that anybody can use.
pub const LARGEST_PAYLOAD: u64 = 16 * 1024 * 1024;

/// What the server answers once the signal is in its hands.
pub const TAKEN: u8 = b'+';
/// What stands before the output for the hook to print.
pub const DECIDED: u8 = b'=';
/// Nobody needs an answer any more.
pub const DISMISSED: u8 = b'-';

/// The socket's name in the runtime folder.
pub const SOCKET: &str = "hook.sock";

/// The spool's name in the state folder.
pub const SPOOL: &str = "spool";

/// How the names of finished spool files end.
pub const SPOOLED: &str = ".signal";

/// The word that makes the hook wait for an answer.
pub const ASK: &str = "ask";

pub fn frame(run: &str, payload: &[u8]) -> Vec<u8> {
    [run.as_bytes(), b"\n", payload].concat()
}

pub fn question(run: &str, payload: &[u8]) -> Vec<u8> {
    let header = format!("{run} {ASK} {}\n", payload.len());
    [header.as_bytes(), payload].concat()
}

/// What the first line of a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header<'a> {
    pub run: &'a str,
    /// The length of the payload of a question.
    pub asks: Option<u64>,
}

/// Reads a first line, without its end.
pub fn header(line: &[u8]) -> Option<Header<'_>> {
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split(' ');
    let run = words.next()?;
    let named = !run.is_empty() && run.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let asks = match (words.next(), words.next(), words.next()) {
        (None, ..) => None,
        (Some(ASK), Some(length), None) => {
            Some(length.parse().ok().filter(|it| *it <= LARGEST_PAYLOAD)?)
        }
        _ => return None,
    };
    named.then_some(Header { run, asks })
}

/// The run and the payload of a signal, or `None` if it is no such frame.
pub fn parse(frame: &[u8]) -> Option<(&str, &[u8])> {
    let end = memchr::memchr(b'\n', frame)?;
    let header = header(&frame[..end]).filter(|it| it.asks.is_none())?;
    Some((header.run, &frame[end + 1..]))
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

    #[test]
    fn a_question_says_how_long_it_is() {
        let frame = question("r-1", b"{}");
        assert_eq!(header(&frame[..frame.len() - 3]), Some(Header { run: "r-1", asks: Some(2) }));
        assert_eq!(header(b"r-1 ask 99999999999"), None);
        assert_eq!(header(b"r-1 tell 2"), None);
    }
}
