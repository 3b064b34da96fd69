//! Recorded answers of OpenClaw, a comparison with another validator, and the words of the refusals.

mod property;

use super::*;
use crate::catalog::declaration::declaration;
use serde_json::json;

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("not an object: {other}"),
    }
}

fn core(tool: &str, args: Value) -> (Map<String, Value>, Result<(), Invalid>) {
    let schema = Schema::new(declaration(tool).unwrap().parameters);
    let rules = Rules {
        tool,
        schema: &schema,
        owner: Owner::Core(&crate::catalog::core_tool(tool).unwrap().words),
    };
    let args = normalise(object(args), rules);
    let result = validate(&args, rules);
    (args, result)
}

fn other(schema: &Value, args: Value) -> (Value, Result<(), Invalid>) {
    let schema = Schema::new(schema.clone());
    let rules = Rules {
        tool: "fixture",
        schema: &schema,
        owner: Owner::Other,
    };
    let args = normalise(object(args), rules);
    let result = validate(&args, rules);
    (Value::Object(args), result)
}

fn told(schema: &Value, args: Value) -> String {
    other(schema, args).1.unwrap_err().to_string()
}

/// The arguments as they are brought to the tool.
fn brought(schema: &Value, args: Value) -> Value {
    other(schema, args).0
}

#[test]
fn recorded_parameter_checks_agree() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/conformance/callparams.jsonl");
    let mut seen = 0;
    // An argument that the tool does not know is refused here: a deliberate difference.
    let deliberate = include_str!("../../../fixtures/conformance/divergences.yaml");
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if deliberate.contains(&format!("\n{}:", case["id"].as_str().unwrap())) {
            continue;
        }
        let (id, tool) = (case["id"].as_str().unwrap(), case["input"]["tool"].as_str().unwrap());
        // A call without arguments comes as one with none.
        let params = match &case["input"]["params"] {
            Value::Null => json!({}),
            params => params.clone(),
        };
        let (args, result) = core(tool, params.clone());
        seen += 1;
        if case["expect"]["ok"] == true {
            assert_eq!(result, Ok(()), "{id}");
            for key in ["path", "content", "oldText", "newText"] {
                if let Some(want) = case["expect"]["params"].get(key) {
                    let got = args.get(key).or_else(|| args.get("edits")?.get(0)?.get(key));
                    assert_eq!(got, Some(want), "{id} {key}");
                }
            }
            continue;
        }
        let error = case["expect"]["error"].as_str().unwrap();
        if tool == "write" && error.contains("parameter: content") && params["content"].is_string() {
            // Empty and blank content is written as it is.
            assert_eq!(result, Ok(()), "{id}");
            continue;
        }
        let message = result.unwrap_err().to_string();
        for name in ["path", "content", "edits", "oldText", "newText"] {
            let list = error.split(" (received").next().unwrap();
            if list.contains(&format!("{name},")) || list.contains(&format!("{name} (")) || list.ends_with(name) {
                let both = [name, if name == "edits" { "oldText" } else { name }];
                assert!(both.iter().any(|name| message.contains(name)), "{id}: {message}");
            }
        }
    }
    assert!(seen > 40);
}

#[test]
fn aliases_fill_only_what_is_absent() {
    let (args, result) = core(
        "edit",
        json!({"old_string": "a", "new_string": "", "file_path": "p", "note": 1}),
    );
    assert_eq!(result, Ok(()));
    assert_eq!(
        Value::Object(args).to_string(),
        r#"{"path":"p","edits":[{"oldText":"a","newText":""}]}"#
    );
    let (args, _) = core("read", json!({"path": "own", "file_path": "other"}));
    assert_eq!(Value::Object(args), json!({"path": "own"}));
    let (args, result) = core("read", json!({"path": null, "file_path": "other", "limit": null}));
    assert_eq!((result, Value::Object(args)), (Ok(()), json!({"path": "other"})));
    // Aliases belong to the core tools' own declarations.
    let (args, _) = other(&json!({"type": "object"}), json!({"file_path": "p"}));
    assert_eq!(args, json!({"file_path": "p"}));
}

