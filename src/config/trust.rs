//! Trust by content: which project files a person has looked at, with the SHA-256 of each and of the scripts it names.

use super::keys::{ROOT, Shape, find};
use super::node::Node;
use super::{hash, source};
use std::path::{Path, PathBuf};

/// What a person has trusted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustList {
    /// One record per project file.
    pub records: Vec<TrustRecord>,
}

/// One trusted project file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustRecord {
    /// The file, absolute, without symbolic links in its directory.
    pub path: PathBuf,
    /// Hex SHA-256 of its content.
    pub sha256: String,
    /// The scripts it names.
    pub scripts: Vec<TrustedScript>,
}

/// A script inside the repository that a trusted file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedScript {
    /// Absolute path.
    pub path: PathBuf,
    /// Hex SHA-256 of its content; `None`: it was not there.
    pub sha256: Option<String>,
}

impl TrustList {
    /// The record of a file, if its content is the trusted one.
    pub fn find(&self, path: &Path, sha256: &str) -> Option<&TrustRecord> {
        self.records.iter().find(|r| r.path == path && r.sha256 == sha256)
    }
}

/// Scripts up to this size are hashed; greater ones count as missing, hence as changed.
const MAX_SCRIPT: u64 = 64 << 20;

/// The files inside the repository that commands of a project file name: programs with a `/`, and arguments that are
/// such files (or look like paths into it).
pub(crate) fn named_scripts(root: &Node, directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let repository = source::project_directories(directory).pop();
    let repository = repository.as_deref().unwrap_or(directory);
    commands(root, &Shape::Map(&ROOT), &mut |argv| {
        for (i, item) in argv.iter().enumerate() {
            let Some(text) = item.text() else { continue };
            if text.is_empty() || (i == 0 && !text.contains('/')) {
                continue;
            }
            let path = directory.join(text);
            let resolved = path.canonicalize().ok();
            let inside = match &resolved {
                Some(real) => real.is_file() && (real.starts_with(repository) || path.starts_with(repository)),
                None => text.contains('/') && !text.starts_with('-') && path.starts_with(repository),
            };
            if inside && !found.contains(&path) {
                found.push(path);
            }
        }
    });
    found
}

/// Visits every argv of a tree.
fn commands<'n>(node: &'n Node, shape: &Shape, visit: &mut impl FnMut(&'n [Node])) {
    match shape {
        Shape::Command | Shape::Args => visit(node.items()),
        Shape::Map(keys) | Shape::Overlay(keys) => {
            for entry in node.entries() {
                if let Some(key) = find(keys, &entry.key) {
                    commands(&entry.value, &key.shape, visit);
                }
            }
        }
        Shape::Named(of, _) => node.entries().iter().for_each(|e| commands(&e.value, of, visit)),
        Shape::List(of, _) => node.items().iter().for_each(|i| commands(i, of, visit)),
        Shape::Text | Shape::Path | Shape::Bool | Shape::Word(_) | Shape::Whole(..) | Shape::Json => {}
    }
}

/// A script with the hash of its content now.
pub(crate) fn fingerprint(path: PathBuf) -> TrustedScript {
    let content = || {
        let metadata = path.metadata().ok()?;
        (metadata.is_file() && metadata.len() <= MAX_SCRIPT).then(|| std::fs::read(&path).ok())?
    };
    let sha256 = content().map(|bytes| hash::sha256(&bytes));
    TrustedScript { path, sha256 }
}
