//! Real hook commands: the protocols, the chain, and hooks that misbehave.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop there"
)]

mod after;
mod before;
mod claude;
mod trust;

use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use toolctl::config::{self, CommandTrust, ConfiguredCommand, HookEntry, HookProtocol, OnError, TrustedScript};
use toolctl::hook::{AfterHooks, Before, HookCall, Supervisor, Surroundings, answers, before, supervise};
use toolctl::launch;
use toolctl::model::{Block, Code, Context, Origin, Outcome, Sourced, Status};
use toolctl::process::{ErrorStream, Interrupts};

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
                owner: true,
                session: Some("agent:main:main".to_owned()),
                workspace,
                ..Context::default()
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
            agent_dir: Path::new("/state/agents/main"),
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

/// Whether a process is there and is no zombie.
fn alive(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{}/stat", pid.trim())).is_ok_and(|stat| !stat.contains(") Z "))
}
