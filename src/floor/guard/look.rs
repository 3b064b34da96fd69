//! What is there: everything that later programs obey, with its content.

use crate::floor::git;
use crate::path::protected_name;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Bytes of a file that are kept to put it back.
const KEPT: u64 = 256 * 1024;
/// Directories that are looked into, nearest to the workspace first.
const DIRECTORIES: usize = 256;

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// A file: its mode, and its content.
    File(u32, Vec<u8>),
    /// A file that is too large to be kept: its size and time.
    Large(u64, i64),
    /// A directory.
    Directory,
    /// A symbolic link and its target.
    Link(PathBuf),
    /// Something else.
    Other,
}

/// Why a path matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// `.git` where it is a file, or leads elsewhere.
    Pointer,
    /// What `HEAD` of a repository says.
    Head,
    /// Settings of a repository.
    Settings,
    /// What leads git to another directory, or gives files attributes that the tree does not show.
    Leads,
    /// A hook.
    Hook,
    /// A name that other programs obey.
    Obeyed,
    /// What was granted, or this tool obeys.
    Granted,
}

/// Everything that matters, as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) entries: BTreeMap<PathBuf, (Role, Entry)>,
    /// The repositories' own directories.
    pub(super) repositories: BTreeSet<PathBuf>,
    /// The directory `.git` of the workspace: device and inode.
    pub(super) git: Option<(u64, u64)>,
}

pub(super) fn entry(path: &Path) -> Option<Entry> {
    let meta = fs::symlink_metadata(path).ok()?;
    Some(if meta.is_dir() {
        Entry::Directory
    } else if meta.is_symlink() {
        Entry::Link(fs::read_link(path).unwrap_or_default())
    } else if !meta.is_file() {
        Entry::Other
    } else if meta.len() > KEPT {
        Entry::Large(meta.len(), meta.mtime())
    } else {
        match fs::read(path) {
            Ok(content) => Entry::File(meta.permissions().mode(), content),
            Err(_) => Entry::Other,
        }
    })
}

/// Looks at a workspace and its repositories.
pub(super) fn at(workspace: &Path, granted: &[PathBuf]) -> State {
    let mut state = State::default();
    for path in granted {
        if let Some(entry) = entry(path).filter(|entry| *entry != Entry::Directory) {
            state.entries.insert(path.clone(), (Role::Granted, entry));
        }
    }
    if let Ok(meta) = fs::symlink_metadata(workspace.join(".git"))
        && meta.is_dir()
    {
        state.git = Some((meta.dev(), meta.ino()));
    }
    if let Some(repository) = git::repository(workspace) {
        // It may lie above the workspace, or elsewhere altogether.
        state.repository(&repository.directory);
        state.repository(&repository.common);
    }
    state.walk(workspace);
    state
}

impl State {
    fn note(&mut self, path: PathBuf, role: Role) {
        if self.entries.contains_key(&path) {
            return;
        }
        if let Some(entry) = entry(&path).filter(|entry| *entry != Entry::Directory || role == Role::Head) {
            self.entries.insert(path, (role, entry));
        }
    }

    /// A repository's own directory.
    fn repository(&mut self, directory: &Path) {
        if !self.repositories.insert(directory.to_owned()) {
            return;
        }
        for (name, role) in [
            ("HEAD", Role::Head),
            ("config", Role::Settings),
            ("config.worktree", Role::Settings),
            ("commondir", Role::Leads),
            ("info/attributes", Role::Leads),
            ("objects/info/alternates", Role::Leads),
        ] {
            self.note(directory.join(name), role);
        }
        let hooks = directory.join("hooks");
        if fs::symlink_metadata(&hooks).is_ok_and(|meta| meta.is_symlink()) {
            self.note(hooks.clone(), Role::Hook);
        }
        for hook in names(&hooks) {
            // Git passes over these.
            if hook.extension().is_none_or(|extension| extension != "sample") {
                self.note(hook, Role::Hook);
            }
        }
        for inner in ["modules", "worktrees"] {
            for own in names(&directory.join(inner)) {
                if own.join("HEAD").exists() {
                    self.repository(&own);
                }
            }
        }
    }

    /// Goes through the workspace, as far as it is not too large.
    fn walk(&mut self, workspace: &Path) {
        let mut queue = VecDeque::from([workspace.to_owned()]);
        let mut looked = 0;
        while let Some(directory) = queue.pop_front() {
            looked += 1;
            if looked > DIRECTORIES {
                break;
            }
            let (mut head, mut objects, mut refs) = (false, false, false);
            let Ok(entries) = fs::read_dir(&directory) else {
                continue;
            };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let path = entry.path();
                let Ok(kind) = entry.file_type() else { continue };
                if name == ".git" {
                    if kind.is_dir() {
                        self.repository(&path);
                    } else {
                        self.note(path, Role::Pointer);
                    }
                    continue;
                }
                head |= name == "HEAD";
                objects |= name == "objects" && kind.is_dir();
                refs |= name == "refs" && kind.is_dir();
                let relative = path.strip_prefix(workspace).unwrap_or(&path);
                if protected_name(relative).is_some() && !kind.is_dir() {
                    self.note(path, Role::Obeyed);
                } else if kind.is_dir() {
                    queue.push_back(path);
                }
            }
            if head && objects && refs {
                // Git takes it for a repository, whatever it is called.
                self.repository(&directory);
            }
        }
    }
}

fn names(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    entries.flatten().map(|entry| entry.path()).collect()
}
