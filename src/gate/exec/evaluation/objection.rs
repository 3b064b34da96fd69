//! What is held against a command, by the kind of it; and which of it walls would hold.

use super::Evaluator;
use crate::gate::finding::{Finding, Hold, Kind};
use crate::machine::normalise;
use crate::model::{Code, Stage};
use crate::shell::Span;
use std::path::{Path, PathBuf};

/// Directories in whose place a contained session has its own, where it has mounts.
const PRIVATE: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

impl Evaluator<'_> {
    /// Nobody may allow it.
    pub(super) fn forbid(&mut self, stage: Stage, code: Code, span: Span, reason: impl Into<String>) {
        self.findings
            .push(Finding::new(stage, Kind::Forbidden, code, reason).at(span));
    }

    /// Nothing grants it, and a grant would settle it.
    pub(super) fn miss(&mut self, span: Span, reason: String) {
        self.findings
            .push(Finding::new(Stage::Allowlist, Kind::Miss, Code::AllowlistMiss, reason).at(span));
    }

    /// It is not known what it does or where it leads.
    pub(super) fn doubt(&mut self, code: Code, span: Span, reason: impl Into<String>) {
        self.object(Kind::Doubt, code, span, reason.into());
    }

    /// The same about code that a granted program is given by the call itself.
    pub(super) fn code(&mut self, kind: Kind, code: Code, span: Span, reason: String) {
        let finding = Finding::new(Stage::Allowlist, kind, code, reason).at(span);
        self.findings.push(finding.held(Hold::Code));
    }

    /// A file outside the workspace that would be written.
    pub(super) fn outside(&mut self, file: Option<&str>, span: Span, reason: String) {
        let finding = Finding::new(Stage::Allowlist, Kind::Doubt, Code::PathEscape, reason).at(span);
        let private = file.is_some_and(|file| self.is_private(file));
        self.findings
            .push(if private { finding.held(Hold::Private) } else { finding });
    }

    /// Which file is read is not known, and it may be one that holds secrets.
    pub(in crate::gate::exec) fn untold(&mut self, span: Span, reason: String) {
        let finding = Finding::new(Stage::Allowlist, Kind::Doubt, Code::PathEscape, reason).at(span);
        self.findings.push(finding.held(Hold::Secrets));
    }

    /// Whether a file lies in a directory that a contained session has for itself, and in no part of it that it shares.
    fn is_private(&self, file: &str) -> bool {
        let Some(path) = normalise(Path::new("/"), file).filter(|_| file.starts_with('/')) else {
            return false;
        };
        let home = self.environment.get("HOME").map(Path::new);
        let cwds = self.directories.all().unwrap_or_default();
        let shared = cwds.iter().map(PathBuf::as_path).chain(home);
        let shared: Vec<&Path> = shared.chain([self.context.finder.workspace()]).collect();
        PRIVATE.iter().map(Path::new).any(|place| {
            let entry = path.strip_prefix(place).ok().and_then(|rest| rest.components().next());
            entry.is_some_and(|entry| {
                let entry = place.join(entry);
                !shared
                    .iter()
                    .any(|shared| shared.starts_with(&entry) || *shared == place)
            })
        })
    }

    /// Whether a file is one that the text itself writes, wherever it may be meant.
    pub(super) fn makes(&self, name: &str) -> bool {
        let dirs = self.directories.all().unwrap_or_default();
        !dirs.is_empty()
            && dirs
                .iter()
                .all(|dir| normalise(dir, name).is_some_and(|path| self.made.contains(&path)))
    }

    /// Notes a file that the text writes.
    pub(super) fn note_made(&mut self, name: &str) {
        for dir in self.directories.all().unwrap_or_default() {
            self.made.extend(normalise(&dir, name));
        }
    }

    pub(super) fn object(&mut self, kind: Kind, code: Code, span: Span, reason: String) {
        let stage = match code {
            Code::EnvForbidden => Stage::Env,
            Code::AnalysisFailed => Stage::Analysis,
            _ => Stage::Allowlist,
        };
        self.findings.push(Finding::new(stage, kind, code, reason).at(span));
    }
}
