//! Runs one hook's command to its end, with its output bounded and its whole tree ended at the deadline.

use crate::process::{
    Begin, Capture, End, HeadTail, Input, Interrupts, Job, Limits, Privileges, Program, Sink, Stage, StageIo, Stream,
    run,
};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Bytes of an answer that are read.
const MAX_STDOUT: usize = 1024 * 1024;
/// Bytes of standard error that are kept, first and last.
const MAX_STDERR: usize = 8 * 1024;
/// Between the polite signal at the deadline and the last one.
const GRACE: Duration = Duration::from_millis(300);

/// A hook's command, ready to start.
#[derive(Debug, Clone)]
pub(super) struct Command {
    pub(super) program: PathBuf,
    /// All arguments, the name first.
    pub(super) argv: Vec<OsString>,
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) cwd: PathBuf,
    pub(super) input: Vec<u8>,
    pub(super) timeout: Duration,
}

/// What a hook did.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) end: End,
    /// The whole of standard output, unless there was too much.
    pub(super) stdout: Option<Vec<u8>>,
    pub(super) stderr: String,
}

struct Output {
    stdout: HeadTail,
    stderr: HeadTail,
}

impl Sink for Output {
    fn take(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Stdout => self.stdout.push(bytes),
            Stream::Stderr => self.stderr.push(bytes),
        }
    }
}

/// Runs it.
///
/// # Errors
/// It cannot be started.
pub(super) fn run_hook(command: Command, interrupts: &Interrupts) -> io::Result<Ran> {
    let mut argv = command.argv.into_iter();
    let stage = Stage {
        arg0: argv.next().unwrap_or_else(|| command.program.clone().into_os_string()),
        args: argv.collect(),
        program: Begin::Program(Program {
            path: command.program,
            file: None,
        }),
        env: command.env,
        stdin: StageIo::Input,
        stdout: StageIo::Output,
        stderr: StageIo::Errors,
    };
    let job = Job {
        stages: vec![stage],
        cwd: command.cwd,
        input: Input::Bytes(command.input),
        capture: Capture::Apart,
        privileges: Privileges::Keep,
    };
    let limits = Limits {
        deadline: Some(Instant::now() + command.timeout),
        grace: GRACE,
    };
    let mut output = Output {
        stdout: HeadTail::new(MAX_STDOUT, 0),
        stderr: HeadTail::new(MAX_STDERR / 2, MAX_STDERR / 2),
    };
    let ended = run(job, &limits, interrupts, &mut output)?;
    let stdout = output.stdout.finish();
    Ok(Ran {
        end: ended.end,
        stdout: (stdout.dropped == 0).then(|| stdout.bytes()),
        stderr: String::from_utf8_lossy(&output.stderr.finish().bytes()).into_owned(),
    })
}
