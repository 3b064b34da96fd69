//! One program behind walls, apart from jobs: with the streams of this process, or fed and read to its end.

use crate::confine::Prepared;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};

/// What is started.
#[derive(Debug)]
pub struct Contained<'a> {
    /// The program.
    pub program: &'a Path,
    /// What it is told its name is.
    pub arg0: &'a OsStr,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory.
    pub cwd: &'a Path,
    /// Its walls.
    pub walls: &'a Prepared,
}

impl Contained<'_> {
    fn command(&self) -> io::Result<Command> {
        let mut command = Command::new(self.program);
        command
            .arg0(self.arg0)
            .args(&self.args)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir(self.cwd);
        self.walls.clothe(&mut command)?;
        Ok(command)
    }

    /// Runs it with the streams of this process, to its end. Gives its status (128 and the number of a signal that ended
    /// it), and whether something that it started goes on.
    ///
    /// # Errors
    /// It cannot be started, or not be followed.
    pub fn attached(&self) -> io::Result<(i32, bool)> {
        // What it leaves running becomes a child of this process, so that it is seen.
        nix::sys::prctl::set_child_subreaper(true)?;
        let mut child = self.command()?.spawn().map_err(|error| self.walls.explain(error))?;
        loop {
            match child.wait() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(status) => {
                    let signal = || 128 + status.signal().unwrap_or(0);
                    return Ok((status.code().unwrap_or_else(signal), goes_on()));
                }
            }
        }
    }

    /// What it prints when it is fed this; none where it fails.
    ///
    /// # Errors
    /// It cannot be started, fed or read.
    pub fn filtered(&self, input: &[u8]) -> io::Result<Option<Vec<u8>>> {
        let mut command = self.command()?;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| self.walls.explain(error))?;
        let stdin = child.stdin.take();
        std::thread::scope(|scope| {
            // What it prints is read meanwhile: neither side waits for the other.
            let feeding = scope.spawn(move || stdin.map_or(Ok(()), |mut stdin| stdin.write_all(input)));
            let output = child.wait_with_output()?;
            let fed = feeding
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("the feeding thread failed")));
            match (output.status.success(), fed) {
                // One that needs no input closes it.
                (true, Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
                (true, _) => Ok(Some(output.stdout)),
                (false, _) => Ok(None),
            }
        })
    }
}

/// Whether this process has a child that has not ended.
fn goes_on() -> bool {
    use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}