#[test]
fn what_a_core_tool_does_not_know_is_refused_and_remarks_are_left_out() {
    let told = |tool: &str, args: Value| core(tool, args).1.unwrap_err().to_string();
    for (tool, args, words) in [
        (
            "write",
            json!({"path": "p", "content": "", "append": true}),
            &["`append` is not an argument"][..],
        ),
        (
            "exec",
            json!({"command": "ls", "commando": "x"}),
            &["`commando`", "`command`"],
        ),
        (
            "exec",
            json!({"command": "ls", "cwd": "/", "workdir": "a"}),
            &["`cwd`", "the same as `workdir`"],
        ),
        (
            "exec",
            json!({"command": "ls", "timeout": 2, "timeout_ms": 1000}),
            &["`timeout_ms`", "`timeout`"],
        ),
        (
            "edit",
            json!({"path": "p", "old_string": "a", "new_string": "b", "replace_all": true}),
            &["`replace_all` can only be false"],
        ),
        (
            "edit",
            json!({"path": "p", "edits": [{"oldText": "a", "newText": "b", "all": true}]}),
            &["`edits[0].all`"],
        ),
        ("agents_list", json!({"agent": "x"}), &["`agent`"]),
    ] {
        let message = told(tool, args);
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    }
    for (tool, args, want) in [
        (
            "exec",
            json!({"cmd": "ls", "description": "d", "Reason": "r"}),
            json!({"command": "ls"}),
        ),
        (
            "exec",
            json!({"command": "ls", "cwd": "a", "timeoutSec": 3}),
            json!({"command": "ls", "workdir": "a", "timeout": 3}),
        ),
        (
            "exec",
            json!({"command": "ls", "timeout_ms": "1500"}),
            json!({"command": "ls", "timeout": 1.5}),
        ),
        (
            "exec",
            json!({"command": "ls", "cwd": "a", "workdir": "a"}),
            json!({"command": "ls", "workdir": "a"}),
        ),
        (
            "exec",
            json!({"command": "ls", "yield_ms": 20}),
            json!({"command": "ls", "yieldMs": 20}),
        ),
        (
            "process",
            json!({"action": "poll", "session_id": "s"}),
            json!({"action": "poll", "sessionId": "s"}),
        ),
        (
            "edit",
            json!({"file_path": "p", "edits": [{"old_string": "a", "new_string": "b", "replace_all": false}]}),
            json!({"path": "p", "edits": [{"oldText": "a", "newText": "b"}]}),
        ),
        // Where a tool declares the word it is an argument like any other.
        (
            "update_plan",
            json!({"plan": [{"step": "s", "status": "pending"}], "explanation": "e"}),
            json!({"plan": [{"step": "s", "status": "pending"}], "explanation": "e"}),
        ),
    ] {
        let (args, result) = core(tool, args);
        assert_eq!((result, Value::Object(args)), (Ok(()), want), "{tool}");
    }
}

#[test]
fn counts_are_cut_and_numbers_where_text_stands_are_text() {
    let (args, result) = core("web_search", json!({"query": "q", "count": 3.7}));
    assert_eq!((result, &args["count"]), (Ok(()), &json!(3)));
    let (args, result) = core("web_search", json!({"query": 7, "count": "3.7"}));
    assert_eq!(
        (result, Value::Object(args)),
        (Ok(()), json!({"query": "7", "count": 3}))
    );
    let (args, result) = core("exec", json!({"command": "ls", "env": {"FOO": 5}}));
    assert_eq!((result, &args["env"]), (Ok(()), &json!({"FOO": "5"})));
    // A path or a file's content that is no text is a mistake.
    assert!(core("write", json!({"path": 5, "content": "x"})).1.is_err());
    assert!(core("write", json!({"path": "p", "content": 5})).1.is_err());
    // A schema that is not the catalog's says exactly what it takes.
    let schema = json!({"type": "object", "properties": {"i": {"type": "integer"}}});
    assert!(other(&schema, json!({"i": 3.7})).1.is_err());
}

