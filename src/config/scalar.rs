//! What a raw scalar means where a number, a boolean or any JSON value is expected.
//!
//! Only JSON's own spellings count: `yes`, `0x10`, `012`, `1_000` and `.inf` are never numbers or booleans here.

use super::node::{Kind, Node, Style, is_json_number};
use serde_json::{Map, Number, Value};

/// A whole number written without quotes, sign, fraction or leading zero.
pub(crate) fn whole(node: &Node) -> Option<u64> {
    match &node.kind {
        Kind::Scalar {
            text,
            style: Style::Plain,
        } if is_json_number(text) => text.parse().ok(),
        Kind::Null | Kind::Scalar { .. } | Kind::List(_) | Kind::Map(_) => None,
    }
}

/// `true` or `false` without quotes.
pub(crate) fn boolean(node: &Node) -> Option<bool> {
    match &node.kind {
        Kind::Scalar {
            text,
            style: Style::Plain,
        } => match text.as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        Kind::Null | Kind::Scalar { .. } | Kind::List(_) | Kind::Map(_) => None,
    }
}

/// The JSON value of a node whose content toolctl does not interpret (a JSON Schema). The tree's depth is bounded.
pub(crate) fn json(node: &Node) -> Value {
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Scalar { text, style } => plain_json(text, *style),
        Kind::List(items) => Value::Array(items.iter().map(json).collect()),
        Kind::Map(entries) => {
            let map: Map<_, _> = entries.iter().map(|e| (e.key.clone(), json(&e.value))).collect();
            Value::Object(map)
        }
    }
}

fn plain_json(text: &str, style: Style) -> Value {
    match (style, text) {
        (Style::Plain, "true") => Value::Bool(true),
        (Style::Plain, "false") => Value::Bool(false),
        (Style::Plain, number) if is_json_number(number) => number
            .parse::<Number>()
            .map_or_else(|_| Value::String(number.to_owned()), Value::Number),
        _ => Value::String(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_json() {
        for good in ["0", "-1", "12", "1.5", "1e3", "1.0E-2"] {
            assert!(is_json_number(good), "{good}");
        }
        for bad in [
            "", "-", "012", "1_000", "0x10", "+1", ".5", "1.", "1e", ".inf", "1e+", "1 ",
        ] {
            assert!(!is_json_number(bad), "{bad}");
        }
    }
}
