//! The record of a change in progress: which names, which temporary names, which contents by hash.
//!
//! It is written before the first file is staged and removed after the last is finished. What it says is enough to
//! finish the change or to take it back, and to tell a file that someone else has changed since.

use super::{Files, lock};
use crate::fsio::Durability;
use crate::model::Code;
use crate::tool::ToolError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{DirBuilder, File};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The form of the record.
const VERSION: u32 = 1;

/// What is done to one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Action {
    Replace,
    Create,
    Delete,
}

/// One name of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The canonical base directory.
    pub(super) base: PathBuf,
    /// The name beneath it.
    pub(super) path: PathBuf,
    /// The temporary sibling.
    pub(super) temp: String,
    /// What is done.
    pub(super) action: Action,
    /// Hash of the content before; none for a new file.
    pub(super) old: Option<String>,
    /// Hash of the content after; none for a deletion.
    pub(super) new: Option<String>,
}

/// The whole change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) version: u32,
    pub(super) entries: Vec<Entry>,
    /// Directories that the change needs and that did not exist, with their base, outermost first.
    pub(super) made: Vec<(PathBuf, PathBuf)>,
}

impl Record {
    /// A record of this version.
    pub(super) fn new(entries: Vec<Entry>, made: Vec<(PathBuf, PathBuf)>) -> Self {
        Self {
            version: VERSION,
            entries,
            made,
        }
    }
}

/// The content's hash, as it is written in a record.
pub(super) fn hash(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

/// The hash of what a file holds, without holding it.
pub(super) fn hash_stream(file: &mut File) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0u8; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hasher.finalize())),
            n => hasher.update(buffer.get(..n).unwrap_or_default()),
        }
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
}

/// The directory with this workspace's journals.
pub(super) fn directory(files: &Files) -> PathBuf {
    let name = Sha256::digest(files.root.workspace().as_os_str().as_bytes());
    lock::directory(files).join(hex(name.get(..12).unwrap_or_default()))
}

/// A record on disk.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
}

impl Journal {
    /// Writes a record.
    pub(super) fn begin(files: &Files, record: &Record, durability: Durability) -> Result<Self, ToolError> {
        let unavailable = |error: std::io::Error| {
            ToolError::new(
                Code::StateUnavailable,
                format!(
                    "the journal cannot be written: {error}; nothing was changed; choose another place with --state-dir"
                ),
            )
        };
        let directory = directory(files);
        let mut name = crate::fsio::random_name().map_err(unavailable)?;
        name.push(".journal");
        let text = serde_json::to_vec(record).map_err(|e| unavailable(e.into()))?;
        let open = || {
            std::fs::OpenOptions::new()
                .create_new(true)
                .write(true)
                .mode(0o600)
                .open(directory.join(&name))
        };
        let mut file = match open() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let made = DirBuilder::new().recursive(true).mode(0o700).create(&directory);
                made.and_then(|()| open()).map_err(unavailable)?
            }
            other => other.map_err(unavailable)?,
        };
        let journal = Self {
            path: directory.join(&name),
        };
        let written = file.write_all(&text).and_then(|()| match durability {
            Durability::Fsync => file.sync_all().and_then(|()| File::open(&directory)?.sync_all()),
            Durability::None => Ok(()),
        });
        match written {
            Ok(()) => Ok(journal),
            Err(error) => {
                journal.end();
                Err(unavailable(error))
            }
        }
    }

    /// Removes the record: the change is complete or was taken back.
    pub(super) fn end(self) {
        let _ = std::fs::remove_file(self.path);
    }
}

/// The journals that are there; none is the usual case and costs one look.
pub(super) fn pending(files: &Files) -> Vec<PathBuf> {
    let Ok(list) = std::fs::read_dir(directory(files)) else {
        return Vec::new();
    };
    let mut all: Vec<PathBuf> = list
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "journal"))
        .collect();
    all.sort();
    all
}

/// Reads a record. A torn one belongs to a call that was killed before it staged anything.
pub(super) fn load(path: &Path) -> Option<Record> {
    let text = std::fs::read(path).ok()?;
    let record: Record = serde_json::from_slice(&text).ok()?;
    (record.version == VERSION).then_some(record)
}
