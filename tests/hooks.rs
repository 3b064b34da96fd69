//! Real hook commands: the protocols, the chain, and hooks that misbehave.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop there"
)]

use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use toolctl::config::{self, CommandTrust, ConfiguredCommand, HookEntry, HookProtocol, OnError, TrustedScript};
use toolctl::hook::{AfterHooks, Before, HookCall, Supervisor, Surroundings, before, supervise};
use toolctl::launch;
use toolctl::model::{Block, Code, Context, Origin, Outcome, Sender, Sourced, Status};
use toolctl::process::{Interrupts, Voice};

/// A workspace, its caller, and what hooks take from outside.
struct World {
    dir: TempDir,
    context: Context,
    env: Vec<(OsString, OsString)>,
    interrupts: Interrupts,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let workspace = dir.path().join("ws");
        fs::create_dir(&workspace).unwrap();
        let env = [
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "HOME=/nowhere",
            "SECRET=x",
            "OTEL_A=1",
            "TOOLCTL_X=1",
        ];
        Self {
            context: Context {
                agent: "main".to_owned(),
                provider: None,
                model: None,
                owner: true,
                sandbox: false,
                session: Some("agent:main:main".to_owned()),
                spawned_by: None,
                subagent_depth: 0,
                channel: None,
                account: None,
                group: None,
                group_channel: None,
                sender: Sender::default(),
                message_provider: None,
                workspace,
            },
            env: env
                .iter()
                .map(|pair| pair.split_once('=').unwrap())
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            interrupts: Interrupts::listen().unwrap(),
            dir,
        }
    }

    fn call<'a>(&'a self, tool: &'a str, args: Value) -> HookCall<'a> {
        let Value::Object(args) = args else {
            panic!("not an object")
        };
        HookCall {
            tool,
            id: "call_1",
            args,
            context: &self.context,
            transcript: None,
        }
    }

    fn around(&self) -> Surroundings<'_> {
        Surroundings {
            launch: launch::Surroundings {
                env: &self.env,
                workspace: &self.context.workspace,
                uid: rustix::process::geteuid().as_raw(),
            },
            interrupts: &self.interrupts,
            hits: &|patterns, tool| patterns.split('|').any(|pattern| pattern == tool || pattern == "*"),
            own_names: &|args| {
                if let Some(path) = args.shift_remove("file_path") {
                    args.insert("path".to_owned(), path);
                }
            },
        }
    }

    fn ask(&self, hooks: &[HookEntry], tool: &str, args: Value) -> Before {
        before(hooks, self.call(tool, args), self.around())
    }

    fn ws(&self, name: &str) -> PathBuf {
        self.context.workspace.join(name)
    }
}

fn origin() -> Origin {
    Origin {
        file: "config.yaml".into(),
        line: 7,
        column: 5,
        ..Origin::built_in()
    }
}

/// A configured command of these words, in a file that needs no trust.
fn command(argv: &[&str]) -> ConfiguredCommand {
    ConfiguredCommand {
        argv: argv.iter().map(|part| (*part).to_owned()).collect(),
        directory: "/nowhere".into(),
        origin: origin(),
        trust: None,
    }
}

/// A native hook that is a shell script.
fn sh(script: &str) -> HookEntry {
    HookEntry {
        match_: None,
        command: command(&["sh", "-c", script]),
        timeout_ms: 10_000,
        protocol: HookProtocol::Native,
        on_error: OnError::Block,
        origin: origin(),
    }
}

fn claude(name: &str) -> HookEntry {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hooks").join(name);
    HookEntry {
        command: command(&[path.to_str().unwrap()]),
        protocol: HookProtocol::ClaudeCode,
        ..sh("")
    }
}

fn claude_sh(script: &str) -> HookEntry {
    HookEntry {
        protocol: HookProtocol::ClaudeCode,
        ..sh(script)
    }
}

