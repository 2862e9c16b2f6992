//! Facts about processes, from /proc and from pidfds. No process is ever
//! signalled by its bare number, because numbers are used again.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, Mode, OFlags, access, open};
use rustix::io::ioctl_fionread;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::termios::isatty;

/// What `/proc/PID/stat` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) parent: i32,
    /// Clock ticks since boot. Together with the pid this names one process.
    pub(super) started: u64,
    /// Its terminal, as the number of the device; 0 if it has none.
    pub(super) terminal: u64,
    /// It belongs to those who may read from its terminal now.
    pub(super) in_front: bool,
}

/// `None` if there is no such process, or only its remains.
pub(super) fn stat(pid: i32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in parentheses and may contain anything, parentheses too.
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let state = *fields.first()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    let number = |at: usize| fields.get(at)?.parse::<i64>().ok();
    Some(Stat {
        parent: fields.get(1)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
        // The kernel prints it as an int.
        terminal: u64::from(number(4)? as u32),
        in_front: number(2)? == number(5)?,
    })
}

/// When a living process began, in clock ticks since boot. With its number this
/// names one process.
pub fn began(pid: u32) -> Option<u64> {
    stat(pid.try_into().ok()?).map(|it| it.started)
}

/// Where a living process reads what is typed: the number of its terminal.
pub(super) fn terminal_of(pid: i32) -> Option<u64> {
    stat(pid).map(|it| it.terminal).filter(|it| *it != 0)
}

/// The socket of the tmux server that a process was started in, by its own
/// environment. A hint and no proof: it is inherited by whatever it starts.
pub(super) fn tmux_hint(pid: i32) -> Option<PathBuf> {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let value = environment.split(|byte| *byte == 0).find_map(|it| it.strip_prefix(b"TMUX="))?;
    let socket = std::str::from_utf8(value).ok()?.rsplitn(3, ',').nth(2)?;
    Some(PathBuf::from(socket)).filter(|it| it.is_absolute())
}

/// A handle on a process that cannot come to mean another one.
pub(super) fn handle(pid: i32) -> Option<OwnedFd> {
    pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()
}

/// A handle on a living child of `parent`.
pub(super) fn child_handle(pid: i32, parent: i32) -> Option<OwnedFd> {
    // Open first and look then: what we look at is what we opened, or the
    // handle is already dead and says so.
    let handle = handle(pid)?;
    (stat(pid)?.parent == parent).then_some(handle)
}

/// How many bytes wait in the terminal of a process that it has not read yet.
/// `None` if nobody can say.
pub(super) fn unread_input(pid: i32) -> Option<u64> {
    let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let terminal = open(format!("/proc/{pid}/fd/0"), flags, Mode::empty()).ok()?;
    if !isatty(&terminal) {
        return None;
    }
    ioctl_fionread(&terminal).ok()
}

/// Finds a program as `execvp` would.
pub(super) fn find_program(name: &Path, path: &str, cwd: &Path) -> Option<PathBuf> {
    let runs = |file: &PathBuf| file.is_file() && access(file, Access::EXEC_OK).is_ok();
    if name.as_os_str().as_encoded_bytes().contains(&b'/') {
        return Some(cwd.join(name)).filter(runs);
    }
    path.split(':').map(|directory| cwd.join(directory).join(name)).find(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_are_a_process_with_a_parent_and_an_age() {
        let pid = i32::try_from(std::process::id()).unwrap();
        let stat = stat(pid).unwrap();
        assert!(stat.parent > 0 && stat.started > 0);
        assert!(child_handle(pid, stat.parent).is_some());
        assert!(child_handle(pid, stat.parent + 1).is_none());
    }

    #[test]
    fn programs_are_found_like_execvp_does() {
        let root = Path::new("/");
        assert!(find_program(Path::new("sh"), "/nowhere:/bin", root).is_some());
        assert!(find_program(Path::new("bin/sh"), "", root).is_some());
        assert_eq!(find_program(Path::new("tmp"), "/", root), None);
    }
}
