//! Made-up command lines over the whole grammar, and mutations of them.

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

    // ---- simple commands ----

    fn simple(&mut self) -> String {
        match self.dice.below(24) {
            0 | 1 => return self.assignment(),
            2 => return self.setter(),
            3 => {
                self.mark("builtin");
                return (*self.dice.pick(&[
                    "true", "false", ":", "echo x", "pwd", "type sa", "wait", "umask", "break", "continue",
                ]))
                .to_owned();
            }
            4 => return self.follow(),
            _ => {}
        }
        self.mark("simple");
        let mut text = String::new();
        if self.dice.one_in(10) {
            self.mark("prefix");
            let name = *self.dice.pick(&["X", "Y", "IFS", "A"]);
            let value = if self.dice.one_in(3) {
                String::new()
            } else {
                self.word()
            };
            text += &format!("{name}={value} ");
        }
        if self.dice.one_in(14) {
            text += &self.redirect();
            text += " ";
        }
        if self.dice.one_in(16) {
            self.mark("carrier");
            text += *self
                .dice
                .pick(&["command ", "command -- ", "command -p -- ", "builtin command "]);
        }
        text += *self.dice.pick(HEADS);
        if !self.dice.one_in(5) {
            text += *self.dice.pick(&[" ", "  ", "\t"]);
            text += &self.words(0, 4);
        }
        while self.dice.one_in(6) {
            text += " ";
            text += &self.redirect();
            if self.dice.one_in(5) {
                text += " ";
                text += &self.word();
            }
        }
        text
    }

    fn assignment(&mut self) -> String {
        let name = *self.dice.pick(&["X", "Y", "Z"]);
        match self.dice.below(8) {
            0 => {
                self.mark("array");
                let words = self.words(0, 3);
                format!("{name}=({words})")
            }
            1 => {
                self.mark("append");
                let word = self.word();
                format!("{name}+={word}")
            }
            2 => {
                self.mark("tilde-assign");
                format!("{name}={}", self.dice.pick(&["~", "~/a", "a:~/b", "a:~", "\\~"]))
            }
            _ => {
                self.mark("assignment");
                let word = if self.dice.one_in(2) {
                    self.plain_word()
                } else {
                    self.word()
                };
                format!("{name}={word}")
            }
        }
    }

    /// Sets a variable in one of many ways and uses it.
    fn follow(&mut self) -> String {
        self.mark("follow");
        let name = *self.dice.pick(&["X", "Y"]);
        let value = *self
            .dice
            .pick(&["a", "b2", "'c d'", "-e", "'*'", "7", "\"$V\"", "''", "$(sb q)"]);
        let between = *self.dice.pick(&[
            "true",
            "false",
            "sb m",
            "(X=9)",
            "sc | X=8",
            "{ X=5; }",
            "false && X=4",
            "sb n || Y=3",
            "if sd; then X=2; fi",
            "for X in p q; do sa; done",
            "while sb w; do Y=1; done",
            "unset X",
            "read -r Y <<< z",
            "export X=z",
            "X=u sb",
            "sc ${X:=k} ${Y:=l}",
            "case a in a) Y=g;; esac",
            "readonly Y",
            "X=v; X=$X$Y",
            "printf -v Y %s r",
            "declare X=t",
            "select Y in h; do break; done <<< 1",
            "getopts a Y",
            "cd .",
            "(( X = 6 ))",
            "X=r > /nodir/x",
            "export X=e < /nodir/x",
            "{ X=c; } < /nodir/x",
            "echo $((1/$M)); X=d",
            "X=f > /dev/null",
            "readonly Q; X=h",
        ]);
        let gap = *self.dice.pick(&["; ", "; ", "\n"]);
        format!("{name}={value}; {between}{gap}sa \"$X\" \"$Y\" $X x$Y \"${{X}}y\"")
    }

    fn setter(&mut self) -> String {
        match self.dice.below(7) {
            0 => {
                self.mark("read");
                (*self.dice.pick(&[
                    "read -r X <<< 'a b'",
                    "read X Y <<< \"1 2\"",
                    "IFS=: read -r X Y <<< a:b",
                    "read -rp x Z",
                ]))
                .to_owned()
            }
            1 => {
                self.mark("export");
                let word = self.word();
                let name = *self.dice.pick(&[
                    "export X",
                    "export Y",
                    "declare X",
                    "typeset -x Y",
                    "readonly R",
                    "local L",
                ]);
                format!("{name}={word}")
            }
            2 => {
                self.mark("printf-v");
                (*self
                    .dice
                    .pick(&["printf -v X %s a", "printf '%s\\n' \"$V\"", "printf -v Y '%d' 3"]))
                .to_owned()
            }
            3 => {
                self.mark("unset");
                (*self.dice.pick(&["unset X", "unset -v Y Z", "unset V"])).to_owned()
            }
            4 => {
                self.mark("set");
                (*self
                    .dice
                    .pick(&["set -e", "set -u", "set -euo pipefail", "set +e", "set -o pipefail"]))
                .to_owned()
            }
            5 => {
                self.mark("cd");
                (*self
                    .dice
                    .pick(&["cd .", "cd /", "cd ..", "pushd . >/dev/null", "cd \"$E\""]))
                .to_owned()
            }
            _ => {
                self.mark("assign-default");
                (*self
                    .dice
                    .pick(&["sa ${X:=a}", ": ${Y:=b}", "sa \"${E:=c d}\"", "sb ${P:=x}"]))
                .to_owned()
            }
        }
    }

    fn redirect(&mut self) -> String {
        match self.dice.below(16) {
            0 | 1 => {
                self.mark("write");
                let target = self.target();
                format!("{}{target}", self.dice.pick(&["> ", ">", "2> ", "2>", "1>"]))
            }
            2 => {
                self.mark("append-file");
                let target = self.target();
                format!(">> {target}")
            }
            3 => {
                self.mark("clobber");
                ">| oc".to_owned()
            }
            4 => {
                self.mark("both");
                (*self.dice.pick(&["&> ob", "&>> ob", ">& ob", ">&ob"])).to_owned()
            }
            5 | 6 => {
                self.mark("duplicate");
                (*self.dice.pick(&["2>&1", ">&2", "1>&2", "<&0", "3>&1"])).to_owned()
            }
            7 => {
                self.mark("close");
                (*self.dice.pick(&["2>&-", "<&-", "3>&-", "3<&-"])).to_owned()
            }
            8 => {
                self.mark("read-file");
                (*self
                    .dice
                    .pick(&["< a.txt", "<b.txt", "0< a.txt", "<> c.rs", "< nofile"]))
                .to_owned()
            }
            9 | 10 => self.heredoc(),
            11 | 12 => {
                self.mark("here-string");
                let word = self.word();
                format!("<<< {word}")
            }
            _ => {
                self.mark("write");
                (*self.dice.pick(&["> /dev/null", "2>/dev/null", "2> oe"])).to_owned()
            }
        }
    }

    fn target(&mut self) -> String {
        (*self
            .dice
            .pick(&["oa", "\"o b\"", "./od", "o$M", "\"o$V\"", "'o*'", "o\\ e"]))
        .to_owned()
    }

    fn heredoc(&mut self) -> String {
        let body = *self.dice.pick(&[
            "",
            "x\n",
            "it's \"$X\"\n",
            "$(sa h)\n",
            "a\n\nb `sb`\n",
            "\\$X \\\\ \\a\n",
            "${Y:-z}\n$((1+1))\n",
            "EOF2\n EOF\n",
            "sc; sd\n",
            "{a,b} * ~\n",
        ]);
        match self.dice.below(3) {
            0 => {
                self.mark("heredoc");
                self.owed.push(format!("{body}EOF\n"));
                (*self.dice.pick(&["<<EOF", "<< EOF", "0<<EOF"])).to_owned()
            }
            1 => {
                self.mark("heredoc-quoted");
                self.owed.push(format!("{body}EOF\n"));
                (*self.dice.pick(&["<<'EOF'", "<<\"EOF\"", "<<\\EOF", "<<E'O'F"])).to_owned()
            }
            _ => {
                self.mark("heredoc-tabs");
                self.owed
                    .push(format!("\t{}\n\tEOF\n", body.trim_end().replace('\n', "\n\t")));
                (*self.dice.pick(&["<<-EOF", "<<-'EOF'"])).to_owned()
            }
        }
    }

    // ---- words ----

    fn words(&mut self, least: usize, most: usize) -> String {
        let count = least + self.dice.below(most - least + 1);
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        words.join(if self.dice.one_in(12) && self.owed.is_empty() {
            self.mark("continuation");
            " \\\n  "
        } else {
            " "
        })
    }

    fn plain_word(&mut self) -> String {
        self.mark("plain");
        (*self.dice.pick(&["a", "b2", "foo", "1", "x.y"])).to_owned()
    }

    fn quoted_expansion(&mut self) -> String {
        self.mark("param-quoted");
        format!("\"${}\"", self.dice.pick(NAMES))
    }

    fn word(&mut self) -> String {
        let mut text = self.part();
        while self.dice.one_in(4) {
            self.mark("mixed");
            text += &self.part();
        }
        text
    }

    fn part(&mut self) -> String {
        match self.dice.below(44) {
            0..=6 => {
                self.mark("plain");
                (*self.dice.pick(TEXTS)).to_owned()
            }
            7..=9 => {
                self.mark("single");
                format!("'{}'", self.dice.pick(QUOTED))
            }
            10..=12 => {
                self.mark("double");
                let text: String = self.dice.pick(QUOTED).to_string();
                if self.dice.one_in(2) {
                    let escaped = text
                        .replace('\\', "\\\\")
                        .replace('"', "\\\"")
                        .replace('$', "\\$")
                        .replace('`', "\\`");
                    format!("\"{escaped}\"")
                } else if text.contains(['"', '`', '\\']) {
                    "\"a\\b \\\\ \\\"\"".to_owned()
                } else {
                    format!("\"{text}\"")
                }
            }
            13 => {
                self.mark("escaped");
                (*self.dice.pick(&[
                    "\\ ", "\\$X", "\\*", "\\\\", "\\'", "\\\"", "\\;", "\\#", "\\a", "\\{a,b}", "\\~", "\\`",
                ]))
                .to_owned()
            }
            14 => {
                self.mark("ansi");
                (*self.dice.pick(&[
                    "$'a\\tb'",
                    "$'\\''",
                    "$'x\\\\y'",
                    "$'\\x41\\101\\u0042'",
                    "$'a\\nb'",
                    "$'\\e[0m'",
                    "$''",
                    "$'\\?\\\"'",
                ]))
                .to_owned()
            }
            15 => {
                self.mark("empty");
                (*self.dice.pick(&["''", "\"\""])).to_owned()
            }
            16 => {
                self.mark("star");
                (*self.dice.pick(&["*", "*.txt", "./*", "a*", "*z"])).to_owned()
            }
            17 => {
                self.mark("question");
                (*self.dice.pick(&["?", "?.txt", "c.r?"])).to_owned()
            }
            18 => {
                self.mark("bracket");
                (*self.dice.pick(&[
                    "[ab].txt",
                    "[!a].txt",
                    "[",
                    "[a-z]*",
                    "[[:alpha:]].rs",
                    "[]x]x",
                    "[a\"]\"b]",
                    "[$X]",
                    "[a-",
                ]))
                .to_owned()
            }
            19 => {
                self.mark("tilde");
                (*self
                    .dice
                    .pick(&["~", "~/a", "a~", "x=~", "x=a:~/b", "a:~", "--x=~", "~+", "~-/x", "'~'"]))
                .to_owned()
            }
            20 | 21 => {
                self.mark("param");
                format!("${}", self.dice.pick(NAMES))
            }
            22 | 23 => self.quoted_expansion(),
            24 => {
                self.mark("braces");
                format!("${{{}}}", self.dice.pick(NAMES))
            }
            25..=30 => self.parameter(),
            31 => {
                self.mark("special");
                (*self.dice.pick(&[
                    "$?", "$#", "\"$@\"", "$*", "$1", "${10}", "\"$*\"", "$-", "$@", "$0", "\"${@}\"",
                ]))
                .to_owned()
            }
            32..=35 => self.substitution(),
            36 => {
                self.mark("arithmetic");
                (*self.dice.pick(&[
                    "$((1 + 2))",
                    "$(( (3-4) * 2 ))",
                    "\"$((7/2))\"",
                    "$((1<2?3:4))",
                    "$(($? + 1))",
                    "$((0x1F))",
                    "$(( 1 == 1 && 2 ))",
                ]))
                .to_owned()
            }
            37 => {
                self.mark("brace-list");
                (*self.dice.pick(&[
                    "{a,b}",
                    "x{1,2}y",
                    "{,.bak}x",
                    "{a,{b,c}}d",
                    "{a,b}{c,d}",
                    "{'a b',c}",
                    "{$X,\"$Y\"}",
                    "{a}{b,c}",
                    "{}{a,b}",
                    "{a,$(sb)}",
                ]))
                .to_owned()
            }
            38 => {
                self.mark("brace-range");
                (*self.dice.pick(&["{1..3}", "a{3..1}b", "{-1..1}", "{5..5}"])).to_owned()
            }
            39 => {
                if self.owed.is_empty() {
                    self.mark("process");
                    return (*self.dice.pick(&[" <(sb p)", " >(sc)", " <(sd; se) "])).to_owned();
                }
                String::from("np")
            }
            40 => {
                self.mark("literal-dollar");
                (*self.dice.pick(&["\"$\"", "a$", "$/", "\"a$ b\"", "$%", "$.x"])).to_owned()
            }
            41 => {
                self.mark("unicode");
                (*self.dice.pick(&["é", "日本", "ñ.txt", "😀", "\"ß\""])).to_owned()
            }
            42 => {
                self.mark("odd");
                (*self.dice.pick(&[
                    "a{", "}b", "{a}", "HEAD@{1}", "!x", "^a^b", "a!b", "%1", "x{", ",", "a=b=c", "[x", "-",
                ]))
                .to_owned()
            }
            _ => {
                self.mark("continuation");
                "a\\\n".to_owned() + " b"
            }
        }
    }

    fn parameter(&mut self) -> String {
        let name = *self.dice.pick(NAMES);
        let (production, forms): (_, &[&str]) = match self.dice.below(9) {
            0 => (
                "default",
                &[
                    "${@:-a b}",
                    "${@-x}",
                    "${@:-$(sb d)}",
                    "${@:-'c d'}",
                    "${@:-\"$X e\"}",
                    "${@:-}",
                ],
            ),
            1 => (
                "default-quoted",
                &[
                    "\"${@:-a b}\"",
                    "\"${@-\\}x}\"",
                    "\"${@:-$(sc)}\"",
                    "\"a${@:-${X}}b\"",
                    "\"${@:-\\$y\\\\}\"",
                ],
            ),
            2 => ("alternative", &["${@:+a}", "\"${@+b c}\"", "${@:+$X}"]),
            3 => (
                "trim",
                &["${@%.txt}", "\"${@##*/}\"", "${@#a}", "${@%%' '*}", "\"${@%% *}\""],
            ),
            4 => (
                "replace",
                &["${@/a/b}", "\"${@//w/}\"", "${@/#v/x}", "\"${@/%n/ y}\"", "${@//a}"],
            ),
            5 => ("case-change", &["${@^}", "\"${@^^}\"", "${@,,}", "${@,}"]),
            6 => ("slice", &["${@:1}", "\"${@:0:2}\"", "${@: -1}"]),
            7 => ("length", &["${#@}", "\"${#@}\""]),
            _ => (
                "array-read",
                &["${@[0]}", "\"${@[@]}\"", "${@[*]}", "${#@[@]}", "x\"${@[@]}\""],
            ),
        };
        self.mark(production);
        let form = *self.dice.pick(forms);
        form.replacen('@', name, 1)
    }

    fn substitution(&mut self) -> String {
        if self.depth >= 3 {
            return "z".to_owned();
        }
        self.depth += 1;
        let owed = std::mem::take(&mut self.owed);
        let mut inner = match self.dice.below(4) {
            0 => "sb i".to_owned(),
            1 => self.simple(),
            _ => self.chain(),
        };
        if !self.owed.is_empty() {
            inner += &self.newline();
        }
        // The heredoc of this line has not begun: a line end here would be read in more than one way.
        if !owed.is_empty() && inner.contains('\n') {
            inner = "sc j".to_owned();
        }
        self.owed = owed;
        self.depth -= 1;
        match self.dice.below(5) {
            0 => {
                self.mark("backtick");
                (*self.dice.pick(&["`sa`", "\"`sb k`\"", "`sc | sd`", "x`sa; sb`"])).to_owned()
            }
            1 | 2 => {
                self.mark("substitution-quoted");
                format!("\"$({inner})\"")
            }
            _ => {
                self.mark("substitution");
                // Two parentheses would begin arithmetic.
                if inner.starts_with('(') {
                    inner.insert(0, ' ');
                }
                format!("$({inner})")
            }
        }
    }
}

