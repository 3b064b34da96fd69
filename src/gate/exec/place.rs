//! In which directories a command may run, as `cd` changes them.

use super::resolve::normalise;
use super::world::World;
use crate::shell::{Arg, Connector, SimpleCommand};
use std::path::{Path, PathBuf};

/// Most directories that are followed at once.
const MAX: usize = 6;

/// The directories in which the next command may run.
#[derive(Debug, Clone)]
pub(super) struct Places {
    /// Where it runs if every `cd` went well.
    assumed: Vec<PathBuf>,
    /// Where it runs if one did not.
    otherwise: Vec<PathBuf>,
    /// Joins `otherwise` once the `&&` list ends.
    later: Vec<PathBuf>,
    /// Whether it may be anywhere.
    unknown: bool,
    /// What stands between the last command and the next.
    joint: Option<Connector>,
}

impl Places {
    pub(super) fn new(cwd: &Path) -> Self {
        Self {
            assumed: vec![cwd.to_owned()],
            otherwise: Vec::new(),
            later: Vec::new(),
            unknown: false,
            joint: None,
        }
    }

    /// Every directory in which the next command may run; none if that is not known.
    pub(super) fn all(&self) -> Option<Vec<PathBuf>> {
        (!self.unknown).then(|| {
            let mut list = self.assumed.clone();
            for dir in &self.otherwise {
                if !list.contains(dir) {
                    list.push(dir.clone());
                }
            }
            list
        })
    }

    /// A command begins.
    pub(super) fn enter(&mut self) {
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
    pub(super) fn leave(&mut self, command: &SimpleCommand) {
        self.joint = command.next;
    }

    /// `cd` to a target, or back with none. Says why a person must decide, if so.
    pub(super) fn change(
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
        // The shell keeps its own idea of the directory and takes `..` off by name; what is there is looked up by
        // the system. Only where both agree is it known where a `cd` leads.
        let step = |dir: &Path| {
            let path = normalise(dir, text)?;
            let real = world.real(&path).unwrap_or_else(|| path.clone());
            Some((path, real))
        };
        let mut next = Vec::new();
        for dir in &self.assumed {
            match step(dir) {
                Some((path, real)) if inside(&path) && inside(&real) => next.push(real),
                _ => return Some(format!("`cd {}` leaves the workspace", crate::path::visible(text, 80))),
            }
        }
        let moved: Vec<PathBuf> = self
            .otherwise
            .iter()
            .filter_map(|dir| step(dir))
            .map(|(_, real)| real)
            .collect();
        self.otherwise.extend(moved);
        self.otherwise.sort_unstable();
        self.otherwise.dedup();
        next.dedup();
        self.assumed = next;
        None
    }
}

/// Where a `cd` stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope {
    /// In a shell of its own.
    pub(super) subshell: bool,
    /// In a loop.
    pub(super) looped: bool,
}
