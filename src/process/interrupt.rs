//! What ends a run from outside: SIGINT, SIGTERM, SIGHUP, and the death of the process that called.

use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// Descriptors that become readable when the run must end. While it lives, the signals are blocked in this thread and
/// those it starts; programs that are started get them unblocked.
#[derive(Debug)]
pub struct Interrupts {
    signals: SignalFd,
    before: SigSet,
    parent: Option<OwnedFd>,
    /// Whether only SIGTERM counts: the others are for the programs in a terminal, of which this process is one.
    only_term: bool,
}

impl Interrupts {
    /// Begins to listen.
    ///
    /// # Errors
    /// When the system refuses a signal descriptor.
    pub fn listen() -> std::io::Result<Self> {
        let mut interrupts = Self::of_signals()?;
        interrupts.parent = parent();
        Ok(interrupts)
    }

    /// Begins to listen to signals alone: the process goes on when its caller is gone.
    ///
    /// # Errors
    /// When the system refuses a signal descriptor.
    pub fn of_signals() -> std::io::Result<Self> {
        let mut set = SigSet::empty();
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
            set.add(signal);
        }
        let before = SigSet::thread_get_mask()?;
        set.thread_block()?;
        let signals = SignalFd::with_flags(&set, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
        Ok(Self {
            signals,
            before,
            parent: None,
            only_term: false,
        })
    }

    /// Begins to listen in a life of its own: to SIGTERM, and where `caller`, to the death of who began it.
    ///
    /// # Errors
    /// When the system refuses a signal descriptor.
    pub fn of_life(caller: bool) -> std::io::Result<Self> {
        let mut stops = SigSet::empty();
        for signal in [Signal::SIGQUIT, Signal::SIGTSTP, Signal::SIGTTIN, Signal::SIGTTOU] {
            stops.add(signal);
        }
        stops.thread_block()?;
        let mut interrupts = Self::of_signals()?;
        // What the keys of a terminal send is taken here, so that nobody finds it later.
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
            stops.add(signal);
        }
        interrupts.signals.set_mask(&stops)?;
        interrupts.only_term = true;
        if caller {
            interrupts.parent = parent();
        }
        Ok(interrupts)
    }

    /// The descriptors, for whoever waits for other things as well.
    pub fn ends(&self) -> Vec<BorrowedFd<'_>> {
        std::iter::once(self.signals()).chain(self.parent()).collect()
    }

    /// Whether the run must end: a signal has come (it is taken), or the caller is gone.
    pub fn ended(&self) -> bool {
        self.pending()
    }

    pub(super) fn signals(&self) -> BorrowedFd<'_> {
        self.signals.as_fd()
    }

    pub(super) fn parent(&self) -> Option<BorrowedFd<'_>> {
        self.parent.as_ref().map(AsFd::as_fd)
    }

    /// Whether one of the signals has come; takes it.
    pub fn taken(&self) -> bool {
        while let Ok(Some(signal)) = self.signals.read_signal() {
            if !self.only_term || i32::try_from(signal.ssi_signo) == Ok(Signal::SIGTERM as i32) {
                return true;
            }
        }
        false
    }

    /// Whether the run must end: a signal has come (it is taken), or the caller is gone.
    pub(super) fn pending(&self) -> bool {
        self.taken() || self.parent().is_some_and(gone)
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        // The mask was readable before, so it can be set again; if not, the signals stay blocked and nothing is lost.
        let _ = self.before.thread_set_mask();
    }
}

/// Whether the process behind a descriptor has ended.
fn gone(process: BorrowedFd<'_>) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    let now = rustix::time::Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut fds = [PollFd::from_borrowed_fd(process, PollFlags::IN)];
    poll(&mut fds, Some(&now)).is_ok_and(|ready| ready > 0)
}

/// A descriptor of the calling process; none where it is init, or the system has none to give.
fn parent() -> Option<OwnedFd> {
    let parent = rustix::process::getppid()?;
    if parent.is_init() {
        return None;
    }
    rustix::process::pidfd_open(parent, rustix::process::PidfdFlags::empty()).ok()
}
