//! The paths that an argument may become which is put together from texts and patterns of names.

use super::simulation::Simulation;
use crate::shell::{Arg, Piece, Shape, Unknown};
use std::path::PathBuf;

/// Most files that a pattern may stand for.
const MAX_NAMES: usize = 8192;

impl Simulation<'_> {
    /// The paths that an argument may become, where it is put together from texts and patterns of names.
    pub(super) fn possible(&self, arg: &Arg, bases: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let Shape::Dynamic { pieces, .. } = &arg.shape else {
            return None;
        };
        if let [Piece::Unknown(Unknown::OneOf(texts))] = pieces.as_slice() {
            return Some(
                bases
                    .iter()
                    .flat_map(|base| texts.iter().map(|text| base.join(text)))
                    .collect(),
            );
        }
        // With it a pattern may stand for any number of directories.
        if self.names.deep {
            return None;
        }
        let mut components: Vec<Vec<String>> = vec![vec![String::new()]];
        for piece in pieces {
            match piece {
                Piece::Fixed(text) => {
                    let mut parts = text.split('/');
                    let first = parts.next().unwrap_or("");
                    components.last_mut()?.last_mut()?.push_str(first);
                    components.extend(parts.map(|part| vec![part.to_owned()]));
                }
                Piece::Unknown(Unknown::Glob | Unknown::Number) => components.last_mut()?.push(String::new()),
                Piece::Unknown(_) => return None,
            }
        }
        let absolute = components.len() > 1
            && components
                .first()
                .is_some_and(|first| first.concat().is_empty() && first.len() == 1);
        let root = [PathBuf::from("/")];
        let mut places: Vec<PathBuf> = if absolute { root.to_vec() } else { bases.to_vec() };
        let last = components.len() - 1;
        for (at, parts) in components.iter().enumerate() {
            places = self.step(&places, parts, at == last)?;
        }
        Some(places)
    }

    /// The paths below directories that a name leads to, or a pattern: the texts of it, with anything between each two.
    fn step(&self, places: &[PathBuf], parts: &[String], last: bool) -> Option<Vec<PathBuf>> {
        let [begin, .., end] = parts else {
            let name = parts.first()?;
            return Some(places.iter().map(|place| place.join(name)).collect());
        };
        let mut next = Vec::new();
        for place in places {
            let Some(names) = self.world.names(place) else {
                // Nothing is found below what is not there.
                if self.world.facts(place).is_none() {
                    continue;
                }
                return None;
            };
            // Only what says so stands for a name that begins with a dot.
            let hidden = |name: &String| begin.is_empty() && name.starts_with('.') && !self.names.dotted;
            let fits = |name: &&String| {
                !hidden(name)
                    && name.len() >= begin.len() + end.len()
                    && name.starts_with(begin.as_str())
                    && name.ends_with(end.as_str())
            };
            next.extend(names.iter().filter(fits).map(|name| place.join(name)));
            // What is not there yet has no protected name, or is made by somebody who was asked.
            next.push(place.join(format!("{begin}new{end}")));
            if next.len() > MAX_NAMES {
                return None;
            }
        }
        if !last {
            next.retain(|path| self.world.facts(path).is_none_or(|facts| facts.is_dir()));
        }
        Some(next)
    }
}
