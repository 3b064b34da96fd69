//! The way of one call: admitted, watched for loops, judged, run, finished.

use super::record::Written;
use super::{Engine, Hooks, Live};
use crate::gate::{
    Admitted, CommandFacts, Decision, FileTool, Plan, PlanKind, Ruling, ToolFacts, Trace, Weight, admit, judge_command,
    judge_tool,
};
use crate::launch::{Inherit, prepare};
use crate::looping::{Attempt, Judged, LoopLimits, LoopStore};
use crate::model::{Block, Call, Code, Executor, Outcome, Stage, Status};
use crate::path::Root;
use crate::result::{Finished, Kind, finish, sanitise};
use crate::state::RecordKind;
use crate::tool::file::reads_source;
use crate::tool::{ToolError, ToolResult};
use serde_json::{Map, Value};
use std::time::Instant;

/// Characters of a reason or a warning.
const MAX_SENTENCE: usize = 4000;

/// Whether judging may leave a trace of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Memory {
    /// The call is remembered: it is about to be made.
    Keep,
    /// Nothing is remembered: somebody only asks.
    Leave,
}

/// What happens when a person must decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnAsk {
    /// The question stays pending.
    Pending,
    /// Nobody is asked: `askFallback` decides.
    Fallback,
}

/// A call on its way: what was decided, and what must be told of it afterwards.
struct Course {
    verdict: Ruling,
    /// The call as loop detection remembers it, where it does.
    attempt: Option<Attempt>,
    begin: Instant,
}

