//! What is to be started: one command, or a pipeline of them.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// An executable, by the file that was judged.
#[derive(Debug)]
pub struct Program {
    /// Its absolute path.
    pub path: PathBuf,
    /// The open file that was judged; a binary is started from it, so that a swapped path starts nothing else.
    pub file: Option<OwnedFd>,
}

/// What standard input of a job holds.
#[derive(Debug, Default)]
pub enum Input {
    /// Nothing.
    #[default]
    Null,
    /// These bytes.
    Bytes(Vec<u8>),
}

/// Where a stage's stream goes or comes from, when it is not the pipeline.
#[derive(Debug, Default)]
pub enum StageIo {
    /// The pipeline: the neighbour, the job's input, or the capture.
    #[default]
    Pipeline,
    /// This open file.
    File(OwnedFd),
    /// Nothing: `/dev/null`.
    Null,
    /// The same as the stage's standard output (`2>&1`), as it then is.
    Stdout,
    /// The same as the capture's standard error (`1>&2`).
    Stderr,
}

/// One command of a pipeline.
#[derive(Debug)]
pub struct Stage {
    /// What is started.
    pub program: Program,
    /// What it is told its name is.
    pub arg0: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// Standard input.
    pub stdin: StageIo,
    /// Standard output.
    pub stdout: StageIo,
    /// Standard error.
    pub stderr: StageIo,
}

/// Whether set-user-id programs may gain privileges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Privileges {
    /// They may not (`no_new_privs`).
    NoNew,
    /// As the system has it.
    Keep,
}

/// A pipeline to run.
#[derive(Debug)]
pub struct Job {
    /// The commands, in order; at least one.
    pub stages: Vec<Stage>,
    /// The working directory.
    pub cwd: PathBuf,
    /// What the first command reads.
    pub input: Input,
    /// Privileges.
    pub privileges: Privileges,
}

/// The started pipeline.
pub(super) struct Started {
    pub(super) children: Vec<Child>,
    pub(super) stdin: Option<(File, Vec<u8>)>,
    pub(super) stdout: Option<File>,
    pub(super) stderr: Option<File>,
}

impl Job {
    /// Starts every stage. When one cannot be started, those that run are killed.
    pub(super) fn start(self) -> io::Result<Started> {
        // Signal mask and privileges stick to the thread that sets them and pass to what it starts; this one blocks the
        // signals that it listens for, which no program should inherit.
        std::thread::scope(|scope| {
            let spawner = scope.spawn(|| {
                nix::sys::signal::SigSet::empty().thread_set_mask()?;
                if self.privileges == Privileges::NoNew {
                    nix::sys::prctl::set_no_new_privs()?;
                }
                self.spawn_all()
            });
            spawner
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("the starting thread failed")))
        })
    }

    fn spawn_all(self) -> io::Result<Started> {
        let (out_read, out_write) = pipe()?;
        let (err_read, err_write) = pipe()?;
        let mut stdin = None;
        let mut next_input = match self.input {
            Input::Null => Stdio::null(),
            Input::Bytes(bytes) => {
                let (read, write) = pipe()?;
                rustix::io::ioctl_fionbio(&write, true)?;
                stdin = Some((File::from(write), bytes));
                Stdio::from(read)
            }
        };
        let mut children: Vec<Child> = Vec::with_capacity(self.stages.len());
        let last = self.stages.len().saturating_sub(1);
        for (index, stage) in self.stages.into_iter().enumerate() {
            let input = std::mem::replace(&mut next_input, Stdio::null());
            let out = if index == last {
                out_write.try_clone()?
            } else {
                let (read, write) = pipe()?;
                next_input = Stdio::from(read);
                write
            };
            let group = children
                .first()
                .map_or(0, |c: &Child| i32::try_from(c.id()).unwrap_or(0));
            match stage.spawn(input, out, &err_write, &self.cwd, group) {
                Ok(child) => {
                    super::tree::register(child.id());
                    children.push(child);
                }
                Err(error) => {
                    if let Some(first) = children.first() {
                        super::tree::kill_group(first.id(), nix::sys::signal::Signal::SIGKILL);
                    }
                    for mut child in children {
                        child.wait()?;
                        super::tree::forget(child.id());
                    }
                    return Err(error);
                }
            }
        }
        drop((out_write, err_write));
        Ok(Started {
            children,
            stdin,
            stdout: Some(File::from(out_read)),
            stderr: Some(File::from(err_read)),
        })
    }
}

impl Stage {
    fn spawn(self, input: Stdio, out: OwnedFd, err: &OwnedFd, cwd: &PathBuf, group: i32) -> io::Result<Child> {
        let target = match &self.program.file {
            Some(file) => PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())),
            None => self.program.path.clone(),
        };
        let stdin = match self.stdin {
            StageIo::File(file) => Stdio::from(file),
            StageIo::Null => Stdio::null(),
            StageIo::Pipeline | StageIo::Stdout | StageIo::Stderr => input,
        };
        let stdout_is = match &self.stdout {
            StageIo::File(file) => Some(file.try_clone()?),
            StageIo::Null => None,
            StageIo::Stderr => Some(err.try_clone()?),
            StageIo::Pipeline | StageIo::Stdout => Some(out),
        };
        let stderr = match self.stderr {
            StageIo::File(file) => Stdio::from(file),
            StageIo::Null => Stdio::null(),
            StageIo::Stdout => match &stdout_is {
                Some(file) => Stdio::from(file.try_clone()?),
                None => Stdio::null(),
            },
            StageIo::Pipeline | StageIo::Stderr => Stdio::from(err.try_clone()?),
        };
        Command::new(target)
            .arg0(self.arg0)
            .args(self.args)
            .env_clear()
            .envs(self.env)
            .current_dir(cwd)
            .stdin(stdin)
            .stdout(stdout_is.map_or_else(Stdio::null, Stdio::from))
            .stderr(stderr)
            .process_group(group)
            .spawn()
    }
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?)
}
