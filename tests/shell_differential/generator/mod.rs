//! Made-up command lines over the whole grammar, and mutations of them.

mod compound;
mod hostile;
mod mutation;
mod simple;
mod state;
mod words;

pub(crate) use hostile::HOSTILE;
pub(crate) use mutation::mutate;

use super::dice::Dice;
use std::collections::BTreeSet;

/// Everything the generator can write that the analyser may understand. Each must occur often enough.
pub(crate) const PRODUCTIONS: &[&str] = &[
    "plain",
    "single",
    "double",
    "escaped",
    "ansi",
    "mixed",
    "empty",
    "star",
    "question",
    "bracket",
    "tilde",
    "tilde-assign",
    "param",
    "param-quoted",
    "braces",
    "default",
    "default-quoted",
    "assign-default",
    "alternative",
    "trim",
    "replace",
    "case-change",
    "slice",
    "length",
    "array-read",
    "special",
    "substitution",
    "substitution-quoted",
    "backtick",
    "arithmetic",
    "brace-list",
    "brace-range",
    "process",
    "literal-dollar",
    "continuation",
    "unicode",
    "odd",
    "simple",
    "assignment",
    "prefix",
    "array",
    "append",
    "carrier",
    "builtin",
    "comment",
    "write",
    "append-file",
    "clobber",
    "both",
    "duplicate",
    "close",
    "read-file",
    "heredoc",
    "heredoc-quoted",
    "heredoc-tabs",
    "here-string",
    "pipe",
    "pipe-both",
    "negated",
    "timed",
    "and",
    "or",
    "sequence",
    "newline",
    "background",
    "group",
    "subshell",
    "if",
    "elif",
    "else",
    "while",
    "until",
    "for",
    "for-glob",
    "for-arithmetic",
    "case",
    "case-fall",
    "test",
    "test-builtin",
    "arithmetic-command",
    "select",
    "read",
    "export",
    "printf-v",
    "unset",
    "set",
    "cd",
    "counter",
    "compound-redirect",
    "follow",
    "random-arithmetic",
    "random-ansi",
    "error-default",
    "reserved-argument",
    "comment-inside",
    "case-pattern",
    "reader",
    "array-use",
    "function",
    "function-call",
    "local",
    "return",
    "shift",
    "positional",
    "set-positional",
    "trap",
    "array-element",
    "map",
    "declared-list",
    "mapfile",
];

const HEADS: &[&str] = &["sa", "sb", "sc", "sd", "se", "sf"];
const NAMES: &[&str] = &["X", "Y", "Z", "V", "D", "S", "E", "P", "M", "N"];
const TEXTS: &[&str] = &[
    "a",
    "b2",
    "foo",
    "a.txt",
    "src/x.rs",
    "-n",
    "--all",
    "x=y",
    "1",
    "HEAD~1",
    "a:b",
    "k=v",
    "%s",
    "@",
    "a,b",
    "+x",
    "^y",
    "]",
    "!",
    "{}",
    "if",
    "done",
    "}",
    "a]b",
    "=",
    "-",
    "x#y",
    "http://a/b",
    "a=b=c:d",
    "k=v:w",
    "\u{201c}x\u{201d}",
];
/// Words that mean something where a command begins and nothing behind it.
const RESERVED: &[&str] = &[
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "select",
    "function", "time", "coproc", "{", "}", "!", "[[", "]]", "[", "]", "eval", "exec", "alias",
];
const QUOTED: &[&str] = &[
    "a b", "", "$X", "`sa`", "$(sa)", "*", "a;b", "&& sb", "#c", "~", "\\", "\"", "{a,b}", "a\nb", "<>|&", "-v", "!x",
    "é ü", "  ", "a\tb", "\\n", "[a]", "sc\nsd",
];

pub(crate) struct Generator<'a> {
    dice: &'a mut Dice,
    used: BTreeSet<&'static str>,
    /// Bodies of heredocs that the current line still owes.
    owed: Vec<String>,
    depth: usize,
}

