//! Whether somebody who wants to answer is a command that toolctl runs: by the ancestry of processes, not by what the
//! process says of itself.
//!
//! A runner adopts the children of its children, so what left its parent is found below it all the same. A process is
//! taken for part of a running call when one of its ancestors is this program, bears the name that runners take, or was
//! started with the variable that every command of a call gets; and when it has limits that an ancestor has not: commands of
//! calls have them, and no process loses them again, whoever adopts it. None of it is the process's own to change.

use crate::confine::Limits;
use crate::process::is_runner;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// How far up is looked.
const MAX_DEPTH: usize = 4096;

/// The process because of which somebody is no person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ancestor {
    /// Its process id.
    pub pid: u32,
    /// What it is.
    pub what: &'static str,
}

/// The nearest sign that the process `pid` belongs to a running call; none: it does not. `marker` is the variable that
/// commands of a call get.
///
/// # Errors
/// The process's own place among the others cannot be read; then nobody can tell, and it must not answer.
pub fn running_call(pid: u32, marker: &str) -> std::io::Result<Option<Ancestor>> {
    let own = identity(pid)?;
    let limits = Limits::of(pid)?;
    let mut next = pid;
    for depth in 0..MAX_DEPTH {
        if depth > 0 && identity(next).is_ok_and(|other| other == own) {
            return Ok(Some(Ancestor {
                pid: next,
                what: "toolctl itself",
            }));
        }
        let found = if depth > 0 && is_runner(next) {
            Some("toolctl, which runs a call")
        } else if Limits::of(next).is_ok_and(|above| limits.exceed(above)) {
            Some("free of limits that this one has, as commands of calls have them")
        } else {
            None
        };
        if let Some(what) = found {
            return Ok(Some(Ancestor { pid: next, what }));
        }
        if started_with(next, marker) {
            return Ok(Some(Ancestor {
                pid: next,
                what: "a command that toolctl runs",
            }));
        }
        next = match parent(next) {
            Ok(0) => return Ok(None),
            Ok(above) => above,
            Err(error) if depth == 0 => return Err(error),
            // Processes of other users may be hidden: no call of ours runs there.
            Err(_) => return Ok(None),
        };
    }
    Err(std::io::Error::other("the processes above this one have no end"))
}

/// Device and inode of a process's program.
fn identity(pid: u32) -> std::io::Result<(u64, u64)> {
    let metadata = fs::metadata(format!("/proc/{pid}/exe"))?;
    Ok((metadata.dev(), metadata.ino()))
}

/// Whether a process was started with a variable, whatever it did with it afterwards.
fn started_with(pid: u32, name: &str) -> bool {
    let Ok(environment) = fs::read(Path::new("/proc").join(pid.to_string()).join("environ")) else {
        return false;
    };
    environment.split(|b| *b == 0).any(|entry| {
        entry
            .strip_prefix(name.as_bytes())
            .is_some_and(|rest| rest.first() == Some(&b'='))
    })
}

fn parent(pid: u32) -> std::io::Result<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name in parentheses may hold anything, parentheses and blanks too.
    let after = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
    let parent = after.split_whitespace().nth(1).and_then(|p| p.parse().ok());
    parent.ok_or_else(|| std::io::Error::other("the system tells no parent"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_marked_ancestor_is_found_whatever_the_process_says() {
        let mut child = Command::new("/bin/sh")
            .args(["-c", "env -u TOOLCTL_TEST_MARK sh -c 'echo $$; exec sleep 30' & wait"])
            .env("TOOLCTL_TEST_MARK", "1")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line).unwrap();
        let sleeper: u32 = line.trim().parse().unwrap();
        // Until it is another program, it is the same as its parent.
        let shell = identity(child.id()).unwrap();
        while identity(sleeper).unwrap() == shell {
            std::thread::yield_now();
        }
        let found = running_call(sleeper, "TOOLCTL_TEST_MARK").unwrap();
        assert_eq!(found.map(|a| a.pid), Some(child.id()));
        assert_eq!(running_call(sleeper, "TOOLCTL_TEST_OTHER").unwrap(), None);
        let _ = nix::sys::signal::kill(
            nix::unistd::Pid::from_raw(i32::try_from(sleeper).unwrap()),
            nix::sys::signal::Signal::SIGKILL,
        );
        child.wait().unwrap();
    }

    #[test]
    fn a_process_that_is_not_there_is_not_taken_for_a_person() {
        assert!(running_call(u32::MAX - 1, "X").is_err());
        assert_eq!(running_call(std::process::id(), "TOOLCTL_TEST_OTHER").unwrap(), None);
    }
}
