//! What a long transcript costs, in one process and without a server: its
//! newest page, its index, the reading of the whole, an old page, and one line
//! of 100 MB.
//!
//! The file is made up in the sizes of real ones: many small records, some
//! results of tools with their text twice, a few pictures. Peaks are those of
//! the process, so each measurement runs in a process of its own.

#![expect(clippy::print_stdout, reason = "it is what a bench is for")]

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use nix::time::{ClockId, clock_gettime};
use seamux::providers::claude_code::ClaudeCode;
use seamux::runs::{Older, Source, View, newest};
use seamux::schema::Position;
use seamux::seam::{AgentProvider, Record};
use seamux::transcript::Follower;
use serde_json::json;

const MIB: f64 = 1024.0 * 1024.0;

/// Each is measured so often; the best counts, and for pages the middle too.
const ROUNDS: usize = 5;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [word, what, path] = args.as_slice()
        && word == "measure"
    {
        return measure(what, Path::new(path));
    }
    // Without `--bench` it is only tried out, as `cargo test --benches` does.
    let (bytes, line) = if args.iter().any(|it| it == "--bench") {
        (500_000_000, 100_000_000)
    } else {
        (5_000_000, 1_000_000)
    };
    println!("{}", load());
    let dir = tempfile::tempdir()?;
    let long = make(&dir.path().join("long.jsonl"), bytes, 0)?;
    let line = make(&dir.path().join("line.jsonl"), 1_000_000, line)?;
    for what in ["newest", "newest-cold", "index", "map", "old"] {
        run(what, &long)?;
    }
    for what in ["newest", "index", "map", "old"] {
        println!("with one line of {:.0} MB:", std::fs::metadata(&line)?.len() as f64 / 1e6);
        run(what, &line)?;
    }
    Ok(())
}

fn run(what: &str, path: &Path) -> anyhow::Result<()> {
    let this = std::env::current_exe()?;
    let status = Command::new(this).arg("measure").arg(what).arg(path).status()?;
    if !status.success() {
        bail!("{what} was not measured");
    }
    Ok(())
}

fn measure(what: &str, path: &Path) -> anyhow::Result<()> {
    let provider: Arc<dyn AgentProvider> = Arc::new(ClaudeCode::default());
    let bytes = std::fs::metadata(path)?.len();
    if what != "newest-cold" {
        warm(path)?;
    }
    let before = peak()?;
    let mut times = Vec::new();
    let mut note = String::new();
    for _ in 0..ROUNDS {
        if what == "newest-cold" {
            cool(path)?;
        }
        let file = Arc::new(File::open(path)?);
        let source = Source::new(provider.clone(), path.to_owned(), file.clone())?;
        if what == "old" {
            source.index_all()?;
        }
        let (started, cpu) = (Instant::now(), cpu_time()?);
        match what {
            "newest" | "newest-cold" => {
                let newest = newest(&provider, &file)?.context("no outlines")?;
                let mut view = View::starting_at(newest.start);
                for mapped in newest.mapped {
                    view.take(mapped);
                }
                let page = view.page(seamux::runs::Window::Newest, 100).page;
                let json = serde_json::to_vec(&page.messages)?;
                note = format!(
                    "{} messages from the last {:.1} MB, {} kB of JSON",
                    page.messages.len(),
                    (newest.next - newest.start) as f64 / 1e6,
                    json.len() / 1000
                );
            }
            "index" => source.index_all()?,
            "map" => {
                let mut view = View::default();
                let mut mapper = provider.mapper();
                let mut follower = Follower::new(path.to_owned());
                follower.read(usize::MAX, |at, bytes| {
                    black_box(view.take(mapper.map(Record { at, bytes })));
                })?;
                black_box(view.last_line());
            }
            "old" => {
                let end = Position::new(bytes / 2, 0);
                let page = source.read(Older::Before { end, want: 100 }, false)?;
                note = format!("{} messages before the middle", page.len());
            }
            _ => bail!("{what} is unknown"),
        }
        times.push((cpu_time()?.saturating_sub(cpu), started.elapsed()));
    }
    times.sort();
    let cpu = times[0].0;
    times.sort_by_key(|it| it.1);
    let (best, middle) = (times[0].1, times[ROUNDS / 2].1);
    // On a core of its own it takes as long as its CPU time.
    let rate = bytes as f64 / cpu.as_secs_f64() / 1e9;
    let rate = if matches!(what, "index" | "map") { format!("{rate:.2} GB/s") } else { note };
    println!(
        "{what:12} CPU {:8.2} ms  wall {:8.2} ms  middle {:8.2} ms  peak +{:.1} MiB  {rate}",
        millis(cpu),
        millis(best),
        millis(middle),
        peak()? - before
    );
    Ok(())
}

