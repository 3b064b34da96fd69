//! Sets of JSON types, as schemas name them.

use serde_json::{Number, Value};

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

/// Each type: its bit, its name in a schema, its name for a reader.
const ROWS: [(Kinds, &str, &str); 7] = [
    (Kinds::NULL, "null", "null"),
    (Kinds::BOOLEAN, "boolean", "true or false"),
    (Kinds::INTEGER, "integer", "a whole number"),
    (Kinds::NUMBER, "number", "a number"),
    (Kinds::STRING, "string", "text"),
    (Kinds::ARRAY, "array", "a list"),
    (Kinds::OBJECT, "object", "an object"),
];

impl Kinds {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    /// Every number is one, also the whole ones.
    pub(super) const NUMBER: Self = Self(4 | 8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const ALL: Self = Self(127);

    /// The type with this name in a schema; an unknown name is no type.
    pub(super) fn named(name: &str) -> Self {
        ROWS.iter()
            .find(|(_, word, _)| *word == name)
            .map_or(Self::NONE, |(kinds, _, _)| *kinds)
    }

    /// The types of a `type` keyword: a name or a list of names.
    pub(super) fn of_keyword(keyword: &Value) -> Self {
        match keyword {
            Value::String(name) => Self::named(name),
            Value::Array(names) => names
                .iter()
                .filter_map(Value::as_str)
                .fold(Self::NONE, |kinds, name| kinds.or(Self::named(name))),
            _ => Self::NONE,
        }
    }

    /// The type of a value.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if is_whole(number) => Self::INTEGER,
            Value::Number(_) => Self(8),
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether all of `other` is in this set.
    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set in words.
    pub(super) fn words(self) -> String {
        let mut words = Vec::new();
        for (kinds, _, word) in ROWS {
            let shadowed = kinds == Self::INTEGER && self.has(Self::NUMBER);
            if self.has(kinds) && !shadowed {
                words.push(word);
            }
        }
        if words.is_empty() {
            "absent".to_owned()
        } else {
            words.join(" or ")
        }
    }
}

/// Whether a number has no fraction.
pub(super) fn is_whole(number: &Number) -> bool {
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}