#[test]
fn a_reaction_names_its_emoji() {
    let react = |more: Value| {
        let mut args = object(json!({"action": "react", "messageId": "m"}));
        args.extend(object(more));
        core("message", Value::Object(args)).1
    };
    assert_eq!(react(json!({"emoji": "+"})), Ok(()));
    assert_eq!(react(json!({"emoji": ""})), Ok(()));
    assert_eq!(react(json!({"emoji": "+", "remove": "true"})), Ok(()));
    assert!(react(json!({})).unwrap_err().to_string().contains("`emoji` is missing"));
    assert!(react(json!({"emoji": " ", "remove": true})).is_err());
    assert_eq!(core("message", json!({"action": "send", "message": "x"})).1, Ok(()));
}

#[test]
fn a_single_replacement_joins_the_list() {
    let (args, result) = core(
        "edit",
        json!({"path": "p", "edits": [{"oldText": "a", "newText": "b"}], "oldText": "c", "newText": "d"}),
    );
    assert_eq!(result, Ok(()));
    assert_eq!(args["edits"].as_array().unwrap().len(), 2);
    let (args, result) = core(
        "edit",
        json!({"path": "p", "edits": [{"oldText": "a", "newText": "b"}], "oldText": "", "newText": ""}),
    );
    assert_eq!((result, args.len()), (Ok(()), 2));
    let (_, result) = core(
        "edit",
        json!({"path": "p", "edits": [{"oldText": "a", "newText": "b"}], "oldText": "c"}),
    );
    assert!(result.unwrap_err().to_string().contains("`newText` is missing"));
}

#[test]
fn normalising_twice_is_normalising_once() {
    for (tool, args) in [
        (
            "edit",
            json!({"old_string": "a", "new_string": [{"type": "text", "text": "x"}], "file_path": "p"}),
        ),
        ("read", json!({"Path": "p", "limit": "5", "offset": 2.0})),
        (
            "exec",
            json!({"command": "ls", "background": "True", "host": "Gateway", "env": {"A": "1"}}),
        ),
        ("process", json!({"action": "Send-Keys", "keys": "C-c"})),
    ] {
        let (once, _) = core(tool, args);
        let (twice, _) = core(tool, Value::Object(once.clone()));
        assert_eq!(once, twice, "{tool}");
    }
}

