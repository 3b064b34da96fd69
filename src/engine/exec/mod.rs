//! Runs a judged command on the host that it was judged for, and tells its end as the `exec` tool tells it.

mod output;

use super::command::GRACE;
use super::{Engine, Live};
use crate::confine::Report;
use crate::floor;
use crate::gate::ExecPlan;
use crate::host::{Host, Stopped};
use crate::model::{Block, Code, Host as HostKind, Outcome};
use crate::process::{End, Limits, signal_name};
use output::Aggregate;
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How a run was contained.
struct Contained {
    report: Report,
    writable: Vec<PathBuf>,
    /// What it left behind and was set right.
    found: Vec<String>,
    /// Why something could not be set right.
    unsettled: Option<String>,
}

impl Engine<'_> {
    /// Runs a command and puts its end into the outcome.
    pub(super) fn run_exec(&self, plan: &ExecPlan, live: Option<&Live<'_>>, outcome: &mut Outcome) {
        let begin = Instant::now();
        let mut aggregate = Aggregate::new(plan.max_output_chars, live);
        let mut floor = None;
        let end = self.run_on_host(plan, begin, &mut aggregate, &mut floor);
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
        if let Some(floor) = &floor {
            let details = json!({"enforces": floor.report.enforces, "lacks": floor.report.lacks});
            outcome.details.insert("floor".to_owned(), details);
        }
        if let Some(floor) = &floor {
            outcome.warnings.extend(floor.found.iter().cloned());
            let unsettled = floor.unsettled.iter();
            outcome
                .warnings
                .extend(unsettled.map(|why| format!("what the command left behind could not be set right: {why}")));
        }
        match end {
            Ok(end) => {
                tell(end, &output.text, plan.timeout, outcome);
                if let (Some(floor), Some(Block::Text(text))) = (&floor, outcome.content.last_mut())
                    && !floor.found.is_empty()
                {
                    text.push_str(&floor::told_found(&floor.found));
                }
                if let Some(floor) = &floor {
                    self.tell_refusal(end, floor, &output.text, outcome);
                }
            }
            Err(stopped) => {
                outcome.code = stopped.code;
                outcome.status = stopped.code.status();
                outcome.reason = Some(stopped.reason);
            }
        }
    }

    fn run_on_host(
        &self,
        plan: &ExecPlan,
        begin: Instant,
        sink: &mut Aggregate<'_, '_>,
        floor: &mut Option<Contained>,
    ) -> Result<End, Stopped> {
        let limits = Limits {
            deadline: plan.timeout.and_then(|t| begin.checked_add(t)),
            grace: GRACE,
        };
        let mut running = self.host_of(plan)?.start(plan)?;
        *floor = running.raised().map(|raised| Contained {
            report: raised.report(),
            writable: raised.writable.clone(),
            found: Vec::new(),
            unsettled: None,
        });
        let end = running.wait(&limits, self.interrupts, sink);
        let settled = running.settle();
        if let Some(floor) = floor {
            match settled {
                Ok(found) => floor.found = found.iter().map(ToString::to_string).collect(),
                Err(fault) => floor.unsettled = Some(fault.to_string()),
            }
        }
        end
    }

    /// Says that something was refused by the walls, where a command that has failed says that something was refused.
    fn tell_refusal(&self, end: End, floor: &Contained, output: &str, outcome: &mut Outcome) {
        let refused = match end {
            End::Exited(0) | End::TimedOut | End::Cancelled => None,
            End::Exited(_) | End::Signaled(_) => floor::refused_by_walls(output),
        };
        if let (Some(path), Some(Block::Text(text))) = (refused, outcome.content.last_mut()) {
            let told = floor::told(path.as_deref(), &floor.writable, &self.context.workspace);
            text.push_str("\n\n");
            text.push_str(&told);
        }
    }

    /// The host that a plan was made for.
    fn host_of(&self, plan: &ExecPlan) -> Result<&dyn Host, Stopped> {
        let stopped = |code, reason: String| Stopped { code, reason };
        match plan.host {
            HostKind::Gateway => match self.local() {
                Ok(local) => Ok(local),
                Err(error) => Err(stopped(
                    Code::PathEscape,
                    format!("the workspace cannot be used: {error}"),
                )),
            },
            HostKind::Auto | HostKind::Sandbox | HostKind::Node => Err(stopped(
                Code::NotSupported,
                "the plan was made for a host that nothing here can reach".to_owned(),
            )),
        }
    }
}

/// Whether the status 127 says that a program is not there: a shell ends so for other reasons as well, and says which.
fn is_not_found(output: &str) -> bool {
    output.is_empty()
        || ["not found", "No such file or directory"]
            .iter()
            .any(|words| output.contains(words))
}

/// How a command's end reads.
fn tell(end: End, output: &str, timeout: Option<Duration>, outcome: &mut Outcome) {
    let shown = output.trim();
    let (code, note) = match end {
        End::Exited(0) => (Code::Ok, None),
        End::Exited(126) => (
            Code::ToolFailed,
            Some("Command not executable (permission denied)".to_owned()),
        ),
        End::Exited(127) if is_not_found(shown) => (Code::ToolFailed, Some("Command not found".to_owned())),
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
    outcome.exit_code = match end {
        End::Exited(status) => Some(status),
        End::Signaled(_) | End::TimedOut | End::Cancelled => None,
    };
    outcome.details.insert("exitCode".to_owned(), json!(outcome.exit_code));
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
