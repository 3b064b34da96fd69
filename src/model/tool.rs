//! One tool of the universe.

use super::Origin;
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
}

impl ToolSource {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Plugin => "plugin",
            Self::Mcp => "mcp",
        }
    }
}

/// What would run a tool here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Executor {
    /// toolctl itself.
    Builtin,
    /// A configured command.
    Command,
    /// An MCP server.
    Mcp,
    /// Nothing: policy and schema are known, `exec` answers `no-executor`.
    None,
}

impl Executor {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Command => "command",
            Self::Mcp => "mcp",
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
    /// Whether only the owner may use it.
    pub owner_only: bool,
    /// Channels on which it exists; empty = all.
    pub channels: Vec<String>,
    /// Where it was configured.
    pub origin: Option<Origin>,
}
