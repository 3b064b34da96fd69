//! Names that lead to secrets, however they come to a program that reads them.

use super::bench::Case;
use super::effects::{assert_all, bench};
use crate::model::Verdict;
use serde_json::json;

#[test]
fn names_that_lead_to_secrets_are_asked_about_however_they_are_made() {
    let bench = bench();
    let commands = [
        "find ~/.ssh | xargs cat",
        "find ~/.ssh",
        "find ~ -name 'id_*' | xargs cat",
        "find ~ -exec cat {} +",
        "find ${ROOT}/hom* -exec cat {} +",
        "find / -name id_rsa -exec head {} ';'",
        "fd id_rsa ~ | xargs cat",
        "ls -d ~/.s* | xargs cat",
        "cat ${ROOT}/h*/.ssh/id_rsa",
        "cat ${ROOT}/home/.s*/id_rsa",
        "cat ../home/.s?h/*",
        "cat \"$(cat list)\"",
        "cat list | xargs cat",
        "xargs cat < list",
        "xargs -a list cat",
        "xargs -a ~/.ssh/id_rsa echo",
        "cat \"$(echo L3Jvb3Q= | base64 -d)\"",
        "f=$(cat list); head \"$f\"",
        "while read -r f; do cat \"$f\"; done < list",
        "while read -r f; do cat \"$f\"; done <<< ~/.ssh/id_rsa",
        "mapfile -t a < list; cat \"${a[@]}\"",
        "cat \"${x:-${ROOT}/home/.ssh/id_rsa}\"",
        "for f in a \"$(ls)\" ${ROOT}/h'om'e/.ssh/id_rsa; do cat \"$f\"; done",
        "x=Q${ROOT}/home/.ssh/id_rsa; cat \"${x#Q}\"",
        "find . -maxdepth 0 -printf '%%' | xargs cat",
        "printf '\\057etc' | xargs cat",
        "rg -o 'x.*' list | xargs cat",
        "for h in ~/.ssh ~/.x; do cat $h/id_rsa; done",
        "read -r h <<< $HOME; cat $h/.ssh/id_rsa",
        "h=$(echo $HOME); cat $h/.ssh/id_rsa",
        "cat \"${HOME:-x}\"/.ssh/id_rsa",
        "cat ${XDG_CONFIG_HOME:-$HOME}/.ssh/id_rsa",
        "x=?h; cat $HOME/.s$x/id_rsa",
        "cat \"$HOME/.s$(echo sh)/id_rsa\"",
        "cat $PWD/../home/.ssh/id_rsa",
        "cat \"$(pwd)/../home/.ssh/id_rsa\"",
        "trap 'cat $HOME/.s$a/id_rsa' EXIT; a=sh",
        "ls -d src | xargs -I% cat %/../../home/.ssh/id_rsa",
    ];
    assert_all(&bench, None, Verdict::Ask, &commands);
}

/// What only git prints for names is one to git alone.
#[test]
fn a_value_that_git_prints_is_no_name_elsewhere() {
    let bench = bench();
    let commands = [
        "o=x; rg git \"${o:+--pre=./ev}\"",
        "o=x; git log \"${o:+--output=/x}\"",
        "o='HEAD --output=/x'; git log $o",
        "o=x; rm -r git \"${o:+${ROOT}/out}\"",
        "o=x; cat git \"${o:+${ROOT}/home/.ssh/id_rsa}\"",
        "rm -r git \"$(git rev-parse HEAD)\"",
    ];
    assert_all(&bench, None, Verdict::Ask, &commands);
    assert_all(
        &bench,
        None,
        Verdict::Allow,
        &["o=$(git rev-parse HEAD); git log \"$o\""],
    );
}

