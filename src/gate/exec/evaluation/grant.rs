//! Whether a program may run: command rules, allowlist, safe bins, harmless programs; and inline code on top.

use super::deferred::Opened;
use super::effects::May;
use super::{Evaluator, Frame, StandardInput, show_all};
use crate::gate::exec::policy::allowlist::{self, Match};
use crate::gate::exec::segment::By;
use crate::gate::finding::Kind;
use crate::machine::Program;
use crate::machine::toolchain;
use crate::model::{Code, Verdict};
use crate::program::builtin;
use crate::program::wrapper::Layer;
use crate::program::{self, Settings, Stdin};
use crate::shell::Arg;
use crate::vcs::repository::{self, Doubt};
use crate::vcs::working_copy;

/// What was found for one program.
pub(in crate::gate::exec) struct Granted {
    by: By,
    source: String,
    durable: bool,
    may: May,
    /// Whether it says what the arguments are, so that they carry no other commands.
    tells_arguments: bool,
}

impl Evaluator<'_> {
    /// Judges a program as itself.
    pub(in crate::gate::exec) fn grant(
        &mut self,
        name: &str,
        program: Program,
        argv: &[Arg],
        frame: &Frame,
        own: Option<&Layer>,
    ) {
        let args = argv.get(1..).unwrap_or(&[]);
        let found = self.granted(&program, args);
        if let Err(why) = &found {
            let shown = crate::path::visible(&show_all(argv), 120);
            let place = match (&self.policy.allowlist_place, &self.policy.idle_project) {
                (_, Some(why)) => why.clone(),
                (Some(place), None) => format!("allowlist at {place}"),
                (None, None) if self.policy.rules.is_empty() => "no allowlist is configured".to_owned(),
                (None, None) => "no rule and no allowlist allows it".to_owned(),
            };
            let mut reason = format!(
                "`{shown}` runs {} and nothing grants it ({place})",
                program.invoked.display()
            );
            if let Some(why) = why {
                reason.push_str(&format!("; {why}"));
            }
            // What runs is what the text has written.
            if name.contains('/') && program.in_workspace && self.makes(name) {
                self.code(Kind::Miss, Code::AllowlistMiss, frame.span, reason);
            } else {
                self.miss(frame.span, reason);
            }
        }
        self.inline(name, &program, argv, frame, own, found.as_ref().ok());
        let (by, source, durable) = match found {
            Ok(granted) => (Some(granted.by), Some(granted.source), granted.durable),
            Err(_) => (None, None, false),
        };
        if self.policy.open && program.in_workspace {
            // What was judged must still be there when it starts.
            self.opened.push(Opened {
                span: frame.span,
                depth: frame.depth,
                looped: frame.scope.looped,
                by_program: true,
            });
        }
        self.segment(argv, Some(program), frame, by, source, durable);
    }

    pub(in crate::gate::exec) fn granted(&self, program: &Program, args: &[Arg]) -> Result<Granted, Option<String>> {
        let mut why = None;
        let layers = |test: &dyn Fn(&crate::gate::exec::policy::level::LayerLists) -> bool| {
            self.policy
                .layers
                .iter()
                .find(|l| !test(l))
                .map(|l| format!("the {} layer {} does not grant it", l.label, l.file))
        };
        let in_layers = || {
            layers(&|l| {
                l.entries
                    .as_ref()
                    .is_none_or(|e| allowlist::find(e, self.world, program, args).0 == Match::Yes)
            })
        };
        let rule = self
            .policy
            .rules
            .iter()
            .find(|r| r.decision() == Verdict::Allow && r.grants(program, args));
        if let Some(rule) = rule {
            match in_layers() {
                None => {
                    return Ok(Granted {
                        by: By::Rule,
                        source: rule.source.origin.to_string(),
                        durable: false,
                        may: May::new(&rule.source.value.may),
                        tells_arguments: rule.source.value.exact,
                    });
                }
                refused => why = refused,
            }
        }
        match allowlist::find(&self.policy.entries, self.world, program, args) {
            (Match::Yes, Some(entry)) => match in_layers() {
                None => {
                    return Ok(Granted {
                        by: By::Allowlist,
                        source: format!("{} ({})", entry.source.value.pattern.trim(), entry.source.origin),
                        durable: entry.is_kept_answer(),
                        may: May::new(&entry.source.value.may),
                        tells_arguments: entry.source.value.arg_pattern.is_some()
                            || entry.source.value.carries == Some(false),
                    });
                }
                refused => why = refused,
            },
            (Match::Changed, Some(entry)) => {
                why = Some(format!(
                    "its content is not what the entry at {} pins with sha256",
                    entry.source.origin
                ));
            }
            _ => {}
        }
        match self.policy.safe_bins.admit(program, args) {
            Ok(()) => {
                let refused = layers(&|l| {
                    l.safe_bins
                        .as_ref()
                        .is_none_or(|names| names.contains(&program.name().to_lowercase()))
                });
                match refused {
                    None => {
                        return Ok(Granted {
                            by: By::SafeBins,
                            source: "safeBins".to_owned(),
                            durable: false,
                            may: May::default(),
                            tells_arguments: true,
                        });
                    }
                    refused => why = refused,
                }
            }
            Err(Some(reason)) if why.is_none() => why = Some(reason),
            Err(_) => {}
        }
        let system = program.trusted && (program.real.starts_with("/usr/bin") || program.real.starts_with("/bin"));
        if system && !program.in_workspace && builtin::is_harmless_program(program.name(), args) {
            return Ok(Granted {
                by: By::Builtin,
                source: "harmless".to_owned(),
                durable: false,
                may: May::default(),
                tells_arguments: true,
            });
        }
        if why.is_none() && !program.trusted {
            why = Some("its file or a directory above it can be written by others".to_owned());
        } else if why.is_none() && program.in_workspace {
            why = Some("it lies in the workspace, where only an entry with its exact path grants".to_owned());
        } else if why.is_none() && program.exposed {
            let reason = "without `tools.exec.floor`, commands may replace what lies below the home directory, where only an \
                          entry with its exact path grants";
            why = Some(reason.to_owned());
        }
        Err(why.or_else(|| self.near_miss(program, args)))
    }

    /// What comes nearest to granting a program: an entry or rule about it that says something else of its arguments.
    fn near_miss(&self, program: &Program, args: &[Arg]) -> Option<String> {
        if let Some(near) = self.policy.entries.iter().find_map(|e| e.near_miss(program)) {
            return Some(near);
        }
        let near = |rule: &'_ crate::gate::exec::policy::rules::Rule| rule.nearness(program, args);
        let rules = self.policy.rules.iter().rev().filter(|rule| near(rule).is_some());
        let rule = rules.max_by_key(|rule| near(rule))?;
        Some(format!(
            "the nearest rule allows `{}` ({})",
            rule.shown(),
            rule.source.origin
        ))
    }

    /// Inline code, and here-documents for interpreters.
    fn inline(
        &mut self,
        name: &str,
        program: &Program,
        argv: &[Arg],
        frame: &Frame,
        own: Option<&Layer>,
        granted: Option<&Granted>,
    ) {
        let file = program::file_name(name);
        let real = program.real_name();
        let language = [file, real]
            .into_iter()
            .filter_map(program::find)
            .any(|row| row.is_language() && !row.is_filter());
        if frame.input == StandardInput::Heredoc && language {
            let reason = format!(
                "a here-document feeds the interpreter `{}`",
                crate::path::visible(file, 60)
            );
            match granted {
                Some(_) => self.code(Kind::Doubt, Code::Heredoc, frame.span, reason),
                None => self.doubt(Code::Heredoc, frame.span, reason),
            }
        }
        if granted.is_some_and(|granted| granted.by == By::Builtin) {
            return;
        }
        let stdin = if frame.input == StandardInput::Nothing {
            Stdin::Nothing
        } else {
            Stdin::Data
        };
        let known;
        let is_git = [file, real].into_iter().any(|name| program::obeys(name, Settings::Git));
        let argv = if frame.names.is_empty() || !is_git {
            argv
        } else {
            known = with_names(argv, frame);
            &known
        };
        let may = granted.map(|granted| &granted.may);
        if let (Some(layer), Some(may)) = (own, may) {
            self.own_classes(file, layer, frame, may);
        }
        // What the commands before it have written, not what it writes itself.
        let written = self.wrote_code(file, argv);
        let row = program::find(file);
        if let Some(row) = row {
            self.by_row(file, row, argv, stdin, frame, may);
        }
        // A multi-call binary is chosen by the name under which it is called.
        let behind = (!program::is_multi_call(real)).then(|| program::find(real)).flatten();
        if let Some(row) = behind.filter(|behind| Some(*behind) != row) {
            self.by_row(real, row, argv, stdin, frame, may);
        }
        let Some(kind) = self.inline else { return };
        if row.or(behind).is_none() && own.is_none() {
            let told = granted.is_none_or(|granted| granted.tells_arguments);
            if !told && let Some(why) = self.carried(argv.get(1..).unwrap_or(&[])) {
                let reason = format!(
                    "nothing is known about `{}`, and it may run other commands: the call {why} (an entry with \
                     `argPattern`, or `carries: false`, says that it does not)",
                    crate::path::visible(file, 60)
                );
                self.object(kind, Code::InlineEval, frame.span, reason);
            }
        }
        if granted.is_some()
            && own.is_none()
            && let Some(written) = written
        {
            let reason = format!(
                "`{}` runs code of the workspace, and this text writes `{}` before, without walls around it; write it in a call \
                 of its own",
                crate::path::visible(file, 60),
                crate::path::visible(&written, 120)
            );
            self.object(kind, Code::InlineEval, frame.span, reason);
        }
        if is_git {
            self.repository(argv, frame, kind);
        }
        let cwds = self.directories.all();
        let obeyed = |name| working_copy::doubt(name, cwds.as_deref(), self.context.finder.workspace(), self.world);
        let toolchain = |name| toolchain::doubt(name, cwds.as_deref(), self.context.finder.workspace(), self.world);
        let obeyed = [file, real].into_iter().find_map(|name| {
            let toolchain = || toolchain(name).filter(|_| program::obeys(name, Settings::Toolchain));
            obeyed(name).or_else(toolchain)
        });
        if let Some(why) = obeyed {
            self.object(kind, Code::InlineEval, frame.span, why);
        }
        for effect in own.into_iter().flat_map(|l| &l.effects) {
            self.object(
                kind,
                Code::InlineEval,
                frame.span,
                format!("`{}`: {}", crate::path::visible(file, 60), effect.describe()),
            );
        }
    }

    /// A file that the text has written and that a program may run that it starts then, where no walls stand around that.
    fn wrote_code(&self, program: &str, argv: &[Arg]) -> Option<String> {
        if !self.policy.open || !program::runs_by_convention(program) {
            return None;
        }
        let named = |path: &std::path::Path| {
            let args = argv.iter().skip(1).filter_map(Arg::literal);
            args.filter_map(|arg| std::path::Path::new(arg).file_name())
                .any(|name| path.file_name() == Some(name))
        };
        let code = |path: &&std::path::PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(program::is_code) || named(path)
        };
        let written = self.made.iter().find(code)?;
        Some(written.to_string_lossy().into_owned())
    }

    /// Where git finds a repository that may be of the agent's making, or one whose own settings run programs.
    fn repository(&mut self, argv: &[Arg], frame: &Frame, kind: Kind) {
        let args = argv.get(1..).unwrap_or(&[]);
        let cwds = self.directories.all();
        let brings = || program::git().is_some_and(|row| row.read(args, Stdin::Nothing).brings);
        let brings = self.policy.open && brings();
        let doubt = repository::doubt(
            args,
            cwds.as_deref(),
            self.context.finder.workspace(),
            self.world,
            brings,
        );
        self.in_bare |= matches!(doubt, Some(Doubt::Bare(_)));
        match doubt {
            None => {}
            Some(Doubt::Outside(why)) => self.doubt(Code::AllowlistMiss, frame.span, why),
            Some(Doubt::Bare(why) | Doubt::Setting(why)) => self.object(kind, Code::InlineEval, frame.span, why),
        }
    }

    /// A script file that a shell would read: it needs a grant of its own.
    pub(in crate::gate::exec) fn script(&mut self, path: &Arg, args: &[Arg], argv: &[Arg], frame: &Frame) {
        let Some(text) = path.literal() else {
            self.unseen = true;
            self.doubt(
                Code::AnalysisFailed,
                frame.span,
                "which script the shell runs is not known before it runs".to_owned(),
            );
            self.segment(argv, None, frame, None, None, false);
            return;
        };
        if frame.input == StandardInput::Heredoc {
            self.doubt(Code::Heredoc, frame.span, "a here-document feeds a shell".to_owned());
        }
        let shell_reads_input = text == "-" || text.starts_with("/dev/") || text.starts_with("/proc/");
        let dirs = if text.starts_with('/') {
            Some(vec![std::path::PathBuf::from("/")])
        } else {
            self.directories.all()
        };
        let mut scripts: Vec<Program> = Vec::new();
        if !shell_reads_input {
            for dir in dirs.unwrap_or_default() {
                scripts.extend(self.context.finder.script(self.world, text, Some(&dir)));
            }
        }
        let mut words = vec![path.clone()];
        words.extend_from_slice(args);
        if scripts.is_empty() {
            let shown = crate::path::visible(text, 120);
            let reason = format!("the script `{shown}` is not a file that can be judged");
            if self.makes(text) {
                self.code(Kind::Doubt, Code::AllowlistMiss, frame.span, reason);
            } else {
                self.doubt(Code::AllowlistMiss, frame.span, reason);
            }
            self.segment(&words, None, frame, None, None, false);
        }
        for script in scripts {
            self.script_file(script, &words, frame);
        }
    }

    fn script_file(&mut self, script: Program, words: &[Arg], frame: &Frame) {
        let args = words.get(1..).unwrap_or(&[]);
        let (found, entry) = allowlist::find(&self.policy.entries, self.world, &script, args);
        let layers = self.policy.layers.iter().all(|l| {
            l.entries
                .as_ref()
                .is_none_or(|e| allowlist::find(e, self.world, &script, args).0 == Match::Yes)
        });
        let entry = entry.filter(|_| found == Match::Yes && layers);
        if entry.is_none() {
            let why = match found {
                Match::Changed => "its content is not what its entry pins with sha256",
                Match::Yes => "a restricting layer does not grant it",
                Match::No if script.in_workspace => "only an entry with its exact path grants it",
                Match::No => "nothing grants it",
            };
            let reason = format!("the script {} would be run by a shell: {why}", script.invoked.display());
            let name = words.first().and_then(Arg::literal).unwrap_or("");
            if script.in_workspace && self.makes(name) {
                self.code(Kind::Miss, Code::AllowlistMiss, frame.span, reason);
            } else {
                self.miss(frame.span, reason);
            }
        }
        let by = entry.map(|_| By::Allowlist);
        let durable = entry.is_some_and(allowlist::Entry::is_kept_answer);
        let source = entry.map(|e| format!("{} ({})", e.source.value.pattern.trim(), e.source.origin));
        self.segment(words, Some(script), frame, by, source, durable);
    }
}

/// The arguments with a name in the place of each that can only be one.
fn with_names(argv: &[Arg], frame: &Frame) -> Vec<Arg> {
    let named = |arg: &Arg| arg.literal().is_none() && frame.names.contains(&arg.span);
    let replace = |arg: &Arg| {
        if named(arg) {
            Arg {
                span: arg.span,
                ..Arg::exact("HEAD")
            }
        } else {
            arg.clone()
        }
    };
    argv.iter().map(replace).collect()
}