/// Says this on standard output.
fn says(answer: &Value) -> HookEntry {
    sh(&format!("cat >/dev/null; printf '%s' '{answer}'"))
}

fn blocked(result: &Before) -> (Code, String) {
    let blocked = result
        .blocked
        .clone()
        .unwrap_or_else(|| panic!("not blocked: {result:?}"));
    (blocked.code, blocked.reason)
}

fn args(result: &Before) -> Value {
    Value::Object(result.args.clone())
}

#[test]
fn no_objection_changes_nothing() {
    let world = World::new();
    for hook in [
        says(&json!({"decision": "allow", "reason": "fine"})),
        says(&json!({})),
        claude_sh("cat >/dev/null"),
        claude_sh("exit 0"),
    ] {
        let got = world.ask(&[hook], "exec", json!({"command": "ls"}));
        assert_eq!((got.blocked.is_none(), got.asks.is_none(), got.ran), (true, true, 1));
        assert_eq!((args(&got), got.rewritten), (json!({"command": "ls"}), false));
    }
    assert_eq!(world.ask(&[], "exec", json!({})).ran, 0);
}

#[test]
fn silence_is_no_yes() {
    let world = World::new();
    for script in ["cat >/dev/null", "exit 0", "exec >&-", "printf ' \\n'"] {
        let (code, reason) = blocked(&world.ask(&[sh(script)], "exec", json!({"command": "ls"})));
        assert_eq!(code, Code::HookFailed, "{script}");
        assert!(reason.contains("said nothing"), "{reason}");
    }
}

#[test]
fn what_a_crashed_guard_of_claude_code_said_is_no_yes() {
    let world = World::new();
    for answer in ["", "{}", r#"{"decision":"approve"}"#, r#"{"continue":true}"#, "done"] {
        let script = format!("cat >/dev/null; printf '%s' '{answer}'; exit 1");
        let (code, reason) = blocked(&world.ask(&[claude_sh(&script)], "exec", json!({"command": "ls"})));
        assert_eq!(code, Code::HookFailed, "{answer}");
        assert!(reason.contains("ended with status 1"), "{reason}");
    }
    let refusing = r#"cat >/dev/null; printf '{"decision":"block","reason":"no"}'; exit 1"#;
    let forgiven = HookEntry {
        on_error: OnError::Allow,
        ..claude_sh(refusing)
    };
    assert_eq!(blocked(&world.ask(&[forgiven], "exec", json!({}))).0, Code::HookBlocked);
}

#[test]
fn a_native_hook_is_told_everything_about_the_call() {
    let world = World::new();
    let got = world.ask(
        &[sh("cat > seen.json; env > env.txt; echo {}")],
        "exec",
        json!({"command": "ls", "x": [1]}),
    );
    assert_eq!(got.blocked, None);
    let seen: Value = serde_json::from_str(&fs::read_to_string(world.ws("seen.json")).unwrap()).unwrap();
    assert_eq!(seen["event"], "beforeToolCall");
    assert_eq!(seen["tool"], "exec");
    assert_eq!(seen["args"], json!({"command": "ls", "x": [1]}));
    assert_eq!(seen["id"], "call_1");
    assert_eq!(seen["session"], "agent:main:main");
    assert_eq!(seen["workspace"], world.context.workspace.to_str().unwrap());
    assert_eq!(seen["context"]["owner"], true);
    let env = fs::read_to_string(world.ws("env.txt")).unwrap();
    assert!(
        env.contains("TOOLCTL_X=1") && !env.contains("SECRET") && !env.contains("OTEL"),
        "{env}"
    );
}

