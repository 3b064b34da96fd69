//! Forms of commands, each run both ways: as they are, and within braces, which need a shell.

use crate::run::{Bed, Said};
use serde_json::{Value, json};

/// Pipelines, lists and negation.
const LISTS: &[&str] = &[
    "cat a.txt",
    "cat a.txt | sort",
    "cat a.txt | sort -r | head -n 1",
    "cat a.txt | grep alpha | wc -l",
    "cat a.txt | grep nothing",
    "grep nothing a.txt | cat",
    "yes | head -n 2",
    "seq 1 100000 | head -n 1",
    "cat nofile | wc -l",
    "cat nofile |& wc -l",
    "cat a.txt nofile 2>/dev/null |& wc -l",
    "cat a.txt nofile 2>&1 | sort | head -n 1 | wc -l",
    "grep -q alpha a.txt && cat a.txt",
    "grep -q nothing a.txt && cat a.txt",
    "grep -q nothing a.txt || cat sub/b.txt",
    "grep -q alpha a.txt && cat nofile || cat sub/b.txt",
    "grep -q nothing a.txt && cat a.txt || grep -q alpha a.txt && cat sub/b.txt",
    "cat nofile; cat a.txt",
    "cat a.txt; cat nofile",
    "cat a.txt\ncat sub/b.txt",
    "cat a.txt;",
    "! cat nofile",
    "! cat a.txt",
    "! cat a.txt | grep nothing",
    "! grep -q nothing a.txt && cat a.txt",
    "true",
    "false",
    ":",
    "true && false || cat a.txt",
    "false || true",
    "true | false",
    "false | true",
    "true > made.txt; cat made.txt; ls",
    "false > made.txt; ls",
    ": > made.txt && ls",
    "cat a.txt | true",
    "true | cat",
    "cat a.txt # remark",
    "cat a.txt \\\n  sub/b.txt",
    "cat a.txt &&\n\n  cat sub/b.txt",
    "cat /proc/self/comm",
    "cat /proc/self/comm | sort",
    "cat a.txt\ncat nofile\n\ngrep -x x nofile",
    "cat 2> err.txt < nofile; cat err.txt",
    "cat 2> err.txt < nofile | sort; cat err.txt",
    "f() { cat \"$1\"; }; f a.txt; f nofile",
    "trap 'cat sub/b.txt' EXIT; cat a.txt",
    "x=(a.txt nofile); cat \"${x[@]}\"",
    "echo a\necho $LINENO\n\nif true\nthen\n  echo $LINENO\nfi",
    "cat <<E; echo $LINENO\nx\nE\necho $LINENO",
    "echo ${NOTHING:?said}",
    "set -x; cat a.txt; set +x; cat sub/b.txt",
    "for i in {a..c} {01..03}; do echo $i; done",
    "i=0; while [ $i -lt 3 ]; do i=$((i + 1)); echo $i; done",
    "shopt -s globstar nullglob; ls **/*.txt *.none",
    "declare -A m=([a]=1); m[b]=2; echo \"${m[a]}${m[b]}\"",
    "mapfile -t l < a.txt; echo \"${#l[@]}\" \"${l[0]}\"",
    "cat <<E\n$(head -n 1 a.txt) $HOME\nE",
];

