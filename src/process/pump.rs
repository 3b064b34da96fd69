//! Moves a job's bytes until it ends: input in, output out, limits watched. One thread, one poll.

use super::interrupt::Interrupts;
use super::job::{Job, Member, Started};
use super::tree;
use nix::sys::signal::Signal;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{PidfdFlags, pidfd_open};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// Which stream bytes came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Takes output as it comes.
pub trait Sink {
    /// Takes the next bytes of a stream.
    fn take(&mut self, stream: Stream, bytes: &[u8]);
}

/// How long a job may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// When it is ended; none = never.
    pub deadline: Option<Instant>,
    /// Between the polite signal and the last one.
    pub grace: Duration,
}

/// How a job's last stage ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal.
    Signaled(i32),
    /// At its deadline, its tree killed.
    TimedOut,
    /// Because toolctl was interrupted, its tree killed.
    Cancelled,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The last stage's end.
    pub end: End,
    /// Every stage's exit status as a shell would give it (128 + signal).
    pub statuses: Vec<i32>,
}

/// How long output is awaited from something that the job left running with its output open.
const LINGER: Duration = Duration::from_millis(150);
const CHUNK: usize = 64 * 1024;

/// Runs a job to its end.
///
/// # Errors
/// When a stage cannot be started (not found, not executable), or the system refuses a pipe or a poll; then nothing of it runs on.
pub fn run(job: Job, limits: &Limits, interrupts: &Interrupts, sink: &mut dyn Sink) -> io::Result<Ended> {
    tree::adopt_orphans();
    let started = job.start()?;
    let mut pump = Pump::new(started, limits.grace);
    let result = pump.drive(limits, interrupts, sink);
    if result.is_err() {
        pump.kill(Signal::SIGKILL);
    }
    result
}

/// A stage, as it is watched.
struct Watched {
    child: Option<Child>,
    /// Readable when it has ended.
    pidfd: Option<OwnedFd>,
    status: Option<ExitStatus>,
}

impl Watched {
    fn new(member: Member) -> Self {
        match member {
            Member::Running(child) => {
                let pid = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
                Self {
                    pidfd: pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()),
                    child: Some(child),
                    status: None,
                }
            }
            Member::Ended(status) => Self {
                child: None,
                pidfd: None,
                status: Some(ExitStatus::from_raw((status & 0xff) << 8)),
            },
        }
    }
}

struct Pump {
    members: Vec<Watched>,
    stdin: Option<(File, Vec<u8>, usize)>,
    stdout: Option<File>,
    stderr: Option<File>,
    grace: Duration,
    stopping: Option<(End, Instant)>,
    buffer: Vec<u8>,
}

impl Pump {
    fn new(started: Started, grace: Duration) -> Self {
        Self {
            members: started.members.into_iter().map(Watched::new).collect(),
            stdin: started.stdin.map(|(file, bytes)| (file, bytes, 0)),
            stdout: started.stdout,
            stderr: started.stderr,
            grace,
            stopping: None,
            buffer: vec![0; CHUNK],
        }
    }

    fn drive(&mut self, limits: &Limits, interrupts: &Interrupts, sink: &mut dyn Sink) -> io::Result<Ended> {
        let mut exited_at: Option<Instant> = None;
        loop {
            self.reap()?;
            let done = self.members.iter().all(|m| m.status.is_some());
            if done {
                let since = *exited_at.get_or_insert_with(Instant::now);
                let silent = self.stdout.is_none() && self.stderr.is_none();
                if silent || since.elapsed() >= LINGER || self.stopping.is_some() {
                    break;
                }
            }
            self.enforce(limits);
            let wait = self.next_wakeup(limits, exited_at);
            self.wait(interrupts, wait, sink)?;
        }
        if self.stopping.is_some() {
            self.kill(Signal::SIGKILL);
        }
        let statuses: Vec<i32> = self.members.iter().map(|m| m.status.map_or(0, shell_status)).collect();
        let last = self.members.last().and_then(|m| m.status);
        let end = match (self.stopping, last) {
            (Some((end, _)), _) => end,
            (None, Some(status)) => match (status.code(), status.signal()) {
                (Some(code), _) => End::Exited(code),
                (None, signal) => End::Signaled(signal.unwrap_or(0)),
            },
            (None, None) => End::Exited(0),
        };
        Ok(Ended { end, statuses })
    }

