//! Other names and shapes in which the core file tools take their arguments (policy.md 6.2 with D7).

use crate::model::trim;
use serde_json::{Map, Value, json};

/// Other names: tool, alias, the tool's own name.
const ALIASES: [(&str, &str, &str); 5] = [
    ("read", "file_path", "path"),
    ("write", "file_path", "path"),
    ("edit", "file_path", "path"),
    ("edit", "old_string", "oldText"),
    ("edit", "new_string", "newText"),
];

/// Texts that may come as content blocks.
const TEXTS: [(&str, &str); 3] = [("write", "content"), ("edit", "oldText"), ("edit", "newText")];

/// How deep content blocks may nest.
const MAX_DEPTH: usize = 6;

/// Resolves other names, and takes the text out of content blocks. A null counts as absent.
pub(super) fn resolve(tool: &str, args: &mut Map<String, Value>) {
    for (_, alias, own) in ALIASES.iter().filter(|row| row.0 == tool) {
        let absent = args.get(*own).is_none_or(Value::is_null);
        if absent && args.get(*alias).is_some_and(|value| !value.is_null()) {
            args.shift_remove(*own);
            if let Some(value) = args.shift_remove(*alias) {
                args.insert((*own).to_owned(), value);
            }
        }
    }
    for (_, key) in TEXTS.iter().filter(|row| row.0 == tool) {
        if let Some(value) = args.get_mut(*key)
            && !value.is_string()
            && let Some(text) = extract(value, 0)
        {
            *value = Value::String(text);
        }
    }
}

/// The text of content blocks, if there is any.
fn extract(value: &Value, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    let map = match value {
        Value::String(text) => return Some(text.clone()),
        Value::Array(parts) => {
            let texts: Vec<String> = parts.iter().filter_map(|part| extract(part, depth + 1)).collect();
            return (!texts.is_empty()).then(|| texts.concat());
        }
        Value::Object(map) => map,
        Value::Null | Value::Bool(_) | Value::Number(_) => return None,
    };
    for key in ["text", "content"] {
        if let Some(Value::String(text)) = map.get(key) {
            return Some(text.clone());
        }
    }
    for key in ["content", "parts"] {
        if let Some(parts @ Value::Array(_)) = map.get(key) {
            return extract(parts, depth + 1);
        }
    }
    let word = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
    let is_text = word("type").to_lowercase().contains("text") || word("kind") == "text";
    (is_text && !word("value").is_empty()).then(|| word("value").to_owned())
}

/// Brings a single `oldText`/`newText` pair of `edit` into its list of edits.
///
/// Blank texts beside a list are left-overs of a filled-in form and are dropped. What is incomplete stays as it is, to
/// be told as a fault.
pub(super) fn fold_edit(tool: &str, args: &mut Map<String, Value>) {
    if tool != "edit" {
        return;
    }
    let listed = match args.get("edits") {
        None => 0,
        Some(Value::Array(edits)) => edits.len(),
        Some(_) => return,
    };
    let (old, new) = (args.get("oldText"), args.get("newText"));
    let is_blank = |value: Option<&Value>| value.is_none_or(|value| value.as_str().is_some_and(|t| trim(t).is_empty()));
    if listed > 0 && is_blank(old) && is_blank(new) {
        args.shift_remove("oldText");
        args.shift_remove("newText");
    } else if let (Some(Value::String(old)), Some(Value::String(new))) = (old, new)
        && !trim(old).is_empty()
    {
        let edit = json!({"oldText": old, "newText": new});
        args.shift_remove("oldText");
        args.shift_remove("newText");
        if let Some(edits) = args
            .entry("edits")
            .or_insert_with(|| Value::Array(Vec::new()))
            .as_array_mut()
        {
            edits.push(edit);
        }
    }
}
