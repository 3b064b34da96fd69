//! What an answer is bound to: everything about a run that a person has seen, or that decides what it does.

use super::Engine;
use crate::approval::{Binding, bind_code_below, named_files};
use crate::gate::{PlanDocument, Question, Ruling, SegmentDocument};
use crate::json::canonical;
use crate::model::Call;
use crate::program::{is_interpreter_like, runs_by_convention};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Variables that every process has for itself: they may differ between question and run.
const PASSING: [&str; 17] = [
    "_",
    "SHLVL",
    "OLDPWD",
    "PWD",
    "COLUMNS",
    "LINES",
    "TERM",
    "COLORTERM",
    "WINDOWID",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "SSH_TTY",
    "XDG_SESSION_ID",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "GPG_TTY",
];

/// Beginnings of variables that differ between the steps of one job.
const PASSING_PREFIXES: [&str; 7] = [
    "GITHUB_",
    "RUNNER_",
    "ACTIONS_",
    "CI_JOB_",
    "BUILDKITE_",
    "TERM_",
    "SSH_",
];

impl Engine<'_> {
    /// Everything that an answer to this question is bound to, as it is now.
    pub(super) fn bind(&self, empty: &Binding, call: &Call, question: &Question, ruling: &Ruling) -> Binding {
        let mut binding = empty.like();
        binding.set("tool", call.tool.as_bytes());
        binding.set("arguments", canonical(&Value::Object(ruling.args.clone())).as_bytes());
        binding.set("agent", self.context.agent.as_bytes());
        binding.set("session", self.session().unwrap_or_default().as_bytes());
        binding.set("host", host(&ruling.document).as_bytes());
        binding.set("reasons for asking", canonical(&json!(question.asks)).as_bytes());
        let cwd = self.place(ruling);
        binding.directory("working directory", &cwd);
        binding.directory("workspace", &self.context.workspace);
        for (name, value) in &self.caller.env {
            let name = name.to_string_lossy();
            let passing = PASSING.contains(&&*name) || PASSING_PREFIXES.iter().any(|p| name.starts_with(p));
            // toolctl's own settings may say how to ask; what they mean for the call is judged again.
            if !passing && !name.starts_with("TOOLCTL_") {
                binding.set(
                    format!("environment variable {name}"),
                    std::os::unix::ffi::OsStrExt::as_bytes(&**value),
                );
            }
        }
        for program in programs(&ruling.document) {
            binding.file("program", &program);
        }
        if let PlanDocument::Exec(document) = &ruling.document {
            // Paths in the text are those that were judged, so they are left out: what they lead to is bound by content.
            binding.set(
                "segments",
                canonical(&json!(document.segments.iter().map(|s| &s.argv).collect::<Vec<_>>())).as_bytes(),
            );
        }
        if let Some(change) = self.preview(call, &ruling.args) {
            binding.set("change", change.as_bytes());
        }
        for file in files_of(ruling, &cwd) {
            binding.file("file", &file);
        }
        if let PlanDocument::Exec(document) = &ruling.document
            && document.segments.iter().any(runs_more_than_named)
        {
            bind_code_below(
                &mut binding,
                &self.context.workspace,
                std::slice::from_ref(&self.caller.state_dir),
            );
        }
        let id = ruling.args.get("sessionId").and_then(Value::as_str);
        if let Some(id) = id.filter(|_| call.tool == "process") {
            binding.set("command in the background", self.which(id).as_bytes());
        }
        binding
    }

    /// Where the call would run.
    pub(super) fn place(&self, ruling: &Ruling) -> PathBuf {
        match &ruling.document {
            PlanDocument::Exec(document) => PathBuf::from(&document.cwd),
            PlanDocument::Command { cwd, .. } => PathBuf::from(cwd),
            PlanDocument::BuiltIn { .. } | PlanDocument::Nothing => self.context.workspace.clone(),
        }
    }
}

/// The word for the host of a plan.
pub(super) fn host(document: &PlanDocument) -> &'static str {
    match document {
        PlanDocument::Exec(document) => document.host,
        PlanDocument::Command { host, .. } | PlanDocument::BuiltIn { host } => host,
        PlanDocument::Nothing => "gateway",
    }
}

/// The programs that would run, each once, as they are invoked.
pub(super) fn programs(document: &PlanDocument) -> BTreeSet<PathBuf> {
    match document {
        PlanDocument::Exec(document) => document
            .segments
            .iter()
            .filter_map(|s| s.resolved.as_ref())
            .map(PathBuf::from)
            .collect(),
        PlanDocument::Command { program, .. } => BTreeSet::from([PathBuf::from(program)]),
        PlanDocument::BuiltIn { .. } | PlanDocument::Nothing => BTreeSet::new(),
    }
}

/// Whether a program may run code that the call does not name.
fn runs_more_than_named(segment: &SegmentDocument) -> bool {
    let name = segment.resolved.as_deref().and_then(|path| path.rsplit('/').next());
    name.is_some_and(runs_by_convention) || segment.wrappers.iter().any(|wrapper| is_interpreter_like(wrapper))
}

/// The files that the call names.
fn files_of(ruling: &Ruling, cwd: &Path) -> BTreeSet<PathBuf> {
    match &ruling.document {
        PlanDocument::Exec(document) => {
            let words: Vec<String> = document.segments.iter().flat_map(|s| s.argv.iter().cloned()).collect();
            let typed = ruling.args.get("command").and_then(Value::as_str).unwrap_or_default();
            named_files(typed, &words, cwd)
        }
        PlanDocument::Command { argv, cwd, .. } => named_files("", argv, Path::new(cwd)),
        PlanDocument::BuiltIn { .. } | PlanDocument::Nothing => {
            let path = ruling.args.get("path").and_then(Value::as_str);
            path.map(|p| cwd.join(p)).into_iter().collect()
        }
    }
}
