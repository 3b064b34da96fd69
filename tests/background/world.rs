//! A workspace, a configuration and a state directory of their own, and the binary in them.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

pub(crate) struct World {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) config: &'static str,
}

pub(crate) const OPEN: &str = "tools: {exec: {security: full, ask: off}}\n";

impl World {
    pub(crate) fn new(config: &'static str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["work", "home", "state"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
        }
        std::fs::write(dir.path().join("config.yaml"), config).unwrap();
        Self { dir, config }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
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

    pub(crate) fn call_as(&self, session: &str, tool: &str, args: Value) -> (Value, Output) {
        let call = json!({"tool": tool, "args": args}).to_string();
        let how = ["exec", "-o", "json", "--on-ask", "pending", "--session", session, &call];
        let output = self.command(&how).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text} {output:?} {}", self.config));
        (value, output)
    }

    pub(crate) fn call(&self, tool: &str, args: Value) -> Value {
        self.call_as("s1", tool, args).0
    }

    /// Runs a command about approvals.
    pub(crate) fn approvals(&self, args: &[&str]) -> Output {
        self.command_about(&[&["approvals"], args].concat()).output().unwrap()
    }

    /// A command of toolctl that calls nothing.
    pub(crate) fn command_about(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolctl"));
        command
            .args(args)
            .args(["--isolated", "--config"])
            .arg(self.path("config.yaml"))
            .env_clear()
            .env("TOOLCTL_STATE_DIR", self.path("state"))
            .env("TOOLCTL_FSYNC", "off")
            .env("TERM", "xterm")
            .stdin(Stdio::null());
        command
    }

    /// Allows what a call asked, in this way, and makes that call.
    pub(crate) fn allowed(&self, asked: &Value, how: &[&str]) -> Value {
        let id = asked["details"]["approvalId"].as_str().unwrap();
        let out = self.approvals(&[&["allow", id], how].concat());
        assert!(out.status.success(), "{out:?}");
        let out = self
            .command(&["exec", "-o", "json", "--session", "s1", "--approval", id])
            .output()
            .unwrap();
        serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
    }

    /// The file in which a command is written down.
    pub(crate) fn record(&self, id: &str) -> PathBuf {
        let directory = find(&self.path("state/background"), id).expect("no directory");
        directory.join("record.json")
    }

    /// Starts a command in the background; its name.
    pub(crate) fn start(&self, command: &str, terminal: bool) -> String {
        let got = self.call("exec", json!({"command": command, "background": true, "pty": terminal}));
        assert_eq!(got["status"], "running", "{got}");
        got["details"]["sessionId"].as_str().unwrap().to_owned()
    }

    pub(crate) fn process(&self, action: &str, id: &str, more: Value) -> Value {
        let mut args = json!({"action": action, "sessionId": id});
        args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.call("process", args)
    }

    /// Waits until the log of a command satisfies; the log.
    pub(crate) fn until(&self, id: &str, what: &str, done: impl Fn(&str) -> bool) -> String {
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

    pub(crate) fn until_ended(&self, id: &str) -> Value {
        let got = self.process("poll", id, json!({"timeout": 120_000}));
        assert_ne!(got["details"]["status"], "running", "{got}");
        got
    }

    /// The process that serves a command.
    pub(crate) fn supervisor(&self) -> i32 {
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

pub(crate) fn find(directory: &Path, name: &str) -> Option<PathBuf> {
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

pub(crate) fn text(got: &Value) -> &str {
    got["content"][0]["text"].as_str().unwrap()
}

pub(crate) fn alive(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ")
        .next()
        .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

pub(crate) fn gone(pid: i32) {
    for _ in 0..1500 {
        if !alive(pid) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("process {pid} goes on");
}

pub(crate) fn kill(pid: i32) {
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL).unwrap();
}

pub(crate) fn number(file: &Path) -> i32 {
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

pub(crate) fn installed(program: &str) -> bool {
    let there = ["/usr/bin", "/bin", "/usr/local/bin"]
        .iter()
        .any(|dir| Path::new(dir).join(program).exists());
    if !there {
        eprintln!("skipped: `{program}` is not installed");
    }
    there
}

pub(crate) fn spawn(world: &World, args: &Value) -> Child {
    let call = json!({"tool": "exec", "args": args}).to_string();
    let mut command = world.command(&["exec", "-o", "json", "--session", "s1", &call]);
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}
