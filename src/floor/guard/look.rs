//! What is there: everything that later programs obey, with its content.

use crate::floor::git::Repository;
use crate::path::protected_name;
use rustix::fs::{CWD, FileType, Mode, OFlags, RawDir, openat};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::fs;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Bytes of a file that are kept to put it back.
const KEPT: u64 = 256 * 1024;
/// Directories that are looked into, nearest to the workspace first.
const DIRECTORIES: usize = 4096;
/// Directories that hold what was fetched or made: looked into after all others.
const LAST: &[&str] = &[
    "node_modules",
    "target",
    "vendor",
    "dist",
    "build",
    ".venv",
    "venv",
    ".tox",
    "__pycache__",
    ".next",
    ".gradle",
];
/// Bytes of names that are read from a directory at once.
const BUFFER: usize = 8192;

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
    /// Whether there are more directories than were looked into: what is found beyond them later need not be new.
    pub(super) partial: bool,
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

/// Looks at a workspace and its repositories; what lies in `own`, this tool's directory, is its own.
pub(super) fn at(workspace: &Path, repository: Option<&Repository>, granted: &[PathBuf], own: &Path) -> State {
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
    if let Some(repository) = repository {
        // It may lie above the workspace, or elsewhere altogether.
        state.repository(&repository.directory);
        state.repository(&repository.common);
    }
    state.walk(workspace, own);
    state
}

/// A directory that is to be looked into.
struct Place {
    path: PathBuf,
    /// Whether a part of its name below the workspace is one that may be protected.
    odd: bool,
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
        self.inner(&directory.join("modules"));
        for own in names(&directory.join("worktrees")) {
            if own.join("HEAD").exists() {
                self.repository(&own);
            }
        }
    }

    /// The repositories of submodules, whose names may have several parts.
    fn inner(&mut self, modules: &Path) {
        let mut queue = VecDeque::from(names(modules));
        let mut looked = 0;
        while let Some(directory) = queue.pop_front() {
            looked += 1;
            if looked > DIRECTORIES {
                self.partial = true;
                break;
            }
            if directory.join("HEAD").exists() {
                self.repository(&directory);
            } else if fs::symlink_metadata(&directory).is_ok_and(|meta| meta.is_dir()) {
                queue.extend(names(&directory));
            }
        }
    }

    /// Goes through the workspace, as far as it is not too large.
    fn walk(&mut self, workspace: &Path, own: &Path) {
        let mut buffer = [MaybeUninit::uninit(); BUFFER];
        let mut near = VecDeque::from([Place {
            path: workspace.to_owned(),
            odd: false,
        }]);
        let mut last = VecDeque::new();
        let mut looked = 0;
        while let Some(place) = near.pop_front().or_else(|| last.pop_front()) {
            looked += 1;
            if looked > DIRECTORIES {
                self.partial = true;
                break;
            }
            let (mut head, mut objects, mut refs) = (false, false, false);
            list(&place.path, &mut buffer, |name, kind| {
                let directory = kind == FileType::Directory;
                if name == ".git" {
                    let path = place.path.join(name);
                    if directory {
                        self.repository(&path);
                    } else {
                        self.note(path, Role::Pointer);
                    }
                    return;
                }
                head |= name == "HEAD";
                objects |= name == "objects" && directory;
                refs |= name == "refs" && directory;
                let odd = place.odd || may_be_protected(name);
                if directory {
                    let queue = if LAST.iter().any(|last| name == *last) {
                        &mut last
                    } else {
                        &mut near
                    };
                    let path = place.path.join(name);
                    if path != own {
                        queue.push_back(Place { path, odd });
                    }
                } else if odd {
                    let path = place.path.join(name);
                    let relative = path.strip_prefix(workspace).unwrap_or(&path);
                    if protected_name(relative).is_some() {
                        self.note(path, Role::Obeyed);
                    }
                }
            });
            if head && objects && refs {
                // Git takes it for a repository, whatever it is called.
                self.repository(&place.path);
            }
        }
    }
}

/// Whether a name may be, or hold, one that is protected: all of those begin with a dot, or have one of these ends or
/// forms. What is spelled strangely is looked at in full.
fn may_be_protected(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    let ends = |end: &[u8]| {
        let from = bytes.len().checked_sub(end.len());
        from.and_then(|from| bytes.get(from..))
            .is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    bytes.first() == Some(&b'.')
        || !bytes.is_ascii()
        || bytes.iter().any(|byte| matches!(byte, b'~' | b':'))
        || matches!(bytes.last(), Some(b'.' | b' '))
        || ends(b".code-workspace")
        || ends(b".sublime-project")
}

/// Calls for each name in a directory; for nothing where it cannot be read.
fn list(directory: &Path, buffer: &mut [MaybeUninit<u8>], mut each: impl FnMut(&OsStr, FileType)) {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Ok(fd) = openat(CWD, directory, flags, Mode::empty()) else {
        return;
    };
    let mut entries = RawDir::new(&fd, buffer);
    while let Some(Ok(entry)) = entries.next() {
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::Unknown => match fs::symlink_metadata(directory.join(name)) {
                Ok(meta) if meta.is_dir() => FileType::Directory,
                _ => FileType::RegularFile,
            },
            kind => kind,
        };
        each(name, kind);
    }
}

fn names(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    entries.flatten().map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_protected_name_is_passed_over() {
        for path in [
            ".envrc",
            "git~1/x",
            ".g\u{200c}it/x",
            "A.Code-Workspace",
            "x.sublime-project",
            ".VSCode/settings.json",
            "x.code-workspace:y",
            "x.code-workspace.",
            "\u{200b}.envrc",
            ".idea/a/b.xml",
        ] {
            assert!(protected_name(Path::new(path)).is_some(), "{path}");
            let parts = Path::new(path).components();
            assert!(
                parts.map(std::path::Component::as_os_str).any(may_be_protected),
                "{path}"
            );
        }
        assert!(!may_be_protected(OsStr::new("main.rs")));
    }
}