    fn reap(&mut self) -> io::Result<()> {
        for member in &mut self.members {
            if member.status.is_none()
                && let Some(child) = &mut member.child
                && let Some(ended) = child.try_wait()?
            {
                tree::forget(child.id());
                member.status = Some(ended);
                member.pidfd = None;
            }
        }
        Ok(())
    }

    /// Begins to stop at the deadline; ends what is still there after the grace period.
    fn enforce(&mut self, limits: &Limits) {
        let now = Instant::now();
        match self.stopping {
            None => {
                if limits.deadline.is_some_and(|d| now >= d) {
                    self.stop(End::TimedOut);
                }
            }
            Some((_, at)) if now >= at + self.grace => self.kill(Signal::SIGKILL),
            Some(_) => {}
        }
    }

    fn stop(&mut self, end: End) {
        if self.stopping.is_none() {
            self.stopping = Some((end, Instant::now()));
            self.kill(Signal::SIGTERM);
        }
    }

    fn kill(&mut self, signal: Signal) {
        if let Some(leader) = self.members.iter().find_map(|m| m.child.as_ref()) {
            tree::kill_group(leader.id(), signal);
        }
        let running = self.members.iter().filter(|m| m.status.is_none());
        let roots: Vec<u32> = running.filter_map(|m| m.child.as_ref()).map(Child::id).collect();
        tree::kill_descendants(&roots, signal);
    }

    fn next_wakeup(&self, limits: &Limits, exited_at: Option<Instant>) -> Option<Duration> {
        let stop = self.stopping.map(|(_, at)| at + self.grace).or(limits.deadline);
        let linger = exited_at.map(|at| at + LINGER);
        let unwatched = self.members.iter().any(|m| m.status.is_none() && m.pidfd.is_none());
        let mut next = [stop, linger].into_iter().flatten().min();
        if unwatched {
            // Without a descriptor for the child, its end must be asked for.
            let soon = Instant::now() + Duration::from_millis(10);
            next = Some(next.map_or(soon, |n| n.min(soon)));
        }
        next.map(|at| at.saturating_duration_since(Instant::now()))
    }

