//! The machine as the gate sees it: read-only answers from the file system.
//!
//! It opens files only to read scripts and to hash; it writes nothing, starts nothing and never waits on a pipe.

use crate::machine::{Facts, FileUse, Identity, PathVerdict, ReadResult, World, normalise};
use crate::path::{self, Intent, Root, Rule, Scope, Spelling};
use crate::text::hex;
use crate::vcs::{named_by_settings, named_by_user, seen_from, user_files};
use rustix::fs::{CWD, Mode, OFlags};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Largest file that is hashed, bytes.
const HASH_LIMIT: u64 = 256 * 1024 * 1024;

/// Largest file of a repository's settings that is read, bytes.
const SETTINGS_LIMIT: u64 = 64 * 1024;

/// How long what is known of directories is used again. Programs themselves are looked at every time.
const KEEP: Duration = Duration::from_millis(500);
/// Most directories that are kept.
const MOST: usize = 512;
/// Names of one directory that are looked at.
const MOST_NAMES: usize = 4096;

/// Answers from the file system.
#[derive(Debug)]
pub struct LiveWorld {
    root: Root,
    own: Option<(u64, u64)>,
    uid: u32,
    directories: RefCell<Directories>,
    /// Small files that were read, as they were then.
    texts: RefCell<HashMap<PathBuf, (Facts, Rc<str>)>>,
}

/// What was lately seen of directories: a stream of commands asks about the same few again and again.
#[derive(Debug)]
struct Directories {
    since: Instant,
    /// By path, byte for byte: hashing a path by its components costs more than it saves.
    known: HashMap<OsString, (Facts, Option<PathBuf>)>,
}

impl Directories {
    fn get(&mut self, path: &Path) -> Option<&mut (Facts, Option<PathBuf>)> {
        if self.since.elapsed() > KEEP || self.known.len() > MOST {
            self.known.clear();
            self.since = Instant::now();
        }
        self.known.get_mut(path.as_os_str())
    }
}

impl LiveWorld {
    /// The machine, with the workspace that redirections are judged by. `own` is the program that is running now.
    pub fn new(root: Root, own: Option<&Path>) -> Self {
        let own = own.and_then(stat).map(|f| (f.device, f.inode));
        Self {
            root,
            own,
            uid: rustix::process::geteuid().as_raw(),
            directories: RefCell::new(Directories {
                since: Instant::now(),
                known: HashMap::new(),
            }),
            texts: RefCell::default(),
        }
    }

    /// The real path of a directory, where it was seen lately.
    fn known_real(&self, path: &Path) -> Option<PathBuf> {
        let mut directories = self.directories.borrow_mut();
        directories.get(path).and_then(|(_, real)| real.clone())
    }

    /// Forgets what was seen: something ran that may have changed it.
    pub fn forget(&self) {
        self.directories.borrow_mut().known.clear();
        self.texts.borrow_mut().clear();
    }

    /// The workspace.
    pub fn root(&self) -> &Root {
        &self.root
    }
}

/// What git obeys in a workspace because settings name it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ObeyedByGit {
    /// What lies inside the workspace: directories of hooks, files with further settings and with attributes, and programs
    /// that the user's own settings name.
    pub paths: Vec<PathBuf>,
    /// Directories of hooks that the user's own settings name from the top of whatever working tree it is.
    pub hooks: Vec<PathBuf>,
}

