//! After-hooks: handed over to a process of their own, which runs them in order and watches their time.
//!
//! That process is this program again, started with a hidden argument. It makes a session of its own, so that it goes
//! on when the caller and its terminal are gone; the caller waits for nothing.

use super::before::{matching, prepare};
use super::call::{HookCall, Surroundings};
use super::protocol::row;
use super::run::{Command, run_hook};
use crate::config::HookEntry;
use crate::model::Outcome;
use crate::process::{Aside, Interrupts, leave_session, start_aside};
use rustix::fs::{MemfdFlags, memfd_create};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of one hand-over.
const MAX_JOB: u64 = 64 * 1024 * 1024;

/// How the watching process is started.
#[derive(Debug, Clone, Copy)]
pub struct Supervisor<'a> {
    /// This program.
    pub program: &'a Path,
    /// What makes it call [`supervise`].
    pub args: &'a [OsString],
}

/// The after-hooks that this process has started; keeps count only to clear up behind them.
#[derive(Debug, Default)]
pub struct AfterHooks {
    started: Vec<Aside>,
}

impl AfterHooks {
    /// Starts the hooks that are meant for the tool; `outcome` is redacted already. Returns what went wrong, for a log:
    /// nothing of it may reach the answer.
    pub fn start(
        &mut self,
        hooks: &[HookEntry],
        call: &HookCall<'_>,
        outcome: &Outcome,
        around: Surroundings<'_>,
        supervisor: Supervisor<'_>,
    ) -> Vec<String> {
        self.started.retain_mut(|aside| !aside.ended());
        let mut problems = Vec::new();
        let mut jobs = Vec::new();
        for hook in matching(hooks, call.tool, around.hits) {
            let changed = |part: &String| {
                around
                    .changed_scripts
                    .iter()
                    .any(|script| script.as_os_str() == part.as_str())
            };
            if let Some(script) = hook.command.iter().find(|part| changed(part)) {
                problems.push(format!("the after-hook's script `{script}` is not what was trusted"));
                continue;
            }
            let input = (row(hook.protocol).after)(call, outcome);
            match prepare(hook, call, around, &input) {
                Ok(command) => jobs.push(written(&command)),
                Err(fault) => problems.push(format!("the after-hook at {} cannot be started: {fault}", hook.origin)),
            }
        }
        if !jobs.is_empty() {
            match hand_over(&Value::Array(jobs), call, around, supervisor) {
                Ok(aside) => self.started.push(aside),
                Err(error) => problems.push(format!("the after-hooks cannot be started: {error}")),
            }
        }
        problems
    }
}

fn hand_over(jobs: &Value, call: &HookCall<'_>, around: Surroundings<'_>, by: Supervisor<'_>) -> io::Result<Aside> {
    // A file in memory: filled before the other side starts, gone with its last reader.
    let mut file = File::from(memfd_create("after-hooks", MemfdFlags::CLOEXEC)?);
    file.write_all(jobs.to_string().as_bytes())?;
    file.rewind()?;
    start_aside(
        by.program,
        by.args,
        around.env,
        &call.context.workspace,
        OwnedFd::from(file),
    )
}

fn written(command: &Command) -> Value {
    let text = |part: &OsString| part.to_string_lossy().into_owned();
    let env: Vec<[String; 2]> = command
        .env
        .iter()
        .map(|(name, value)| [text(name), text(value)])
        .collect();
    json!({
        "program": command.program.to_string_lossy(),
        "argv": command.argv.iter().map(text).collect::<Vec<_>>(),
        "env": env,
        "cwd": command.cwd.to_string_lossy(),
        "input": String::from_utf8_lossy(&command.input),
        "timeoutMs": u64::try_from(command.timeout.as_millis()).unwrap_or(u64::MAX),
    })
}

fn read_job(job: &Value) -> Option<Command> {
    let texts = |key: &str| -> Option<Vec<OsString>> {
        let list = job.get(key)?.as_array()?;
        list.iter().map(|part| part.as_str().map(OsString::from)).collect()
    };
    let text = |key: &str| job.get(key).and_then(Value::as_str);
    let env = job.get("env")?.as_array()?.iter().map(|pair| {
        let part = |index: usize| pair.get(index).and_then(Value::as_str).map(OsString::from);
        part(0).zip(part(1))
    });
    Some(Command {
        program: PathBuf::from(text("program")?),
        argv: texts("argv")?,
        env: env.collect::<Option<_>>()?,
        cwd: PathBuf::from(text("cwd")?),
        input: text("input")?.as_bytes().to_vec(),
        timeout: Duration::from_millis(job.get("timeoutMs")?.as_u64()?),
    })
}

/// The watching process: runs the hooks that `input` hands over, one after another, each to its end or its deadline.
///
/// # Errors
/// The hand-over cannot be read. A hook that fails is nobody's error: there is no one left to tell.
pub fn supervise(input: impl Read) -> io::Result<()> {
    let mut text = String::new();
    input.take(MAX_JOB).read_to_string(&mut text)?;
    // Started by hand it may lead a group already; then the hooks run where they are.
    let _ = leave_session();
    let interrupts = Interrupts::of_signals()?;
    let jobs: Value = serde_json::from_str(&text)?;
    for job in jobs.as_array().into_iter().flatten() {
        if let Some(command) = read_job(job) {
            let _ = run_hook(command, &interrupts);
        }
    }
    Ok(())
}
