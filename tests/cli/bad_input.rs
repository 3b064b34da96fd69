//! What goes wrong, and how it is said: usage, contexts, configurations, calls.

use crate::support::Test;

#[test]
fn usage_errors_exit_with_two_and_say_what_there_is() {
    Test::new(&["lisst"]).run().exits(2).complains(&["lisst", "list"]);
    Test::new(&["list", "--agnet", "x"])
        .run()
        .exits(2)
        .complains(&["--agnet", "--agent"]);
    Test::new(&["list", "-o", "xml"])
        .run()
        .exits(2)
        .complains(&["`xml`", "table, json, jsonl, yaml, name"]);
    Test::new(&["exec", "{}", "--result-format", "cobol"])
        .run()
        .exits(2)
        .complains(&["`cobol`", "anthropic"]);
    Test::new(&["exec", "{}", "--result-format", "mcp", "-o", "text"])
        .run()
        .exits(2)
        .complains(&["`text`"]);
}

#[test]
fn an_unknown_agent_names_the_nearest() {
    Test::new(&["list", "--agent", "reserch"])
        .config("agents: {list: [{id: research}]}\n")
        .run()
        .exits(2)
        .complains(&["`reserch`", "did you mean `research`?"]);
    Test::new(&["list", "--session", "agent:nobody:main"])
        .run()
        .exits(2)
        .complains(&["`nobody`", "main"]);
}

#[test]
fn a_session_key_is_short_printable_text() {
    let long = "x".repeat(513);
    Test::new(&["list", "--session", &long])
        .run()
        .exits(2)
        .complains(&["513 bytes", "512"]);
    Test::new(&["list", "--spawned-by", "a\nb"])
        .run()
        .exits(2)
        .complains(&["--spawned-by", "control character"]);
}

#[test]
fn a_missing_workspace_is_refused() {
    Test::new(&["list", "--workspace", "nowhere"])
        .run()
        .exits(2)
        .complains(&["nowhere", "--workspace"]);
    Test::new(&["exec", "{}"])
        .config("agents: {defaults: {workspace: gone}}\n")
        .run()
        .exits(2)
        .complains(&["gone"]);
}

#[test]
fn a_config_error_shows_its_line_and_the_nearest_key_and_nothing_runs() {
    let test = Test::new(&["exec", r#"{"tool":"write","args":{"path":"x","content":"y"}}"#])
        .config("tools:\n  alow: [read]\n  profile: codding\n");
    let (config, work) = (test.path("config.yaml"), test.work());
    let at = |line: u32, column: u32| format!("{}:{line}:{column}", config.display());
    let ran = test.run().exits(2);
    for part in ["`alow`", "allow", "  alow: [read]", "codding", &at(2, 3), &at(3, 12)] {
        assert!(ran.stderr.contains(part), "`{part}` is missing in {}", ran.stderr);
    }
    assert!(!work.join("x").exists());
    assert_eq!(ran.stdout, "");
}

#[test]
fn a_config_file_that_is_not_there_is_an_error() {
    Test::new(&["list", "--config", "missing.yaml"])
        .run()
        .exits(2)
        .complains(&["missing.yaml"]);
}

#[test]
fn what_is_set_on_the_command_line_is_checked_too() {
    Test::new(&["list", "--set", "tools.exec.ask=sometimes"])
        .run()
        .exits(2)
        .complains(&["--set 1", "sometimes"]);
    Test::new(&["list", "--set", "tools"])
        .run()
        .exits(2)
        .complains(&["--set"]);
    let ran = Test::new(&["list", "-o", "name", "--set", "tools.allow=[read]"])
        .run()
        .exits(0);
    assert_eq!(ran.stdout, "read\n");
}

#[test]
fn what_is_no_call_is_answered_as_malformed() {
    for text in [
        "",
        "{",
        "[]",
        "{}",
        "nonsense",
        "[1]",
        r#"{"tool":1}"#,
        r#"{"tool":"read","tool":"exec"}"#,
        "null",
    ] {
        let ran = Test::new(&["exec", "-", "-o", "json"]).stdin(text).run().exits(2);
        let whole = ran.json();
        let doc = whole.get(0).unwrap_or(&whole);
        assert_eq!(
            (doc["code"].as_str(), doc["status"].as_str()),
            (Some("malformed-call"), Some("denied")),
            "{text}"
        );
        assert!(!doc["reason"].as_str().unwrap().is_empty());
        let checked = Test::new(&["check", "-", "-o", "json"])
            .stdin(text)
            .run()
            .exits(2)
            .json();
        let checked = checked.get(0).unwrap_or(&checked);
        assert_eq!(
            (checked["decision"].as_str(), checked["code"].as_str()),
            (Some("deny"), Some("malformed-call"))
        );
    }
    Test::new(&["exec", "-"])
        .stdin([0xff, 0xfe])
        .run()
        .exits(2)
        .complains(&["UTF-8"]);
    Test::new(&["exec", "@gone.json"])
        .run()
        .exits(2)
        .complains(&["gone.json"]);
}

#[test]
fn calls_that_cannot_be_made_have_their_codes() {
    let cases = [
        (r#"{"tool":"reed","args":{}}"#, 2, "unknown-tool"),
        (r#"{"tool":"read","args":{}}"#, 2, "invalid-params"),
        (r#"{"tool":"tts","args":{"text":"x"}}"#, 2, "no-executor"),
        (r#"{"tool":"cron","args":{"action":"status"}}"#, 3, "owner-only"),
        (r#"{"tool":"message","args":{"action":"send"}}"#, 3, "tool-not-allowed"),
        (r#"{"tool":"read","args":{"path":"../outside"}}"#, 3, "path-escape"),
    ];
    for (call, exit, code) in cases {
        for command in ["exec", "check"] {
            let doc = Test::new(&[command, call, "-o", "json"])
                .config("tools: {deny: [message]}\n")
                .run()
                .exits(exit)
                .json();
            assert_eq!(doc["code"], code, "{command} {call}");
            assert!(!doc["reason"].as_str().unwrap().is_empty());
        }
    }
}

#[test]
fn a_stream_goes_on_after_a_malformed_line() {
    let stream = "{\"tool\":\"agents_list\",\"args\":{},\"id\":\"a\"}\n\nnonsense\n{\"tool\":\"agents_list\",\"args\":{},\"id\":\"b\"}\n";
    let ran = Test::new(&["exec", "--jsonl", "-"]).stdin(stream).run().exits(2);
    let rows: Vec<serde_json::Value> = ran.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let codes: Vec<_> = rows.iter().map(|r| r["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["ok", "malformed-call", "ok"]);
    assert_eq!((rows[0]["id"].as_str(), rows[2]["id"].as_str()), (Some("a"), Some("b")));
    let clean = Test::new(&["exec", "--jsonl", "-"])
        .stdin("{\"tool\":\"reed\",\"args\":{}}\n")
        .run();
    clean.exits(0);
}
