//! The catalogue's own tools beside commands and files, through the whole pipeline.

use super::support::Test;
use serde_json::{Value, json};

fn exec(args: &Value, tool: &str) -> Test {
    let call = json!({"tool": tool, "args": args}).to_string();
    Test::new(&["exec", &call, "-o", "json"])
}

#[test]
fn a_plan_that_is_none_is_refused() {
    let step = |status: &str| json!({"step": "x", "status": status});
    for plan in [
        json!([]),
        json!("x"),
        json!([{"step": "x"}]),
        json!([{"step": " ", "status": "pending"}]),
        json!([step("done")]),
        json!([step("in_progress"), step("in_progress")]),
        json!(vec![step("pending"); 101]),
    ] {
        let doc = exec(&json!({"plan": plan}), "update_plan").run().exits(2).json();
        assert_eq!(doc["code"], "invalid-params", "{plan}");
    }
    let plan = json!([{"step": "read", "status": "completed"}, {"step": "write", "status": "in_progress"}]);
    let args = json!({"plan": plan, "explanation": "new facts"});
    let doc = exec(&args, "update_plan").run().exits(0).json();
    assert_eq!(doc["content"][0]["text"], "[x] read\n[>] write\n1 of 2 steps completed");
    assert_eq!(doc["details"]["plan"], plan);
    assert_eq!(doc["details"]["explanation"], "new facts");
}

#[test]
fn memory_is_read_as_files_are() {
    let world = |args: Value, tool: &str, config: &str| {
        exec(&args, tool)
            .file("MEMORY.md", "the port of staging is 8080\n")
            .file("memory/private/a.md", "the port of the vault is 99\n")
            .file("notes.md", "the port is secret\n")
            .config(config)
    };
    let check = json!({"tool": "memory_get", "args": {"path": "notes.md"}}).to_string();
    let doc = Test::new(&["check", &check, "-o", "json"])
        .file("notes.md", "x\n")
        .run()
        .exits(3)
        .json();
    assert_eq!(doc["code"], "path-escape");
    let doc = world(json!({"path": "notes.md"}), "memory_get", "")
        .run()
        .exits(3)
        .json();
    assert_eq!(doc["code"], "path-escape");

    let closed = "tools: {paths: {deny: [memory/private]}}\n";
    let path = json!({"path": "memory/private/a.md"});
    assert_eq!(
        world(path.clone(), "memory_get", "").run().exits(0).json()["status"],
        "completed"
    );
    let doc = world(path, "memory_get", closed).run().exits(3).json();
    assert_eq!(doc["code"], "path-escape");
    let found = world(json!({"query": "port"}), "memory_search", closed)
        .run()
        .exits(0)
        .json();
    let found = found["details"]["results"].as_array().unwrap().clone();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["path"], "MEMORY.md");
}

#[test]
fn memory_is_not_there_where_the_workspace_is_not() {
    for (tool, args) in [
        ("memory_search", json!({"query": "x"})),
        ("memory_get", json!({"path": "MEMORY.md"})),
    ] {
        let doc = exec(&args, tool)
            .file("MEMORY.md", "x\n")
            .config("sandbox: {mode: all, workspaceAccess: none}\ntools: {sandbox: {tools: {allow: [\"*\"]}}}\n")
            .run()
            .exits(3)
            .json();
        assert!(doc["status"] == "denied", "{doc}");
    }
}