#[test]
fn rewrites_chain_and_a_block_is_final() {
    let world = World::new();
    let hooks = [
        says(&json!({"args": {"command": "one", "drop": null}})),
        sh(r#"grep -q '"command":"one"' && printf '%s' '{"args": {"more": true}, "notes": ["seen"]}'"#),
    ];
    let got = world.ask(&hooks, "exec", json!({"command": "zero", "keep": 1, "drop": 2}));
    assert_eq!(args(&got), json!({"command": "one", "keep": 1, "more": true}));
    assert_eq!((got.rewritten, got.notes), (true, vec!["seen".to_owned()]));

    let got = world.ask(
        &[says(&json!({"args": {"file_path": "new"}}))],
        "read",
        json!({"path": "old"}),
    );
    assert_eq!(args(&got), json!({"path": "new"}));

    let hooks = [
        says(&json!({"decision": "block", "reason": "not here"})),
        sh("touch ran; printf '{\"decision\": \"allow\"}'"),
    ];
    let got = world.ask(&hooks, "exec", json!({}));
    assert_eq!(
        blocked(&got),
        (
            Code::HookBlocked,
            "blocked by the hook `sh` (config.yaml:7:5): not here".to_owned()
        )
    );
    assert!(!world.ws("ran").exists());
}

#[test]
fn a_wish_for_a_person_stays_whatever_comes_after() {
    let world = World::new();
    let hooks = [
        says(&json!({"decision": "ask", "reason": "big"})),
        says(&json!({"decision": "allow"})),
        says(&json!({"decision": "ask", "reason": "other"})),
    ];
    let got = world.ask(&hooks, "exec", json!({}));
    assert!(got.asks.unwrap().reason.ends_with("wants a person to decide: big"));
    let got = world.ask(
        &[hooks[0].clone(), says(&json!({"decision": "deny"}))],
        "exec",
        json!({}),
    );
    assert_eq!(blocked(&got).0, Code::HookBlocked);
}

#[test]
fn what_is_no_answer_blocks_unless_it_is_forgiven() {
    let world = World::new();
    let cases = [
        ("exit 1", "ended with status 1"),
        ("echo no >&2; exit 3", "ended with status 3: no"),
        ("echo hello", "did not answer in JSON"),
        ("echo '[]'", "did not answer with a JSON object"),
        ("printf '{\"decision\": \"block\"} {}'", "did not answer in JSON"),
        (
            "printf '{\"decision\": \"allow\", \"decision\": \"block\"}'",
            "given twice",
        ),
        ("printf '{\"desicion\": \"block\"}'", "gave an unknown key, `desicion`"),
        (
            "printf '{\"decision\": \"Block\"}'",
            "gave an unknown decision, `Block`",
        ),
        ("printf '{\"decision\": true}'", "gave a `decision` of the wrong type"),
        ("printf '{\"args\": [1]}'", "gave a `args` of the wrong type"),
        ("printf '{\"tool\": \"read\"}'", "tried to change the tool's name"),
        ("printf '\\377'", "did not answer in UTF-8"),
        ("kill -9 $$", "was killed by signal 9"),
        ("kill -SEGV $$", "was killed by signal 11"),
    ];
    for (script, want) in cases {
        let (code, reason) = blocked(&world.ask(&[sh(script)], "exec", json!({})));
        assert_eq!(code, Code::HookFailed, "{script}");
        assert!(reason.contains(want), "{script}: {reason}");
    }
    let forgiven = HookEntry {
        on_error: OnError::Allow,
        ..sh("exit 1")
    };
    let got = world.ask(&[forgiven, says(&json!({"args": {"a": 1}}))], "exec", json!({}));
    assert_eq!((got.blocked.clone(), args(&got)), (None, json!({"a": 1})));
    assert!(got.notes[0].contains("the call goes on"), "{:?}", got.notes);
}

#[test]
fn a_program_that_is_not_there_blocks() {
    let world = World::new();
    fs::write(world.ws("guard"), "#!/bin/sh\n").unwrap();
    for (parts, want) in [
        (vec!["no-such-program-here"], "is not on PATH"),
        (vec!["guard"], "is not on PATH"),
        (vec!["./guard"], "is not an absolute path"),
        (vec!["/no/such"], "is not an executable file"),
        (vec![], "the command is empty"),
    ] {
        let hook = HookEntry {
            command: command(&parts),
            ..sh("")
        };
        let (code, reason) = blocked(&world.ask(&[hook], "exec", json!({})));
        assert_eq!(code, Code::HookFailed);
        assert!(reason.contains(want), "{reason}");
    }
}

/// A hook of a trusted project file beside the workspace's `guard.sh`, as it was when it was trusted.
fn trusted(world: &World, argv: &[&str], content: &str) -> HookEntry {
    let workspace = &world.context.workspace;
    let recorded = TrustedScript {
        path: workspace.join("guard.sh"),
        sha256: Some(config::sha256(content.as_bytes())),
    };
    let trust = CommandTrust {
        repository: workspace.clone(),
        files: vec![recorded],
    };
    HookEntry {
        command: ConfiguredCommand {
            directory: workspace.clone(),
            trust: Some(Arc::new(trust)),
            ..command(argv)
        },
        on_error: OnError::Allow,
        ..sh("")
    }
}

#[test]
fn a_script_that_is_not_what_was_trusted_is_refused_even_if_failures_are_forgiven() {
    let world = World::new();
    let content = "cat >/dev/null; echo {}";
    let script = world.ws("guard.sh");
    let absolute = script.to_str().unwrap();
    let spellings: [&[&str]; 4] = [
        &["sh", "guard.sh"],
        &["sh", "./guard.sh"],
        &["sh", absolute],
        &["sh", "--init-file=./guard.sh", "-c", "exit 0"],
    ];
    for argv in spellings {
        let hook = trusted(&world, argv, content);
        fs::write(&script, content).unwrap();
        if !argv[1].starts_with("--") {
            let got = world.ask(std::slice::from_ref(&hook), "exec", json!({}));
            assert_eq!((got.blocked, got.notes.len()), (None, 0), "{argv:?}");
        }
        for evil in ["touch ran", ""] {
            fs::write(&script, evil).unwrap();
            let (code, reason) = blocked(&world.ask(std::slice::from_ref(&hook), "exec", json!({})));
            assert_eq!(code, Code::UntrustedConfig, "{argv:?}: {reason}");
            assert!(reason.contains("guard.sh"), "{reason}");
        }
        fs::remove_file(&script).unwrap();
        assert_eq!(blocked(&world.ask(&[hook], "exec", json!({}))).0, Code::UntrustedConfig);
    }
    assert!(!world.ws("ran").exists());
}

#[test]
fn a_file_that_nobody_recorded_does_not_stand_in_for_a_recorded_one() {
    let world = World::new();
    let content = "exit 0";
    fs::write(world.ws("guard.sh"), content).unwrap();
    fs::write(world.ws("other.sh"), content).unwrap();
    let hook = trusted(&world, &["sh", "other.sh"], content);
    assert_eq!(blocked(&world.ask(&[hook], "exec", json!({}))).0, Code::UntrustedConfig);
}

#[test]
fn a_trusted_script_that_is_changed_while_it_runs_has_said_nothing() {
    let world = World::new();
    let content = "cat >/dev/null; echo '# more' >> guard.sh";
    fs::write(world.ws("guard.sh"), content).unwrap();
    let hook = trusted(&world, &["sh", "guard.sh"], content);
    assert_eq!(blocked(&world.ask(&[hook], "exec", json!({}))).0, Code::UntrustedConfig);
}

#[test]
fn a_program_that_others_can_write_is_not_started() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    let guard = world.dir.path().join("guard");
    fs::write(&guard, "#!/bin/sh\ntouch ran\necho {}\n").unwrap();
    for (mode, wanted) in [(0o757, true), (0o755, false)] {
        fs::set_permissions(&guard, fs::Permissions::from_mode(mode)).unwrap();
        for argv in [vec![guard.to_str().unwrap()], vec!["sh", guard.to_str().unwrap()]] {
            let hook = HookEntry {
                command: command(&argv),
                ..sh("")
            };
            let got = world.ask(&[hook], "exec", json!({}));
            let code = got.blocked.map(|b| b.code);
            assert_eq!(code, wanted.then_some(Code::UntrustedConfig), "{argv:?}");
        }
        assert_eq!(world.ws("ran").exists(), !wanted);
    }
}

