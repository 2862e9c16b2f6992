//! What the server costs while it runs: its CPU time and its memory.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use anyhow::Context;

/// The CPU time of all threads so far. The kernel counts it twice: in ticks of
/// 10 ms, and to the nanosecond for each thread. This is the second.
pub(crate) fn cpu_time(pid: u32) -> anyhow::Result<Duration> {
    let mut total = 0;
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        let text = fs::read_to_string(thread?.path().join("schedstat"))?;
        total += text.split(' ').next().context("empty")?.parse::<u64>()?;
    }
    Ok(Duration::from_nanos(total))
}

/// The CPU time of the process so far, in ticks of 10 ms.
pub(crate) fn cpu_ticks(pid: u32) -> anyhow::Result<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name in parentheses may hold spaces; utime and stime are the 14th and 15th field.
    let (_, fields) = stat.rsplit_once(") ").context("not a stat line")?;
    let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>);
    Ok(ticks.sum::<Result<u64, _>>()?)
}

/// How often its threads went to sleep so far, which is how often one woke.
pub(crate) fn sleeps(pid: u32) -> anyhow::Result<u64> {
    let mut total = 0;
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        total += status_number(&thread?.path().join("status"), "voluntary_ctxt_switches:")?;
    }
    Ok(total)
}

/// The memory that it holds now, in MiB.
pub(crate) fn memory(pid: u32) -> anyhow::Result<f64> {
    let kib = status_number(format!("/proc/{pid}/status").as_ref(), "VmRSS:")?;
    Ok(kib as f64 / 1024.0)
}

fn status_number(file: &std::path::Path, name: &str) -> anyhow::Result<u64> {
    let text = fs::read_to_string(file)?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)).context("no such line")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// Leaves it alone for this long, and tells what it did all the same.
pub(crate) fn at_rest(pid: u32, time: Duration) -> anyhow::Result<String> {
    sleep(Duration::from_secs(1)); // What was begun is to be finished.
    let (cpu, ticks, slept) = (cpu_time(pid)?, cpu_ticks(pid)?, sleeps(pid)?);
    sleep(time);
    let cpu = cpu_time(pid)?.saturating_sub(cpu).as_secs_f64() * 1000.0;
    let (ticks, slept) = (cpu_ticks(pid)? - ticks, sleeps(pid)? - slept);
    let (memory, seconds) = (memory(pid)?, time.as_secs_f64());
    Ok(format!(
        "CPU {cpu:.2} ms in {seconds:.0} s ({ticks} ticks), woke {slept} times, holds {memory:.1} MiB"
    ))
}