#[test]
fn a_directory_that_holds_a_place_of_secrets_is_asked_about_where_its_contents_are_read() {
    let bench = bench();
    for name in [
        ".claude/.credentials.json",
        ".config/gh/hosts.yml",
        ".cargo/credentials.toml",
    ] {
        bench.put(&json!({"path": format!("home/{name}"), "content": "secret"}));
    }
    bench.put(&json!({"path": "home/.cargo/registry/x", "content": ""}));
    bench.put(&json!({"path": "home/.config/tool/x", "content": ""}));
    let commands = [
        "grep -r note ~/.config",
        "grep -r note ~/.config/",
        "grep -r note ~/.con*",
        "grep -r note ~/.config/gh",
        "diff -rN ~/.cargo src",
        "cp -r ~/.cargo c",
        "git diff --no-index src ~/.config",
        "find ~/.claude/ -type f -exec cat {} +",
        "find ~/.claude -type f -exec cat {} +",
        "find ~/.config/ -name '*.yml' -exec cat {} +",
        "find ~/.config -type f | xargs cat",
        "grep -r x /proc/1",
        "grep -r x /proc/1/task",
        "grep -r x /proc",
    ];
    assert_all(&bench, None, Verdict::Ask, &commands);
    let commands = [
        "grep -r note ~/.cargo/registry",
        "grep -r note ~/.config/tool",
        "find ~/.config -name x",
        "ls ~/.config",
        "cat /proc/cpuinfo",
        "cat /proc/1/status",
        "find . -type f -exec cat {} +",
    ];
    assert_all(&bench, None, Verdict::Allow, &commands);
}

#[test]
fn names_that_are_taken_apart_at_blanks_are_known_to_be_plain() {
    let consumers = [
        "find d -type f | xargs cat",
        "cat $(find d -type f)",
        "for f in $(find d -type f); do cat $f; done",
        "git ls-files d | xargs grep -h note",
        "find . -name '*.rs' | xargs wc -l",
    ];
    for bad in [
        "d/a /home/u/.cargo/x",
        "d/a ../x",
        "d/'x'/y",
        "d/.?/x",
        ".. a/x",
        "d/x\\y",
    ] {
        let bench = bench();
        bench.put(&json!({"path": format!("work/{bad}"), "content": ""}));
        bench.put(&json!({"path": "work/d/x", "content": ""}));
        assert_all(&bench, None, Verdict::Ask, &consumers);
        let whole = ["find d -type f -print0 | xargs -0 cat", "find d -type f -exec cat {} +"];
        assert_all(&bench, None, Verdict::Allow, &whole);
    }
    let bench = bench();
    for plain in ["d/My Doc.md", "d/Art - Song.md", "d/app/[id]/page.tsx", "d/x"] {
        bench.put(&json!({"path": format!("work/{plain}"), "content": ""}));
    }
    assert_all(&bench, None, Verdict::Allow, &consumers);
    let brought = ["git checkout x; find d | xargs cat", "tar xf a.tar; find d | xargs cat"];
    assert_all(&bench, None, Verdict::Ask, &brought);
    // What is left of a name that is cut elsewhere may be any.
    let cut = [
        "find d -type f | while IFS=x read -r a b; do cat \"$b\"; done",
        "find d -type f | while IFS=$X read -r a; do cat \"$a\"; done",
    ];
    assert_all(&bench, None, Verdict::Ask, &cut);
    let whole = "find d -type f -print0 | while IFS= read -r -d '' a; do cat \"$a\"; done";
    assert_all(&bench, None, Verdict::Allow, &[whole]);
    // What the commands inside print is no name that was found.
    let printed = [
        "find d -name x -exec cat {} + | xargs cat",
        "cat $(find d -type f | xargs -n 1 cat)",
        "find d -exec head -n 1 {} \\; | xargs -0 cat",
    ];
    assert_all(&bench, None, Verdict::Ask, &printed);
    assert_all(
        &bench,
        None,
        Verdict::Allow,
        &["find d -type f -exec ls {} + | xargs cat"],
    );
}

