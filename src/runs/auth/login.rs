//! One login: a process that tells a person what to do, and may read a code.

use std::process::Stdio;
use std::time::{Duration, SystemTime};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::schema::LoginStarted;
use crate::seam::{AuthFlow, SeamError};

use super::super::error::RunError;
use super::super::rfc3339;
use super::one_line;

/// A person has this long to come back with a code.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// What a login says of itself, it says soon.
const TOLD_LIMIT: Duration = Duration::from_secs(20);

/// The vendor may take a moment with a code.
const CODE_LIMIT: Duration = Duration::from_secs(60);

const LONGEST_OUTPUT: usize = 64 * 1024;

/// A login that was started. It ends when its person is done, or after a while.
pub(super) struct Login {
    codes: mpsc::Sender<Vec<u8>>,
    heard: watch::Receiver<Heard>,
    expires_at: String,
    stop: CancellationToken,
}

#[derive(Default)]
struct Heard {
    text: String,
    /// How it ended.
    done: Option<bool>,
}

impl Login {
    pub(super) fn start(
        mut command: Command,
        tasks: &TaskTracker,
        stop: CancellationToken,
    ) -> Result<Self, RunError> {
        let child = command.stdin(Stdio::piped()).spawn();
        let child = child.map_err(|error| RunError::io("start the login", error))?;
        let (codes, incoming) = mpsc::channel(1);
        let (said, heard) = watch::channel(Heard::default());
        let stop = stop.child_token();
        tasks.spawn(follow(child, incoming, said, stop.clone()));
        Ok(Self { codes, heard, expires_at: rfc3339(SystemTime::now() + PATIENCE), stop })
    }

    pub(super) fn is_alive(&self) -> bool {
        self.heard.borrow().done.is_none() && !self.stop.is_cancelled()
    }

    pub(super) fn give_up(&self) {
        self.stop.cancel();
    }

    /// What a person has to do, as soon as the process has said it.
    pub(super) async fn told(&self, flow: &dyn AuthFlow) -> Result<LoginStarted, RunError> {
        let mut heard = self.heard.clone();
        let tells = heard.wait_for(|it| {
            let seen = flow.read_login(&it.text);
            it.done.is_some() || seen.url.is_some() || seen.user_code.is_some()
        });
        let Ok(Ok(heard)) = timeout(TOLD_LIMIT, tells).await else {
            self.give_up();
            return Err(SeamError::LoginTimeout.into());
        };
        if heard.done == Some(false) {
            return Err(why(flow, &heard.text).into());
        }
        let seen = flow.read_login(&heard.text);
        let expires_at = heard.done.is_none().then(|| self.expires_at.clone());
        Ok(LoginStarted { url: seen.url, user_code: seen.user_code, expires_at })
    }

    /// Hands a code over, and waits for what becomes of it.
    pub(super) async fn hand(&self, flow: &dyn AuthFlow, words: Vec<u8>) -> Result<(), RunError> {
        let mut heard = self.heard.clone();
        let before = heard.borrow().text.len();
        let since = |text: &str| text.get(before..).unwrap_or_default().to_owned();
        self.codes.send(words).await.map_err(|_| RunError::NoLogin)?;
        let decided = heard
            .wait_for(|it| it.done.is_some() || flow.read_login(&since(&it.text)).refused_code);
        let Ok(Ok(heard)) = timeout(CODE_LIMIT, decided).await else {
            self.give_up();
            return Err(SeamError::LoginTimeout.into());
        };
        match heard.done {
            Some(true) => Ok(()),
            Some(false) => Err(why(flow, &since(&heard.text)).into()),
            None => Err(SeamError::InvalidCode.into()),
        }
    }
}

/// Nobody can bring a code to it any more.
impl Drop for Login {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn why(flow: &dyn AuthFlow, text: &str) -> SeamError {
    let seen = flow.read_login(text);
    seen.failed.unwrap_or_else(|| SeamError::LoginFailed(one_line(text)))
}

/// Owns the process until it ends, nobody waits for it any more, or we stop.
async fn follow(
    mut child: Child,
    mut codes: mpsc::Receiver<Vec<u8>>,
    said: watch::Sender<Heard>,
    stop: CancellationToken,
) {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    let (mut stdin, mut out, mut err) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (mut from_out, mut from_err) = (Vec::new(), Vec::new());
    while out.is_some() || err.is_some() {
        tokio::select! {
            () = stop.cancelled() => break,
            () = sleep_until(deadline) => break,
            Some(words) = codes.recv() => hand_over(&mut stdin, &words).await,
            read = next(&mut out, &mut from_out) => hear(&said, read, &mut from_out, &mut out),
            read = next(&mut err, &mut from_err) => hear(&said, read, &mut from_err, &mut err),
        }
    }
    // It closed its output, so it ends; if it was given up, it is ended.
    if out.is_some() || err.is_some() {
        child.start_kill().ok();
    }
    let success = child.wait().await.is_ok_and(|it| it.success());
    said.send_modify(|it| it.done = Some(success));
}

async fn hand_over(stdin: &mut Option<ChildStdin>, words: &[u8]) {
    let Some(open) = stdin else { return };
    // A process that is gone tells so by its end.
    if open.write_all(words).await.is_err() {
        *stdin = None;
    }
}

/// Waits for ever where there is nothing left to read.
async fn next<R: AsyncReadExt + Unpin>(from: &mut Option<R>, into: &mut Vec<u8>) -> usize {
    match from {
        Some(from) => from.read_buf(into).await.unwrap_or(0),
        None => std::future::pending().await,
    }
}

fn hear<R>(said: &watch::Sender<Heard>, read: usize, bytes: &mut Vec<u8>, from: &mut Option<R>) {
    if read == 0 {
        *from = None;
    }
    let words = String::from_utf8_lossy(bytes).into_owned();
    bytes.clear();
    said.send_modify(|it| {
        if it.text.len() < LONGEST_OUTPUT {
            it.text.push_str(&words);
        }
    });
}
