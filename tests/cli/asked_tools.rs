//! Calls of tools that are not commands, and how a person hears of a call that waits.

use super::approvals::Place;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn call(tool: &str, args: &Value) -> String {
    json!({"tool": tool, "args": args}).to_string()
}

#[test]
fn a_tool_that_is_asked_about_runs_once_a_person_says_so() {
    let place = Place::new("tools: {ask: [\"wri*\", group:nothing]}\n");
    let write = call("write", &json!({"path": "a.txt", "content": "new\n"}));
    std::fs::write(place.work("a.txt"), "old\n").unwrap();

    let asked = place.json(4, &["exec", &write]);
    assert_eq!(asked["code"], "ask-always");
    let id = asked["details"]["approvalId"].as_str().unwrap();
    assert_eq!(std::fs::read_to_string(place.work("a.txt")).unwrap(), "old\n");

    let shown = place.json(0, &["approvals", "show", id]);
    let diff = shown["diff"].as_str().unwrap();
    assert!(diff.contains("-old") && diff.contains("+new"), "{diff}");
    assert!(
        !shown["allowedDecisions"]
            .as_array()
            .unwrap()
            .contains(&json!("allow-always"))
    );

    place.json(0, &["approvals", "allow", id]);
    place.json(0, &["exec", &write, "--approval", id]);
    assert_eq!(std::fs::read_to_string(place.work("a.txt")).unwrap(), "new\n");
    // Once is once.
    place.json(3, &["exec", &write, "--approval", id]);
}

#[test]
fn the_answer_is_for_the_change_that_was_shown() {
    let place = Place::new("tools: {ask: [edit]}\n");
    std::fs::write(place.work("a.txt"), "one\ntwo\n").unwrap();
    let edit = call(
        "edit",
        &json!({"path": "a.txt", "edits": [{"oldText": "two", "newText": "three"}]}),
    );
    let asked = place.json(4, &["exec", &edit]);
    let id = asked["details"]["approvalId"].as_str().unwrap();
    place.json(0, &["approvals", "allow", id]);
    std::fs::write(place.work("a.txt"), "one\ntwo\nand more\n").unwrap();
    let refused = place.json(3, &["exec", &edit, "--approval", id]);
    assert_eq!(refused["code"], "approval-changed");
    assert_eq!(
        std::fs::read_to_string(place.work("a.txt")).unwrap(),
        "one\ntwo\nand more\n"
    );
}

#[test]
fn a_patch_is_asked_about_like_a_write_and_other_tools_are_not() {
    let place = Place::new("tools: {ask: [write], allow: [\"*\"]}\n");
    std::fs::write(place.work("a.txt"), "one\n").unwrap();
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch\n";
    let asked = place.json(
        4,
        &[
            "exec",
            &call("apply_patch", &json!({"input": patch})),
            "--provider",
            "openai",
        ],
    );
    let id = asked["details"]["approvalId"].as_str().unwrap();
    let shown = place.json(0, &["approvals", "show", id]);
    assert!(shown["diff"].as_str().unwrap().contains("+two"), "{shown}");
    place.json(0, &["exec", &call("read", &json!({"path": "a.txt"}))]);
    place.json(0, &["exec", &call("exec", &json!({"command": "echo x"}))]);
}

#[test]
fn groups_agents_and_restricting_layers_add_up() {
    let place = Place::new("tools: {ask: [read]}\nagents: {list: [{id: a, tools: {ask: [group:runtime]}}]}\n");
    std::fs::write(place.work("a.txt"), "one\n").unwrap();
    let read = call("read", &json!({"path": "a.txt"}));
    let echo = call("exec", &json!({"command": "echo x"}));
    for (agent, call, code) in [("a", &read, 4), ("a", &echo, 4), ("main", &read, 4), ("main", &echo, 0)] {
        let decided = place.json(code, &["check", call, "--agent", agent]);
        let origin = decided["reason"].as_str().unwrap_or_default();
        assert!(code == 0 || origin.contains("config.yaml"), "{decided}");
    }
    // Nobody there to ask is a refusal, whatever the fallback for commands says.
    place.json(
        3,
        &[
            "exec",
            &echo,
            "--agent",
            "a",
            "--on-ask",
            "fallback",
            "--set",
            "tools.exec.askFallback=full",
        ],
    );
}

#[test]
fn who_is_to_be_told_gets_the_request() {
    let place = Place::new("approvals: {notify: {command: [tee, told.json]}}\n");
    let command = call("exec", &json!({"command": "touch x"}));
    let asked = place.json(4, &["exec", &command, "--on-ask", "pending"]);
    assert_eq!(asked["details"]["notified"], true);
    let until = Instant::now() + Duration::from_secs(60);
    let told = loop {
        let text = std::fs::read_to_string(place.work("told.json")).unwrap_or_default();
        match serde_json::from_str::<Value>(&text) {
            Ok(told) => break told,
            Err(_) => assert!(Instant::now() < until, "nobody was told: {text}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(told["id"], asked["details"]["approvalId"]);
    assert_eq!(told["command"], "touch x");
    assert_eq!(told["state"], "pending");
}

#[test]
fn a_person_who_cannot_be_told_is_not_waited_for() {
    let place = Place::new("approvals: {notify: {command: [no-such-program]}}\n");
    let command = call("exec", &json!({"command": "touch x"}));
    // Where somebody is told, waiting is what happens by itself; here it would be in vain.
    let asked = place.json(4, &["exec", &command]);
    assert_eq!(asked["details"]["notified"], false);
    let warnings = asked["warnings"].to_string();
    assert!(
        warnings.contains("approvals.notify") && warnings.contains("no-such-program"),
        "{warnings}"
    );
    assert!(!place.work("x").exists());
}

#[test]
fn the_model_is_told_nothing_of_the_operators_files() {
    let place = Place::new(
        "tools: {exec: {ask: off, allowlist: [git], rules: [{program: git, args: [push], decision: deny, reason: history stays, instead: git fetch}]}}\n",
    );
    for (command, told) in [
        ("git push -f", "history stays"),
        ("git push -f", "git fetch"),
        ("git status && touch x", "`touch x`"),
    ] {
        let call = call("exec", &json!({"command": command}));
        let native = place.json(3, &["exec", &call]);
        assert!(native["reason"].as_str().unwrap().contains("denies") || native["code"] == "allowlist-miss");
        for form in ["native", "openai", "anthropic", "gemini", "mcp"] {
            let mut answer = place.json(3, &["exec", &call, "--result-format", form]);
            if form == "native" {
                answer = answer["content"].clone();
            }
            let text = answer.to_string();
            assert!(text.contains("NOT run") && text.contains(told), "{form}: {text}");
            assert!(
                !text.contains("config.yaml") && !text.contains("allowlist:"),
                "{form}: {text}"
            );
        }
    }
}
