//! `tools.rules`: rules on the arguments of tools.

use super::support::Test;
use serde_json::{Value, json};

const RULES: &str = "tools:
  ask: [message]
  rules:
    - {tool: read, where: {/path: {glob: '*.pem'}}, decision: deny, reason: keys stay here, instead: ask the owner}
    - {tool: 'group:fs', where: {/path: {glob: 'docs/*'}}, decision: ask, reason: docs are reviewed}
    - {tool: message, where: {/action: send, /target: team}, decision: allow}
    - {tool: exec, where: {/command: {minLength: 40}}, decision: deny, reason: keep it short}
bindings: {message: {command: [/bin/true]}}
";

fn check(config: &str, tool: &str, args: &Value) -> Value {
    let call = json!({"tool": tool, "args": args}).to_string();
    Test::new(&["check", &call, "-o", "json"])
        .file("a.pem", "x\n")
        .config(config)
        .run()
        .json()
}

#[test]
fn a_rule_decides_by_the_arguments() {
    for (tool, args, decision, code) in [
        ("read", json!({"path": "a.pem"}), "deny", "command-rule"),
        ("read", json!({"file_path": "a.pem"}), "deny", "command-rule"),
        ("read", json!({"path": "a.txt"}), "allow", "ok"),
        ("write", json!({"path": "docs/x", "content": ""}), "ask", "command-rule"),
        ("write", json!({"path": "src/x", "content": ""}), "allow", "ok"),
        (
            "message",
            json!({"action": "send", "target": "team", "message": "x"}),
            "allow",
            "ok",
        ),
        (
            "message",
            json!({"action": "send", "target": "boss", "message": "x"}),
            "ask",
            "ask-always",
        ),
        (
            "exec",
            json!({"command": "echo 0123456789012345678901234567890123456789"}),
            "deny",
            "command-rule",
        ),
        ("exec", json!({"command": "echo 1"}), "allow", "ok"),
        // An allowing rule is no grant of exec.
    ] {
        let doc = check(RULES, tool, &args);
        assert_eq!(
            (doc["decision"].as_str(), doc["code"].as_str()),
            (Some(decision), Some(code)),
            "{tool} {args}: {doc}"
        );
    }
    let doc = check(RULES, "read", &json!({"path": "a.pem"}));
    let reason = doc["reason"].as_str().unwrap();
    assert!(reason.contains("config.yaml:4:7"), "{reason}");
    assert!(reason.ends_with("keys stay here — instead: ask the owner"), "{reason}");
}

#[test]
fn a_rule_that_allows_settles_nothing_but_a_wish_to_be_asked() {
    let config = "tools: {deny: [write], exec: {security: deny}, rules: [{tool: '*', decision: allow}]}\n";
    for (tool, args, code) in [
        ("write", json!({"path": "a", "content": ""}), "tool-not-allowed"),
        ("exec", json!({"command": "true"}), "security-deny"),
        ("read", json!({"path": "/etc/shadow"}), "path-escape"),
    ] {
        let doc = check(config, tool, &args);
        assert_eq!(
            (&doc["decision"], &doc["code"]),
            (&json!("deny"), &json!(code)),
            "{doc}"
        );
    }
    let doc = check(
        "tools: {rules: [{tool: exec, decision: allow}]}\n",
        "exec",
        &json!({"command": "make"}),
    );
    assert_ne!(doc["decision"], "allow", "{doc}");
}

#[test]
fn a_project_that_nobody_trusts_may_refuse_and_not_allow() {
    let call = json!({"tool": "read", "args": {"path": "a"}}).to_string();
    let run = |rules: &str| {
        Test::new(&["check", &call, "-o", "json"])
            .layered()
            .file(".toolctl.yaml", format!("tools: {{ask: [read], rules: {rules}}}\n"))
            .file("a", "x\n")
            .run()
            .json()
    };
    assert_eq!(run("[{tool: read, decision: allow}]")["code"], "ask-always");
    assert_eq!(run("[{tool: read, decision: deny}]")["code"], "command-rule");
}

#[test]
fn rules_that_cannot_hold_or_say_two_things_are_errors() {
    for (rules, says) in [
        ("[{tool: read, where: {path: x}, decision: deny}]", "begins with `/`"),
        (
            "[{tool: read, where: {/path: {like: x}}, decision: deny}]",
            "`like` is no test",
        ),
        (
            "[{tool: read, where: {/offset: {min: 3, max: 2}}, decision: deny}]",
            "no number is at least 3",
        ),
        (
            "[{tool: read, where: {/path: x}, decision: deny}, {tool: read, where: {/path: x}, decision: ask}]",
            "says ask of the calls of which another rule says deny",
        ),
    ] {
        let ran = Test::new(&["list"])
            .config(format!("tools: {{rules: {rules}}}\n"))
            .run()
            .exits(2);
        assert!(
            ran.stderr.contains(says) && ran.stderr.contains("config.yaml:1:"),
            "{}",
            ran.stderr
        );
    }
    let ran = Test::new(&["config", "validate"])
        .config("tools: {rules: [{tool: raed, decision: deny}]}\n")
        .run();
    assert!(
        ran.stderr.contains("`raed` is no tool or group; did you mean `read`?"),
        "{}",
        ran.stderr
    );
}