#[test]
fn only_what_loses_nothing_is_changed() {
    let schema = json!({"type": "object", "properties": {
        "n": {"type": "number"}, "i": {"type": "integer"}, "b": {"type": "boolean"}, "s": {"type": "string"},
        "list": {"type": "array", "items": {"type": "string"}}, "nums": {"type": "array", "items": {"type": "integer"}},
        "e": {"enum": ["start", "stop"]}, "twin": {"enum": ["a", "A"]}, "u": {"type": ["integer", "string"]},
        "either": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
        "o": {"type": "object", "additionalProperties": {"type": "integer"}},
    }});
    let unchanged = [
        json!({"i": "5.5"}),
        json!({"i": "0x10"}),
        json!({"i": "1e"}),
        json!({"i": ""}),
        json!({"n": "0.12345678901234567890"}),
        json!({"n": "NaN"}),
        json!({"n": "1e999"}),
        json!({"n": "007"}),
        json!({"i": true}),
        json!({"b": 1}),
        json!({"b": "yes"}),
        json!({"s": true}),
        json!({"s": ["a"]}),
        json!({"nums": "5"}),
        json!({"list": 5}),
        json!({"e": "STOPP"}),
        json!({"twin": "  a"}),
        json!({"n": []}),
    ];
    for args in unchanged {
        let (got, result) = other(&schema, args.clone());
        assert_eq!(got, args);
        assert!(result.is_err(), "{args}");
    }
    let changed = [
        (json!({"i": "5"}), json!({"i": 5})),
        (json!({"s": 5}), json!({"s": "5"})),
        (json!({"s": 5.0}), json!({"s": "5"})),
        (json!({"s": -2.5}), json!({"s": "-2.5"})),
        (json!({"i": " -7 "}), json!({"i": -7})),
        (json!({"i": "5.0"}), json!({"i": 5})),
        (json!({"i": 5.0}), json!({"i": 5})),
        (json!({"n": "2.50"}), json!({"n": 2.5})),
        (json!({"n": "1e3"}), json!({"n": 1000})),
        (json!({"i": "18446744073709551615"}), json!({"i": u64::MAX})),
        (json!({"b": "true"}), json!({"b": true})),
        (json!({"b": "False"}), json!({"b": false})),
        (json!({"list": "a b"}), json!({"list": ["a b"]})),
        (json!({"list": "[\"a\", \"b\"]"}), json!({"list": ["a", "b"]})),
        (json!({"list": "[x"}), json!({"list": ["[x"]})),
        (json!({"nums": ["1", 2.0]}), json!({"nums": [1, 2]})),
        (json!({"e": " Start"}), json!({"e": "start"})),
        (json!({"u": "5"}), json!({"u": "5"})),
        (json!({"either": "5"}), json!({"either": 5})),
        (json!({"either": ["5"]}), json!({"either": [5]})),
        (json!({"o": {"x": "5"}}), json!({"o": {"x": 5}})),
        (json!({"LIST": "a", "s": null}), json!({"list": ["a"]})),
        (json!({"S": "a", "s": "b"}), json!({"S": "a", "s": "b"})),
    ];
    for (args, want) in changed {
        let (got, result) = other(&schema, args.clone());
        assert_eq!((got, result), (want, Ok(())), "{args}");
    }
}

#[test]
fn defaults_are_filled_in_when_they_fit() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "integer", "default": 3}, "b": {"type": "integer", "default": "x"},
        "c": {"type": "object", "properties": {"d": {"default": [1]}}},
    }, "required": ["a"]});
    assert_eq!(other(&schema, json!({"c": {}})).0, json!({"c": {"d": [1]}, "a": 3}));
    assert_eq!(other(&schema, json!({"a": 1})).0, json!({"a": 1}));
    assert_eq!(other(&schema, json!({"a": null})).0, json!({"a": 3}));
}

#[test]
fn every_fault_is_told_with_field_given_and_expected() {
    let schema = json!({"type": "object", "additionalProperties": false, "required": ["mode", "count"], "properties": {
        "mode": {"type": "string", "enum": ["fast", "slow"]},
        "count": {"type": "integer", "minimum": 1, "exclusiveMaximum": 10},
        "items": {"type": "array", "minItems": 2, "uniqueItems": true, "items": {"type": "object",
            "properties": {"name": {"type": "string", "minLength": 2, "pattern": "^[a-z]+$"}}, "required": ["name"]}},
        "target": {"oneOf": [{"type": "string"}, {"type": "object", "properties": {"id": {"const": 1}}, "required": ["id"]}]},
    }});
    let cases = [
        (
            json!({}),
            "`mode` is missing: expected is text; `count` is missing: expected is a whole number (no arguments",
        ),
        (
            json!({"mode": "fats", "count": 3}),
            "`mode` must be one of \"fast\", \"slow\", not the text \"fats\"; is `fast` meant?",
        ),
        (json!({"mode": "fast", "count": 0}), "`count` must be at least 1, not 0"),
        (
            json!({"mode": "fast", "count": 10}),
            "`count` must be less than 10, not 10",
        ),
        (
            json!({"mode": "fast", "count": "many"}),
            "`count` must be a whole number, not the text \"many\"",
        ),
        (
            json!({"mode": "fast", "cuont": 1}),
            "`count` is missing: expected is a whole number; is `cuont` meant for it?",
        ),
        (
            json!({"mode": "fast", "count": 1, "tagret": 1}),
            "`tagret` is not a parameter of this tool; is `target` meant?",
        ),
        (
            json!({"mode": "fast", "count": 1, "items": [{"name": "ab"}, {"name": "A"}]}),
            "`items[1].name` must have at least 2 characters; it has 1; `items[1].name` must match the pattern",
        ),
        (
            json!({"mode": "fast", "count": 1, "items": [{"name": "ab"}]}),
            "`items` must have at least 2 entries; it has 1",
        ),
        (
            json!({"mode": "fast", "count": 1, "items": [{"name": "ab"}, {"name": "ab"}]}),
            "`items[1]` is in the list twice",
        ),
        (
            json!({"mode": "fast", "count": 1, "target": {"id": 2}}),
            "`target` fits none of 2 allowed forms (in the closest: `target.id` must be 1, not the number 2)",
        ),
        (
            json!({"mode": "fast", "count": 1, "target": true}),
            "`target` must be text or an object, not the boolean true",
        ),
    ];
    for (args, want) in cases {
        let got = told(&schema, args.clone());
        assert!(got.contains(want), "{args}\n  got  {got}\n  want {want}");
    }
    let many: Map<String, Value> = (0..100).map(|n| (format!("k{n}"), json!(1))).collect();
    let refused = other(&schema, Value::Object(many)).1.unwrap_err();
    assert_eq!(refused.faults.len(), check::MAX_FAULTS);
}

