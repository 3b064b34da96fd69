//! What happens behind a call.

use crate::*;

fn outcome(code: Code, status: Status, text: &str, details: Value) -> Outcome {
    let Value::Object(details) = details else {
        panic!("not an object")
    };
    let exit_code = details.get("exitCode").and_then(Value::as_i64);
    Outcome {
        id: "call_1".to_owned(),
        tool: "exec".to_owned(),
        status,
        code,
        reason: None,
        content: vec![Block::Text(text.to_owned())],
        details,
        exit_code: exit_code.and_then(|code| i32::try_from(code).ok()),
        warnings: Vec::new(),
        duration_ms: 12,
    }
}

/// The watching process: this test binary, told to be it.
#[test]
fn supervisor_entry() {
    if std::env::var_os("TOOLCTL_SUPERVISE").is_some() {
        supervise(std::io::stdin(), |note, failure| {
            let mut all = fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open("failures")
                .unwrap();
            std::io::Write::write_all(&mut all, format!("{note} {failure}\n").as_bytes()).unwrap();
        })
        .unwrap();
    }
}

fn start(
    world: &World,
    after: &mut AfterHooks,
    hooks: &[HookEntry],
    call: &HookCall<'_>,
    outcome: &Outcome,
) -> Vec<String> {
    let mut env = world.env.clone();
    env.push(("TOOLCTL_SUPERVISE".into(), "1".into()));
    let around = Surroundings {
        launch: launch::Surroundings {
            env: &env,
            ..world.around().launch
        },
        ..world.around()
    };
    let program = std::env::current_exe().unwrap();
    let args = ["--exact", "after::supervisor_entry", "--nocapture"].map(OsString::from);
    let supervisor = Supervisor {
        program: &program,
        args: &args,
        errors: ErrorStream::Discarded,
        note: &json!("noted"),
    };
    after.start(hooks, call, outcome, around, supervisor)
}

/// Waits until a file has this many lines, and reads it.
fn wait_for(path: &Path, lines: usize) -> String {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(20) {
        let text = fs::read_to_string(path).unwrap_or_default();
        if text.lines().count() >= lines && text.ends_with('\n') {
            return text;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{} was not written", path.display());
}

#[test]
fn after_hooks_learn_what_came_of_the_call() {
    let world = World::new();
    let mut after = AfterHooks::default();
    let call = world.call("exec", json!({"command": "rewritten"}));
    let done = outcome(Code::Ok, Status::Completed, &"x".repeat(9000), json!({"exitCode": 0}));
    let hooks = [sh("cat >> native"), claude_sh("cat >> claude")];
    assert_eq!(start(&world, &mut after, &hooks, &call, &done), Vec::<String>::new());
    let native: Value = serde_json::from_str(&wait_for(&world.ws("native"), 1)).unwrap();
    assert_eq!(native["event"], "afterToolCall");
    assert_eq!(native["args"], json!({"command": "rewritten"}));
    assert_eq!(
        (&native["status"], &native["error"], &native["durationMs"]),
        (&json!("completed"), &Value::Null, &json!(12))
    );
    let text = native["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(text.chars().filter(|c| *c == 'x').count(), 8000);
    let claude: Value = serde_json::from_str(&wait_for(&world.ws("claude"), 1)).unwrap();
    assert_eq!(claude["hook_event_name"], "PostToolUse");
    assert_eq!(
        (&claude["tool_response"]["interrupted"], &claude["duration_ms"]),
        (&json!(false), &json!(12))
    );

    let failed = outcome(Code::ToolFailed, Status::Failed, "\nno such file\nmore", json!({}));
    start(
        &world,
        &mut after,
        &[sh("cat > failed"), claude_sh("cat > claude-failed")],
        &call,
        &failed,
    );
    let native: Value = serde_json::from_str(&wait_for(&world.ws("failed"), 1)).unwrap();
    assert_eq!(
        (&native["isError"], &native["error"]),
        (&json!(true), &json!("no such file"))
    );
    let claude: Value = serde_json::from_str(&wait_for(&world.ws("claude-failed"), 1)).unwrap();
    assert_eq!(
        (&claude["hook_event_name"], &claude["error"]),
        (&json!("PostToolUseFailure"), &json!("no such file"))
    );

    let status = outcome(Code::Ok, Status::Completed, "out", json!({"exitCode": 3}));
    start(&world, &mut after, &[claude_sh("cat > status")], &call, &status);
    let claude: Value = serde_json::from_str(&wait_for(&world.ws("status"), 1)).unwrap();
    assert_eq!(claude["error"], "Exit code 3\nout");
}

#[test]
fn a_claude_code_formatter_runs_unchanged() {
    let world = World::new();
    let mut after = AfterHooks::default();
    fs::write(world.ws("note.md"), "one  \ntwo\t\n").unwrap();
    let call = world.call("write", json!({"path": "note.md", "content": "one  \ntwo\t\n"}));
    let done = outcome(Code::Ok, Status::Completed, "written", json!({}));
    start(&world, &mut after, &[claude("format-file.sh")], &call, &done);
    assert_eq!(wait_for(&world.ws("format.log"), 1), "formatted note.md\n");
    assert_eq!(fs::read_to_string(world.ws("note.md")).unwrap(), "one\ntwo\n");
}

#[test]
fn after_hooks_delay_nothing_and_are_ended_in_time() {
    let world = World::new();
    let mut after = AfterHooks::default();
    let hanging = HookEntry {
        timeout_ms: 300,
        ..sh("cat > /dev/null; echo $$ > pid; exec sleep 1000")
    };
    let hooks = [
        sh("cat > /dev/null; while [ ! -e go ]; do sleep 0.02; done"),
        hanging,
        sh("cat > /dev/null; echo done > next"),
        sh("exit 1"),
        sh("kill -9 $$"),
        sh("echo end > end"),
    ];
    let call = world.call("exec", json!({}));
    let done = outcome(Code::Ok, Status::Completed, "x", json!({}));
    start(&world, &mut after, &hooks, &call, &done);
    // Nothing has waited: the first hook comes to its end only now.
    assert!(!world.ws("next").exists());
    fs::write(world.ws("go"), "").unwrap();
    let pid = wait_for(&world.ws("pid"), 1);
    wait_for(&world.ws("end"), 1);
    assert!(world.ws("next").exists());
    assert!(!alive(&pid), "the hanging hook lives on");
    let failures = wait_for(&world.ws("failures"), 3);
    for how in ["did not end in 300 ms", "ended with status 1", "was killed by signal 9"] {
        assert!(failures.contains(how), "{how}: {failures}");
    }
    assert!(
        failures
            .lines()
            .all(|line| line.starts_with("\"noted\" the after-hook `sh`")),
        "{failures}"
    );
}

#[test]
fn an_after_hook_that_cannot_start_is_only_told() {
    let world = World::new();
    let mut after = AfterHooks::default();
    let missing = HookEntry {
        command: command(&["no-such-program-here"]),
        ..sh("")
    };
    let call = world.call("exec", json!({}));
    let done = outcome(Code::Ok, Status::Completed, "x", Value::Object(Map::new()));
    let problems = start(&world, &mut after, &[missing, sh("echo ran > ran")], &call, &done);
    assert!(
        problems.len() == 1 && problems[0].contains("is not on PATH"),
        "{problems:?}"
    );
    wait_for(&world.ws("ran"), 1);
}
