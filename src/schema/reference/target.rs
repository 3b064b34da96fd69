//! Where references lead: pointers, anchors and identifiers of one document, and what refers to what.

use crate::schema::report::push_segment;
use crate::schema::value::Node;
use crate::schema::walk::{Holds, holds};
use serde_json::Value;
use std::collections::HashMap;

/// Where anchors and identifiers point to.
pub(super) struct Places {
    names: HashMap<String, String>,
    /// Whether there is any reference.
    pub(super) any: bool,
    /// What the schema costs as it stands.
    pub(super) weight: usize,
}

impl Places {
    pub(super) fn of(whole: &Value) -> Self {
        let mut places = Self {
            names: HashMap::new(),
            any: false,
            weight: 0,
        };
        places.gather(whole, &mut String::new());
        places
    }

    fn gather(&mut self, schema: &Value, pointer: &mut String) {
        let Some(node) = schema.as_object() else {
            return;
        };
        self.any |= node.contains_key("$ref");
        self.weight += weight(node);
        for (keyword, prefix) in [("$anchor", "#"), ("$dynamicAnchor", "#"), ("$id", "")] {
            if let Some(name) = node.get(keyword).and_then(Value::as_str) {
                self.names
                    .entry(format!("{prefix}{}", name.trim_end_matches('#')))
                    .or_insert_with(|| pointer.clone());
            }
        }
        for (keyword, value) in node {
            let mark = pointer.len();
            push_segment(pointer, keyword);
            let below = pointer.len();
            match (holds(keyword), value) {
                (Holds::Schema, value) => self.gather(value, pointer),
                (Holds::List, Value::Array(list)) => {
                    for (index, value) in list.iter().enumerate() {
                        push_segment(pointer, &index.to_string());
                        self.gather(value, pointer);
                        pointer.truncate(below);
                    }
                }
                (Holds::Map, Value::Object(members)) => {
                    for (name, value) in members {
                        push_segment(pointer, name);
                        self.gather(value, pointer);
                        pointer.truncate(below);
                    }
                }
                _ => {}
            }
            pointer.truncate(mark);
        }
    }

    /// The JSON pointer that a reference leads to.
    pub(super) fn pointer(&self, reference: &str) -> Option<String> {
        let (base, fragment) = match reference.split_once('#') {
            Some((base, fragment)) => (base, fragment),
            None => (reference, ""),
        };
        let start = if base.is_empty() {
            ""
        } else {
            self.names.get(base)?.as_str()
        };
        let fragment = percent_decoded(fragment)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            return Some(format!("{start}{fragment}"));
        }
        self.names.get(&format!("#{fragment}")).cloned()
    }
}

fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// What stands at a pointer. Positions that tidying has moved are found where they are now.
pub(super) fn at_pointer<'a>(whole: &'a Value, pointer: &str) -> Option<&'a Value> {
    if let Some(found) = whole.pointer(pointer) {
        return Some(found);
    }
    let mut at = whole;
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        at = match at {
            Value::Array(list) => list.get(segment.parse::<usize>().ok()?)?,
            Value::Object(node) => match node.get(&segment) {
                Some(next) if segment != "items" || !node.contains_key("prefixItems") => next,
                found if segment == "items" => node.get("prefixItems").or(found)?,
                found if segment == "additionalItems" => found.or_else(|| node.get("items"))?,
                found => found?,
            },
            _ => return None,
        };
    }
    Some(at)
}

/// How far references are gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Only where they judge the same value.
    InPlace,
    /// Everywhere below.
    Anywhere,
}

/// Steps that looking for recursion may take in one schema.
pub(super) const MOST_EFFORT: usize = 3_000_000;

pub(super) fn gather_references<'a>(schema: &'a Value, reach: Reach, out: &mut Vec<&'a str>, effort: &mut usize) {
    *effort += 1;
    let Some(node) = schema.as_object() else {
        return;
    };
    if let Some(reference) = node.get("$ref").and_then(Value::as_str) {
        out.push(reference);
    }
    for (keyword, value) in node {
        let in_place = matches!(
            keyword.as_str(),
            "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas"
        );
        // Definitions count only when something refers to them.
        if keyword == "$defs" || keyword == "definitions" || (reach == Reach::InPlace && !in_place) {
            continue;
        }
        match (holds(keyword), value) {
            (Holds::Schema, value) => gather_references(value, reach, out, effort),
            (Holds::List, Value::Array(list)) => {
                for value in list {
                    gather_references(value, reach, out, effort);
                }
            }
            (Holds::Map, Value::Object(members)) => {
                for value in members.values() {
                    gather_references(value, reach, out, effort);
                }
            }
            _ => {}
        }
    }
}

/// What a node costs to write out once more.
pub(super) fn weight(node: &Node) -> usize {
    1 + node
        .values()
        .map(|value| match value {
            Value::Array(list) => list.len() / 4,
            Value::String(text) => text.len() / 256,
            _ => 0,
        })
        .sum::<usize>()
}