#[test]
fn what_cannot_be_checked_is_refused() {
    for (schema, want) in [
        (
            json!({"properties": {"a": {"$ref": "#/$defs/none"}}}),
            "refers to \"#/$defs/none\"",
        ),
        (
            json!({"properties": {"a": {"$ref": "https://example.com/x"}}}),
            "refers to",
        ),
        (
            json!({"properties": {"a": {"not": {"$ref": "#/$defs/none"}}}}),
            "refers to",
        ),
        (
            json!({"properties": {"a": {"$ref": "#/properties/a"}}}),
            "too large or too deeply nested",
        ),
        (
            json!({"properties": {"a": {"pattern": "(?=x)y"}}}),
            "a pattern that is not supported",
        ),
        (
            json!({"properties": {"a": {"anyOf": [{"pattern": "(?<!x)y"}, true]}}}),
            "a pattern that is not supported",
        ),
        (json!({"properties": {"a": 5}}), "not a JSON Schema"),
        (json!({"properties": {"a": {"type": "text"}}}), "must be absent"),
    ] {
        let got = told(&schema, json!({"a": "xy"}));
        assert!(got.contains(want), "{schema}\n  {got}");
    }
}

#[test]
fn hostile_schemas_and_values_end_soon() {
    // Unions of unions over one another: 2^40 ways without a limit.
    let mut defs = Map::new();
    for level in 0..40 {
        let next = json!({"$ref": format!("#/$defs/l{}", level + 1)});
        defs.insert(format!("l{level}"), json!({"oneOf": [next, next]}));
    }
    defs.insert("l40".to_owned(), json!({"type": "integer"}));
    let schema = json!({"properties": {"a": {"$ref": "#/$defs/l0"}}, "$defs": defs});
    assert!(told(&schema, json!({"a": "x"})).contains("too large"));

    let mut deep = json!(1);
    let mut nested = json!({"type": "integer"});
    for _ in 0..60 {
        deep = json!({ "a": deep });
        nested = json!({"properties": {"a": nested}});
    }
    assert!(told(&nested, deep).contains("too deeply nested"));

    let patterns = json!({"properties": {"a": {"pattern": "(a{500}){500}"}, "b": {"pattern": "(x+x+)+y"}}});
    assert!(told(&patterns, json!({"a": "a", "b": "x".repeat(50_000)})).contains("not supported"));
}

