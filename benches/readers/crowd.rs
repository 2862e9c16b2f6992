//! Many readers at once: those who read are served by one thread that throws
//! away what comes; the others never read at all.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::server::Server;

#[derive(Default)]
pub(crate) struct Crowd {
    stalled: Vec<TcpStream>,
    reading: usize,
    reader: Option<JoinHandle<anyhow::Result<()>>>,
    stop: Arc<AtomicBool>,
    heard: Arc<AtomicU64>,
}

impl Crowd {
    pub(crate) fn join(
        &mut self,
        server: &Server,
        run: &str,
        count: usize,
        reads: bool,
    ) -> anyhow::Result<()> {
        let mut streams = Vec::new();
        for _ in 0..count {
            streams.push(open(server, run)?);
        }
        if !reads {
            self.stalled.extend(streams);
            return Ok(());
        }
        self.reading = count;
        let (stop, heard) = (self.stop.clone(), self.heard.clone());
        self.reader = Some(std::thread::spawn(move || read_all(streams, &stop, &heard)));
        Ok(())
    }

    /// All hang up.
    pub(crate) fn leave(&mut self) -> anyhow::Result<String> {
        self.stop.store(true, Ordering::Relaxed);
        let reader = self.reader.take().context("nobody reads")?;
        reader.join().map_err(|_| anyhow::anyhow!("the readers broke"))??;
        self.stalled.clear();
        let mib = self.heard.load(Ordering::Relaxed) as f64 / 1024.0 / 1024.0;
        Ok(format!("{} readers have read {mib:.0} MiB in all", self.reading))
    }
}

/// A thousand sockets are more than a program may usually have.
pub(crate) fn raise_limit() -> anyhow::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit { current: limit.maximum, maximum: limit.maximum };
    setrlimit(Resource::Nofile, most).context("the limit of open files could not be raised")
}

fn open(server: &Server, run: &str) -> anyhow::Result<TcpStream> {
    let address = server.url.strip_prefix("http://").context("not a plain address")?;
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "GET /api/v1/events?run={run} HTTP/1.1\r\nHost: {address}\r\n\
         Authorization: Bearer {}\r\n\r\n",
        server.token
    )?;
    Ok(stream)
}

fn read_all(
    mut streams: Vec<TcpStream>,
    stop: &AtomicBool,
    heard: &AtomicU64,
) -> anyhow::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    let soon = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    while !stop.load(Ordering::Relaxed) {
        let mut ready: Vec<_> = streams.iter().map(|it| PollFd::new(it, PollFlags::IN)).collect();
        poll(&mut ready, Some(&soon))?;
        let ready: Vec<bool> = ready.iter().map(|it| !it.revents().is_empty()).collect();
        for (stream, _) in streams.iter_mut().zip(ready).filter(|(_, it)| *it) {
            let count = stream.read(&mut buffer)?;
            anyhow::ensure!(count > 0, "the server hung up on a reader");
            heard.fetch_add(count as u64, Ordering::Relaxed);
        }
    }
    Ok(())
}
