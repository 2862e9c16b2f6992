//! A hundred runs in one server: how long an append takes to its event while
//! all of them grow, what an idle run holds, and what they cost at rest.
//!
//! The same way as in `append`, with a hundred stand-ins for the CLI. They are
//! told to write one after the other at random, or all at the same moment.

#![expect(clippy::print_stdout, reason = "it is what a bench is for")]

#[path = "support/clock.rs"]
mod clock;
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
#[path = "append/stream.rs"]
mod stream;

use std::collections::HashMap;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value;

use fake_cli::{Orders, text};
use server::Server;
use spread::Spread;
use stream::Stream;

/// The summary of a run holds its last words too, and is no message.
const MESSAGE: &str = "message.upsert";

/// How much is measured.
struct Plan {
    runs: usize,
    idle: Duration,
    /// Single appends, each to a run of its own choice.
    appends: usize,
    /// How often all runs append at once.
    bursts: usize,
}

const MEASURE: Plan = Plan { runs: 100, idle: Duration::from_secs(60), appends: 6000, bursts: 20 };
const TRY_OUT: Plan = Plan { runs: 3, idle: Duration::from_millis(100), appends: 30, bursts: 2 };

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1).peekable();
    if args.next_if(|word| word == fake_cli::WORD).is_some() {
        return fake_cli::run(args);
    }
    // Without `--bench` it is only tried out, as `cargo test --benches` does.
    let args: Vec<String> = args.collect();
    let mut plan = if args.iter().any(|word| word == "--bench") { MEASURE } else { TRY_OUT };
    // Fewer runs show what their number costs.
    let value = |name: &str| args.iter().find_map(|word| word.strip_prefix(name));
    if let Some(runs) = value("--runs=") {
        plan.runs = runs.parse()?;
    }
    if let Some(seconds) = value("--idle=") {
        plan.idle = Duration::from_secs(seconds.parse()?);
    }

    println!("{}", spread::load());
    let dir = tempfile::tempdir()?;
    let mut many = Many::start(dir.path(), plan.runs)?;
    many.tell_idle("new runs", plan.idle)?;
    many.grow(plan.appends)?;
    for _ in 0..plan.bursts {
        many.burst()?;
    }
    many.collect()?.tell("all at once");
    many.tell_idle("after the appends", plan.idle)
}

/// A run, and who writes for it.
struct Writer {
    run: String,
    orders: Orders,
    /// Appends that were asked for in all.
    asked: usize,
    /// The first of those that were not told yet.
    untold: usize,
}

struct Many {
    server: Server,
    arrivals: Receiver<(Duration, Vec<Vec<u8>>)>,
    writers: Vec<Writer>,
    chance: Chance,
}

impl Many {
    fn start(dir: &Path, runs: usize) -> anyhow::Result<Self> {
        let orders = dir.join("orders.sock");
        let listener = UnixListener::bind(&orders)?;
        let program = fake_cli::install(dir, &orders)?;
        let config =
            format!("[providers.claude-code]\nprogram = {:?}\n", program.display().to_string());
        let server = serve::serve(dir, &config)?;
        let pid = server.process.id();
        let mut writers = Vec::new();
        // The first run makes the server get out all its tools.
        let mut first = 0.0;
        for number in 0..runs {
            let run = fake_cli::start_run(&server, dir)?;
            let orders = Orders::accept(&listener)?;
            writers.push(Writer { run, orders, asked: 0, untold: 0 });
            if number == 0 {
                sleep(Duration::from_secs(1));
                first = load::memory(pid)?;
            }
        }
        sleep(Duration::from_secs(1)); // What was begun is to be finished.
        let (all, others) = (load::memory(pid)?, (runs - 1) as f64);
        println!(
            "{runs} runs: the server holds {all:.1} MiB, with one it was {first:.1} MiB: {:.3} MiB for each",
            (all - first) / others
        );
        let names: Vec<&str> = writers.iter().map(|it| it.run.as_str()).collect();
        let mut stream = Stream::open(&server, &names)?;
        let (arrived, arrivals) = mpsc::channel();
        // Somebody reads all the time. It ends with the server.
        std::thread::spawn(move || {
            while let Ok((at, events)) = stream.events() {
                let messages = events.into_iter().filter(|it| it.name == MESSAGE).map(|it| it.data);
                if arrived.send((at, messages.collect())).is_err() {
                    return;
                }
            }
        });
        Ok(Self { server, arrivals, writers, chance: Chance(0x9e37_79b9_7f4a_7c15) })
    }

    /// Appends one by one, each somewhere, without a wait for the one before.
    fn grow(&mut self, appends: usize) -> anyhow::Result<()> {
        let (pid, started) = (self.server.process.id(), Instant::now());
        let before = load::cpu_time(pid)?;
        let mut times = Vec::new();
        for append in 1..=appends {
            // A few hundred appends a second, so two or more for each run.
            sleep(Duration::from_micros(self.chance.below(4000)));
            let number = self.chance.below(self.writers.len() as u64) as usize;
            self.writers[number].append()?;
            // Their answers wait in sockets, which hold a few hundred of them.
            if append % (50 * self.writers.len()) == 0 || append == appends {
                times.extend(self.collect()?.0);
            }
        }
        Told(times).tell("one after the other");
        let cpu = load::cpu_time(pid)?.saturating_sub(before).as_secs_f64();
        println!(
            "{:.0} appends a second took {:.0} % of a core: {:.3} ms for each",
            appends as f64 / started.elapsed().as_secs_f64(),
            cpu * 100.0 / started.elapsed().as_secs_f64(),
            cpu * 1000.0 / appends as f64
        );
        Ok(())
    }

    fn burst(&mut self) -> anyhow::Result<()> {
        sleep(Duration::from_millis(300));
        self.writers.iter_mut().try_for_each(Writer::append)
    }

    /// Waits for all that was appended, and says how long each took.
    fn collect(&mut self) -> anyhow::Result<Told> {
        let mut begun = HashMap::new();
        for writer in &mut self.writers {
            for number in writer.untold..writer.asked {
                begun.insert((writer.run.clone(), text(number)), writer.orders.appended_at()?);
            }
            writer.untold = writer.asked;
        }
        let mut times = Vec::new();
        while !begun.is_empty() {
            let (at, messages) = self.arrivals.recv().context("the stream ended")?;
            for message in messages {
                let message: Value = serde_json::from_slice(&message)?;
                let run = message["run_id"].as_str().context("no run")?.to_owned();
                let text = message["message"]["text"].as_str().unwrap_or_default().to_owned();
                if let Some(before) = begun.remove(&(run, text)) {
                    times.push(at.saturating_sub(before));
                }
            }
        }
        Ok(Told(times))
    }

    fn tell_idle(&self, what: &str, time: Duration) -> anyhow::Result<()> {
        let told = load::at_rest(self.server.process.id(), time)?;
        println!("{} runs at rest, {what}: {told}", self.writers.len());
        Ok(())
    }
}

impl Writer {
    fn append(&mut self) -> anyhow::Result<()> {
        self.asked += 1;
        self.orders.append(1)
    }
}

struct Told(Vec<Duration>);

impl Told {
    fn tell(self, what: &str) {
        println!("{what}: {} appends  {}", self.0.len(), Spread::of(self.0));
    }
}

/// The same numbers each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        // xorshift: nothing here needs better randomness.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}
