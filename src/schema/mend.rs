//! Malformed values of keywords are put right where their meaning is plain, and taken out where it is not.

use super::report::ChangeKind;
use super::walk::Trail;
use serde_json::{Map, Value, json};

/// Puts malformed values right where their meaning is plain, and takes them out where it is not.
pub(super) fn mend(map: &mut Map<String, Value>, trail: &mut Trail) {
    let mut hopeless: Vec<String> = Vec::new();
    for (keyword, value) in map.iter_mut() {
        match mended(keyword, value) {
            Verdict::Fine => {}
            Verdict::Mended(before) => {
                trail.note(ChangeKind::Mended, keyword, format!("was `{before}`"));
            }
            Verdict::Hopeless => {
                let detail = format!("left out: `{}` means nothing here", brief(value));
                trail.note(ChangeKind::Mended, keyword, detail);
                hopeless.push(keyword.clone());
            }
        }
    }
    for keyword in hopeless {
        map.shift_remove(&keyword);
    }
    if map.get("nullable") == Some(&Value::Bool(false)) {
        map.shift_remove("nullable");
    }
    for keyword in ["description", "title"] {
        let blank = |text: &str| text.trim().is_empty();
        if map.get(keyword).and_then(Value::as_str).is_some_and(blank) {
            map.shift_remove(keyword);
            trail.note(ChangeKind::Dropped, keyword, "says nothing");
        }
    }
}

enum Verdict {
    Fine,
    /// With what it was before, as short text.
    Mended(String),
    Hopeless,
}

impl Verdict {
    fn fine_if(fine: bool) -> Self {
        if fine { Self::Fine } else { Self::Hopeless }
    }
}

fn mended(keyword: &str, value: &mut Value) -> Verdict {
    match keyword {
        "type" => mended_type(value),
        "enum" => Verdict::fine_if(value.as_array().is_some_and(|list| !list.is_empty())),
        "required" => mended_names(value),
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
            Verdict::fine_if(value.is_object())
        }
        "dependentRequired" => match value {
            Value::Object(all) => {
                let before = all.len();
                all.retain(|_, names| names.is_array());
                for names in all.values_mut() {
                    mended_names(names);
                }
                if before == all.len() {
                    Verdict::Fine
                } else {
                    Verdict::Mended("{..}".to_owned())
                }
            }
            _ => Verdict::Hopeless,
        },
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => match value {
            Value::Array(list) => {
                let before = list.len();
                if keyword != "prefixItems" {
                    list.retain(|schema| schema.is_object() || schema.is_boolean());
                }
                if list.is_empty() {
                    Verdict::Hopeless
                } else if list.len() < before {
                    Verdict::Mended("[..]".to_owned())
                } else {
                    Verdict::Fine
                }
            }
            _ => Verdict::Hopeless,
        },
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Verdict::fine_if(value.is_number()),
        "multipleOf" => Verdict::fine_if(value.as_f64().is_some_and(|step| step > 0.0)),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => mended_count(value),
        "title" | "description" | "$comment" | "pattern" | "format" | "$id" | "$anchor" | "contentEncoding"
        | "contentMediaType" => Verdict::fine_if(value.is_string()),
        "$ref" => Verdict::fine_if(value.as_str().is_some_and(|text| !text.is_empty())),
        "uniqueItems" | "nullable" | "deprecated" | "readOnly" | "writeOnly" => Verdict::fine_if(value.is_boolean()),
        "examples" => Verdict::fine_if(value.is_array()),
        _ => Verdict::Fine,
    }
}

const TYPES: &[&str] = &["null", "boolean", "object", "array", "number", "string", "integer"];

fn mended_type(value: &mut Value) -> Verdict {
    let known = |text: &str| {
        let lower = text.to_ascii_lowercase();
        TYPES.iter().find(|name| **name == lower).copied()
    };
    match value {
        Value::String(text) => match known(text) {
            Some(name) if name == text => Verdict::Fine,
            Some(name) => {
                let before = brief(value);
                *value = json!(name);
                Verdict::Mended(before)
            }
            None => Verdict::Hopeless,
        },
        Value::Array(list) => {
            let mut names: Vec<&str> = Vec::new();
            let mut odd = false;
            for item in list.iter() {
                match item.as_str().and_then(known) {
                    Some(name) if names.contains(&name) => odd = true,
                    Some(name) => {
                        odd |= item.as_str() != Some(name);
                        names.push(name);
                    }
                    None => odd = true,
                }
            }
            if names.is_empty() {
                return Verdict::Hopeless;
            }
            if odd {
                *value = json!(names);
                Verdict::Mended("[..]".to_owned())
            } else {
                Verdict::Fine
            }
        }
        _ => Verdict::Hopeless,
    }
}

fn mended_names(value: &mut Value) -> Verdict {
    let Value::Array(list) = value else {
        return Verdict::Hopeless;
    };
    let before = list.len();
    let mut seen = std::collections::HashSet::new();
    list.retain(|name| name.as_str().is_some_and(|name| seen.insert(name.to_owned())));
    if list.len() == before {
        Verdict::Fine
    } else {
        Verdict::Mended("[..]".to_owned())
    }
}

fn mended_count(value: &mut Value) -> Verdict {
    if value.as_u64().is_some() {
        return Verdict::Fine;
    }
    let whole = value
        .as_str()
        .and_then(|text| text.trim().parse::<u64>().ok())
        .or_else(|| {
            value
                .as_f64()
                .and_then(|number| serde_json::from_str(&format!("{number:.0}")).ok())
                .filter(|whole: &u64| value.as_f64() == format!("{whole}").parse().ok())
        });
    match whole {
        Some(whole) => {
            let before = brief(value);
            *value = json!(whole);
            Verdict::Mended(before)
        }
        None => Verdict::Hopeless,
    }
}

/// A value as short text.
pub(super) fn brief(value: &Value) -> String {
    let text = match value {
        Value::Array(_) => "[..]".to_owned(),
        Value::Object(_) => "{..}".to_owned(),
        scalar => scalar.to_string(),
    };
    super::hint::cut(&text, 40)
}
