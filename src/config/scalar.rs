//! What a raw scalar means where a number, a boolean or any JSON value is expected.
//!
//! Only JSON's own spellings count: `yes`, `0x10`, `012`, `1_000` and `.inf` are never numbers or booleans here.

use super::node::{Kind, Node, Style};
use serde_json::{Map, Number, Value};

/// Whether the text is a number by JSON's grammar.
pub(crate) fn is_json_number(text: &str) -> bool {
    let digits = |b: &[u8]| b.iter().take_while(|c| c.is_ascii_digit()).count();
    let bytes = text.as_bytes();
    let bytes = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let whole = digits(bytes);
    if whole == 0 || (whole > 1 && bytes.first() == Some(&b'0')) {
        return false;
    }
    let mut rest = bytes.get(whole..).unwrap_or_default();
    if let Some(fraction) = rest.strip_prefix(b".") {
        let n = digits(fraction);
        if n == 0 {
            return false;
        }
        rest = fraction.get(n..).unwrap_or_default();
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let exponent = exponent
            .strip_prefix(b"+")
            .or_else(|| exponent.strip_prefix(b"-"))
            .unwrap_or(exponent);
        let n = digits(exponent);
        return n > 0 && n == exponent.len();
    }
    rest.is_empty()
}

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