/// What git obeys in a workspace because the settings of its repository, of the user or of the system name it. `home` is what
/// `~` means there; `variable` gives the variables of the environment.
pub fn obeyed_by_git(workspace: &Path, home: Option<&Path>, variable: &dyn Fn(&str) -> Option<String>) -> ObeyedByGit {
    let place = |base: &Path, path: &str| normalise(Path::new("/"), seen_from(base, path, home).to_str()?);
    let mut obeyed = ObeyedByGit::default();
    let directory = workspace.join(".git");
    if let Some(named) = settings(&directory.join("config")).and_then(|text| named_by_settings(&text)) {
        obeyed
            .paths
            .extend(named.includes.iter().filter_map(|path| place(&directory, path)));
        let others = named.hooks.iter().chain(&named.attributes);
        obeyed.paths.extend(others.filter_map(|path| place(workspace, path)));
    }
    for (base, named) in named_by_user(home, variable) {
        obeyed
            .paths
            .extend(named.includes.iter().filter_map(|path| place(&base, path)));
        let others = named.hooks.iter().chain(&named.attributes).chain(&named.programs);
        obeyed.paths.extend(others.filter_map(|path| place(workspace, path)));
        let relative = |path: &&String| !path.is_empty() && !path.starts_with(['/', '~']);
        let hooks = named.hooks.iter().filter(relative).map(PathBuf::from);
        let plain = |path: &PathBuf| path.components().all(|part| matches!(part, Component::Normal(_)));
        obeyed.hooks.extend(
            hooks
                .map(|path| path.components().filter(|part| *part != Component::CurDir).collect())
                .filter(plain),
        );
    }
    obeyed.paths.extend(user_files(home, variable));
    obeyed.paths.retain(|path| leads_into(workspace, path));
    obeyed
}

/// What links among the hidden names of the home directory, in its hidden directories and in the directories of `.config` lead to
/// in the workspace: settings that are kept in a repository, and that shells and editors obey from the moment in which they are
/// written.
pub fn linked_from_home(workspace: &Path, home: &Path) -> Vec<PathBuf> {
    let mut targets = Vec::new();
    let hidden = links_and_directories(home, b".", &mut targets);
    for directory in hidden {
        let below = links_and_directories(&directory, b"", &mut targets);
        if directory.ends_with(".config") {
            for directory in below {
                links_and_directories(&directory, b"", &mut targets);
            }
        }
    }
    // Where a link leads counts although nothing is there yet.
    let plain = |path: PathBuf| normalise(Path::new("/"), path.to_str()?);
    let leads = |path: &PathBuf| leads_into(workspace, path);
    targets.into_iter().filter_map(plain).filter(leads).collect()
}

/// Adds the targets of the links in a directory whose names begin so, and gives its directories of such names.
fn links_and_directories(directory: &Path, begin: &[u8], targets: &mut Vec<PathBuf>) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if !entry.file_name().as_encoded_bytes().starts_with(begin) {
            continue;
        }
        if kind.is_symlink() {
            let target = std::fs::read_link(entry.path());
            targets.extend(target.map(|target| directory.join(target)));
        } else if kind.is_dir() {
            directories.push(entry.path());
        }
    }
    directories
}

/// Whether a path lies in the workspace, by its name or by a link. Never the workspace itself, in which nothing could be written
/// then.
fn leads_into(workspace: &Path, path: &Path) -> bool {
    let real = real_of(path);
    let places = [Some(path), real.as_deref()].into_iter().flatten();
    let mut below = false;
    for place in places {
        if workspace.starts_with(place) {
            return false;
        }
        below |= place.starts_with(workspace);
    }
    below
}

/// A path without links, as far as it is there.
fn real_of(path: &Path) -> Option<PathBuf> {
    path.ancestors().find_map(|above| {
        let rest = path.strip_prefix(above).ok()?;
        Some(above.canonicalize().ok()?.join(rest))
    })
}

fn settings(config: &Path) -> Option<String> {
    let (file, facts) = open(config)?;
    if facts.size > SETTINGS_LIMIT {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(SETTINGS_LIMIT).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Which file a look at it showed, for comparison with what was judged.
pub fn identity(stat: &rustix::fs::Stat) -> Identity {
    facts_of(stat).identity()
}

/// Whether a path is there and is no symlink.
fn readlink_refused(path: &Path) -> bool {
    rustix::fs::readlink(path, Vec::new()).is_err_and(|e| e == rustix::io::Errno::INVAL)
}

fn stat(path: &Path) -> Option<Facts> {
    let stat = rustix::fs::stat(path).ok()?;
    Some(facts_of(&stat))
}

#[expect(
    clippy::unnecessary_cast,
    clippy::cast_sign_loss,
    reason = "the widths and signs of these fields differ between systems"
)]
fn facts_of(stat: &rustix::fs::Stat) -> Facts {
    Facts {
        device: stat.st_dev as u64,
        inode: stat.st_ino as u64,
        mode: stat.st_mode,
        uid: stat.st_uid,
        gid: stat.st_gid,
        links: stat.st_nlink as u64,
        size: stat.st_size as u64,
        modified: i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec),
        changed: i128::from(stat.st_ctime) * 1_000_000_000 + i128::from(stat.st_ctime_nsec),
    }
}

