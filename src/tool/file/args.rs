//! Canonical arguments of the file tools (aliases were folded before), read with the messages a model can act on.

use crate::tool::ToolError;
use serde_json::{Map, Value};

/// The arguments of one call.
pub(super) type Args = Map<String, Value>;

/// A required text; blank is as good as missing.
pub(super) fn filled<'a>(tool: &str, args: &'a Args, key: &str) -> Result<&'a str, ToolError> {
    match args.get(key).and_then(Value::as_str) {
        Some(text) if !crate::model::trim(text).is_empty() => Ok(text),
        _ => Err(missing(tool, args, &[key])),
    }
}

/// The message about missing arguments, which shows what did arrive.
pub(super) fn missing(tool: &str, args: &Args, labels: &[&str]) -> ToolError {
    let plural = if labels.len() == 1 { "" } else { "s" };
    let hints: Vec<String> = args.iter().filter_map(|(key, value)| hint(key, value)).collect();
    let received = if hints.is_empty() {
        String::new()
    } else {
        format!(" (received: {})", hints.join(", "))
    };
    ToolError::params(format!(
        "{tool}: missing required parameter{plural}: {}{received}; repeat the call with the right parameters",
        labels.join(", ")
    ))
}

fn hint(key: &str, value: &Value) -> Option<String> {
    let key = crate::path::visible(key, 64);
    match value {
        Value::Null => None,
        Value::String(text) if crate::model::trim(text).is_empty() => Some(format!("{key}=<empty-string>")),
        Value::String(_) => Some(key),
        Value::Array(_) => Some(format!("{key}=<array>")),
        Value::Object(_) => Some(format!("{key}=<object>")),
        Value::Number(_) => Some(format!("{key}=<number>")),
        Value::Bool(_) => Some(format!("{key}=<boolean>")),
    }
}

/// A number argument, rounded down; `None` when absent or null.
pub(super) fn whole(args: &Args, key: &str) -> Result<Option<i64>, ToolError> {
    match args.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => Ok(Some(floor(number))),
        Some(_) => Err(ToolError::params(format!("`{key}` must be a number"))),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast from float saturates, which is what a line number needs"
)]
fn floor(number: &serde_json::Number) -> i64 {
    number
        .as_i64()
        .unwrap_or_else(|| number.as_f64().unwrap_or(0.0).floor() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn missing_arguments_show_what_arrived() {
        let args = json!({"path": " ", "content": null, "n": 1, "x": "y"});
        let error = filled("read", args.as_object().unwrap(), "path").unwrap_err();
        assert_eq!(
            error.message,
            "read: missing required parameter: path (received: path=<empty-string>, n=<number>, x); repeat the call with the right parameters"
        );
    }

    #[test]
    fn numbers_are_floored() {
        let args = json!({"a": 2.7, "b": -0.5, "c": 1e300, "d": "1", "e": null});
        let args = args.as_object().unwrap();
        assert_eq!(whole(args, "a").unwrap(), Some(2));
        assert_eq!(whole(args, "b").unwrap(), Some(-1));
        assert_eq!(whole(args, "c").unwrap(), Some(i64::MAX));
        assert_eq!(whole(args, "e").unwrap(), None);
        assert!(whole(args, "d").is_err());
    }
}
