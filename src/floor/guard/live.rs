//! Watches while a run goes on: files that other programs obey and a command plants are quarantined soon after, not when it ends.
//!
//! The system tells of changes in the directories that were looked into, so that nothing is looked at while nothing changes.
//! Where it cannot, it is looked now and then. A file that is being written is not judged by its half: what is wrong must be so
//! at two looks.

use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
use rustix::io::Errno;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Most runs are over before.
const FIRST: Duration = Duration::from_millis(400);
/// Between two looks where something changes, and how much longer than a look that is at least.
const CHANGED: (Duration, u32) = (Duration::from_millis(250), 8);
/// The same where nobody tells of changes.
const BLIND: (Duration, u32) = (Duration::from_millis(600), 20);
/// The same where nothing changes: a write through a memory mapping sends no event.
const QUIET: (Duration, u32) = (Duration::from_secs(10), 100);

/// Tells of changes in directories.
#[derive(Debug)]
pub(super) struct Changes {
    queue: Option<OwnedFd>,
    /// Whether there is a directory of which nobody tells.
    blind: Cell<bool>,
}

impl Changes {
    fn new() -> Self {
        let queue = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok();
        Self {
            blind: Cell::new(queue.is_none()),
            queue,
        }
    }

    /// From now on, changes in a directory are reported. It must be listed afterwards, not before.
    pub(super) fn watch(&self, directory: &Path) {
        let Some(queue) = &self.queue else { return };
        let made = WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::DELETE | WatchFlags::MOVED_FROM;
        let written = WatchFlags::MODIFY | WatchFlags::CLOSE_WRITE | WatchFlags::ATTRIB;
        let of = WatchFlags::ONLYDIR | WatchFlags::DONT_FOLLOW;
        match add_watch(queue, directory, made | written | of) {
            Ok(_) | Err(Errno::NOENT | Errno::NOTDIR) => {}
            Err(_) => self.blind.set(true),
        }
    }

    /// Whether anything was reported since the last call.
    fn any(&self) -> bool {
        let mut told = false;
        let mut buffer = [0; 4096];
        while let Some(queue) = &self.queue {
            match rustix::io::read(queue, &mut buffer) {
                Ok(count) if count > 0 => told = true,
                _ => break,
            }
        }
        told
    }
}

/// When it is looked, and what is suspected.
#[derive(Debug)]
pub(super) struct Live {
    /// Made with the first look.
    changes: Option<Changes>,
    changed: bool,
    due: Instant,
    /// What was wrong at the last look.
    suspected: RefCell<BTreeSet<PathBuf>>,
    /// What is wrong at this one.
    wrong: RefCell<BTreeSet<PathBuf>>,
}

impl Live {
    /// For a run that begins now.
    pub(super) fn new() -> Self {
        Self {
            changes: None,
            changed: true,
            due: Instant::now() + FIRST,
            suspected: RefCell::default(),
            wrong: RefCell::default(),
        }
    }

    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// What becomes readable when something changes; none where it is looked soon anyway.
    pub(super) fn wakes(&self) -> Option<BorrowedFd<'_>> {
        let changes = self.changes.as_ref().filter(|_| !self.changed)?;
        changes.queue.as_ref().map(AsFd::as_fd)
    }

    /// Looks where it is time; `look` is given who is to be told of what is looked into.
    pub(super) fn look<T>(&mut self, look: impl FnOnce(&Changes, &Self) -> T) -> Option<T> {
        let begin = Instant::now();
        if !self.changed && self.changes.as_ref().is_some_and(Changes::any) {
            self.changed = true;
            // The last look is over for long, or it comes after that.
            self.due = self.due.min(begin + CHANGED.0);
        }
        if begin < self.due {
            return None;
        }
        let changes = self.changes.take().unwrap_or_else(Changes::new);
        // What changes from here on is looked at next time.
        changes.any();
        let done = look(&changes, self);
        *self.suspected.get_mut() = std::mem::take(self.wrong.get_mut());
        self.changed = !self.suspected.get_mut().is_empty();
        let (least, times) = match (self.changed, changes.blind.get()) {
            (true, _) => CHANGED,
            (false, true) => BLIND,
            (false, false) => QUIET,
        };
        self.due = Instant::now() + least.max(begin.elapsed() * times);
        self.changes = Some(changes);
        Some(done)
    }

    /// Whether what is wrong with a path was so at the last look as well.
    pub(super) fn confirms(&self, path: &Path) -> bool {
        let known = self.suspected.borrow().contains(path);
        if !known {
            self.wrong.borrow_mut().insert(path.to_owned());
        }
        known
    }
}