/// Redirections of each kind.
const REDIRECTIONS: &[&str] = &[
    "cat < a.txt",
    "cat < nofile",
    "cat < nofile; cat a.txt",
    "cat < nofile || cat a.txt",
    "cat < nofile | wc -c",
    "cat a.txt | cat < nofile",
    "cat a.txt | cat < nofile | wc -c",
    "cat a.txt\ncat < nofile",
    "cat < a.txt\n\n\ncat > sub",
    "cat < a.txt/x",
    "cat a.txt > out.txt; cat out.txt",
    "cat a.txt > sub",
    "cat a.txt > nodir/out.txt",
    "cat a.txt > a.txt/x",
    "cat a.txt > out.txt; cat sub/b.txt >> out.txt; cat out.txt",
    "cat sub/b.txt > a.txt; cat a.txt",
    "cat sub/b.txt >| a.txt; cat a.txt",
    "cat sub/b.txt >> a.txt; cat a.txt",
    "cat nofile 2> err.txt; cat err.txt",
    "cat nofile 2>> a.txt; cat a.txt",
    "cat a.txt nofile > both.txt 2>&1; cat both.txt",
    "cat a.txt nofile 2>&1 > out.txt",
    "cat a.txt nofile 2>&1 >/dev/null | wc -l",
    "cat a.txt nofile &> both.txt; cat both.txt",
    "cat a.txt nofile &>> a.log; cat a.log",
    "cat a.txt nofile >& both.txt; cat both.txt",
    "cat a.txt nofile >/dev/null",
    "cat a.txt nofile 2>/dev/null",
    "cat a.txt nofile >/dev/null 2>&1",
    "cat a.txt nofile &>/dev/null",
    "cat a.txt 1>&2",
    "cat a.txt nofile 1>&2 2>/dev/null",
    "cat a.txt > /dev/stderr",
    "cat nofile 2> /dev/stdout",
    "cat 0< a.txt",
    "cat < a.txt < sub/b.txt",
    "cat < a.txt > o1 > o2; cat o2; wc -c o1",
    "> empty.txt cat a.txt; cat empty.txt",
    "cat a.txt >out.txt | wc -c; cat out.txt",
    "cat a.txt 3>&1",
    "cat <&0",
    "cat < a.txt 2>&1 | sort -r",
    "cat a.txt > 'out put.txt'; cat 'out put.txt'",
    "cat a.txt > \"out\"put.txt; ls",
    "wc -c < a.txt",
    "cat a.txt 2>&-",
    "cat a.txt >&-",
    "cat <&-",
];

/// Here-documents and here-strings.
const TEXTS: &[&str] = &[
    "cat <<< hello",
    "cat <<< 'a  b'",
    "cat <<< ''",
    "wc -c <<< hello",
    "cat <<EOF\nplain\nEOF",
    "cat <<'EOF'\n$HOME `id` $(id) \\\n\"q\"\nEOF",
    "cat <<\\EOF\n$HOME\nEOF",
    "cat <<-EOF\n\tindented\n\t\ttwice\n\tEOF",
    "cat <<EOF\nEOF",
    "cat <<A <<B\none\nA\ntwo\nB",
    "cat <<A; cat <<B\none\nA\ntwo\nB",
    "cat <<A | sort\nb\na\nA",
    "cat a.txt - <<EOF | sort -r\nzz\nEOF",
    "cat <<EOF && cat a.txt\nx\nEOF",
    "cat <<EOF > out.txt\nx\nEOF\ncat out.txt",
    "sort - a.txt <<'E O F'\nm\nE O F",
    "cat a.txt | cat - <<< x",
    "cat <<'EOF'\n\n\n  blank lines\n\nEOF",
    "cat <<EOF\n\\$x \\\\ \\` \\a\nEOF",
];

