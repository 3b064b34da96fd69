//! What is there: everything that later programs obey, with its content.

use super::entry::{Budget, Entry, is_absence};
use super::live::Changes;
use crate::floor::git::Repository;
use crate::path::{TOOLCHAIN_FILES, may_be_protected, may_hold_protected, protected_name};
use crate::uninterrupted::RealPath as _;
use crate::uninterrupted::openat;
use rustix::fs::{CWD, FileType, Mode, OFlags, RawDir};
use rustix::io::Errno;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Directories that are looked into. One that has more is not looked at as a whole, and that is a finding.
const DIRECTORIES: usize = 1 << 20;
/// Bytes of names that are read from a directory at once.
const BUFFER: usize = 8192;

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
    /// What git does next when it goes on with something it was interrupted in.
    Pending,
    /// References in one file, as far as they put another object in an object's place.
    References,
    /// What git keeps nothing under.
    Foreign,
    /// A hook.
    Hook,
    /// A file that names the toolchain which programs become.
    Toolchain,
    /// A name that other programs obey.
    Obeyed,
    /// What was granted, or this tool obeys, as it is: no commit makes another content right.
    Granted,
    /// What counts by its hash only, or the settings of git name.
    Hashed,
}

impl Role {
    /// Whether it is looked at while a run goes on: git's own files change while git works, and mean something when it is done.
    pub(super) fn counts_meanwhile(self) -> bool {
        match self {
            Self::Hook | Self::Obeyed | Self::Toolchain | Self::Granted | Self::Hashed | Self::Settings => true,
            Self::Pointer | Self::Head | Self::Leads | Self::Pending | Self::References | Self::Foreign => false,
        }
    }
}

/// Everything that matters, as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) entries: BTreeMap<PathBuf, (Role, Entry)>,
    /// The repositories' own directories.
    pub(super) repositories: BTreeSet<PathBuf>,
    /// The directory `.git` of the workspace: device and inode.
    pub(super) git: Option<(u64, u64)>,
    /// Places beside the workspace that are looked into: the run may write there.
    pub(super) others: BTreeSet<PathBuf>,
    /// Whether the run may leave what git goes on with later.
    pub(super) states: bool,
    /// What could not be looked at.
    pub(super) unseen: BTreeSet<PathBuf>,
    /// Directories that were looked into.
    looked: usize,
    /// What may still be read.
    budget: Budget,
}

/// What is looked at, and whose it is.
pub(super) struct ScanScope<'a> {
    pub(super) workspace: &'a Path,
    pub(super) repository: Option<&'a Repository>,
    /// Directories beside the workspace that a run may write.
    pub(super) others: &'a BTreeSet<PathBuf>,
    /// Files that were granted or are obeyed by this tool.
    pub(super) granted: &'a [PathBuf],
    /// Further paths that are read-only to every tool.
    pub(super) hashed: &'a [PathBuf],
    /// Who is told of what is looked into, so that changes are seen.
    pub(super) changes: Option<&'a Changes>,
    /// This tool's directory: what lies there is its own.
    pub(super) own: &'a Path,
    /// Whose settings of git hold besides those of a repository.
    pub(super) whose: GitUser<'a>,
}

/// What a user's own settings of git mean in a repository.
#[derive(Debug, Clone, Copy)]
pub(super) struct GitUser<'a> {
    /// What `~` means in settings.
    pub(super) home: Option<&'a Path>,
    /// Directories of hooks, seen from the top of a working tree.
    pub(super) hooks: &'a [PathBuf],
}

