//! A child of this process, however it was started.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, pidfd_open, pidfd_send_signal, waitpid};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// A process that was started here and has not been cleared up behind.
#[derive(Debug)]
pub(super) struct Child {
    pid: Pid,
    /// How it ended, once that was asked for.
    status: Option<ExitStatus>,
}

impl Child {
    pub(super) fn of(pid: Pid) -> Self {
        Self { pid, status: None }
    }

    pub(super) fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// How it ended, where it has.
    ///
    /// # Errors
    /// Somebody else has cleared up behind it.
    pub(super) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.look(WaitOptions::NOHANG)
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// Somebody else has cleared up behind it.
    pub(super) fn wait(&mut self) -> io::Result<()> {
        while self.look(WaitOptions::empty())?.is_none() {}
        Ok(())
    }

    /// Waits for its end, and ends it when it takes longer than that. What is waited for is clear only to whoever asks next.
    ///
    /// # Errors
    /// It cannot be followed.
    pub(super) fn end_within(&self, longest: Duration) -> io::Result<()> {
        let file = pidfd_open(self.pid, PidfdFlags::empty())?;
        let deadline = Instant::now() + longest;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).map_err(io::Error::other)?;
            match poll(&mut [PollFd::new(&file, PollFlags::IN)], Some(&left)) {
                Ok(0) => return Ok(pidfd_send_signal(&file, Signal::KILL)?),
                Ok(_) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn look(&mut self, options: WaitOptions) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            match waitpid(Some(self.pid), options) {
                Ok(ended) => self.status = ended.map(|(_, status)| exit_status(status)),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.status)
    }
}

fn exit_status(status: WaitStatus) -> ExitStatus {
    ExitStatus::from_raw(status.as_raw())
}