/// Words and assignments.
const WORDS: &[&str] = &[
    "printf '%s\\n' a 'b c' \"d e\" f\\ g",
    "/usr/bin/printf '%s|' '' \"\" a''b \"x\"'y'z",
    "/usr/bin/printf '%s|' \"it's\" 'say \"x\"' 'a'\\''b' \"\\$x \\` \\\\ \\n\"",
    "/usr/bin/printf '%s|' $'a\\tb\\x41' $'\\''",
    "/usr/bin/printf '%s|' \"a\nb\" 'c\nd'",
    "/usr/bin/printf '%s|' -- -x --y=z",
    "/usr/bin/printf '%s|' 'é' ‘ü’ 日本",
    "/usr/bin/printf '%s|' a#b '#c' \"#d\"",
    "/usr/bin/printf '%s|' {a,b} x{1..3}y",
    "/usr/bin/printf '%s|' '{a,b}' \\{a,b\\}",
    "/usr/bin/printf '%s|' *.txt",
    "/usr/bin/printf '%s|' '*.txt' \\*.txt \"*.txt\"",
    "/usr/bin/printf '%s|' no*such",
    "/usr/bin/printf '%s|' s*/*",
    "/usr/bin/printf '%s|' [a-b]*",
    "/usr/bin/printf '%s|' ~ ~/x '~' \"~\" a~",
    "/usr/bin/printf '%s|' $HOME \"$HOME\" '$HOME' ${HOME}",
    "/usr/bin/printf '%s|' $NOTHING \"$NOTHING\" x${NOTHING}y",
    "/usr/bin/printf '%s|' $(cat a.txt)",
    "/usr/bin/printf '%s|' \"$(cat a.txt)\"",
    "/usr/bin/printf '%s|' `cat sub/b.txt`",
    "/usr/bin/printf '%s|' $((1 + 2 * 3))",
    "/usr/bin/printf '%s|' \"$0\" $# $?",
    "echo $0",
    "X=1 printenv X",
    "X='a b' Y=c printenv X Y",
    "X=1 printenv X | cat",
    "X=1; printenv X",
    "X=1; echo $X",
    "X=1 Y=$X; echo \"[$Y]\"",
    "export X=1; printenv X",
    "X=a printenv X; printenv X",
    "X= printenv X",
    "X=1 true; echo \"[$X]\"",
    "printenv PWD",
    "pwd; /bin/pwd",
    "cd sub && pwd && cat b.txt",
    "cd sub; printenv PWD OLDPWD; cd ..; pwd",
    "(cd sub; pwd); pwd",
    "cd nodir; pwd",
    "for f in *.txt; do cat \"$f\"; done",
    "if grep -q alpha a.txt; then echo yes; else echo no; fi",
    "while read -r l; do echo \"[$l]\"; done < a.txt",
    "case a in a) echo one;; *) echo two;; esac",
    "set -e; false; echo not here",
    "set -o pipefail; false | true; echo $?",
    "set -u; echo \"$NOTHING\"; echo not here",
    "false; echo $?",
    "echo a; echo b >&2; echo c; echo d >&2",
    "ls nofile; echo $?",
    "[ -f a.txt ] && echo file",
    "[[ a == a* ]] && echo like",
    "echo -n a; echo -e 'b\\tc'",
    "printf '%d %s\\n' 1 x 2 y",
    "type cat true",
    "command -v cat",
    "command cat a.txt",
    "exit 3",
    "cat a.txt; exit 4",
    "env X=1 printenv X",
    "env -i printenv HOME; echo $?",
    "timeout 5 cat a.txt",
    "nice cat a.txt",
    "xargs cat < list.txt",
    "find . -name '*.txt' | sort",
    "find sub -type f -exec cat {} +",
    "ls -1 | xargs -n1 echo",
    "sh -c 'cat a.txt; echo $1' x y",
    "bash -c 'echo $0 $1' x y",
];

/// Programs that are not there, cannot be started, or end in odd ways.
const ENDS: &[&str] = &[
    "./status 0",
    "./status 1",
    "./status 2",
    "./status 126",
    "./status 127",
    "./status 128",
    "./status 255",
    "./status 3; ./status 4",
    "./status 3 && cat a.txt",
    "./status 3 || cat a.txt",
    "./status 3 | ./status 4",
    "./status 3 | ./status 0",
    "! ./status 3",
    "./status 7; echo $?",
    "./plain x y",
    "./plain x y | cat",
    "./plain",
    "./bare x",
    "./bare x | cat",
    "./bare x && echo fine",
    "./lost",
    "./lost || cat a.txt",
    "./signal TERM",
    "./signal KILL",
    "./signal INT",
    "./signal HUP",
    "./signal PIPE",
    "./signal KILL || cat a.txt",
    "./signal TERM | cat",
    "cat a.txt | ./signal KILL",
    "! ./signal KILL",
    "sub/inner x",
    "../ws/status 5",
    "stub one 'two three'",
    "linked one",
];

/// Commands that no grant can speak about, run because nothing is asked.
const FREE: &[&str] = &[
    "no_such_program",
    "no_such_program; echo $?",
    "no_such_program || cat a.txt",
    "no_such_program 2>/dev/null | cat",
    "./a.txt",
    "./a.txt || echo $?",
    "./sub",
    "./nofile",
    "cat a.txt | no_such_program",
    "eval 'echo x'",
    "f() { echo \"f $1\"; }; f 1",
    "x=(1 2 3); echo ${x[1]} ${#x[@]}",
    "trap 'echo bye' EXIT; echo hi",
    "kill -TERM $$",
    "-x",
    "- x",
    "cd sub\nno_such_program\ncat b.txt",
    "(kill -KILL \"${BASHPID}\"); echo $?",
    "sleep 0.01 & wait; echo done",
    "echo ${BASH_VERSION:+set} $0 $#",
    "shopt -q extglob; echo $?",
    "echo 'unterminated",
    "if",
    "echo )",
    "echo \"${x@Q}\"; exit 9",
    "exec cat a.txt",
    "source ./plain q",
];

