//! The law of the room, judged by a JSON Schema library: what was valid stays valid; twice is once; nothing panics.

use super::{Dialect, Hints, Normalised, Refusal, normalise};
use crate::provider::{ALL, gemini_json_dialect};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Every dialect without the strict ones, which close objects and need nulls filled in.
fn dialects() -> Vec<Dialect> {
    let mut all: Vec<Dialect> = ALL.iter().map(|provider| provider.dialect).collect();
    all.push(gemini_json_dialect());
    all
}

fn strict_dialects() -> Vec<Dialect> {
    ALL.iter()
        .filter_map(|provider| provider.strict)
        .map(|strict| strict.dialect)
        .collect()
}

fn of(schema: &Value, dialect: &Dialect) -> Result<Normalised, Refusal> {
    normalise(schema, dialect, &[], Hints::Add)
}

fn named(name: &str) -> Dialect {
    dialects()
        .into_iter()
        .chain(strict_dialects())
        .find(|dialect| dialect.name == name)
        .unwrap()
}

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

#[track_caller]
fn sound(schema: &Value, instance: &Value, dialect: &Dialect) -> Result<(), TestCaseError> {
    let Ok(original) = jsonschema::validator_for(schema) else {
        return Ok(());
    };
    if !original.is_valid(instance) {
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
        1 => prop::sample::select(vec!["#/$defs/D", "#/definitions/E"]).prop_map(|to| json!({ "$ref": to })),
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
        ]
    })
}

/// Two schemas in one node, so that keywords meet that a generator would keep apart.
fn merged(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Object(mut a), Value::Object(b)) => {
            for (keyword, value) in b {
                a.entry(keyword).or_insert(value);
            }
            Value::Object(a)
        }
        (a, _) => a,
    }
}

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

