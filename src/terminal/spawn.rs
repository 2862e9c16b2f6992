//! Starts a program in a pane of its own.
//!
//! Everything goes over the control connection: there, arguments and environment
//! stand in no process list, and tmux does not mix in the environment of a client.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use tmux_interface::{KillSession, NewSession, SetOption};

use super::Terminal;
use super::error::TerminalError;
use super::process::find_program;
use super::quote::{Line, escape_format};
use super::status::{LABELS, Pane, Report, STAMP, encode_labels, format};

/// The kernel takes no longer argument.
const LONGEST_ARGUMENT: usize = 128 << 10;
const LONGEST_LINE: usize = 4 << 20;

/// What to run, and how it shall be found again.
#[derive(Clone, Debug)]
pub struct PaneSpec {
    /// Name of the tmux session, `[a-z0-9_-]{1,40}`.
    pub session: String,
    /// Our id of the run, `[A-Za-z0-9_.:-]{1,128}`. Every write is refused if the pane has another.
    pub stamp: String,
    /// What else shall be known about the pane after a restart of ours.
    pub labels: Vec<(String, String)>,
    /// Program and arguments. No shell sees them.
    pub argv: Vec<OsString>,
    pub cwd: PathBuf,
    /// Added to the environment of the server. Values may be any text.
    pub env: Vec<(String, String)>,
    /// Columns and rows, whoever looks.
    pub size: (u16, u16),
}

impl Terminal {
    /// Starts the program and watches it. Starts the server if there is none.
    ///
    /// After `ControlLost` or `Timeout`, `panes` tells by the stamp whether it runs.
    pub async fn spawn(&self, spec: PaneSpec) -> Result<Pane, TerminalError> {
        let server_path = self.inner.path.as_str();
        check(&spec, server_path)?;
        let line = line(&spec);
        if line.as_bytes().len() > LONGEST_LINE {
            let size = line.as_bytes().len();
            return Err(TerminalError::TooBig { size, limit: LONGEST_LINE });
        }
        let blocks = self.inner.control.start(vec![line]).await?;
        // The first block has the ids, if there is a session at all. tmux can
        // fail without an error, so only the ids count.
        let report = blocks.first().filter(|block| !block.failed);
        let status = report.and_then(|block| Report::parse(&block.text())?.status);
        let failure = blocks.iter().find(|block| block.failed);
        let Some(status) = status else {
            let words = failure.map_or("no session was made".into(), |block| block.text());
            return Err(TerminalError::from_tmux(&words));
        };
        let pane = Pane { stamp: spec.stamp, ..status.pane };
        let watched = match failure {
            None => self.inner.start_watch(&pane),
            Some(failure) => Err(TerminalError::from_tmux(&failure.text())),
        };
        if let Err(error) = watched {
            // Without its stamp nobody would ever find it again, and without a
            // watch the caller would wait for ever.
            let kill = KillSession::new().target_session(&*pane.session).build();
            self.inner.control.ask(vec![Line::new(&kill)]).await?;
            return Err(error);
        }
        Ok(pane)
    }
}

fn line(spec: &PaneSpec) -> Line {
    let mut session = NewSession::new().detached().print().format(format());
    session = session.session_name(&*spec.session);
    session = session.width(spec.size.0.into()).height(spec.size.1.into());
    for (key, value) in &spec.env {
        session = session.environment(&**key, &**value);
    }
    let mut session = session.build();
    session.push_flag("-c");
    let cwd = escape_format(spec.cwd.as_os_str().as_bytes());
    let mut words: Vec<&[u8]> = vec![&cwd, b"--"];
    if spec.argv.len() == 1 {
        // tmux gives a single word to a shell; two words it runs as they are.
        words.extend([&b"/usr/bin/env"[..], b"--"]);
    }
    words.extend(spec.argv.iter().map(|word| word.as_bytes()));

    // The trailing colon makes it the pane of exactly this session. Without a
    // target these commands would hit our own control session.
    let target = format!("={}:", spec.session);
    let option = |name, value: String| {
        SetOption::new().pane().target_pane(target.clone()).option(name).value(value).build()
    };
    let manual = SetOption::new().window().target_pane(target.clone());
    let manual = manual.option("window-size").value("manual").build();
    // A name that exists already stops the line, so an old pane is never stamped anew.
    Line::default()
        .then_with(&session, &words)
        .then(&option(STAMP, spec.stamp.clone()))
        .then(&option(LABELS, encode_labels(&spec.labels)))
        .then(&option("remain-on-exit", "on".into()))
        .then(&manual)
}

fn check(spec: &PaneSpec, server_path: &str) -> Result<(), TerminalError> {
    let bad = |words: String| Err(TerminalError::BadSpec(words));
    let name = |text: &str, limit, extra: fn(u8) -> bool| {
        let fits =
            |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-') || extra(byte);
        (1..=limit).contains(&text.len()) && text.bytes().all(fits)
    };
    if !name(&spec.session, 40, |_| false) {
        return bad(format!("`{}` is no name for a session", spec.session));
    }
    if !name(&spec.stamp, 128, |byte| byte.is_ascii_uppercase() || b".:".contains(&byte)) {
        return bad(format!("`{}` is no stamp", spec.stamp));
    }
    for (key, value) in &spec.env {
        let strange = |c: char| c == '=' || c.is_control();
        if key.is_empty() || key.contains(strange) || value.contains('\0') {
            return bad(format!("`{key}` cannot be an environment variable"));
        }
        fits(key.len() + value.len())?;
    }
    for word in &spec.argv {
        if word.as_bytes().contains(&0) {
            return bad("an argument contains a zero byte".into());
        }
        fits(word.len())?;
    }
    if spec.size.0 == 0 || spec.size.1 == 0 {
        return bad("a terminal has at least one column and one row".into());
    }

    // tmux would start elsewhere without a word.
    let cwd = &spec.cwd;
    let strange = cwd.as_os_str().as_bytes().iter().any(u8::is_ascii_control);
    if strange || !cwd.is_absolute() || !cwd.is_dir() || access(cwd, Access::EXEC_OK).is_err() {
        return Err(TerminalError::NoDirectory { path: cwd.clone() });
    }

    let Some(program) = spec.argv.first().filter(|program| !program.is_empty()) else {
        return bad("there is no program".into());
    };
    if spec.argv.len() == 1 && program.as_bytes().contains(&b'=') {
        return bad("a program without arguments cannot have `=` in its name".into());
    }
    let given = spec.env.iter().rev().find(|(key, _)| key == "PATH");
    let path = given.map_or(server_path, |(_, value)| value);
    if find_program(Path::new(program), path, cwd).is_none() {
        let program = program.to_string_lossy().into_owned();
        return Err(TerminalError::NoProgram { program });
    }
    Ok(())
}

fn fits(size: usize) -> Result<(), TerminalError> {
    if size < LONGEST_ARGUMENT - 2 {
        return Ok(());
    }
    Err(TerminalError::TooBig { size, limit: LONGEST_ARGUMENT - 2 })
}
