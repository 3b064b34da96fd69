//! What the user's own settings of git, and the system's, name for git to obey: they hold in every repository, and what
//! they name seen from there lies in the workspace.

use super::repository::Named;
use super::{named_by_settings, settings};
use crate::path::read_regular_text;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Largest file of settings that is read, bytes.
const LIMIT: u64 = 256 * 1024;
/// Files of settings that are read; more than anybody has.
const MOST: usize = 64;
/// Settings that the environment gives; more than anybody has.
const GIVEN: usize = 256;

/// What the settings name, each with the directory from which it is seen. `home` is what `~` means; `variable` gives the
/// variables of the environment.
pub fn named_by_user(home: Option<&Path>, variable: &dyn Fn(&str) -> Option<String>) -> Vec<(PathBuf, Named)> {
    let mut queue = user_files(home, variable);
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    let given = given(variable);
    if given != Named::default() {
        all.push((PathBuf::from("/"), given));
    }
    while let Some(file) = queue.pop() {
        if seen.len() >= MOST || !seen.insert(file.clone()) {
            continue;
        }
        let text = read_regular_text(&file, LIMIT).ok().flatten();
        let Some(named) = text.and_then(|text| named_by_settings(&text)) else {
            continue;
        };
        let base = file.parent().unwrap_or(&file).to_owned();
        // Under which condition a file is included does not matter: it may come true.
        queue.extend(named.includes.iter().map(|path| seen_from(&base, path, home)));
        all.push((base, named));
    }
    all
}

/// A path of the settings, seen from a directory.
pub fn seen_from(base: &Path, path: &str, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => base.join(path),
    }
}

/// The files that git reads before those of a repository, whether or not they are there.
pub fn user_files(home: Option<&Path>, variable: &dyn Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let given = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let mut files = Vec::new();
    let system = given("GIT_CONFIG_NOSYSTEM").is_none();
    files.extend(system.then(|| given("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into())));
    if let Some(global) = given("GIT_CONFIG_GLOBAL") {
        files.push(global);
        return files;
    }
    let common = given("XDG_CONFIG_HOME").or_else(|| home.map(|home| home.join(".config")));
    files.extend(common.map(|common| common.join("git/config")));
    files.extend(home.map(|home| home.join(".gitconfig")));
    files
}

/// The settings that the environment itself gives, one by one.
fn given(variable: &dyn Fn(&str) -> Option<String>) -> Named {
    let count = variable("GIT_CONFIG_COUNT").and_then(|count| count.trim().parse::<usize>().ok());
    let mut named = Named::default();
    for at in 0..count.unwrap_or(0).min(GIVEN) {
        let pair = variable(&format!("GIT_CONFIG_KEY_{at}")).zip(variable(&format!("GIT_CONFIG_VALUE_{at}")));
        let Some((key, value)) = pair else { continue };
        let Some((section, key)) = key.split_once('.') else {
            continue;
        };
        let (subsection, key) = match key.rsplit_once('.') {
            Some((subsection, key)) => (Some(subsection.to_owned()), key),
            None => (None, key),
        };
        named.take(settings::Setting {
            section: section.to_ascii_lowercase(),
            subsection,
            key: key.to_ascii_lowercase(),
            value,
        });
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_user_and_the_system_are_read_and_what_they_include() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("home");
        std::fs::create_dir_all(home.join(".config/git")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        write(
            "home/.gitconfig",
            "[core]\n hooksPath = .a\n[include]\n path = more\n[filter \"x\"]\n clean = tools/f --now\n",
        );
        write(
            "home/more",
            "[core]\n hooksPath = ~/w/.b\n[include]\n path = .gitconfig\n",
        );
        write(
            "home/.config/git/config",
            "[includeIf \"gitdir:/x/\"]\n path = /x/dev/gc\n",
        );
        write("system", "[core]\n attributesFile = attrs\n");
        let system = dir.path().join("system").display().to_string();
        let variable = |name: &str| match name {
            "GIT_CONFIG_SYSTEM" => Some(system.clone()),
            "GIT_CONFIG_COUNT" => Some("2".to_owned()),
            "GIT_CONFIG_KEY_0" => Some("Core.HooksPath".to_owned()),
            "GIT_CONFIG_VALUE_0" => Some(".c".to_owned()),
            "GIT_CONFIG_KEY_1" => Some("user.name".to_owned()),
            "GIT_CONFIG_VALUE_1" => Some("n".to_owned()),
            _ => None,
        };
        let named = named_by_user(Some(&home), &variable);
        let mut hooks: Vec<&str> = named.iter().flat_map(|(_, n)| &n.hooks).map(String::as_str).collect();
        hooks.sort_unstable();
        assert_eq!(hooks, [".a", ".c", "~/w/.b"]);
        assert!(named.iter().any(|(_, n)| n.attributes == ["attrs"]));
        assert!(named.iter().any(|(_, n)| n.includes == ["/x/dev/gc"]));
        assert!(named.iter().any(|(_, n)| n.programs == ["tools/f"]));
        let only = |name: &str| (name == "GIT_CONFIG_GLOBAL").then(|| home.join("more").display().to_string());
        let other = named_by_user(Some(&dir.path().join("none")), &only);
        assert!(other.iter().any(|(_, n)| n.hooks == ["~/w/.b"]));
        assert_eq!(seen_from(Path::new("/b"), "~/x", Some(&home)), home.join("x"));
        assert_eq!(seen_from(Path::new("/b"), "x", Some(&home)), Path::new("/b/x"));
    }
}
