//! The same call again, a request that is decided, and one that nobody knows.

use super::approvals::Place;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn told(place: &Place, events: usize) -> Vec<Value> {
    let begin = Instant::now();
    loop {
        let text = std::fs::read_to_string(place.work("told.jsonl")).unwrap_or_default();
        let lines: Vec<Value> = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        if lines.len() >= events {
            return lines;
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "{text}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

const NOTIFY: &str = "approvals: {notify: {command: [tee, -a, told.jsonl]}}\n";

fn call(id: &str, command: &str) -> String {
    json!({"tool": "exec", "args": {"command": command}, "id": id}).to_string()
}

#[test]
fn a_decision_is_told_beside_the_question() {
    for (words, state) in [
        (&["allow"][..], "allowed"),
        (&["deny", "--reason", "not now"], "denied"),
    ] {
        let place = Place::new(NOTIFY);
        let asked = place.json(4, &["exec", "--on-ask", "pending", &call("c", "touch made")]);
        let id = asked["details"]["approvalId"].as_str().unwrap();
        let requested = told(&place, 1);
        assert_eq!(
            (&requested[0]["event"], &requested[0]["state"]),
            (&json!("requested"), &json!("pending"))
        );
        place.json(0, &[&["approvals", words[0], id], &words[1..]].concat());
        let resolved = told(&place, 2);
        assert_eq!(
            (&resolved[1]["event"], &resolved[1]["state"]),
            (&json!("resolved"), &json!(state))
        );
        assert_eq!(resolved[1]["id"], id);
    }
}

#[test]
fn the_same_call_again_is_the_same_request() {
    let place = Place::new(NOTIFY);
    let ask = |id: &str, command: &str| {
        let asked = place.json(4, &["exec", "--on-ask", "pending", &call(id, command)]);
        asked["details"]["approvalId"].as_str().unwrap().to_owned()
    };
    let first = ask("c", "touch made");
    assert_eq!(ask("c", "touch made"), first);
    assert_ne!(ask("d", "touch made"), first);
    // Another command under the same id is another question.
    assert_ne!(ask("c", "touch other"), first);
    assert_eq!(
        place.json(0, &["approvals", "list"])["approvals"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    assert_eq!(told(&place, 3).len(), 3);
    place.json(0, &["approvals", "deny", &first]);
    assert_ne!(ask("c", "touch made"), first);
}

#[test]
fn an_unknown_request_is_answered_with_a_document() {
    let place = Place::new("");
    let said = place.json(2, &["exec", "--approval", "ffffffff"]);
    assert_eq!(
        (&said["status"], &said["code"]),
        (&json!("denied"), &json!("approval-unknown"))
    );
    assert_eq!((&said["schemaVersion"], &said["isError"]), (&json!(1), &json!(true)));
    place.complains(2, &["exec", "--approval", "ffffffff"], "approval-unknown");
}

#[test]
fn an_awaited_hook_changes_what_is_printed() {
    let place = Place::new(
        "tools: {exec: {security: full, floor: off}}\nhooks: {afterToolCall: [{protocol: claude-code, command: [sh, -c, \
         \"echo '{\\\"hookSpecificOutput\\\": {\\\"hookEventName\\\": \\\"PostToolUse\\\", \\\"updatedToolOutput\\\": \\\"masked\\\", \
         \\\"additionalContext\\\": \\\"look\\\"}}'\"]}]}\n",
    );
    let call = call("c", "echo plain");
    let said = place.json(0, &["exec", &call]);
    let texts: Vec<_> = said["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["text"].clone())
        .collect();
    assert_eq!(texts, [json!("masked"), json!("look")], "{said}");
    let out = place.run(&["exec", "-o", "text", &call]);
    assert_eq!(String::from_utf8(out.stdout).unwrap(), "masked\nlook\n");
}
