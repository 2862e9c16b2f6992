//! From an append to a transcript to the event at a reader, through the real
//! server and a stand-in for the CLI in a real pane; and what the server costs
//! while nothing happens.
//!
//! One record at a time, with random gaps, as an agent writes them. The time
//! goes from right before the CLI's write to right after the reader's read, so
//! the wake-ups of both sides are in it.

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

use std::os::unix::net::UnixListener;
use std::thread::sleep;
use std::time::{Duration, Instant};

use fake_cli::{Orders, text};
use server::Server;
use spread::Spread;
use stream::Stream;

/// The summary of a run holds its last words too, and is no message.
const MESSAGE: &str = "message.upsert";

/// How much is measured.
struct Plan {
    idle: Duration,
    /// Appends to a conversation that is new.
    fresh: usize,
    /// How long the conversation is made then, and appends to that.
    long: usize,
    late: usize,
}

const MEASURE: Plan = Plan { idle: Duration::from_secs(10), fresh: 2000, long: 20_000, late: 1000 };
const TRY_OUT: Plan = Plan { idle: Duration::from_millis(100), fresh: 20, long: 200, late: 20 };

const WARM_UP: usize = 20;

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1).peekable();
    if args.next_if(|word| word == fake_cli::WORD).is_some() {
        return fake_cli::run(args);
    }
    // Without `--bench` it is only tried out, as `cargo test --benches` does.
    let plan = if args.any(|word| word == "--bench") { MEASURE } else { TRY_OUT };

    println!("{}", spread::load());
    let dir = tempfile::tempdir()?;
    let orders = dir.path().join("orders.sock");
    let listener = UnixListener::bind(&orders)?;
    let program = fake_cli::install(dir.path(), &orders)?;
    let config =
        format!("[providers.claude-code]\nprogram = {:?}\n", program.display().to_string());
    let server = serve::serve(dir.path(), &config)?;
    let run = fake_cli::start_run(&server, dir.path())?;
    let mut bench = Bench {
        orders: Orders::accept(&listener)?,
        stream: Stream::open(&server, &[&run])?,
        gaps: Gaps(0x9e37_79b9_7f4a_7c15),
        appended: 0,
    };
    bench.times(WARM_UP)?;

    tell_idle(&server, "idle, 1 run", plan.idle)?;
    tell(&server, "new conversation", bench.times(plan.fresh)?)?;
    let fill = plan.long.saturating_sub(bench.appended);
    let started = Instant::now();
    bench.append(fill)?;
    let rate = fill as f64 / started.elapsed().as_secs_f64();
    println!("{fill} records at once: {rate:.0} events per second at the reader");
    bench.times(WARM_UP)?;
    tell(&server, &format!("after {} messages", bench.appended), bench.times(plan.late)?)?;
    tell_idle(&server, "idle, 1 long run", plan.idle)
}

struct Bench {
    orders: Orders,
    stream: Stream,
    gaps: Gaps,
    appended: usize,
}

impl Bench {
    /// Appends so many records in one write, and waits for the last of them.
    fn append(&mut self, count: usize) -> anyhow::Result<Duration> {
        self.orders.append(count)?;
        self.appended += count;
        let last = text(self.appended - 1);
        let arrived = loop {
            let (at, events) = self.stream.events()?;
            let mut messages = events.iter().filter(|it| it.name == MESSAGE);
            if messages.any(|it| String::from_utf8_lossy(&it.data).contains(&last)) {
                break at;
            }
        };
        Ok(arrived.saturating_sub(self.orders.appended_at()?))
    }

    /// How long each of so many single appends took.
    fn times(&mut self, count: usize) -> anyhow::Result<Vec<Duration>> {
        let mut times = Vec::with_capacity(count);
        for _ in 0..count {
            sleep(self.gaps.next());
            times.push(self.append(1)?);
        }
        Ok(times)
    }
}

fn tell(server: &Server, what: &str, times: Vec<Duration>) -> anyhow::Result<()> {
    let (count, memory) = (times.len(), load::memory(server.process.id())?);
    println!("{what}: {count} appends  {}  server holds {memory:.1} MiB", Spread::of(times));
    Ok(())
}

fn tell_idle(server: &Server, what: &str, time: Duration) -> anyhow::Result<()> {
    println!("{what}: {}", load::at_rest(server.process.id(), time)?);
    Ok(())
}

/// Waits of 5 to 20 ms, the same ones each time.
struct Gaps(u64);

impl Gaps {
    fn next(&mut self) -> Duration {
        // xorshift: nothing here needs better randomness.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Duration::from_micros(5_000 + self.0 % 15_000)
    }
}
