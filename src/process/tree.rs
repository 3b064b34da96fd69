//! Ends whole process trees, also what left its group or was orphaned.

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Direct children that were started here and have not been reaped: other jobs, and what was started to outlive them.
static STARTED: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn started() -> MutexGuard<'static, BTreeSet<u32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a child that was started here.
pub(super) fn register(pid: u32) {
    started().insert(pid);
}

/// Forgets a child that was reaped.
pub(super) fn forget(pid: u32) {
    started().remove(&pid);
}

/// Makes orphans of what is started here children of this process, so that they can be found and ended.
pub(super) fn adopt_orphans() {
    // Where the system refuses, the group kill is what is left.
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Signals a process group; one that is gone needs none.
pub(super) fn kill_group(leader: u32, signal: Signal) {
    if let Ok(leader) = i32::try_from(leader)
        && leader > 1
    {
        let _ = killpg(Pid::from_raw(leader), signal);
    }
}

/// Signals everything below `roots`, and every orphan that this process has adopted; at most a few thousand processes.
/// Other jobs' children are left alone.
pub(super) fn kill_descendants(roots: &[u32], signal: Signal) {
    let own = std::process::id();
    let mut queue: Vec<u32> = roots.to_vec();
    {
        let mine = started();
        queue.extend(children(own).into_iter().filter(|pid| !mine.contains(pid)));
    }
    let mut seen: Vec<u32> = Vec::new();
    while let Some(pid) = queue.pop() {
        if seen.len() > 4096 || seen.contains(&pid) || pid == own {
            continue;
        }
        seen.push(pid);
        queue.extend(children(pid));
    }
    for pid in seen {
        if let Ok(pid) = i32::try_from(pid)
            && pid > 1
        {
            // One that ended meanwhile needs no signal.
            let _ = kill(Pid::from_raw(pid), signal);
        }
    }
}

fn children(pid: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|list| {
            list.split_ascii_whitespace()
                .filter_map(|p| p.parse().ok())
                .collect::<Vec<u32>>()
        })
        .collect()
}
