//! One tool of the universe.

use crate::model::Origin;
use crate::tool::{AnswerTool, FileTool};
use std::sync::Arc;

/// Where a tool comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolSource {
    /// The catalog.
    Core,
    /// `plugins.<id>.tools`.
    Plugin,
    /// A server under `mcp.servers`.
    Mcp,
    /// Another agent, which asks about a tool of its own that toolctl does not know.
    Agent,
}

impl ToolSource {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Plugin => "plugin",
            Self::Mcp => "mcp",
            Self::Agent => "agent",
        }
    }
}

/// A tool that toolctl runs itself: by its own row where it is one of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builtin {
    /// A tool that works on files.
    File(&'static FileTool),
    /// `exec`
    Exec,
    /// A tool that touches nothing.
    Answer(&'static AnswerTool),
    /// `process`
    Process,
    /// `web_fetch`
    WebFetch,
    /// `code_execution`
    Code,
    /// `sessions_spawn`
    Spawn,
}

/// What a tool does with a file that an argument names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileAccess {
    /// Reads it.
    Read,
    /// Changes it.
    Write,
    /// Makes or replaces it.
    Create,
}

/// What a call of a tool is held against, besides its declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// Nothing.
    Arguments,
    /// The rules about paths: arguments that name files, and what is done with each.
    Paths(&'static [(&'static str, FileAccess)]),
    /// The rules about paths, where these arguments name files and no addresses of the web: whoever runs the tool reads them.
    Media(&'static [&'static str]),
    /// The policy of commands.
    Command,
    /// The rules about addresses of the web: the argument that names one.
    Address(&'static str),
    /// Nothing but the walls that it runs behind: it is code.
    Code,
    /// Which agent it starts, and how deep.
    Agent,
    /// What it sends to running programs, as the policy of commands has it.
    Input,
}

/// What would run a tool here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Executor {
    /// toolctl itself.
    Builtin(Builtin),
    /// The configured command of this normalised name: a binding, or a plugin's tool.
    Command(Arc<str>),
    /// A tool of an MCP server.
    Mcp {
        /// The server's name under `mcp.servers`.
        server: Arc<str>,
        /// The tool's name there.
        tool: Arc<str>,
    },
    /// Another agent, which only asks whether it may: nothing runs here.
    Elsewhere,
    /// Nothing: policy and schema are known, `exec` answers `no-executor`.
    None,
}

impl Executor {
    /// The word used in output.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Builtin(_) => "builtin",
            Self::Command(_) => "command",
            Self::Mcp { .. } => "mcp",
            Self::Elsewhere => "agent",
            Self::None => "none",
        }
    }
}

/// A tool as the policy sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The name as it is declared.
    pub name: Arc<str>,
    /// The normalised name, by which it is matched and called.
    pub key: Arc<str>,
    /// The name to show.
    pub label: Arc<str>,
    /// One line.
    pub description: Arc<str>,
    /// Catalog section; `plugin` and `mcp` for the others.
    pub section: &'static str,
    /// Where it comes from.
    pub source: ToolSource,
    /// Plugin id, trimmed and lower case.
    pub plugin: Option<Arc<str>>,
    /// What would run it.
    pub executor: Executor,
    /// What a call of it is held against.
    pub judged: Judged,
    /// Whether only the owner may use it.
    pub owner_only: bool,
    /// Whether it is there only where a list names it.
    pub optional: bool,
    /// Channels on which it exists; empty = all.
    pub channels: Vec<String>,
    /// Where it was configured.
    pub origin: Option<Origin>,
}
