//! Starts a program behind walls, quickly: its child shares this process's memory until the program begins.

use super::child::enter;
use super::prepare::Prepared;
use super::sys::{self, Strings};
use rustix::process::Pid;
use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::{IntoRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What is started.
#[derive(Debug)]
pub struct Start<'a> {
    /// The program.
    pub program: &'a Path,
    /// What it is told its name is.
    pub arg0: &'a OsStr,
    /// Its arguments.
    pub args: &'a [OsString],
    /// Its whole environment.
    pub env: &'a [(OsString, OsString)],
    /// The working directory.
    pub cwd: &'a Path,
    /// The process group that it joins; 0 for one of its own.
    pub group: Option<i32>,
    /// Its standard input, output and error.
    pub streams: [OwnedFd; 3],
}

impl Prepared {
    /// Starts a program that has put these walls on.
    ///
    /// # Errors
    /// It cannot be started, or not all walls can be put on: then nothing of it runs.
    pub fn start(&self, start: &Start<'_>) -> io::Result<Pid> {
        let text = |text: &OsStr| CString::new(text.as_bytes()).map_err(io::Error::from);
        let program = text(start.program.as_os_str())?;
        let cwd = text(start.cwd.as_os_str())?;
        let arguments = std::iter::once(text(start.arg0)).chain(start.args.iter().map(|arg| text(arg)));
        let arguments = Strings::new(arguments.collect::<io::Result<_>>()?);
        // Of several values the last counts.
        let variables: BTreeMap<&OsString, &OsString> = start.env.iter().map(|(name, value)| (name, value)).collect();
        let variables = variables.into_iter().map(|(name, value)| {
            let mut both = name.clone();
            both.push("=");
            both.push(value);
            text(&both)
        });
        let environment = Strings::new(variables.collect::<io::Result<_>>()?);
        let mut clothes = self.clothes()?;
        let [stdin, stdout, stderr] = &start.streams;
        let started = sys::vfork(&mut || {
            rustix::stdio::dup2_stdin(stdin)?;
            rustix::stdio::dup2_stdout(stdout)?;
            rustix::stdio::dup2_stderr(stderr)?;
            rustix::process::chdir(cwd.as_c_str())?;
            if let Some(group) = start.group {
                rustix::process::setpgid(None, Pid::from_raw(group))?;
            }
            enter(&mut clothes)?;
            sys::execute(&program, &arguments, &environment)
        });
        // What the child had open is not open here, under whatever number.
        for foreign in clothes.view.iter_mut().flat_map(|view| view.open.drain(..)) {
            let _ = foreign.into_raw_fd();
        }
        started.map_err(|error| self.explain(error))
    }
}
