//! What will run, as judged. Only this room makes plans; executors take nothing less.

use crate::path::Root;
use serde_json::{Map, Value};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A judged call, ready to run.
#[derive(Debug)]
pub struct Plan {
    kind: PlanKind,
}

impl Plan {
    pub(in crate::gate) fn new(kind: PlanKind) -> Self {
        Self { kind }
    }

    /// What runs.
    pub fn kind(&self) -> &PlanKind {
        &self.kind
    }

    /// What runs, taken out.
    pub fn into_kind(self) -> PlanKind {
        self.kind
    }
}

/// The ways in which a call can run.
#[derive(Debug)]
pub enum PlanKind {
    /// A built-in file tool.
    File {
        /// Which.
        tool: FileTool,
        /// Under which rules.
        root: Box<Root>,
        /// With which arguments.
        args: Map<String, Value>,
    },
    /// `agents_list`.
    AgentsList,
    /// A configured command.
    Command(CommandPlan),
}

/// The built-in file tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileTool {
    /// `read`
    Read,
    /// `write`
    Write,
    /// `edit`
    Edit,
    /// `apply_patch`
    ApplyPatch,
}

/// A configured command that runs a tool (config.md, "Command tools").
#[derive(Debug, Clone, PartialEq)]
pub struct CommandPlan {
    /// The program, absolute.
    pub program: PathBuf,
    /// The argv as configured, program first.
    pub argv: Vec<String>,
    /// The whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub cwd: PathBuf,
    /// What it reads: one JSON object.
    pub input: Value,
    /// How long it may take.
    pub timeout: Duration,
}
