//! Where the commands of a text run, as `cd` and the shells of the text lead them.

use super::effects::{assert_all, bench, judge};
use crate::model::Verdict;
use serde_json::json;

#[test]
fn a_directory_that_is_not_known_is_asked_about() {
    let bench = bench();
    bench.put(&json!({"path": "work/.git/HEAD", "content": "ref: refs/heads/main\n"}));
    for name in ["a/b/c", "d"] {
        bench.put(&json!({"path": format!("work/{name}"), "dir": true}));
    }
    let commands = [
        "cd \"$(cat x)\" && cat id_rsa",
        "cd \"${Y:-$(cat x)}\" && cat id_rsa",
        "cd \"${ROOT}/ho$(echo me)/.ssh\" && cat id_rsa",
        "cd \"$(echo .)$(echo .)\" && cat home/.ssh/id_rsa",
        "cd \"$(git rev-parse --show-toplevel)/../home\" && ls",
        "cd \"$(git rev-parse --show-toplevel)$(cat x)\" && ls",
        "r=$(git rev-parse --show-toplevel); r=$(cat x); cd \"$r\" && ls",
        "pushd \"$(cat x)\" && cat id_rsa",
        "d=$(cat x); cd \"$d\"; cat id_rsa",
        "read -r d < x; cd \"$d\"; cat id_rsa",
        "while read -r d; do (cd \"$d\" && cat id_rsa); done < x",
        "f() { cd \"$1\"; }; f \"$(cat x)\"; cat id_rsa",
        "(cd \"$(cat x)\" && git status)",
        "cd a/b/c && for i in 1 2 3 4; do cd ..; done; cat home/.ssh/id_rsa",
        "cd .? && cat x",
        "for d in */; do cd \"$d\"; cat x; cd ..; done",
        "for d in a b; do cd \"$d\"; cat x; done",
        "for i in 1 2 3; do cat home/.ssh/id_rsa; cd ..; done",
        "i=0; until [ $i = 9 ]; do cat home/.ssh/id_rsa; cd ..; i=$((i+1)); done",
        "f() { cd ..; }; cd a/b/c; f; f; f; f; cat home/.ssh/id_rsa",
        "true || cd a/b/c && cd ../.. && ls",
        "{ true || cd a/b; } && cd ../.. && ls",
        "! cd nowhere && cd .. && ls",
    ];
    assert_all(&bench, None, Verdict::Ask, &commands);
    let commands = [
        "cd \"$(git rev-parse --show-toplevel)\" && cat x",
        "r=$(git rev-parse --show-toplevel); cd \"$r/a\" && git status",
        "for d in */; do (cd \"$d\" && cat x); done",
        "for d in a d; do (cd \"$d\" && cat x); done",
        "(cd a && git status) && git log",
        "cd a/b && cat x; cd - && git status",
        "pushd a && cat x; popd; git status",
    ];
    assert_all(&bench, None, Verdict::Allow, &commands);
}

#[test]
fn what_moves_the_shell_unseen_is_asked_about() {
    let bench = bench();
    bench.put(&json!({"path": "work/d", "dir": true}));
    let commands = [
        "pushd d; DIRSTACK[1]=${ROOT}/out; popd; echo x > config.yaml",
        "DIRSTACK=(a ${ROOT}/out); popd",
        "mapfile -O 1 -t DIRSTACK < x; popd",
        "read -a DIRSTACK < x; popd",
        "printf -v DIRSTACK %s x; popd",
        "declare -n r=DIRSTACK; r[1]=/x; popd",
        "declare -a DIRSTACK; popd",
        "unset DIRSTACK; popd",
        "for DIRSTACK in /x; do popd; done",
        "HISTFILE=x; HISTFILESIZE=0",
        "FUNCNEST=1; f() { g; }; g() { cd d; }; f; cat x",
        "cd nix; cd ..; ls",
        "cd nix; pushd ..; ls",
        "cd nix || true; cd ../out; cat x",
    ];
    assert_all(&bench, None, Verdict::Ask, &commands);
    let commands = [
        "pushd d; cat x; popd; cat x",
        "cd d; ls; cd ..; ls",
        "mkdir nix; cd nix; cat x; cd ..; ls",
        "mkdir -p nix && cd nix && cat x && cd .. && ls",
        "cd nix && cat x && cd .. && ls",
        "cd nix; ls",
    ];
    assert_all(&bench, None, Verdict::Allow, &commands);
}

#[test]
fn many_directory_changes_are_judged_in_no_time() {
    let bench = bench();
    for step in [
        "cd a || cd b; ",
        "cd a; cd b; ",
        "if cd a; then cd b; else cd c; fi; ",
        "cd a && cd b || cd c; ",
        "(cd a; cd b); ",
    ] {
        let command = format!("{}cat x", step.repeat(200));
        let _ = judge(&bench, None, &command);
    }
}

/// A `cd` of which the shell may have made nothing, and one that its own shell takes back.
#[test]
fn what_follows_a_directory_change_that_need_not_have_happened_is_judged_without_it() {
    let bench = bench();
    bench.put(&json!({"path": "work/a/x", "content": ""}));
    let link = std::path::Path::new(bench.text()).join("work/x");
    std::os::unix::fs::symlink(format!("{}/home/.ssh/id_rsa", bench.text()), link).unwrap();
    let commands = [
        "true || cd a && cat x",
        "! cd nowhere && cat x",
        "true || { echo b && cd a && true; } && cat x",
        "f() { true && return; cd a; }; f && cat x",
        "if false; then cd a; fi && cat x",
        "(cd a) && cat x",
        "(cd a && cat x) && cat x",
        "cd a | cat; cat x",
        "trap 'cat x' EXIT; cd a",
    ];
    assert_all(&bench, None, Verdict::Ask, &commands);
    let commands = [
        "cd a && cat x",
        "(cd a && cat x)",
        "git status && cd a && git status && cat x",
    ];
    assert_all(&bench, None, Verdict::Allow, &commands);
}

/// What leaves the workspace by its name is told so, whatever is not known besides.
#[test]
fn a_name_outside_is_one_wherever_the_text_stands() {
    let bench = bench();
    for command in [
        "for i in 1 2; do cd /etc; done; ls",
        "cd \"$(cat x)\"; cd ${ROOT}/home; ls",
        "for i in 1 2; do cd ..; done; ls",
    ] {
        let findings = judge(&bench, None, command).findings;
        let said = findings
            .iter()
            .any(|finding| finding.reason.contains("leaves the workspace"));
        assert!(said, "{command}");
    }
}