impl<'a> Generator<'a> {
    pub(crate) fn new(dice: &'a mut Dice) -> Self {
        Self {
            dice,
            used: BTreeSet::new(),
            owed: Vec::new(),
            depth: 0,
        }
    }

    pub(crate) fn used(&self) -> BTreeSet<&'static str> {
        self.used.clone()
    }

    fn mark(&mut self, production: &'static str) {
        assert!(
            PRODUCTIONS.contains(&production) || HOSTILE.iter().any(|(name, _)| *name == production),
            "{production}"
        );
        self.used.insert(production);
    }

    pub(crate) fn script(&mut self) -> String {
        let count = 1 + self.dice.below(4);
        let mut text = String::new();
        for at in 0..count {
            text += &self.chain();
            if !self.owed.is_empty() || (at + 1 < count && self.dice.one_in(3)) {
                self.mark("newline");
                text += &self.newline();
            } else if at + 1 < count {
                self.mark("sequence");
                text += *self.dice.pick(&["; ", ";", " ;\t"]);
            }
        }
        if self.dice.one_in(11) {
            text = self.hostile(&text);
        }
        if self.dice.one_in(8) {
            self.mark("comment");
            text += *self.dice.pick(&[" # sa; sb", "\n# $(sa)\n", " # a\nsb", " #\\\nsc"]);
        }
        text
    }

    /// A line end with the bodies that follow it.
    fn newline(&mut self) -> String {
        let mut text = "\n".to_owned();
        for body in std::mem::take(&mut self.owed) {
            text += &body;
        }
        text
    }

    /// The separator before a reserved word.
    fn end(&mut self) -> String {
        if self.owed.is_empty() && !self.dice.one_in(5) {
            return "; ".to_owned();
        }
        let comment = if self.dice.one_in(4) {
            self.mark("comment-inside");
            *self.dice.pick(&[" # fi", " #", " # $(sa)", "\t#'"])
        } else {
            ""
        };
        comment.to_owned() + &self.newline()
    }

    fn block(&mut self) -> String {
        let mut text = self.chain();
        text += &self.end();
        if self.dice.one_in(3) {
            text += &self.chain();
            text += &self.end();
        }
        text
    }

    fn chain(&mut self) -> String {
        let mut text = self.pipeline();
        while self.dice.one_in(4) {
            if self.dice.one_in(2) {
                self.mark("and");
                text += *self.dice.pick(&[" && ", "&&"]);
            } else {
                self.mark("or");
                text += *self.dice.pick(&[" || ", "||"]);
            }
            if self.owed.is_empty() && self.dice.one_in(6) {
                text += "\n ";
            }
            text += &self.pipeline();
        }
        if self.depth == 0 && self.owed.is_empty() && self.dice.one_in(20) {
            self.mark("background");
            text += *self.dice.pick(&[" & wait", " & sb x & wait", " &\nwait"]);
        }
        text
    }

    fn pipeline(&mut self) -> String {
        let mut text = String::new();
        if self.dice.one_in(14) {
            self.mark("negated");
            text += "! ";
        } else if self.dice.one_in(20) {
            self.mark("timed");
            text += *self.dice.pick(&["time ", "time -p "]);
        }
        text += &self.command();
        while self.dice.one_in(6) {
            if self.dice.one_in(4) {
                self.mark("pipe-both");
                text += " |& ";
            } else {
                self.mark("pipe");
                text += *self.dice.pick(&[" | ", "|"]);
            }
            text += &self.command();
        }
        text
    }

    fn command(&mut self) -> String {
        if self.depth >= 3 || !self.dice.one_in(3) {
            return self.simple();
        }
        self.depth += 1;
        let mut text = self.compound();
        self.depth -= 1;
        if self.dice.one_in(8) {
            self.mark("compound-redirect");
            text += " ";
            text += &self.redirect();
        }
        text
    }
}
