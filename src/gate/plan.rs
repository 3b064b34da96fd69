//! What will run, as judged. Only this room makes plans; executors take nothing less.

use super::exec::Identity;
use super::exec::env::Variables;
use crate::launch::Prepared;
use crate::model::Host;
use crate::path::Root;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
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
    /// A command of the `exec` tool.
    Exec(ExecPlan),
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

/// A configured command that runs a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandPlan {
    /// The program, as it was found and judged.
    pub program: Prepared,
    /// What it reads: one JSON object.
    pub input: Value,
    /// How long it may take.
    pub timeout: Duration,
}

/// A judged command of the `exec` tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecPlan {
    /// Which host it was judged for; no other runs it.
    pub host: Host,
    /// How it is started.
    pub run: ExecRun,
    /// Every program that was judged; looked at again before anything starts.
    pub pinned: Vec<PinnedProgram>,
    /// The whole environment of the child.
    pub env: Arc<Variables>,
    /// Where it runs: a real, absolute directory.
    pub cwd: PathBuf,
    /// That directory when it was judged.
    pub cwd_identity: Identity,
    /// How long it may take; none = as long as it likes.
    pub timeout: Option<Duration>,
    /// Whether git is kept from bare repositories that it finds by itself: one may have been made since it was judged.
    pub guards_git: bool,
    /// Whether set-user-id programs may gain privileges (elevated calls only).
    pub may_gain_privileges: bool,
    /// Most characters of output that are kept.
    pub max_output_chars: usize,
}

/// A program that was judged, by the file it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedProgram {
    /// Its real path: no symlinks.
    pub path: PathBuf,
    /// The file when it was judged.
    pub identity: Identity,
}

/// How a command is started.
#[derive(Debug, Clone, PartialEq)]
pub enum ExecRun {
    /// By toolctl itself, without any shell.
    Direct(Vec<DirectStep>),
    /// By exactly the shell that was modelled.
    Shell {
        /// The shell.
        shell: PinnedProgram,
        /// The name it is started by, which is `$0` of the text.
        name: String,
        /// Its arguments before the text, as in `--noprofile --norc -c --`.
        flags: Vec<String>,
        /// The text it is given.
        text: String,
    },
}

/// When a pipeline of a list runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Always.
    Always,
    /// When the one before succeeded (`&&`).
    Success,
    /// When the one before failed (`||`).
    Failure,
}

/// One pipeline of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectStep {
    /// When it runs.
    pub when: When,
    /// Whether its status is turned round (`!`).
    pub negated: bool,
    /// Its commands; at least one.
    pub stages: Vec<DirectStage>,
}

/// What a command comes to when no shell runs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirectStart {
    /// A program.
    Program(PinnedProgram),
    /// Nothing but this status (`true`, `false`, `:`).
    Status(i32),
}

/// One command that is started without a shell.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectStage {
    /// What is started.
    pub start: DirectStart,
    /// The argv: the first item for a program is an absolute path.
    pub argv: Vec<String>,
    /// Assignments before the command, over the environment.
    pub assignments: Vec<(String, String)>,
    /// Redirections, in their order.
    pub redirects: Vec<DirectRedirect>,
    /// Whether standard error goes down the bar as well (`|&`).
    pub pipe_stderr: bool,
    /// In which line of the text it stands; complaints name it.
    pub line: usize,
}

/// A redirection of descriptor 0, 1 or 2.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectRedirect {
    /// The descriptor that is changed.
    pub fd: u32,
    /// To what.
    pub target: DirectTarget,
}

/// What a redirection leads to. Paths are as written; they are judged again, by descriptor, when they are opened.
#[derive(Debug, Clone, PartialEq)]
pub enum DirectTarget {
    /// `<` a file.
    Read(String),
    /// `>` or `>|` a file.
    Write(String),
    /// `>>` a file.
    Append(String),
    /// The same as another descriptor (`2>&1`).
    Duplicate(u32),
    /// This text (heredoc, here-string).
    Text(String),
}