/// Opens a regular file without waiting for anything.
fn open(path: &Path) -> Option<(File, Facts)> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let fd = rustix::fs::openat(CWD, path, flags, Mode::empty()).ok()?;
    let facts = facts_of(&rustix::fs::fstat(&fd).ok()?);
    facts.is_file().then(|| (File::from(fd), facts))
}

impl World for LiveWorld {
    fn facts(&self, path: &Path) -> Option<Facts> {
        if let Some((facts, _)) = self.directories.borrow_mut().get(path) {
            return Some(*facts);
        }
        let facts = stat(path)?;
        if facts.is_dir() {
            let mut directories = self.directories.borrow_mut();
            directories.known.insert(path.as_os_str().to_owned(), (facts, None));
        }
        Some(facts)
    }

    fn fresh_facts(&self, path: &Path) -> Option<Facts> {
        stat(path)
    }

    fn real(&self, path: &Path) -> Option<PathBuf> {
        if let Some(real) = self.known_real(path) {
            return Some(real);
        }
        // What is no link lies where its directory really is.
        let parent = path.parent().and_then(|p| self.known_real(p));
        let real = match (parent, path.file_name()) {
            (Some(parent), Some(name)) if readlink_refused(path) => parent.join(name),
            _ => {
                let real = path.canonicalize().ok()?;
                // Directories are remembered.
                let _ = self.facts(path);
                real
            }
        };
        if let Some((_, known)) = self.directories.borrow_mut().get(path) {
            *known = Some(real.clone());
        }
        Some(real)
    }

