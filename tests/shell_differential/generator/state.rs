//! Functions and their arguments, traps, arrays and their elements.

use super::Generator;

impl Generator<'_> {
    /// Something that changes what later commands stand for, and commands that show it.
    pub(super) fn stateful(&mut self) -> String {
        match self.dice.below(9) {
            0..=2 => self.function(),
            3 => self.positionals(),
            4 => self.trap(),
            5 => self.elements(),
            6 => self.map(),
            7 => self.list(),
            _ => self.mapfile(),
        }
    }

    /// A function and calls of it.
    fn function(&mut self) -> String {
        self.mark("function");
        let name = *self.dice.pick(&["f", "g", "f", "sa", "f_1"]);
        let before = (*self.dice.pick(&["", "", "", "X=o; ", "Y=7; ", "readonly R=1; "])).to_owned();
        let first = if self.dice.one_in(2) {
            self.in_function(name)
        } else {
            String::new()
        };
        let block = self.block();
        let last = if self.dice.one_in(2) {
            self.in_function(name)
        } else {
            String::new()
        };
        let body = format!("{first}{block}{last}");
        let redirect = if self.dice.one_in(6) && self.owed.is_empty() {
            let redirect = self.redirect();
            if self.owed.is_empty() {
                format!(" {redirect}")
            } else {
                self.owed.clear();
                String::new()
            }
        } else {
            String::new()
        };
        let definition = match self.dice.below(6) {
            0 => format!("function {name} {{ {body}}}{redirect}"),
            1 => format!("function {name}() {{ {body}}}{redirect}"),
            2 => format!("{name} () ( {body}){redirect}"),
            3 => format!("{name}() if sb; then {body}fi{redirect}"),
            4 => format!("{name}()\n{{ {body}}}{redirect}"),
            _ => format!("{name}() {{ {body}}}{redirect}"),
        };
        let between = *self.dice.pick(&[
            "",
            "",
            "",
            "",
            "sc m\n",
            "g() { sd n; }\n",
            "X=b\n",
            "f() { se \"$1\"; }\n",
            "(f() { sb; })\n",
            "unset f\n",
            "set -- u 'v w'\n",
            "false && f() { sc; }\n",
            "sb && set -- h\n",
        ]);
        let mut text = format!("{before}{definition}\n{between}");
        for _ in 0..=self.dice.below(2) {
            self.mark("function-call");
            let mut words = self.words(0, 3);
            if !self.owed.is_empty() {
                self.owed.clear();
                words = "p".to_owned();
            }
            let call = match self.dice.below(9) {
                0 => format!("{name} {words} | sb q"),
                1 => format!("sc \"$({name} {words})\""),
                2 => format!("({name} {words})"),
                3 => format!("for Z in 1 2; do {name} $Z {words}; done"),
                4 => format!("{name} {words} && sa \"$X\""),
                5 => format!("if sb; then {name} {words}; fi"),
                6 => format!("{name} {words} > oa"),
                _ => format!("{name} {words}"),
            };
            text += &call;
            text += "\n";
        }
        text + "se \"$X\" \"$Y\" $X \"$L\" \"$1\" $#"
    }

    /// What makes sense in a function.
    fn in_function(&mut self, name: &str) -> String {
        let (production, texts): (_, &[&str]) = match self.dice.below(5) {
            0 => (
                "local",
                &[
                    "local X; ",
                    "local X=l; ",
                    "local X=\"$1\" Y=$2; ",
                    "local -r L=k; ",
                    "declare X=d; ",
                    "declare -g X=e; ",
                    "if sc; then local X=m; fi; ",
                    "X=a; local X=c; X=n; ",
                    "(local X=q); X=r; ",
                    "for i in 1; do local Y=$i; done; ",
                    "local Y; Y=8; ",
                    "local -a X=(a \"$@\"); sb \"${X[@]}\" \"${#X[@]}\"; ",
                    "local -u X=t; ",
                ],
            ),
            1 => (
                "return",
                &[
                    "return; ",
                    "sb || return 1; ",
                    "if sc \"$1\"; then X=z; return; fi; ",
                    "X=p; sb && return; X=q; ",
                    "for X in 1 2; do sd && return; done; ",
                    "while sd; do return 0; done; ",
                    "(return); ",
                ],
            ),
            2 => (
                "shift",
                &[
                    "shift; ",
                    "shift 2; ",
                    "while [ $# -gt 0 ]; do sc \"$1\"; shift; done; ",
                    "sb && shift; ",
                    "(shift); ",
                    "X=$1; shift; sd \"$X\" \"$@\"; ",
                ],
            ),
            3 => (
                "positional",
                &[
                    "sb \"$1\" $2 \"$@\"; ",
                    "sc $@ \"$#\" \"$*\"; ",
                    "for X in \"$@\"; do sd \"$X\"; done; ",
                    "for Y; do se \"$Y\"; done; ",
                    "X=$1; sb \"$X\" \"${1:-d}\" \"${2%.txt}\"; ",
                    "set -- \"$@\" z; sa \"$@\"; ",
                    "set -- a; sc \"$1\" \"$2\"; ",
                    "Y=(\"$@\"); sb \"${Y[@]}\" \"${Y[0]}\"; ",
                    "case $1 in -*) sc \"$1\";; *) sd x$1;; esac; ",
                    "sf <<< \"$1\"; ",
                ],
            ),
            _ => (
                "function",
                &[
                    "g 1 \"$@\"; ",
                    "X=$Y; ",
                    "readonly Q=$1; ",
                    "unset X; ",
                    "Y=$((Y + 1)); sd $Y; ",
                ],
            ),
        };
        if name == "g" && production == "function" {
            return "sa; ".to_owned();
        }
        self.mark(production);
        (*self.dice.pick(texts)).to_owned()
    }

    fn positionals(&mut self) -> String {
        self.mark("set-positional");
        let words = self.words(0, 3);
        let after = *self.dice.pick(&[
            "sa \"$1\" $2 \"$@\"",
            "shift; sb \"$@\" $#",
            "for X; do sc \"$X\" $X; done",
            "while [ $# -gt 0 ]; do sd \"$1\"; shift; done; se \"$@\"",
            "sb && shift; sa \"$1\" \"$@\"",
            "(set -- x); sc \"$@\"",
            "X=\"$*\"; sd \"$X\" \"$2\"",
            "set -- \"$@\" y; se \"$@\"",
            "if sb; then set -- n; fi; sa \"$1\"",
        ]);
        format!(
            "set -- {words}{}{after}",
            if self.owed.is_empty() {
                "; ".to_owned()
            } else {
                self.newline()
            }
        )
    }

    fn trap(&mut self) -> String {
        self.mark("trap");
        (*self.dice.pick(&[
            "trap 'sa t' EXIT",
            "X=a; trap 'sb \"$X\" $Y' EXIT; X=b",
            "trap 'sc $?; sd' ERR; sb x; sc y",
            "trap -- 'sa \"$1\"' 0",
            "(trap 'sb u' EXIT; sc v)",
            "f() { sa \"$1\" \"$X\"; }\ntrap 'f z' EXIT\nX=c",
            "trap 'f w' EXIT\nf() { sb; }",
            "trap 'sa' EXIT; trap - EXIT",
            "trap '' INT; trap",
            "trap 'sd; exit 3' EXIT INT TERM; sa",
            "trap \"sb 'q r'\" EXIT; sc",
            "trap 'if sa; then sb; fi' EXIT; set -e; sc; sd",
        ]))
        .to_owned()
    }

    fn elements(&mut self) -> String {
        self.mark("array-element");
        let words = self.words(1, 3);
        let gap = if self.owed.is_empty() {
            "; ".to_owned()
        } else {
            self.newline()
        };
        let after = *self.dice.pick(&[
            "X[1]=n; sa \"${X[@]}\" \"${X[1]}\" \"$X\"",
            "N=0; sb \"${X[N]}\" \"${X[$N]}\" ${X[N+1]}",
            "X+=(m); sc \"${X[@]}\" ${#X[@]}",
            "X[0]+=y; sd \"${X[0]}\"",
            "for N in \"${!X[@]}\"; do se \"${X[$N]}\" $N; done",
            "for ((N = 0; N < ${#X[@]}; N++)); do sa \"${X[N]}\"; done",
            "for Y in \"${X[@]}\"; do sb \"$Y\" $Y; done",
            "sc \"${X[-1]}\" \"${X[@]:1}\" \"${X[@]%.txt}\"",
            "Y=(\"${X[@]}\" z); sd \"${Y[@]}\" x\"${Y[@]}\"",
            "X=p; se \"${X[@]}\" \"$X\"",
            "sb && X=(q); sa \"${X[@]}\"",
            "unset X; sc \"${X[@]}\" \"$X\"",
            "(X=(r)); sd ${X[@]}",
            "X=([2]=s [0]=\"t u\"); se \"${X[@]}\" \"${!X[@]}\"",
        ]);
        format!("X=({words}){gap}{after}")
    }

    fn map(&mut self) -> String {
        self.mark("map");
        let declare = *self
            .dice
            .pick(&["declare -A m", "typeset -A m", "declare -A m=([a]=1 [b/c]=\"2 3\")"]);
        let after = *self.dice.pick(&[
            "m[a]=x; sa \"${m[a]}\"",
            "m[$V]=y; m[b/c]+=z; sb \"${m[$V]}\" \"${m[@]}\"",
            "m[\"$V\"]=w; sc \"${m[\"$V\"]}\" ${#m[@]}",
            "for X in \"${!m[@]}\"; do sd \"$X\" \"${m[$X]}\"; done",
            "m=([k]=v); se \"${m[k]}\" \"${!m[*]}\"",
            "m+=([\"$V\"]=u [q.r]=t); sa \"${m[@]}\"",
            "X='x[$(sb)]'; m[$X]=1; sc \"${m[$X]}\"",
            "while sb; do m[n]=1; done; sd \"${m[n]:-o}\"",
        ]);
        format!("{declare}; {after}")
    }

    fn list(&mut self) -> String {
        self.mark("declared-list");
        let words = self.words(0, 3);
        let gap = if self.owed.is_empty() {
            "; ".to_owned()
        } else {
            self.newline()
        };
        let declare = *self
            .dice
            .pick(&["declare -a", "declare", "readonly", "typeset -a", "export"]);
        format!("{declare} W=({words}){gap}sa \"${{W[@]}}\" \"${{W[0]}}\" ${{#W[@]}}")
    }

    fn mapfile(&mut self) -> String {
        self.mark("mapfile");
        (*self.dice.pick(&[
            "mapfile -t X <<< $'a\\n-b'; sa \"${X[@]}\"",
            "readarray -t Y < <(sb); for X in \"${Y[@]}\"; do sc \"$X\"; done",
            "mapfile X < a.txt; sd ${#X[@]}",
            "X=(o); mapfile -t X <<< p; se \"${X[@]}\" \"${X[0]}\"",
            "sb | mapfile -t X; sa \"${X[@]}\"",
            "read -ra X <<< \"$V\"; sc \"${X[@]}\" \"${X[1]}\"",
            "mapfile -t <<< q; sd \"${MAPFILE[@]}\"",
        ]))
        .to_owned()
    }
}
