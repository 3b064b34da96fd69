//! What is known of one file tool: each has its row at the head of its own file.

use super::Files;
use super::args::Args;
use crate::tool::{ToolError, ToolResult};
use std::fmt;

/// A tool that works on files of the workspace.
pub struct FileTool {
    /// Its id.
    pub id: &'static str,
    /// Does its work.
    ///
    /// # Errors
    /// Bad arguments, a refused path, whatever the tool itself says.
    pub run: fn(&Files, &Args) -> Result<ToolResult, ToolError>,
    /// What it would change; none for a tool that only reads.
    pub change: Option<FileChange>,
    /// What it refuses besides paths that nobody may read, as `FileChange::judge`; for a tool that only reads.
    pub judge: Option<Judge>,
    /// Whether it shows a file as it is: the source of a program is not taken for a list of settings then.
    pub shows_files: bool,
    /// Whether `tools.exec.applyPatch.workspaceOnly` keeps it in the workspace.
    pub patches: bool,
}

/// Judges a call without doing its work.
pub type Judge = fn(&Files, &Args) -> Result<(), ToolError>;

/// How a change is looked at that nobody has made yet.
pub struct FileChange {
    /// The change as a unified diff; nothing is changed, and nothing is waited for.
    ///
    /// # Errors
    /// Those of the tool: the call would fail.
    pub preview: fn(&Files, &Args) -> Result<String, ToolError>,
    /// Judges a call as the tool would before it changes anything: the paths that it names, and what it would put there.
    /// Files are read only where it depends on all of their content.
    ///
    /// # Errors
    /// Those of the tool, as far as they are known by then: the call would be refused, or fail.
    pub judge: Judge,
}

impl FileTool {
    /// One that only reads.
    pub(super) const fn reading(id: &'static str, run: fn(&Files, &Args) -> Result<ToolResult, ToolError>) -> Self {
        Self {
            id,
            run,
            change: None,
            judge: None,
            shows_files: false,
            patches: false,
        }
    }

    /// One that changes files.
    pub(super) const fn changing(
        id: &'static str,
        run: fn(&Files, &Args) -> Result<ToolResult, ToolError>,
        change: FileChange,
    ) -> Self {
        Self {
            change: Some(change),
            ..Self::reading(id, run)
        }
    }
}

impl PartialEq for FileTool {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for FileTool {}

impl fmt::Debug for FileTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}
