//! What the gate answers.

use super::document::PlanDocument;
use super::plan::Plan;
use crate::model::{Code, Stage};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// How a stage ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Nothing against it.
    Pass,
    /// It does not concern this call.
    Skip,
    /// A person must decide.
    Ask,
    /// No.
    Deny,
}

impl Weight {
    /// The word used in traces.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Skip => "skip",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// One line of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TraceRow {
    /// The stage.
    #[serde(serialize_with = "stage_word")]
    pub stage: Stage,
    /// How it ended.
    #[serde(serialize_with = "weight_word")]
    pub outcome: Weight,
    /// What it saw.
    pub detail: Cow<'static, str>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the serialiser hands references over")]
fn stage_word<S: Serializer>(stage: &Stage, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(stage.as_str())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the serialiser hands references over")]
fn weight_word<S: Serializer>(weight: &Weight, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(weight.as_str())
}

/// What every stage said, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The lines.
    pub rows: Vec<TraceRow>,
}

impl Trace {
    /// Adds a line.
    pub fn push(&mut self, stage: Stage, outcome: Weight, detail: impl Into<Cow<'static, str>>) {
        self.rows.push(TraceRow {
            stage,
            outcome,
            detail: detail.into(),
        });
    }
}

/// The decision about a call.
#[derive(Debug)]
#[must_use]
pub enum Decision {
    /// It may run, exactly as planned.
    Allow(Box<Plan>),
    /// A person must decide; the plan is what would run.
    Ask(Option<Box<Plan>>),
    /// No.
    Deny,
}

impl Decision {
    /// The word used in output.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Allow(_) => "allow",
            Self::Ask(_) => "ask",
            Self::Deny => "deny",
        }
    }
}

/// The gate's whole answer.
#[derive(Debug)]
#[must_use]
pub struct Ruling {
    /// May it run?
    pub decision: Decision,
    /// Why; `Ok` for an allowed call.
    pub code: Code,
    /// One sentence that a person understands, with the rule, its place and the way out; empty for an allowed call.
    pub reason: String,
    /// Every stage.
    pub trace: Trace,
    /// The arguments as judged.
    pub args: Map<String, Value>,
    /// What the caller should know besides.
    pub warnings: Vec<String>,
    /// What becomes of a question that nobody answers (`askFallback`): pass or deny.
    pub unanswered: Weight,
    /// The plan as a document (cli.md, `check`).
    pub document: PlanDocument,
}

impl Ruling {
    /// A refusal.
    pub fn deny(code: Code, reason: impl Into<String>, trace: Trace, args: Map<String, Value>) -> Self {
        Self {
            decision: Decision::Deny,
            code,
            reason: reason.into(),
            trace,
            args,
            warnings: Vec::new(),
            unanswered: Weight::Deny,
            document: PlanDocument::Nothing,
        }
    }

    /// The exit code of `check` (cli.md): 0 allow, 4 ask, 3 deny, 2 for what is no proper call.
    pub fn exit(&self) -> u8 {
        match self.decision {
            Decision::Allow(_) => 0,
            Decision::Ask(_) => 4,
            Decision::Deny => self.code.exit(),
        }
    }
}
