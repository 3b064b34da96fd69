//! The stages of the `exec` tool, and the plan of what was judged.

use super::admit::Admitted;
use super::decision::{Decision, Ruling, Trace, Weight};
use super::document::{ExecDocument, PatternDocument, PlanDocument, SegmentDocument, path_text};
use super::exec::{self, ExecPolicy, Ground, Hosts, Input, Judgement, Request, Segment, World};
use super::plan::{ExecPlan, ExecRun, Plan, PlanKind};
use super::planner::{NoPlan, Planner};
use super::tool::check_params;
use crate::config::Effective;
use crate::model::{Code, Context, Stage, Verdict};
use crate::path::{Intent, Root, Spelling, judge as judge_path};
use crate::shell::Dialect;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What the gate has to know of the world for a command.
pub struct CommandFacts<'a> {
    /// The rules about paths.
    pub root: &'a Root,
    /// The caller's workspace, without symlinks.
    pub workspace: &'a Path,
    /// What commands start from in a working directory.
    pub ground: &'a dyn Fn(&Path) -> Rc<Ground>,
    /// The machine.
    pub world: &'a dyn World,
}

impl std::fmt::Debug for CommandFacts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CommandFacts")
            .field("workspace", &self.workspace)
            .finish_non_exhaustive()
    }
}

/// Judges a call of `exec`.
pub fn judge_command(
    effective: &Effective<'_>,
    policy: &ExecPolicy,
    mut admitted: Admitted,
    facts: &CommandFacts,
) -> Ruling {
    let ignored = Request::fold_words(&mut admitted.args);
    let mut trace = admitted.trace.clone();
    let (request, cwd) = match prepare(&admitted, facts, &mut trace) {
        Ok(ready) => ready,
        Err((code, reason)) => return Ruling::deny(code, reason, trace, admitted.args),
    };
    let ground = (facts.ground)(&cwd);
    let mut input = Input {
        request: &request,
        policy,
        hosts: Hosts {
            sandbox: effective.context.sandbox,
            node: false,
        },
        ground: &ground,
        cwd: &cwd,
        world: facts.world,
        dialect: Dialect::Bash,
    };
    let mut judgement = exec::judge(&input);
    let mut planned = Planner::new(&input, &judgement).plan(&effective.exec, &admitted.args);
    if matches!(planned, Err(NoPlan::NoShell(_))) {
        // Another shell runs only what was read in its language.
        input.dialect = Dialect::Posix;
        judgement = exec::judge(&input);
        planned = Planner::new(&input, &judgement).plan(&effective.exec, &admitted.args);
    }
    if let Ok((plan, _)) = &planned
        && matches!(plan.run, ExecRun::Shell { .. })
    {
        judgement.opened_by_shell();
    }
    judgement.warnings.extend(ignored);
    judgement.warnings.extend(foreground(&admitted.args));
    for step in std::mem::take(&mut judgement.trace) {
        let outcome = match step.outcome {
            Some(Verdict::Allow) => Weight::Pass,
            None => Weight::Skip,
            Some(Verdict::Ask) => Weight::Ask,
            Some(Verdict::Deny) => Weight::Deny,
        };
        trace.push(step.stage, outcome, step.detail);
    }
    no_host(effective.context, &mut judgement, &mut trace);
    verdict(judgement, planned, trace, admitted.args)
}

/// No sandbox and no node can be had yet: what must run there is refused, and never runs here instead.
fn no_host(context: &Context, judgement: &mut Judgement, trace: &mut Trace) {
    use crate::model::Host;
    if judgement.verdict == Verdict::Deny {
        return;
    }
    let missing = match judgement.level.host {
        Host::Sandbox => "a sandbox",
        Host::Node => "a node",
        Host::Auto | Host::Gateway if context.sandbox => "a sandbox",
        Host::Auto | Host::Gateway => return,
    };
    let reason = format!(
        "the command would have to run in {missing}, which is not available here; it never runs on this machine instead"
    );
    trace.push(Stage::Host, Weight::Deny, reason.clone());
    judgement.verdict = Verdict::Deny;
    judgement.code = Code::HostNotAllowed;
    judgement.reason = reason;
}