    fn wait(&mut self, interrupts: &Interrupts, timeout: Option<Duration>, sink: &mut dyn Sink) -> io::Result<()> {
        let mut sources = Vec::with_capacity(8);
        let mut fds = Vec::with_capacity(8);
        if self.stopping.is_none() {
            sources.push(Source::Signals);
            fds.push(PollFd::from_borrowed_fd(interrupts.signals(), PollFlags::IN));
            if let Some(parent) = interrupts.parent() {
                sources.push(Source::Parent);
                fds.push(PollFd::from_borrowed_fd(parent, PollFlags::IN));
            }
        }
        if let Some((file, ..)) = &self.stdin {
            sources.push(Source::Stdin);
            fds.push(PollFd::from_borrowed_fd(file.as_fd(), PollFlags::OUT));
        }
        for (file, source) in [(&self.stdout, Source::Stdout), (&self.stderr, Source::Stderr)] {
            if let Some(file) = file {
                sources.push(source);
                fds.push(PollFd::from_borrowed_fd(file.as_fd(), PollFlags::IN));
            }
        }
        for pidfd in self.members.iter().filter_map(|m| m.pidfd.as_ref()) {
            sources.push(Source::Child);
            fds.push(PollFd::from_borrowed_fd(pidfd.as_fd(), PollFlags::IN));
        }
        let timeout = timeout.map(|t| rustix::time::Timespec {
            tv_sec: i64::try_from(t.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(t.subsec_nanos()),
        });
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        let ready: Vec<Source> = fds
            .iter()
            .zip(&sources)
            .filter(|(fd, _)| !fd.revents().is_empty())
            .map(|(_, s)| *s)
            .collect();
        drop(fds);
        for source in ready {
            match source {
                Source::Signals => {
                    if interrupts.taken() {
                        self.stop(End::Cancelled);
                    }
                }
                Source::Parent => self.stop(End::Cancelled),
                Source::Stdin => self.feed(),
                Source::Stdout => drain(&mut self.stdout, Stream::Stdout, &mut self.buffer, sink)?,
                Source::Stderr => drain(&mut self.stderr, Stream::Stderr, &mut self.buffer, sink)?,
                Source::Child => {}
            }
        }
        Ok(())
    }

    /// Writes what the pipe takes; a reader that has gone needs no more.
    fn feed(&mut self) {
        let Some((file, bytes, at)) = &mut self.stdin else {
            return;
        };
        let rest = bytes.get(*at..).unwrap_or_default();
        let gone = match file.write(rest) {
            Ok(written) => {
                *at += written;
                *at >= bytes.len()
            }
            Err(error) => !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
        };
        if gone {
            self.stdin = None;
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Source {
    Signals,
    Parent,
    Stdin,
    Stdout,
    Stderr,
    Child,
}

/// Reads once; end of stream closes it.
fn drain(from: &mut Option<File>, stream: Stream, buffer: &mut [u8], sink: &mut dyn Sink) -> io::Result<()> {
    let Some(file) = from else { return Ok(()) };
    match file.read(buffer) {
        Ok(0) => *from = None,
        Ok(count) => sink.take(stream, buffer.get(..count).unwrap_or_default()),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

fn shell_status(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::super::{Begin, Capture, Input, Privileges, Program, Stage, StageIo};
    use super::*;
    use std::path::PathBuf;

    #[derive(Default)]
    struct Both(Vec<u8>, Vec<u8>);

    impl Sink for Both {
        fn take(&mut self, stream: Stream, bytes: &[u8]) {
            match stream {
                Stream::Stdout => self.0.extend_from_slice(bytes),
                Stream::Stderr => self.1.extend_from_slice(bytes),
            }
        }
    }

    fn stage(path: &str, args: &[&str]) -> Stage {
        Stage {
            program: Begin::Program(Program {
                path: PathBuf::from(path),
                file: None,
            }),
            arg0: path.into(),
            args: args.iter().map(Into::into).collect(),
            env: vec![("PATH".into(), "/usr/bin:/bin".into())],
            stdin: StageIo::Input,
            stdout: StageIo::Output,
            stderr: StageIo::Errors,
        }
    }

    fn go(stages: Vec<Stage>, input: Input, timeout: Option<u64>) -> (Ended, Both) {
        go_into(Capture::Apart, stages, input, timeout)
    }

    fn go_into(capture: Capture, stages: Vec<Stage>, input: Input, timeout: Option<u64>) -> (Ended, Both) {
        let job = Job {
            stages,
            cwd: PathBuf::from("/"),
            input,
            capture,
            privileges: Privileges::NoNew,
        };
        let limits = Limits {
            deadline: timeout.map(|ms| Instant::now() + Duration::from_millis(ms)),
            grace: Duration::from_millis(200),
        };
        let mut sink = Both::default();
        let ended = run(job, &limits, &Interrupts::listen().unwrap(), &mut sink).unwrap();
        (ended, sink)
    }

    #[test]
    fn a_pipeline_moves_more_than_a_pipe_holds() {
        let text = "0123456789abcde\n".repeat(50_000).into_bytes();
        let (ended, got) = go(
            vec![stage("/bin/cat", &[]), stage("/usr/bin/tr", &["a-e", "A-E"])],
            Input::Bytes(text.clone()),
            None,
        );
        assert_eq!((ended.end, ended.statuses), (End::Exited(0), vec![0, 0]));
        assert_eq!(got.0.len(), text.len());
        assert!(got.0.starts_with(b"0123456789ABCDE\n"));
    }

    #[test]
    fn statuses_and_streams_are_kept_apart() {
        let (ended, got) = go(
            vec![stage("/bin/sh", &["-c", "echo out; echo err >&2; exit 3"])],
            Input::Null,
            None,
        );
        assert_eq!(ended.end, End::Exited(3));
        assert_eq!((got.0.as_slice(), got.1.as_slice()), (&b"out\n"[..], &b"err\n"[..]));
    }

    #[test]
    fn a_deadline_ends_the_whole_tree() {
        let dir = tempfile::tempdir().unwrap();
        let mark = dir.path().join("late");
        let script = format!(
            "trap '' TERM; (setsid sh -c 'sleep 1.2; touch {}' &) ; sleep 30",
            mark.display()
        );
        let (ended, _) = go(vec![stage("/bin/sh", &["-c", &script])], Input::Null, Some(300));
        assert_eq!(ended.end, End::TimedOut);
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!mark.exists(), "a process that left its group outlived the deadline");
    }

    #[test]
    fn a_background_child_that_keeps_the_output_open_does_not_hold_the_answer() {
        let begin = Instant::now();
        let (ended, got) = go(
            vec![stage("/bin/sh", &["-c", "sleep 20 & echo done"])],
            Input::Null,
            None,
        );
        assert_eq!((ended.end, got.0.as_slice()), (End::Exited(0), &b"done\n"[..]));
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn streams_taken_together_keep_their_order() {
        let script = "for i in 1 2 3 4 5 6 7 8; do echo o$i; echo e$i >&2; done";
        let (_, got) = go_into(
            Capture::Together,
            vec![stage("/bin/sh", &["-c", script])],
            Input::Null,
            None,
        );
        let text = String::from_utf8(got.0).unwrap();
        assert_eq!(
            text,
            "o1 e1 o2 e2 o3 e3 o4 e4 o5 e5 o6 e6 o7 e7 o8 e8 ".replace(' ', "\n")
        );
        assert_eq!(got.1, b"");
    }

    #[test]
    fn a_stage_that_ended_before_it_began_leaves_closed_pipes() {
        let ended = |status| Stage {
            program: Begin::Ended(status),
            ..stage("/bin/true", &[])
        };
        let (end, got) = go(vec![ended(1), stage("/bin/cat", &[])], Input::Null, None);
        assert_eq!((end.end, end.statuses, got.0), (End::Exited(0), vec![1, 0], vec![]));
        let (end, _) = go(vec![stage("/usr/bin/yes", &[]), ended(1)], Input::Null, None);
        assert_eq!((end.end, end.statuses), (End::Exited(1), vec![141, 1]));
        let (end, _) = go(vec![ended(127)], Input::Bytes(vec![b'x'; 1 << 20]), None);
        assert_eq!(end.end, End::Exited(127));
    }

    #[test]
    fn a_stream_that_was_copied_stays_where_it_was() {
        let sh = |script: &str, stdout, stderr| Stage {
            stdout,
            stderr,
            ..stage("/bin/sh", &["-c", script])
        };
        let (_, got) = go(
            vec![
                sh("echo o; echo e >&2", StageIo::Null, StageIo::Output),
                stage("/bin/cat", &[]),
            ],
            Input::Null,
            None,
        );
        assert_eq!((got.0.as_slice(), got.1.as_slice()), (&b"e\n"[..], &b""[..]));
        let (_, got) = go(
            vec![sh("echo o; echo e >&2", StageIo::Errors, StageIo::Null)],
            Input::Null,
            None,
        );
        assert_eq!((got.0.as_slice(), got.1.as_slice()), (&b""[..], &b"o\n"[..]));
    }

    #[test]
    fn a_program_gets_no_blocked_signals() {
        let (ended, _) = go(
            vec![stage("/bin/sh", &["-c", "kill -TERM $$; sleep 5"])],
            Input::Null,
            None,
        );
        assert_eq!(ended.end, End::Signaled(15));
    }

    #[test]
    fn a_missing_program_is_an_error_and_nothing_of_the_pipeline_runs_on() {
        let job = Job {
            stages: vec![stage("/bin/cat", &[]), stage("/nonexistent/x", &[])],
            cwd: PathBuf::from("/"),
            input: Input::Null,
            capture: Capture::Apart,
            privileges: Privileges::Keep,
        };
        let limits = Limits {
            deadline: None,
            grace: Duration::ZERO,
        };
        let error = run(job, &limits, &Interrupts::listen().unwrap(), &mut Both::default()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
