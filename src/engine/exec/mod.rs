//! Runs a judged command: exactly what was judged, looked at once more, and told as the `exec` tool tells it.

mod direct;
mod output;
mod pin;
mod shell;

use super::command::GRACE;
use super::{Engine, Live};
use crate::gate::exec::env::Variables;
use crate::gate::{ExecPlan, ExecRun};
use crate::model::{Block, Code, Outcome};
use crate::process::{Capture, End, Input, Job, Limits, Privileges, Stage, run as run_job};
use output::Aggregate;
use serde_json::{Value, json};
use std::io;
use std::time::{Duration, Instant};

/// Why nothing ran.
#[derive(Debug)]
pub(super) struct Stopped {
    code: Code,
    reason: String,
}

impl Stopped {
    fn new(code: Code, reason: impl Into<String>) -> Self {
        Self {
            code,
            reason: reason.into(),
        }
    }

    fn tool(reason: String) -> Self {
        Self::new(Code::ToolFailed, reason)
    }
}

/// What every start of one command has in common.
struct Start<'a> {
    engine: &'a Engine<'a>,
    plan: &'a ExecPlan,
    env: Variables,
    cwd: pin::Directory,
    limits: Limits,
    privileges: Privileges,
}

impl Start<'_> {
    /// Runs one pipeline to its end. Both streams go into one pipe, so that they keep the order in which they were written.
    fn run(&self, stages: Vec<Stage>, sink: &mut Aggregate<'_, '_>) -> io::Result<End> {
        let job = Job {
            stages,
            cwd: self.cwd.path(),
            input: Input::Null,
            capture: Capture::Together,
            privileges: self.privileges,
        };
        Ok(run_job(job, &self.limits, self.engine.interrupts, sink)?.end)
    }
}

impl Engine<'_> {
    /// Runs a command and puts its end into the outcome.
    pub(super) fn run_exec(&self, plan: &ExecPlan, live: Option<&Live<'_>>, outcome: &mut Outcome) {
        let begin = Instant::now();
        let mut aggregate = Aggregate::new(plan.max_output_chars, live);
        let end = self.start(plan, begin, &mut aggregate);
        self.forget();
        let took = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
        let output = aggregate.finish();
        outcome.details.insert("durationMs".to_owned(), json!(took));
        outcome.details.insert("cwd".to_owned(), json!(plan.cwd));
        outcome
            .details
            .insert("timedOut".to_owned(), json!(matches!(end, Ok(End::TimedOut))));
        outcome.details.insert("truncated".to_owned(), json!(output.truncated));
        outcome.details.insert("totalBytes".to_owned(), json!(output.total));
        match end {
            Ok(end) => tell(end, &output.text, plan.timeout, outcome),
            Err(stopped) => {
                outcome.code = stopped.code;
                outcome.status = stopped.code.status();
                outcome.reason = Some(stopped.reason);
            }
        }
    }

    fn start(&self, plan: &ExecPlan, begin: Instant, sink: &mut Aggregate<'_, '_>) -> Result<End, Stopped> {
        let start = Start {
            engine: self,
            plan,
            env: surroundings(plan),
            cwd: pin::Directory::open(&plan.cwd, plan.cwd_identity)?,
            limits: Limits {
                deadline: plan.timeout.and_then(|t| begin.checked_add(t)),
                grace: GRACE,
            },
            privileges: if plan.may_gain_privileges {
                Privileges::Keep
            } else {
                Privileges::NoNew
            },
        };
        for program in &plan.pinned {
            pin::check(program)?;
        }
        match &plan.run {
            ExecRun::Direct(steps) => direct::run(&start, steps, sink),
            ExecRun::Shell {
                shell,
                name,
                flags,
                text,
            } => {
                let read = shell::Read {
                    shell,
                    name,
                    flags,
                    text,
                };
                shell::run(&start, &read, sink)
            }
        }
    }
}

/// The judged environment, and where the command is: a shell that finds another name for the same directory believes it, and
/// follows `cd ..` by that name.
fn surroundings(plan: &ExecPlan) -> Variables {
    let mut env = (*plan.env).clone();
    if let Some(cwd) = plan.cwd.to_str() {
        env.insert("PWD".to_owned(), cwd.to_owned());
    }
    if plan.guards_git {
        set_git(&mut env, "safe.bareRepository", "explicit");
    }
    env
}

/// Adds a setting for git behind those that the environment has.
fn set_git(env: &mut Variables, name: &str, value: &str) {
    const COUNT: &str = "GIT_CONFIG_COUNT";
    let before: usize = env.get(COUNT).and_then(|n| n.parse().ok()).unwrap_or(0);
    env.insert(format!("GIT_CONFIG_KEY_{before}"), name.to_owned());
    env.insert(format!("GIT_CONFIG_VALUE_{before}"), value.to_owned());
    env.insert(COUNT.to_owned(), (before + 1).to_string());
}

/// How a command's end reads (cli.md, "Outcomes").
fn tell(end: End, output: &str, timeout: Option<Duration>, outcome: &mut Outcome) {
    let shown = output.trim();
    let (code, note) = match end {
        End::Exited(0) => (Code::Ok, None),
        End::Exited(126) => (
            Code::ToolFailed,
            Some("Command not executable (permission denied)".to_owned()),
        ),
        End::Exited(127) => (Code::ToolFailed, Some("Command not found".to_owned())),
        End::Exited(status) => (Code::Ok, Some(format!("(Command exited with code {status})"))),
        End::Signaled(signal) => (
            Code::ToolFailed,
            Some(format!("Command aborted by signal {}", signal_name(signal))),
        ),
        End::TimedOut => {
            let seconds = timeout.unwrap_or_default().as_secs_f64();
            let text =
                format!("Command timed out after {seconds} seconds. Give a larger `timeout` if it needs longer.");
            (Code::Timeout, Some(text))
        }
        End::Cancelled => (
            Code::Cancelled,
            Some("Command interrupted; its processes were ended".to_owned()),
        ),
    };
    let status = match end {
        End::Exited(status) => Value::from(status),
        End::Signaled(_) | End::TimedOut | End::Cancelled => Value::Null,
    };
    outcome.details.insert("exitCode".to_owned(), status);
    outcome.code = code;
    outcome.status = code.status();
    let text = match (&note, shown.is_empty()) {
        (None, true) => "(no output)".to_owned(),
        (None, false) => shown.to_owned(),
        (Some(note), true) => note.clone(),
        (Some(note), false) => format!("{shown}\n\n{note}"),
    };
    outcome.content = vec![Block::Text(text)];
    if code != Code::Ok {
        outcome.reason = note;
    }
}

fn signal_name(number: i32) -> String {
    nix::sys::signal::Signal::try_from(number).map_or_else(|_| number.to_string(), |s| s.as_str().to_owned())
}
