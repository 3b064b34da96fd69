//! Small facts about schema values that several passes need.

use super::walk::is_annotation;
use serde_json::{Map, Value};

/// A schema node.
pub(crate) type Node = Map<String, Value>;

/// Whether two JSON values are equal as JSON Schema sees it: 1 and 1.0 are.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, x)| y.get(key).is_some_and(|y| same(x, y)))
        }
        (a, b) => a == b,
    }
}

/// The type names of a node, in order; `None` when it names none.
pub(crate) fn types(node: &Node) -> Option<Vec<String>> {
    match node.get("type")? {
        Value::String(name) => Some(vec![name.clone()]),
        Value::Array(list) => Some(
            list.iter()
                .filter_map(|name| name.as_str().map(str::to_owned))
                .collect(),
        ),
        _ => None,
    }
}

/// The one type of a node.
pub(crate) fn single_type(node: &Node) -> Option<&str> {
    match node.get("type")? {
        Value::String(name) => Some(name),
        Value::Array(list) => match list.as_slice() {
            [Value::String(name)] => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// The type that a JSON value has; whole numbers are integers.
pub(crate) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() && number.as_f64().is_some_and(|n| n.fract() != 0.0) => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether a value has a type.
pub(crate) fn has_type(value: &Value, name: &str) -> bool {
    let own = type_of(value);
    own == name || (name == "number" && own == "integer")
}

/// Whether a schema lets every value pass.
pub(crate) fn passes_all(schema: &Value) -> bool {
    match schema {
        Value::Bool(passes) => *passes,
        Value::Object(node) => node.keys().all(|keyword| is_annotation(keyword)),
        _ => true,
    }
}

/// Whether a schema lets null alone pass.
pub(crate) fn only_null(schema: &Value) -> bool {
    let Some(node) = schema.as_object() else {
        return false;
    };
    single_type(node) == Some("null")
        || node.get("const").is_some_and(Value::is_null)
        || node
            .get("enum")
            .and_then(Value::as_array)
            .is_some_and(|values| values.iter().all(Value::is_null))
}

/// The names that a node requires.
pub(crate) fn required(node: &Node) -> impl Iterator<Item = &str> {
    node.get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// The declared properties of a node.
pub(crate) fn properties(node: &Node) -> Option<&Node> {
    node.get("properties").and_then(Value::as_object)
}

/// Puts a member in front of all others.
pub(crate) fn put_first(node: &mut Node, keyword: &str, value: Value) {
    node.shift_remove(keyword);
    node.shift_insert(0, keyword.to_owned(), value);
}

/// Splits a node into what judges values and what only says something about it.
pub(crate) fn split_annotations(node: Node) -> (Node, Node) {
    let mut judging = Node::new();
    let mut saying = Node::new();
    for (keyword, value) in node {
        if is_annotation(&keyword) {
            saying.insert(keyword, value);
        } else {
            judging.insert(keyword, value);
        }
    }
    (judging, saying)
}
