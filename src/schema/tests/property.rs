//! The law of the room, judged by a JSON Schema library: what was valid stays valid; twice is once; nothing panics.

use super::{distinct_dialects, merged, of, strict_dialects};
use crate::schema::Dialect;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A dialect's words read as JSON Schema: `nullable` is a union with null.
fn lifted(schema: &Value) -> Value {
    match schema {
        Value::Array(list) => Value::Array(list.iter().map(lifted).collect()),
        Value::Object(map) => {
            let mut out = Map::new();
            for (key, value) in map {
                if key == "nullable" {
                    continue;
                }
                let data = matches!(key.as_str(), "enum" | "const" | "default" | "required" | "examples");
                out.insert(key.clone(), if data { value.clone() } else { lifted(value) });
            }
            if map.get("nullable") == Some(&json!(true)) {
                return json!({"anyOf": [out, {"type": "null"}]});
            }
            Value::Object(out)
        }
        other => other.clone(),
    }
}

/// Whether two parts bear the same address: such a document means nothing.
fn is_ambiguous(schema: &Value) -> bool {
    schema.to_string().matches(r#""$id":"part""#).count() > 1
}

#[track_caller]
fn sound(schema: &Value, instance: &Value, dialect: &Dialect) -> Result<(), TestCaseError> {
    if is_ambiguous(schema) {
        return Ok(());
    }
    let Ok(original) = jsonschema::validator_for(&lifted(schema)) else {
        return Ok(());
    };
    // Variants that are silent about further properties are taken to have none, and `nullable` for what it says.
    let Ok(closed) = jsonschema::validator_for(&closed_variants(closed(&lifted(schema), is_old(schema)))) else {
        return Ok(());
    };
    if !original.is_valid(instance) || !closed.is_valid(instance) {
        return Ok(());
    }
    let Ok(normalised) = of(schema, dialect) else {
        return Ok(());
    };
    let judged = jsonschema::validator_for(&lifted(&normalised.schema));
    prop_assert!(judged.is_ok(), "{}: {} is no schema", dialect.name, normalised.schema);
    prop_assert!(
        judged.unwrap().is_valid(instance),
        "{}: {} is valid under {} but not under {}",
        dialect.name,
        instance,
        schema,
        normalised.schema
    );
    Ok(())
}

/// The law of strict modes: what is valid under the original with its silent objects closed stays valid, once null
/// stands for what was left out.
fn sound_if_closed(schema: &Value, instance: &Value, dialect: &Dialect) -> Result<(), TestCaseError> {
    if is_ambiguous(schema) {
        return Ok(());
    }
    let (Ok(original), Ok(closed)) = (
        jsonschema::validator_for(schema),
        jsonschema::validator_for(&closed_variants(closed(schema, is_old(schema)))),
    ) else {
        return Ok(());
    };
    if !original.is_valid(instance) || !closed.is_valid(instance) {
        return Ok(());
    }
    let Ok(normalised) = of(schema, dialect) else {
        return Ok(());
    };
    // A tool that declares nothing takes nothing.
    if normalised.schema["properties"] == json!({}) {
        return Ok(());
    }
    let judged = jsonschema::validator_for(&normalised.schema);
    prop_assert!(judged.is_ok(), "{}: {} is no schema", dialect.name, normalised.schema);
    let judged = judged.unwrap();
    let filled = filled(instance, &normalised.schema, &normalised.schema, 0);
    prop_assert!(
        judged.is_valid(instance) || judged.is_valid(&filled),
        "{}: {} is valid under {} but not under {}",
        dialect.name,
        instance,
        schema,
        normalised.schema
    );
    Ok(())
}

/// Whether a schema was written for a draft up to 7.
fn is_old(schema: &Value) -> bool {
    schema["$schema"].as_str().is_some_and(|uri| uri.contains("draft-0"))
}

/// A schema whose objects that declare properties and are silent about others are closed.
fn closed(schema: &Value, old: bool) -> Value {
    let Value::Object(map) = schema else {
        return match schema {
            Value::Array(list) => Value::Array(list.iter().map(|one| closed(one, old)).collect()),
            other => other.clone(),
        };
    };
    let mut out: Map<String, Value> = Map::new();
    for (key, value) in map {
        let data = matches!(key.as_str(), "enum" | "const" | "default" | "required" | "examples");
        out.insert(key.clone(), if data { value.clone() } else { closed(value, old) });
    }
    let declares = map
        .get("properties")
        .and_then(Value::as_object)
        .is_some_and(|all| !all.is_empty());
    // Older drafts do not know the last one.
    let says = ["additionalProperties", "patternProperties", "unevaluatedProperties"];
    let mut says = says.iter().take(if old { 2 } else { 3 });
    if declares && !says.any(|keyword| map.contains_key(*keyword)) {
        out.insert("additionalProperties".to_owned(), json!(false));
    }
    Value::Object(out)
}

/// A schema whose variants without any word on properties take none.
fn closed_variants(schema: Value) -> Value {
    match schema {
        Value::Object(map) => {
            let each = map.into_iter().map(|(key, value)| {
                let union = matches!(key.as_str(), "anyOf" | "oneOf");
                let value = match closed_variants(value) {
                    Value::Array(variants) if union => variants.into_iter().map(silent_variant).collect(),
                    other => other,
                };
                (key, value)
            });
            Value::Object(each.collect())
        }
        Value::Array(list) => list.into_iter().map(closed_variants).collect(),
        other => other,
    }
}

fn silent_variant(variant: Value) -> Value {
    match variant {
        Value::Object(mut map) if !speaks(&map) => {
            map.insert("additionalProperties".to_owned(), json!(false));
            Value::Object(map)
        }
        Value::Bool(true) => json!({"additionalProperties": false}),
        other => other,
    }
}

/// Whether a schema or a part of it says what properties there are. Declared properties have closed it already; an empty
/// list of them says nothing.
fn speaks(map: &Map<String, Value>) -> bool {
    let words = [
        "additionalProperties",
        "patternProperties",
        "unevaluatedProperties",
        "$ref",
    ];
    let parts = ["allOf", "anyOf", "oneOf"]
        .iter()
        .filter_map(|keyword| map.get(*keyword)?.as_array());
    words.iter().any(|keyword| map.contains_key(*keyword)) || parts.flatten().filter_map(Value::as_object).any(speaks)
}

/// An instance with null for each property that a schema requires and the instance leaves out.
fn filled(instance: &Value, schema: &Value, root: &Value, depth: usize) -> Value {
    let mut schema = schema;
    while let Some(to) = schema.get("$ref").and_then(Value::as_str) {
        match root.pointer(to.trim_start_matches('#')) {
            Some(target) => schema = target,
            None => return instance.clone(),
        }
    }
    if depth > 20 {
        return instance.clone();
    }
    if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
        let with = |branch: &Value| match root {
            Value::Object(root) if branch.is_object() => {
                let mut branch = branch.clone();
                if let (Some(all), Value::Object(branch)) = (root.get("$defs"), &mut branch) {
                    branch.insert("$defs".to_owned(), all.clone());
                }
                branch
            }
            _ => branch.clone(),
        };
        let fits = |branch: &Value, instance: &Value| {
            jsonschema::validator_for(&with(branch)).is_ok_and(|judge| judge.is_valid(instance))
        };
        let each = branches
            .iter()
            .map(|branch| (branch, filled(instance, branch, root, depth + 1)));
        for (branch, one) in each {
            if fits(branch, &one) {
                return one;
            }
        }
        return instance.clone();
    }
    match instance {
        Value::Object(members) => {
            let none = Map::new();
            let declared = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
            let mut out = members.clone();
            for name in schema
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
            {
                out.entry(name).or_insert(Value::Null);
            }
            for (name, value) in &mut out {
                if let (Some(schema), Some(_)) = (declared.get(name), members.get(name)) {
                    *value = filled(value, schema, root, depth + 1);
                }
            }
            Value::Object(out)
        }
        Value::Array(list) => match schema.get("items") {
            Some(items) => Value::Array(list.iter().map(|item| filled(item, items, root, depth + 1)).collect()),
            None => instance.clone(),
        },
        other => other.clone(),
    }
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "x-1", "d.e"]).prop_map(str::to_owned)
}