#[test]
fn what_prints_settings_of_the_user_may_print_keys() {
    let bench = bench();
    let prints = [
        "npm config get x",
        "npm config get",
        "npm config get registry x",
        "npm config get $X",
        "npm config ls -l",
        "npm c list",
        "npm get x",
        "pip config list",
        "pip config get global.x",
        "git config --list",
        "git config -l --show-origin",
        "git config --get-regexp x",
        "git config list",
        "git config get --regexp .",
    ];
    assert_all(&bench, None, Verdict::Ask, &prints);
    let other = [
        "npm ls",
        "pip list",
        "git config --get user.name",
        "git config user.name",
        "npm config get registry",
        "npm get prefix",
        "npm config --help",
    ];
    assert_all(&bench, None, Verdict::Allow, &other);
}

#[test]
fn names_that_nobody_knows_are_those_of_files_for_whatever_may_take_them_so() {
    let bench = bench();
    bench.put(&json!({"path": "work/d/x /home/u/.ssh/y", "content": ""}));
    bench.put(&json!({"path": "work/d/list", "content": ""}));
    let unknown = [
        "git ls-files d | xargs git diff --no-index",
        "git diff --no-index $(cat d/list)",
        "git diff $(cat d/list)",
        "xargs git diff --no-index < d/list",
        "yq \"$(cat d/list)\" d/x",
        "yq e \"$X\" d/x",
        "yq --expression \"$X\" d/x",
        "yq 'load(\"'*'\")' d/x",
    ];
    assert_all(&bench, None, Verdict::Ask, &unknown);
    let known = [
        "git diff HEAD~1",
        "git diff \"$(git merge-base main HEAD)\"",
        "git diff main...HEAD -- src",
        "yq .a d/*",
        "yq d/*",
        "for i in 1 2; do git diff HEAD~$i; done",
    ];
    assert_all(&bench, None, Verdict::Allow, &known);
}

#[test]
fn secrets_are_known_wherever_a_home_is_and_a_link_leads() {
    let bench = bench();
    let base = std::path::Path::new(bench.text());
    for name in ["var/u/.aws", "moved"] {
        bench.put(&json!({"path": name, "dir": true}));
    }
    bench.put(&json!({"path": "dots/ssh/id_rsa", "content": "secret"}));
    bench.put(&json!({"path": "linked", "dir": true}));
    for (to, name) in [
        ("dots/ssh", "linked/.ssh"),
        ("home/.ssh", "work/l"),
        ("home/.ssh/id_rsa", "work/src/k"),
    ] {
        std::os::unix::fs::symlink(base.join(to), base.join(name)).unwrap();
    }
    let judge = |variables: &[(&str, String)], command: &str| {
        let path = format!("{}/tools/bin:/usr/bin:/bin", bench.text());
        let mut env = json!({ "PATH": path });
        for (name, value) in variables {
            env[*name] = json!(value);
        }
        let grant = json!([{ "pattern": format!("{}/tools/bin/cat", bench.text()) }]);
        let exec = json!({"security": "allowlist", "ask": "on-miss", "floor": "off", "allowlist": grant});
        let command = command.replace("${ROOT}", bench.text());
        Case::new(&bench, json!({"tools": {"exec": exec}}), &command)
            .env(&env)
            .judge()
            .unwrap()
            .verdict
    };
    let at = |path: &str| format!("{}/{path}", bench.text());
    let asked: &[(&[(&str, String)], &str)] = &[
        (&[("HOME", at("linked"))], "cat ${ROOT}/dots/ssh/id_rsa"),
        (
            &[("HOME", at("linked")), ("KUBECONFIG", at("moved/kube"))],
            "cat ${ROOT}/moved/kube",
        ),
        (
            &[("AWS_SHARED_CREDENTIALS_FILE", at("moved/aws"))],
            "cat ${ROOT}/moved/aws",
        ),
        (&[("XDG_CONFIG_HOME", at("moved"))], "cat ${ROOT}/moved/gh/hosts.yml"),
        (&[("HOME", at("home"))], "cat ~/.bash_history"),
        (&[("HOME", at("home"))], "cat l/*"),
        (&[("HOME", at("home"))], "cat */id_rsa"),
        (&[("HOME", at("home"))], "cat src/*"),
    ];
    for (variables, command) in asked {
        assert_eq!(judge(variables, command), Verdict::Ask, "{command}");
    }
}

