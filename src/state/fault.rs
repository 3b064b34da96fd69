//! Why the state could not be read or written.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A state file or directory that cannot be used.
#[derive(Debug)]
pub struct StateFault {
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong, in lower case without a full stop.
    pub why: String,
    /// Whether another process only holds a lock for too long.
    pub busy: bool,
}

impl StateFault {
    /// A fault with its own words.
    pub fn new(path: &Path, why: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            why: why.into(),
            busy: false,
        }
    }

    /// Another process holds the lock.
    pub(super) fn busy(path: &Path, seconds: u64) -> Self {
        Self {
            busy: true,
            ..Self::new(path, format!("another process has held its lock for {seconds} s"))
        }
    }

    /// What the system said.
    pub fn io(path: &Path, doing: &str, error: impl Into<io::Error>) -> Self {
        let error: io::Error = error.into();
        Self::new(path, format!("cannot {doing}: {error}"))
    }
}

impl fmt::Display for StateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for StateFault {}
