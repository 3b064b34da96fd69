//! Control flow, tests and arithmetic commands.

use super::Generator;

impl Generator<'_> {
    pub(super) fn compound(&mut self) -> String {
        match self.dice.below(20) {
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
            16..=18 => self.wrapped_state(),
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

    /// Something that changes what later commands stand for, as one command.
    fn wrapped_state(&mut self) -> String {
        let owed = std::mem::take(&mut self.owed);
        let mut text = self.stateful();
        let end = if self.owed.is_empty() {
            "; ".to_owned()
        } else {
            self.newline()
        };
        if !owed.is_empty() {
            // The bodies that the line owes come before any of these lines.
            text = "sa".to_owned();
        }
        self.owed = owed;
        format!("{{ {text}{end}}}")
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
            let pattern = match self.dice.below(9) {
                0 => "*".to_owned(),
                1 => "a|b2".to_owned(),
                2 => "[a-f]*".to_owned(),
                3 => "'a b'".to_owned(),
                4 => self.quoted_expansion(),
                5..=7 => {
                    self.mark("case-pattern");
                    self.pattern()
                }
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

    /// A pattern of `case` or `[[`.
    fn pattern(&mut self) -> String {
        (*self.dice.pick(&[
            "*\"a b\"*",
            "[[:digit:]]*",
            "\\*",
            "\"$X\"*",
            "$X",
            "''",
            "?",
            "[!a]",
            "[^a]b",
            "k=~",
            "~/x",
            "a\\ b",
            "[a\"]\"]",
            "{a,b}",
            "$(sb p)",
            "-*",
        ]))
        .to_owned()
    }

    fn test(&mut self) -> String {
        self.mark("test");
        let (a, b) = (self.quoted_expansion(), self.plain_word());
        match self.dice.below(14) {
            8 => format!("[[ {a} == {} ]] && sa p", self.pattern()),
            9 => format!("[[ {a} =~ ^\"{b}\"(x|y)*$ ]] || sb r"),
            10 => format!("[[ ( -n {a} && ! -e {b} ) || $V = v* ]] && sc"),
            11 => "[[ $((1 + 1)) -eq 2 &&\n -f a.txt ]] && sd".to_owned(),
            12 => format!("[[ a.txt -nt b.txt || {a} > {b} ]]; se"),
            13 => format!("[[ {b} ]] && sa one"),
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
        match self.dice.below(5) {
            4 => {
                let expression = self.expression(3);
                format!("(( {expression} )) || sb {expression}; sc $(( {expression} )) \"$(({expression}))\"")
            }
            0 => "(( 1 + 2 > 2 )) && sa".to_owned(),
            1 => "N=4; (( N += 2 )); sb $N".to_owned(),
            2 => "(( Z = 3 )) && sc $Z $(( Z * 2 ))".to_owned(),
            _ => "N=1; (( N++, N <<= 2 )); sd $((N - 1))".to_owned(),
        }
    }

    /// An arithmetic expression over integers.
    pub(super) fn expression(&mut self, depth: usize) -> String {
        self.mark("random-arithmetic");
        if depth == 0 || self.dice.one_in(3) {
            return (*self.dice.pick(&["1", "2", "7", "0", "0x1f", "$#", "$?", "12"])).to_owned();
        }
        let left = self.expression(depth - 1);
        let right = self.expression(depth - 1);
        let gap = *self.dice.pick(&["", " "]);
        match self.dice.below(6) {
            0 => format!("({left}){gap}*{gap}{right}"),
            1 => format!("!{left}{gap}|{gap}~{right}"),
            2 => format!("{left}{gap}?{gap}{right}{gap}:{gap}{left}"),
            3 => format!("{left}{gap},{gap}{right}"),
            4 => format!("- {left} - -{right}"),
            _ => {
                let sign = *self.dice.pick(&[
                    "+", "-", "*", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||",
                ]);
                format!("{left} {sign} {right}")
            }
        }
    }
}
