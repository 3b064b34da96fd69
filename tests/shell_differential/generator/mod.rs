//! Made-up command lines over the whole grammar, and mutations of them.

mod mutation;
mod simple;
mod words;

pub(crate) use mutation::mutate;

use super::dice::Dice;
use std::collections::BTreeSet;

/// Everything the generator can write. Each must occur often enough.
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
];

const HEADS: &[&str] = &["sa", "sb", "sc", "sd", "se"];
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
        assert!(PRODUCTIONS.contains(&production), "{production}");
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
            "; ".to_owned()
        } else {
            self.newline()
        }
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

    fn compound(&mut self) -> String {
        match self.dice.below(17) {
            0 => {
                self.mark("group");
                format!("{{ {}}}", self.block())
            }
            1 => {
                self.mark("subshell");
                let inner = self.block();
                format!("( {inner})")
            }
            2 | 3 => self.conditional(),
            4 => {
                self.mark("while");
                let (condition, body) = (self.block(), self.block());
                format!("while {condition}do {body}done")
            }
            5 => {
                self.mark("until");
                let (condition, body) = (self.block(), self.block());
                format!("until {condition}do {body}break; done")
            }
            6 | 7 => {
                self.mark("for");
                let words = self.words(1, 3);
                let end = self.end();
                let body = self.block();
                format!("for X in {words}{end}do {body}sa \"$X\" $X; done")
            }
            8 => {
                self.mark("for-glob");
                let glob = *self.dice.pick(&["*.txt", "?", "[ab]*", "*"]);
                let body = self.block();
                format!("for Y in {glob}; do {body}sb \"$Y\"; done")
            }
            9 => {
                self.mark("for-arithmetic");
                let body = self.block();
                format!("for ((i = 0; i < 2; i++)); do {body}sc $i $((i * 2)); done")
            }
            10 | 11 => self.case(),
            12 => self.test(),
            13 => self.arithmetic_command(),
            14 => {
                self.mark("select");
                let body = self.block();
                format!("select X in a b; do {body}break; done <<< 1")
            }
            15 => {
                self.mark("counter");
                let body = self.block();
                let limit = self
                    .dice
                    .pick(&["[ $N -lt 2 ]", "[[ $N -lt 2 ]]", "(( N < 2 ))"])
                    .to_string();
                format!("N=0; while {limit}; do {body}N=$((N + 1)); sd $N; done")
            }
            _ => {
                self.mark("test-builtin");
                let word = self.quoted_expansion();
                let text = match self.dice.below(5) {
                    0 => format!("[ -n {word} ]"),
                    1 => format!("test {word} = a"),
                    2 => format!("[ {word} != x -a -f a.txt ]"),
                    3 => format!("[ ! -e {word} ]"),
                    _ => "[ 1 -lt 2 ]".to_owned(),
                };
                format!("{text} && sa t")
            }
        }
    }

    fn conditional(&mut self) -> String {
        self.mark("if");
        let (condition, body) = (self.block(), self.block());
        let mut text = format!("if {condition}then {body}");
        if self.dice.one_in(3) {
            self.mark("elif");
            let (condition, body) = (self.block(), self.block());
            text += &format!("elif {condition}then {body}");
        }
        if self.dice.one_in(2) {
            self.mark("else");
            let body = self.block();
            text += &format!("else {body}");
        }
        text + "fi"
    }

    fn case(&mut self) -> String {
        self.mark("case");
        let subject = self.word();
        let mut text = format!("case {subject} in ");
        for _ in 0..=self.dice.below(3) {
            let pattern = match self.dice.below(6) {
                0 => "*".to_owned(),
                1 => "a|b2".to_owned(),
                2 => "[a-f]*".to_owned(),
                3 => "'a b'".to_owned(),
                4 => self.quoted_expansion(),
                _ => "(x|*o*".to_owned(),
            };
            let body = self.block();
            let end = if self.dice.one_in(4) {
                self.mark("case-fall");
                *self.dice.pick(&[";&", ";;&"])
            } else {
                ";;"
            };
            // The block brings its own separator, which may be `; `.
            let body = body.trim_end_matches([' ', ';']).to_owned();
            text += &format!("{pattern}) {body}\n{end} ");
        }
        text + "esac"
    }

    fn test(&mut self) -> String {
        self.mark("test");
        let (a, b) = (self.quoted_expansion(), self.plain_word());
        match self.dice.below(8) {
            0 => format!("[[ -n {a} && -f a.txt ]] && sa"),
            1 => format!("[[ {a} == {b}* ]] || sb {b}"),
            2 => format!("[[ {a} =~ ^[a-z]+$ ]] && sc"),
            3 => "[[ 1 -lt 2 ]] && sd 1".to_owned(),
            4 => format!("[[ ! ( {a} < {b} || -d . ) ]]; se"),
            5 => "[[ -v X ]] && sa v".to_owned(),
            6 => format!("[[ $V != {b} ]] && sa ne"),
            _ => format!("[[ $(sb {b}) = o* ]] && sc o"),
        }
    }

    fn arithmetic_command(&mut self) -> String {
        self.mark("arithmetic-command");
        match self.dice.below(4) {
            0 => "(( 1 + 2 > 2 )) && sa".to_owned(),
            1 => "N=4; (( N += 2 )); sb $N".to_owned(),
            2 => "(( Z = 3 )) && sc $Z $(( Z * 2 ))".to_owned(),
            _ => "N=1; (( N++, N <<= 2 )); sd $((N - 1))".to_owned(),
        }
    }
}
