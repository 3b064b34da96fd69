//! What a text sets: every variable, by whatever means, is judged by its name.

use super::env::{self, Reach};
use super::walk::Walk;
use crate::model::Code;
use crate::shell::{Analysis, Arg, Means, SimpleCommand, Span};
use std::collections::BTreeSet;

impl Walk<'_> {
    /// Assignments before a command reach that program.
    pub(super) fn prefixes(&mut self, command: &SimpleCommand) {
        if command.argv.is_empty() {
            return;
        }
        let reads_input = command.name() == Some("read");
        for assignment in &command.assignments {
            if reads_input && assignment.name == "IFS" {
                continue;
            }
            let value = assignment.value.as_ref().and_then(Arg::literal);
            self.variable(&assignment.name, value, Reach::Programs, assignment.span);
        }
    }

    pub(super) fn bindings(&mut self, analysis: &Analysis) {
        let exported: BTreeSet<&str> = analysis
            .bindings
            .iter()
            .filter(|b| b.means == Means::Export)
            .map(|b| b.name.as_str())
            .collect();
        for binding in &analysis.bindings {
            let value = binding.value.as_ref().and_then(Arg::literal);
            let reaches = exported.contains(binding.name.as_str()) || self.environment.contains_key(&binding.name);
            let reach = match binding.means {
                // Judged where the command is known.
                Means::Prefix => continue,
                Means::Unset => {
                    if !env::may_set(&binding.name, None, Reach::Shell) {
                        self.doubt(
                            Code::EnvForbidden,
                            binding.span,
                            format!("`unset {}` changes how programs are found or run", binding.name),
                        );
                    }
                    continue;
                }
                Means::Export => Reach::Programs,
                Means::Declaration
                | Means::Assignment
                | Means::Loop
                | Means::Builtin
                | Means::Default
                | Means::Arithmetic
                    if reaches =>
                {
                    Reach::Programs
                }
                Means::Declaration
                | Means::Assignment
                | Means::Loop
                | Means::Builtin
                | Means::Default
                | Means::Arithmetic => Reach::Shell,
            };
            self.variable(&binding.name, value, reach, binding.span);
        }
    }

    pub(super) fn variable(&mut self, name: &str, value: Option<&str>, reach: Reach, span: Span) {
        if !env::may_set(name, value, reach) {
            let shown = crate::path::visible(name, 60);
            self.doubt(
                Code::EnvForbidden,
                span,
                format!("setting `{shown}` can run code or redirect trust; only a person may allow it"),
            );
        }
    }
}
