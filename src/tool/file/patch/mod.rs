//! `apply_patch {input}`: several operations on several files, all or none.
//!
//! The patch is parsed, then played on an overlay of the files it names, hunk after hunk; a hunk sees what the ones before
//! it did. Only when every hunk fits is the difference between disk and overlay committed.

mod grammar;
mod matcher;
mod overlay;
mod update;

use super::args::Args;
use super::commit::{Change, commit};
use super::lock::Lock;
use super::row::{FileChange, FileTool};
use super::{Files, recover};
use crate::model::trim;
use crate::tool::{ToolError, ToolResult};
use grammar::Hunk;
use overlay::Overlay;
use serde_json::{Value, json};

/// The row of this tool.
pub static APPLY_PATCH: FileTool = FileTool {
    patches: true,
    ..FileTool::changing("apply_patch", apply_patch, FileChange { preview, judge: judged })
};

/// Applies a patch.
///
/// # Errors
/// No patch, a malformed one, a refused path, lines that are not there, a conflict. Nothing has changed then.
pub fn apply_patch(files: &Files, args: &Args) -> Result<ToolResult, ToolError> {
    let hunks = hunks(args)?;
    let mut overlay = Overlay::new(files);
    // Paths are judged before anything is waited for.
    judge(&overlay, &hunks)?;
    let lock = Lock::take(files)?;
    let mut warnings = recover::recover(files, Some(&lock));
    play(&mut overlay, &hunks)?;
    let summary = overlay.summary();
    let unified = overlay.unified();
    warnings.extend(commit(files, &lock, overlay.changes()?)?);
    let mut text = "Success. Updated the following files:".to_owned();
    for (letter, paths) in [("A", &summary.added), ("M", &summary.modified), ("D", &summary.deleted)] {
        for path in paths {
            text.push_str(&format_row(letter, path));
        }
    }
    let details = json!({"added": summary.added, "modified": summary.modified, "deleted": summary.deleted});
    Ok(ToolResult::text(text)
        .detail("summary", details)
        .detail("unified", unified)
        .warn(warnings))
}

/// The changes that a patch would make, as a unified diff.
///
/// # Errors
/// As [`apply_patch`].
pub(super) fn preview(files: &Files, args: &Args) -> Result<String, ToolError> {
    let hunks = hunks(args)?;
    let mut overlay = Overlay::new(files);
    judge(&overlay, &hunks)?;
    play(&mut overlay, &hunks)?;
    Ok(overlay.unified())
}

/// Judges a call without making it.
///
/// # Errors
/// As [`apply_patch`].
pub(super) fn judged(files: &Files, args: &Args) -> Result<(), ToolError> {
    let hunks = hunks(args)?;
    let mut overlay = Overlay::new(files);
    let obeyed = hunks.iter().map(|hunk| overlay.judge(hunk));
    if obeyed.collect::<Result<Vec<bool>, _>>()?.contains(&true) {
        play(&mut overlay, &hunks)?;
        overlay.changes()?.iter().try_for_each(Change::judge)?;
    }
    Ok(())
}

fn hunks(args: &Args) -> Result<Vec<Hunk<'_>>, ToolError> {
    let input = match args.get("input").and_then(Value::as_str) {
        Some(input) if !trim(input).is_empty() => input,
        _ => return Err(ToolError::params("Provide a patch input.")),
    };
    let hunks = grammar::parse(input).map_err(|malformed| ToolError::failed(malformed.0))?;
    if hunks.is_empty() {
        return Err(ToolError::failed("No files were modified."));
    }
    Ok(hunks)
}

fn judge(overlay: &Overlay<'_>, hunks: &[Hunk<'_>]) -> Result<(), ToolError> {
    hunks.iter().try_for_each(|hunk| overlay.judge(hunk).map(drop))
}

fn play(overlay: &mut Overlay<'_>, hunks: &[Hunk<'_>]) -> Result<(), ToolError> {
    let count = hunks.len();
    for (n, hunk) in hunks.iter().enumerate() {
        overlay.play(hunk).map_err(|mut error| {
            if count > 1 {
                error.message = format!(
                    "{} (operation {} of {count}; nothing was changed)",
                    error.message,
                    n + 1
                );
            }
            error
        })?;
    }
    Ok(())
}

fn format_row(letter: &str, path: &str) -> String {
    format!("\n{letter} {}", crate::path::visible(path, 4096))
}

impl Hunk<'_> {
    fn path(&self) -> &str {
        match self {
            Hunk::Add { path, .. } | Hunk::Delete { path } | Hunk::Update { path, .. } => path,
        }
    }
}

#[cfg(test)]
mod tests;
