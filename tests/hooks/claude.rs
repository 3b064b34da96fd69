//! The protocol of Claude Code.

use crate::*;

#[test]
fn a_claude_code_blocker_runs_unchanged() {
    let world = World::new();
    let hooks = [claude("block-dangerous.py")];
    let (code, reason) = blocked(&world.ask(&hooks, "exec", json!({"command": "rm -rf /"})));
    assert_eq!(code, Code::HookBlocked);
    assert!(reason.ends_with("Blocked: recursive forced removal"), "{reason}");
    assert_eq!(world.ask(&hooks, "exec", json!({"command": "ls"})).blocked, None);
    let edit = json!({"path": "conf/.env", "edits": [{"oldText": "a", "newText": "b"}]});
    let (_, reason) = blocked(&world.ask(&hooks, "edit", edit));
    assert!(reason.ends_with("ws/conf/.env holds secrets"), "{reason}");
    assert_eq!(
        world
            .ask(&hooks, "write", json!({"path": "a.txt", "content": ""}))
            .blocked,
        None
    );
}

#[test]
fn a_claude_code_rewriter_runs_unchanged() {
    let world = World::new();
    let hooks = [claude("rewrite-command.py")];
    let call = json!({"command": "npm publish", "workdir": "pkg", "timeout": 30, "host": "sandbox"});
    let got = world.ask(&hooks, "exec", call);
    assert_eq!(
        args(&got),
        json!({"command": "npm publish --dry-run", "workdir": "pkg", "timeout": 30, "host": "sandbox"})
    );
    assert!(got.rewritten && got.asks.is_none());
    let got = world.ask(&hooks, "exec", json!({"command": "git log"}));
    assert_eq!(got.notes, ["git runs without a pager here"]);
    let got = world.ask(&hooks, "exec", json!({"command": "./deploy"}));
    assert!(got.asks.unwrap().reason.ends_with("deploys need a person"));
    let got = world.ask(&hooks, "read", json!({"path": "a"}));
    assert_eq!((got.ran, got.rewritten), (1, false));
}

#[test]
fn claude_code_names_and_shapes_are_shown() {
    let world = World::new();
    let shown = |tool: &str, args: Value| -> Value {
        let got = world.ask(&[claude_sh("cat > seen.json; env > env.txt; echo {}")], tool, args);
        assert_eq!((got.blocked, got.rewritten), (None, false));
        serde_json::from_str(&fs::read_to_string(world.ws("seen.json")).unwrap()).unwrap()
    };
    let ws = world.context.workspace.display();
    let seen = shown(
        "exec",
        json!({"command": "ls", "timeout": 1.5, "background": true, "workdir": "x"}),
    );
    assert_eq!(seen["hook_event_name"], "PreToolUse");
    assert_eq!(seen["tool_name"], "Bash");
    assert_eq!(
        seen["tool_input"],
        json!({"command": "ls", "timeout": 1500, "run_in_background": true, "workdir": "x"})
    );
    assert_eq!(seen["session_id"], "agent:main:main");
    assert_eq!(seen["cwd"], ws.to_string());
    assert_eq!(seen["tool_use_id"], "call_1");
    let env = fs::read_to_string(world.ws("env.txt")).unwrap();
    assert!(
        env.contains(&format!("CLAUDE_PROJECT_DIR={ws}\n")) && env.contains("SECRET=x"),
        "{env}"
    );
    assert!(!env.contains("OTEL_"), "{env}");

    let seen = shown("read", json!({"path": "./a/b.txt", "limit": 3}));
    assert_eq!(
        (&seen["tool_name"], &seen["tool_input"]),
        (
            &json!("Read"),
            &json!({"file_path": format!("{ws}/a/b.txt"), "limit": 3})
        )
    );
    let edit = |n: u32| json!({"oldText": format!("a{n}"), "newText": "b"});
    let seen = shown("edit", json!({"path": "/abs", "edits": [edit(1)]}));
    assert_eq!(seen["tool_name"], "Edit");
    assert_eq!(
        seen["tool_input"],
        json!({"file_path": "/abs", "old_string": "a1", "new_string": "b", "replace_all": false})
    );
    let seen = shown("edit", json!({"path": "/abs", "edits": [edit(1), edit(2)]}));
    assert_eq!(seen["tool_name"], "MultiEdit");
    assert_eq!(
        seen["tool_input"]["edits"][1],
        json!({"old_string": "a2", "new_string": "b"})
    );
    let seen = shown("cron", json!({"action": "list"}));
    assert_eq!(
        (&seen["tool_name"], &seen["tool_input"]),
        (&json!("cron"), &json!({"action": "list"}))
    );
}

