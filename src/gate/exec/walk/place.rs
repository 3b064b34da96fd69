//! In which directories a command may run, as `cd` changes them.

use crate::gate::exec::resolve::normalise;
use crate::gate::exec::world::World;
use crate::shell::{Arg, Connector, SimpleCommand};
use std::path::{Path, PathBuf};

/// Most directories that are followed at once.
const MAX: usize = 6;

/// A directory, by the name that the shell has for it, from which it takes `..` off, and as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    name: PathBuf,
    real: PathBuf,
}

impl Place {
    /// Where `cd` leads from here, by the name and by what is there: which of them the shell takes depends on its options
    /// and on what is there when it runs. The second of each says whether it is there now.
    fn step(&self, text: &str, world: &dyn World) -> Vec<(Self, bool)> {
        let mut from = vec![&self.name];
        if self.real != self.name {
            from.push(&self.real);
        }
        let steps = from.into_iter().filter_map(|dir| {
            let name = normalise(dir, text)?;
            let real = world.real(&name);
            let there = real.is_some();
            let real = real.unwrap_or_else(|| name.clone());
            Some((Self { name, real }, there))
        });
        steps.collect()
    }
}

/// The directories in which the next command may run.
#[derive(Debug, Clone)]
pub(in crate::gate::exec) struct Places {
    /// Where it runs if every `cd` went well.
    assumed: Vec<Place>,
    /// Where it runs if one did not.
    otherwise: Vec<Place>,
    /// Joins `otherwise` once the `&&` list ends.
    later: Vec<Place>,
    /// Whether it may be anywhere.
    unknown: bool,
    /// What stands between the last command and the next.
    joint: Option<Connector>,
}

impl Places {
    pub(in crate::gate::exec) fn new(cwd: &Path) -> Self {
        Self {
            assumed: vec![Place {
                name: cwd.to_owned(),
                real: cwd.to_owned(),
            }],
            otherwise: Vec::new(),
            later: Vec::new(),
            unknown: false,
            joint: None,
        }
    }

    /// Every directory in which the next command may run; none if that is not known.
    pub(in crate::gate::exec) fn all(&self) -> Option<Vec<PathBuf>> {
        (!self.unknown).then(|| {
            let mut list: Vec<PathBuf> = Vec::with_capacity(self.assumed.len());
            for place in self.assumed.iter().chain(&self.otherwise) {
                if !list.contains(&place.real) {
                    list.push(place.real.clone());
                }
            }
            list
        })
    }

    /// Every directory in which a shell may be after the last command; none if that is not known.
    pub(in crate::gate::exec) fn end(mut self) -> Option<Vec<PathBuf>> {
        self.joint = None;
        self.enter();
        self.all()
    }

    /// A command begins.
    pub(in crate::gate::exec) fn enter(&mut self) {
        if !matches!(self.joint, Some(Connector::And)) {
            let later = std::mem::take(&mut self.later);
            for dir in later {
                if !self.otherwise.contains(&dir) {
                    self.otherwise.push(dir);
                }
            }
        }
        if self.otherwise.len() > MAX {
            self.unknown = true;
        }
    }

    /// A command ends.
    pub(in crate::gate::exec) fn leave(&mut self, command: &SimpleCommand) {
        self.joint = command.next;
    }

    /// `cd` to a target, or back with none. Says why a person must decide, if so.
    pub(in crate::gate::exec) fn change(
        &mut self,
        target: Option<&Arg>,
        scope: Scope,
        workspace: &Path,
        world: &dyn World,
    ) -> Option<String> {
        let before = self.assumed.clone();
        if scope.subshell {
            // The change may end with its subshell, and where that ends is not followed here.
            self.otherwise.extend(before);
        } else {
            self.later.extend(before);
        }
        let Some(text) = target.and_then(Arg::literal) else {
            // Back, or `cd "$(git rev-parse --show-toplevel)"`: where it leads is not known, and so are relative names.
            self.unknown = true;
            return None;
        };
        if scope.looped {
            self.unknown = true;
        }
        let inside = |path: &Path| path.starts_with(workspace);
        let mut next = Vec::new();
        for place in &self.assumed {
            let steps = place.step(text, world);
            // What is not there by its name is looked for from the directory itself, where `..` may lead elsewhere.
            let links = place.name != place.real || text.trim_start_matches("../").contains("..");
            self.unknown |= links && text.contains("..") && steps.iter().any(|(_, there)| !there);
            if steps.is_empty() || !steps.iter().all(|(to, _)| inside(&to.name) && inside(&to.real)) {
                return Some(format!("`cd {}` leaves the workspace", crate::path::visible(text, 80)));
            }
            next.extend(steps.into_iter().map(|(to, _)| to));
        }
        let steps = self.otherwise.iter().flat_map(|place| place.step(text, world));
        let moved: Vec<Place> = steps.map(|(to, _)| to).collect();
        self.otherwise.extend(moved);
        self.otherwise.sort_unstable();
        self.otherwise.dedup();
        next.sort_unstable();
        next.dedup();
        self.assumed = next;
        None
    }
}

/// Where a `cd` stands.
#[derive(Debug, Clone, Copy)]
pub(in crate::gate::exec) struct Scope {
    /// In a shell of its own.
    pub(in crate::gate::exec) subshell: bool,
    /// In a loop.
    pub(in crate::gate::exec) looped: bool,
}
