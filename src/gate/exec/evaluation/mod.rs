//! Evaluates everything that a text could run, through all wrappers, and judges each command.

mod carrier;
mod change_directory;
mod command_rules;
pub(super) mod deferred;
mod directory_tree;
mod effects;
mod find;
mod follow;
mod grant;
pub(super) mod names;
mod objection;
mod possible_paths;
mod redirect;
mod secret;
mod target;
mod variable;
pub(super) mod working_directory;

pub(in crate::gate) use redirect::takes;

use super::approve;
use super::context::ExecContext;
use super::policy::level::ExecPolicy;
use super::policy::rules::Rule;
use super::preflight::{self, Scripted};
use super::segment::{By, Segment, show};
use crate::environment::Variables;
use crate::gate::finding::{Finding, Kind};
use crate::machine::Program;
use crate::machine::World;
use crate::model::{Code, Stage};
use crate::program::builtin::{self, BuiltinVerdict, is_builtin};
use crate::program::wrapper::{self, Inner, Layer};
use crate::program::{self, Class};
use crate::shell::{self, Analysis, Arg, Connector, RedirectKind, Redirection, SimpleCommand, Span};
use crate::vcs::revision;
use deferred::Opened;
use names::Names;
use redirect::RedirectVerdict;
use std::collections::BTreeSet;
use std::path::PathBuf;
use working_directory::{CdResult, CdScope, WorkingDirectories};

/// How deep wrappers and their texts are followed.
const MAX_DEPTH: usize = 8;

/// Where standard input of a command comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StandardInput {
    Nothing,
    Data,
    Heredoc,
}

/// What surrounds one command.
#[derive(Clone)]
pub(super) struct Frame {
    pub(super) id: Option<usize>,
    pub(super) span: Span,
    pub(super) input: StandardInput,
    pub(super) wrappers: Vec<Layer>,
    pub(super) depth: usize,
    pub(super) direct: bool,
    pub(super) scope: CdScope,
    /// Whether a name may stand for a builtin here.
    pub(super) builtins: bool,
    /// The places of arguments that can only be names of commits.
    pub(super) names: Vec<Span>,
    /// Whether the first that is not known in its arguments is the root of git's working tree.
    pub(super) root: bool,
    /// Whether what it prints is not only shown.
    pub(super) feeds: bool,
}

/// One evaluator.
pub(super) struct Evaluator<'a> {
    pub(super) policy: &'a ExecPolicy,
    /// The rules that may refuse.
    pub(super) rules: &'a [Rule],
    /// What sort of objection inline code is; none where it is none.
    pub(super) inline: Option<Kind>,
    pub(super) world: &'a dyn World,
    pub(super) environment: &'a Variables,
    /// Variables that a text hands on to programs, and so to the texts that those read.
    pub(super) exported: BTreeSet<String>,
    pub(super) directories: WorkingDirectories,
    pub(super) segments: Vec<Segment>,
    pub(super) findings: Vec<Finding>,
    pub(super) scripted: Vec<Scripted>,
    /// The files that redirections name.
    pub(super) opened: Vec<Opened>,
    /// Whether a part was not understood, so that a refusing rule may hit it unseen.
    pub(super) unseen: bool,
    /// Whether no text sets a variable or opens a file.
    pub(super) bare: bool,
    /// Whether a program that has no use for keys reads files.
    pub(super) reads_files: bool,
    /// The files that the text writes, as far as their names are known.
    pub(super) made: BTreeSet<PathBuf>,
    /// Whether git was found to run in a bare repository, which is asked about.
    pub(super) in_bare: bool,
    /// The commands of the text in whose place the content of a file stands.
    pub(super) sourced: BTreeSet<usize>,
    /// The classes of what the command does that is being judged.
    pub(in crate::gate::exec) classes: Vec<(Class, String)>,
    /// Where secrets lie, among other things.
    pub(super) context: &'a ExecContext,
    /// What the texts do with names that are not known before.
    pub(in crate::gate::exec) names: Names,
}