impl ScanScope<'_> {
    /// Looks at the workspace and its repositories.
    pub(super) fn look(&self) -> State {
        let mut state = State {
            others: self.others.clone(),
            ..State::default()
        };
        for (paths, role) in [(self.granted, Role::Granted), (self.hashed, Role::Hashed)] {
            for path in paths.iter().filter(|path| self.top_of(path).is_some()) {
                state.note(path.clone(), role);
                if role == Role::Hashed && path.is_dir() {
                    // What is in it is obeyed, too: settings name directories of hooks.
                    state.hooks(path, Role::Obeyed);
                }
            }
        }
        if let Ok(meta) = fs::symlink_metadata(self.workspace.join(".git"))
            && meta.is_dir()
        {
            state.git = Some((meta.dev(), meta.ino()));
        }
        if let Some(repository) = self.repository {
            // It may lie above the workspace, or elsewhere altogether.
            self.watch_repository(&repository.directory);
            self.watch_repository(&repository.common);
            state.repository(&repository.directory, self.whose);
            state.repository(&repository.common, self.whose);
        }
        let mut walk = Scan {
            scene: self,
            state,
            queue: VecDeque::new(),
            through: BTreeSet::new(),
        };
        walk.all();
        walk.state
    }

    /// Has changes of what git obeys in a repository told.
    fn watch_repository(&self, directory: &Path) {
        if let Some(changes) = self.changes {
            changes.watch(directory);
            changes.watch(&directory.join("hooks"));
        }
    }

    /// The place that is looked into and in which a path lies.
    fn top_of(&self, path: &Path) -> Option<&Path> {
        let tops = std::iter::once(self.workspace).chain(self.others.iter().map(PathBuf::as_path));
        tops.filter(|top| path.starts_with(top))
            .max_by_key(|top| top.components().count())
    }

    /// Whether a directory is looked into as one of those places, or is this tool's own.
    fn is_known(&self, directory: &Path) -> bool {
        directory == self.own || directory == self.workspace || self.others.contains(directory)
    }
}

impl State {
    /// Notes what stands at a path, and, where that is a link, what it leads to.
    pub(super) fn note(&mut self, path: PathBuf, role: Role) {
        if self.entries.contains_key(&path) {
            return;
        }
        match Entry::at(&path, &mut self.budget) {
            Err(error) => self.unseen(&path, &error),
            Ok(None) => {}
            Ok(Some(Entry::Directory)) if role != Role::Head => {}
            Ok(Some(entry)) => {
                let target = match entry {
                    Entry::Link(_) => path.real_path().ok(),
                    _ => None,
                };
                self.entries.insert(path, (role, entry));
                if let Some(target) = target.filter(|target| target.is_file()) {
                    self.note(target, role);
                }
            }
        }
    }

    /// Something could not be looked at; what is not there need not be.
    pub(super) fn unseen(&mut self, path: &Path, error: &io::Error) {
        if !is_absence(error) {
            self.unseen.insert(path.to_owned());
        }
    }

    /// Whether one more directory may be looked into.
    pub(super) fn may_go_on(&mut self) -> bool {
        self.looked += 1;
        self.looked <= DIRECTORIES
    }
}

/// A directory that is to be looked into.
struct Place {
    path: PathBuf,
    /// Its name for other programs, where a link leads to it.
    named: Option<PathBuf>,
    /// Whether a part of its name below the workspace is one that may be protected.
    odd: bool,
}

/// A way through the whole workspace.
struct Scan<'a> {
    scene: &'a ScanScope<'a>,
    state: State,
    queue: VecDeque<Place>,
    /// Directories that links led to, and as what: what protects all of it, or the name by which it is known.
    through: BTreeSet<(PathBuf, OsString)>,
}

