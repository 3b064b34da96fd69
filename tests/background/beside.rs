//! Several calls at the same time have the answers of one after another.

use crate::world::*;
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::Stdio;

/// Gives calls as one document or as a stream; their answers, without what is of a moment.
fn answers(world: &World, calls: &[Value], more: &[&str], stream: bool) -> Vec<Value> {
    let mut args = vec!["exec", "-o", "json", "--session", "s1", "--on-ask", "pending"];
    if stream {
        args = vec!["exec", "--jsonl", "-", "--session", "s1", "--on-ask", "pending"];
    }
    args.extend(more);
    let mut child = world
        .command(&args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: Vec<String> = calls.iter().map(Value::to_string).collect();
    let text = if stream {
        lines.join("\n") + "\n"
    } else {
        format!("[{}]", lines.join(","))
    };
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    let mut answers: Vec<Value> = if stream {
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    } else {
        serde_json::from_str(&said).unwrap_or_else(|e| panic!("{e}: {said} {:?}", String::from_utf8_lossy(&out.stderr)))
    };
    for answer in &mut answers {
        answer["durationMs"] = Value::Null;
        if let Some(details) = answer["details"].as_object_mut() {
            for own in ["durationMs", "approvalId", "approvalSlug", "expiresAtMs"] {
                details.remove(own);
            }
        }
    }
    answers
}

fn call(id: usize, tool: &str, args: Value) -> Value {
    json!({"id": format!("call_{id}"), "tool": tool, "args": args})
}

#[test]
fn calls_beside_each_other_are_answered_as_one_after_another() {
    let mut calls = Vec::new();
    for n in 0..6 {
        calls.push(call(n, "exec", json!({"command": format!("echo {n}; exit {n}")})));
        calls.push(call(
            10 + n,
            "write",
            json!({"path": format!("f{n}"), "content": format!("text {n}\n")}),
        ));
        calls.push(call(20 + n, "read", json!({"path": format!("f{n}")})));
        calls.push(call(
            30 + n,
            "write",
            json!({"path": "one", "content": format!("{n}\n")}),
        ));
        calls.push(call(
            40 + n,
            "edit",
            json!({"path": "one", "edits": [{"oldText": format!("{n}"), "newText": format!("{}", n + 100)}]}),
        ));
        calls.push(call(50 + n, "exec", json!({"command": format!("cat f{n} one")})));
    }
    calls.push(json!({"tool": 7}));
    calls.push(call(60, "nothing_like_it", json!({})));
    calls.push(call(61, "exec", json!({"command": "kill -9 $$"})));
    calls.push(call(62, "read", json!({"path": "../outside"})));
    for stream in [false, true] {
        let run = |more: &[&str]| {
            let world = World::new("tools: {exec: {security: full, ask: off, floor: 'off'}}\n");
            let mut all = answers(&world, &calls, more, stream);
            for answer in &mut all {
                let text = answer.to_string().replace(world.dir.path().to_str().unwrap(), "DIR");
                *answer = serde_json::from_str(&text).unwrap();
                if answer["tool"] == "" {
                    answer["id"] = Value::Null;
                }
            }
            let files: Vec<_> = ["f0", "f5", "one"]
                .map(|f| std::fs::read_to_string(world.path("work").join(f)).unwrap())
                .into();
            (all, files)
        };
        let one = run(&[]);
        assert_eq!(one.0.len(), calls.len());
        assert_eq!(run(&["--jobs", "8"]), one, "stream: {stream}");
    }
}

#[test]
fn commands_run_at_the_same_time_where_that_is_asked_for() {
    let world = World::new(OPEN);
    // Each waits for the other: one after another they would never end.
    let calls = [
        call(
            1,
            "exec",
            json!({"command": "touch a; until test -e b; do sleep 0.02; done; echo first"}),
        ),
        call(
            2,
            "exec",
            json!({"command": "touch b; until test -e a; do sleep 0.02; done; echo second"}),
        ),
    ];
    for stream in [false, true] {
        let got = answers(&world, &calls, &["--jobs", "2"], stream);
        assert_eq!((text(&got[0]), text(&got[1])), ("first", "second"));
        std::fs::remove_file(world.path("work/a")).unwrap();
        std::fs::remove_file(world.path("work/b")).unwrap();
    }
}

#[test]
fn what_goes_on_in_the_background_outlives_the_calls_beside_it() {
    let world = World::new(OPEN);
    let calls: Vec<Value> = (0..4)
        .map(|n| {
            call(
                n,
                "exec",
                json!({"command": format!("echo {n}; exec sleep 1000"), "background": true}),
            )
        })
        .collect();
    let got = answers(&world, &calls, &["--jobs", "4"], false);
    for answer in &got {
        assert_eq!(answer["status"], "running", "{answer}");
        let id = answer["details"]["sessionId"].as_str().unwrap();
        assert_eq!(world.process("poll", id, json!({}))["details"]["status"], "running");
    }
}

#[test]
fn a_question_of_one_is_left_pending_and_the_others_run() {
    let world = World::new("tools: {exec: {allowlist: [echo, date], ask: on-miss}}\n");
    let calls = [
        call(1, "exec", json!({"command": "touch hit"})),
        call(2, "exec", json!({"command": "echo ran"})),
        call(3, "exec", json!({"command": "touch hit2"})),
    ];
    let got = answers(&world, &calls, &["--jobs", "3"], false);
    let statuses: Vec<&str> = got.iter().map(|a| a["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["approval-pending", "completed", "approval-pending"]);
    let listed = world.approvals(&["list", "-o", "json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(listed["approvals"].as_array().unwrap().len(), 2);
}

/// What calls print for people: standard output and standard error.
fn printed(world: &World, calls: &[Value], more: &[&str]) -> (i32, String, String) {
    let lines: Vec<String> = calls.iter().map(Value::to_string).collect();
    std::fs::write(world.path("calls.json"), format!("[{}]", lines.join(","))).unwrap();
    let file = format!("@{}", world.path("calls.json").display());
    let args = [&["exec", &file, "--session", "s1", "--on-ask", "pending"], more].concat();
    let out = world.command(&args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
}

#[test]
fn what_commands_print_for_people_is_the_same_beside_each_other() {
    let commands = [
        "echo one",
        "echo two; echo aside >&2; exit 3",
        "seq 1 60000",
        "echo before; kill -9 $$",
        "no_program_of_this_name",
        "printf 'no line end'",
        "true",
    ];
    let mut calls: Vec<Value> = (0..)
        .zip(commands)
        .map(|(n, text)| call(n, "exec", json!({"command": text})))
        .collect();
    calls.push(call(20, "write", json!({"path": "f", "content": "written"})));
    calls.push(call(21, "read", json!({"path": "f"})));
    calls.push(json!({"tool": 7}));
    let run = |more: &[&str]| {
        let world = World::new("tools: {exec: {security: full, ask: off, floor: 'off'}}\n");
        printed(&world, &calls, more)
    };
    let one = run(&[]);
    for part in ["one\ntwo\naside\n1\n", "\n60000\nbefore\n", "no line end", "written"] {
        assert!(one.1.contains(part), "{part}: {}", one.1.len());
    }
    for jobs in ["2", "8"] {
        assert!(run(&["--jobs", jobs]) == one, "--jobs {jobs}");
    }
}

#[test]
fn who_waits_beside_others_hears_what_for() {
    let world = World::new("tools: {exec: {allowlist: [echo], ask: on-miss, askTimeoutSec: 1}}\n");
    let calls = [
        call(1, "exec", json!({"command": "touch hit"})),
        call(2, "exec", json!({"command": "echo ran"})),
    ];
    let lines: Vec<String> = calls.iter().map(Value::to_string).collect();
    std::fs::write(world.path("calls.json"), format!("[{}]", lines.join(","))).unwrap();
    let file = format!("@{}", world.path("calls.json").display());
    for jobs in ["1", "2"] {
        let out = world
            .command(&["exec", &file, "--on-ask", "wait", "--jobs", jobs])
            .output()
            .unwrap();
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(said.contains("waiting for approval until 20"), "{said}");
        assert!(said.contains("`toolctl approvals allow "), "{said}");
        assert!(said.contains("nobody answered within 1 s"), "{said}");
        assert_eq!(String::from_utf8(out.stdout).unwrap(), "ran\n");
        assert_eq!(out.status.code(), Some(3));
    }
}
