//! Calls through the whole pipeline: file tools, command tools, answers in the caller's form.

use crate::support::{Test, repository};

#[test]
fn a_file_is_read() {
    let test = Test::new(&["exec", r#"{"tool":"Read","args":{"file_path":"a.txt"}}"#]).file("a.txt", "hello\n");
    assert_eq!(test.run().exits(0).stdout, "hello\n");
}

#[test]
fn several_calls_run_in_order_and_the_gravest_exit_code_wins() {
    let calls = r#"[{"tool":"write","args":{"path":"x","content":"1"}},{"tool":"read","args":{"path":"x"}},
                    {"tool":"read","args":{"path":"/etc/passwd"}},{"tool":"nope","args":{}}]"#;
    let doc = Test::new(&["exec", calls, "-o", "json"]).run().exits(3).json();
    let codes: Vec<_> = doc
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["ok", "ok", "path-escape", "unknown-tool"]);
}

#[test]
fn a_command_tool_answers_text_json_or_a_result() {
    let tool = |name: &str, script: &str| {
        let parameters = "{type: object, properties: {q: {type: string}}}";
        format!("{{name: {name}, description: d, parameters: {parameters}, command: [sh, -c, '{script}']}}")
    };
    let yaml = format!(
        "plugins: {{p: {{tools: [{}, {}, {}, {}, {}]}}}}\n",
        tool("text", "echo plain"),
        tool("json", "echo [1,2]"),
        tool(
            "result",
            r#"echo {\"content\":[{\"type\":\"text\",\"text\":\"made\"}],\"details\":{\"n\":1}}"#
        ),
        tool("input", "cat"),
        tool("broken", "echo what >&2; exit 3"),
    );
    let call = |name: &str| format!(r#"{{"tool":"{name}","args":{{"q":"v"}},"id":"c7"}}"#);
    let run = |name: &str| Test::new(&["exec", &call(name), "-o", "json"]).config(&yaml).run();
    assert_eq!(run("text").exits(0).json()["content"][0]["text"], "plain\n");
    assert_eq!(
        run("json").exits(0).json()["details"]["value"],
        serde_json::json!([1, 2])
    );
    let result = run("result").exits(0).json();
    assert_eq!(
        (result["content"][0]["text"].as_str(), result["details"]["n"].as_i64()),
        (Some("made"), Some(1))
    );
    let input = run("input").exits(0).json()["details"].clone();
    assert_eq!(
        (input["tool"].as_str(), input["args"]["q"].as_str()),
        (Some("input"), Some("v"))
    );
    assert_eq!(
        (input["id"].as_str(), input["agent"].as_str()),
        (Some("c7"), Some("main"))
    );
    let broken = run("broken").exits(1).json();
    assert_eq!(
        (broken["code"].as_str(), broken["content"][0]["text"].as_str()),
        (Some("tool-failed"), Some("what"))
    );
}

#[test]
fn a_command_tool_sees_only_its_own_environment() {
    let yaml = "plugins: {p: {tools: [{name: env, description: d, parameters: {}, command: [env], env: {MINE: m}}]}}\n";
    let ran = Test::new(&["exec", r#"{"tool":"env","args":{}}"#])
        .config(yaml)
        .env("SECRET_TOKEN", "s")
        .env("TOOLCTL_X", "y")
        .run()
        .exits(0);
    let names: Vec<&str> = ran.stdout.lines().filter_map(|l| l.split('=').next()).collect();
    for name in ["PATH", "HOME", "LANG", "MINE", "TOOLCTL_X"] {
        assert!(names.contains(&name), "{name} is missing: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("SECRET_TOKEN"), "{}", ran.stdout);
}

#[test]
fn the_value_of_a_secret_variable_is_hidden_wherever_it_stands() {
    let command = r#"{"tool":"exec","args":{"command":"echo the word is hunter2-prod, not production"}}"#;
    let ran = Test::new(&["exec", command])
        .config("tools: {exec: {security: full, ask: off}}\n")
        .env("DB_PASSWORD", "hunter2-prod")
        .env("STAGE_KEY", "production")
        .run()
        .exits(0);
    assert!(!ran.stdout.contains("hunter2"), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("the word is "), "{}", ran.stdout);
    assert!(ran.stdout.contains("not production"), "{}", ran.stdout);
}

#[test]
fn a_command_tool_ends_at_its_time_limit() {
    let yaml = "plugins: {p: {tools: [{name: slow, description: d, parameters: {}, command: [sleep, '30'], timeoutSec: 1}]}}\n";
    let doc = Test::new(&["exec", r#"{"tool":"slow","args":{}}"#, "-o", "json"])
        .config(yaml)
        .run()
        .exits(124)
        .json();
    assert_eq!(
        (doc["status"].as_str(), doc["isError"].as_bool()),
        (Some("timeout"), Some(true))
    );
}

#[test]
fn a_workspace_program_never_stands_for_a_bare_name() {
    let yaml = "plugins: {p: {tools: [{name: t, description: d, parameters: {}, command: [only-here]}]}}\n";
    let test = Test::new(&["exec", r#"{"tool":"t","args":{}}"#, "-o", "json"])
        .config(yaml)
        .file("only-here", "#!/bin/sh\n");
    let work = test.work();
    std::fs::set_permissions(
        work.join("only-here"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    let path = format!("{}:/usr/bin", work.display());
    let doc = test.env("PATH", path).run().exits(2).json();
    assert_eq!(doc["code"], "no-executor");
}

#[test]
fn an_answer_takes_the_form_that_is_asked_for() {
    let call = r#"{"type":"tool_use","id":"toolu_1","name":"agents_list","input":{}}"#;
    let same = Test::new(&["exec", call, "--result-format", "same"])
        .run()
        .exits(0)
        .json();
    assert_eq!(
        (same["type"].as_str(), same["tool_use_id"].as_str()),
        (Some("tool_result"), Some("toolu_1"))
    );
    let native = Test::new(&["exec", call, "-o", "json"]).run().exits(0).json();
    assert_eq!(
        (native["id"].as_str(), native["status"].as_str()),
        (Some("toolu_1"), Some("completed"))
    );
}

#[test]
fn the_same_call_again_and_again_is_stopped_in_a_session() {
    let yaml = "tools: {loopDetection: {enabled: true, warningThreshold: 2, criticalThreshold: 3, globalCircuitBreakerThreshold: 4}}\n";
    let stream = "{\"tool\":\"agents_list\",\"args\":{}}\n".repeat(6);
    let ran = Test::new(&["exec", "--jsonl", "-", "--session", "s1"])
        .config(yaml)
        .stdin(&stream)
        .run()
        .exits(0);
    let codes: Vec<String> = ran
        .stdout
        .lines()
        .map(|l| {
            serde_json::from_str::<serde_json::Value>(l).unwrap()["code"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(codes, ["ok", "ok", "ok", "ok", "loop-critical", "loop-critical"]);
}

#[test]
fn secrets_do_not_leave_in_results() {
    let test = Test::new(&["exec", r#"{"tool":"read","args":{"path":"k"}}"#])
        .file("k", "key sk-abcdEFGH12345678ijklMNOP done\n");
    let ran = test.run().exits(0);
    assert!(!ran.stdout.contains("abcdEFGH12345678ijkl"), "{}", ran.stdout);
}

#[test]
fn the_example_configurations_command_tool_runs() {
    let example = repository("fixtures/config/example.yaml");
    let call = r#"{"tool":"release_notes","args":{}}"#;
    let ran = Test::new(&[
        "exec",
        call,
        "--agent",
        "research",
        "--config",
        example.to_str().unwrap(),
    ])
    .run()
    .exits(0);
    assert!(!ran.stdout.trim().is_empty());
}

#[test]
fn an_image_that_a_command_tool_names_is_shown() {
    let yaml = "plugins: {p: {tools: [{name: shot, description: d, parameters: {}, command: [printf, '{\"path\":\"a.png\"}']}]}}\n";
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";
    let call = r#"{"tool":"shot","args":{}}"#;
    let doc = Test::new(&["exec", call, "-o", "json"])
        .config(yaml)
        .file("a.png", png)
        .run()
        .exits(0)
        .json();
    assert_eq!(
        (
            doc["content"][1]["type"].as_str(),
            doc["content"][1]["mimeType"].as_str()
        ),
        (Some("image"), Some("image/png"))
    );
    let outside = yaml.replace("a.png", "../home/a.png");
    let doc = Test::new(&["exec", call, "-o", "json"])
        .config(outside)
        .run()
        .exits(0)
        .json();
    assert_eq!(doc["content"].as_array().unwrap().len(), 1);
}

#[test]
fn an_interrupted_call_is_cancelled_with_its_whole_tree() {
    use std::process::{Command, Stdio};
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("late");
    let started = dir.path().join("started");
    let command = format!(
        "touch {}; (setsid sh -c 'sleep 2; touch {}' &) ; sleep 30",
        started.display(),
        mark.display()
    );
    let call = serde_json::json!({"tool": "exec", "args": {"command": command}}).to_string();
    let child = Command::new(env!("CARGO_BIN_EXE_toolctl"))
        .args([
            "exec",
            &call,
            "-o",
            "json",
            "--isolated",
            "--set",
            "tools.exec.security=full",
            "--set",
            "tools.exec.ask=off",
        ])
        .arg("--workspace")
        .arg(dir.path())
        .arg("--state-dir")
        .arg(dir.path().join("state"))
        .env("HOME", dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    for _ in 0..600 {
        if started.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let doc: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(
        (output.status.code(), doc["status"].as_str()),
        (Some(130), Some("cancelled"))
    );
    std::thread::sleep(std::time::Duration::from_millis(2500));
    assert!(!mark.exists(), "a process that left its group outlived the call");
}
