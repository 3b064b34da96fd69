//! The file tools: `read`, `write`, `edit`, `apply_patch`.
//!
//! Every path goes through [`crate::path`], every open and rename through [`crate::fsio`]. A change is computed in full
//! before the first byte moves, under one lock per workspace; it is then applied by renames under a journal, so
//! that it happens wholly or not at all, also when the process is killed in between.
//!
//! | step of a change | file |
//! |---|---|
//! | wait for the lock, repair what a killed call left | `lock`, `recover` |
//! | read what is there, compute what shall be | `write`, `edit`, `patch` |
//! | stage, journal, rename, look, finish or take back | `commit`, `journal` |

mod args;
#[cfg(test)]
mod attacks;
#[cfg(test)]
mod bench;
mod commit;
#[cfg(test)]
mod conformance;
mod diff;
mod edit;
#[cfg(test)]
mod endurance;
mod image;
mod journal;
#[cfg(test)]
mod known_weaknesses;
mod lines;
mod lock;
mod patch;
#[cfg(test)]
mod points;
mod read;
mod recover;
mod write;

pub use diff::{Colour, paint};
pub use edit::edit;
pub use patch::apply_patch;
pub use read::read;
pub use write::write;

use crate::fsio::Durability;
use crate::model::FileTool;
use crate::path::Root;
use crate::tool::ToolError;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::time::Duration;

/// Bytes of a file that a change reads whole, unless it is said otherwise.
const MAX_BYTES: u64 = 64 << 20;

/// What the file tools work on and with.
#[derive(Debug, Clone)]
pub struct Files {
    /// What may be touched.
    pub root: Root,
    /// The state directory; locks and journals live in its `files` directory.
    pub state: PathBuf,
    /// Whether a change must survive a power cut.
    pub durability: Durability,
    /// How long to wait for another call that changes files.
    pub patience: Duration,
    /// Bytes of a file that a change reads whole; a longer one is refused.
    pub max_bytes: u64,
    /// The model's context window in tokens, where known: a larger one lets `read` show more at once.
    pub context_tokens: Option<u64>,
}

/// The change that a call would make now, as a unified diff; nothing is changed, and nothing is waited for. None for a
/// tool that changes nothing.
///
/// # Errors
/// Those of the tool: the call would fail.
pub fn preview(files: &Files, tool: FileTool, args: &Map<String, Value>) -> Result<Option<String>, ToolError> {
    match tool {
        FileTool::Read => Ok(None),
        FileTool::Write => write::preview(files, args).map(Some),
        FileTool::Edit => edit::preview(files, args).map(Some),
        FileTool::ApplyPatch => patch::preview(files, args).map(Some),
    }
}

/// Judges a call as the tool would before it changes anything: the paths that it names, and what it would put there. Files
/// are read only where it depends on all of their content.
///
/// # Errors
/// Those of the tool, as far as they are known by then: the call would be refused, or fail.
pub fn judge(files: &Files, tool: FileTool, args: &Map<String, Value>) -> Result<(), ToolError> {
    match tool {
        FileTool::Read => Ok(()),
        FileTool::Write => write::judged(files, args),
        FileTool::Edit => edit::judged(files, args),
        FileTool::ApplyPatch => patch::judged(files, args),
    }
}

impl Files {
    /// Files under a root, with the usual settings.
    pub fn new(root: Root, state: impl Into<PathBuf>) -> Self {
        Self {
            root,
            state: state.into(),
            durability: Durability::default(),
            patience: Duration::from_secs(60),
            max_bytes: MAX_BYTES,
            context_tokens: None,
        }
    }
}
