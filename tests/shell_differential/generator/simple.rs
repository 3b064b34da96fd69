//! Simple commands, assignments, redirections and heredocs.

use super::{Generator, HEADS};

impl Generator<'_> {
    pub(super) fn simple(&mut self) -> String {
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
            5 => return self.reader(),
            6 if self.dice.one_in(2) => {
                self.mark("array-use");
                let words = self.words(0, 3);
                let used = *self
                    .dice
                    .pick(&["\"${X[@]}\"", "${X[1]}", "\"${X[*]}\"", "${#X[@]}", "$X", "\"${X[0]}\""]);
                return format!("X=({words}); sa {used}");
            }
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

    /// A command of which the text says what stands on its standard input.
    fn reader(&mut self) -> String {
        self.mark("reader");
        let text = "sf ".to_owned();
        if self.dice.one_in(2) {
            self.mark("here-string");
            let word = if self.dice.one_in(4) {
                (*self
                    .dice
                    .pick(&["k=~", "a:~", "~", "k=a:~/b", "'a\nb'", "\"\"", "$V", "\"$V\"", "*"]))
                .to_owned()
            } else {
                self.word()
            };
            return text + &format!("<<< {word}");
        }
        text + &self.heredoc()
    }

    pub(super) fn assignment(&mut self) -> String {
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
    pub(super) fn follow(&mut self) -> String {
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
            "IFS=1",
            "IFS=/dv",
            "X=f > /dev/null",
            "readonly Q; X=h",
        ]);
        let gap = *self.dice.pick(&["; ", "; ", "\n"]);
        format!("{name}={value}; {between}{gap}sa \"$X\" \"$Y\" $X x$Y \"${{X}}y\"")
    }

    pub(super) fn setter(&mut self) -> String {
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

    pub(super) fn redirect(&mut self) -> String {
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

    pub(super) fn target(&mut self) -> String {
        (*self
            .dice
            .pick(&["oa", "\"o b\"", "./od", "o$M", "\"o$V\"", "'o*'", "o\\ e"]))
        .to_owned()
    }

    pub(super) fn heredoc(&mut self) -> String {
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
            "'$X' \"`sb j`\" \\`\n",
            "EOF \n\tEOF\nEOFx\n",
            "$ $( sa 'x)' ) ${X:-\"q\"}\n",
            "é \u{a0} \u{202e}\n",
            "a\\\\\nb\n",
            "${#X} $((2 * (3 + 1))) $'a'\n",
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
                (*self.dice.pick(&[
                    "<<'EOF'",
                    "<<\"EOF\"",
                    "<<\\EOF",
                    "<<E'O'F",
                    "<<E\"OF\"",
                    "<<\"\"EOF",
                    "<<EO\\F",
                ]))
                .to_owned()
            }
            _ => {
                self.mark("heredoc-tabs");
                self.owed
                    .push(format!("\t{}\n\tEOF\n", body.trim_end().replace('\n', "\n\t")));
                (*self.dice.pick(&["<<-EOF", "<<-'EOF'"])).to_owned()
            }
        }
    }
}
