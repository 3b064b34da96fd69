//! Words.

use super::{Generator, NAMES, QUOTED, RESERVED, TEXTS};

impl Generator<'_> {
    pub(super) fn words(&mut self, least: usize, most: usize) -> String {
        let count = least + self.dice.below(most - least + 1);
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        words.join(if self.dice.one_in(12) && self.owed.is_empty() {
            self.mark("continuation");
            " \\\n  "
        } else {
            " "
        })
    }

    pub(super) fn plain_word(&mut self) -> String {
        self.mark("plain");
        (*self.dice.pick(&["a", "b2", "foo", "1", "x.y"])).to_owned()
    }

    pub(super) fn quoted_expansion(&mut self) -> String {
        self.mark("param-quoted");
        format!("\"${}\"", self.dice.pick(NAMES))
    }

    pub(super) fn word(&mut self) -> String {
        let mut text = self.part();
        while self.dice.one_in(4) {
            self.mark("mixed");
            text += &self.part();
        }
        text
    }

    pub(super) fn part(&mut self) -> String {
        match self.dice.below(47) {
            43 => {
                self.mark("reserved-argument");
                (*self.dice.pick(RESERVED)).to_owned()
            }
            44 => {
                let expression = self.expression(2);
                format!("$(({expression}))")
            }
            45 => self.ansi(),
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
                (*self.dice.pick(&[
                    "~",
                    "~/a",
                    "a~",
                    "x=~",
                    "x=a:~/b",
                    "a:~",
                    "--x=~",
                    "~+",
                    "~-/x",
                    "'~'",
                    "k=v=~",
                    "k=a:~:~/b",
                    "k=$X:~",
                    "k='v':~",
                    "k=a=b:~/x",
                    "k=/~",
                    "k=\\:~",
                    "k:=~",
                    "k==~",
                    "k=:~",
                ]))
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
                    "$?", "$$", "\"$$\"", "$#", "\"$@\"", "$*", "$1", "${10}", "\"$*\"", "$-", "$@", "$0", "\"${@}\"",
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
                    "{}",
                    "{a,$(sb)}",
                ]))
                .to_owned()
            }
            38 => {
                self.mark("brace-range");
                (*self.dice.pick(&[
                    "{1..3}",
                    "a{3..1}b",
                    "{-1..1}",
                    "{5..5}",
                    "{a..d}",
                    "{C..A}",
                    "{01..3}",
                    "{1..9..4}",
                    "{e..a..2}x",
                ]))
                .to_owned()
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

    pub(super) fn parameter(&mut self) -> String {
        let name = *self.dice.pick(NAMES);
        let (production, forms): (_, &[&str]) = match self.dice.below(11) {
            8 => (
                "error-default",
                &[
                    "${@:?}",
                    "\"${@?no}\"",
                    "${@:?a b}",
                    "${@:=$X}",
                    "${@=q}",
                    "\"${@:=r s}\"",
                    "${@+\"x y\"}",
                ],
            ),
            9 => (
                "trim",
                &[
                    "${@%%[ab]*}",
                    "${@##\\*}",
                    "\"${@#?}\"",
                    "${@%\"\"}",
                    "${@//[aeiou]}",
                    "${@/?/-}",
                    "${@: -2:1}",
                    "${@:0}",
                ],
            ),
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

    pub(super) fn substitution(&mut self) -> String {
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

    /// `$'…'` out of random pieces.
    fn ansi(&mut self) -> String {
        self.mark("random-ansi");
        let mut text = "$'".to_owned();
        for _ in 0..self.dice.below(5) {
            text += *self.dice.pick(&[
                "a",
                " ",
                "\\'",
                "\\\\",
                "\\n",
                "\\x41",
                "\\x4",
                "\\101",
                "\\60",
                "\\7",
                "\\u41",
                "\\U0000007e",
                "$X",
                "`",
                "\"",
                "*",
                "é",
                "\\e",
                "\\t1",
                "\\\"",
                "#",
                "(",
                "\n",
                "~",
                "{a,b}",
                "\\x7e/",
            ]);
        }
        text + "'"
    }
}