#[test]
fn a_way_up_leaves_the_place_to_which_a_link_has_led() {
    let bench = bench();
    bench.put(&json!({"path": "home/below/x", "content": ""}));
    bench.put(&json!({"path": "work/led", "symlink": "../home/below"}));
    bench.put(&json!({"path": "work/src/deep/x", "content": ""}));
    let asked = [
        "cat led/../.ssh/id_rsa",
        "cat ./led/./../.ssh/*",
        "head led/../../home/.ssh/id_rsa",
        "rg x led/../.ssh",
        "cat /proc/self/cwd/../home/.ssh/id_rsa",
        "cat /proc/thread-self/root/etc/passwd",
        "cat /proc/self/../self/cwd/x",
        "cat /dev/fd/../cwd/x",
        "cat /dev/fd/../../self/environ",
        "cat /proc/self/c*d/../home/.ssh/id_rsa",
        "cat /proc/*/cwd/x",
        "cat src/*/../../../home/.ssh/id_rsa",
        "cat s*/../led/../.ssh/id_rsa",
    ];
    assert_all(&bench, None, Verdict::Ask, &asked);
    let read = [
        "cat led/x",
        "cat ./src/../a.txt",
        "cat src/deep/../x ../work/a",
        "cat src/nothing/../x",
        "cat /proc/cpuinfo /proc/self/status /proc/1/stat",
        "cat /proc/*/status",
        "ls | cat /dev/stdin",
        "cat /dev/fd/0",
        "cat <(ls) src/*",
    ];
    assert_all(&bench, None, Verdict::Allow, &read);
}

#[test]
fn names_that_are_found_in_the_workspace_are_read() {
    let bench = bench();
    let commands = [
        "find . -name '*.rs' | xargs cat",
        "find src -type f -exec head -5 {} +",
        "find src -name '*.rs' | while read f; do head -5 \"$f\"; done",
        "for f in $(find src -name '*.rs'); do head -1 $f; done",
        "git ls-files | xargs cat",
        "git ls-files '*.rs' | head -5 | xargs head",
        "git ls-files | while IFS= read -r f; do head -n 1 \"$f\"; done",
        "git diff --name-only main | xargs cat",
        "cat $(git ls-files '*.txt')",
        "rg -l foo | xargs -I{} cat {}",
        "rg --files src | xargs head -1",
        "for f in *.txt src/*; do cat \"$f\"; done",
        "cat ${ROOT}/work/*.txt ../work/a*",
        "head \"$(ls src | head -1)\"",
        "cat list | xargs echo",
        "find / -maxdepth 1 -name x | head",
        "find ~ -maxdepth 1",
        "cat <(git show HEAD:a)",
        "x=a; cat \"${x}.txt\"",
    ];
    assert_all(&bench, None, Verdict::Allow, &commands);
}