fn scalar() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(2),
        json!(1.5),
        json!(-3),
        json!("a"),
        json!("b"),
        json!(""),
        json!("xyz"),
        json!(1.0),
        json!(-0.0),
        json!(9_007_199_254_740_993_i64),
        json!("é\u{1f600}"),
    ])
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            members(inner),
        ]
    })
}

fn members(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec((name(), inner), 0..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect()))
}

fn arguments() -> impl Strategy<Value = Value> {
    members(value())
}

fn leaf() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec![
        "string", "integer", "number", "boolean", "null", "array", "object",
    ]);
    prop_oneof![
        4 => kind.clone().prop_map(|kind| json!({ "type": kind })),
        1 => (kind.clone(), kind).prop_map(|(a, b)| if a == b { json!({"type": a}) } else { json!({"type": [a, b]}) }),
        1 => Just(json!({})),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => scalar().prop_map(|value| json!({ "const": value })),
        2 => prop::collection::vec(scalar(), 1..4).prop_map(|mut values| { let mut seen = Vec::new(); values.retain(|v| !seen.contains(v) && { seen.push(v.clone()); true }); json!({"enum": values}) }),
        2 => (-2..3i64, 0..4i64).prop_map(|(least, more)| json!({"type": "integer", "minimum": least, "exclusiveMaximum": least + more + 1})),
        1 => Just(json!({"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5})),
        1 => (0..2u64, 0..3u64).prop_map(|(least, more)| json!({"type": "string", "minLength": least, "maxLength": least + more, "pattern": "^[a-z]*$"})),
        1 => Just(json!({"type": "string", "format": "uuid", "description": "An id"})),
        1 => Just(json!({"type": "string", "nullable": true})),
        2 => prop::sample::select(REFERENCES).prop_map(|to| json!({ "$ref": to })),
        1 => prop::sample::select(PECULIAR).prop_map(|text| serde_json::from_str(text).unwrap()),
        1 => value().prop_map(|value| json!({ "const": value })),
        1 => prop::collection::vec(value(), 1..4).prop_map(|values| json!({ "enum": values })),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 32, 4, |inner| {
        let list = || prop::collection::vec(inner.clone(), 1..3);
        let extra = prop_oneof![Just(None), Just(Some(json!(false))), Just(Some(json!(true))), inner.clone().prop_map(Some)];
        prop_oneof![
            6 => object(inner.clone(), extra),
            1 => list().prop_map(|list| json!({ "anyOf": list })),
            1 => list().prop_map(|list| json!({ "oneOf": list })),
            1 => list().prop_map(|list| json!({ "allOf": list })),
            1 => inner.clone().prop_map(|not| json!({ "not": not })),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| json!({"if": a, "then": b, "else": c})),
            2 => inner.clone().prop_map(|items| json!({"type": "array", "items": items, "maxItems": 2, "uniqueItems": true})),
            1 => (list(), inner.clone()).prop_map(|(list, rest)| json!({"type": "array", "prefixItems": list, "items": rest})),
            1 => inner.clone().prop_map(|one| json!({"contains": one, "minContains": 0, "maxContains": 1})),
            1 => (inner.clone(), name()).prop_map(|(one, name)| json!({"type": "object", "patternProperties": {format!("^{name}"): one}, "additionalProperties": false})),
            1 => inner.clone().prop_map(|one| json!({"type": "object", "dependentSchemas": {"a": one}, "dependentRequired": {"b": ["a"]}, "propertyNames": {"maxLength": 2}})),
            1 => (list(), inner.clone()).prop_map(|(list, one)| json!({"anyOf": list, "properties": {"a": one}, "unevaluatedProperties": false})),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| merged(a, b)),
            1 => (list(), inner.clone()).prop_map(|(list, rest)| json!({"type": "array", "items": list, "additionalItems": rest})),
            1 => (inner.clone(), name()).prop_map(|(one, name)| json!({"dependencies": {name: one, "a": ["b"]}})),
            1 => (list(), inner.clone()).prop_map(|(list, rest)| json!({"type": "array", "allOf": [{"prefixItems": list}], "unevaluatedItems": rest})),
            1 => (list(), inner.clone()).prop_map(|(list, rest)| json!({"oneOf": list, "unevaluatedProperties": rest})),
            1 => (inner.clone(), inner.clone()).prop_map(|(names, rest)| json!({"propertyNames": names, "additionalProperties": rest, "minProperties": 1})),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"$id": "part", "$defs": {"D": a, "P": {"$anchor": "spot", "type": "string"}}, "properties": {"a": {"$ref": "#/$defs/D"}, "b": b, "c": {"$ref": "#spot"}}})),
            1 => inner.clone().prop_map(|one| json!({"not": {"not": one}})),
            1 => inner.clone().prop_map(|one| json!({"contentMediaType": "application/json", "contentSchema": one, "type": "string"})),
        ]
    })
}

