//! A thousand readers of the event stream, some of which never read: what they
//! cost, and whether requests and other readers notice them.

#![expect(clippy::print_stdout, reason = "it is what a bench is for")]

#[path = "support/clock.rs"]
mod clock;
#[path = "readers/crowd.rs"]
mod crowd;
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

use anyhow::Context;
use serde_json::Value;

use crowd::Crowd;
use fake_cli::{Orders, text};
use server::Server;
use spread::Spread;
use stream::Stream;

struct Plan {
    reading: usize,
    stalled: usize,
    appends: usize,
    requests: usize,
}

const MEASURE: Plan = Plan { reading: 900, stalled: 100, appends: 2000, requests: 2000 };
const TRY_OUT: Plan = Plan { reading: 8, stalled: 2, appends: 20, requests: 20 };

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1).peekable();
    if args.next_if(|word| word == fake_cli::WORD).is_some() {
        return fake_cli::run(args);
    }
    // Without `--bench` it is only tried out, as `cargo test --benches` does.
    let plan = if args.any(|word| word == "--bench") { MEASURE } else { TRY_OUT };
    crowd::raise_limit()?;
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
        server,
        run,
        appended: 0,
    };
    bench.measure("nobody else reads", &plan)?;

    let pid = bench.server.process.id();
    let before = load::memory(pid)?;
    let mut crowd = Crowd::default();
    crowd.join(&bench.server, &bench.run, plan.reading, true)?;
    sleep(Duration::from_secs(2)); // What was begun is to be finished.
    let read = load::memory(pid)?;
    let each = |more: f64, readers: usize| more * 1024.0 / readers as f64;
    println!(
        "{} readers: {before:.1} MiB became {read:.1} MiB, {:.1} KiB for each",
        plan.reading,
        each(read - before, plan.reading)
    );
    crowd.join(&bench.server, &bench.run, plan.stalled, false)?;
    bench.measure(&format!("{} read, {} stalled", plan.reading, plan.stalled), &plan)?;
    // Until nothing more goes into what the kernel holds for a reader that stalls.
    for _ in 0..20 {
        bench.append(plan.appends / 4)?;
    }
    let stalled = load::memory(pid)?;
    println!(
        "{} of them have stalled for good: {stalled:.1} MiB, {:.1} KiB for each more",
        plan.stalled,
        each(stalled - read, plan.stalled)
    );
    bench.measure("the same once more", &plan)?;
    println!("{}", crowd.leave()?);
    println!("all have left: {}", load::at_rest(pid, Duration::from_secs(2))?);
    Ok(())
}

struct Bench {
    server: Server,
    run: String,
    orders: Orders,
    /// The reader who holds the clock.
    stream: Stream,
    appended: usize,
}

impl Bench {
    fn measure(&mut self, who: &str, plan: &Plan) -> anyhow::Result<()> {
        println!("-- {who}");
        let cpu = load::cpu_time(self.server.process.id())?;
        let times = self.append(plan.appends)?;
        let cpu = load::cpu_time(self.server.process.id())?.saturating_sub(cpu);
        println!(
            "append to event   {}, {:.3} ms of CPU for each",
            Spread::of(times),
            cpu.as_secs_f64() * 1000.0 / plan.appends as f64
        );
        let run = &self.run;
        for (name, path) in [
            ("health", "/healthz".to_owned()),
            ("runs", "/api/v1/runs".to_owned()),
            ("run", format!("/api/v1/runs/{run}")),
            ("newest page", format!("/api/v1/runs/{run}/messages?limit=100")),
            ("queue", format!("/api/v1/runs/{run}/queue")),
        ] {
            println!("{name:17} {}", Spread::of(self.ask(&path, plan.requests)?));
        }
        Ok(())
    }

    /// One by one: each waits for the event of the one before.
    fn append(&mut self, count: usize) -> anyhow::Result<Vec<Duration>> {
        let mut times = Vec::new();
        for _ in 0..count {
            let wanted = text(self.appended);
            self.orders.append(1)?;
            let before = self.orders.appended_at()?;
            times.push(self.arrival(&wanted)?.saturating_sub(before));
            self.appended += 1;
        }
        Ok(times)
    }

    fn arrival(&mut self, wanted: &str) -> anyhow::Result<Duration> {
        loop {
            let (at, events) = self.stream.events()?;
            for event in events.iter().filter(|it| it.name == "message.upsert") {
                let message: Value = serde_json::from_slice(&event.data)?;
                if message["message"]["text"].as_str() == Some(wanted) {
                    return Ok(at);
                }
            }
        }
    }

    /// Over one connection, the answer read to its end.
    fn ask(&self, path: &str, count: usize) -> anyhow::Result<Vec<Duration>> {
        let agent = ureq::Agent::new_with_defaults();
        let (url, bearer) =
            (format!("{}{path}", self.server.url), format!("Bearer {}", self.server.token));
        let mut times = Vec::new();
        for _ in 0..count {
            let asked = Instant::now();
            let mut answer = agent.get(&url).header("Authorization", &bearer).call()?;
            answer.body_mut().read_to_vec().context("no body")?;
            times.push(asked.elapsed());
        }
        Ok(times)
    }
}