/// Whether a process is there and is no zombie.
fn alive(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{}/stat", pid.trim())).is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn a_hanging_hook_is_ended_with_everything_it_started() {
    let world = World::new();
    let hook = HookEntry {
        timeout_ms: 200,
        ..sh(
            "trap '' TERM; echo $$ > a; (trap '' TERM; sh -c 'echo $$ > b; exec sleep 1000') & setsid sh -c 'echo $$ > c; exec sleep 1000' & sleep 1000",
        )
    };
    let (code, reason) = blocked(&world.ask(&[hook], "exec", json!({})));
    assert_eq!(code, Code::HookFailed);
    assert!(reason.contains("gave no answer in 200 ms"), "{reason}");
    for file in ["a", "b", "c"] {
        let pid = fs::read_to_string(world.ws(file)).unwrap();
        let gone = (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            !alive(&pid)
        });
        assert!(gone, "process {file} lives on");
    }
}

#[test]
fn a_hook_that_leaves_a_child_behind_is_not_waited_for() {
    let world = World::new();
    let hook = sh("sleep 1000 & echo $! > pid; printf '{\"args\": {\"a\": 1}}'");
    let got = world.ask(&[hook], "exec", json!({}));
    assert_eq!(args(&got), json!({"a": 1}));
    let pid = fs::read_to_string(world.ws("pid")).unwrap();
    // It was started here, and is ended here.
    if alive(&pid) {
        std::process::Command::new("kill")
            .args(["-9", pid.trim()])
            .status()
            .unwrap();
    }
}

