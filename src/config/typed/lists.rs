//! Name lists and the scopes made of them.

use super::Reader;
use crate::config::node::{Kind, Node};
use crate::config::{NameList, ScopePolicy};

/// A list of names with its places.
pub(in crate::config) fn name_list(reader: &Reader<'_>, map: &Node, key: &str) -> Option<NameList> {
    let node = map.get(key)?;
    let Kind::List(items) = &node.kind else { return None };
    let entries = items
        .iter()
        .filter_map(|item| Some(reader.sourced(item, item.text()?.to_owned())));
    Some(NameList {
        entries: entries.collect(),
        origin: reader.origin(node),
    })
}

/// `profile`, `allow`, `alsoAllow`, `deny` of one mapping.
pub(in crate::config) fn scope(reader: &Reader<'_>, map: &Node) -> ScopePolicy {
    ScopePolicy {
        profile: reader.text(map, "profile"),
        allow: name_list(reader, map, "allow"),
        also_allow: name_list(reader, map, "alsoAllow"),
        deny: name_list(reader, map, "deny"),
    }
}
