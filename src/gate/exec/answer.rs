//! What judging a command gives: the decision, how it came about, and what would run.

use super::env::Variables;
use super::level::Level;
use super::resolve::Program;
use super::{keep, trace};
use crate::config::AllowEntry;
use crate::gate::finding::{self, Bounds, Finding, Kind};
use crate::model::{Code, Security, Stage, Verdict};
use crate::shell::wrapper::Layer;
use crate::shell::{Analysis, Arg, Shape, Span, interpreter};
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// What one stage came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Which.
    pub stage: Stage,
    /// How it ended; none where it does not apply, or something before settled it.
    pub outcome: Option<Verdict>,
    /// What it looked at or found.
    pub detail: Cow<'static, str>,
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
    /// Where it would run, and how far it may go.
    pub level: Level,
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
    /// How many variables the call gives.
    pub given: usize,
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
    /// What the levels leave to findings.
    pub fn bounds(&self) -> Bounds {
        self.level.bounds()
    }

    /// Takes account of a shell that opens the redirections of the text.
    pub fn opened_by_shell(&mut self) {
        let Some(reason) = self.late.take() else { return };
        let finding = Finding::new(Stage::Allowlist, Kind::Doubt, Code::PathEscape, reason);
        self.findings.push(finding);
        if !keep::lacks_only_grants(self.bounds(), &self.findings) {
            self.allow_always.clear();
        }
        self.conclude();
    }

    /// Decides by the findings.
    pub(super) fn conclude(&mut self) {
        let bounds = self.bounds();
        self.findings.sort_by_key(|f| f.stage);
        self.verdict = finding::verdict(&self.findings, bounds);
        let deciding = |f: &&Finding| self.verdict != Verdict::Allow && f.kind.verdict(bounds) == self.verdict;
        let decisive = self.findings.iter().find(deciding);
        self.help = decisive
            .filter(|f| f.kind == Kind::Miss)
            .and_then(|_| keep::suggest(self.level, &self.findings, &self.segments));
        self.code = decisive.map_or(Code::Ok, |f| f.code);
        self.reason = match decisive {
            Some(f) => placed(&self.command, f, bounds),
            None => match self.level.security {
                Security::Full => "security is full".to_owned(),
                Security::Deny | Security::Allowlist => "every command in it is granted".to_owned(),
            },
        };
        if let Some(line) = &self.help {
            self.reason.push_str("; to allow it: ");
            self.reason.push_str(line);
        }
        self.trace = trace::steps(self);
    }

    /// What becomes of a question that nobody answers.
    pub fn unanswered(&self) -> Verdict {
        finding::unanswered(&self.findings, self.bounds())
    }
}

/// The sentence of a finding, with the place in the text where that helps.
fn placed(command: &str, finding: &Finding, bounds: Bounds) -> String {
    let told = finding.told(bounds);
    let Some(span) = finding.span.filter(|s| s.start > 0 && s.start < command.len()) else {
        return told;
    };
    let before = command.get(..span.start).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    format!("{told} (at {line}:{column} of the command)")
}
