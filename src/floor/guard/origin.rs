//! What a repository held when the session began: content that git brings from there was not made by the run.
//!
//! The names of its commits are written down before anything of the session runs. Later, what a name of git leads to is
//! believed as far as it can be checked against them: each object on the way is hashed again. Git itself runs behind walls,
//! without settings of anybody.

use crate::confine::{Prepared, Walls};
use crate::floor::git::{Repository, repository};
use crate::model::Network;
use crate::process::Contained;
use crate::state::{Document, StateFault, Store};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

const TIPS: Document = Document {
    name: "tips",
    version: 1,
    limit: 4 << 20,
};
/// Commits that are written down.
const MOST: usize = 4096;
/// Commits in which a file is looked for.
const TRIED: usize = 64;
/// Bytes of packed names, and of an object.
const LARGEST: u64 = 4 << 20;
/// Where git is, if it is used here at all.
const GIT: [&str; 2] = ["/usr/bin/git", "/usr/local/bin/git"];

/// Writes down the commits of a workspace's repository where that was not done yet: what people make between two runs is
/// theirs, what is made by a run is not.
pub(super) fn remember(store: &Store, repository: Option<&Repository>, lingers: bool) -> Result<(), StateFault> {
    let Some(now) = repository.map(tips) else {
        return Ok(());
    };
    let known = TIPS.read(store)?;
    let (theirs, last) = known
        .as_ref()
        .map(|known| (set(known, "theirs"), set(known, "last")))
        .unzip();
    let (mut all, last) = (theirs.clone().unwrap_or_default(), last.unwrap_or_default());
    if known.is_none() {
        all.clone_from(&now);
    } else if !lingers {
        all.extend(now.difference(&last).cloned());
    }
    if known.is_some() && Some(&all) == theirs.as_ref() && now == last {
        return Ok(());
    }
    write(store, &all, &now)
}

/// Notes the commits that are there after a run.
pub(super) fn after(store: &Store, repository: Option<&Repository>) -> Result<(), StateFault> {
    let Some(now) = repository.map(tips) else {
        return Ok(());
    };
    match TIPS.read(store)? {
        Some(known) if set(&known, "last") != now => write(store, &set(&known, "theirs"), &now),
        _ => Ok(()),
    }
}

fn write(store: &Store, theirs: &BTreeSet<String>, last: &BTreeSet<String>) -> Result<(), StateFault> {
    let content = Map::from_iter([("theirs".to_owned(), json!(theirs)), ("last".to_owned(), json!(last))]);
    TIPS.update(store, |_| Ok::<_, StateFault>((Some(content), ())))
}

fn set(known: &Map<String, Value>, key: &str) -> BTreeSet<String> {
    let list = known.get(key).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// What the names of a repository lead to.
fn tips(repository: &Repository) -> BTreeSet<String> {
    let mut tips = BTreeSet::new();
    let mut add = |text: &str| {
        let name = text.split_whitespace().next().unwrap_or_default();
        let plain = matches!(name.len(), 40 | 64) && name.bytes().all(|b| b.is_ascii_hexdigit());
        if plain && tips.len() < MOST {
            tips.insert(name.to_ascii_lowercase());
        }
    };
    add(&small(&repository.directory.join("HEAD")));
    small(&repository.common.join("packed-refs")).lines().for_each(&mut add);
    let mut queue = vec![repository.common.join("refs")];
    let mut looked = 0;
    while let Some(directory) = queue.pop() {
        looked += 1;
        if looked > MOST {
            break;
        }
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => queue.push(entry.path()),
                Ok(kind) if kind.is_file() => add(&small(&entry.path())),
                _ => {}
            }
        }
    }
    tips
}

/// The text of a file that is not too large; nothing of any other.
fn small(path: &Path) -> String {
    let mut text = String::new();
    let file = fs::symlink_metadata(path)
        .ok()
        .filter(|meta| meta.is_file() && meta.len() <= LARGEST);
    if file.is_some()
        && fs::File::open(path)
            .and_then(|file| file.take(LARGEST).read_to_string(&mut text))
            .is_err()
    {
        text.clear();
    }
    text
}

/// Looks for content in what the repository held.
pub(super) struct Origin {
    repository: Repository,
    top: PathBuf,
    tips: Vec<String>,
    walls: Prepared,
    git: &'static str,
}