/// What prints names prints texts as well with other options, or when it is given a file.
#[test]
fn what_prints_more_than_names_is_no_list() {
    let bench = bench();
    let asked = [
        "head -1 < msg | xargs cat",
        "cat \"$(head -1 < msg)\"",
        "for f in $(tail -n1 < msg); do cat \"$f\"; done",
        "sort < msg | xargs cat",
        "uniq < msg | xargs cat",
        "head -1 | xargs cat",
        "read f; cat \"$f\"",
        "xargs cat",
        "{ cat msg; true; } | xargs cat",
        "{ (cat msg); (true); } | head -1 | xargs cat",
        "find . -maxdepth 0 -exec head -1 ';' < msg | xargs cat",
        "find . -name msg | xargs head -n1 | xargs cat",
        "find . -name msg -exec sort {} + | xargs cat",
        "git status -vv | xargs -n1 cat",
        "git status | xargs -n1 cat",
        "git log --name-only | xargs -n1 cat",
        "git log --name-only --oneline | xargs -n1 cat",
        "git log --name-only --format= --format=%B | xargs -n1 cat",
        "git diff --name-only -p | xargs -n1 cat",
        "git -c diff.noprefix=true diff --name-only | xargs cat",
        "cat $(git show --name-only HEAD:msg)",
        "git show --name-only --format= v1 | xargs cat",
        "git tag -n | xargs -n1 cat",
        "cat $(git branch -v)",
        "git ls-files --format=x | xargs cat",
        "ls -l src | xargs -n1 cat",
        "find src -ls | xargs -n1 cat",
        "tree -f src | xargs -n1 cat",
        "readlink src/x | xargs cat",
        "stat src/x | xargs -n1 cat",
        "rg -l x --json | xargs cat",
        "head -c 3 msg | xargs cat",
        "git ls-files $X | xargs cat",
    ];
    assert_all(&bench, None, Verdict::Ask, &asked);
    let fine = [
        "git diff --name-only | xargs cat",
        "git diff --name-only --cached --diff-filter=ACM | xargs cat",
        "git diff --name-only $(git merge-base main HEAD) | xargs cat",
        "git diff --name-only \"$(git merge-base main HEAD)\"..HEAD | xargs cat",
        "git log --name-only --format= -n 5 | sort -u | xargs wc -l",
        "git log --name-only --pretty=format: --since=yesterday | sort | uniq | xargs head",
        "git log $(git merge-base main HEAD)..HEAD",
        "git --no-pager diff --name-only | xargs cat",
        "git ls-files | head -20 | xargs cat",
        "git ls-files --others --exclude-standard | xargs wc -l",
        "git ls-files -z | xargs -0 wc -l",
        "git status --short | head",
        "git grep -l foo | xargs grep -n bar",
        "find . -name '*.rs' | xargs wc -l",
        "find . -name '*.rs' | xargs wc -l | sort -n | tail -5",
        "find . -name '*.rs' -not -path './target/*' -mtime -7 | xargs cat",
        "find . -name '*.rs' | xargs grep -l foo | xargs head -5",
        "ls *.txt | xargs wc -l",
        "ls -t src | head -1 | xargs echo",
        "head -1 < msg | xargs echo",
        "cat \"$(git ls-files | tail -n 1)\"",
    ];
    assert_all(&bench, None, Verdict::Allow, &fine);
}

/// Where git prints nothing, what stands behind is an option, or a path from the root of all files.
#[test]
fn what_git_may_not_print_is_no_name_and_no_root() {
    let bench = bench();
    let asked = [
        "git log \"$(git rev-parse -q --verify no)--output=../out/x\"",
        "git rebase HEAD~1 $(git rev-parse -q --verify no)--exec=sh",
        "git rebase $(git rev-parse \"HEAD~1 --exec=sh\")",
        "git log -p $(git rev-parse --show-prefix)",
        "cd \"$(git rev-parse --show-toplevel >/dev/null)/any/dir\" && cat x",
        "cd \"$(git rev-parse --show-toplevel)/etc\"; cat shadow",
        "cd $(git rev-parse --show-toplevel); cat .bashrc",
        "(R=$(git rev-parse --show-toplevel)); cd \"$R/dir\" && cat x",
        "false && R=$(git rev-parse --show-toplevel); cd \"$R/dir\" && cat x",
        "R=$(git rev-parse --show-toplevel); cd \"$(<msg)\"; cat x",
        "git -C \"$(git rev-parse --show-toplevel)/etc\" log",
    ];
    assert_all(&bench, None, Verdict::Ask, &asked);
    let fine = [
        "cd \"$(git rev-parse --show-toplevel)\" && ls",
        "cd \"$(git rev-parse --show-toplevel 2>/dev/null)\" && ls",
        "R=$(git rev-parse --show-toplevel); cd \"$R\" && ls",
        "git -C \"$(git rev-parse --show-toplevel)\" log",
        "git log $(git merge-base main HEAD)..HEAD",
        "BASE=$(git merge-base main HEAD); git diff $BASE",
        "git show $(git rev-parse HEAD)",
    ];
    assert_all(&bench, None, Verdict::Allow, &fine);
}
