//! A lock between processes. It dies with its process, however that ends.

use super::fault::StateFault;
use super::store::Store;
use crate::uninterrupted::{flock, openat};
use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A lock of the store, held until it is dropped.
#[derive(Debug)]
pub struct Guard {
    _fd: OwnedFd,
}

impl Store {
    /// Takes the lock `name`, waiting for whoever has it; the lock is a file of that name, made where it is missing.
    ///
    /// # Errors
    /// Another process holds it for longer than `patience`, or the file cannot be made.
    pub fn guard(&self, name: &str, patience: Duration) -> Result<Guard, StateFault> {
        let fd = self.lock_file(name)?;
        wait(&fd, &self.path().join(name), patience)?;
        Ok(Guard { _fd: fd })
    }

    /// Takes the lock `name`; `None` where another process has it.
    ///
    /// # Errors
    /// The file cannot be made or locked.
    pub fn try_guard(&self, name: &str) -> Result<Option<Guard>, StateFault> {
        let fd = self.lock_file(name)?;
        match flock(&fd, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Guard { _fd: fd })),
            Err(Errno::AGAIN | Errno::INTR) => Ok(None),
            Err(error) => Err(StateFault::io(&self.path().join(name), "lock the file", error)),
        }
    }

    fn lock_file(&self, name: &str) -> Result<OwnedFd, StateFault> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let path = self.path().join(name);
        let fd = openat(self.fd(), name, flags, Mode::RUSR | Mode::WUSR)
            .map_err(|e| StateFault::io(&path, "open the file", e))?;
        self.own_file(&fd, &path)?;
        Ok(fd)
    }
}

/// Waits for the lock of an open file.
pub(super) fn wait(fd: impl AsFd, path: &Path, patience: Duration) -> Result<(), StateFault> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match flock(&fd, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) if start.elapsed() < patience => {
                sleep(pause);
                pause = (pause * 3 / 2).min(Duration::from_millis(4));
            }
            Err(Errno::AGAIN) => return Err(StateFault::busy(path, patience.as_secs())),
            Err(error) => return Err(StateFault::io(path, "lock the file", error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time() {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::create(&temp.path().join("s"), rustix::process::geteuid().as_raw()).unwrap();
        let held = store.guard("lock", Duration::ZERO).unwrap();
        assert!(store.try_guard("lock").unwrap().is_none());
        assert!(store.guard("lock", Duration::from_millis(5)).unwrap_err().busy);
        drop(held);
        // A program that another test is just starting still holds what this process held.
        assert!(store.guard("lock", Duration::from_secs(20)).is_ok());
    }

    #[test]
    fn a_lock_that_leads_elsewhere_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::create(&temp.path().join("s"), rustix::process::geteuid().as_raw()).unwrap();
        std::os::unix::fs::symlink("/dev/null", store.path().join("lock")).unwrap();
        assert!(store.guard("lock", Duration::ZERO).is_err());
        assert!(store.try_guard("lock").is_err());
    }
}