#[test]
fn a_hook_that_prints_without_end_is_survived() {
    let world = World::new();
    let hook = sh("head -c 100000000 /dev/zero | tr '\\0' x");
    let (code, reason) = blocked(&world.ask(&[hook], "exec", json!({})));
    assert_eq!(code, Code::HookFailed);
    assert!(reason.contains("more than 1 MiB"), "{reason}");
    let hook = sh("head -c 100000000 /dev/zero | tr '\\0' x >&2; exit 1");
    let (_, reason) = blocked(&world.ask(&[hook], "exec", json!({})));
    assert!(reason.len() < 10_000, "{}", reason.len());
    let hook = HookEntry {
        timeout_ms: 300,
        ..sh("yes")
    };
    assert_eq!(blocked(&world.ask(&[hook], "exec", json!({}))).0, Code::HookFailed);
}

#[test]
fn a_hook_need_not_read_what_it_is_told() {
    let world = World::new();
    let big = "x".repeat(4_000_000);
    let got = world.ask(&[sh("echo {}")], "write", json!({"path": "a", "content": big}));
    assert_eq!(got.blocked, None);
}

#[test]
fn only_hooks_that_are_meant_run() {
    let world = World::new();
    let only = |patterns: &str| HookEntry {
        match_: Some(Sourced::built_in(patterns.to_owned())),
        ..says(&json!({"decision": "block"}))
    };
    let stops = |patterns: &str, tool: &str| world.ask(&[only(patterns)], tool, json!({})).blocked.is_some();
    assert!(stops("exec|read", "read"));
    assert!(!stops("exec|read", "write"));
    assert!(stops(" ", "write"));
    assert!(stops("write", "apply_patch"));
    assert!(!stops("edit", "apply_patch"));
}

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
    let args = ["--exact", "supervisor_entry", "--nocapture"].map(OsString::from);
    let supervisor = Supervisor {
        program: &program,
        args: &args,
        voice: Voice::Mute,
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
