//! Reads one command: everything that it could run, and what is against it.

use super::approve;
use super::context::ExecContext;
use super::evaluation::deferred::{self, Opened};
use super::evaluation::names::Names;
use super::evaluation::working_directory::WorkingDirectories;
use super::evaluation::{Evaluator, StandardInput};
use super::policy::level::{ExecPolicy, Level, Request, inline_kind};
use super::preflight::{self, Scripted};
use super::segment::Segment;
use super::sourced::SourcedFiles;
use crate::environment::{Environment, Reach};
use crate::gate::finding::{Bounds, Finding, Held, Hold, Kind};
use crate::machine::World;
use crate::model::{Code, Security, Stage, Verdict};
use crate::program::{self, builtin};
use crate::shell::{self, Analysis, Dialect, Opaque, SimpleCommand, Span, tree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Everything that a command is read by.
pub(in crate::gate) struct CommandInput<'a> {
    /// The call.
    pub(in crate::gate) request: &'a Request,
    /// The policy of its context.
    pub(in crate::gate) policy: &'a ExecPolicy,
    /// How far it may go.
    pub(in crate::gate) level: Level,
    /// What the command starts from.
    pub(in crate::gate) context: &'a ExecContext,
    /// What the child gets.
    pub(in crate::gate) environment: &'a Environment,
    /// The working directory, without symlinks; judged before.
    pub(in crate::gate) cwd: &'a Path,
    /// The machine.
    pub(in crate::gate) world: &'a dyn World,
    /// In whose language the text is read; the same shell runs it where one is needed.
    pub(in crate::gate) dialect: Dialect,
}

/// A command that was read.
pub(in crate::gate) struct CommandReading {
    /// What the text was read as.
    pub(in crate::gate) analysis: Result<Analysis, Opaque>,
    /// Every command that could run.
    pub(in crate::gate) segments: Vec<Segment>,
    /// What is against it.
    pub(in crate::gate) findings: Vec<Finding>,
    /// Whether git runs and must not take a directory that only looks like a repository for one.
    pub(in crate::gate) guards_git: bool,
    /// Commands whose scripts are looked at.
    pub(in crate::gate) scripted: Vec<Scripted>,
    /// Whether a part was not understood, so that a refusing rule may hit it unseen.
    pub(in crate::gate) unseen: bool,
    /// Whether no text sets a variable or opens a file.
    pub(in crate::gate) bare: bool,
    /// The files that redirections name.
    opened: Vec<Opened>,
    /// Whether a program that has no use for keys reads files.
    reads_files: bool,
    /// The files that the text writes, as far as their names are known.
    pub(in crate::gate) made: BTreeSet<PathBuf>,
    /// The directories in which a shell may be when it has run the text; none where that is not known.
    pub(in crate::gate) leads_to: Option<Vec<PathBuf>>,
}

impl CommandReading {
    /// Whether a shell that was told the text is as it was before, but for its working directory: it only starts programs,
    /// one after another.
    pub(in crate::gate) fn leaves_no_state(&self) -> bool {
        let Ok(analysis) = &self.analysis else { return false };
        let starts = |command: &SimpleCommand| {
            let name = command
                .name()
                .filter(|name| !command.builtin || builtin::is_plain(name));
            name.is_some() && command.assignments.is_empty()
        };
        let mut items = analysis.script.body.items.iter();
        let is_simple = |stage: &tree::Stage| matches!(stage.command, tree::Command::Simple(_));
        let in_turn = items.all(|item| {
            let chain = &item.chain;
            let mut pipelines = std::iter::once(&chain.first).chain(chain.rest.iter().map(|(_, pipeline)| pipeline));
            !item.background && pipelines.all(|pipeline| pipeline.stages.iter().all(is_simple))
        });
        in_turn && analysis.commands.iter().all(starts) && analysis.bindings.is_empty() && analysis.sourced.is_empty()
    }
}

