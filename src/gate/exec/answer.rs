//! What judging a command gives: the decision, how it came about, and what would run.

use super::env::Variables;
use super::level::{Elevated, InlineEval};
use super::resolve::Program;
use crate::config::AllowEntry;
use crate::model::{Ask, Code, Host, Security, Stage};
use crate::shell::wrapper::Layer;
use crate::shell::{Analysis, Arg, Shape, Span, interpreter};
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// The decision. Ordered: more is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It may run.
    Allow,
    /// A person decides.
    Ask,
    /// It may not run.
    Deny,
}

/// One reason against running without asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The stage that found it.
    pub stage: Stage,
    /// Ask or deny.
    pub verdict: Verdict,
    /// Its code.
    pub code: Code,
    /// One sentence.
    pub reason: String,
    /// The part of the command text, if it is one.
    pub span: Option<Span>,
    /// Whether a grant for the program would settle it.
    pub is_miss: bool,
}

/// What one stage came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Which.
    pub stage: Stage,
    /// How it ended.
    pub outcome: StepOutcome,
    /// What it looked at or found.
    pub detail: Cow<'static, str>,
}

/// How a stage ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOutcome {
    /// Nothing against it.
    Pass,
    /// Not looked at, since something before settled it or it does not apply.
    Skip,
    /// A person decides.
    Ask,
    /// Refused.
    Deny,
}

impl StepOutcome {
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

/// What grants a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// An allowlist entry.
    Allowlist,
    /// A command rule.
    Rule,
    /// A safe bin's profile.
    SafeBins,
    /// It can do no harm.
    Builtin,
}

impl By {
    /// The word used in plans.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allowlist => "allowlist",
            Self::Rule => "rule",
            Self::SafeBins => "safeBins",
            Self::Builtin => "builtin",
        }
    }
}

/// One command that could run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Number of the simple command of the text, if it stands there itself (not inside a wrapper's text).
    pub id: Option<usize>,
    /// Its arguments, program first.
    pub argv: Vec<Arg>,
    /// What the program stands for.
    pub program: Option<Program>,
    /// Whether it is a builtin of the shell.
    pub builtin: bool,
    /// What grants it.
    pub by: Option<By>,
    /// The entry or rule that grants it and its place.
    pub grant: Option<String>,
    /// Whether the grant is a kept allow-always answer.
    pub durable: bool,
    /// The wrappers around it, outermost first.
    pub wrappers: Vec<Layer>,
    /// Where it stands in the text.
    pub span: Span,
    /// How deep it stands in shell texts of wrappers.
    pub depth: usize,
}

impl Segment {
    /// Whether it is git, by its name or behind a link.
    pub fn is_git(&self) -> bool {
        let is = |name| interpreter::base_name(name) == "git";
        self.program.as_ref().is_some_and(|p| is(p.name()) || is(p.real_name()))
    }

    /// Its arguments as text; what is not known is shown as `…`.
    pub fn shown(&self) -> Vec<String> {
        self.argv.iter().map(show).collect()
    }
}

/// An argument as text; what is not known is shown as `…`.
pub fn show(arg: &Arg) -> String {
    match &arg.shape {
        Shape::Exact(text) => text.clone(),
        Shape::Dynamic { pieces, .. } => pieces
            .iter()
            .map(|p| match p {
                crate::shell::Piece::Fixed(text) => text.as_str(),
                crate::shell::Piece::Unknown(_) => "…",
            })
            .collect(),
    }
}

/// The sentence of a question that `ask: off` turns into a refusal.
pub(super) fn nobody_asked(reason: &str) -> String {
    format!("exec denied: {reason} (nobody is asked: ask=off)")
}

/// The whole answer.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The decision.
    pub verdict: Verdict,
    /// Its code; `ok` when it may run.
    pub code: Code,
    /// One sentence for a person and the model.
    pub reason: String,
    /// The ready line of configuration that would allow it, where one would.
    pub help: Option<String>,
    /// The stages in order.
    pub trace: Vec<Step>,
    /// Everything that was found.
    pub findings: Vec<Finding>,
    /// Where it would run.
    pub host: Host,
    /// Elevated or not.
    pub elevated: Elevated,
    /// The security that holds.
    pub security: Security,
    /// The ask level that holds.
    pub ask: Ask,
    /// What happens when nobody answers.
    pub ask_fallback: Security,
    /// Whether inline code asks.
    pub inline_eval: InlineEval,
    /// The working directory.
    pub cwd: PathBuf,
    /// Every command that could run.
    pub segments: Vec<Segment>,
    /// The command text.
    pub command: String,
    /// What the text was read as; none if it was not understood.
    pub analysis: Option<Analysis>,
    /// The environment that the child gets, exactly.
    pub environment: Arc<Variables>,
    /// The variables that the call sets.
    pub overrides: Variables,
    /// Whether every command is granted and understood.
    pub satisfied: bool,
    /// Whether git runs and must not take a directory that only looks like a repository for one.
    pub guards_git: bool,
    /// What is against it if a shell opens its redirections.
    pub late: Option<String>,
    /// What an allow-always answer would add; empty when only the exact command may be kept.
    pub allow_always: Vec<AllowEntry>,
    /// What the caller should know besides.
    pub warnings: Vec<String>,
}

impl Judgement {
    /// Takes account of a shell that opens the redirections of the text.
    pub fn opened_by_shell(&mut self) {
        let Some(reason) = self.late.take() else { return };
        let (verdict, outcome, reason) = if self.ask == Ask::Off {
            (Verdict::Deny, StepOutcome::Deny, nobody_asked(&reason))
        } else {
            (Verdict::Ask, StepOutcome::Ask, reason)
        };
        self.satisfied = false;
        self.allow_always.clear();
        // The code is that of the first stage that is as strict as the whole.
        if verdict > self.verdict || (verdict == self.verdict && self.code == Code::AskAlways) {
            self.verdict = verdict;
            self.code = Code::PathEscape;
            self.reason.clone_from(&reason);
        }
        if let Some(step) = self.trace.iter_mut().find(|s| s.stage == Stage::Allowlist) {
            step.detail = match step.outcome {
                StepOutcome::Pass | StepOutcome::Skip => Cow::Owned(reason.clone()),
                StepOutcome::Ask | StepOutcome::Deny => Cow::Owned(format!("{}\n{reason}", step.detail)),
            };
            if step.outcome != StepOutcome::Deny {
                step.outcome = outcome;
            }
        }
        self.findings.push(Finding {
            stage: Stage::Allowlist,
            verdict,
            code: Code::PathEscape,
            reason,
            span: None,
            is_miss: false,
        });
    }

    /// What is decided when a person should be asked and nobody answers: the fallback, which never runs what the
    /// question was about for another reason than a missing grant.
    pub fn unanswered(&self) -> Verdict {
        if self.verdict != Verdict::Ask {
            return self.verdict;
        }
        let only_grants = self
            .findings
            .iter()
            .all(|f| f.is_miss || matches!(f.code, Code::AskAlways | Code::AllowlistMiss | Code::AnalysisFailed));
        match self.ask_fallback {
            Security::Allowlist if self.satisfied && only_grants => Verdict::Allow,
            Security::Full if only_grants => Verdict::Allow,
            Security::Deny | Security::Allowlist | Security::Full => Verdict::Deny,
        }
    }
}