impl Scan<'_> {
    fn all(&mut self) {
        let mut buffer = [MaybeUninit::uninit(); BUFFER];
        let others = self.scene.others.iter().filter(|path| path.is_dir());
        for path in std::iter::once(self.scene.workspace).chain(others.map(PathBuf::as_path)) {
            self.queue.push_back(Place {
                path: path.to_owned(),
                named: None,
                odd: false,
            });
        }
        while let Some(place) = self.queue.pop_front() {
            if !self.state.may_go_on() {
                self.state.unseen.insert(self.scene.workspace.to_owned());
                return;
            }
            if let Err(error) = self.directory(&place, &mut buffer) {
                self.state.unseen(&place.path, &error);
            }
        }
    }

    fn directory(&mut self, place: &Place, buffer: &mut [MaybeUninit<u8>]) -> io::Result<()> {
        let (mut head, mut objects, mut refs, mut common) = (false, false, false, false);
        if let Some(changes) = self.scene.changes {
            changes.watch(&place.path);
        }
        list(&place.path, buffer, |name, kind| {
            let path = || place.path.join(name);
            if place.named.is_some() {
                self.beyond_link(place, name, kind);
                return;
            }
            if name == ".git" {
                if kind == FileType::Directory {
                    self.scene.watch_repository(&path());
                    self.state.repository(&path(), self.scene.whose);
                } else {
                    self.state.note(path(), Role::Pointer);
                }
                return;
            }
            if kind != FileType::Directory && TOOLCHAIN_FILES.iter().any(|file| name == *file) {
                self.state.note(path(), Role::Toolchain);
            }
            // Git takes links for them as well.
            head |= name == "HEAD";
            objects |= name == "objects";
            refs |= name == "refs";
            common |= name == "commondir";
            let odd = place.odd || may_be_protected(name);
            if kind == FileType::Directory {
                let path = path();
                if !self.scene.is_known(&path) {
                    self.queue.push_back(Place { path, named: None, odd });
                }
            } else if odd {
                let path = path();
                let top = self.scene.top_of(&path);
                let relative = top
                    .and_then(|top| path.strip_prefix(top).ok())
                    .unwrap_or(&path)
                    .to_owned();
                self.obeyed(path, relative, kind);
            }
        })?;
        if head && (objects && refs || common) {
            // Git takes it for a repository, whatever it is called.
            self.state.repository(&place.path, self.scene.whose);
        }
        Ok(())
    }

    /// What is no directory, and may be protected under the name by which other programs find it.
    fn obeyed(&mut self, path: PathBuf, named: PathBuf, kind: FileType) {
        let protected = protected_name(&named).is_some();
        if kind == FileType::Symlink && (protected || may_hold_protected(&named)) {
            self.link(&path, named);
        } else if protected {
            self.state.note(path, Role::Obeyed);
        }
    }

    /// A link that has, or may lead to, a protected name.
    fn link(&mut self, link: &Path, named: PathBuf) {
        self.state.note(link.to_owned(), Role::Obeyed);
        let Ok(target) = link.real_path() else { return };
        if self.scene.top_of(&target).is_none() {
            // What lies there no run can change; that it leads there is what is noted.
            if let Some((_, entry)) = self.state.entries.get_mut(link) {
                *entry = Entry::Link(target);
            }
        } else if target.is_dir() {
            self.go_through(target, named);
        }
    }

    /// A directory that has another name for other programs. Links may lead in circles: it is looked into once as the same.
    fn go_through(&mut self, path: PathBuf, named: PathBuf) {
        let whole = protected_name(&named).map(OsString::from);
        let known = whole
            .or_else(|| named.file_name().map(OsStr::to_owned))
            .unwrap_or_default();
        if path != self.scene.own && self.through.insert((path.clone(), known)) {
            self.queue.push_back(Place {
                path,
                named: Some(named),
                odd: true,
            });
        }
    }

    /// A name in a directory that a link leads to: by the same directory's real name all others are looked at.
    fn beyond_link(&mut self, place: &Place, name: &OsStr, kind: FileType) {
        let Some(named) = place.named.as_ref().map(|named| named.join(name)) else {
            return;
        };
        let path = place.path.join(name);
        if kind != FileType::Directory {
            self.obeyed(path, named, kind);
        } else if protected_name(&named).is_some() || may_hold_protected(&named) {
            self.go_through(path, named);
        }
    }
}

/// Calls for each name in a directory.
fn list(directory: &Path, buffer: &mut [MaybeUninit<u8>], mut each: impl FnMut(&OsStr, FileType)) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = match openat(CWD, directory, flags, Mode::empty()) {
        Ok(fd) => fd,
        // A link stands there meanwhile: it was none when its name was read.
        Err(Errno::LOOP) => return Err(io::ErrorKind::NotADirectory.into()),
        Err(error) => return Err(error.into()),
    };
    let mut entries = RawDir::new(&fd, buffer);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::Unknown => match fs::symlink_metadata(directory.join(name)) {
                Ok(meta) if meta.is_dir() => FileType::Directory,
                Ok(meta) if meta.is_symlink() => FileType::Symlink,
                _ => FileType::RegularFile,
            },
            kind => kind,
        };
        each(name, kind);
    }
    Ok(())
}

/// Adds the paths in a directory.
pub(super) fn names(directory: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in crate::uninterrupted::read_dir(directory)? {
        into.push(entry?.path());
    }
    Ok(())
}