/// Reads one command.
pub(in crate::gate) fn read(input: &CommandInput<'_>) -> CommandReading {
    let variables = &input.environment.variables;
    let positionals = [program::text_shell(input.dialect).name.to_owned()];
    let files = SourcedFiles {
        cwd: input.cwd,
        variables,
        world: input.world,
        goes_on: input.dialect == Dialect::Bash,
    };
    let known = shell::World {
        home: variables.get("HOME").map(String::as_str),
        variables: &**variables,
        positionals: Some(&positionals),
        files: Some(&files),
    };
    let analysis = shell::analyse(&input.request.command, input.dialect, &known);
    let mut evaluator = Evaluator {
        policy: input.policy,
        rules: if input.level.is_free() {
            &[]
        } else {
            &input.policy.rules
        },
        inline: inline_kind(input.policy.inline_eval, input.level),
        world: input.world,
        context: input.context,
        environment: variables,
        exported: BTreeSet::new(),
        directories: WorkingDirectories::new(input.cwd),
        segments: Vec::new(),
        findings: Vec::new(),
        scripted: Vec::new(),
        opened: Vec::new(),
        unseen: false,
        bare: true,
        in_bare: false,
        names: Names::default(),
        classes: Vec::new(),
        sourced: analysis.as_ref().map(|a| a.sourced.clone()).unwrap_or_default(),
        reads_files: false,
        made: BTreeSet::new(),
    };
    for (name, value) in &input.environment.overrides {
        let values = [value.clone()];
        evaluator.variable(name, Some(&values), Reach::Programs, Span::default());
    }
    match &analysis {
        Ok(analysis) => evaluator.text(analysis, &input.request.command, 0, &[], StandardInput::Nothing),
        Err(opaque) => evaluator
            .findings
            .extend(not_understood(&input.request.command, opaque)),
    }
    let git = evaluator.segments.iter().any(Segment::is_git);
    let mut reading = CommandReading {
        guards_git: input.level.security != Security::Full && !evaluator.in_bare && git,
        unseen: evaluator.unseen || analysis.is_err(),
        bare: evaluator.bare && analysis.is_ok(),
        analysis,
        segments: evaluator.segments,
        findings: evaluator.findings,
        scripted: evaluator.scripted,
        opened: evaluator.opened,
        reads_files: evaluator.reads_files,
        made: evaluator.made,
        leads_to: evaluator.directories.end(),
    };
    if let Some(span) = deferred::brought(&reading.segments) {
        let reason = "git may bring a `.cargo/config.toml` that `cargo` obeys before anybody has looked at it; run the two as \
                      calls of their own";
        let finding = Finding::new(Stage::Allowlist, Kind::Doubt, Code::PathEscape, reason);
        reading.findings.push(finding.at(span));
    }
    // What wrappers' texts open is opened by a shell in any case.
    reading.opened(false);
    reading
}

impl CommandReading {
    /// Takes account of the files that a shell opens; `by_shell`: what the text itself redirects is opened by one, too.
    pub(in crate::gate) fn opened(&mut self, by_shell: bool) {
        let found = deferred::find(&self.opened, &self.segments, by_shell);
        let Some((span, program)) = found else { return };
        let sentence = deferred::sentence(program);
        if !self.findings.iter().any(|f| f.reason == sentence) {
            let finding = Finding::new(Stage::Allowlist, Kind::Doubt, Code::PathEscape, sentence);
            self.findings.push(finding.at(span));
        }
    }

    /// Takes account of granted files that a shell starts by name while another command of the text may write them; `held`:
    /// whether walls keep a file from being written.
    pub(in crate::gate) fn started(&mut self, held: &dyn Fn(&Path) -> bool) {
        let Some((segment, program, writer)) = deferred::rewritten(&self.segments, held) else {
            return;
        };
        let reason = format!(
            "`{}` was granted as it is, and `{writer}` may write it before the shell starts it; run the two as calls of their own",
            program.invoked.display()
        );
        let span = segment.span;
        self.findings
            .push(Finding::new(Stage::Allowlist, Kind::Doubt, Code::AllowlistMiss, reason).at(span));
    }

    /// Whether places of secrets can be hidden from it: nothing of it has use for them, or what has stands beside a program
    /// that only reads files, whose names may lead there.
    pub(in crate::gate) fn can_do_without_secrets(&self) -> bool {
        self.reads_files || !self.segments.iter().any(Segment::needs_keys)
    }

    /// Whether anything in it could be held by walls.
    pub(in crate::gate) fn could_be_held(&self) -> bool {
        self.findings.iter().any(|f| f.held_by_walls.is_some()) || preflight::runs_made(&self.scripted, &self.made)
    }

    /// Whether all that is against it under these bounds is held by walls, as far as it `may` be; then nothing is against it
    /// any more.
    pub(in crate::gate) fn hold(&mut self, bounds: Bounds, may: Held) -> Held {
        let held = |f: &Finding| match f.held_by_walls {
            // Where somebody asked by name that such code is asked about, that holds.
            Some(Hold::Code) => may.code && f.kind != Kind::Rule,
            Some(Hold::Private) => may.private,
            Some(Hold::Secrets) => may.secrets,
            None => false,
        };
        let against = |f: &Finding| f.kind != Kind::Review && f.kind.verdict(bounds) != Verdict::Allow;
        if !self.findings.iter().all(|f| held(f) || !against(f)) {
            return Held::default();
        }
        let has = |hold: Hold| self.findings.iter().any(|f| f.held_by_walls == Some(hold));
        let done = Held {
            code: may.code && (has(Hold::Code) || preflight::runs_made(&self.scripted, &self.made)),
            private: may.private && has(Hold::Private),
            secrets: may.secrets && has(Hold::Secrets),
        };
        self.findings.retain(|f| !held(f));
        done
    }

    /// Whether everything in it is understood and granted.
    pub(in crate::gate) fn is_satisfied(&self) -> bool {
        self.analysis.is_ok() && self.findings.iter().all(|f| f.stage < Stage::Env)
    }
}

/// What is against a text that is not understood.
fn not_understood(command: &str, opaque: &Opaque) -> Vec<Finding> {
    let mut findings = Vec::new();
    if approve::in_raw_text(command) {
        let kind = Kind::Forbidden;
        findings.push(Finding::new(
            Stage::Security,
            kind,
            Code::ApproveCommand,
            approve::MESSAGE,
        ));
    }
    let reason = format!("the command cannot be analysed: {opaque}");
    findings.push(Finding::new(Stage::Analysis, Kind::Doubt, Code::AnalysisFailed, reason).at(opaque.span));
    findings
}
