//! Executors: what a built-in tool does once a call has been decided.
//!
//! A tool takes judged arguments and answers with a [`ToolResult`] or a [`ToolError`]; it prints nothing and decides
//! nothing about who may call it.

pub mod agents;
pub mod agents_list;
pub mod cron;
pub mod file;
pub mod nodes;
pub mod process;
pub mod sessions;
pub mod update_plan;
pub mod web_fetch;

pub use file::FileTool;

use crate::config::Effective;
use crate::fsio::Fault;
use crate::model::{Block, Code};
use crate::path::Refusal;
use crate::state::Batch;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::fmt;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A tool that answers from what toolctl knows: it touches nothing, so nothing but its arguments is judged. Each has its row
/// in its own file.
pub struct AnswerTool {
    /// Its id.
    pub id: &'static str,
    /// Which of the actions of its declaration it has; empty: all.
    pub actions: &'static [&'static str],
    /// What it answers.
    ///
    /// # Errors
    /// Arguments that fit the declaration and still mean nothing; whatever the tool itself says.
    pub answer: fn(&Asking<'_>, &Map<String, Value>) -> Result<ToolResult, ToolError>,
}

/// Who asks a tool that only answers.
pub struct Asking<'a> {
    /// What holds for the caller.
    pub effective: &'a Effective<'a>,
    /// Its session, under its one name.
    pub session: String,
    /// Where state is kept, and whose it is.
    pub state_dir: &'a Path,
    /// The effective user.
    pub uid: u32,
    /// What time it is.
    pub now: SystemTime,
    /// Where transcripts of sessions are.
    pub transcripts: &'a dyn Fn() -> Vec<PathBuf>,
    /// Whether the call must end.
    pub ended: &'a dyn Fn() -> bool,
    /// Readable when it must.
    pub wake: Vec<BorrowedFd<'a>>,
    /// The messages that the call takes: they count as taken once its result is written down.
    pub mail: &'a RefCell<Option<Batch>>,
}

impl PartialEq for AnswerTool {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for AnswerTool {}

impl fmt::Debug for AnswerTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// What a tool gives back when it did its work.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolResult {
    /// The content for the model.
    pub content: Vec<Block>,
    /// Facts beside the content.
    pub details: Map<String, Value>,
    /// What the caller should know besides.
    pub warnings: Vec<String>,
}

impl ToolResult {
    /// A result of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![Block::Text(text.into())],
            ..Self::default()
        }
    }

    /// Adds a fact.
    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// Adds warnings.
    #[must_use]
    pub fn warn(mut self, warnings: Vec<String>) -> Self {
        self.warnings.extend(warnings);
        self
    }
}

/// Why a tool did not do its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError {
    /// The reason code; its status tells whether the call was refused or failed.
    pub code: Code,
    /// One message for the model and a person.
    pub message: String,
    /// What the caller should know besides.
    pub warnings: Vec<String>,
}

impl ToolError {
    /// An error with a code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            warnings: Vec::new(),
        }
    }

    /// The tool tried and failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(Code::ToolFailed, message)
    }

    /// The arguments are not usable.
    pub fn params(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidParams, message)
    }
}

impl From<Fault> for ToolError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(refusal) => refusal.into(),
            Fault::NotFound(_)
            | Fault::IsDirectory(_)
            | Fault::NotDirectory(_)
            | Fault::Conflict(_)
            | Fault::TooLong { .. }
            | Fault::Io { .. } => Self::failed(fault.to_string()),
        }
    }
}

impl From<Refusal> for ToolError {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.code(), refusal.to_string())
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ToolError {}
