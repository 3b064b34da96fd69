//! Tools whose every call a person decides (`tools.ask`).

use super::matcher::{Entry, PatternSet, PluginGroups, entries};
use super::step::hit;
use crate::catalog::Universe;
use crate::config::Effective;

/// The entry of `tools.ask` because of which calls of a tool, by its normalised name, ask a person. The lists of all layers
/// and of the agent add up.
pub fn asked(effective: &Effective<'_>, universe: &Universe, tool: &str) -> Option<Entry> {
    if effective.ask.is_empty() {
        return None;
    }
    let plugins = PluginGroups::of(&universe.claims);
    let mut lists = effective.ask.iter();
    lists.find_map(|list| hit(&PatternSet::new(entries(list), &plugins), tool).cloned())
}
