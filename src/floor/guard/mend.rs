//! What changed so that something could run outside, and what becomes of it.

use super::look::{Entry, Role, State};
use super::origin::Origin;
use crate::floor::git;
use crate::gate::exec::settings_that_run;
use crate::state::{StateFault, Store};
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// What was found after a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Where.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
    /// Whether what was there before stands there again.
    pub put_back: bool,
    /// Where the new content is now.
    pub aside: Option<PathBuf>,
    /// Whether it is only told: the content was in the repository before, and stays.
    pub only_told: bool,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.path.display(), self.what)?;
        match (self.put_back, &self.aside) {
            (true, _) => f.write_str("; what was there before was put back"),
            (false, Some(_)) => f.write_str("; it was set aside"),
            (false, None) if self.only_told => {
                f.write_str("; it came from a commit of the repository and was left there")
            }
            (false, None) => Ok(()),
        }
    }
}

/// Compares, and mends what must not stay.
pub(super) fn mend(
    before: &State,
    after: &State,
    since: (i64, i64),
    (store, workspace): (&Store, &Path),
) -> Result<Vec<Finding>, StateFault> {
    let aside = store.child("aside")?;
    let mut origin: Option<Option<Origin>> = None;
    let mut findings = Vec::new();
    let paths: BTreeSet<&PathBuf> = before.entries.keys().chain(after.entries.keys()).collect();
    for path in paths {
        let (was, is) = (before.entries.get(path), after.entries.get(path));
        if was == is {
            continue;
        }
        let Some(role) = is.or(was).map(|(role, _)| *role) else {
            continue;
        };
        let (was, is) = (was.map(|(_, entry)| entry), is.map(|(_, entry)| entry));
        // Of what was too far away to be looked at before, only what has been changed since is new.
        if was.is_none() && before.partial && changed(path) < since {
            continue;
        }
        let Some(what) = harm(role, path, was, is, before) else {
            continue;
        };
        if let (Role::Obeyed | Role::Granted, Some(Entry::File(_, content))) = (role, is) {
            let origin = origin.get_or_insert_with(|| Origin::of(store, workspace));
            if origin.as_ref().is_some_and(|origin| origin.held(path, content)) {
                findings.push(told(path, what));
                continue;
            }
        }
        findings.push(set_right(path, was, what, aside.path()));
    }
    Ok(findings)
}

/// When something was changed, by the system's clock.
fn changed(path: &Path) -> (i64, i64) {
    fs::symlink_metadata(path).map_or((i64::MAX, 0), |meta| (meta.ctime(), meta.ctime_nsec()))
}

/// What came from the repository itself.
fn told(path: &Path, what: String) -> Finding {
    Finding {
        path: path.to_owned(),
        what,
        put_back: false,
        aside: None,
        only_told: true,
    }
}

/// What a change lets happen; none where it is of no consequence.
fn harm(role: Role, path: &Path, was: Option<&Entry>, is: Option<&Entry>, before: &State) -> Option<String> {
    let known = path
        .ancestors()
        .any(|directory| before.repositories.contains(directory));
    match (role, is) {
        (Role::Hook, Some(_)) => Some("is a hook that git would run".to_owned()),
        (Role::Obeyed, Some(_)) => Some("is obeyed by other programs".to_owned()),
        (Role::Granted, _) => Some("was granted as it was".to_owned()),
        (Role::Leads, Some(_)) if known || path.ends_with("commondir") => {
            let worktree = path.parent().is_some_and(of_worktree);
            (!worktree).then(|| "leads git elsewhere".to_owned())
        }
        (Role::Pointer, Some(_)) => {
            let genuine = path
                .parent()
                .is_some_and(|directory| git::repository(directory).is_some_and(|repository| repository.entry == path));
            (!genuine).then(|| "leads git to a directory that is no repository of its own".to_owned())
        }
        (Role::Settings, Some(entry)) => {
            let ran = was.and_then(settings).unwrap_or_default();
            match settings(entry) {
                None => Some("holds settings of git that cannot be read".to_owned()),
                Some(run) => {
                    // A submodule's own directory says where its files are.
                    let module = path.components().any(|part| part.as_os_str() == "modules");
                    let usual = |setting: &String| module && setting.starts_with("core.worktree");
                    let mut new = run;
                    new.retain(|setting| !ran.contains(setting) && !usual(setting));
                    (!new.is_empty()).then(|| format!("makes git run or follow something ({})", new.join(", ")))
                }
            }
        }
        (Role::Head, Some(entry)) => (!is_head(entry)).then(|| "is no proper HEAD".to_owned()),
        (Role::Head, None) => {
            // A repository that is gone altogether needs none.
            let gone = path
                .parent()
                .is_none_or(|directory| !directory.join("objects").exists());
            (!gone).then(|| "is gone, so that git looks for another repository".to_owned())
        }
        (Role::Hook | Role::Obeyed | Role::Leads | Role::Pointer | Role::Settings, _) => None,
    }
}