/// What this thread used of a core. Others on the machine add little to it.
fn cpu_time() -> anyhow::Result<Duration> {
    Ok(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)?.into())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn warm(path: &Path) -> anyhow::Result<()> {
    std::io::copy(&mut File::open(path)?, &mut std::io::sink())?;
    Ok(())
}

/// Asks the kernel to forget the pages of the file.
fn cool(path: &Path) -> anyhow::Result<()> {
    let file = File::open(path)?;
    file.sync_all()?;
    rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)?;
    Ok(())
}

/// The most memory that this process has held so far, in MiB.
fn peak() -> anyhow::Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).context("no peak")?;
    let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib * 1024.0 / MIB)
}

fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{cores} cores, load average before {}", text.split(' ').next().unwrap_or("unknown"))
}

/// A file of about so many bytes, and in its middle one line of `line` bytes.
fn make(path: &Path, bytes: usize, line: usize) -> anyhow::Result<PathBuf> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let (mut written, mut number, mut chance) = (0, 0_usize, 0x9e37_79b9_7f4a_7c15_u64);
    let mut line_due = line > 0;
    // xorshift: nothing here needs better randomness.
    let mut random = move |below: usize| {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        (chance % below as u64) as usize
    };
    while written < bytes {
        let size = 300 + random(3000);
        let record = match number % 1600 {
            0 => picture(number, 1_000_000 + random(4_000_000).min(bytes / 10)),
            it if it % 20 == 1 => call(number),
            it if it % 20 == 2 => output(number - 1, 20_000 + random(180_000)),
            it if it % 2 == 0 => prompt(number, size),
            _ => answer(number, size),
        };
        number += 1;
        written += record.len();
        file.write_all(record.as_bytes())?;
        if line_due && written > bytes / 2 {
            line_due = false;
            file.write_all(output(number, line / 2).as_bytes())?;
        }
    }
    file.flush()?;
    Ok(path.to_owned())
}

fn words(size: usize) -> String {
    "The parser keeps the offset of each line, and the test says \"why\".\n".repeat(size / 68 + 1)
}

fn prompt(number: usize, size: usize) -> String {
    format!(
        "{{\"parentUuid\":\"p{number}\",\"isSidechain\":false,\"type\":\"user\",\"message\":{},\"uuid\":\"u{number}\",\"timestamp\":\"2026-01-05T10:00:01.000Z\",\"cwd\":\"/home/p/work\",\"sessionId\":\"s\",\"version\":\"2.1.332\",\"gitBranch\":\"main\"}}\n",
        json!({ "role": "user", "content": words(size) })
    )
}

fn assistant(number: usize, block: &serde_json::Value) -> String {
    format!(
        "{{\"parentUuid\":\"p{number}\",\"isSidechain\":false,\"message\":{{\"id\":\"msg_{number}\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-4-8\",\"content\":[{block}],\"stop_reason\":\"tool_use\",\"usage\":{{\"input_tokens\":7,\"cache_creation_input_tokens\":900,\"cache_read_input_tokens\":20000,\"output_tokens\":300}}}},\"type\":\"assistant\",\"uuid\":\"u{number}\",\"timestamp\":\"2026-01-05T10:00:02.000Z\",\"cwd\":\"/home/p/work\",\"sessionId\":\"s\",\"version\":\"2.1.332\",\"gitBranch\":\"main\"}}\n"
    )
}

fn answer(number: usize, size: usize) -> String {
    assistant(number, &json!({ "type": "text", "text": words(size) }))
}

fn call(number: usize) -> String {
    let input = json!({ "command": format!("cargo test step_{number}"), "description": "Test" });
    assistant(
        number,
        &json!({ "type": "tool_use", "id": format!("toolu_{number}"), "name": "Bash", "input": input }),
    )
}

fn result(call: usize, content: &serde_json::Value, twin: &serde_json::Value) -> String {
    let block = json!({ "tool_use_id": format!("toolu_{call}"), "type": "tool_result", "content": content });
    format!(
        "{{\"parentUuid\":\"p{call}\",\"isSidechain\":false,\"type\":\"user\",\"message\":{},\"uuid\":\"r{call}\",\"timestamp\":\"2026-01-05T10:00:03.000Z\",\"toolUseResult\":{twin},\"cwd\":\"/home/p/work\",\"sessionId\":\"s\",\"version\":\"2.1.332\",\"gitBranch\":\"main\"}}\n",
        json!({ "role": "user", "content": [block] })
    )
}

fn output(call: usize, size: usize) -> String {
    let text = words(size);
    let twin = json!({ "stdout": text, "stderr": "", "interrupted": false, "isImage": false });
    result(call, &text.into(), &twin)
}

fn picture(call: usize, size: usize) -> String {
    let data = "iVBORw0KGgoAAAANSUhEUgAA".repeat(size / 24);
    let source = json!({ "type": "base64", "media_type": "image/png", "data": data });
    result(call, &json!([{ "type": "image", "source": source }]), &json!({ "type": "image" }))
}
