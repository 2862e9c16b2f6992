//! `seamux hook SOCKET SPOOL RUN [ask]`: hands one signal of a CLI to the
//! server, and with `ask` waits for what to answer.
//!
//! The CLI waits for this process, so it is fast, silent and never fails: it
//! prints nothing unasked, and its exit code is 0 whatever happens. Standard
//! library and one `poll`, dispatched before anything else of the program is
//! touched.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::signals::wire::{ASK, DECIDED, LARGEST_PAYLOAD, SPOOLED, TAKEN, frame, question};

/// How long the server may take before the signal goes to the spool instead.
const PATIENCE: Duration = Duration::from_millis(200);

/// How long a question waits before it looks for the server again.
const SEARCH: [Duration; 4] = [
    Duration::from_millis(100),
    Duration::from_millis(300),
    Duration::from_secs(1),
    Duration::from_secs(3),
];

/// Runs the command. The arguments are those after `hook`.
pub fn run(mut args: impl Iterator<Item = OsString>) {
    let (Some(socket), Some(spool), Some(run)) = (args.next(), args.next(), args.next()) else {
        return; // Nobody reads what we would say.
    };
    let asks = args.next().is_some_and(|word| word == ASK);
    let mut payload = Vec::new();
    if io::stdin().lock().take(LARGEST_PAYLOAD).read_to_end(&mut payload).is_err() {
        return;
    }
    let (socket, run) = (Path::new(&socket), run.to_string_lossy());
    if asks {
        if let Some(output) = wait_for_answer(socket, &question(&run, &payload)) {
            io::stdout().write_all(&output).ok(); // The CLI may have gone.
        }
        return;
    }
    let frame = frame(&run, &payload);
    if deliver(socket, &frame).is_err() {
        keep(Path::new(&spool), &frame).ok();
    }
}

/// Asks, and waits as long as it takes. The terminal's own dialog is usable all
/// the while. A server that dies is asked again when it is back.
fn wait_for_answer(socket: &Path, question: &[u8]) -> Option<Vec<u8>> {
    let mut searches = SEARCH.iter();
    loop {
        match ask(socket, question) {
            Ok(answer) => return answer,
            Err(Lost::AfterItWasTaken) => searches = SEARCH.iter(),
            Err(Lost::Before) => {}
        }
        if reader_goes_within(*searches.next().unwrap_or(&SEARCH[SEARCH.len() - 1])) {
            return None; // A CLI that has gone needs no answer.
        }
    }
}

/// Waits, and says whether nobody reads our output any more.
fn reader_goes_within(time: Duration) -> bool {
    let out = io::stdout();
    let mut output = [PollFd::new(&out, PollFlags::empty())];
    let limit = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() };
    // A pipe whose other end is closed reports an error, asked for or not.
    poll(&mut output, Some(&limit)).is_ok_and(|ready| ready > 0)
}

/// The server was lost before, or after, it had the question.
enum Lost {
    Before,
    AfterItWasTaken,
}

fn ask(socket: &Path, question: &[u8]) -> Result<Option<Vec<u8>>, Lost> {
    let before = |_: io::Error| Lost::Before;
    let mut stream = UnixStream::connect(socket).map_err(before)?;
    stream.write_all(question).map_err(before)?;
    let mut taken = [0];
    stream.read_exact(&mut taken).map_err(before)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).map_err(|_| Lost::AfterItWasTaken)?;
    match answer.split_first() {
        Some((&DECIDED, output)) => Ok(Some(output.to_owned())),
        Some(_) => Ok(None),
        None => Err(Lost::AfterItWasTaken),
    }
}

fn deliver(socket: &Path, frame: &[u8]) -> io::Result<()> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(frame)?;
    stream.shutdown(Shutdown::Write)?;
    let mut answer = [0];
    stream.read_exact(&mut answer)?;
    if answer[0] == TAKEN { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// Writes the signal where the server finds it when it comes back.
fn keep(spool: &Path, frame: &[u8]) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(spool)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let name = format!("{now:024}-{}", process::id());
    let draft: PathBuf = spool.join(&name);
    let mut file: File =
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    file.write_all(frame)?;
    fs::rename(&draft, spool.join(format!("{name}{SPOOLED}")))
}
