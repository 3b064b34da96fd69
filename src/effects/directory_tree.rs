//! Whole directories that a program puts under a name, where no walls protect the names below it.

use super::names::may_break;
use super::simulation::Simulation;
use super::target::{STREAMS, Target, shown, would};
use crate::machine::normalise;
use crate::path::{may_hold_protected, protected_name, visible};
use crate::shell::option::Value;
use std::path::{Path, PathBuf};

/// Most names that are looked at in one call.
const MOST: usize = 4096;

/// Most names that are looked at for what takes them apart.
const MOST_BROKEN: usize = 50_000;

/// How a program puts things under a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placing {
    /// Whether what it reads comes to stand there, directories too.
    pub(super) copies: bool,
    /// Whether it makes links, so that what is not there yet stands there as well as soon as it is.
    pub(super) links: bool,
    /// Whether nothing else of the text wrote before, so that what is there now is what will be put there.
    pub(super) first: bool,
}

/// What may be put under a name.
enum TreeSource {
    /// A path; whether all that is below it, not itself, goes there.
    Path(PathBuf, bool),
    /// Not known.
    Unknown,
}

impl Simulation<'_> {
    /// Judges what stands below a name after a program wrote it: a name such as `.cargo` is no more protected than any
    /// other, but files below it are.
    pub(super) fn placed(
        &self,
        value: Value<'_>,
        dirs: &[Value<'_>],
        sources: &[Value<'_>],
        placing: Placing,
    ) -> Target {
        if value
            .literal()
            .is_some_and(|text| text.is_empty() || STREAMS.contains(&text))
        {
            return Target::Fine;
        }
        let bases = self.bases(dirs).unwrap_or_else(|| vec![PathBuf::from("/")]);
        let paths = match value.literal() {
            Some(text) => bases.iter().filter_map(|base| normalise(base, text)).collect(),
            None => self.possible(&value.to_arg(), &bases).unwrap_or_default(),
        };
        let sources: Vec<TreeSource> = sources
            .iter()
            .flat_map(|source| self.sources(*source, &bases))
            .collect();
        let mut left = MOST;
        for path in paths {
            let path = self.world.real(&path).unwrap_or(path);
            let relative = self.relative(&path);
            let holds = self.may_hold(relative);
            if sources.is_empty() && holds {
                return Target::Ask(format!(
                    "would write to `{}`, where other programs search for configuration",
                    shown(value)
                ));
            }
            for source in &sources {
                let found = match source {
                    TreeSource::Unknown => holds.then(|| "what it puts there is not known".to_owned()),
                    TreeSource::Path(from, whole) => {
                        let mut found = self.below(from, relative, placing, &mut left);
                        if let Some(name) = from.file_name().filter(|_| found.is_none() && !whole) {
                            let inside = relative.join(name);
                            let named = holds && self.is_obeyed(from, &inside);
                            found = if named {
                                Some(format!(
                                    "`{}` is read by other programs as configuration",
                                    visible(&inside.to_string_lossy(), 120)
                                ))
                            } else if holds || self.world.facts(&path).is_some_and(|facts| facts.is_dir()) {
                                self.below(from, &inside, placing, &mut left)
                            } else {
                                None
                            };
                        }
                        found
                    }
                };
                if let Some(why) = found {
                    return Target::Ask(would("write", &shown(value), &why));
                }
            }
        }
        Target::Fine
    }

    /// Why something below a name must not be put there unseen; `to` is the name, seen from the workspace.
    fn below(&self, from: &Path, to: &Path, placing: Placing, left: &mut usize) -> Option<String> {
        let obeyed = |path: &Path| {
            format!(
                "`{}` is read by other programs as configuration",
                visible(&path.to_string_lossy(), 120)
            )
        };
        let told = format!(
            "below `{}` other programs look for what they obey, and what will stand there is not known",
            visible(&to.to_string_lossy(), 120)
        );
        let facts = self.world.facts(from);
        let holds = self.may_hold(to);
        if placing.links || !placing.copies {
            let plain = facts.is_some_and(|facts| facts.is_file());
            return (holds && !plain).then_some(told);
        }
        match facts {
            Some(facts) if facts.is_file() => return None,
            Some(facts) if facts.is_dir() => {}
            _ => return holds.then_some(told),
        }
        if holds && (!placing.first || self.is_link(from)) {
            return Some(told);
        }
        let mut queue = vec![(from.to_owned(), to.to_owned())];
        while let Some((directory, named)) = queue.pop() {
            let names = self.world.names(&directory).filter(|names| names.len() <= *left);
            let Some(names) = names else {
                return Some(format!(
                    "`{}` holds more than is looked through, and `tools.exec.floor` is off",
                    visible(&directory.to_string_lossy(), 120)
                ));
            };
            *left -= names.len();
            for name in names {
                let (path, named) = (directory.join(&name), named.join(&name));
                if self.is_obeyed(&path, &named) {
                    return Some(obeyed(&named));
                }
                if self.may_hold(&named) && self.is_link(&path) {
                    return Some(obeyed(&named));
                }
                if self.world.facts(&path).is_some_and(|facts| facts.is_dir()) && !self.is_link(&path) {
                    queue.push((path, named));
                }
            }
        }
        None
    }

    /// What a word may lead to that is read.
    fn sources(&self, source: Value<'_>, bases: &[PathBuf]) -> Vec<TreeSource> {
        match source.literal() {
            Some(text) => {
                let whole = text.ends_with('/') || matches!(text.rsplit('/').next(), Some("." | ".."));
                let paths = bases.iter().filter_map(|base| normalise(base, text));
                paths.map(|path| TreeSource::Path(path, whole)).collect()
            }
            None => match self.possible(&source.to_arg(), bases) {
                Some(paths) => paths.into_iter().map(|path| TreeSource::Path(path, false)).collect(),
                None => vec![TreeSource::Unknown],
            },
        }
    }

    /// Whether something may stand below a name, seen from the workspace, that is read by other programs as configuration or by toolctl.
    fn may_hold(&self, named: &Path) -> bool {
        may_hold_protected(named) || self.obeyed_within(named)
    }

    /// Whether what stands at a path would be obeyed under a name.
    fn is_obeyed(&self, path: &Path, named: &Path) -> bool {
        let directory = || self.world.facts(path).is_some_and(|facts| facts.is_dir());
        protected_name(named).is_some() || self.obeyed_within(named) && !directory()
    }

    fn obeyed_within(&self, named: &Path) -> bool {
        let path = self.finder.workspace().join(named);
        self.world.obeyed_within(&path).is_some()
    }

    /// Whether a name of the tree that stands here now may become a name that leads elsewhere when it is taken apart. So it is
    /// where the tree holds more than is looked through.
    pub(super) fn breaks_names(&self) -> bool {
        let Some(bases) = self.bases(&[]) else { return true };
        let leads = |path: PathBuf| self.world.real(&path).is_some() && self.is_link(&path);
        let leaves = |word: &str| bases.iter().any(|base| leads(base.join(word)));
        let mut left = MOST_BROKEN;
        let mut queue = bases.clone();
        while let Some(directory) = queue.pop() {
            let Some(names) = self.world.names(&directory).filter(|names| names.len() <= left) else {
                return true;
            };
            left -= names.len();
            for name in names {
                if may_break(&name, &leaves) {
                    return true;
                }
                let path = directory.join(&name);
                let goes_on = name != ".git" && self.world.facts(&path).is_some_and(|facts| facts.is_dir());
                if goes_on && !self.is_link(&path) {
                    queue.push(path);
                }
            }
        }
        false
    }

    /// Whether a link of the tree that stands here now, or of the workspace, leads to secrets: whoever is given names that are
    /// listed may be given that one. So it is where they hold more than is looked through.
    pub(super) fn links_to_secrets(&self) -> bool {
        let Some(bases) = self.bases(&[]) else { return true };
        let workspace = self.finder.workspace();
        let outside = bases.iter().filter(|base| !base.starts_with(workspace));
        let mut starts = outside.map(PathBuf::as_path).chain([workspace]);
        starts.any(|start| {
            let known = self.linked.borrow().get(start).copied();
            known.unwrap_or_else(|| {
                let leads = self.links_below(start);
                self.linked.borrow_mut().insert(start.to_owned(), leads);
                leads
            })
        })
    }

    fn links_below(&self, start: &Path) -> bool {
        let mut left = MOST_BROKEN;
        let mut queue = vec![start.to_owned()];
        while let Some(directory) = queue.pop() {
            let Some(names) = self.world.names(&directory).filter(|names| names.len() <= left) else {
                // Nothing is listed where there is nothing.
                if self.world.facts(&directory).is_none() {
                    continue;
                }
                return true;
            };
            left -= names.len();
            for name in names {
                let path = directory.join(&name);
                if self.is_link(&path) {
                    if self
                        .world
                        .real(&path)
                        .is_some_and(|real| self.holds_or_is_secret(&real))
                    {
                        return true;
                    }
                } else if name != ".git" && self.world.facts(&path).is_some_and(|facts| facts.is_dir()) {
                    queue.push(path);
                }
            }
        }
        false
    }

    fn relative<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(self.finder.workspace()).unwrap_or(path)
    }

    /// Whether the last part of a path is a link.
    fn is_link(&self, path: &Path) -> bool {
        let beside = path.parent().and_then(|parent| self.world.real(parent));
        let own = beside.zip(path.file_name()).map(|(parent, name)| parent.join(name));
        self.world.real(path) != own
    }
}
