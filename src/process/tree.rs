//! Which processes belong to a job, and ends them all: also what left its group or was orphaned.

use super::cgroup::{self, Cgroup};
use super::watchman;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, getpgid};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CStr;
use std::fs;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, RwLock, RwLockReadGuard, TryLockError};
use std::time::{Duration, Instant};

/// What a process is called that runs jobs.
const RUNNER: &str = "toolctl-run";
/// And one that goes on with a job in the background.
const STAYS: &CStr = c"toolctl-process";

/// Takes the name by which everything below it is known to belong to a job: nobody but a process itself can change it.
fn take_name() {
    static ONCE: Once = Once::new();
    // Where the system refuses, the other signs are left.
    ONCE.call_once(|| drop(fs::write("/proc/self/comm", RUNNER)));
}

/// Takes the name of one that goes on in the background.
pub fn take_name_of_staying() {
    let _ = nix::sys::prctl::set_name(STAYS);
}

/// Whether a process bears the name of one that runs jobs.
///
/// # Errors
/// It is not there, or the system does not tell.
pub fn is_runner(pid: u32) -> std::io::Result<bool> {
    let name = fs::read(format!("/proc/{pid}/comm"))?;
    let name = name.trim_ascii_end();
    Ok(name == RUNNER.as_bytes() || name == STAYS.to_bytes())
}

/// Tells the processes of jobs apart that run at the same time; set only for those that begin beside another.
pub(super) const MARKER: &str = "TOOLCTL_JOB";

/// What this process has started.
#[derive(Debug)]
struct Registry {
    /// Direct children that have not been reaped: stages of jobs, and what was started to outlive them.
    children: BTreeSet<u32>,
    /// Whether this process lives for one job alone: whatever it adopts belongs to that.
    own_life: bool,
    /// Process groups, and the job that each was made for; also of jobs that ended and left something running.
    groups: BTreeMap<u32, u64>,
    /// Jobs that run now, and whether another has run beside each.
    running: BTreeMap<u64, bool>,
    /// Control groups of jobs; also of those that ended and left something running.
    cgroups: BTreeMap<u64, Arc<Cgroup>>,
    next: u64,
}

static STARTED: Mutex<Registry> = Mutex::new(Registry {
    children: BTreeSet::new(),
    own_life: false,
    groups: BTreeMap::new(),
    running: BTreeMap::new(),
    cgroups: BTreeMap::new(),
    next: 0,
});

/// Held while a child is started and noted: one that is not noted yet must not be taken for an orphan of another job.
static STARTING: RwLock<()> = RwLock::new(());

/// To be held from before a child is started until it is noted.
pub(super) fn starting() -> RwLockReadGuard<'static, ()> {
    STARTING.read().unwrap_or_else(PoisonError::into_inner)
}

fn started() -> MutexGuard<'static, Registry> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a child that was started here.
pub(super) fn register(pid: u32) {
    started().children.insert(pid);
}

/// Runs a program of a test to its end: noted, so that no job of another test takes it for an orphan of its own.
#[cfg(test)]
pub(crate) fn noted(command: &mut std::process::Command) -> std::io::Result<std::process::Output> {
    use std::process::Stdio;
    let starting = starting();
    let streams = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = streams.spawn()?;
    let pid = child.id();
    register(pid);
    drop(starting);
    let ran = child.wait_with_output();
    forget(pid);
    ran
}

/// This process has just come to be as a copy of another: the children of that one are not its own.
pub(super) fn born() {
    let mut registry = started();
    registry.children.clear();
    registry.own_life = true;
    registry.groups.clear();
    registry.running.clear();
    registry.cgroups.clear();
    registry.next = 0;
}

/// Clears up behind orphans that ended here. What was started here is waited for where it was started.
pub fn reap_orphans() {
    use rustix::process::{Pid, WaitOptions, waitpid};
    let _none_starts = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    let registry = started();
    for child in children(std::process::id()) {
        if !registry.children.contains(&child)
            && let Some(pid) = i32::try_from(child).ok().and_then(Pid::from_raw)
        {
            // It has not ended yet, or nobody needs its status.
            let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        }
    }
}

/// What was found running where nothing should.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// Nothing.
    Nothing,
    /// Something, which was ended.
    Ended,
    /// Something that did not end.
    GoesOn,
}

/// Ends what was left running here by jobs that have ended: the polite signal, so long, the last one. A process that does
/// not live for one job alone has other children as well, and ends only what the control groups of its jobs hold.
pub fn end_orphans(patience: Duration) -> Left {
    let begin = Instant::now();
    let (mut polite, mut looked) = (true, false);
    let mut found = Left::Nothing;
    loop {
        reap_orphans();
        let (left, cgroups) = (adopted(), occupied());
        if left.is_empty() && cgroups.is_empty() {
            // What is just being replaced by its child may be seen as neither.
            if looked || is_childless() {
                return found;
            }
            looked = true;
            continue;
        }
        (found, looked) = (Left::Ended, false);
        let over = begin.elapsed() > patience;
        if over {
            for cgroup in &cgroups {
                cgroup.kill();
            }
        }
        if over || std::mem::take(&mut polite) {
            let signal = if over { Signal::SIGKILL } else { Signal::SIGTERM };
            let members = cgroups.iter().flat_map(|cgroup| cgroup.members());
            send(left.into_iter().chain(members).collect(), signal);
        }
        if begin.elapsed() > patience * 8 {
            // What the kernel holds back ends when it lets go.
            return Left::GoesOn;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whether this process has no child at all, by the word of the system.
fn is_childless() -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::All, look), Err(rustix::io::Errno::CHILD))
}

