//! One command of a text: what it would run, and what grants it.

use crate::machine::Program;
use crate::program::wrapper::Layer;
use crate::program::{self, Class, Settings, Stdin};
use crate::shell::{Arg, Span};

/// What grants a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GrantedBy {
    /// An allowlist entry.
    Allowlist,
    /// A command rule.
    Rule,
    /// A safe bin's profile.
    SafeBins,
    /// It can do no harm.
    Builtin,
}

impl GrantedBy {
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
    pub by: Option<GrantedBy>,
    /// The entry or rule that grants it and its place.
    pub grant: Option<String>,
    /// Whether the grant is a kept allow-always answer.
    pub durable: bool,
    /// The wrappers around it, outermost first.
    pub wrappers: Vec<Layer>,
    /// The classes of what it does, each with the part of the call that brings it; none where nothing is known of the program.
    pub classes: Vec<(Class, String)>,
    /// Where it stands in the text.
    pub span: Span,
    /// How deep it stands in shell texts of wrappers.
    pub depth: usize,
}

impl Segment {
    /// Whether its program, by its name or behind a link, obeys settings of the directory in which it works.
    pub fn obeys(&self, settings: Settings) -> bool {
        let obeys = |name| program::obeys(name, settings);
        self.program
            .as_ref()
            .is_some_and(|p| obeys(p.name()) || obeys(p.real_name()))
    }

    /// Whether it is git, by its name or behind a link.
    pub fn is_git(&self) -> bool {
        self.obeys(Settings::Git)
    }

    /// Whether it talks to others, as far as its program is known.
    pub fn connects(&self) -> bool {
        self.classes
            .iter()
            .any(|(class, _)| matches!(class, Class::Connects | Class::Daemon | Class::Publishes))
    }

    /// Whether its program may have use for keys and logins of the user. Git has none unless it talks to others or signs: what
    /// it shows or keeps may be any file (`--no-index`, `hash-object`). `signs`: whether its settings make it sign.
    pub fn needs_keys(&self, signs: &dyn Fn() -> bool) -> bool {
        let has_keys = |p: &Program| program::has_keys(p.name()) || program::has_keys(p.real_name());
        if self.is_git() && self.classes.is_empty() {
            // Nothing is known of what it does.
            return true;
        }
        self.connects()
            || if self.is_git() {
                self.may_sign(signs)
            } else {
                self.program.as_ref().is_some_and(has_keys)
            }
    }

    /// Whether git makes something here that it may sign: what only reads makes nothing.
    fn may_sign(&self, signs: &dyn Fn() -> bool) -> bool {
        if self.classes.iter().all(|(class, _)| *class == Class::Reads) {
            return false;
        }
        let args = self.argv.get(1..).unwrap_or(&[]);
        let reading = program::git().map(|git| git.read(args, Stdin::Nothing));
        reading.is_some_and(|reading| reading.signs || reading.may_sign && signs())
    }

    /// Its arguments as text; what is not known is shown as `…`.
    pub fn shown(&self) -> Vec<String> {
        self.argv.iter().map(Arg::shown).collect()
    }
}
