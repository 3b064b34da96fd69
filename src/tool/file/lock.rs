//! One lock per state directory: calls that change files come one after the other, whichever process they run in.
//!
//! Readers take no lock. The lock dies with its process, so a journal that is found while holding it is a dead call's.

use super::Files;
use crate::model::Code;
use crate::tool::ToolError;
use rustix::fs::{FlockOperation, flock};
use std::fs::{DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The lock, held until dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// Where locks and journals live.
pub(super) fn directory(files: &Files) -> PathBuf {
    files.state.join("files")
}

impl Lock {
    /// Waits for the lock.
    pub(super) fn take(files: &Files) -> Result<Self, ToolError> {
        let file = open(files)?;
        let begin = Instant::now();
        let mut pause = Duration::from_micros(200);
        while flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            if begin.elapsed() >= files.patience {
                return Err(ToolError::failed(
                    "another call is still changing files; nothing was changed, repeat the call later",
                ));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
        Ok(Self { _file: file })
    }

    /// Takes the lock if nobody has it.
    pub(super) fn try_take(files: &Files) -> Option<Self> {
        let file = open(files).ok()?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
        Some(Self { _file: file })
    }
}

fn open(files: &Files) -> Result<File, ToolError> {
    let unavailable = |error: std::io::Error| {
        ToolError::new(
            Code::StateUnavailable,
            format!("the state directory cannot be used: {error}; choose another with --state-dir"),
        )
    };
    let directory = directory(files);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&directory)
        .map_err(unavailable)?;
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(directory.join("lock"))
        .map_err(unavailable)
}