/// The control groups in which something is left of a job that is over; the others of such jobs are removed.
fn occupied() -> Vec<Arc<Cgroup>> {
    let mut registry = started();
    let Registry {
        own_life,
        running,
        cgroups,
        ..
    } = &mut *registry;
    let over = |job: &u64| *own_life || !running.contains_key(job);
    cgroups.retain(|job, cgroup| !over(job) || !cgroup.remove());
    let left = cgroups.iter().filter(|(job, _)| over(job));
    left.map(|(_, cgroup)| Arc::clone(cgroup)).collect()
}

/// What is left here of the job that this process lives for.
fn adopted() -> BTreeSet<u32> {
    if started().own_life {
        left_here()
    } else {
        BTreeSet::new()
    }
}

/// Sends a signal to each of these.
fn send(pids: BTreeSet<u32>, signal: Signal) {
    for pid in pids.into_iter().filter_map(|pid| i32::try_from(pid).ok()) {
        if pid > 1 {
            // One that has ended meanwhile needs no signal.
            let _ = kill(Pid::from_raw(pid), signal);
        }
    }
}

/// Every process below this one but those that were started here to go on.
fn left_here() -> BTreeSet<u32> {
    let _none_starts = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    let registry = started();
    let mut queue: Vec<u32> = children(std::process::id());
    queue.retain(|pid| !registry.children.contains(pid));
    let mut seen = BTreeSet::new();
    while let Some(pid) = queue.pop() {
        if seen.len() < 4096 && seen.insert(pid) {
            queue.extend(children(pid));
        }
    }
    seen
}

/// Whether this child of this process is all that was left here, and has no child itself. False where the system does not
/// tell.
pub(super) fn is_alone(pid: u32) -> bool {
    children(std::process::id()).contains(&pid) && children(pid).is_empty() && left_here().is_empty()
}

/// Forgets a child that was reaped.
pub(super) fn forget(pid: u32) {
    started().children.remove(&pid);
}

/// Kills everything that belongs to the jobs that run now, without waiting for a lock.
pub(super) fn kill_running() {
    let watched = match STARTED.try_lock() {
        Ok(registry) => registry.watched(),
        Err(TryLockError::Poisoned(registry)) => registry.into_inner().watched(),
        Err(TryLockError::WouldBlock) => Vec::new(),
    };
    for (leader, cgroup) in watched {
        kill_job(leader, cgroup.as_deref());
    }
}

/// Kills a group, everything below its leader, and everything in the control group at this place.
pub(super) fn kill_job(leader: u32, cgroup: Option<&Path>) {
    // What is below is looked for first: it has no parent any more once the group is gone.
    signal_below(vec![leader], Signal::SIGKILL);
    kill_group(leader, Signal::SIGKILL);
    if let Some(cgroup) = cgroup {
        cgroup::end(cgroup);
    }
}

/// The leaders of the groups whose jobs run now, and their control groups.
pub(super) fn watched() -> Vec<(u32, Option<PathBuf>)> {
    started().watched()
}

impl Registry {
    /// The leaders of the groups whose jobs run now, and their control groups.
    fn watched(&self) -> Vec<(u32, Option<PathBuf>)> {
        let running = self.groups.iter().filter(|(_, job)| self.running.contains_key(*job));
        let place = |job| self.cgroups.get(job).map(|cgroup| cgroup.path().to_owned());
        running.map(|(leader, job)| (*leader, place(job))).collect()
    }
}

/// Signals a process group; one that is gone needs no signal.
fn kill_group(leader: u32, signal: Signal) {
    if let Some(group) = i32::try_from(leader).ok().filter(|group| *group > 1) {
        let _ = killpg(Pid::from_raw(group), signal);
    }
}

/// Signals these processes and everything below them; at most a few thousand.
fn signal_below(mut queue: Vec<u32>, signal: Signal) {
    let own = std::process::id();
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    while let Some(pid) = queue.pop() {
        if seen.len() > 4096 || pid == own || !seen.insert(pid) {
            continue;
        }
        queue.extend(children(pid));
    }
    send(seen, signal);
}

/// The processes of one job.
#[derive(Debug)]
pub(super) struct Tree {
    job: u64,
    leader: Option<u32>,
    /// Orphans that were here before it began.
    before: BTreeSet<u32>,
    marker: Option<String>,
    cgroup: Option<Arc<Cgroup>>,
}

