//! A throw-away world for tests: a workspace, a directory outside it, a home, a state directory.

use super::Files;
use crate::fsio::Durability;
use crate::path::{Root, Scope};
use serde_json::{Map, Value};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

pub(crate) struct Bench {
    _dir: tempfile::TempDir,
    pub(crate) top: PathBuf,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        for name in ["root", "out", "home"] {
            fs::create_dir(top.join(name)).unwrap();
        }
        Self { _dir: dir, top }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.top.join("root")
    }

    pub(crate) fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn out(&self, path: impl AsRef<Path>) -> PathBuf {
        self.top.join("out").join(path)
    }

    pub(crate) fn files(&self) -> Files {
        let root = Root::new(&self.root()).unwrap().home(Some(self.top.join("home")));
        let mut files = Files::new(root.protecting([self.top.join("state")]), self.top.join("state"));
        files.durability = Durability::None;
        files
    }

    pub(crate) fn open_files(&self) -> Files {
        let files = self.files();
        Files {
            root: files.root.clone().scope(Scope::Anywhere),
            ..files
        }
    }

    pub(crate) fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn link(&self, path: &str, target: impl AsRef<Path>) {
        symlink(target, self.at(path)).unwrap();
    }

    #[track_caller]
    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub(crate) fn mode(&self, path: &str) -> u32 {
        fs::symlink_metadata(self.at(path)).unwrap().permissions().mode() & 0o7777
    }

    pub(crate) fn chmod(&self, path: &str, mode: u32) {
        fs::set_permissions(self.at(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Names in the workspace, sorted; to show that nothing was left behind.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut out = Vec::new();
        walk(&self.root(), &self.root(), &mut out);
        out.sort();
        out
    }
}

fn walk(top: &Path, dir: &Path, out: &mut Vec<String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        out.push(path.strip_prefix(top).unwrap().to_string_lossy().into_owned());
        if path.is_dir() && !path.is_symlink() {
            walk(top, &path, out);
        }
    }
}

/// Arguments from a JSON object.
#[track_caller]
pub(crate) fn args(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("not an object: {other}"),
    }
}

/// All text of a result.
pub(crate) fn text_of(result: &crate::tool::ToolResult) -> String {
    let texts: Vec<&str> = result
        .content
        .iter()
        .filter_map(|block| match block {
            crate::model::Block::Text(text) => Some(text.as_str()),
            crate::model::Block::Image { .. } | crate::model::Block::Other(_) => None,
        })
        .collect();
    texts.join("\n")
}