fn files() -> Value {
    let script = |path: &str, content: &str| json!({"path": path, "mode": "0755", "content": content});
    json!([
        {"path": "ws/a.txt", "content": "alpha\nbeta\n"},
        {"path": "ws/sub/b.txt", "content": "bravo\n"},
        {"path": "ws/list.txt", "content": "a.txt sub/b.txt\n"},
        {"path": "ws/a.log", "content": "log\n"},
        script("ws/status", "#!/bin/sh\nexit $1\n"),
        script("ws/signal", "#!/bin/sh\nkill -$1 $$\n"),
        script("ws/plain", "#!/bin/sh\necho \"$0: $# $1 $2\" | sed 's,.*/,,'\n"),
        script("ws/bare", "echo \"bare $# $1 ${BASH_VERSION:+bash}\"\n"),
        script("ws/lost", "#!/no/such/interpreter\n"),
        script("ws/sub/inner", "#!/bin/sh\necho inner $1\n"),
        {"path": "ws/link", "symlink": "sub/inner"},
        script("tools/bin/stub", "#!/bin/sh\necho \"stub $# $2\"\n"),
        script("tools/lib/real", "#!/bin/sh\necho \"called as ${0##*/}\"\n"),
        {"path": "tools/bin/linked", "symlink": "../lib/real"},
    ])
}

/// Every program may run: also those of the workspace, each by its exact path.
fn granting(bed: &Bed) -> Value {
    let own = ["status", "signal", "plain", "bare", "lost", "sub/inner", "link"];
    let mut list: Vec<Value> = own
        .iter()
        .map(|name| json!({"pattern": bed.root().join("ws").join(name)}))
        .collect();
    list.push(json!({"pattern": "/**"}));
    json!({"tools": {
        "exec": {"security": "allowlist", "ask": "off", "strictInlineEval": false, "allowlist": list, "allowEnv": ["X"]},
        "results": {"redact": {"enabled": false}},
    }})
}

fn free() -> Value {
    json!({
        "tools": {"exec": {"security": "full", "ask": "off", "strictInlineEval": false}, "results": {"redact": {"enabled": false}}},
        "approvals": {"defaults": {"security": "full", "ask": "off"}},
    })
}

/// Checks that every text does the same both ways.
fn same(texts: impl IntoIterator<Item = String>, config: fn(&Bed) -> Value) {
    let bed = Bed::new(&files());
    let config = config(&bed);
    let mut different = Vec::new();
    let mut count = 0;
    for text in texts {
        count += 1;
        let call = json!({"tool": "exec", "args": {"command": text}});
        let want = bed.by_bash(&text, &Value::Null, &Value::Null);
        match bed.by_toolctl(&call, &config, &Value::Null) {
            Said::Ran(got) if got == want => {}
            Said::Ran(got) => different.push(format!("{text:?}\n    bash    {want:?}\n    toolctl {got:?}")),
            Said::NotRun { code, reason } => different.push(format!("{text:?}\n    not run: {code}: {reason}")),
        }
    }
    assert!(
        different.is_empty(),
        "{} of {count} differ:\n{}",
        different.len(),
        different.join("\n")
    );
}

fn as_they_are(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn in_braces(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| format!("{{ {text}\n}}")).collect()
}

#[test]
fn lists() {
    same(as_they_are(LISTS), granting);
    same(in_braces(LISTS), granting);
}

#[test]
fn redirections() {
    same(as_they_are(REDIRECTIONS), granting);
    same(in_braces(REDIRECTIONS), granting);
}

#[test]
fn texts() {
    same(as_they_are(TEXTS), granting);
    same(in_braces(TEXTS), granting);
}

#[test]
fn words() {
    same(as_they_are(WORDS), granting);
}

#[test]
fn ends() {
    same(as_they_are(ENDS), granting);
    same(in_braces(ENDS), granting);
}

#[test]
fn every_exit_status() {
    same(
        (0..256).step_by(17).map(|status| format!("./status {status}")),
        granting,
    );
}

#[test]
fn what_nobody_understands() {
    same(as_they_are(FREE), |_| free());
}