    fn sha256(&self, path: &Path) -> Option<String> {
        let (mut file, facts) = open(path)?;
        if facts.size > HASH_LIMIT {
            return None;
        }
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 64 * 1024];
        let mut total = 0;
        loop {
            let count = file.read(&mut buffer).ok()?;
            if count == 0 {
                break;
            }
            total += count as u64;
            if total > HASH_LIMIT {
                return None;
            }
            hasher.update(buffer.get(..count)?);
        }
        Some(hex::encode(&hasher.finalize()))
    }

    fn read_script(&self, path: &Path, limit: u64) -> ReadResult {
        if stat(path).is_none() {
            return ReadResult::Absent;
        }
        let inside = path
            .canonicalize()
            .is_ok_and(|real| real.starts_with(self.root.workspace()));
        if !inside {
            return ReadResult::NotChecked("it lies outside the workspace");
        }
        let Some((file, facts)) = open(path) else {
            return ReadResult::NotChecked("it is not a regular file that can be read");
        };
        if facts.links != 1 {
            return ReadResult::NotChecked("it has further names");
        }
        if facts.size > limit {
            return ReadResult::NotChecked("it is too large");
        }
        let mut bytes = Vec::new();
        match file.take(limit + 1).read_to_end(&mut bytes) {
            Ok(_) => ReadResult::Text(String::from_utf8_lossy(&bytes).into_owned()),
            Err(_) => ReadResult::NotChecked("it cannot be read"),
        }
    }

    fn small_text(&self, path: &Path, limit: u64) -> Option<Rc<str>> {
        let now = stat(path).filter(|f| f.is_file() && f.size <= limit)?;
        let mut texts = self.texts.borrow_mut();
        if let Some((then, text)) = texts.get(path)
            && *then == now
        {
            return Some(Rc::clone(text));
        }
        let (file, facts) = open(path)?;
        let mut bytes = Vec::new();
        file.take(limit + 1).read_to_end(&mut bytes).ok()?;
        if bytes.len() as u64 > limit {
            return None;
        }
        let text: Rc<str> = String::from_utf8_lossy(&bytes).into();
        if texts.len() > MOST {
            texts.clear();
        }
        texts.insert(path.to_owned(), (facts, Rc::clone(&text)));
        Some(text)
    }

    fn names(&self, dir: &Path) -> Option<Vec<String>> {
        let entries = match std::fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Some(Vec::new()),
            Err(_) => return None,
        };
        let mut names = Vec::new();
        for entry in entries {
            names.push(entry.ok()?.file_name().into_string().ok()?);
            if names.len() > MOST_NAMES {
                return None;
            }
        }
        Some(names)
    }

    fn judge_path(&self, path: &Path, intent: FileUse) -> PathVerdict {
        let Some(text) = path.to_str() else {
            return PathVerdict::Refused("its name is not UTF-8".to_owned());
        };
        let intent = match intent {
            FileUse::Read => Intent::Read,
            FileUse::Write => Intent::Write,
        };
        if !self.root.rules().is_empty() {
            // Commands reach further than file tools; the configuration's lists hold there too.
            let anywhere = self.root.clone().scope(Scope::Anywhere);
            if let Err(refusal) = path::judge(&anywhere, text, intent, Spelling::Literal)
                && refusal.rule == Rule::Lists
            {
                return PathVerdict::Protected(refusal.to_string());
            }
        }
        let judged = path::judge(&self.root, text, intent, Spelling::Literal).or_else(|refusal| match intent {
            // A file that is not there yet is created.
            Intent::Write => path::judge(&self.root, text, Intent::Create, Spelling::Literal).map_err(|_| refusal),
            Intent::Read | Intent::Create | Intent::Delete | Intent::Cwd => Err(refusal),
        });
        match judged {
            Ok(_) => PathVerdict::Fine,
            Err(refusal) if refusal.rule == Rule::Protected => PathVerdict::Protected(refusal.to_string()),
            Err(refusal) => PathVerdict::Refused(refusal.to_string()),
        }
    }

    fn limits_reading(&self) -> bool {
        !self.root.rules().is_empty()
    }

    fn denied_below(&self, directory: &Path) -> Option<String> {
        let directory = directory.canonicalize().ok()?;
        self.root.rules().denied_below(&directory, self.root.workspace())
    }

    fn obeyed_within(&self, path: &Path) -> Option<PathBuf> {
        let mut obeyed = self
            .root
            .obeyed_paths()
            .iter()
            .filter(|obeyed| obeyed.starts_with(path));
        obeyed.find(|obeyed| obeyed.symlink_metadata().is_ok()).cloned()
    }

    fn is_tracked(&self, path: &Path) -> bool {
        path::is_tracked(path)
    }

    fn itself(&self) -> &dyn World {
        self
    }

    fn own_binary(&self) -> Option<(u64, u64)> {
        self.own
    }

    fn uid(&self) -> u32 {
        self.uid
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn what_settings_of_a_repository_and_of_the_user_name_in_the_workspace_is_obeyed() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let (home, ws) = (top.join("home"), top.join("home/ws"));
        std::fs::create_dir_all(ws.join(".git")).unwrap();
        symlink(&ws, top.join("link")).unwrap();
        std::fs::write(ws.join(".git/config"), "[core]\n hooksPath = .husky\n").unwrap();
        std::fs::write(
            home.join(".gitconfig"),
            "[core]\n hooksPath = ./.githooks\n attributesFile = ~/ws/attrs\n editor = vim\n fsmonitor = /usr/bin/watch\n\
             [include]\n path = ws/dev/gc\n[filter \"x\"]\n clean = tools/f %f\n[credential]\n helper = \"!f() { a/b; }; f\"\n",
        )
        .unwrap();
        let link = top.join("link/more").display().to_string();
        let variable = |name: &str| (name == "GIT_CONFIG_SYSTEM").then(|| link.clone());
        std::fs::write(
            ws.join("more"),
            format!("[include]\n path = {link}\n[core]\n hooksPath = ..\n"),
        )
        .unwrap();
        let obeyed = obeyed_by_git(&ws, Some(&home), &variable);
        let mut paths = obeyed.paths.clone();
        paths.sort();
        paths.dedup();
        let mut wanted = [".husky", ".githooks", "attrs", "dev/gc", "tools/f"]
            .map(|name| ws.join(name))
            .to_vec();
        wanted.push(top.join("link/more"));
        wanted.sort();
        assert_eq!(paths, wanted);
        assert_eq!(obeyed.hooks, [PathBuf::from(".githooks")]);
        let root = Root::new(&ws).unwrap().hooked(obeyed.hooks);
        let world = LiveWorld::new(root, None);
        std::fs::create_dir_all(ws.join("sub/.git")).unwrap();
        let judged = |name: &str| world.judge_path(&ws.join(name), FileUse::Write);
        for name in [".githooks/pre-commit", "sub/.githooks/pre-push", ".githooks"] {
            assert!(matches!(judged(name), PathVerdict::Protected(_)), "{name}");
        }
        for name in ["githooks/a", "other/.githooks/a", "sub/githooks"] {
            assert_eq!(judged(name), PathVerdict::Fine, "{name}");
        }
    }

    #[test]
    fn settings_of_the_user_that_lie_in_the_workspace_by_a_link_are_obeyed() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let (home, ws) = (top.join("home"), top.join("home/dot"));
        std::fs::create_dir_all(ws.join("nvim")).unwrap();
        for directory in [".config/fish", ".ssh", "bin"] {
            std::fs::create_dir_all(home.join(directory)).unwrap();
        }
        std::fs::write(ws.join("gitconfig"), "").unwrap();
        let link = |target: &str, name: &str| symlink(target, home.join(name)).unwrap();
        link("dot/gitconfig", ".gitconfig");
        link("dot/not-there-yet", ".bashrc");
        link("../dot/nvim", ".config/nvim");
        link("../../dot/fish", ".config/fish/config.fish");
        link("../dot/ssh", ".ssh/config");
        link("dot", ".dotfiles");
        link("dot/plain", "plain");
        link("../dot/plain", "bin/plain");
        link("/etc/profile", ".profile");
        let mut linked = linked_from_home(&ws, &home);
        linked.sort();
        assert_eq!(
            linked,
            ["fish", "gitconfig", "not-there-yet", "nvim", "ssh"].map(|name| ws.join(name))
        );
        let git = obeyed_by_git(&ws, Some(&home), &|_| None);
        assert_eq!(git.paths, [home.join(".gitconfig")]);
        let world = LiveWorld::new(Root::new(&ws).unwrap().protecting(git.paths).protecting(linked), None);
        let judged = |name: &str| world.judge_path(&ws.join(name), FileUse::Write);
        for name in ["gitconfig", "not-there-yet", "nvim/init.lua", "fish", "ssh"] {
            assert!(matches!(judged(name), PathVerdict::Protected(_)), "{name}");
        }
        for name in ["plain", "other"] {
            assert_eq!(judged(name), PathVerdict::Fine, "{name}");
        }
    }

    #[test]
    fn what_is_kept_of_directories_changes_no_answer() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(top.join("a/b")).unwrap();
        std::fs::write(top.join("a/b/f"), "x").unwrap();
        std::fs::set_permissions(top.join("a/b/f"), std::fs::Permissions::from_mode(0o755)).unwrap();
        symlink(top.join("a"), top.join("l")).unwrap();
        symlink("f", top.join("a/b/g")).unwrap();
        let world = LiveWorld::new(Root::new(&top).unwrap(), None);
        for path in [
            "a", "a/b", "a/b/f", "l", "l/b", "l/b/f", "l/b/g", "a/b/g", "none", "a/b/none",
        ] {
            let path = top.join(path);
            for _ in 0..3 {
                assert_eq!(world.real(&path), path.canonicalize().ok(), "{}", path.display());
                assert_eq!(world.facts(&path), stat(&path), "{}", path.display());
            }
        }
        // A file that changes is seen at once.
        std::fs::remove_file(top.join("a/b/f")).unwrap();
        assert_eq!(world.facts(&top.join("a/b/f")), None);
        assert_eq!(world.real(&top.join("l/b/g")), None);
    }
}
