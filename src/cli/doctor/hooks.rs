//! A signal of a hook, from our own program to a socket and back.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::signals::{Body, HookSocket};

use super::Check;

const NAME: &str = "hooks";
const LIMIT: Duration = Duration::from_secs(5);

/// A CLI waits for each of its hooks, so a slow one is felt.
const SLOW: Duration = Duration::from_millis(250);

const SIGNAL: &[u8] = br#"{"hook_event_name":"Doctor"}"#;

pub(super) async fn round_trip() -> Check {
    let dir = std::env::temp_dir().join(format!("seamux-doctor-{}", uuid::Uuid::new_v4().simple()));
    let checked = in_folder(&dir).await;
    std::fs::remove_dir_all(&dir).ok(); // Only what was made for this.
    match checked {
        Ok(took) if took > SLOW => Check::warning(
            NAME,
            format!("a signal arrives, but it took {} ms", took.as_millis()),
            "the machine is busy, or its disk slow: each call of a tool waits that long",
        ),
        Ok(took) => Check::ok(NAME, format!("a signal arrives, in {} ms", took.as_millis())),
        Err(reason) => Check::failed(
            NAME,
            format!("a signal did not arrive: {reason}"),
            "is this program where it was, and may it be run? Install it again",
        ),
    }
}

async fn in_folder(dir: &Path) -> Result<Duration, String> {
    use std::os::unix::fs::DirBuilderExt;
    let words = |error: std::io::Error| error.to_string();
    std::fs::DirBuilder::new().mode(0o700).create(dir).map_err(words)?;
    let socket = HookSocket::bind(dir).map_err(words)?;
    let path = socket.path().to_owned();
    let (deliveries, mut incoming) = mpsc::channel(4);
    let stop = CancellationToken::new();
    let _stop_at_the_end = stop.clone().drop_guard();
    tokio::spawn(socket.serve(deliveries, stop));

    let program = std::env::current_exe().map_err(words)?;
    let began = Instant::now();
    let mut hook = Command::new(program)
        .arg("hook")
        .args([&path, &dir.join("spool")])
        .arg("doctor")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(words)?;
    if let Some(mut stdin) = hook.stdin.take() {
        stdin.write_all(SIGNAL).await.map_err(words)?;
    }
    let delivery = timeout(LIMIT, incoming.recv()).await.map_err(|_| "it took too long")?;
    let delivery = delivery.ok_or("the socket was closed")?;
    timeout(LIMIT, hook.wait()).await.map_err(|_| "the hook did not end")?.map_err(words)?;
    let took = began.elapsed();
    match delivery.body {
        Body::Signal { payload, .. } if payload == SIGNAL && delivery.run == "doctor" => Ok(took),
        _ => Err("something else arrived".into()),
    }
}
