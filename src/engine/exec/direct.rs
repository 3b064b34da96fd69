//! Runs a list of pipelines without any shell.

use super::output::Aggregate;
use super::{Start, Stopped, pin};
use crate::fsio::{self, OpenFile};
use crate::gate::{DirectStage, DirectStep, DirectTarget, When};
use crate::model::Code;
use crate::path::{Intent, Judged, Spelling, judge};
use crate::process::{End, Input, Job, Sink, Stage, StageIo, Stream, run as run_job};
use std::os::fd::{AsFd, OwnedFd};

/// The status of a command whose redirection failed, or that could not be started (as a shell has it).
const FAILED: i32 = 1;

/// Runs every step whose turn it is; the end is that of the last one that ran.
pub(super) fn run(start: &Start<'_>, steps: &[DirectStep], sink: &mut Aggregate<'_, '_>) -> Result<End, Stopped> {
    let mut last = End::Exited(0);
    for step in steps {
        let due = match (step.when, last) {
            (When::Always, _) | (When::Success, End::Exited(0)) => true,
            (When::Failure, end) => end != End::Exited(0),
            (When::Success, _) => false,
        };
        if !due {
            continue;
        }
        last = pipeline(start, step, sink)?;
        if matches!(last, End::TimedOut | End::Cancelled) {
            return Ok(last);
        }
        if step.negated {
            last = End::Exited(i32::from(last == End::Exited(0)));
        }
    }
    Ok(last)
}

fn pipeline(start: &Start<'_>, step: &DirectStep, sink: &mut Aggregate<'_, '_>) -> Result<End, Stopped> {
    let mut stages = Vec::with_capacity(step.stages.len());
    let mut input = Input::Null;
    let count = step.stages.len();
    for (index, stage) in step.stages.iter().enumerate() {
        match prepare(start, stage, index, &mut input)? {
            Ok(ready) => stages.push(ready),
            Err(complaint) => {
                // As in a shell: the command with the broken redirection fails, the list goes on. In a longer pipeline
                // its neighbours would run without it, which nobody wants to have judged.
                sink.take(Stream::Stderr, format!("{complaint}\n").as_bytes());
                if count > 1 {
                    sink.take(Stream::Stderr, b"the whole pipeline was left out\n");
                }
                return Ok(End::Exited(FAILED));
            }
        }
    }
    let job = Job {
        stages,
        cwd: start.cwd.path(),
        input,
        privileges: start.privileges,
    };
    match run_job(job, &start.limits, start.engine.interrupts, sink) {
        Ok(ended) => Ok(ended.end),
        Err(error) => Err(Stopped::new(
            Code::ToolFailed,
            format!("the command could not be started: {error}"),
        )),
    }
}

/// Opens what a command needs. The inner error is the command's own failure: a redirection that cannot be opened.
fn prepare(
    start: &Start<'_>,
    stage: &DirectStage,
    index: usize,
    input: &mut Input,
) -> Result<Result<Stage, String>, Stopped> {
    let mut env = (*start.plan.env).clone();
    env.extend(stage.assignments.iter().cloned());
    let mut streams = [StageIo::Pipeline, StageIo::Pipeline, StageIo::Pipeline];
    if stage.pipe_stderr {
        streams[2] = StageIo::Stdout;
    }
    for redirect in &stage.redirects {
        let opened = match &redirect.target {
            DirectTarget::Text(text) => {
                if index > 0 || redirect.fd != 0 {
                    text_file(text).map(StageIo::File)
                } else {
                    *input = Input::Bytes(text.clone().into_bytes());
                    Ok(StageIo::Pipeline)
                }
            }
            DirectTarget::Duplicate(from) => duplicate(&streams, *from, redirect.fd),
            DirectTarget::Close => Ok(StageIo::Null),
            DirectTarget::Read(path) => open(start, path, Way::In).map(StageIo::File),
            DirectTarget::Write(path) => open(start, path, Way::Out(fsio::Output::Replace)).map(StageIo::File),
            DirectTarget::Append(path) => open(start, path, Way::Out(fsio::Output::Append)).map(StageIo::File),
        };
        match (
            opened,
            usize::try_from(redirect.fd).ok().and_then(|fd| streams.get_mut(fd)),
        ) {
            (Ok(io), Some(slot)) => *slot = io,
            (Err(complaint), _) => return Ok(Err(complaint)),
            (Ok(_), None) => return Ok(Err(format!("descriptor {} cannot be redirected here", redirect.fd))),
        }
    }
    let [stdin, stdout, stderr] = streams;
    let mut argv = stage.argv.iter();
    Ok(Ok(Stage {
        program: pin::open(&stage.program)?,
        arg0: argv.next().map(Into::into).unwrap_or_default(),
        args: argv.map(Into::into).collect(),
        env: env.into_iter().map(|(k, v)| (k.into(), v.into())).collect(),
        stdin,
        stdout,
        stderr,
    }))
}

/// What `n>&m` makes of descriptor `n`, given what `m` is now.
fn duplicate(streams: &[StageIo; 3], from: u32, to: u32) -> Result<StageIo, String> {
    let source = usize::try_from(from).ok().and_then(|fd| streams.get(fd));
    match (source, from, to) {
        (Some(StageIo::File(file)), ..) => file.try_clone().map(StageIo::File).map_err(|e| e.to_string()),
        (Some(StageIo::Null), ..) => Ok(StageIo::Null),
        (Some(StageIo::Stdout), ..) | (Some(StageIo::Pipeline), 1, 2) => Ok(StageIo::Stdout),
        (Some(StageIo::Stderr), ..) | (Some(StageIo::Pipeline), 2, 1) => Ok(StageIo::Stderr),
        (Some(StageIo::Pipeline), a, b) if a == b => Ok(StageIo::Pipeline),
        _ => Err(format!("descriptor {from} cannot be copied to {to} here")),
    }
}

#[derive(Clone, Copy)]
enum Way {
    In,
    Out(fsio::Output),
}

/// Opens a file of a redirection, judged as the file tools would judge it.
fn open(start: &Start<'_>, path: &str, way: Way) -> Result<OwnedFd, String> {
    if path == "/dev/null" {
        let file = std::fs::OpenOptions::new().read(true).write(true).open(path);
        return file.map(OwnedFd::from).map_err(|e| format!("{path}: {e}"));
    }
    let full = start.plan.cwd.join(path);
    let judged = |intent| -> Result<Judged, String> {
        let root = start.engine.root().map_err(|e| e.to_string())?;
        let text = full.to_str().ok_or_else(|| format!("{path}: not a readable name"))?;
        judge(root, text, intent, Spelling::Literal).map_err(|refusal| refusal.to_string())
    };
    match way {
        Way::In => {
            let mut open = OpenFile::open(&judged(Intent::Read)?).map_err(|e| e.to_string())?;
            open.file()
                .as_fd()
                .try_clone_to_owned()
                .map_err(|e| format!("{path}: {e}"))
        }
        Way::Out(output) => fsio::open_output(&judged(Intent::Create)?, output).map_err(|e| e.to_string()),
    }
}

/// A nameless file that holds a text, for a heredoc that is not the first command's standard input.
fn text_file(text: &str) -> Result<OwnedFd, String> {
    use std::io::{Seek, Write};
    let make = || -> std::io::Result<std::fs::File> {
        let fd = rustix::fs::memfd_create("heredoc", rustix::fs::MemfdFlags::CLOEXEC)?;
        let mut file = std::fs::File::from(fd);
        file.write_all(text.as_bytes())?;
        file.rewind()?;
        Ok(file)
    };
    make().map(OwnedFd::from).map_err(|e| e.to_string())
}