/// References of every kind, most of which lead somewhere.
const REFERENCES: &[&str] = &[
    "#/$defs/D",
    "#/$defs/D",
    "#/definitions/E",
    "#/$defs/a~1b%25",
    "#/properties/a",
    "#",
    "#spot",
    "https://example.com/tool#/$defs/D",
    "/tool#/definitions/E",
    "part",
    "#/components/X",
];

/// Schemas that drafts, dialects and engines read differently.
const PECULIAR: &[&str] = &[
    r#"{"minimum": 1, "exclusiveMinimum": true}"#,
    r#"{"exclusiveMaximum": 2.5, "maximum": 2}"#,
    r##"{"$dynamicRef": "#dynamic"}"##,
    r##"{"$recursiveRef": "#"}"##,
    r#"{"type": "string", "pattern": "^(?!a)[a-z]+$"}"#,
    r#"{"type": "string", "pattern": "^\\p{L}$"}"#,
    r#"{"type": ["string", "null"], "enum": ["a", null]}"#,
    r#"{"type": ["integer", "string"], "enum": [1, "a"], "minimum": 0, "minLength": 1}"#,
    r#"{"type": "number", "enum": [1, 1.5, 1.0e0]}"#,
    r#"{"type": "integer", "const": 1.0}"#,
    r#"{"anyOf": [{"const": "a", "description": "A"}, {"const": "b", "title": "B"}]}"#,
    r#"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#,
    r#"{"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}], "default": null}"#,
    r#"{"type": "string", "enum": ["", "a"]}"#,
    r#"{"type": "string", "const": ""}"#,
    r#"{"minLength": 1, "minItems": 1, "minProperties": 1, "minimum": 1}"#,
    r#"{"required": ["a"], "maxProperties": 1}"#,
    r#"{"uniqueItems": true, "maxItems": 1}"#,
    r#"{"enum": [{"a": 1}, {"a": "a"}, [1], null]}"#,
    r#"{"type": "array", "items": {}, "contains": {"type": "integer"}}"#,
    r#"{"properties": {"a": {"const": 1}}, "required": ["a"], "additionalProperties": false}"#,
    r#"{"type": "boolean", "enum": [true]}"#,
    r#"{"type": "null", "enum": [null]}"#,
    r#"{"type": "integer", "multipleOf": 2, "enum": [1, 2, 4]}"#,
];

