//! The configured rules about a command: those that ask or deny hit it, granted or not.

use super::{Evaluator, Frame, show_all};
use crate::gate::exec::policy::rules::Certainty;
use crate::gate::finding::{Finding, Kind};
use crate::machine::Program;
use crate::model::{Code, Stage, Verdict};
use crate::shell::Arg;

impl Evaluator<'_> {
    /// Rules that ask or deny hit any command, granted or not.
    pub(super) fn rules(&mut self, typed: &str, program: Option<&Program>, argv: &[Arg], frame: &Frame) {
        let args = argv.get(1..).unwrap_or(&[]);
        for rule in self.rules.iter().filter(|r| r.decision() != Verdict::Allow) {
            let certainty = rule.hits(typed, program, args);
            let kind = match (certainty, rule.decision()) {
                (Certainty::No, _) | (_, Verdict::Allow) => continue,
                (Certainty::Yes, Verdict::Deny) => Kind::Forbidden,
                (Certainty::Maybe, _) | (Certainty::Yes, Verdict::Ask) => Kind::Rule,
            };
            let source = &rule.source.value;
            let mut reason = format!("command rule at {} ", rule.source.origin);
            reason.push_str(match (kind, certainty) {
                (Kind::Forbidden, _) => "denies ",
                (_, Certainty::Maybe) => "may apply, depending on an expansion, to ",
                _ => "asks about ",
            });
            reason.push_str(&format!("`{}`", crate::path::visible(&show_all(argv), 160)));
            let mut words = String::new();
            if let Some(why) = &source.reason {
                words.push_str(&format!(": {why}"));
            }
            if let Some(instead) = &source.instead {
                words.push_str(&format!(" — instead: {instead}"));
            }
            reason.push_str(&words);
            let finding = Finding::new(Stage::Allowlist, kind, Code::CommandRule, reason);
            let finding = finding.at(frame.span).from(&rule.source.origin);
            self.findings
                .push(finding.with_words(words.trim_start_matches([':', ' ', '—'])));
        }
    }

    /// Where what a wrapper runs cannot be told, every tail of its arguments may be the command.
    pub(super) fn suffix_rules(&mut self, argv: &[Arg], frame: &Frame) {
        for at in 1..argv.len() {
            let tail = argv.get(at..).unwrap_or(&[]);
            if let Some(word) = tail.first().and_then(Arg::literal).filter(|w| !w.starts_with('-')) {
                self.rules(word, None, tail, frame);
            }
        }
    }
}
