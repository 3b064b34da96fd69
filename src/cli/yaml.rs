//! Writes a JSON value as block YAML.

use serde_json::Value;
use std::fmt::Write;

/// The value as a YAML document.
pub(super) fn to_yaml(value: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Object(map) if !map.is_empty() => block(value, 0, &mut text),
        Value::Array(list) if !list.is_empty() => block(value, 0, &mut text),
        _ => {
            text.push_str(&scalar(value));
            text.push('\n');
        }
    }
    text
}

fn block(value: &Value, indent: usize, text: &mut String) {
    let pad = " ".repeat(indent);
    match value {
        Value::Object(map) => {
            for (key, item) in map {
                text.push_str(&pad);
                text.push_str(&plain(key));
                text.push(':');
                child(item, indent + 2, text);
            }
        }
        Value::Array(list) => {
            for item in list {
                text.push_str(&pad);
                text.push('-');
                match item {
                    // A map in a list begins on the dash's line.
                    Value::Object(map) if !map.is_empty() => {
                        let mut inner = String::new();
                        block(item, indent + 2, &mut inner);
                        text.push(' ');
                        text.push_str(inner.trim_start_matches(' '));
                    }
                    _ => child(item, indent + 2, text),
                }
            }
        }
        _ => {}
    }
}

fn child(item: &Value, indent: usize, text: &mut String) {
    let nested = match item {
        Value::Object(map) => !map.is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => false,
    };
    if nested {
        text.push('\n');
        block(item, indent, text);
    } else {
        // Writing to a string cannot fail.
        let _ = writeln!(text, " {}", scalar(item));
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => plain(text),
        // JSON is YAML.
        other => other.to_string(),
    }
}

/// Text without quotes where that cannot be misread, else as a JSON string, which is YAML too.
fn plain(text: &str) -> String {
    let safe = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || " _-./".contains(c))
        && !text.ends_with(' ')
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&text.to_ascii_lowercase().as_str());
    if safe {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_could_be_misread_is_quoted() {
        let value = json!({"a": "off", "b": ["x: y", {"c": 1, "d": []}], "e": {}, "012": "012", "f": null});
        assert_eq!(
            to_yaml(&value),
            "a: \"off\"\nb:\n  - \"x: y\"\n  - c: 1\n    d: []\ne: {}\n\"012\": \"012\"\nf: null\n"
        );
    }
}
