//! The unix socket that `seamux hook` talks to.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use super::Delivery;
use super::wire::{LARGEST_PAYLOAD, SOCKET, TAKEN, parse};

/// A hook process that takes longer than this to write is stuck.
const READ_LIMIT: Duration = Duration::from_secs(2);

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
            tokio::spawn(async move {
                if timeout(READ_LIMIT, take(stream, deliveries)).await.is_err() {
                    debug!("A hook process did not finish in time; it spools its signal");
                }
            });
        }
    }
}

async fn take(mut stream: UnixStream, deliveries: mpsc::Sender<Delivery>) {
    let mut frame = Vec::new();
    let limited = (&mut stream).take(LARGEST_PAYLOAD).read_to_end(&mut frame).await;
    if limited.is_err() {
        return;
    }
    let Some((run, payload)) = parse(&frame) else {
        debug!(bytes = frame.len(), "Something on the hook socket was not a signal");
        return;
    };
    let delivery = Delivery { run: run.to_owned(), payload: payload.to_owned(), late: false };
    if deliveries.send(delivery).await.is_ok() {
        // The sender may have gone; it then spools, and a signal twice is harmless.
        stream.write_all(&[TAKEN]).await.ok();
    }
}