#[test]
fn references_within_the_declaration_are_followed() {
    let schema = json!({
        "$defs": {"a/b c": {"type": "integer"}, "tree": {"type": "object", "properties": {
            "kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}}, "n": {"$ref": "#/$defs/a~1b%20c"}}}},
        "properties": {"root": {"$ref": "#/$defs/tree"}},
    });
    let (args, result) = other(&schema, json!({"root": {"kids": [{"n": "3"}, {"kids": []}]}}));
    assert_eq!(
        (result, args),
        (Ok(()), json!({"root": {"kids": [{"n": 3}, {"kids": []}]}}))
    );
    assert!(told(&schema, json!({"root": {"kids": [{"n": "x"}]}})).contains("`root.kids[0].n`"));
}

#[test]
fn plain_calls_of_exec_are_settled_by_a_quick_look() {
    let schema = Schema::new(declaration("exec").unwrap().parameters);
    let settled = |args: Value| schema.settles(&object(args));
    assert!(settled(
        json!({"command": "ls", "workdir": "/", "timeout": 3, "background": true})
    ));
    for left in [
        json!({"workdir": "/"}),
        json!({"command": 5}),
        json!({"command": "ls", "timeout": 3.0}),
        json!({"command": "ls", "host": "gateway"}),
        json!({"command": "ls", "env": {}}),
        json!({"command": "ls", "cmd": "x"}),
        json!({"command": "ls", "pty": null}),
    ] {
        assert!(!settled(left.clone()), "{left}");
    }
}

#[test]
fn a_union_is_read_by_the_form_that_is_meant() {
    let schema = json!({"anyOf": [
        {"type": "object", "properties": {"action": {"const": "add"}, "count": {"type": "integer", "minimum": 1, "default": 7}}, "required": ["action"], "additionalProperties": false},
        {"type": "object", "properties": {"action": {"const": "remove"}, "id": {"type": "string"}, "force": {"type": "boolean"}}, "required": ["action", "id"]},
        {"type": "object", "properties": {"action": {"const": "move"}, "id": {"type": "integer"}, "to": {"type": "array", "items": {"type": "string"}}}, "required": ["action", "id", "to"]},
    ]});
    for (given, want) in [
        (json!({"action": "add"}), json!({"action": "add", "count": 7})),
        (
            json!({"action": "Add", "Count": "2"}),
            json!({"action": "add", "count": 2}),
        ),
        (
            json!({"action": "remove", "id": 5}),
            json!({"action": "remove", "id": "5"}),
        ),
        (
            json!({"action": "REMOVE", "id": "a", "Force": "true", "more": 1}),
            json!({"action": "remove", "id": "a", "force": true, "more": 1}),
        ),
        (
            json!({"action": "move", "id": "5", "to": "x"}),
            json!({"action": "move", "id": 5, "to": ["x"]}),
        ),
    ] {
        assert_eq!(brought(&schema, given.clone()), want, "{given}");
    }
    for (given, want) in [
        (json!({"action": "move", "id": "5"}), "`: `to` is missing"),
        (json!({"action": "remove"}), "`: `id` is missing"),
        (
            json!({"action": "zap"}),
            "`: `action` must be \"add\", \"remove\" or \"move\", not the text \"zap\"",
        ),
        (
            json!({"action": "add", "id": "x"}),
            "`: `id` is not a parameter of this tool",
        ),
        (
            json!({}),
            "the arguments fit none of 3 allowed forms (in the closest: `action` is missing",
        ),
    ] {
        let got = told(&schema, given.clone());
        assert!(got.contains(want), "{given}\n  got  {got}\n  want {want}");
    }
    // A form that knows all fields comes before one that would put up with them; either alone stays as it is.
    let open = json!({"anyOf": [
        {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
        {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}, "required": ["id", "n"], "additionalProperties": false},
    ]});
    assert_eq!(brought(&open, json!({"id": "5", "n": "3"})), json!({"id": "5", "n": 3}));
    assert_eq!(brought(&open, json!({"id": "5"})), json!({"id": 5}));
    // What fits exactly one form goes on fitting exactly one: no default is filled in that would end that.
    let one = json!({"oneOf": [
        {"type": "object", "properties": {"a": {"type": "integer", "default": 1}}},
        {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a"]},
    ]});
    assert_eq!(brought(&one, json!({})), json!({}));
}
