//! Fuzzing with the stable compiler: recorded lines, changed at random, go to the
//! mapper; random deeds to the follower; and pages are compared with the whole.
//!
//! The checks of the first two are those that `cargo fuzz` runs, in `fuzz/checks`.
//! Each case follows from one number, which is printed when it fails.
//!
//! ```sh
//! cargo test --test fuzz                                    # two seconds, as a try
//! cargo test --test fuzz -- --seconds 60
//! cargo test --test fuzz -- --target mapper --seed 12345    # one case again
//! ```
#![expect(clippy::print_stdout, reason = "it tells what it did")]
#![expect(clippy::unwrap_used, reason = "a panic is how a check fails")]

mod chance;
mod deeds;
#[path = "../../fuzz/checks/mapper.rs"]
mod mapper;
mod mutate;
mod pages;
#[path = "../../fuzz/checks/tailer.rs"]
mod tailer;

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chance::Chance;
use mutate::Corpus;

/// Makes a case from its number.
type Make = fn(&Corpus, &mut Chance) -> Input;

const TARGETS: [(&str, Make); 3] = [
    ("mapper", |corpus, chance| Input::Lines(corpus.file(chance), mapper::check_file)),
    ("pages", |corpus, chance| Input::Lines(corpus.file(chance), pages::check_file)),
    ("tailer", |_, chance| Input::Deeds(deeds::random(chance))),
];

/// What a check gets.
enum Input {
    Lines(Vec<u8>, fn(&[u8])),
    Deeds(Vec<u8>),
}

impl Input {
    fn holds(&self) -> bool {
        let check = || match self {
            Self::Lines(file, check) => check(file),
            Self::Deeds(deeds) => tailer::check_deeds(tailer::Deed::read(deeds)),
        };
        catch_unwind(AssertUnwindSafe(check)).is_ok()
    }

    /// The same without the lines that the failure does not need.
    fn smaller(self) -> Self {
        let Self::Lines(mut file, check) = self else { return self };
        // Each try fails anew, which nobody wants to read.
        let hook = take_hook();
        set_hook(Box::new(|_| {}));
        let mut at = 0;
        loop {
            let mut lines: Vec<&[u8]> = file.split(|it| *it == b'\n').collect();
            if at >= lines.len() {
                set_hook(hook);
                return Self::Lines(file, check);
            }
            lines.remove(at);
            let fewer = Self::Lines(lines.join(&b'\n'), check);
            match fewer {
                Self::Lines(lines, _) if !fewer.holds() => file = lines,
                _ => at += 1,
            }
        }
    }

    fn show(&self) -> String {
        match self {
            Self::Lines(file, _) => file.escape_ascii().to_string().replace("\\n", "\n"),
            Self::Deeds(deeds) => format!("{:?}", tailer::Deed::read(deeds)),
        }
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = args.iter().position(|it| it == name)?;
        Some(args.get(at + 1).expect("a value").clone())
    };
    let number = |name: &str| value(name).map(|it| it.parse::<u64>().expect("a number"));
    let chosen = value("--target");
    let targets: Vec<_> =
        TARGETS.iter().filter(|it| chosen.as_ref().is_none_or(|name| name == it.0)).collect();
    assert!(!targets.is_empty(), "no such target");
    let seed = number("--seed");
    let time = Duration::from_secs(number("--seconds").unwrap_or(2)) / targets.len() as u32;
    let corpus = Corpus::read();
    for (name, make) in targets {
        if !run(name, |seed| make(&corpus, &mut Chance::new(seed)), seed, time) {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// One case, or as many as there is time for.
fn run(name: &str, input: impl Fn(u64) -> Input, only: Option<u64>, time: Duration) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let first = only.unwrap_or(now.as_nanos() as u64);
    let (started, mut seed) = (Instant::now(), first);
    println!("{name}: from seed {first} on");
    loop {
        let case = input(seed);
        if !case.holds() {
            println!("\n{name} failed with seed {seed}. Now what of it is needed:");
            let case = case.smaller();
            case.holds();
            println!("\n{name} fails with:\n{}\n", case.show());
            println!("Again: cargo test --test fuzz -- --target {name} --seed {seed}");
            return false;
        }
        seed = seed.wrapping_add(1);
        if only.is_some() || started.elapsed() >= time {
            let (cases, took) = (seed.wrapping_sub(first), started.elapsed().as_secs_f64());
            println!("{name}: {cases} cases in {took:.0} s");
            return true;
        }
    }
}
