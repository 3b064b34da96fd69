//! What an allow-always answer would add: a grant for each part that lacks one, or nothing at all.

use super::answer::{Finding, Segment, Verdict};
use super::level::Level;
use super::world::World;
use crate::config::AllowEntry;
use crate::model::Ask;
use crate::shell::interpreter;

/// Derives the entries. Never a shell, wrapper or interpreter; nothing where something else than a missing grant asks.
pub(super) fn derive(level: &Level, findings: &[Finding], segments: &[Segment], world: &dyn World) -> Vec<AllowEntry> {
    let offered = level.ask != Ask::Always && findings.iter().all(|f| f.verdict == Verdict::Allow || f.is_miss);
    if !offered {
        return Vec::new();
    }
    let mut kept: Vec<AllowEntry> = Vec::new();
    for segment in segments.iter().filter(|s| s.by.is_none()) {
        let Some(entry) = entry(segment, world) else {
            return Vec::new();
        };
        if !kept.contains(&entry) {
            kept.push(entry);
        }
    }
    kept
}

fn entry(segment: &Segment, world: &dyn World) -> Option<AllowEntry> {
    let program = segment.program.as_ref().filter(|p| p.trusted)?;
    let free =
        !interpreter::is_interpreter_like(program.name()) && !interpreter::is_interpreter_like(program.real_name());
    let pattern = program.invoked.to_str()?.to_owned();
    let plain = !pattern.contains(['*', '?', '\\']) && pattern.trim() == pattern;
    if !free || !plain {
        return None;
    }
    Some(AllowEntry {
        pattern,
        arg_pattern: None,
        // A file that the model can write is granted as it is now, not as it may become.
        sha256: if program.in_workspace {
            Some(world.sha256(&program.real)?)
        } else {
            None
        },
        note: None,
        source: Some("allow-always".to_owned()),
    })
}
