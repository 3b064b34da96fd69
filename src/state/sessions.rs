//! What transcripts hold of sessions, for whoever may look: which there are, and what was called in each. What tools gave
//! back is measured, and read out by nothing here.

use super::store::Store;
use super::{StateFault, file_stem, timestamp};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How many transcripts are looked into, the newest first, and how many bytes of all of them are counted.
const MOST_SESSIONS: usize = 500;
const MOST_COUNTED: u64 = 64 << 20;

/// A session that has a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLog {
    /// Its key, under its one name.
    pub key: String,
    /// The agent whose session it is.
    pub agent: String,
    /// The session that started it, where its first call says so.
    pub spawned_by: Option<String>,
    /// When its first call was made.
    pub created: String,
    /// When it was last written.
    pub updated: SystemTime,
    /// How many calls and results it holds; none where there is too much to count.
    pub counts: Option<Counts>,
    directory: PathBuf,
}

/// How much a session did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls.
    pub calls: u64,
    /// Results.
    pub results: u64,
    /// Results that were errors.
    pub errors: u64,
}

/// One line of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionEvent {
    /// A call.
    Call {
        /// The tool.
        tool: String,
        /// Its arguments, as they were recorded.
        args: Value,
        /// When it was made.
        at: String,
    },
    /// A result: what it says of itself, and how long its text is.
    Result {
        /// The tool.
        tool: String,
        /// How it ended.
        status: String,
        /// Whether it is an error.
        is_error: bool,
        /// Characters of its text.
        size: usize,
        /// When it ended.
        at: String,
    },
}

/// What is needed of a line to know a session.
#[derive(Deserialize)]
struct Head {
    r#type: String,
    #[serde(default)]
    session: String,
    #[serde(default)]
    agent: String,
    #[serde(rename = "spawnedBy")]
    spawned_by: Option<String>,
    #[serde(default)]
    timestamp: String,
    #[serde(default, rename = "isError")]
    is_error: bool,
}

/// What is needed of a line to show it.
#[derive(Deserialize)]
struct Line {
    r#type: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    tool_call_id: String,
    #[serde(default)]
    tool: String,
    #[serde(default)]
    args: Value,
    #[serde(default)]
    status: String,
    #[serde(default, rename = "isError")]
    is_error: bool,
    #[serde(default)]
    content: Vec<Value>,
    #[serde(default)]
    timestamp: String,
}

/// The sessions whose transcripts lie in these directories, the newest first. What is no transcript of ours is left out.
pub fn session_logs(directories: impl IntoIterator<Item = PathBuf>, uid: u32) -> Vec<SessionLog> {
    let mut files: Vec<(SystemTime, PathBuf, String)> = Vec::new();
    for directory in directories {
        let entries = crate::uninterrupted::read_dir(&directory)
            .into_iter()
            .flatten()
            .flatten();
        for entry in entries {
            let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file);
            let changed = metadata.and_then(|metadata| metadata.modified().ok());
            let name = entry
                .file_name()
                .into_string()
                .ok()
                .filter(|name| name.ends_with(".jsonl"));
            files.extend(
                changed
                    .zip(name)
                    .map(|(changed, name)| (changed, directory.clone(), name)),
            );
        }
    }
    files.sort_unstable_by(|a, b| b.cmp(a));
    let mut left = MOST_COUNTED;
    let logs = files.into_iter().take(MOST_SESSIONS);
    logs.filter_map(|(updated, directory, name)| log(updated, directory, &name, uid, &mut left))
        .collect()
}

