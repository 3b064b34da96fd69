//! The one judge. A call goes through a table of stages; each gives findings; one table makes a verdict of them.

use super::case::{Case, Policy, Seen};
use super::decision::{Answer, Decision, Refusal, Ruling};
use super::document::PlanDocument;
use super::plan::Plan;
use super::stages::{self, command};
use super::surroundings::Surroundings;
use crate::model::{Call, Code, Stage, Verdict};

/// May this call run, and exactly how? `answer` is what is known of a person's answer; none while one may still be asked.
pub fn judge(call: &Call, policy: &Policy<'_>, answer: Option<&Answer>, world: &dyn Surroundings) -> Ruling {
    rule(examine(call, policy, answer, world))
}

/// Sends a call through the stages.
pub(super) fn examine<'a>(
    call: &'a Call,
    policy: &'a Policy<'a>,
    answer: Option<&'a Answer>,
    world: &'a dyn Surroundings,
) -> Case<'a> {
    let mut case = Case::new(call, policy, answer, world);
    for row in &STAGES {
        let seen = (row.judge)(&mut case);
        case.close(row.stage, seen);
        if row.ends && case.verdict() == Verdict::Deny {
            break;
        }
    }
    case
}

/// Sends a command text, which is no call of its own, through the stages that judge commands: nobody is asked, no hook
/// hears of it, and nothing is written down.
pub(super) fn examine_text<'a>(call: &'a Call, policy: &'a Policy<'a>, world: &'a dyn Surroundings) -> Case<'a> {
    let mut case = Case::new(call, policy, None, world);
    let of_calls = [Stage::Loop, Stage::Hooks, Stage::Approval, Stage::Record];
    for row in STAGES.iter().filter(|row| !of_calls.contains(&row.stage)) {
        (row.judge)(&mut case);
        if row.ends && case.verdict() == Verdict::Deny {
            break;
        }
    }
    case
}

/// One stage.
struct StageRow {
    stage: Stage,
    /// Adds what it has against the call to the case.
    judge: fn(&mut Case<'_>) -> Seen,
    /// Whether nothing later is asked of a call that is refused here.
    ends: bool,
}

const fn row(stage: Stage, judge: fn(&mut Case<'_>) -> Seen, ends: bool) -> StageRow {
    StageRow { stage, judge, ends }
}

/// The stages, in order. The code of a decision is that of the first whose finding is as strict as the whole.
static STAGES: [StageRow; 13] = [
    row(Stage::Call, stages::call, true),
    row(Stage::Policy, stages::policy, true),
    row(Stage::Loop, stages::repetition, true),
    row(Stage::Hooks, stages::hooks, true),
    row(Stage::Params, stages::params, true),
    row(Stage::Host, stages::host, false),
    row(Stage::Security, command::security, false),
    row(Stage::Env, command::env_of_call, false),
    row(Stage::Preflight, command::scripts, false),
    row(Stage::Analysis, command::analysed, false),
    row(Stage::Allowlist, command::granted, false),
    row(Stage::Approval, stages::approval, true),
    row(Stage::Record, stages::record, true),
];

/// The decision. A call of which nothing is planned is refused, whatever was found.
fn rule(mut case: Case<'_>) -> Ruling {
    let document = match case.verdict() {
        Verdict::Deny if case.command.is_none() => PlanDocument::Nothing,
        _ => case.document(),
    };
    let question = match case.verdict() {
        Verdict::Ask => case.question(),
        Verdict::Allow | Verdict::Deny => None,
    };
    let decision = match (case.verdict(), question, case.plan.take()) {
        (Verdict::Allow, _, Some(plan)) => Decision::Allow(Box::new(Plan::new(plan))),
        (Verdict::Ask, Some(question), _) => Decision::Ask(Box::new(question)),
        (Verdict::Deny, ..) => {
            let (code, reason) = case.why();
            let told = case.for_the_model(code, &reason);
            Decision::Deny(Refusal { code, reason, told })
        }
        (Verdict::Allow | Verdict::Ask, ..) => {
            Decision::Deny(Refusal::new(Code::NoExecutor, "nothing that could run was planned"))
        }
    };
    Ruling {
        decision,
        trace: case.trace,
        args: case.args,
        warnings: case.warnings,
        document,
    }
}
