//! Commands that the configuration names, and the files that their arguments name.

use super::record::CommandTrust;
use crate::model::Origin;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Longer texts are no file names.
const LONGEST: usize = 4096;

/// A command that the configuration names: who starts it is the launcher alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredCommand {
    /// The argv; its program is a bare name or an absolute path. Empty where there is none.
    pub argv: Vec<String>,
    /// The directory of the file that names it.
    pub directory: PathBuf,
    /// Where it is written.
    pub origin: Origin,
    /// What a person trusted, where the file that names it counts only because of that.
    pub trust: Option<Arc<CommandTrust>>,
}

/// A path that an argument may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPath {
    /// Absolute, without `.` components.
    pub path: PathBuf,
    /// Whether the text looks like a path whatever is there.
    pub spelled_as_path: bool,
}

impl ConfiguredCommand {
    /// Whether there is no command.
    pub fn is_empty(&self) -> bool {
        self.argv.is_empty()
    }

    /// The paths that the command may mean when it runs in `cwd`: of its program, and of every argument, there and beside
    /// the file that names it.
    pub fn paths(&self, cwd: &Path) -> Vec<NamedPath> {
        let mut all = named_paths(&self.argv, &self.directory);
        if cwd != self.directory {
            for more in named_paths(&self.argv, cwd) {
                if !all.contains(&more) {
                    all.push(more);
                }
            }
        }
        all
    }

    /// The files that must stay as they are for the command to stay what it is: those that are there, and those that
    /// somebody could put there.
    pub fn files(&self, cwd: &Path) -> impl Iterator<Item = PathBuf> {
        let named = self.paths(cwd).into_iter();
        named
            .filter(|named| match named.path.metadata() {
                Ok(found) => found.is_file(),
                Err(_) => named.spelled_as_path || named.path.extension().is_some(),
            })
            .map(|named| named.path)
    }
}

/// The paths that an argv may mean, seen from a directory: the program where it has a `/`, every argument, and what stands
/// behind `=` or a short option's letter.
pub(crate) fn named_paths<T: AsRef<str>>(argv: &[T], directory: &Path) -> Vec<NamedPath> {
    let mut all: Vec<NamedPath> = Vec::new();
    let mut push = |text: &str, spelled_as_path: bool| {
        if text.is_empty() || text.len() > LONGEST || text.contains(['\n', '\0']) {
            return;
        }
        let path = directory.join(text);
        let path = path.components().filter(|c| *c != Component::CurDir).collect();
        let named = NamedPath { path, spelled_as_path };
        if !all.contains(&named) {
            all.push(named);
        }
    };
    for (i, item) in argv.iter().enumerate() {
        let item = item.as_ref();
        let option = item.starts_with('-');
        if i > 0 || item.contains('/') {
            push(item, item.contains('/') && !option);
        }
        if i == 0 {
            continue;
        }
        if let Some((_, value)) = item.split_once('=') {
            push(value, value.contains('/'));
        }
        let glued = item.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        if let Some(value) = glued.and_then(|rest| rest.get(rest.chars().next()?.len_utf8()..)) {
            push(value, value.starts_with(['/', '.']) && value.contains('/'));
        }
    }
    for text in unnamed(argv) {
        push(&text, false);
    }
    all
}

/// Programs that run what files of their directory say which no argument names.
const READERS: &[(&[&str], &[&str])] = &[
    (&["make", "gmake"], &["GNUmakefile", "makefile", "Makefile"]),
    (&["just"], &["justfile", "Justfile", ".justfile"]),
    (&["npm", "pnpm", "yarn", "bun", "npx"], &["package.json"]),
    (&["rake"], &["rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb"]),
    (
        &["task"],
        &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"],
    ),
    (&["tox"], &["tox.ini", "pyproject.toml", "setup.cfg"]),
    (&["deno"], &["deno.json", "deno.jsonc"]),
    (&["composer"], &["composer.json"]),
];

/// The files that a program reads without being told: those of its row, and a module of Python.
fn unnamed<T: AsRef<str>>(argv: &[T]) -> Vec<String> {
    let Some(program) = argv.first().map(AsRef::as_ref) else {
        return Vec::new();
    };
    let name = program.rsplit('/').next().unwrap_or(program);
    let rows = READERS.iter().filter(|(programs, _)| programs.contains(&name));
    let mut files: Vec<String> = rows
        .flat_map(|(_, files)| files.iter().map(|f| (*f).to_owned()))
        .collect();
    if name.starts_with("python") || name.starts_with("pypy") {
        let mut words = argv.iter().skip(1).map(AsRef::as_ref);
        // `-m module`, `-mmodule`, `-Im module`: it is the last of several letters.
        let module = words.find_map(|word| {
            let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
            let (_, rest) = letters.split_once('m')?;
            Some(rest.to_owned())
        });
        let module = module.map(|module| {
            if module.is_empty() {
                words.next().unwrap_or_default().to_owned()
            } else {
                module
            }
        });
        if let Some(module) = module.filter(|module| !module.is_empty()) {
            let path = module.replace('.', "/");
            files.extend([
                format!("{path}.py"),
                format!("{path}/__main__.py"),
                format!("{path}/__init__.py"),
            ]);
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_name_files_in_every_usual_spelling() {
        let named = |argv: &[&str]| -> Vec<(String, bool)> {
            let all = named_paths(argv, Path::new("/d")).into_iter();
            all.map(|n| (n.path.display().to_string(), n.spelled_as_path)).collect()
        };
        let has = |argv: &[&str], path: &str, spelled: bool| {
            let all = named(argv);
            assert!(all.contains(&(path.to_owned(), spelled)), "{argv:?}: {all:?}");
        };
        has(&["./guard"], "/d/guard", true);
        has(&["bash", "hooks/guard.sh"], "/d/hooks/guard.sh", true);
        has(&["bash", "guard"], "/d/guard", false);
        has(&["node", "--require=./hook.js"], "/d/hook.js", true);
        has(&["node", "--require", "/a/hook.js"], "/a/hook.js", true);
        has(&["awk", "-f./x.awk"], "/d/x.awk", true);
        has(&["env", "FOO=./bar", "x"], "/d/bar", true);
        has(&["make", "guard"], "/d/Makefile", false);
        has(&["/usr/bin/make"], "/d/GNUmakefile", false);
        has(&["npm", "run", "guard"], "/d/package.json", false);
        has(&["python3", "-m", "hooks.guard"], "/d/hooks/guard.py", false);
        has(&["python3", "-Im", "hooks"], "/d/hooks/__main__.py", false);
        has(&["python3.12", "-mguard"], "/d/guard.py", false);
        assert_eq!(named(&["guard"]), []);
        assert_eq!(named(&["sh", "a\nb/c"]), []);
    }
}