impl Evaluator<'_> {
    /// Judges every command of an understood text.
    pub(super) fn text(&mut self, analysis: &Analysis, text: &str, depth: usize, outer: &[Layer], fed: StandardInput) {
        let leads = |path: &str, whole: bool| self.leads_to_secrets(path, whole);
        let names = Names::of(analysis, text, &leads);
        self.names.join(names);
        self.bindings(analysis);
        self.bare &= analysis.bindings.is_empty()
            && analysis
                .commands
                .iter()
                .all(|c| c.assignments.is_empty() && c.redirects.iter().all(redirect::opens_nothing));
        let first = analysis.commands.iter().find(|c| !c.argv.is_empty()).map(|c| c.id);
        let mut shells: Vec<(usize, WorkingDirectories)> = Vec::new();
        for command in &analysis.commands {
            self.shell(command.place, analysis, &mut shells);
            let input = Self::input(command, fed);
            for redirection in &command.redirects {
                self.redirection(redirection, command);
                if redirect::opens_file(redirection) {
                    self.opened.push(Opened {
                        span: command.span,
                        depth,
                        looped: command.place.looped || command.place.called,
                        by_program: false,
                    });
                }
            }
            let place = command.place;
            let alone = depth == 0 && Some(command.id) == first && place.stage == 0;
            let plain = !place.conditional && !place.looped && !place.called && !place.substitution;
            let joined = !matches!(command.next, Some(Connector::Sequence | Connector::Background));
            self.prefixes(command);
            if self.directories.enter() == CdResult::Anywhere {
                self.lost(command.span);
            }
            if !command.argv.is_empty() {
                let frame = Frame {
                    id: (depth == 0).then_some(command.id),
                    span: command.span,
                    input,
                    wrappers: outer.to_vec(),
                    depth,
                    direct: alone && plain && joined,
                    scope: CdScope {
                        looped: place.looped,
                        recurs: place.recurs,
                        skipped: place.skipped,
                    },
                    builtins: true,
                    names: revision::names(command, analysis, self.environment),
                    root: revision::is_root(command, analysis),
                    feeds: place.substitution || matches!(command.next, Some(Connector::Pipe | Connector::PipeBoth)),
                };
                self.command(&command.argv, &frame);
            }
            self.directories.leave(command);
        }
        self.shell(shell::Place::default(), analysis, &mut shells);
    }

    fn input(command: &SimpleCommand, fed: StandardInput) -> StandardInput {
        let own = command.redirects.iter().rev().find(|r| r.fd == 0);
        match own.map(|r| &r.kind) {
            Some(RedirectKind::Here { string: false, .. }) => StandardInput::Heredoc,
            Some(RedirectKind::File { target, .. }) if target.literal() == Some("/dev/null") => StandardInput::Nothing,
            Some(RedirectKind::Close) => StandardInput::Nothing,
            Some(_) => StandardInput::Data,
            None => match command.place.stdin {
                shell::Stdin::Inherited => fed,
                shell::Stdin::Pipe | shell::Stdin::Redirected => StandardInput::Data,
            },
        }
    }

    // ---- redirections ----

    fn redirection(&mut self, redirection: &Redirection, command: &SimpleCommand) {
        let span = command.span;
        if let RedirectKind::Here {
            body, string: false, ..
        } = &redirection.kind
            && body.literal().is_none()
            && !redirect::is_read_as_data(redirection, command)
        {
            self.doubt(
                Code::Heredoc,
                redirection.span,
                "the body of a here-document holds an expansion; quote its delimiter (`<<'EOF'`) if it is plain text"
                    .to_owned(),
            );
        }
        if let Some(name) = redirect::written(redirection) {
            self.note_made(name);
        }
        match redirect::judge(redirection, self.directories.all().as_deref(), self.world) {
            RedirectVerdict::Free => {}
            RedirectVerdict::Ask(why) => self.outside(redirect::named(redirection), span, why),
            RedirectVerdict::Protected(why) => {
                self.forbid(Stage::Allowlist, Code::PathEscape, span, why);
            }
        }
    }

    // ---- commands ----

    /// Judges one command: builtin, wrapper or program.
    pub(super) fn command(&mut self, argv: &[Arg], frame: &Frame) {
        let Some(name) = argv.first().and_then(Arg::literal).map(str::to_owned) else {
            self.unseen = true;
            self.doubt(
                Code::AnalysisFailed,
                frame.span,
                "which program runs is not known before it runs".to_owned(),
            );
            return;
        };
        if self.is_approval(argv) {
            self.forbid(
                Stage::Security,
                Code::ApproveCommand,
                frame.span,
                approve::MESSAGE.to_owned(),
            );
            return;
        }
        if frame.depth > MAX_DEPTH || frame.wrappers.len() > MAX_DEPTH {
            self.unseen = true;
            self.doubt(
                Code::AnalysisFailed,
                frame.span,
                format!("wrappers stand more than {MAX_DEPTH} deep"),
            );
            return;
        }
        if frame.builtins && is_builtin(&name) {
            self.builtin(&name, argv, frame);
            return;
        }
        if let Some(scripts) = preflight::language(&name) {
            self.note_script(scripts, argv, frame);
        }
        let programs = self.programs(&name);
        self.rules(&name, programs.first(), argv, frame);
        if programs.is_empty() {
            self.missing(&name, argv, frame);
            return;
        }
        for program in programs {
            if approve::is_own_program(self.world, &program, argv.get(1..).unwrap_or(&[])) {
                self.forbid(
                    Stage::Security,
                    Code::ApproveCommand,
                    frame.span,
                    format!(
                        "`{name}` is this program itself; commands of it that change anything are not run from here"
                    ),
                );
                return;
            }
            self.program(&name, program, argv, frame);
        }
    }

    /// Whether the command, or a tail of a wrapper's arguments, approves something.
    fn is_approval(&self, argv: &[Arg]) -> bool {
        let wraps = wrapper::peel(argv, &self.policy.wrappers).is_some();
        let tails = if wraps { argv.len() } else { 1 };
        (0..tails).any(|at| {
            let tail = argv.get(at..).unwrap_or(&[]);
            tail.first().is_some_and(|a| a.prefix().trim_start().starts_with('/'))
                && approve::is_approval(tail.iter().filter_map(Arg::literal))
        })
    }

    /// Notes a call of Python or Node for the script preflight.
    fn note_script(&mut self, (language, runner): (preflight::Language, bool), argv: &[Arg], frame: &Frame) {
        self.scripted.push(Scripted {
            language,
            runner,
            args: argv.get(1..).unwrap_or(&[]).to_vec(),
            cwds: self.directories.all(),
            direct: frame.direct,
            fed: frame.input != StandardInput::Nothing,
        });
    }

    /// What a command word stands for in each directory in which it may run.
    fn programs(&self, name: &str) -> Vec<Program> {
        let mut found: Vec<Program> = Vec::new();
        if !name.contains('/') || name.starts_with('/') {
            found.extend(self.context.finder.find(self.world, name, None));
        } else {
            for dir in self.directories.all().unwrap_or_default() {
                if let Some(program) = self.context.finder.find(self.world, name, Some(&dir))
                    && !found.contains(&program)
                {
                    found.push(program);
                }
            }
        }
        found
    }

    fn missing(&mut self, name: &str, argv: &[Arg], frame: &Frame) {
        let shown = crate::path::visible(name, 120);
        let reason = if name.contains('/') {
            format!("`{shown}` is not an executable file, or it is not known in which directory it is looked for")
        } else {
            format!("`{shown}` is not found in a directory of PATH that only root and the user can write")
        };
        if name.contains('/') && self.makes(name) {
            self.code(Kind::Doubt, Code::AllowlistMiss, frame.span, reason);
        } else {
            self.doubt(Code::AllowlistMiss, frame.span, reason);
        }
        self.segment(argv, None, frame, None, None, false);
        // A wrapper that is not there runs nothing, but a refusing rule still speaks about what it was meant to run.
        if wrapper::peel(argv, &self.policy.wrappers).is_some() {
            self.suffix_rules(argv, frame);
        }
    }

    pub(super) fn segment(
        &mut self,
        argv: &[Arg],
        program: Option<Program>,
        frame: &Frame,
        by: Option<By>,
        grant: Option<String>,
        durable: bool,
    ) {
        self.segments.push(Segment {
            id: frame.id.filter(|_| frame.wrappers.is_empty()),
            argv: argv.to_vec(),
            builtin: program.is_none() && by == Some(By::Builtin),
            classes: std::mem::take(&mut self.classes),
            program,
            by,
            grant,
            durable,
            wrappers: frame.wrappers.clone(),
            span: frame.span,
            depth: frame.depth,
        });
    }

    fn builtin(&mut self, name: &str, argv: &[Arg], frame: &Frame) {
        let args = argv.get(1..).unwrap_or(&[]);
        self.rules(name, None, argv, frame);
        if matches!(name, "command" | "builtin" | "exec") {
            if let Some(peeled) = wrapper::peel(argv, &[]) {
                self.layer(peeled.layer, peeled.inner, argv, frame);
            }
            return;
        }
        if frame.id.is_some_and(|id| self.sourced.contains(&id)) {
            // What the file holds stands behind it, and is judged there.
            self.segment(argv, None, frame, Some(By::Builtin), None, false);
            return;
        }
        match builtin::judge(name, args) {
            BuiltinVerdict::Harmless => self.segment(argv, None, frame, Some(By::Builtin), None, false),
            BuiltinVerdict::ChangesDirectory(target) => self.directory(target.as_ref(), argv, frame),
            BuiltinVerdict::Ask(why) => {
                self.unseen |= matches!(name, "eval" | "." | "source" | "trap" | "exec");
                self.doubt(Code::AllowlistMiss, frame.span, why);
                self.segment(argv, None, frame, None, None, false);
            }
        }
    }

    fn program(&mut self, name: &str, program: Program, argv: &[Arg], frame: &Frame) {
        if preflight::language(name).is_none()
            && let Some(scripts) = preflight::language(program.real_name())
        {
            self.note_script(scripts, argv, frame);
        }
        // A wrapper is known by its name only where nobody else can have put it there.
        let known = program.trusted && !program.in_workspace && !program.exposed;
        let peeled =
            wrapper::peel(argv, &self.policy.wrappers).or_else(|| renamed(&program, argv, &self.policy.wrappers));
        match peeled {
            Some(peeled) if known => {
                self.touched(name, &peeled.layer, &peeled.inner, frame);
                if peeled.layer.own_work {
                    self.grant(name, program, argv, frame, Some(&peeled.layer));
                } else {
                    self.effects(&peeled.layer, frame);
                }
                let own_work = peeled.layer.own_work;
                if !(own_work && peeled.inner == Inner::Nothing) {
                    self.layer(peeled.layer, peeled.inner, argv, frame);
                }
            }
            _ => self.grant(name, program, argv, frame, None),
        }
    }
}

/// A wrapper, shell or multi-call binary under another name.
fn renamed(program: &Program, argv: &[Arg], custom: &[wrapper::CustomWrapper]) -> Option<wrapper::Peeled> {
    let real = program.real_name();
    if real == program.name() || program::base_name(real) == program::base_name(program.name()) {
        return None;
    }
    let mut args = argv.to_vec();
    if program::is_multi_call(real) && wrapper::wraps(real) {
        // The applet is chosen by the name under which it is called.
        let head = args.first_mut()?;
        *head = Arg {
            span: head.span,
            ..Arg::exact(program.name())
        };
        return wrapper::peel(&args, custom);
    }
    let head = args.first_mut()?;
    *head = Arg {
        span: head.span,
        ..Arg::exact(program.real.to_str()?)
    };
    wrapper::peel(&args, custom)
}

pub(super) fn show_all(argv: &[Arg]) -> String {
    let words: Vec<String> = argv.iter().map(show).collect();
    let list: Vec<&str> = words.iter().map(String::as_str).collect();
    super::policy::allowlist::quoted(&list)
}
