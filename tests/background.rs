//! Commands in the background and in terminals, through the real binary: another process finds them, nobody else's calls
//! do, and whoever is killed leaves nothing behind. Every wait is for a state, none for a time.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::needless_pass_by_value,
    clippy::format_collect,
    clippy::string_slice,
    reason = "a test that meets the unexpected should stop there"
)]

use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

struct World {
    dir: tempfile::TempDir,
    config: &'static str,
}

const OPEN: &str = "tools: {exec: {security: full, ask: off}}\n";

impl World {
    fn new(config: &'static str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["work", "home", "state"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
        }
        std::fs::write(dir.path().join("config.yaml"), config).unwrap();
        Self { dir, config }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolctl"));
        command
            .args(args)
            .args(["--isolated", "--config"])
            .arg(self.path("config.yaml"))
            .arg("--workspace")
            .arg(self.path("work"))
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.path("home"))
            .env("LANG", "C.UTF-8")
            .env("TERM", "xterm")
            .env("TOOLCTL_STATE_DIR", self.path("state"))
            .env("TOOLCTL_FSYNC", "off")
            .current_dir(self.path("work"))
            .stdin(Stdio::null());
        command
    }

    fn call_as(&self, session: &str, tool: &str, args: Value) -> (Value, Output) {
        let call = json!({"tool": tool, "args": args}).to_string();
        let how = ["exec", "-o", "json", "--on-ask", "pending", "--session", session, &call];
        let output = self.command(&how).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text} {output:?} {}", self.config));
        (value, output)
    }

    fn call(&self, tool: &str, args: Value) -> Value {
        self.call_as("s1", tool, args).0
    }

    /// Starts a command in the background; its name.
    fn start(&self, command: &str, terminal: bool) -> String {
        let got = self.call("exec", json!({"command": command, "background": true, "pty": terminal}));
        assert_eq!(got["status"], "running", "{got}");
        got["details"]["sessionId"].as_str().unwrap().to_owned()
    }

    fn process(&self, action: &str, id: &str, more: Value) -> Value {
        let mut args = json!({"action": action, "sessionId": id});
        args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.call("process", args)
    }

    /// Waits until the log of a command satisfies; the log.
    fn until(&self, id: &str, what: &str, done: impl Fn(&str) -> bool) -> String {
        let mut log = String::new();
        for _ in 0..600 {
            log = self.process("log", id, json!({}))["content"][0]["text"]
                .as_str()
                .unwrap()
                .to_owned();
            if done(&log) {
                return log;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        panic!("{what} never came: {log}");
    }

    fn until_ended(&self, id: &str) -> Value {
        let got = self.process("poll", id, json!({"timeout": 120_000}));
        assert_ne!(got["details"]["status"], "running", "{got}");
        got
    }

    /// The process that serves a command.
    fn supervisor(&self) -> i32 {
        let record = find(&self.path("state/background"), "record.json").expect("no record");
        let record: Value = serde_json::from_slice(&std::fs::read(record).unwrap()).unwrap();
        i32::try_from(record["supervisor"].as_i64().unwrap()).unwrap()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let list = self
            .command(&["process", "list", "--all-scopes", "-o", "json"])
            .output();
        let list: Value = serde_json::from_slice(&list.unwrap().stdout).unwrap_or_default();
        for session in list["sessions"].as_array().into_iter().flatten() {
            let id = session["sessionId"].as_str().unwrap();
            let _ = self.command(&["process", "kill", id, "--all-scopes"]).output();
        }
    }
}

fn find(directory: &Path, name: &str) -> Option<PathBuf> {
    for entry in std::fs::read_dir(directory).ok()?.flatten() {
        let path = entry.path();
        if path.file_name().is_some_and(|n| n == name) {
            return Some(path);
        }
        if path.is_dir()
            && let Some(found) = find(&path, name)
        {
            return Some(found);
        }
    }
    None
}

fn text(got: &Value) -> &str {
    got["content"][0]["text"].as_str().unwrap()
}

fn alive(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ")
        .next()
        .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

fn gone(pid: i32) {
    for _ in 0..1500 {
        if !alive(pid) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("process {pid} goes on");
}

fn kill(pid: i32) {
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL).unwrap();
}

fn number(file: &Path) -> i32 {
    for _ in 0..1500 {
        if let Ok(text) = std::fs::read_to_string(file)
            && text.ends_with('\n')
        {
            return text.trim().parse().unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{} never came", file.display());
}

fn installed(program: &str) -> bool {
    let there = ["/usr/bin", "/bin", "/usr/local/bin"]
        .iter()
        .any(|dir| Path::new(dir).join(program).exists());
    if !there {
        eprintln!("skipped: `{program}` is not installed");
    }
    there
}

#[test]
fn what_goes_on_is_found_again_and_nothing_of_it_is_lost() {
    let world = World::new(OPEN);
    nix::unistd::mkfifo(&world.path("work/gate"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let id = world.start("echo one; read line < gate; echo $line; exit 7", false);
    world.until(&id, "its beginning", |log| log.contains("one"));
    assert_eq!(
        text(&world.process("poll", &id, json!({}))),
        "one\n\nProcess still running."
    );
    std::fs::write(world.path("work/gate"), "two\n").unwrap();
    let end = world.until_ended(&id);
    assert_eq!(end["details"]["exitCode"], 7, "{end}");
    assert!(text(&end).contains("Process exited with code 7."), "{end}");
    assert_eq!(text(&world.process("log", &id, json!({}))), "one\ntwo");
    let listed = world.call("process", json!({"action": "list"}));
    assert!(text(&listed).contains(&id), "{listed}");
}

#[test]
fn other_sessions_and_agents_see_nothing() {
    let world = World::new("tools: {exec: {security: full, ask: off}}\nagents: {list: [{id: main}, {id: other}]}\n");
    let id = world.start("sleep 1000", false);
    for session in ["s2", "main", "agent:other:s1", "agent:other:main"] {
        let (listed, _) = world.call_as(session, "process", json!({"action": "list"}));
        assert_eq!(text(&listed), "No running or recent sessions.", "{session}");
        for action in [
            "poll",
            "log",
            "write",
            "submit",
            "paste",
            "send-keys",
            "kill",
            "clear",
            "remove",
        ] {
            for name in [id.as_str(), &id[..4], "../s1", "*"] {
                let args = json!({"action": action, "sessionId": name, "data": "x", "text": "x", "keys": ["x"]});
                let (got, _) = world.call_as(session, "process", args);
                assert_eq!(got["details"]["status"], "failed", "{session} {action} {got}");
                assert!(text(&got).ends_with(&format!("session found for {name}")), "{got}");
            }
        }
    }
    assert_eq!(world.process("poll", &id, json!({}))["details"]["status"], "running");
}

#[test]
fn a_killed_supervisor_leaves_a_lost_session_and_no_orphan() {
    let world = World::new(OPEN);
    let id = world.start("sh -c 'echo $$ > child; exec sleep 1000' & wait", false);
    let child = number(&world.path("work/child"));
    kill(world.supervisor());
    let got = world.process("poll", &id, json!({"timeout": 120_000}));
    assert_eq!(got["details"]["status"], "failed", "{got}");
    assert!(text(&got).contains("Process lost"), "{got}");
    gone(child);
    let listed = world.call("process", json!({"action": "list"}));
    assert!(text(&listed).starts_with(&format!("{id} lost ")), "{listed}");
    assert_eq!(world.process("clear", &id, json!({}))["details"]["status"], "completed");
}

fn spawn(world: &World, args: &Value) -> Child {
    let call = json!({"tool": "exec", "args": args}).to_string();
    let mut command = world.command(&["exec", "-o", "json", "--session", "s1", &call]);
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_killed_starter_leaves_nothing_behind_and_a_killed_runner_is_told() {
    let world = World::new(OPEN);
    let command = "sh -c 'echo $$ > child; exec sleep 1000' & echo $PPID > runner; wait";
    let mut starter = spawn(&world, &json!({"command": command}));
    let child = number(&world.path("work/child"));
    let runner = number(&world.path("work/runner"));
    starter.kill().unwrap();
    starter.wait().unwrap();
    gone(child);
    gone(runner);
    for name in ["work/child", "work/runner"] {
        std::fs::remove_file(world.path(name)).unwrap();
    }
    let starter = spawn(&world, &json!({"command": command}));
    let child = number(&world.path("work/child"));
    kill(number(&world.path("work/runner")));
    let output = starter.wait_with_output().unwrap();
    let got: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), &got["code"]),
        (Some(1), &json!("tool-failed")),
        "{got}"
    );
    gone(child);
}

#[test]
fn a_killed_starter_does_not_touch_what_goes_on() {
    let world = World::new(OPEN);
    let starter = spawn(
        &world,
        &json!({"command": "echo $PPID > runner; exec sleep 1000", "yieldMs": 10}),
    );
    let output = starter.wait_with_output().unwrap();
    let got: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(got["status"], "running", "{got}");
    let id = got["details"]["sessionId"].as_str().unwrap();
    assert_eq!(world.process("poll", id, json!({}))["details"]["status"], "running");
    assert_eq!(
        text(&world.process("kill", id, json!({}))),
        format!("Termination requested for session {id}.")
    );
    assert!(text(&world.until_ended(id)).contains("signal SIGTERM"));
    gone(i32::try_from(got["details"]["pid"].as_i64().unwrap()).unwrap());
}

#[test]
fn what_a_command_leaves_running_is_ended_with_it() {
    let world = World::new(OPEN);
    let got = world.call("exec", json!({"command": "setsid sh -c 'echo $$ > child; exec sleep 1000' > /dev/null 2>&1 < /dev/null & while ! test -s child; do :; done; echo done"}));
    assert_eq!((text(&got), &got["status"]), ("done", &json!("completed")), "{got}");
    assert!(got["warnings"].to_string().contains("left running"), "{got}");
    gone(number(&world.path("work/child")));
}

#[test]
fn where_nobody_can_follow_it_a_command_is_waited_for() {
    let world = World::new("tools: {deny: [process], exec: {security: full, ask: off}}\n");
    let got = world.call("exec", json!({"command": "echo x", "background": true}));
    assert_eq!((text(&got), &got["status"]), ("x", &json!("completed")), "{got}");
    assert!(got["warnings"].to_string().contains("running synchronously"), "{got}");
}

#[test]
fn a_secret_that_comes_in_pieces_is_never_shown() {
    let world = World::new(OPEN);
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let (one, two) = secret.split_at(12);
    let id = world.start(
        &format!("printf 'token {one}'; read x; printf '{two}\\n'; read y"),
        true,
    );
    let seen = world.until(&id, "its first half", |log| log.contains("token"));
    assert!(!seen.contains(secret), "{seen}");
    assert_eq!(world.process("submit", &id, json!({}))["details"]["status"], "running");
    let seen = world.until(&id, "its end", |log| log.lines().count() > 1);
    assert!(!seen.contains(secret), "{seen}");
    let log = find(&world.path("state/background"), "output-0000000000000000");
    assert!(log.is_none_or(|log| !std::fs::read_to_string(log).unwrap().contains(secret)));
}

#[test]
fn what_is_sent_to_what_may_run_it_is_asked_about() {
    let world = World::new("tools: {exec: {allowlist: [cat, python3], ask: on-miss, floor: 'off'}}\n");
    let id = world.start("cat", true);
    let got = world.process("write", &id, json!({"data": "rm -rf /\n"}));
    assert_eq!(got["details"]["status"], "running", "{got}");
    let ask = |call: &Value| call["status"] == "approval-pending";
    let mut shell = World::new(OPEN);
    shell.config = "the same with a stricter configuration";
    let id = shell.start("bash --norc --noprofile", true);
    std::fs::write(
        shell.path("config.yaml"),
        "tools: {exec: {allowlist: [cat], ask: on-miss}}\n",
    )
    .unwrap();
    for (action, more) in [
        ("write", json!({"data": "touch hit\n"})),
        ("write", json!({"data": "\u{10}\r"})),
        ("submit", json!({})),
        ("paste", json!({"text": "x\u{1b}[201~touch hit\n"})),
        ("send-keys", json!({"keys": ["t", "Enter"]})),
        ("send-keys", json!({"hex": ["10", "0d"]})),
        ("Send_Keys", json!({"literal": "touch hit\r"})),
    ] {
        let got = shell.process(action, &id, more);
        assert!(ask(&got), "{action} {got}");
        assert_eq!(got["code"], "inline-eval");
    }
    let got = shell.process("send-keys", &id, json!({"keys": ["C-c"]}));
    assert_eq!(got["details"]["status"], "running", "{got}");
    assert!(!shell.path("work/hit").exists());
}

#[test]
fn what_holds_for_commands_holds_for_what_is_sent_to_a_shell() {
    for (tools, status, code) in [
        ("exec: {security: full, ask: always}", "approval-pending", "ask-always"),
        ("exec: {security: full, ask: 'on'}", "approval-pending", "ask-always"),
        (
            "ask: [exec], exec: {security: full, ask: 'off'}",
            "approval-pending",
            "ask-always",
        ),
        (
            "exec: {security: full, ask: 'off', commands: {deny: [git push]}}",
            "approval-pending",
            "command-rule",
        ),
        (
            "exec: {security: full, ask: 'off', commands: {ask: [git push]}}",
            "approval-pending",
            "command-rule",
        ),
        (
            "exec: {security: full, ask: 'off', strictInlineEval: always}",
            "approval-pending",
            "inline-eval",
        ),
        (
            "deny: [exec], exec: {security: full, ask: 'off'}",
            "denied",
            "tool-not-allowed",
        ),
        ("exec: {security: deny}", "denied", "security-deny"),
    ] {
        let world = World::new(OPEN);
        let (shell, filter) = (world.start("bash --norc --noprofile", true), world.start("cat", true));
        std::fs::write(world.path("config.yaml"), format!("tools: {{{tools}}}\n")).unwrap();
        let got = world.process("write", &shell, json!({"data": "touch hit\n"}));
        assert_eq!(
            (&got["status"], &got["code"]),
            (&json!(status), &json!(code)),
            "{tools} {got}"
        );
        if code != "security-deny" {
            let got = world.process("send-keys", &shell, json!({"keys": ["C-c"]}));
            assert_eq!(got["status"], "completed", "{tools} {got}");
            let got = world.process("write", &filter, json!({"data": "touch hit\n"}));
            assert_eq!(got["status"], "completed", "{tools} {got}");
        }
        assert!(!world.path("work/hit").exists(), "{tools}");
    }
}

#[test]
fn a_command_starts_outside_the_workspace_where_a_directory_is_named() {
    let world = World::new("tools: {exec: {allowlist: [pwd], floor: 'off'}}\n");
    for name in ["shared/one", "shared/two", "other"] {
        std::fs::create_dir_all(world.path(name)).unwrap();
    }
    std::os::unix::fs::symlink(world.path("other"), world.path("shared/three")).unwrap();
    let root = world.dir.path().canonicalize().unwrap();
    let go = |name: &str| world.call("exec", json!({"command": "pwd", "workdir": root.join(name)}));
    let refused = go("shared/one");
    assert_eq!(refused["code"], "path-escape", "{refused}");
    assert!(
        refused["reason"].as_str().unwrap().contains("tools.exec.workdirs"),
        "{refused}"
    );
    let yaml = format!(
        "tools: {{exec: {{allowlist: [pwd], floor: 'off', workdirs: ['{}/shared/*']}}}}\n",
        root.display()
    );
    std::fs::write(world.path("config.yaml"), yaml).unwrap();
    assert_eq!(text(&go("shared/one")), root.join("shared/one").to_str().unwrap());
    for name in ["other", "shared", "shared/three"] {
        assert_eq!(go(name)["code"], "path-escape", "{name}");
    }
}

/// Starts a program in a terminal, sends keys when it shows something, and waits for what it shows then.
fn drive(program: &str, steps: &[(&str, Value, &str)], end: &Value) {
    let name = program.split(' ').next().unwrap();
    if !installed(name) {
        return;
    }
    let world = World::new(OPEN);
    std::fs::write(
        world.path("work/page.txt"),
        "first\n".repeat(100) + "needle\n" + &"rest\n".repeat(100),
    )
    .unwrap();
    let id = world.start(program, true);
    for (before, keys, after) in steps {
        world.until(&id, before, |log| log.contains(before));
        let sent = world.process("send-keys", &id, keys.clone());
        assert_eq!(sent["details"]["status"], "running", "{program}: {sent}");
        world.until(&id, after, |log| log.contains(after));
    }
    let sent = world.process("send-keys", &id, end.clone());
    assert_eq!(sent["details"]["status"], "running", "{program}: {sent}");
    let ended = world.until_ended(&id);
    assert_eq!(ended["details"]["exitCode"], 0, "{program}: {ended}");
}

#[test]
fn bash_is_driven_through_a_terminal() {
    drive(
        "bash --norc --noprofile -i",
        &[
            ("bash-", json!({"literal": "echo $((6*7))", "keys": ["Enter"]}), "\r42"),
            ("\r42", json!({"literal": "stty size", "keys": ["Enter"]}), "30 120"),
        ],
        &json!({"keys": ["C-d"]}),
    );
}

#[test]
fn python_is_driven_through_a_terminal() {
    drive(
        "python3 -q -i",
        &[(">>>", json!({"literal": "print(6*7)", "keys": ["Enter"]}), "\n42")],
        &json!({"literal": "exit()", "keys": ["Enter"]}),
    );
}

#[test]
fn less_is_driven_through_a_terminal() {
    drive(
        "less page.txt",
        &[("first", json!({"literal": "/needle", "keys": ["Enter"]}), "[7mneedle")],
        &json!({"literal": "q"}),
    );
}

#[test]
fn vim_is_driven_through_a_terminal() {
    drive(
        "vim -u NONE -N page.txt",
        &[("first", json!({"keys": ["i"], "literal": ""}), "INSERT")],
        &json!({"keys": ["Escape", ":", "q", "!", "Enter"]}),
    );
}

#[test]
fn top_is_driven_through_a_terminal() {
    drive(
        "top",
        &[("PID", json!({"literal": "1"}), "%Cpu0")],
        &json!({"literal": "q"}),
    );
}

#[test]
fn keys_that_are_signals_reach_the_program_in_the_terminal() {
    let world = World::new(OPEN);
    let id = world.start(
        "trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.05; done",
        true,
    );
    world.until(&id, "ready", |log| log.contains("ready"));
    world.process("send-keys", &id, json!({"keys": ["C-c"]}));
    let end = world.until_ended(&id);
    assert_eq!(end["details"]["exitCode"], 5, "{end}");
}

#[test]
fn a_stream_of_calls_goes_on_beside_what_it_started() {
    let world = World::new(OPEN);
    let mut command = world.command(&["exec", "--jsonl", "-", "--session", "s1"]);
    let mut stream = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut calls = String::new();
    for _ in 0..3 {
        calls.push_str(&json!({"tool": "exec", "args": {"command": "sleep 1000", "background": true}}).to_string());
        calls.push('\n');
    }
    calls.push_str(&json!({"tool": "exec", "args": {"command": "echo between"}}).to_string());
    calls.push('\n');
    calls.push_str(&json!({"tool": "process", "args": {"action": "list"}}).to_string());
    calls.push('\n');
    stream.stdin.take().unwrap().write_all(calls.as_bytes()).unwrap();
    let output = stream.wait_with_output().unwrap();
    let lines: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(text(&lines[3]), "between");
    assert_eq!(lines[4]["details"]["sessions"].as_array().unwrap().len(), 3);
    let listed = world.call("process", json!({"action": "list"}));
    assert_eq!(listed["details"]["sessions"].as_array().unwrap().len(), 3);
}
