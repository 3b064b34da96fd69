//! Diagnostics about what a person wrote: collected, many at a time, and printed only by the command line.

use crate::model::Origin;
use std::fmt;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Nothing runs.
    Error,
    /// It is said, and goes on.
    Warning,
}

/// One finding about an input, with its place and the way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: lower case, no full stop, input in backticks.
    pub message: String,
    /// Where.
    pub origin: Option<Origin>,
    /// The offending line, without its neighbours (they may hold secrets).
    pub line: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(message: impl Into<String>, origin: Option<Origin>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            origin,
            line: None,
            help: None,
        }
    }

    /// A warning at a place.
    pub fn warning(message: impl Into<String>, origin: Option<Origin>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(message, origin)
        }
    }

    /// Adds the way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the source line.
    #[must_use]
    pub fn line(mut self, line: impl Into<String>) -> Self {
        self.line = Some(line.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{word}: {}", self.message)?;
        if let Some(origin) = &self.origin {
            write!(f, "\n  --> {origin}")?;
            if let Some(line) = &self.line {
                let shown: String = line.chars().take(160).map(visible).collect();
                let gutter = origin.line.to_string();
                let pad = " ".repeat(gutter.len());
                let caret = " ".repeat((origin.column.max(1) as usize - 1).min(160));
                write!(f, "\n {pad} |\n {gutter} | {shown}\n {pad} | {caret}^")?;
            }
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

/// Control characters never reach a terminal as they are.
fn visible(c: char) -> char {
    if c == '\t' {
        ' '
    } else if c.is_control() {
        '\u{fffd}'
    } else {
        c
    }
}
