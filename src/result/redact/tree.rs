//! Redaction of JSON values: every string, and values under names that claim a secret.

use super::look::{is_filled_in, is_masked};
use super::name::{Sure, claim};
use super::{Redacted, Redaction, Redactor, STARS};
use serde_json::{Map, Value};

/// Deeper values are replaced: nothing that a tool says needs more.
const MAX_DEPTH: usize = 64;

impl Redactor {
    /// The value without secrets, and how many were hidden. Names are kept, unless a name itself holds a secret.
    pub fn value(&self, value: Value) -> (Redacted<Value>, usize) {
        let mut count = 0;
        let value = self.walk(value, None, 0, &mut count);
        (Redacted::vouch(value), count)
    }

    /// The same for an object.
    pub fn map(&self, map: Map<String, Value>) -> (Redacted<Map<String, Value>>, usize) {
        let mut count = 0;
        let map = self.walk_map(map, 0, &mut count);
        (Redacted::vouch(map), count)
    }

    fn walk(&self, value: Value, name: Option<&str>, depth: usize, count: &mut usize) -> Value {
        match value {
            Value::String(text) => Value::String(self.leaf(text, name, count)),
            Value::Array(_) | Value::Object(_) if depth >= MAX_DEPTH => {
                Value::String("[nested too deeply to be shown]".to_owned())
            }
            Value::Array(items) => Value::Array(
                items
                    .into_iter()
                    .map(|item| self.walk(item, name, depth + 1, count))
                    .collect(),
            ),
            Value::Object(map) => Value::Object(self.walk_map(map, depth + 1, count)),
            other => other,
        }
    }

    fn walk_map(&self, map: Map<String, Value>, depth: usize, count: &mut usize) -> Map<String, Value> {
        // `{"name": "API_KEY", "value": "…"}`: the name stands in a value.
        let pair = ["name", "key"]
            .iter()
            .find_map(|k| map.get(*k))
            .and_then(Value::as_str)
            .map(str::to_owned);
        let mut clean = Map::with_capacity(map.len());
        for (key, value) in map {
            let name = if key == "value" {
                pair.as_deref().unwrap_or(&key)
            } else {
                &key
            };
            let value = self.walk(value, Some(name), depth, count);
            let (hidden, found) = self.text(&key);
            if found == 0 {
                clean.insert(key, value);
            } else {
                *count += found;
                clean.insert(hidden.into_owned(), value);
            }
        }
        clean
    }

    fn leaf(&self, text: String, name: Option<&str>, count: &mut usize) -> String {
        let claimed = name
            .and_then(|n| claim(n.as_bytes()))
            .is_some_and(|c| c.sure >= Sure::Likely);
        if claimed
            && self.mode == Redaction::On
            && !text.is_empty()
            && !is_filled_in(text.as_bytes())
            && !is_masked(text.as_bytes())
        {
            *count += 1;
            return STARS.to_owned();
        }
        let (hidden, found) = self.text(&text);
        if found == 0 {
            return text;
        }
        *count += found;
        hidden.into_owned()
    }
}