fn log(updated: SystemTime, directory: PathBuf, name: &str, uid: u32, left: &mut u64) -> Option<SessionLog> {
    let lines = Store::open(&directory, uid).ok()??.read_only(name).ok()??;
    let size = lines.size().ok()?;
    let count = size <= *left;
    let mut first: Option<Head> = None;
    let mut counts = Counts::default();
    let read = lines.each(size, |line| {
        let Ok(head) = serde_json::from_slice::<Head>(line) else {
            return ControlFlow::Continue(());
        };
        if head.r#type == "tool_result" {
            counts.results += 1;
            counts.errors += u64::from(head.is_error);
        } else if head.r#type == "tool_call" {
            counts.calls += 1;
            first.get_or_insert(head);
        }
        if count || first.is_none() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    read.ok()?;
    *left = left.saturating_sub(if count { size } else { 0 });
    let first = first?;
    // A file that was brought here under another name speaks for no session.
    (name == format!("{}.jsonl", file_stem(&first.session))).then(|| SessionLog {
        key: first.session,
        agent: first.agent,
        spawned_by: first.spawned_by,
        created: first.timestamp,
        updated,
        counts: count.then_some(counts),
        directory,
    })
}

impl SessionLog {
    /// When it was last written, as it is shown.
    pub fn updated_at(&self) -> String {
        timestamp(self.updated)
    }

    /// Its last lines, oldest first, of those that are wanted: `wanted` gets whether it is a call, and its tool.
    ///
    /// # Errors
    /// The transcript cannot be read any more.
    pub fn last(
        &self,
        uid: u32,
        most: usize,
        wanted: impl Fn(&SessionEvent) -> bool,
    ) -> Result<Vec<SessionEvent>, StateFault> {
        let mut kept: VecDeque<SessionEvent> = VecDeque::new();
        let name = format!("{}.jsonl", file_stem(&self.key));
        let Some(lines) = Store::open(Path::new(&self.directory), uid)?
            .map(|store| store.read_only(&name))
            .transpose()?
            .flatten()
        else {
            return Ok(Vec::new());
        };
        let mut tools: HashMap<String, String> = HashMap::new();
        lines.each(lines.size()?, |line| {
            let event = serde_json::from_slice::<Line>(line)
                .ok()
                .and_then(|line| event(line, &mut tools));
            if let Some(event) = event.filter(|event| wanted(event)) {
                if kept.len() == most {
                    kept.pop_front();
                }
                if most > 0 {
                    kept.push_back(event);
                }
            }
            ControlFlow::Continue(())
        })?;
        Ok(kept.into())
    }
}

fn event(line: Line, tools: &mut HashMap<String, String>) -> Option<SessionEvent> {
    match &*line.r#type {
        "tool_call" => {
            tools.insert(line.id, line.tool.clone());
            Some(SessionEvent::Call {
                tool: line.tool,
                args: line.args,
                at: line.timestamp,
            })
        }
        "tool_result" => {
            let text = |block: &Value| {
                block
                    .get("text")
                    .and_then(Value::as_str)
                    .map(|text| text.chars().count())
            };
            Some(SessionEvent::Result {
                tool: tools.remove(&line.tool_call_id).unwrap_or_else(|| "unknown".to_owned()),
                status: line.status,
                is_error: line.is_error,
                size: line.content.iter().filter_map(text).sum(),
                at: line.timestamp,
            })
        }
        _ => None,
    }
}

/// Whether the transcript of a session, in one of these directories, holds a result that names this batch of messages.
pub fn names_batch(directories: impl IntoIterator<Item = PathBuf>, uid: u32, session: &str, batch: &str) -> bool {
    #[derive(Deserialize)]
    struct Named {
        r#type: String,
        #[serde(default)]
        details: Value,
    }
    let name = format!("{}.jsonl", file_stem(session));
    directories.into_iter().any(|directory| {
        let Ok(Some(Ok(Some(lines)))) = Store::open(&directory, uid).map(|s| s.map(|s| s.read_only(&name))) else {
            return false;
        };
        let mut found = false;
        let is = |line: &[u8]| {
            let line: Option<Named> = serde_json::from_slice(line).ok();
            line.is_some_and(|line| {
                line.r#type == "tool_result" && line.details.get("mailId") == Some(&Value::from(batch))
            })
        };
        let read = lines.size().and_then(|size| {
            lines.each(size, |line| {
                found |= is(line);
                if found {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        });
        read.is_ok() && found
    })
}
