//! What this process has started: its children, and the groups and control groups of its jobs.

use super::cgroup::Cgroup;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

/// What this process has started.
#[derive(Debug)]
pub(super) struct Registry {
    /// Direct children that have not been reaped: stages of jobs, and what was started to outlive them.
    pub(super) children: BTreeSet<u32>,
    /// Whether this process lives for one job alone: whatever it adopts belongs to that.
    pub(super) own_life: bool,
    /// Process groups, and the job that each was made for; also of jobs that ended and left something running.
    pub(super) groups: BTreeMap<u32, u64>,
    /// Jobs that run now, and whether another has run beside each.
    pub(super) running: BTreeMap<u64, bool>,
    /// Control groups of jobs; also of those that ended and left something running.
    pub(super) cgroups: BTreeMap<u64, Arc<Cgroup>>,
    /// The number of the job that began last.
    pub(super) next: u64,
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

/// Keeps any child from being started while this is held.
pub(super) fn none_starts() -> RwLockWriteGuard<'static, ()> {
    STARTING.write().unwrap_or_else(PoisonError::into_inner)
}

/// To be held from before a child is started until it is noted.
pub(super) fn starting() -> RwLockReadGuard<'static, ()> {
    STARTING.read().unwrap_or_else(PoisonError::into_inner)
}

/// What was started so far.
pub(super) fn started() -> MutexGuard<'static, Registry> {
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

/// Forgets a child that was reaped.
pub(super) fn forget(pid: u32) {
    started().children.remove(&pid);
}

/// The same as [`watched`], but nothing where somebody else holds the registry: for an end by force.
pub(super) fn watched_unless_busy() -> Vec<(u32, Option<PathBuf>)> {
    match STARTED.try_lock() {
        Ok(registry) => registry.watched(),
        Err(TryLockError::Poisoned(registry)) => registry.into_inner().watched(),
        Err(TryLockError::WouldBlock) => Vec::new(),
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