const PIECES: &[&str] = &[
    "'", "\"", "\\", "$", "`", "(", ")", "{", "}", ";", "&", "|", "<", ">", "\n", " ", "#", "*", "?", "[", "]", "~",
    "!", "=", "$(", "${", "$((", "))", "&&", "||", ";;", "<<", "<<<", ">&", "\\\n", "$'", "[[", "]]", "if ", "; then ",
    "fi", "do ", "done", "esac", "in ", "time ", "2>", ",", "..", ":", "-", "+=", "sa ", "$X", "\"$X\"", "''", "EOF\n",
    "<(", "${X", ":-", "%", "@", "\t",
];

/// Changes a line in a few places.
pub(crate) fn mutate(dice: &mut Dice, line: &str) -> String {
    let mut chars: Vec<char> = line.chars().collect();
    for _ in 0..=dice.below(3) {
        let at = dice.below(chars.len() + 1);
        match dice.below(6) {
            0 if !chars.is_empty() => {
                chars.remove(at.min(chars.len() - 1));
            }
            1 if chars.len() > 2 => {
                let other = dice.below(chars.len());
                let at = at.min(chars.len() - 1);
                chars.swap(at, other);
            }
            2 => {
                let from = dice.below(chars.len() + 1);
                let to = (from + dice.below(6)).min(chars.len());
                let copy: Vec<char> = chars[from..to].to_vec();
                chars.splice(at..at, copy);
            }
            _ => {
                let piece = *dice.pick(PIECES);
                chars.splice(at..at, piece.chars());
            }
        }
    }
    chars.into_iter().collect()
}