impl Engine<'_> {
    /// Decides a call without running it; remembers and changes nothing.
    pub fn check(&self, call: &Call, hooks: Hooks) -> Ruling {
        self.judge(call, Memory::Leave, hooks).verdict
    }

    /// Decides a call and, if it may, runs it. `live` takes a command's output while it runs.
    pub fn execute(&self, call: &Call, on_ask: OnAsk, live: Option<&Live<'_>>) -> Outcome {
        let mut course = self.judge(call, Memory::Keep, Hooks::Ask);
        let written = self.write_down(call, on_ask, &mut course);
        let mut outcome = Outcome {
            id: call.id.clone(),
            tool: call.tool.clone(),
            status: course.verdict.code.status(),
            code: course.verdict.code,
            reason: None,
            content: Vec::new(),
            details: Map::new(),
            warnings: std::mem::take(&mut course.verdict.warnings),
            duration_ms: 0,
        };
        let mut kind = Kind::Tool;
        match std::mem::replace(&mut course.verdict.decision, Decision::Deny) {
            Decision::Allow(plan) => kind = self.run(*plan, live, &mut outcome),
            Decision::Ask(plan) => kind = self.unanswered(plan, &mut course, on_ask, live, &mut outcome),
            Decision::Deny => outcome.reason = Some(std::mem::take(&mut course.verdict.reason)),
        }
        if let Some(reason) = outcome.reason.as_ref().filter(|_| outcome.content.is_empty()) {
            outcome.content.push(Block::Text(reason.clone()));
        }
        self.remember(&course, &mut outcome);
        let finished = self.finish(kind, &mut outcome);
        outcome.duration_ms = u64::try_from(course.begin.elapsed().as_millis()).unwrap_or(u64::MAX);
        let missing = self.write_end(call, written, &outcome, &finished);
        outcome.warnings.extend(missing);
        outcome.content = finished.content.into_inner();
        outcome.details = finished.details.into_inner();
        self.tell_hooks(call, &course.verdict.args, &outcome);
        outcome
    }

    /// Writes the decision down. What is to run and cannot be written down is refused.
    fn write_down(&self, call: &Call, on_ask: OnAsk, course: &mut Course) -> Option<Written> {
        let runs = match (&course.verdict.decision, on_ask) {
            (Decision::Allow(_), _) => true,
            (Decision::Ask(Some(_)), OnAsk::Fallback) => course.verdict.unanswered == Weight::Pass,
            (Decision::Ask(_) | Decision::Deny, _) => false,
        };
        let kind = if runs { RecordKind::Start } else { RecordKind::Decision };
        match self.write_decision(call, &course.verdict, kind) {
            Ok(written) => Some(written),
            Err(reason) if runs => {
                let args = std::mem::take(&mut course.verdict.args);
                let trace = std::mem::take(&mut course.verdict.trace);
                course.verdict = Ruling::deny(Code::StateUnavailable, reason, trace, args);
                None
            }
            Err(reason) => {
                course.verdict.warnings.push(reason);
                None
            }
        }
    }

    /// Nobody is there to answer: the question stays pending, or the fallback decides.
    fn unanswered(
        &self,
        plan: Option<Box<Plan>>,
        course: &mut Course,
        on_ask: OnAsk,
        live: Option<&Live<'_>>,
        outcome: &mut Outcome,
    ) -> Kind {
        let reason = std::mem::take(&mut course.verdict.reason);
        match (on_ask, course.verdict.unanswered, plan) {
            (OnAsk::Pending, ..) => {
                outcome.status = Status::ApprovalPending;
                outcome.reason = Some(reason);
                Kind::Tool
            }
            (OnAsk::Fallback, Weight::Pass, Some(plan)) => {
                outcome.code = Code::Ok;
                outcome.status = Status::Completed;
                outcome
                    .warnings
                    .push(format!("nobody was asked; `askFallback` lets it run: {reason}"));
                self.run(*plan, live, outcome)
            }
            (OnAsk::Fallback, ..) => {
                outcome.code = Code::ApprovalTimeout;
                outcome.status = outcome.code.status();
                outcome.reason = Some(format!(
                    "nobody was asked, and `askFallback` does not let it run: {reason}"
                ));
                Kind::Tool
            }
        }
    }

    fn judge(&self, call: &Call, memory: Memory, hooks: Hooks) -> Course {
        let begin = Instant::now();
        let course = |verdict, attempt| Course {
            verdict,
            attempt,
            begin,
        };
        let mut admitted = match admit(self.effective, (self.universe, self.set), &self.declarations, call) {
            Ok(admitted) => admitted,
            Err(mut refusal) => {
                let unknown = refusal.code == Code::UnknownTool;
                let attempt = unknown
                    .then(|| self.watch_unknown(call, memory, &mut refusal))
                    .flatten();
                return course(*refusal, attempt);
            }
        };
        let (attempt, warnings) = match self.watch(call, memory, &mut admitted) {
            Ok(watched) => watched,
            Err(refusal) => return course(*refusal, None),
        };
        let (admitted, heard) = match self.ask_hooks(call, admitted, hooks) {
            Ok(heard) => heard,
            Err(mut refusal) => {
                refusal.warnings.splice(0..0, warnings);
                return course(*refusal, attempt);
            }
        };
        let mut verdict = self.judge_admitted(call, admitted);
        heard.apply(&mut verdict);
        verdict.warnings.splice(0..0, warnings);
        course(verdict, attempt)
    }

    fn judge_admitted(&self, call: &Call, admitted: Admitted<'_>) -> Ruling {
        let root = match self.root_of(&admitted.tool.key) {
            Ok(root) => root,
            Err(error) => {
                let reason = format!("the workspace cannot be used: {error}");
                return Ruling::deny(Code::PathEscape, reason, admitted.trace, admitted.args);
            }
        };
        let facts = ToolFacts {
            root: &root,
            workspace: &self.context.workspace,
            id: &call.id,
            prepare: &|command, env| prepare(command, Inherit::Tool, env, self.launching()),
        };
        let judge_other = |admitted| judge_tool(self.effective, admitted, &facts);
        if &*admitted.tool.key != "exec" {
            return judge_other(admitted);
        }
        // Another executor for `exec` runs what the same judge let through.
        let bound = (admitted.tool.executor == Executor::Command).then(|| admitted.clone());
        let verdict = self.judge_exec(&root, admitted);
        match (&verdict.decision, bound) {
            (Decision::Allow(_), Some(bound)) => Ruling {
                trace: verdict.trace,
                ..judge_other(bound)
            },
            _ => verdict,
        }
    }

    fn judge_exec(&self, root: &Root, admitted: Admitted<'_>) -> Ruling {
        let world = match self.world() {
            Ok(world) => world,
            Err(error) => {
                let reason = format!("the workspace cannot be used: {error}");
                return Ruling::deny(Code::PathEscape, reason, admitted.trace, admitted.args);
            }
        };
        let facts = CommandFacts {
            root,
            workspace: root.workspace(),
            ground: &|cwd| self.ground(world, root.workspace(), cwd),
            world,
        };
        judge_command(self.effective, self.exec_policy(), admitted, &facts)
    }

    /// The limits of loop detection, where it is on and there is a session to remember.
    fn loop_limits(&self) -> Option<(LoopLimits, String)> {
        let session = self.session()?;
        let limits = LoopLimits::new(&self.effective.loop_detection);
        limits.enabled.then_some((limits, session))
    }

    /// Stage `loop`: remembers the attempt, warns, or refuses.
    fn watch(
        &self,
        call: &Call,
        memory: Memory,
        admitted: &mut Admitted<'_>,
    ) -> Result<(Option<Attempt>, Vec<String>), Box<Ruling>> {
        let Some((limits, session)) = self.loop_limits() else {
            admitted.trace.push(
                Stage::Loop,
                Weight::Skip,
                "loop detection is off, or there is no session",
            );
            return Ok((None, Vec::new()));
        };
        let attempt = Attempt::new(&call.tool, &Value::Object(admitted.args.clone()), &call.id);
        let refuse = |trace: &mut Trace, code, reason: String| {
            trace.push(Stage::Loop, Weight::Deny, reason.clone());
            Box::new(Ruling::deny(code, reason, std::mem::take(trace), admitted.args.clone()))
        };
        match self.consult(&session, &attempt, &limits, memory) {
            Err(reason) => Err(refuse(&mut admitted.trace, Code::StateUnavailable, reason)),
            Ok(Judged::Block(finding)) => Err(refuse(&mut admitted.trace, Code::LoopCritical, finding.message)),
            Ok(Judged::Warn(finding)) => {
                admitted.trace.push(Stage::Loop, Weight::Pass, finding.message.clone());
                Ok((Some(attempt), vec![finding.message]))
            }
            Ok(Judged::Clear | Judged::Quiet(_)) => {
                admitted.trace.push(Stage::Loop, Weight::Pass, "no loop");
                Ok((Some(attempt), Vec::new()))
            }
        }
    }

    /// A tool that does not exist is refused anyway; a model that asks for it again and again is told so.
    fn watch_unknown(&self, call: &Call, memory: Memory, refusal: &mut Ruling) -> Option<Attempt> {
        let (limits, session) = self.loop_limits()?;
        let attempt = Attempt::new(&call.tool, &Value::Object(call.args.clone()), &call.id);
        match self.consult(&session, &attempt, &limits, memory) {
            Ok(Judged::Block(finding) | Judged::Warn(finding)) => {
                refusal.warnings.push(finding.message);
                None
            }
            Ok(Judged::Clear | Judged::Quiet(_)) => Some(attempt),
            Err(reason) => {
                refusal.warnings.push(reason);
                None
            }
        }
    }

    fn consult(&self, session: &str, attempt: &Attempt, limits: &LoopLimits, memory: Memory) -> Result<Judged, String> {
        let store = LoopStore::new(&self.caller.state_dir);
        match memory {
            Memory::Keep => store.begin(session, attempt, limits),
            Memory::Leave => store.peek(session, attempt, limits),
        }
        .map_err(|fault| format!("{fault}; give another `--state-dir`, or set `tools.loopDetection.enabled: false`"))
    }

    /// Tells loop detection what came of the call.
    fn remember(&self, course: &Course, outcome: &mut Outcome) {
        let (Some(attempt), Some((_, session))) = (&course.attempt, self.loop_limits()) else {
            return;
        };
        let seen = attempt.observe_outcome(outcome);
        if let Err(fault) = LoopStore::new(&self.caller.state_dir).end(&session, attempt, seen) {
            outcome
                .warnings
                .push(format!("loop detection did not see this result: {fault}"));
        }
    }

    /// Runs a plan; says what kind of text came of it.
    fn run(&self, plan: Plan, live: Option<&Live<'_>>, outcome: &mut Outcome) -> Kind {
        match plan.into_kind() {
            PlanKind::File { tool, root, args } => {
                settle(self.run_file(tool, *root, &args), outcome);
                if tool == FileTool::Read && reads_source(&args) {
                    Kind::Source
                } else {
                    Kind::File
                }
            }
            PlanKind::AgentsList => {
                settle(Ok(self.agents_list()), outcome);
                Kind::Tool
            }
            PlanKind::Command(plan) => {
                self.run_command(plan, outcome);
                Kind::Tool
            }
            PlanKind::Exec(plan) => {
                self.run_exec(&plan, live, outcome);
                Kind::Command
            }
        }
    }

    /// Nothing leaves that was not sanitised, redacted and cut.
    fn finish(&self, kind: Kind, outcome: &mut Outcome) -> Finished {
        let content = std::mem::take(&mut outcome.content);
        let details = std::mem::take(&mut outcome.details);
        let finished = finish(content, details, &self.results, kind, self.context.channel.as_deref());
        let hide = |text: &str| -> String {
            let redacted = self.results.redactor.redact(text).into_inner();
            let clean = sanitise::clean(&redacted, Kind::Tool).text;
            clean.chars().take(MAX_SENTENCE).collect()
        };
        outcome.reason = outcome.reason.as_deref().map(hide);
        outcome.warnings = outcome.warnings.iter().map(|w| hide(w)).collect();
        finished
    }
}

/// Puts a tool's own answer into the outcome.
fn settle(result: Result<ToolResult, ToolError>, outcome: &mut Outcome) {
    match result {
        Ok(result) => {
            outcome.content = result.content;
            outcome.details = result.details;
            outcome.warnings.extend(result.warnings);
        }
        Err(error) => {
            outcome.code = error.code;
            outcome.status = error.code.status();
            outcome.warnings.extend(error.warnings);
            outcome
                .details
                .insert("error".to_owned(), Value::from(error.message.clone()));
            outcome.reason = Some(error.message);
        }
    }
}
