//! What each stage of a judgement saw, in words.

use super::answer::{By, Finding, Segment, Step, StepOutcome, Verdict, show};
use super::judge::Input;
use super::level::Level;
use crate::model::{Security, Stage};
use std::borrow::Cow;

/// The stages in order.
pub(super) fn steps(input: &Input<'_>, level: Level, findings: &[Finding], segments: &[Segment]) -> Vec<Step> {
    const STAGES: [Stage; 7] = [
        Stage::Host,
        Stage::Security,
        Stage::Env,
        Stage::Preflight,
        Stage::Analysis,
        Stage::Allowlist,
        Stage::Approval,
    ];
    let step = |stage| {
        let mut outcome = StepOutcome::Pass;
        let mut found = String::new();
        for finding in findings.iter().filter(|f| f.stage == stage) {
            if !found.is_empty() {
                found.push('\n');
            }
            found.push_str(&finding.reason);
            outcome = match (outcome, finding.verdict) {
                (_, Verdict::Deny) | (StepOutcome::Deny, _) => StepOutcome::Deny,
                (_, Verdict::Ask) | (StepOutcome::Ask, _) => StepOutcome::Ask,
                (outcome, Verdict::Allow) => outcome,
            };
        }
        let detail = if found.is_empty() {
            passed(input, level, stage, segments)
        } else {
            Cow::Owned(found)
        };
        if stage == Stage::Allowlist && level.security == Security::Full && outcome == StepOutcome::Pass {
            outcome = StepOutcome::Skip;
        }
        Step { stage, outcome, detail }
    };
    STAGES.into_iter().map(step).collect()
}

/// What a stage that had nothing against the command looked at.
fn passed(input: &Input<'_>, level: Level, stage: Stage, segments: &[Segment]) -> Cow<'static, str> {
    let said = |word: &str, value: &str| Cow::Owned([word, value].concat());
    match stage {
        Stage::Host => said("host=", level.host.as_str()),
        Stage::Security => said("security=", level.security.as_str()),
        Stage::Env => counted(
            input.request.env.len(),
            "no variables of the call",
            "variable of the call",
        ),
        Stage::Preflight => Cow::Borrowed("no script with shell syntax"),
        Stage::Analysis => counted(segments.len(), "no command", "command"),
        Stage::Allowlist => Cow::Owned(granted(segments)),
        Stage::Approval => said("ask=", level.ask.as_str()),
        Stage::Call | Stage::Policy | Stage::Loop | Stage::Hooks | Stage::Params => Cow::Borrowed(""),
    }
}

/// `2 commands`
fn counted(count: usize, none: &'static str, word: &str) -> Cow<'static, str> {
    match count {
        0 => Cow::Borrowed(none),
        1 => Cow::Owned(["1 ", word].concat()),
        n => Cow::Owned(match word.split_once(' ') {
            None => format!("{n} {word}s"),
            Some((noun, rest)) => format!("{n} {noun}s {rest}"),
        }),
    }
}

/// What grants each command, a line each.
fn granted(segments: &[Segment]) -> String {
    let mut text = String::new();
    for segment in segments {
        if !text.is_empty() {
            text.push('\n');
        }
        if let Some(head) = segment.argv.first() {
            text.push_str(&show(head));
        }
        text.push_str(": ");
        let by = segment.by.map_or("security=full", By::as_str);
        text.push_str(by);
        if let Some(grant) = segment.grant.as_ref().filter(|grant| *grant != by) {
            text.push(' ');
            text.push_str(grant);
        }
    }
    text
}
