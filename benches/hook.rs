//! What one `seamux hook` costs the CLI that waits for it: wall time, CPU time
//! and memory of the real process, beside those of /bin/true.
//!
//! A run of each program takes turns with the others, so that whatever else
//! the machine does falls on all of them alike.

#![expect(clippy::print_stdout, reason = "it is what a bench is for")]

#[path = "support/serve.rs"]
mod serve;
#[path = "support/server.rs"]
mod server;
#[path = "support/spread.rs"]
mod spread;

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

use spread::Spread;

/// The size of a usual payload.
const PAYLOAD: usize = 2048;
const WARM_UP: usize = 20;

/// The word that makes this program measure one other from the inside.
const USAGE: &str = "usage-of";

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args_os().skip(1).peekable();
    if args.next_if(|word| word == USAGE).is_some() {
        return tell_usage(args);
    }
    // Without `--bench` it is only tried out, as `cargo test --benches` does.
    let rounds = if args.any(|word| word == "--bench") { 2000 } else { 5 };

    println!("{}", spread::load());
    let dir = tempfile::tempdir()?;
    let payload = dir.path().join("payload.json");
    std::fs::write(&payload, a_payload())?;
    let _server = serve::serve(dir.path(), "")?;
    let open = dir.path().join("state/run/hook.sock");
    // What a server leaves behind that was killed: a socket that refuses.
    let dead = dir.path().join("dead.sock");
    drop(UnixListener::bind(&dead)?);
    let spool = dir.path().join("spool");

    let hook = |socket: &Path| -> Vec<OsString> {
        let program = env!("CARGO_BIN_EXE_seamux");
        let words: [OsString; 5] =
            [program.into(), "hook".into(), socket.into(), spool.clone().into(), "r-bench".into()];
        words.into()
    };
    let through_shell = || {
        let words: Vec<_> = hook(&open)
            .iter()
            .map(|word| format!("'{}'", word.to_string_lossy().replace('\'', r"'\''")))
            .collect();
        vec!["/bin/sh".into(), "-c".into(), words.join(" ").into()]
    };
    let programs: [(&str, Vec<OsString>); 4] = [
        ("/bin/true", vec!["/bin/true".into()]),
        ("hook, server answers", hook(&open)),
        ("hook, no server: spool", hook(&dead)),
        ("sh -c hook, server answers", through_shell()),
    ];

    let mut times = programs.each_ref().map(|_| Vec::with_capacity(rounds));
    for round in 0..WARM_UP + rounds {
        for ((_, argv), times) in programs.iter().zip(&mut times) {
            let time = wall_time(argv, &payload)?;
            if round >= WARM_UP {
                times.push(time);
            }
        }
    }
    let spooled = std::fs::read_dir(&spool)?.count();
    ensure!(spooled == WARM_UP + rounds, "only the refused signals are spooled, not {spooled}");

    println!("{rounds} rounds, {PAYLOAD} bytes on standard input");
    for ((name, argv), times) in programs.iter().zip(times) {
        let usage = Command::new(std::env::current_exe()?)
            .args([USAGE.as_ref(), payload.as_os_str(), rounds.to_string().as_ref()])
            .args(argv)
            .output()?;
        let usage = String::from_utf8_lossy(&usage.stdout).into_owned();
        println!("{name:<27} {}  {}", Spread::of(times), usage.trim());
    }
    Ok(())
}

fn a_payload() -> String {
    let mut payload = serde_json::json!({
        "session_id": "b119bbe4-d583-4b0a-b928-e8119640c241",
        "transcript_path": "/tmp/none.jsonl",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_use_id": "toolu_6c44aa35c11a4dd1bd58",
        "tool_response": "",
    });
    let missing = PAYLOAD - payload.to_string().len();
    payload["tool_response"] = "x".repeat(missing).into();
    payload.to_string()
}

fn run(argv: &[OsString], payload: &Path) -> anyhow::Result<()> {
    let (program, args) = argv.split_first().context("a program is needed")?;
    let mut command = Command::new(program);
    command.args(args).stdin(File::open(payload)?).stdout(Stdio::null());
    ensure!(command.status()?.success(), "it failed");
    Ok(())
}

fn wall_time(argv: &[OsString], payload: &Path) -> anyhow::Result<Duration> {
    let start = Instant::now();
    run(argv, payload)?;
    Ok(start.elapsed())
}

/// Runs one program many times and prints what the kernel counted for it. A
/// process of its own, because the kernel keeps one peak for all children; and
/// a small one, because it counts a child's life before its `exec` too.
fn tell_usage(mut args: impl Iterator<Item = OsString>) -> anyhow::Result<()> {
    let payload = args.next().context("a payload is needed")?;
    let rounds = args.next().context("a number is needed")?;
    let rounds: usize = rounds.to_string_lossy().parse()?;
    let argv: Vec<OsString> = args.collect();
    for _ in 0..rounds {
        run(&argv, Path::new(&payload))?;
    }
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(io::Error::from)?;
    let milliseconds = |it: TimeVal| it.tv_sec() as f64 * 1e3 + it.tv_usec() as f64 / 1e3;
    let cpu = milliseconds(usage.user_time()) + milliseconds(usage.system_time());
    // Linux counts the peak in KiB.
    let peak = usage.max_rss() as f64 / 1024.0;
    println!("CPU {:.3} ms each, peak {peak:.1} MiB", cpu / rounds as f64);
    Ok(())
}
