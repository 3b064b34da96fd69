//! Where plans run: a host answers questions about its files, and starts what was judged. This machine is the first.
//!
//! A new kind of host is one file here: it implements [`Host`], and its plans carry its name.

mod direct;
mod local;
mod pin;
mod running;
mod shell;

pub use local::Local;
pub use running::Running;

use crate::gate::ExecPlan;
use crate::gate::exec::World;
use crate::model::Code;
use std::fmt;

/// A machine, or a part of one, that runs commands.
pub trait Host {
    /// Its files and programs, as judging sees them.
    fn world(&self) -> &dyn World;

    /// Starts a plan that was made for it: looks once more at what was judged, opens the redirections, begins.
    ///
    /// # Errors
    /// What was judged has changed, or the first job cannot be started; then nothing runs.
    fn start<'a>(&'a self, plan: &'a ExecPlan) -> Result<Running<'a>, Stopped>;
}

/// Why nothing ran, or nothing more.
#[derive(Debug)]
pub struct Stopped {
    /// The code of the outcome.
    pub code: Code,
    /// One sentence.
    pub reason: String,
}

impl Stopped {
    fn new(code: Code, reason: impl Into<String>) -> Self {
        Self {
            code,
            reason: reason.into(),
        }
    }

    fn tool(reason: String) -> Self {
        Self::new(Code::ToolFailed, reason)
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Stopped {}