impl Tree {
    /// Begins a job. Its orphans become children of this process, so that they can be found and ended.
    pub(super) fn begin() -> Self {
        take_name();
        // Where the system refuses, the group kill is what is left.
        let _ = nix::sys::prctl::set_child_subreaper(true);
        let own = std::process::id();
        let mut registry = started();
        registry.next += 1;
        let job = registry.next;
        let beside = !registry.running.is_empty();
        registry.running.values_mut().for_each(|overlapped| *overlapped = true);
        registry.running.insert(job, beside);
        let before = children(own)
            .into_iter()
            .filter(|pid| !registry.children.contains(pid))
            .collect();
        Self {
            job,
            leader: None,
            before,
            marker: beside.then(|| format!("{own}-{job}")),
            cgroup: None,
        }
    }

    /// The same with a control group for what will be started, where one is to be had.
    pub(super) fn with_cgroup(mut self) -> Self {
        self.cgroup = Cgroup::make(self.job).map(Arc::new);
        if let Some(cgroup) = &self.cgroup {
            started().cgroups.insert(self.job, Arc::clone(cgroup));
        }
        self
    }

    /// The directory of its control group.
    pub(super) fn cgroup(&self) -> Option<BorrowedFd<'_>> {
        self.cgroup.as_ref().map(|cgroup| cgroup.directory())
    }

    /// What its processes find in their environment, where another job runs beside it.
    pub(super) fn marker(&self) -> Option<&str> {
        self.marker.as_deref()
    }

    /// The process group that its next stage joins; 0 = one of its own.
    pub(super) fn group(&self) -> i32 {
        self.leader.and_then(|pid| i32::try_from(pid).ok()).unwrap_or(0)
    }

    /// Notes a stage; the first one leads the group.
    pub(super) fn add(&mut self, pid: u32) {
        let mut registry = started();
        registry.children.insert(pid);
        if self.leader.is_none() {
            self.leader = Some(pid);
            registry.groups.insert(pid, self.job);
            drop(registry);
            watchman::runs(pid, self.cgroup.as_ref().map(|cgroup| cgroup.path()));
        }
    }

    /// Signals everything below `roots`, the group, and every orphan of this job; at most a few thousand processes.
    /// What belongs to other jobs is left alone.
    pub(super) fn signal(&self, roots: &[u32], signal: Signal) {
        let mut queue: Vec<u32> = roots.to_vec();
        if let Some(cgroup) = &self.cgroup {
            if signal == Signal::SIGKILL {
                cgroup.kill();
            }
            queue.extend(cgroup.members());
        }
        if let Some(leader) = self.leader {
            kill_group(leader, signal);
        }
        queue.extend(self.orphans(std::process::id()));
        signal_below(queue, signal);
    }

    /// Whether its group or an orphan of it is there.
    pub(super) fn goes_on(&self) -> bool {
        let group = self.leader.and_then(|pid| i32::try_from(pid).ok());
        group.is_some_and(|group| killpg(Pid::from_raw(group), None).is_ok())
            || self.cgroup.as_ref().is_some_and(|cgroup| !cgroup.members().is_empty())
            || !self.orphans(std::process::id()).is_empty()
    }

    /// The orphans that this process has adopted from the job.
    fn orphans(&self, own: u32) -> Vec<u32> {
        let _none_starts = STARTING.write().unwrap_or_else(PoisonError::into_inner);
        let registry = started();
        let alone = registry.running.get(&self.job).is_some_and(|overlapped| !overlapped);
        children(own)
            .into_iter()
            .filter(|pid| !registry.children.contains(pid) && !self.before.contains(pid))
            .filter(
                |pid| match group_of(*pid).and_then(|group| registry.groups.get(&group)) {
                    Some(job) => *job == self.job,
                    None => alone || marker_of(*pid) == self.marker,
                },
            )
            .collect()
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        if let Some(leader) = self.leader {
            watchman::ended(leader);
        }
        let mut registry = started();
        registry.running.remove(&self.job);
        if self.cgroup.as_ref().is_some_and(|cgroup| cgroup.remove()) {
            registry.cgroups.remove(&self.job);
        }
        // A group that lives on keeps its number, so that nobody takes it for another's.
        if let Some(leader) = self.leader
            && let Ok(group) = i32::try_from(leader)
            && killpg(Pid::from_raw(group), None).is_err()
        {
            registry.groups.remove(&leader);
        }
    }
}

fn group_of(pid: u32) -> Option<u32> {
    let group = getpgid(Some(Pid::from_raw(i32::try_from(pid).ok()?))).ok()?;
    u32::try_from(group.as_raw()).ok()
}

fn marker_of(pid: u32) -> Option<String> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    environment.split(|byte| *byte == 0).find_map(|entry| {
        let value = entry.strip_prefix(MARKER.as_bytes())?.strip_prefix(b"=")?;
        Some(String::from_utf8_lossy(value).into_owned())
    })
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