fn object(
    inner: impl Strategy<Value = Value>,
    extra: impl Strategy<Value = Option<Value>>,
) -> impl Strategy<Value = Value> {
    let properties = prop::collection::vec((name(), inner), 0..4);
    let required = prop::collection::hash_set(name(), 0..2);
    (properties, required, extra, any::<bool>()).prop_map(|(properties, required, extra, typed)| {
        let mut out = Map::new();
        if typed {
            out.insert("type".to_owned(), json!("object"));
        }
        out.insert("properties".to_owned(), Value::Object(properties.into_iter().collect()));
        if !required.is_empty() {
            let mut names: Vec<String> = required.into_iter().collect();
            names.sort();
            out.insert("required".to_owned(), json!(names));
        }
        if let Some(extra) = extra {
            out.insert("additionalProperties".to_owned(), extra);
        }
        Value::Object(out)
    })
}

/// A whole tool schema for one of the drafts, with definitions of which one is recursive.
fn parameters() -> impl Strategy<Value = Value> {
    let draft = prop::sample::select(vec![
        None,
        None,
        None,
        Some("https://json-schema.org/draft/2020-12/schema"),
        Some("https://json-schema.org/draft/2019-09/schema"),
        Some("http://json-schema.org/draft-07/schema#"),
        Some("http://json-schema.org/draft-04/schema#"),
    ]);
    (schema(), schema(), draft, any::<bool>()).prop_map(|(root, definition, draft, addressed)| {
        let mut root = match root {
            Value::Object(root) => root,
            _ => Map::new(),
        };
        root.insert(
            "$defs".to_owned(),
            json!({
                "D": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/D"}}},
                "a/b%": {"$anchor": "spot", "type": ["string", "object"]},
            }),
        );
        root.insert("definitions".to_owned(), json!({ "E": without_references(definition) }));
        root.insert("components".to_owned(), json!({"X": {"type": "integer", "minimum": 1}}));
        if let Some(draft) = draft {
            root.insert("$schema".to_owned(), json!(draft));
        }
        if addressed {
            root.insert("$id".to_owned(), json!("https://example.com/tool"));
            root.insert("$dynamicAnchor".to_owned(), json!("dynamic"));
        }
        Value::Object(root)
    })
}

