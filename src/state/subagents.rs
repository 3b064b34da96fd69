//! Which sub-agents a session has started: written down before they are.

use super::{StateFault, Store, file_stem};
use crate::fsio::Durability;
use serde::{Deserialize, Serialize};
use std::path::Path;

const ROOM: &str = "subagents";
/// Bytes of one entry.
const MOST: u64 = 64 << 10;

/// A sub-agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubAgent {
    /// Its session, under its one name.
    pub session: String,
    /// The session that started it.
    pub parent: String,
    /// The agent that it is.
    pub agent: String,
    /// What it is called.
    pub label: Option<String>,
    /// The beginning of its task.
    pub task: String,
    /// When it was started.
    pub started: String,
}

impl SubAgent {
    /// Under what it runs in the background.
    pub fn command(&self) -> String {
        format!("sub-agent {}", self.session)
    }

    /// Writes it down.
    ///
    /// # Errors
    /// It cannot be written; then it must not be started.
    pub fn note(&self, state_dir: &Path, uid: u32) -> Result<(), StateFault> {
        let room = Store::create(state_dir, uid)?
            .child(ROOM)?
            .child(&file_stem(&self.parent))?;
        let text = serde_json::to_vec(self).unwrap_or_default();
        let name = format!("{}.json", file_stem(&self.session));
        room.put(&name, &text, Durability::Fsync).map(|_| ())
    }
}

/// The sub-agents that a session has started, the newest first; of every session, where none is named.
///
/// # Errors
/// They cannot be read.
pub fn subagents_of(state_dir: &Path, uid: u32, parent: Option<&str>) -> Result<Vec<SubAgent>, StateFault> {
    let Some(room) = Store::open(&state_dir.join(ROOM), uid)? else {
        return Ok(Vec::new());
    };
    let names = match parent {
        Some(parent) => vec![file_stem(parent)],
        None => room.names()?,
    };
    let mut all = Vec::new();
    for name in names {
        let Some(of_one) = room.existing_child(&name)? else {
            continue;
        };
        for name in of_one.names()? {
            let Some(text) = of_one.read(&name, MOST)? else {
                continue;
            };
            let entry: SubAgent = serde_json::from_slice(&text)
                .map_err(|error| StateFault::new(&of_one.path().join(&name), format!("is damaged: {error}")))?;
            all.push(entry);
        }
    }
    all.retain(|entry| parent.is_none_or(|parent| parent == entry.parent));
    all.sort_by(|a, b| (&b.started, &b.session).cmp(&(&a.started, &a.session)));
    Ok(all)
}
