//! The unix socket that `seamux hook` talks to.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use super::wire::{DECIDED, DISMISSED, LARGEST_PAYLOAD, SOCKET, TAKEN, header};
use super::{Asker, Body, Delivery};

/// A hook process that takes longer than this to write is stuck.
const READ_LIMIT: Duration = Duration::from_secs(2);

/// A run's id, a word and a length.
const LONGEST_HEADER: u64 = 256;

/// An open socket. Dropping it does not remove the file; the next start does.
pub struct HookSocket {
    listener: UnixListener,
    path: PathBuf,
}

impl HookSocket {
    /// Binds in the runtime folder, taking over what a killed server left.
    pub fn bind(runtime_dir: &Path) -> io::Result<Self> {
        let path = runtime_dir.join(SOCKET);
        // Two servers on one folder are kept apart by its lock, so what lies here is stale.
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        Ok(Self { listener, path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes signals until `stop`. Each goes out on `deliveries` before its
    /// sender hears that it was taken.
    pub async fn serve(self, deliveries: mpsc::Sender<Delivery>, stop: CancellationToken) {
        loop {
            let stream = tokio::select! {
                () = stop.cancelled() => return,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(error) => {
                        warn!(%error, "The hook socket could not take a connection");
                        continue;
                    }
                },
            };
            let deliveries = deliveries.clone();
            tokio::spawn(take(stream, deliveries, stop.clone()));
        }
    }
}

async fn take(stream: UnixStream, deliveries: mpsc::Sender<Delivery>, stop: CancellationToken) {
    let mut stream = BufReader::new(stream);
    let Ok(Some((run, asks, payload))) = timeout(READ_LIMIT, hear(&mut stream)).await else {
        debug!("A hook process did not say what it had to say; it keeps it");
        return;
    };
    if !asks {
        let body = Body::Signal { payload, late: false };
        if deliveries.send(Delivery { run, body }).await.is_ok() {
            // The sender may have gone; it then spools, and a signal twice is harmless.
            stream.write_all(&[TAKEN]).await.ok();
        }
        return;
    }
    static ASKERS: AtomicU64 = AtomicU64::new(1);
    let id = ASKERS.fetch_add(1, Ordering::Relaxed);
    let (asker, decided) = Asker::new(id);
    let body = Body::Asked { payload, asker };
    if deliveries.send(Delivery { run: run.clone(), body }).await.is_err()
        || stream.write_all(&[TAKEN]).await.is_err()
    {
        return;
    }
    let mut nothing = [0];
    tokio::select! {
        decided = decided => {
            let output = match decided {
                Ok(output) => [&[DECIDED], output.as_slice()].concat(),
                // We are leaving; the process asks again when we are back.
                Err(_) if stop.is_cancelled() => return,
                Err(_) => vec![DISMISSED],
            };
            stream.write_all(&output).await.ok();
        }
        // It has nothing more to say, so this resolves when the process is gone.
        _ = stream.read(&mut nothing) => {
            deliveries.send(Delivery { run, body: Body::AskerGone { id } }).await.ok();
        }
    }
}

/// The run, whether it waits for an answer, and the payload.
async fn hear(stream: &mut BufReader<UnixStream>) -> Option<(String, bool, Vec<u8>)> {
    let mut line = Vec::new();
    (&mut *stream).take(LONGEST_HEADER).read_until(b'\n', &mut line).await.ok()?;
    let header = header(line.strip_suffix(b"\n")?)?;
    let (run, asks) = (header.run.to_owned(), header.asks);
    let mut payload = Vec::new();
    let length = asks.unwrap_or(LARGEST_PAYLOAD);
    (&mut *stream).take(length).read_to_end(&mut payload).await.ok()?;
    let whole = asks.is_none_or(|length| payload.len() as u64 == length);
    whole.then_some((run, asks.is_some(), payload))
}