/// Definitions that only lead to themselves are refused; the generator makes none.
fn without_references(schema: Value) -> Value {
    match schema {
        Value::Object(map) if map.contains_key("$ref") => json!({"type": "string"}),
        Value::Object(map) => Value::Object(
            map.into_iter()
                .map(|(key, value)| (key, without_references(value)))
                .collect(),
        ),
        Value::Array(list) => Value::Array(list.into_iter().map(without_references).collect()),
        other => other,
    }
}

/// What random schemas have shown to be read in two ways.
#[test]
fn what_was_found_once_stays_found() {
    let found = [
        // A variant that declares no property takes none.
        (
            json!({"oneOf": [{"properties": {}}, {"properties": {"a": {"const": null}}}]}),
            json!({"a": {}, "d.e": []}),
        ),
        // `nullable` counts in the schema that is given, too.
        (
            json!({
                "oneOf": [{"properties": {}, "additionalProperties": {"type": "string", "nullable": true}}, {"type": "object"}],
                "unevaluatedProperties": true,
            }),
            json!({"a": null}),
        ),
    ];
    for (schema, instance) in found {
        for dialect in distinct_dialects() {
            sound(&schema, &instance, &dialect).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_valid_stays_valid(schema in parameters(), instances in prop::collection::vec(arguments(), 12)) {
        for dialect in distinct_dialects() {
            for instance in &instances {
                sound(&schema, instance, &dialect)?;
            }
        }
    }

    #[test]
    fn what_was_valid_of_closed_objects_stays_valid_in_strict_modes(schema in parameters(), instances in prop::collection::vec(arguments(), 12)) {
        for dialect in strict_dialects() {
            for instance in &instances {
                sound_if_closed(&schema, instance, &dialect)?;
            }
        }
    }

    #[test]
    fn twice_is_once(schema in parameters()) {
        for dialect in distinct_dialects().into_iter().chain(strict_dialects()) {
            if let Ok(once) = of(&schema, &dialect) {
                let twice = of(&once.schema, &dialect);
                prop_assert!(twice.is_ok(), "{}: {} fails: {:?}", dialect.name, once.schema, twice);
                prop_assert_eq!(&twice.unwrap().schema, &once.schema, "{} of {}", dialect.name, schema);
            }
        }
    }

    #[test]
    fn any_json_is_answered(document in anything()) {
        for dialect in distinct_dialects().into_iter().chain(strict_dialects()) {
            let _ = of(&document, &dialect);
        }
    }
}

/// Few by default, so that the whole suite stays quick; `PROPTEST_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(48)
}

/// JSON with the keywords of schemas and any value behind them.
fn anything() -> impl Strategy<Value = Value> {
    let keyword = prop::sample::select(vec![
        "type",
        "properties",
        "items",
        "required",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "else",
        "$ref",
        "$defs",
        "definitions",
        "additionalProperties",
        "patternProperties",
        "prefixItems",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "minLength",
        "maxItems",
        "pattern",
        "format",
        "nullable",
        "description",
        "default",
        "title",
        "dependencies",
        "dependentRequired",
        "additionalItems",
        "$schema",
        "$id",
        "id",
        "contains",
    ]);
    let text = prop::sample::select(vec![
        "#",
        "#/",
        "#/$defs/a",
        "",
        "object",
        "string",
        "http://json-schema.org/draft-04/schema#",
        "(",
        "a",
    ]);
    let leaf = prop_oneof![
        scalar(),
        text.prop_map(|text| json!(text)),
        Just(json!(1e300)),
        Just(json!(u64::MAX)),
        Just(json!([]))
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            3 => prop::collection::vec((keyword.clone(), inner.clone()), 0..5).prop_map(|pairs| Value::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())),
            1 => members(inner),
        ]
    })
}