/// What `updatedInput` of this shell expression makes of a call.
fn updated(world: &World, tool: &str, call: Value, jq: &str) -> Before {
    let script = format!(
        "python3 -c 'import json,sys; i=json.load(sys.stdin)[\"tool_input\"]; {jq}; print(json.dumps({{\"hookSpecificOutput\": {{\"hookEventName\": \"PreToolUse\", \"updatedInput\": i}}}}))'"
    );
    world.ask(&[claude_sh(&script)], tool, call)
}

#[test]
fn an_input_that_comes_back_is_translated_back() {
    let world = World::new();
    let edit = json!({"path": "a.txt", "edits": [{"oldText": "x", "newText": "y"}]});
    assert!(!updated(&world, "edit", edit.clone(), "pass").rewritten);
    let got = updated(&world, "edit", edit.clone(), "i[\"new_string\"]=\"z\"");
    assert_eq!(
        args(&got),
        json!({"path": "a.txt", "edits": [{"oldText": "x", "newText": "z"}]})
    );
    let (code, reason) = blocked(&updated(&world, "edit", edit, "i[\"replace_all\"]=True"));
    assert_eq!(code, Code::HookFailed);
    assert!(reason.contains("replace_all"), "{reason}");
    let got = updated(
        &world,
        "exec",
        json!({"command": "a", "timeout": 5, "env": {"A": "1"}}),
        "i={\"command\": \"b\"}",
    );
    assert_eq!(args(&got), json!({"command": "b", "env": {"A": "1"}}));
    let got = updated(&world, "exec", json!({"command": "a"}), "i[\"timeout\"]=2500");
    assert_eq!(args(&got), json!({"command": "a", "timeout": 2.5}));
    let got = updated(&world, "read", json!({"path": "a"}), "i[\"file_path\"]=\"/etc/passwd\"");
    assert_eq!(args(&got), json!({"path": "/etc/passwd"}));
}

#[test]
fn claude_code_exit_codes_and_answers_decide() {
    let world = World::new();
    let verdict = |script: &str| {
        let got = world.ask(&[claude_sh(script)], "exec", json!({"command": "ls"}));
        match (&got.blocked, &got.asks) {
            (Some(blocked), _) => format!("{} {}", blocked.code.as_str(), blocked.reason),
            (None, Some(wish)) => format!("ask {}", wish.reason),
            (None, None) => format!("pass {}", got.notes.join(",")),
        }
    };
    let specific =
        |rest: &str| format!("printf '%s' '{{\"hookSpecificOutput\": {{\"hookEventName\": \"PreToolUse\", {rest}}}}}'");
    let cases = [
        ("exit 0".to_owned(), "pass "),
        ("echo some text".to_owned(), "pass "),
        ("echo why >&2; exit 2".to_owned(), ": why"),
        (
            "printf '{\"decision\": \"block\", \"reason\": \"json\"}'; echo err >&2; exit 2".to_owned(),
            ": json",
        ),
        ("printf '{broken'; echo err >&2; exit 2".to_owned(), "hook-blocked"),
        (
            format!("{}; exit 2", specific("\"permissionDecision\": \"allow\"")),
            "hook-blocked",
        ),
        ("exit 1".to_owned(), "hook-failed"),
        ("exit 127".to_owned(), "hook-failed"),
        (
            format!("{}; exit 1", specific("\"permissionDecision\": \"allow\"")),
            "hook-failed",
        ),
        ("printf '{broken'".to_owned(), "hook-failed"),
        (
            "printf '{\"decision\": \"block\", \"reason\": \"legacy\"}'".to_owned(),
            ": legacy",
        ),
        ("printf '{\"decision\": \"approve\"}'".to_owned(), "pass "),
        ("printf '{\"decision\": \"maybe\"}'".to_owned(), "hook-failed"),
        (
            "printf '{\"continue\": false, \"stopReason\": \"halt\"}'".to_owned(),
            ": halt",
        ),
        ("printf '{\"continue\": \"false\"}'".to_owned(), "hook-failed"),
        (
            "printf '{\"continue\": true, \"suppressOutput\": true, \"systemMessage\": \"hi\"}'".to_owned(),
            "pass hi",
        ),
        (
            specific("\"permissionDecision\": \"deny\", \"permissionDecisionReason\": \"no\""),
            ": no",
        ),
        (
            specific("\"permissionDecision\": \"ask\", \"permissionDecisionReason\": \"sure?\""),
            "ask ",
        ),
        (specific("\"permissionDecision\": \"defer\""), "ask "),
        (specific("\"permissionDecision\": \"DENY\""), "hook-failed"),
        (specific("\"updatedInput\": \"x\""), "hook-failed"),
        (specific("\"additionalContext\": \"note\""), "pass note"),
        (
            "printf '{\"hookSpecificOutput\": {\"permissionDecision\": \"deny\"}}'".to_owned(),
            "hook-failed",
        ),
    ];
    for (script, want) in cases {
        let got = verdict(&script);
        assert!(got.contains(want), "{script}\n  got  {got}\n  want {want}");
    }
}