/// Whether a directory is that of a worktree, and says so truly.
fn of_worktree(directory: &Path) -> bool {
    git::common_of(directory).is_some_and(|common| common != directory)
}

fn settings(entry: &Entry) -> Option<Vec<String>> {
    match entry {
        Entry::File(_, content) => settings_that_run(std::str::from_utf8(content).ok()?),
        Entry::Large(..) | Entry::Directory | Entry::Link(_) | Entry::Other => None,
    }
}

fn is_head(entry: &Entry) -> bool {
    let Entry::File(_, content) = entry else { return false };
    let Ok(text) = std::str::from_utf8(content) else {
        return false;
    };
    let text = text.trim_end_matches('\n');
    match text.strip_prefix("ref: ") {
        Some(name) => name.starts_with("refs/") && !name.contains("..") && !name.contains('\n'),
        None => matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit()),
    }
}

/// `.git` that was moved away is moved back; what took its place is set aside.
pub(super) fn git_moved(workspace: &Path, before: &State, aside: &Path) -> Result<Option<Finding>, StateFault> {
    let place = workspace.join(".git");
    let Some(own) = before.git else { return Ok(None) };
    let identity = |path: &Path| fs::symlink_metadata(path).ok().map(|meta| (meta.dev(), meta.ino()));
    if identity(&place) == Some(own) {
        return Ok(None);
    }
    let entries = fs::read_dir(workspace).into_iter().flatten().flatten();
    let Some(now) = entries.map(|e| e.path()).find(|path| identity(path) == Some(own)) else {
        // Removed as a whole, or made anew: what stands there is looked at entry by entry.
        return Ok(None);
    };
    let replaced = match fs::symlink_metadata(&place) {
        Ok(_) => Some(put_aside(&place, aside)?),
        Err(_) => None,
    };
    fs::rename(&now, &place).map_err(|e| StateFault::io(&place, "put the repository back", e))?;
    Ok(Some(Finding {
        path: place,
        what: "was moved away".to_owned(),
        put_back: true,
        aside: replaced,
        only_told: false,
    }))
}

/// Sets aside what stands there, and puts back what stood there before. What cannot be set right stays, and is told: no
/// command runs unasked then.
fn set_right(path: &Path, was: Option<&Entry>, what: String, aside: &Path) -> Finding {
    let mut finding = Finding {
        path: path.to_owned(),
        what,
        put_back: false,
        aside: None,
        only_told: false,
    };
    if fs::symlink_metadata(path).is_ok() {
        match put_aside(path, aside) {
            Ok(to) => finding.aside = Some(to),
            Err(fault) => {
                finding.what.push_str(&format!("; it cannot be set aside: {fault}"));
                return finding;
            }
        }
    }
    let restored = match was {
        Some(Entry::File(mode, content)) => restore(path, *mode, content),
        Some(Entry::Link(target)) => std::os::unix::fs::symlink(target, path),
        Some(Entry::Large(..)) => Err(io::Error::other("it is too large to have been kept")),
        Some(Entry::Directory | Entry::Other) | None => return finding,
    };
    match restored {
        Ok(()) => finding.put_back = true,
        Err(error) => finding
            .what
            .push_str(&format!("; what was there before cannot be put back: {error}")),
    }
    finding
}

/// Writes a file as it was: whole or not at all.
fn restore(path: &Path, mode: u32, content: &[u8]) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("/"));
    let new = directory.join(crate::fsio::random_name()?);
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&new)?;
    file.write_all(content)?;
    file.set_permissions(fs::Permissions::from_mode(mode & 0o7777))?;
    file.sync_all()?;
    fs::rename(&new, path)
}

/// Moves something into the session's own directory, where nobody runs it.
fn put_aside(path: &Path, aside: &Path) -> Result<PathBuf, StateFault> {
    let fault = |error: io::Error| StateFault::io(path, "set it aside", error);
    let directory = aside.join(crate::fsio::random_name().map_err(fault)?);
    fs::DirBuilder::new().mode(0o700).create(&directory).map_err(fault)?;
    let to = directory.join(path.file_name().unwrap_or_default());
    match fs::rename(path, &to) {
        Ok(()) => {}
        // On another file system: a file is copied, a directory gets a name that nothing looks for.
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let meta = fs::symlink_metadata(path).map_err(fault)?;
            if meta.is_file() {
                fs::copy(path, &to).map_err(fault)?;
                fs::remove_file(path).map_err(fault)?;
            } else if meta.is_symlink() {
                fs::remove_file(path).map_err(fault)?;
            } else {
                let beside = path.with_file_name(crate::fsio::random_name().map_err(fault)?);
                fs::rename(path, &beside).map_err(fault)?;
                return Ok(beside);
            }
        }
        Err(error) => return Err(fault(error)),
    }
    if let Ok(meta) = fs::symlink_metadata(&to)
        && meta.is_file()
    {
        // What lies here is there to be read.
        let _ = fs::set_permissions(&to, fs::Permissions::from_mode(0o600));
    }
    Ok(to)
}
