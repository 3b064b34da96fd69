//! Modules that Python finds in the directory in which it works before those of its library.

use super::simulation::Simulation;
use super::target::Target;
use crate::path::visible;
use crate::program::python_takes;
use std::path::Path;

impl Simulation<'_> {
    /// Judges `python -m NAME`: what stands in its directory under the name of a module of the library would run in its place.
    pub(super) fn imported(&self, name: &str) -> Target {
        let Some(bases) = self.bases(&[]) else {
            return Target::Unsure(format!(
                "which module `{}` is, depends on a directory that is not known before it runs; start Python with `-P`",
                visible(name, 60)
            ));
        };
        let put = |base: &&std::path::PathBuf| self.placed.iter().any(|place| base.starts_with(place));
        let unseen = bases.iter().find(put).map(|base| base.to_string_lossy().into_owned());
        let mut found = unseen
            .into_iter()
            .chain(bases.iter().filter_map(|base| self.hidden_by(base, name)));
        match found.next() {
            Some(entry) => Target::Unsure(format!(
                "`{}` of the directory in which it works would run in the place of a module of the library; start Python with \
                 `-P`, or from another directory",
                visible(&entry, 60)
            )),
            None => Target::Fine,
        }
    }

    /// What in a directory is taken for a module that `python -m NAME` means to find in the library.
    fn hidden_by(&self, base: &Path, name: &str) -> Option<String> {
        let there = match self.world.names(base) {
            Some(names) => names,
            // Nobody knows what stands there.
            None if self.world.facts(base).is_some() => return Some("*".to_owned()),
            None => Vec::new(),
        };
        let made = self.made.iter().filter_map(|path| {
            let first = path.strip_prefix(base).ok()?.components().next()?;
            Some(first.as_os_str().to_string_lossy().into_owned())
        });
        there
            .into_iter()
            .chain(made)
            .find(|entry| self.is_module(&base.join(entry), entry, name))
    }

    /// Whether an entry of a directory is a module that `python -m NAME` needs.
    fn is_module(&self, path: &Path, entry: &str, name: &str) -> bool {
        let (stem, end) = entry.split_once('.').unwrap_or((entry, ""));
        if !python_takes(name, stem) {
            return false;
        }
        if !end.is_empty() {
            return end
                .rsplit('.')
                .next()
                .is_some_and(|end| matches!(end, "py" | "pyc" | "so"));
        }
        // A directory is one if it says so itself, or if nothing of that name is installed.
        let says = |inside: &str| inside.starts_with("__init__.") || inside.starts_with("__main__.");
        let made = |file: &std::path::PathBuf| {
            let inside = file.strip_prefix(path).ok().and_then(|rest| rest.to_str());
            inside.is_some_and(says)
        };
        match self.world.names(path) {
            Some(names) => names.iter().any(|inside| says(inside)) || self.made.iter().any(made),
            None => self.made.iter().any(made) || self.world.facts(path).is_some_and(|facts| facts.is_dir()),
        }
    }
}
