//! What each stage of a judgement saw, in words.

use super::answer::{By, Judgement, Segment, Step, show};
use crate::model::{Security, Stage, Verdict};
use std::borrow::Cow;

/// The stages of a command, in order.
const STAGES: [Stage; 7] = [
    Stage::Host,
    Stage::Security,
    Stage::Env,
    Stage::Preflight,
    Stage::Analysis,
    Stage::Allowlist,
    Stage::Approval,
];

/// What each of them saw.
pub(super) fn steps(judged: &Judgement) -> Vec<Step> {
    let level = judged.level;
    let step = |stage| {
        let mut verdict = Verdict::Allow;
        let mut found = String::new();
        let here = judged.findings.iter().filter(|f| f.stage == stage);
        for (finding, came_to) in here.map(|f| (f, f.kind.verdict(level.bounds()))) {
            if came_to == Verdict::Allow {
                continue;
            }
            if !found.is_empty() {
                found.push('\n');
            }
            found.push_str(&finding.told(level.bounds()));
            verdict = verdict.max(came_to);
        }
        let detail = if found.is_empty() {
            passed(judged, stage)
        } else {
            Cow::Owned(found)
        };
        let skipped = stage == Stage::Allowlist && level.security == Security::Full && verdict == Verdict::Allow;
        let outcome = (!skipped).then_some(verdict);
        Step { stage, outcome, detail }
    };
    STAGES.into_iter().map(step).collect()
}

/// What a stage that had nothing against the command looked at.
fn passed(judged: &Judgement, stage: Stage) -> Cow<'static, str> {
    let level = judged.level;
    let said = |word: &str, value: &str| Cow::Owned([word, value].concat());
    match stage {
        Stage::Host => said("host=", level.host.as_str()),
        Stage::Security => said("security=", level.security.as_str()),
        Stage::Env => counted(judged.given, "no variables of the call", "variable of the call"),
        Stage::Preflight => Cow::Borrowed("no script with shell syntax"),
        Stage::Analysis => counted(judged.segments.len(), "no command", "command"),
        Stage::Allowlist => Cow::Owned(granted(&judged.segments)),
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