/// Stage `params`: the arguments, and where the command is to run.
fn prepare(admitted: &Admitted, facts: &CommandFacts, trace: &mut Trace) -> Result<(Request, PathBuf), (Code, String)> {
    check_params(admitted, trace)?;
    let mut deny = |code, reason: String| {
        trace.push(Stage::Params, Weight::Deny, reason.clone());
        (code, reason)
    };
    if admitted.args.get("pty").and_then(Value::as_bool) == Some(true) {
        let reason = "`pty: true` is not supported; run the command without a terminal".to_owned();
        return Err(deny(Code::NotSupported, reason));
    }
    let cwd = match admitted
        .args
        .get("workdir")
        .and_then(Value::as_str)
        .filter(|w| !w.trim().is_empty())
    {
        None => facts.workspace.to_owned(),
        Some(given) => {
            let judged = judge_path(facts.root, given, Intent::Cwd, Spelling::Tool)
                .map_err(|refusal| deny(refusal.code(), format!("workdir: {refusal}")))?;
            judged.absolute()
        }
    };
    if !facts.world.facts(&cwd).is_some_and(|f| f.is_dir()) {
        let reason = "`workdir` is not a directory that exists".to_owned();
        return Err(deny(Code::InvalidParams, reason));
    }
    Ok((Request::from_args(&admitted.args), cwd))
}

fn foreground(args: &Map<String, Value>) -> Option<String> {
    let background = args.get("background").and_then(Value::as_bool) == Some(true);
    let yields = args.get("yieldMs").is_some_and(|y| !y.is_null());
    (background || yields)
        .then(|| "background execution is not available: the command runs in the foreground until it ends".to_owned())
}

fn verdict(
    mut judgement: Judgement,
    planned: Result<(ExecPlan, String), NoPlan>,
    trace: Trace,
    args: Map<String, Value>,
) -> Ruling {
    let (plan, text) = match planned {
        Ok((plan, text)) => (Ok(Box::new(Plan::new(PlanKind::Exec(plan)))), text),
        Err(NoPlan::NoShell(why) | NoPlan::Other(why)) => (Err(why), judgement.command.clone()),
    };
    let told = std::mem::take(&mut judgement.reason);
    let (decision, code, reason) = match (judgement.verdict, plan) {
        (Verdict::Allow, Ok(plan)) => (Decision::Allow(plan), Code::Ok, String::new()),
        (Verdict::Ask, Ok(plan)) => (Decision::Ask(Some(plan)), judgement.code, told),
        // What cannot be planned cannot run, whatever was decided.
        (Verdict::Allow | Verdict::Ask, Err(why)) => (Decision::Deny, Code::AnalysisFailed, why),
        (Verdict::Deny, _) => (Decision::Deny, judgement.code, told),
    };
    let unanswered = match judgement.unanswered() {
        Verdict::Allow => Weight::Pass,
        Verdict::Ask | Verdict::Deny => Weight::Deny,
    };
    Ruling {
        decision,
        code,
        reason,
        trace,
        args,
        document: document(&mut judgement, text),
        warnings: judgement.warnings,
        unanswered,
    }
}

fn document(judgement: &mut Judgement, text: String) -> PlanDocument {
    let segments = std::mem::take(&mut judgement.segments);
    let segment = |s: Segment| SegmentDocument {
        argv: s.shown(),
        resolved: s.program.as_ref().map(|p| path_text(&p.invoked)),
        by: s.by.map(exec::By::as_str),
        grant: s.grant,
        wrappers: s.wrappers.into_iter().map(|w| w.name).collect(),
        span: [s.span.start, s.span.end],
    };
    let kept = std::mem::take(&mut judgement.allow_always).into_iter();
    PlanDocument::Exec(Box::new(ExecDocument {
        host: judgement.level.host.as_str(),
        security: judgement.level.security.as_str(),
        ask: judgement.level.ask.as_str(),
        ask_fallback: judgement.level.ask_fallback.as_str(),
        cwd: path_text(&judgement.cwd),
        segments: segments.into_iter().map(segment).collect(),
        command: text,
        allow_always: kept.map(|e| PatternDocument { pattern: e.pattern }).collect(),
    }))
}
