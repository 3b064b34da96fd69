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

/// A text that is equal for values that JSON Schema takes as equal, and for no others. For lists that are too long to
/// compare each with each.
pub(crate) fn key(value: &Value) -> String {
    let mut out = String::new();
    write_key(value, &mut out);
    out
}

fn write_key(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(whole), _, _) => out.push_str(&whole.to_string()),
            (None, Some(whole), _) => out.push_str(&whole.to_string()),
            // A fraction that is a whole number is written as one, and zero has no sign.
            (None, None, Some(number)) => out.push_str(&(number + 0.0).to_string()),
            (None, None, None) => out.push_str(&number.to_string()),
        },
        Value::Array(list) => {
            out.push('[');
            for item in list {
                write_key(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut members: Vec<(&String, &Value)> = map.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (name, item) in members {
                out.push_str(&Value::String(name.clone()).to_string());
                out.push(':');
                write_key(item, out);
                out.push(',');
            }
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
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

/// Whether a node names a type, alone or among others.
pub(crate) fn names_type(node: &Node, name: &str) -> bool {
    match node.get("type") {
        Some(Value::String(own)) => own == name,
        Some(Value::Array(list)) => list.iter().any(|own| own == name),
        _ => false,
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_equal_where_values_are() {
        for (a, b) in [
            (json!(1), json!(1.0)),
            (json!(-0.0), json!(0)),
            (json!({"a": 1, "b": [2.0]}), json!({"b": [2], "a": 1})),
        ] {
            assert!(same(&a, &b) && key(&a) == key(&b), "{a} {b}: {} {}", key(&a), key(&b));
        }
        for (a, b) in [
            (json!(1), json!("1")),
            (json!(null), json!("null")),
            (json!([1, 2]), json!([12])),
            (json!(1.5), json!(1)),
        ] {
            assert!(!same(&a, &b) && key(&a) != key(&b), "{a} {b}");
        }
    }
}