impl Origin {
    /// Of a workspace; none where there is no repository, no git, or nothing that was written down.
    pub(super) fn of(store: &Store, workspace: &Path) -> Option<Self> {
        let repository = repository(workspace)?;
        let tips: Vec<String> = set(&TIPS.read(store).ok()??, "theirs")
            .into_iter()
            .take(TRIED)
            .collect();
        let git = GIT.into_iter().find(|git| Path::new(git).is_file())?;
        let kernel = crate::confine::Kernel::with(crate::confine::Namespaces::Refused(0));
        let walls = Walls {
            writable: Vec::new(),
            pinned: Vec::new(),
            fixed: Vec::new(),
            private: Vec::new(),
            shown: Vec::new(),
            overlays: Vec::new(),
            hidden: Vec::new(),
            empty: None,
            network: Network::None,
            cwd: PathBuf::from("/"),
        };
        Some(Self {
            top: repository.entry.parent()?.to_owned(),
            walls: walls.prepare(kernel).ok()?,
            repository,
            tips,
            git,
        })
    }

    /// Whether one of the commits has exactly this content at this path.
    pub(super) fn held(&self, path: &Path, content: &[u8]) -> bool {
        let Some(relative) = path.strip_prefix(&self.top).ok().filter(|_| !self.tips.is_empty()) else {
            return false;
        };
        let Some(wanted) = self.hash("blob", content) else {
            return false;
        };
        self.tips
            .iter()
            .any(|tip| self.blob_at(tip, relative).as_ref() == Some(&wanted))
    }

    /// The name of the file at a path of a commit.
    fn blob_at(&self, commit: &str, relative: &Path) -> Option<String> {
        let commit = String::from_utf8(self.object("commit", commit)?).ok()?;
        let mut name = commit.lines().next()?.strip_prefix("tree ")?.to_owned();
        for part in relative.components() {
            let tree = self.object("tree", &name)?;
            name = entry(&tree, part.as_os_str().as_encoded_bytes(), name.len() / 2)?;
        }
        Some(name)
    }

    /// An object whose content is what its name says.
    fn object(&self, kind: &str, name: &str) -> Option<Vec<u8>> {
        let content = self.run(&["cat-file", kind, name], &[])?;
        (self.hash(kind, &content)? == name).then_some(content)
    }

    fn hash(&self, kind: &str, content: &[u8]) -> Option<String> {
        let name = self.run(
            &["hash-object", "-t", kind, "--stdin", "--literally", "--no-filters"],
            content,
        )?;
        Some(String::from_utf8(name).ok()?.trim().to_owned())
    }

    fn run(&self, args: &[&str], input: &[u8]) -> Option<Vec<u8>> {
        let directory = format!("--git-dir={}", self.repository.directory.display());
        let options = [
            directory.as_str(),
            "-c",
            "safe.directory=*",
            "-c",
            "core.fsmonitor=false",
        ];
        let env = [
            ("PATH", "/usr/bin:/bin"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_NO_REPLACE_OBJECTS", "1"),
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_ALLOW_PROTOCOL", "none"),
        ];
        let contained = Contained {
            program: Path::new(self.git),
            arg0: self.git.as_ref(),
            args: options.iter().chain(args).map(Into::into).collect(),
            env: env.map(|(name, value)| (name.into(), value.into())).into(),
            cwd: Path::new("/"),
            walls: &self.walls,
        };
        // What cannot be asked is not believed.
        let printed = contained.filtered(input).ok().flatten();
        printed.filter(|printed| printed.len() as u64 <= LARGEST)
    }
}

/// The name of an entry of a tree, whose names have `size` bytes.
fn entry(tree: &[u8], wanted: &[u8], size: usize) -> Option<String> {
    let mut rest = tree;
    loop {
        let zero = rest.iter().position(|byte| *byte == 0)?;
        let (head, tail) = rest.split_at_checked(zero)?;
        let (id, after) = tail.get(1..)?.split_at_checked(size)?;
        let space = head.iter().position(|byte| *byte == b' ')?;
        if head.get(space + 1..) == Some(wanted) {
            let mut name = String::with_capacity(size * 2);
            for byte in id {
                // Writing to a string cannot fail.
                let _ = write!(name, "{byte:02x}");
            }
            return Some(name);
        }
        rest = after;
    }
}