/// A whole tool schema, with definitions of which one is recursive.
fn parameters() -> impl Strategy<Value = Value> {
    (schema(), schema()).prop_map(|(root, definition)| {
        let mut root = match root {
            Value::Object(root) => root,
            _ => Map::new(),
        };
        root.insert(
            "$defs".to_owned(),
            json!({ "D": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/D"}}} }),
        );
        root.insert("definitions".to_owned(), json!({ "E": without_references(definition) }));
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

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_valid_stays_valid(schema in parameters(), instances in prop::collection::vec(arguments(), 12)) {
        for dialect in dialects() {
            for instance in &instances {
                sound(&schema, instance, &dialect)?;
            }
        }
    }

    #[test]
    fn twice_is_once(schema in parameters()) {
        for dialect in dialects().into_iter().chain(strict_dialects()) {
            if let Ok(once) = of(&schema, &dialect) {
                let twice = of(&once.schema, &dialect);
                prop_assert!(twice.is_ok(), "{}: {} fails: {:?}", dialect.name, once.schema, twice);
                prop_assert_eq!(&twice.unwrap().schema, &once.schema, "{} of {}", dialect.name, schema);
            }
        }
    }

    #[test]
    fn any_json_is_answered(document in anything()) {
        for dialect in dialects().into_iter().chain(strict_dialects()) {
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

#[test]
fn strict_modes_close_objects_and_let_null_stand_for_left_out() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 2}, "n": {"type": "integer", "default": 3},
        "o": {"type": "object", "properties": {"k": {"enum": ["x", "y"]}}}}, "required": ["a"]});
    let openai = of(&schema, &named("openai strict")).unwrap().schema;
    assert_eq!(
        openai,
        json!({"type": "object",
            "properties": {
                "a": {"type": "string", "description": "At least 2 characters."},
                "n": {"type": ["integer", "null"], "description": "Default: 3."},
                "o": {"type": ["object", "null"],
                      "properties": {"k": {"type": ["string", "null"], "enum": ["x", "y", null]}},
                      "additionalProperties": false, "required": ["k"]}},
            "required": ["a", "n", "o"], "additionalProperties": false})
    );
    let anthropic = of(&schema, &named("anthropic strict")).unwrap().schema;
    assert_eq!(anthropic["required"], json!(["a"]));
    assert_eq!(anthropic["properties"]["o"]["additionalProperties"], json!(false));
}

#[test]
fn strict_modes_refuse_what_they_cannot_express() {
    for (schema, place) in [
        (
            json!({"properties": {"m": {"type": "object", "additionalProperties": {"type": "string"}}}}),
            "/properties/m",
        ),
        (json!({"properties": {"m": {"type": "object"}}}), "/properties/m"),
        (json!({"properties": {"m": {}}}), "/properties/m"),
        (json!({"properties": {"m": {"type": "array"}}}), "/properties/m/items"),
        (
            json!({"properties": {"m": {"type": "array", "items": true}}}),
            "/properties/m/items",
        ),
        (json!({"additionalProperties": true}), ""),
        (
            json!({"properties": {"a": {"type": "string"}}, "required": ["a", "ghost"]}),
            "",
        ),
        (
            json!({"properties": {"m": {"type": "object", "properties": {"a": {"type": "string"}}, "patternProperties": {"^x": {"type": "string"}}}}}),
            "/properties/m",
        ),
        (
            json!({"properties": {"a": {"type": "string"}}, "dependentSchemas": {"a": {"properties": {"b": {"type": "string"}}}}}),
            "",
        ),
        (
            json!({"properties": {"a": {"type": "string"}}, "if": {"required": ["a"]}, "then": {"properties": {"b": {"type": "string"}}}}),
            "",
        ),
    ] {
        for dialect in strict_dialects() {
            let refusal = of(&schema, &dialect).unwrap_err();
            assert_eq!(refusal.pointer, place, "{}: {schema}", dialect.name);
        }
    }
}

#[test]
fn strict_modes_take_conditions_on_declared_properties() {
    let declared = json!({"a": {"type": "string"}, "b": {"type": "string"}});
    for keyword in [
        json!({"if": {"properties": {"a": {"const": "x"}}, "required": ["a"]}, "then": {"required": ["b"]}}),
        json!({"dependentRequired": {"a": ["b"]}}),
        json!({"not": {"required": ["a", "b"]}}),
        json!({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
    ] {
        let schema = merged(json!({"type": "object", "properties": declared}), keyword.clone());
        for dialect in strict_dialects() {
            let out = of(&schema, &dialect).unwrap().schema;
            assert_eq!(out["additionalProperties"], json!(false), "{}: {keyword}", dialect.name);
            assert!(out["description"].is_string(), "{}: {keyword}", dialect.name);
        }
    }
    for keyword in [
        json!({"dependentRequired": {"a": ["z"]}}),
        json!({"unevaluatedProperties": {"type": "string"}}),
        json!({"anyOf": [{"required": ["a"]}, {"required": ["z"]}]}),
        json!({"anyOf": [{"required": ["a"], "additionalProperties": true}, {"required": ["b"], "additionalProperties": true}]}),
    ] {
        let schema = merged(json!({"type": "object", "properties": declared}), keyword.clone());
        for dialect in strict_dialects() {
            assert!(of(&schema, &dialect).is_err(), "{}: {keyword}", dialect.name);
        }
    }
}

#[test]
fn strict_modes_close_the_variants_of_a_root_union() {
    let schema = json!({"anyOf": [
        {"type": "object", "properties": {"duration": {"type": "string"}}, "required": ["duration"]},
        {"type": "object", "properties": {"hours": {"type": "integer"}}}]});
    let out = of(&schema, &named("anthropic strict")).unwrap().schema;
    assert_eq!(out["properties"]["duration"], json!({"type": "string"}));
    assert_eq!(out["properties"]["hours"], json!({"type": "integer"}));
    assert_eq!(out["additionalProperties"], json!(false));
    // Elsewhere the second form lets in any `duration`.
    let open = of(&schema, &named("openai")).unwrap().schema;
    assert_eq!(open["properties"]["duration"].get("type"), None);
}

#[test]
fn a_list_of_values_that_is_too_long_is_split() {
    let values: Vec<Value> = (0..400)
        .map(|n| json!(format!("zone-{n:04}-{}", "x".repeat(40))))
        .collect();
    let schema = json!({"properties": {"z": {"type": "string", "enum": values, "description": "Where"}}});
    let out = of(&schema, &named("openai strict")).unwrap().schema;
    let branches = out["properties"]["z"]["anyOf"].as_array().unwrap();
    let sizes: Vec<usize> = branches
        .iter()
        .filter_map(|branch| Some(branch["enum"].as_array()?.len()))
        .collect();
    assert_eq!(sizes, [250, 150]);
    assert_eq!(branches.last(), Some(&json!({"type": "null"})));
    assert_eq!(of(&out, &named("openai strict")).unwrap().schema, out);
    let many: Vec<Value> = (0..1001).map(|n| json!(n.to_string())).collect();
    let refusal = of(&json!({"properties": {"z": {"enum": many}}}), &named("openai strict")).unwrap_err();
    assert!(refusal.message.contains("1000"), "{refusal}");
}

#[test]
fn booleans_are_spelled_where_a_schema_is_an_object() {
    let schema = json!({"type": "object", "properties": {"any": true, "all": {"type": "array", "items": true},
        "none": {"type": "array", "items": false}, "some": {"anyOf": [true, {"type": "object", "properties": {"deep": true}}]}, "not": false}});
    let out = of(&schema, &named("ollama")).unwrap().schema;
    assert_eq!(out["properties"]["any"], json!({}));
    assert_eq!(out["properties"]["all"]["items"], json!({}));
    assert_eq!(out["properties"]["none"]["maxItems"], json!(0));
    assert_eq!(out["properties"]["some"]["anyOf"][0], json!({}));
    assert_eq!(out["properties"]["some"]["anyOf"][1]["properties"]["deep"], json!({}));
    assert_eq!(out["properties"].get("not"), None);
    let open = of(&schema, &named("openai")).unwrap().schema;
    assert_eq!(open["properties"]["any"], json!(true));
}

#[test]
fn blank_descriptions_and_titles_are_left_out() {
    let schema = json!({"properties": {"a": {"type": "string", "description": " ", "title": ""}, "description": {"type": "string"}}});
    let out = of(&schema, &named("bedrock")).unwrap().schema;
    assert_eq!(
        out["properties"],
        json!({"a": {"type": "string"}, "description": {"type": "string"}})
    );
}

#[test]
fn recursion_is_kept_where_it_can_be_and_cut_where_not() {
    let tree = json!({"type": "object", "properties": {"root": {"$ref": "#/definitions/N"}}, "required": ["root"],
        "definitions": {"N": {"type": "object", "properties": {"v": {"type": "string"}, "next": {"$ref": "#/definitions/N"}}, "required": ["v"]}}});
    let openai = of(&tree, &named("openai")).unwrap().schema;
    assert_eq!(openai["properties"]["root"], json!({"$ref": "#/$defs/N"}));
    assert_eq!(openai["$defs"]["N"]["properties"]["next"], json!({"$ref": "#/$defs/N"}));
    let gemini = of(&tree, &named("gemini")).unwrap().schema;
    assert_eq!(
        gemini["properties"]["root"]["properties"]["next"],
        json!({"type": "object", "description": "Of the same form as N, which contains it."})
    );
}

#[test]
fn references_that_cannot_be_followed_are_refused_with_their_place() {
    for (reference, words) in [
        ("#/$defs/Nowhere", "`$ref` to nowhere: `#/$defs/Nowhere`"),
        (
            "https://example.com/s.json",
            "remote `$ref`: `https://example.com/s.json`",
        ),
        ("other.json#/a", "remote `$ref`"),
        ("#/$defs/Loop", "only leads to itself"),
        ("#/$defs/Maze", "only leads to itself"),
        ("#/$defs/Text/type", "`$ref` to what is no schema"),
    ] {
        let schema = json!({"type": "object", "properties": {"a/b": {"$ref": reference}}, "$defs": {
            "Loop": {"$ref": "#/$defs/Loop"}, "Maze": {"anyOf": [{"$ref": "#/$defs/Maze", "title": "M"}, {"type": "null"}]}, "Text": {"type": "string"}}});
        let refusal = of(&schema, &named("openai")).unwrap_err();
        assert!(refusal.message.contains(words), "{reference}: {refusal}");
        assert_eq!(refusal.pointer, "/properties/a~1b");
    }
}

#[test]
fn anchors_and_identifiers_are_followed() {
    let schema = json!({"$id": "https://example.com/tool", "type": "object",
        "properties": {"a": {"$ref": "#word"}, "b": {"$ref": "https://example.com/tool#/$defs/W"}, "c": {"$ref": "W"}, "d": {"$ref": "#/properties/a"}, "e": {"$ref": "#/$defs/%57"}},
        "$defs": {"W": {"$id": "W", "$anchor": "word", "type": "string"}}});
    let gemini = of(&schema, &named("gemini")).unwrap().schema;
    for name in ["a", "b", "c", "d", "e"] {
        assert_eq!(gemini["properties"][name]["type"], json!("string"), "{name}");
    }
}

#[test]
fn references_that_multiply_are_refused_in_time() {
    let mut definitions = Map::new();
    for level in 0..60 {
        let next = format!("#/$defs/L{}", level + 1);
        definitions.insert(
            format!("L{level}"),
            json!({"type": "object", "properties": {"a": {"$ref": next}, "b": {"$ref": next}}}),
        );
    }
    definitions.insert("L60".to_owned(), json!({"type": "string"}));
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": definitions});
    let refusal = of(&schema, &named("gemini")).unwrap_err();
    assert!(
        refusal.message.contains("further nodes") || refusal.message.contains("deeper"),
        "{refusal}"
    );
    assert!(of(&schema, &named("openai")).is_ok());
}

#[test]
fn what_is_no_schema_of_an_object_is_refused() {
    for schema in [
        json!(5),
        json!("x"),
        json!([]),
        json!(false),
        json!({"type": "string"}),
        json!({"not": {}}),
        json!({"allOf": [{"type": "object"}, {"type": "array"}]}),
    ] {
        assert!(of(&schema, &named("openai")).is_err(), "{schema}");
    }
    for schema in [json!(null), json!(true), json!({})] {
        assert_eq!(
            of(&schema, &named("openai")).unwrap().schema,
            json!({"type": "object", "properties": {}})
        );
    }
}

#[test]
fn values_made_in_the_program_nest_within_limits_too() {
    let mut schema = json!({"type": "string"});
    for _ in 0..500 {
        schema = Value::Object(Map::from_iter([("items".to_owned(), schema)]));
    }
    let refusal = of(&schema, &named("gemini")).unwrap_err();
    assert_eq!(refusal.message, "nests deeper than 120 levels");
}

#[test]
fn further_keywords_are_taken_out_on_request() {
    let words = ["additionalProperties", "anyOf", "pattern"].map(str::to_owned);
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^a$"}, "b": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "anyOf": {"type": "string"}}, "additionalProperties": false});
    let out = normalise(&schema, &named("openai"), &words, Hints::Omit)
        .unwrap()
        .schema;
    assert_eq!(
        out,
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {}, "anyOf": {"type": "string"}}})
    );
}

#[test]
fn rules_beside_a_kept_reference_go_where_none_may_stand() {
    let node = json!({"type": "object", "properties": {"n": {"$ref": "#/$defs/D"}, "s": {"type": "string"}}});
    let schema = json!({"properties": {"d": {"$ref": "#/$defs/D"}}, "anyOf": [{"properties": {"d": {"description": "Which one", "minProperties": 1}}}],
        "$defs": {"D": node}});
    let out = of(&schema, &named("gemini json schema")).unwrap().schema;
    assert_eq!(out["properties"]["d"]["$ref"], json!("#/$defs/D"));
    assert_eq!(
        out["properties"]["d"]["description"],
        json!("Which one. At least 1 key.")
    );
    assert_eq!(out["properties"]["d"].as_object().unwrap().len(), 2);
    // The same reference below a property that must be given may not be recursive.
    let required = json!({"$ref": "#/$defs/D", "required": ["n"], "$defs": {"D": node}});
    let out = of(&required, &named("gemini json schema")).unwrap().schema;
    assert_eq!(out["properties"]["n"]["type"], json!("object"), "{out}");
    assert!(!out.to_string().contains("$ref"), "{out}");
}
