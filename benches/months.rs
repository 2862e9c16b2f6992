//! What counts over months: how soon a start is ready with many runs, how soon a stop
//! is over, what the server holds, and what it costs at rest.
//!
//! Two hundred stand-ins for the CLI in two hundred real panes. So many real ones do
//! not fit into two cores; for the server they are the same.

#![expect(clippy::print_stdout, reason = "it is what a bench is for")]

#[path = "support/clock.rs"]
mod clock;
#[expect(dead_code, reason = "these stand-ins only rest")]
#[path = "append/fake_cli.rs"]
mod fake_cli;
#[path = "append/load.rs"]
mod load;
#[path = "support/serve.rs"]
mod serve;
#[path = "support/server.rs"]
mod server;
#[path = "support/spread.rs"]
mod spread;
#[expect(dead_code, reason = "these readers only hold their end")]
#[path = "append/stream.rs"]
mod stream;

use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use rustix::process::{Pid, Signal, kill_process};

use fake_cli::Orders;
use server::Server;
use spread::Spread;
use stream::Stream;

/// How much is measured.
struct Plan {
    runs: usize,
    rounds: usize,
    idle: Duration,
}

const MEASURE: Plan = Plan { runs: 200, rounds: 20, idle: Duration::from_secs(60) };
const TRY_OUT: Plan = Plan { runs: 3, rounds: 2, idle: Duration::from_millis(100) };

/// So many pages are open when it stops.
const READERS: usize = 10;

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1).peekable();
    if args.next_if(|word| word == fake_cli::WORD).is_some() {
        return fake_cli::run(args);
    }
    // Without `--bench` it is only tried out, as `cargo test --benches` does.
    let args: Vec<String> = args.collect();
    let mut plan = if args.iter().any(|word| word == "--bench") { MEASURE } else { TRY_OUT };
    let value = |name: &str| args.iter().find_map(|word| word.strip_prefix(name));
    if let Some(runs) = value("--runs=") {
        plan.runs = runs.parse()?;
    }
    if let Some(seconds) = value("--idle=") {
        plan.idle = Duration::from_secs(seconds.parse()?);
    }

    println!("{}", spread::load());
    let dir = tempfile::tempdir()?;
    let orders = dir.path().join("orders.sock");
    let listener = UnixListener::bind(&orders)?;
    let program = fake_cli::install(dir.path(), &orders)?;
    let config =
        format!("[providers.claude-code]\nprogram = {:?}\n", program.display().to_string());

    let server = serve::serve(dir.path(), &config)?;
    let server = start_and_stop(server, dir.path(), &config, plan.rounds, &[])?;
    let alone = settled_memory(&server)?;
    println!("0 runs: the server holds {alone:.1} MiB (PSS)");

    let mut runs = Vec::new();
    let mut stand_ins = Vec::new();
    for _ in 0..plan.runs {
        runs.push(fake_cli::start_run(&server, dir.path())?);
        stand_ins.push(Orders::accept(&listener)?);
    }
    tell_memory(&server, plan.runs, alone, "that were started by it")?;
    let server = start_and_stop(server, dir.path(), &config, plan.rounds, &runs)?;
    tell_memory(&server, plan.runs, alone, "that were taken over")?;
    tell_list(&server, plan.runs)?;
    let reader = Stream::open(&server, &[&runs[0]])?;
    let told = load::at_rest(server.process.id(), plan.idle)?;
    println!("{} runs at rest, one reader: {told}", plan.runs);
    drop((reader, stand_ins));
    Ok(())
}

/// Stops and starts it again and again; tmux and what runs there go on. The last one.
fn start_and_stop(
    mut server: Server,
    dir: &Path,
    config: &str,
    rounds: usize,
    runs: &[String],
) -> anyhow::Result<Server> {
    let (mut stops, mut starts) = (Vec::new(), Vec::new());
    let watched: Vec<&str> = runs.iter().map(String::as_str).take(1).collect();
    for _ in 0..rounds {
        let readers: Vec<Stream> =
            (0..READERS).map(|_| Stream::open(&server, &watched)).collect::<Result<_, _>>()?;
        let begun = Instant::now();
        kill_process(Pid::from_child(&server.process), Signal::TERM)?;
        ensure!(server.process.wait()?.success(), "it did not stop well");
        stops.push(begun.elapsed());
        drop(readers);
        // Its tmux server is to go on, which a drop would end.
        std::mem::forget(server);
        let begun = Instant::now();
        server = serve::serve(dir, config)?;
        starts.push(begun.elapsed());
    }
    println!("{} runs: ready after a start   {}", runs.len(), Spread::of(starts));
    println!("{} runs: over after a SIGTERM  {}", runs.len(), Spread::of(stops));
    Ok(server)
}

fn tell_memory(server: &Server, runs: usize, alone: f64, what: &str) -> anyhow::Result<()> {
    let all = settled_memory(server)?;
    let each = (all - alone) / runs as f64;
    println!("{runs} runs {what}: it holds {all:.1} MiB (PSS), {each:.3} MiB for each");
    Ok(())
}

fn tell_list(server: &Server, runs: usize) -> anyhow::Result<()> {
    let mut times = Vec::new();
    for _ in 0..50 {
        let begun = Instant::now();
        let mut answer = ureq::get(format!("{}/api/v1/runs", server.url))
            .header("Authorization", format!("Bearer {}", server.token))
            .call()?;
        let list: serde_json::Value = answer.body_mut().read_json()?;
        times.push(begun.elapsed());
        let live = list["runs"].as_array().context("no list")?;
        let live = live.iter().filter(|it| it["state"] != "ended").count();
        ensure!(live == runs, "{live} runs are alive");
    }
    println!("{runs} runs: the list of them    {}", Spread::of(times));
    Ok(())
}

/// The share of memory that is its own, in MiB, once what was begun is finished.
fn settled_memory(server: &Server) -> anyhow::Result<f64> {
    std::thread::sleep(Duration::from_secs(1));
    let text = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", server.process.id()))?;
    let line = text.lines().find_map(|it| it.strip_prefix("Pss:")).context("no Pss")?;
    let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib / 1024.0)
}
