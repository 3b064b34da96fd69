//! Code that a command reads by convention, not by name: what `make`, `npm run` and `python -m` find in the workspace.

use super::binding::{Binding, content_of, is_written_on};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// How many files are looked at. Where there are more, no answer holds: what was not looked at is bound by nothing.
const MOST: usize = 1_000_000;
/// How many bytes of them are bound by content; what is beyond that, by identity, size and times.
const MOST_CONTENT: u64 = 64 << 20;

/// Binds the code below a directory as it is now: by the content of every file, named by the entry of the
/// directory in which it lies. `left_out`: directories that belong to somebody else. Git's own directory is held by other
/// means: what git runs of it is read-only.
pub fn bind_code_below(binding: &mut Binding, top: &Path, left_out: &[PathBuf]) {
    let git = top.join(".git");
    let is_own = |path: &PathBuf| *path == git || left_out.contains(path);
    bind_some(binding, top, &is_own, MOST);
}

fn bind_some(binding: &mut Binding, top: &Path, is_own: &dyn Fn(&PathBuf) -> bool, most: usize) {
    let mut parts: BTreeMap<String, String> = BTreeMap::new();
    let mut open = VecDeque::from([top.to_owned()]);
    let (mut seen, mut left) = (0, MOST_CONTENT);
    while let Some(directory) = open.pop_front() {
        // What cannot be read now and can be later is another workspace then.
        let Ok(entries) = std::fs::read_dir(&directory) else {
            continue;
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
        paths.sort_unstable();
        for path in paths {
            let Ok(found) = path.symlink_metadata() else { continue };
            if is_own(&path) {
                continue;
            }
            if found.is_dir() {
                open.push_back(path);
                continue;
            }
            if found.is_file() && is_written_on(&path, &found) {
                continue;
            }
            seen += 1;
            if seen > most {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let name = format!("the workspace, which has more than {most} files");
                return binding.set(name, format!("{now:?}").as_bytes());
            }
            let Ok(name) = path.strip_prefix(top) else { continue };
            let first = name.components().next();
            let first = first.map(|part| part.as_os_str().to_string_lossy().into_owned());
            let list = parts.entry(first.unwrap_or_default()).or_default();
            let small = found.is_file() && found.size() <= left;
            left = left.saturating_sub(found.size());
            let link = || std::fs::read_link(&path).map(|target| target.to_string_lossy().into_owned());
            let state = match small {
                true => content_of(&path).unwrap_or_default(),
                false if found.is_symlink() => link().unwrap_or_default(),
                false => times(&found),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(list, "{}\0{state}", name.display());
        }
    }
    for (name, list) in parts {
        binding.set(format!("code in the workspace {name}"), list.as_bytes());
    }
}

fn times(found: &Metadata) -> String {
    let (changed, changed_nanos) = (found.ctime(), found.ctime_nsec());
    format!("{}:{}:{changed}:{changed_nanos}", found.ino(), found.size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_run_by_convention_is_bound_and_logs_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        for sub in ["src", ".git", "state"] {
            std::fs::create_dir(dir.path().join(sub)).unwrap();
        }
        write("Makefile", "all:\n");
        write("src/a.py", "1");
        let bound = || {
            let mut binding = Binding::new("x");
            bind_code_below(&mut binding, dir.path(), &[dir.path().join("state")]);
            binding
        };
        let before = bound();
        for quiet in ["out.log", ".git/index", "state/a.json"] {
            write(quiet, "x");
        }
        assert_eq!(before.changed(&bound()), Vec::<String>::new());
        write("Makefile", "all: evil\n");
        assert_eq!(before.changed(&bound()), ["code in the workspace Makefile"]);
        for late in ["README.md", "logo.png"] {
            write(late, "x");
            let changed = before.changed(&bound());
            assert!(
                changed.contains(&format!("code in the workspace {late}")),
                "{changed:?}"
            );
        }
        write("src/b.py", "2");
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("link")).unwrap();
        let changed = before.changed(&bound());
        assert!(changed.contains(&"code in the workspace src".to_owned()), "{changed:?}");
        assert!(
            changed.contains(&"code in the workspace link".to_owned()),
            "{changed:?}"
        );
    }
}
