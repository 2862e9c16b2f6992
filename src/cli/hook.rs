//! `seamux hook SOCKET SPOOL RUN`: hands one signal of a CLI to the server.
//!
//! The CLI waits for this process, so it is fast, silent and never fails: it
//! prints nothing, and its exit code is 0 whatever happens. Standard library
//! only, and dispatched before anything else of the program is touched.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::signals::wire::{LARGEST_PAYLOAD, SPOOLED, TAKEN, frame};

/// How long the server may take before the signal goes to the spool instead.
const PATIENCE: Duration = Duration::from_millis(200);

/// Runs the command. The arguments are those after `hook`.
pub fn run(mut args: impl Iterator<Item = OsString>) {
    let (Some(socket), Some(spool), Some(run)) = (args.next(), args.next(), args.next()) else {
        return; // Nobody reads what we would say.
    };
    let mut payload = Vec::new();
    if io::stdin().lock().take(LARGEST_PAYLOAD).read_to_end(&mut payload).is_err() {
        return;
    }
    let frame = frame(&run.to_string_lossy(), &payload);
    if deliver(Path::new(&socket), &frame).is_err() {
        keep(Path::new(&spool), &frame).ok();
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
