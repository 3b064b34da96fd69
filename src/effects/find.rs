//! What `find` finds: files below a directory that are deleted, or handed to a program that writes them.

use super::simulation::Simulation;
use super::target::Target;
use crate::machine::{FileUse, PathVerdict};
use crate::shell::option::Value;
use crate::shell::{Piece, Shape, Unknown};
use std::path::PathBuf;

/// Most directories that are looked through for what others obey.
const MAX_DIRECTORIES: usize = 2048;

impl Simulation<'_> {
    /// Judges what is deleted below a directory: nothing outside the workspace, and nothing there that others obey.
    pub(super) fn deleted_below(&self, start: Value<'_>, name: Option<&str>) -> Target {
        let whole = matches!(start.literal(), Some("." | "./"));
        let judged = if whole {
            self.worked_in(start, &[])
        } else {
            self.written(start, &[], &[])
        };
        if judged == Target::Fine && whole && name.is_none() {
            return Target::Ask("it deletes all that is here (say `-name` first)".to_owned());
        }
        if judged != Target::Fine || !self.open {
            return judged;
        }
        self.named_below(start.prefix(), name, "", "deletes")
    }

    /// Judges a path that `find` hands to a program that writes it; nothing where the value is no such path.
    pub(super) fn found(&self, value: Value<'_>) -> Option<Target> {
        let arg = value.to_arg();
        let Shape::Dynamic { pieces, .. } = &arg.shape else {
            return None;
        };
        let (start, name, end) = match pieces.as_slice() {
            [Piece::Fixed(start), Piece::Unknown(Unknown::Found(name))] => (start, name, ""),
            [
                Piece::Fixed(start),
                Piece::Unknown(Unknown::Found(name)),
                Piece::Fixed(end),
            ] if !end.contains('/') => (start, name, end.as_str()),
            _ => return None,
        };
        let whole = matches!(start.as_str(), "." | "./");
        let from = crate::shell::Arg::exact(start.as_str());
        let judged = if whole {
            self.worked_in(Value::whole(&from), &[])
        } else {
            self.written(Value::whole(&from), &[], &[])
        };
        Some(if judged == Target::Fine && self.open {
            self.named_below(start, name.as_deref(), end, "writes")
        } else {
            judged
        })
    }

    /// Judges files of some name below a directory where no walls are: nothing puts back what should have stayed.
    fn named_below(&self, start: &str, name: Option<&str>, end: &str, does: &str) -> Target {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '~');
        let told = name.is_some_and(|name| {
            let rest = name.strip_prefix('*').unwrap_or(name);
            rest.len() > 1 && rest.chars().all(plain)
        });
        if !told {
            return Target::Ask(format!(
                "what it {does} is not known, and `tools.exec.floor` is off (say `-name` first)"
            ));
        }
        let wanted = name.unwrap_or("");
        if let Some(obeyed) = self.obeyed_below(start, wanted, end) {
            return obeyed;
        }
        let example = format!("{}{end}", wanted.replace('*', "x"));
        let Some(bases) = self.bases(&[]) else {
            return Target::Ask(format!("in which directory it {does} is not known"));
        };
        let places = bases.iter().map(|base| base.join(start).join(&example)).collect();
        self.each(places, &example, &[])
    }

    /// What is there now, has that name, and is read by other programs as configuration: `find` goes into every directory.
    fn obeyed_below(&self, start: &str, wanted: &str, end: &str) -> Option<Target> {
        let fits = |name: &str| match wanted.strip_prefix('*') {
            Some(rest) => name.ends_with(rest),
            None => name == wanted,
        };
        let mut left: Vec<PathBuf> = self.bases(&[])?.iter().map(|base| base.join(start)).collect();
        let mut seen = 0;
        while let Some(directory) = left.pop() {
            seen += 1;
            let Some(names) = self.world.names(&directory).filter(|_| seen <= MAX_DIRECTORIES) else {
                if self.world.facts(&directory).is_some_and(|facts| facts.is_dir()) {
                    let why = "more directories are below than are looked through, and `tools.exec.floor` is off";
                    return Some(Target::Ask(why.to_owned()));
                }
                continue;
            };
            for name in names {
                let path = directory.join(&name);
                if fits(&name)
                    && let PathVerdict::Protected(why) = self
                        .world
                        .judge_path(&directory.join(format!("{name}{end}")), FileUse::Write)
                {
                    return Some(Target::Protected(format!("it would find `{name}`: {why}")));
                }
                if self.world.facts(&path).is_some_and(|facts| facts.is_dir()) {
                    left.push(path);
                }
            }
        }
        None
    }
}
