//! After-hooks: handed over to a process of their own, which runs them in order and watches their time.
//!
//! That process is this program again, started with a hidden argument. It makes a session of its own, so that it goes
//! on when the caller and its terminal are gone; the caller waits for nothing.

use super::before::prepare;
use super::call::{HookCall, Surroundings};
use super::matcher::matching;
use super::protocol::row;
use super::run::HookRun;
use crate::config::{ConfiguredCommand, HookEntry};
use crate::launch::{self, Inherit};
use crate::model::Outcome;
use crate::process::{Aside, Interrupts, leave_session, start_aside};
use rustix::fs::{MemfdFlags, memfd_create};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::path::Path;

/// Bytes of one hand-over.
const MAX_JOB: u64 = 64 * 1024 * 1024;
/// How long a program may take that tells somebody something.
const TELLING_MS: u64 = 60_000;

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
    /// Starts a configured program that tells somebody something: it reads `input` and is watched like a hook, and nobody
    /// waits for it.
    ///
    /// # Errors
    /// Why it cannot be started, in one sentence.
    pub fn tell(
        &mut self,
        command: &ConfiguredCommand,
        input: String,
        around: launch::Surroundings<'_>,
        supervisor: Supervisor<'_>,
    ) -> Result<(), String> {
        self.started.retain_mut(|aside| !aside.ended());
        let program = launch::prepare(command, Inherit::Hook, &[], around).map_err(|fault| fault.to_string())?;
        let run = HookRun {
            program,
            input,
            timeout_ms: TELLING_MS,
        };
        let aside = hand_over(&[run], around, supervisor).map_err(|error| error.to_string())?;
        self.started.push(aside);
        Ok(())
    }

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
            let input = (row(hook.protocol).after)(call, outcome);
            match prepare(hook, around, &input) {
                Ok(run) => jobs.push(run),
                Err(fault) => problems.push(format!("the after-hook at {} cannot be started: {fault}", hook.origin)),
            }
        }
        if !jobs.is_empty() {
            match hand_over(&jobs, around.launch, supervisor) {
                Ok(aside) => self.started.push(aside),
                Err(error) => problems.push(format!("the after-hooks cannot be started: {error}")),
            }
        }
        problems
    }
}

fn hand_over(jobs: &[HookRun], around: launch::Surroundings<'_>, by: Supervisor<'_>) -> io::Result<Aside> {
    // A file in memory: filled before the other side starts, gone with its last reader.
    let mut file = File::from(memfd_create("after-hooks", MemfdFlags::CLOEXEC)?);
    file.write_all(&serde_json::to_vec(jobs)?)?;
    file.rewind()?;
    start_aside(by.program, by.args, around.env, around.workspace, OwnedFd::from(file))
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
    let jobs: Vec<HookRun> = serde_json::from_str(&text)?;
    for job in jobs {
        let _ = job.run(&interrupts);
    }
    Ok(())
}
