//! Where references lead, and what refers to what.

use crate::schema::value::Node;
use crate::schema::walk::each_below;
use serde_json::Value;

/// What a schema holds before its references are followed.
pub(super) struct Extent {
    /// Whether there is any reference.
    pub(super) any: bool,
    /// What the schema costs as it stands.
    pub(super) weight: usize,
}

impl Extent {
    pub(super) fn of(whole: &Value) -> Self {
        let mut extent = Self { any: false, weight: 0 };
        extent.gather(whole);
        extent
    }

    fn gather(&mut self, schema: &Value) {
        let Some(node) = schema.as_object() else {
            return;
        };
        self.any |= node.contains_key("$ref");
        self.weight += weight(node);
        each_below(node, &mut |_, value| self.gather(value));
    }
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
    each_below(node, &mut |step, value| {
        let in_place = matches!(
            step.keyword(),
            "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas"
        );
        // Definitions count only when something refers to them.
        let defines = matches!(step.keyword(), "$defs" | "definitions");
        if !defines && (in_place || reach == Reach::Anywhere) {
            gather_references(value, reach, out, effort);
        }
    });
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
