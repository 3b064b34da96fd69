//! Whether a lowered schema keeps within the sizes that a dialect allows.

use super::dialect::{Dialect, Sizes};
use super::report::Refusal;
use super::value::Node;
use super::walk::{Holds, holds};
use serde_json::Value;

#[derive(Default)]
struct Count {
    levels: usize,
    properties: usize,
    characters: usize,
    enum_values: usize,
    longest_enum: usize,
}

/// Refuses a schema that is larger than the dialect allows.
pub(crate) fn check(node: &Node, dialect: &Dialect) -> Result<(), Refusal> {
    let sizes: &Sizes = &dialect.sizes;
    if sizes.levels == usize::MAX {
        return Ok(());
    }
    let mut count = Count::default();
    measure(node, 1, &mut count);
    for (what, have, most) in [
        ("levels", count.levels, sizes.levels),
        ("properties", count.properties, sizes.properties),
        ("characters of names and values", count.characters, sizes.characters),
        ("listed values", count.enum_values, sizes.enum_values),
        (
            "characters in one list of values",
            count.longest_enum,
            sizes.enum_characters,
        ),
    ] {
        if have > most {
            return Err(Refusal {
                pointer: String::new(),
                message: format!("{have} {what}; at most {most} are allowed"),
            });
        }
    }
    Ok(())
}

fn measure(node: &Node, level: usize, count: &mut Count) {
    count.levels = count.levels.max(level);
    for (keyword, value) in node {
        match (holds(keyword), value) {
            (Holds::Map, Value::Object(members)) => {
                if keyword == "properties" {
                    count.properties += members.len();
                }
                for (name, schema) in members {
                    count.characters += name.chars().count();
                    if let Value::Object(schema) = schema {
                        measure(schema, level + 1, count);
                    }
                }
            }
            (Holds::List, Value::Array(list)) => {
                for schema in list.iter().filter_map(Value::as_object) {
                    measure(schema, level, count);
                }
            }
            (Holds::Schema, Value::Object(schema)) => measure(schema, level + 1, count),
            _ if keyword == "enum" || keyword == "const" => {
                let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
                let characters: usize = values
                    .iter()
                    .map(|value| match value {
                        Value::String(text) => text.chars().count(),
                        other => other.to_string().len(),
                    })
                    .sum();
                count.characters += characters;
                count.enum_values += values.len();
                if values.len() > 250 {
                    count.longest_enum = count.longest_enum.max(characters);
                }
            }
            _ => {}
        }
    }
}
