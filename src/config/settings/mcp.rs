//! `mcp.servers`: servers whose tools are called.

use super::NameList;
use crate::config::ConfiguredCommand;
use crate::model::Sourced;
use std::path::PathBuf;

/// A tool of an MCP server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpTool {
    /// The server's name under `mcp.servers`.
    pub server: String,
    /// Its own name there.
    pub name: String,
    /// SHA-256 of the declaration that was accepted.
    pub hash: String,
}

/// `mcp.servers.<name>`
#[derive(Debug, Clone)]
pub struct McpServer {
    /// The name as written.
    pub name: Sourced<String>,
    /// `command` and `args`; empty where the server is remote.
    pub command: ConfiguredCommand,
    /// `env`
    pub env: Vec<(String, String)>,
    /// `cwd`, absolute.
    pub cwd: Option<Sourced<PathBuf>>,
    /// `url`
    pub url: Option<Sourced<String>>,
    /// `headers`
    pub headers: Vec<(String, String)>,
    /// `tools.allow`
    pub allow: Option<NameList>,
    /// `tools.deny`
    pub deny: Option<NameList>,
    /// `timeoutSec`
    pub timeout_sec: Option<u64>,
}
