//! Which texts make up the configuration, in which order, and whose they are. Reads files; decides nothing about their
//! content. What comes from the process environment comes in through [`Inputs`].

use super::trust::TrustList;
use super::yaml::MAX_BYTES;
use super::{Source, SourceRole};
use crate::diag::Diagnostic;
use crate::model::LayerKind;
use std::ffi::OsString;
use std::fmt;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The directory of the system's layers.
pub const SYSTEM_DIR: &str = "/etc/toolctl";
/// The file names of a project's layers.
pub(crate) const PROJECT_FILES: [&str; 2] = [".toolctl.yaml", ".toolctl.local.yaml"];

/// Everything that the configuration takes from outside.
pub struct Inputs<'a> {
    /// One variable of the environment.
    pub env: &'a dyn Fn(&str) -> Option<OsString>,
    /// The current directory, absolute.
    pub cwd: PathBuf,
    /// `--workspace`
    pub workspace: Option<PathBuf>,
    /// `--config`, in order.
    pub config: Vec<PathBuf>,
    /// `--set`, in order.
    pub set: Vec<String>,
    /// `--isolated`
    pub isolated: bool,
    /// `--state-dir`
    pub state_dir: Option<PathBuf>,
    /// The effective user id.
    pub uid: u32,
    /// [`SYSTEM_DIR`]; another one in tests.
    pub system_dir: PathBuf,
    /// Reads the trust records of a state directory; asked only when there is a project file.
    pub trust: &'a dyn Fn(&Path) -> Result<TrustList, Diagnostic>,
}

impl fmt::Debug for Inputs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inputs")
            .field("cwd", &self.cwd)
            .field("workspace", &self.workspace)
            .field("config", &self.config)
            .field("isolated", &self.isolated)
            .finish_non_exhaustive()
    }
}

impl Inputs<'_> {
    /// A variable that is an absolute path; another value counts as unset.
    pub(crate) fn absolute(&self, name: &str) -> Option<PathBuf> {
        let path = PathBuf::from((self.env)(name)?);
        path.is_absolute().then_some(path)
    }

    /// The home directory.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.absolute("HOME")
    }

    /// Where a project's files are looked for first. The current directory is taken as the system names it, without
    /// symbolic links; a workspace may hold some.
    pub(crate) fn project_start(&self) -> PathBuf {
        match &self.workspace {
            None => self.cwd.clone(),
            Some(workspace) => {
                let start = self.cwd.join(workspace);
                start.canonicalize().unwrap_or(start)
            }
        }
    }
}

/// The user's own configuration file, whether it is there or not; none without a home.
pub fn user_file(inputs: &Inputs<'_>) -> Option<PathBuf> {
    let home = || inputs.home().map(|h| h.join(".config"));
    let directory = inputs.absolute("XDG_CONFIG_HOME").or_else(home)?;
    Some(directory.join("toolctl/config.yaml"))
}

/// Whether a file of this path is a project's layer, which counts in full only once a person trusts it.
pub fn is_project_file(path: &Path) -> bool {
    path.file_name()
        .and_then(|n| n.to_str())
        .is_some_and(|n| PROJECT_FILES.contains(&n))
}

/// One text with its standing.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) layer: LayerKind,
    pub(crate) name: Arc<str>,
    pub(crate) path: PathBuf,
    pub(crate) directory: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// What looking for a file came to.
pub(crate) enum Found {
    /// It is there, and ours to read.
    Yes(Loaded),
    /// It is not there, or is not to be used.
    No(Source),
    /// It is there, and cannot be read: nothing runs without it.
    Failed(Diagnostic),
}

/// How a file must be owned to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// By the user or root.
    UserOrRoot(u32),
    /// By root, and writable by nobody else.
    RootOnly,
}

/// Opens and reads one file of a layer. A file that somebody named must be there; one that is looked for need not.
pub(crate) fn read(layer: LayerKind, shown: &Path, path: PathBuf, owner: Owner, named: bool) -> Found {
    let name: Arc<str> = Arc::from(shown.to_string_lossy().as_ref());
    let source = |role, note: Option<&str>| Source {
        layer,
        name: Arc::clone(&name),
        path: Some(path.clone()),
        role,
        note: note.map(str::to_owned),
    };
    let failed = |what: &str, error: &dyn fmt::Display| {
        Found::Failed(Diagnostic::error(format!("cannot {what} `{name}`: {error}"), None))
    };
    let mut options = OpenOptions::new();
    options.read(true);
    if !named {
        // A pipe in the place of a file must not stall the start.
        options.custom_flags(nix::libc::O_NONBLOCK);
    }
    let file = match options.open(&path) {
        Ok(file) => file,
        Err(error) if !named && absent(&error) => return Found::No(source(SourceRole::Absent, None)),
        Err(error) => return failed("read the configuration", &error),
    };
    let metadata = match file.metadata() {
        Ok(metadata) => metadata,
        Err(error) => return failed("examine the configuration", &error),
    };
    if metadata.is_dir() || (!named && !metadata.is_file()) {
        return failed("read the configuration", &"it is not a file");
    }
    if let Some(note) = foreign(&metadata, owner) {
        return Found::No(source(SourceRole::Ignored, Some(note)));
    }
    match read_all(file, &metadata) {
        Ok(bytes) => Found::Yes(Loaded {
            layer,
            name,
            directory: path.parent().map_or_else(|| PathBuf::from("/"), Path::to_owned),
            path,
            bytes,
        }),
        Err(error) => failed("read the configuration", &error),
    }
}

fn absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn foreign(metadata: &Metadata, owner: Owner) -> Option<&'static str> {
    match owner {
        Owner::UserOrRoot(uid) => (metadata.uid() != uid && metadata.uid() != 0).then_some("owned by another user"),
        Owner::RootOnly if metadata.uid() != 0 => Some("not owned by root"),
        Owner::RootOnly => (metadata.mode() & 0o022 != 0).then_some("writable by others than root"),
    }
}

/// Reads at most one byte more than a document may have, so that a greater one shows itself.
fn read_all(file: File, metadata: &Metadata) -> io::Result<Vec<u8>> {
    let limit = MAX_BYTES as u64 + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or(0) + 1);
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The directories from the start up to the nearest one with a `.git` entry; without one, only the start.
pub(crate) fn project_directories(start: &Path) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    for directory in start.ancestors() {
        directories.push(directory.to_owned());
        if directory.join(".git").symlink_metadata().is_ok() {
            return directories;
        }
    }
    directories.truncate(1);
    directories
}

/// The nearest directory that holds a project file.
pub(crate) fn project_directory(start: &Path) -> Option<PathBuf> {
    let holds = |d: &PathBuf| PROJECT_FILES.iter().any(|f| d.join(f).symlink_metadata().is_ok());
    project_directories(start).into_iter().find(holds)
}

/// The `config.d` files of the system, by name.
pub(crate) fn drop_ins(directory: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let cannot = |error: io::Error| Diagnostic::error(format!("cannot list `{}`: {error}", directory.display()), None);
    let entries = match directory.read_dir() {
        Ok(entries) => entries,
        Err(error) if absent(&error) => return Ok(Vec::new()),
        Err(error) => return Err(cannot(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(cannot)?.path();
        let hidden = path.file_name().is_some_and(|n| n.as_encoded_bytes().starts_with(b"."));
        if !hidden && path.extension().is_some_and(|e| e == "yaml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
