//! What rows say that a call does: classes and grants of them, and the paths that programs read, write and delete.

use super::bench::{Bench, Case, Judgement};
use crate::model::Verdict;
use serde_json::{Value, json};

const PROGRAMS: &[&str] = &[
    "git",
    "npm",
    "kubectl",
    "curl",
    "docker",
    "cat",
    "head",
    "find",
    "fd",
    "xargs",
    "rg",
    "base64",
    "ls",
    "rm",
    "flock",
    "script",
    "time",
    "gofmt",
    "ruff",
    "python3",
    "pip",
    "redis-server",
    "nginx",
    "ssh",
    "screen",
    "tmux",
    "pg_ctl",
    "memcached",
    "grep",
    "mkdir",
    "diff",
    "wc",
    "yq",
];

pub(super) fn bench() -> Bench {
    let bench = Bench::new(&["work/src", "home/.ssh", "tools/bin", "out"]);
    for name in PROGRAMS {
        bench.put(&json!({"path": format!("tools/bin/{name}"), "mode": "0755", "content": "#!/bin/sh\n"}));
    }
    bench.put(&json!({"path": "home/.ssh/id_rsa", "content": "secret"}));
    bench
}

/// Judges a command without walls; `may` is that of the grants.
pub(super) fn judge(bench: &Bench, may: Option<&[&str]>, command: &str) -> Judgement {
    let grant = |name: &&str| {
        let mut entry = json!({ "pattern": format!("{}/tools/bin/{name}", bench.text()) });
        if let Some(may) = may {
            entry["may"] = json!(may);
        }
        entry
    };
    let allowlist: Vec<Value> = PROGRAMS.iter().map(grant).collect();
    let exec = json!({"security": "allowlist", "ask": "on-miss", "floor": "off", "allowlist": allowlist});
    let path = format!("{}/tools/bin:/usr/local/bin:/usr/bin:/bin", bench.text());
    let command = command.replace("${ROOT}", bench.text());
    Case::new(bench, json!({"tools": {"exec": exec}}), &command)
        .env(&json!({ "PATH": path }))
        .judge()
        .unwrap()
}

pub(super) fn assert_all(bench: &Bench, may: Option<&[&str]>, verdict: Verdict, commands: &[&str]) {
    for command in commands {
        let judgement = judge(bench, may, command);
        assert_eq!(judgement.verdict, verdict, "{may:?} {command}: {}", judgement.reason);
    }
}

#[test]
fn a_grant_covers_all_classes_but_the_serious_ones() {
    let bench = bench();
    let serious = [
        "git push --force",
        "npm publish",
        "npm publ",
        "kubectl delete pod x",
        "git clean -fdx",
        "git reset --hard",
    ];
    assert_all(&bench, None, Verdict::Ask, &serious);
    let usual = [
        "git status",
        "git commit -m x",
        "git fetch origin",
        "curl https://x",
        "kubectl get pods",
    ];
    assert_all(&bench, None, Verdict::Allow, &usual);
}

#[test]
fn what_publishes_or_destroys_runs_where_it_is_named_alone() {
    let bench = bench();
    let (publishes, destroys) = (
        ["git push --force", "npm publish"],
        ["git clean -fdx", "kubectl delete pod x"],
    );
    assert_all(&bench, Some(&["publishes"]), Verdict::Allow, &publishes);
    assert_all(&bench, Some(&["publishes"]), Verdict::Ask, &destroys);
    assert_all(&bench, Some(&["destroys"]), Verdict::Allow, &destroys);
    assert_all(&bench, Some(&["destroys"]), Verdict::Ask, &publishes);
    // Naming them takes nothing away.
    assert_all(
        &bench,
        Some(&["publishes"]),
        Verdict::Allow,
        &["git commit -m x", "curl https://x"],
    );
}

#[test]
fn a_grant_may_be_narrowed_to_each_class() {
    let bench = bench();
    let (reads, writes, connects) = ("git status", "git commit -m x", "git fetch origin");
    assert_all(&bench, Some(&["reads"]), Verdict::Allow, &[reads, "cat a", "rg x"]);
    assert_all(
        &bench,
        Some(&["reads"]),
        Verdict::Ask,
        &[
            writes,
            connects,
            "curl https://x",
            "git push --force",
            "find . -name x.pyc -delete",
        ],
    );
    assert_all(&bench, Some(&["writes"]), Verdict::Allow, &[reads, writes]);
    assert_all(
        &bench,
        Some(&["writes"]),
        Verdict::Ask,
        &["curl https://x", "kubectl get pods", "git push --force"],
    );
    assert_all(
        &bench,
        Some(&["connects"]),
        Verdict::Allow,
        &[reads, "curl https://x", "kubectl get pods"],
    );
    assert_all(&bench, Some(&["connects"]), Verdict::Ask, &[writes, "git clean -fdx"]);
}

#[test]
fn the_classes_are_told_with_what_brings_them() {
    let bench = bench();
    let told = |command: &str| {
        let judgement = judge(&bench, None, command);
        let classes = judgement.segments.iter().flat_map(|segment| &segment.classes);
        let words = classes.map(|(class, by)| format!("{} {by}", class.as_str()).trim().to_owned());
        words.collect::<Vec<String>>()
    };
    assert_eq!(told("git status"), ["reads"]);
    assert_eq!(told("npm publish"), ["writes", "connects", "publishes publish"]);
    assert_eq!(told("kubectl delete pod x"), ["connects", "destroys delete"]);
    assert_eq!(told("cat a; curl https://x"), ["reads", "connects"]);
    assert_eq!(told("git --version"), [""; 0]);
    assert_eq!(told("no-such-program"), [""; 0]);
}

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

#[test]
fn patterns_of_several_directories_are_followed_where_something_is_written() {
    let bench = bench();
    for path in ["work/lib/a/x.js", "work/lib/b/y.js", "work/far/c/z.js"] {
        bench.put(&json!({"path": path, "content": ""}));
    }
    bench.put(&json!({"path": "work/far/d", "symlink": "../../out"}));
    bench.put(&json!({"path": "out/o.js", "content": ""}));
    assert_all(
        &bench,
        None,
        Verdict::Allow,
        &["rm lib/*/*.js", "rm l*/**/x.js", "rm lib/nothing/*/x"],
    );
    let asked = [
        "rm far/*/*.js",
        "rm ../*/*.js",
        "rm */*/*.js",
        "shopt -s globstar; rm lib/**/*.js",
        "rm lib/*/../../../out/*",
    ];
    assert_all(&bench, None, Verdict::Ask, &asked);
}

#[test]
fn code_that_a_text_writes_is_not_run_by_it_without_walls() {
    let bench = bench();
    let asked = [
        "echo x > package.json; npm test",
        "echo x > x.js && npm run build",
        "echo x > odd && npm run odd",
        "sh -c 'echo x > package.json'; npm test",
    ];
    assert_all(&bench, None, Verdict::Ask, &asked);
    assert_all(
        &bench,
        None,
        Verdict::Allow,
        &["echo x > notes.txt; npm test", "echo x > x.js", "npm test > log.txt"],
    );
}

#[test]
fn names_of_a_pattern_are_a_value_and_operands() {
    let bench = bench();
    let fine = [
        "rg --glob src/*.rs x",
        "rg -g src/*.rs x",
        "find . -name *.rs",
        "find . -size -5k -name *.msgpack",
    ];
    assert_all(&bench, None, Verdict::Allow, &fine);
    assert_all(
        &bench,
        None,
        Verdict::Ask,
        &[
            "rg -g * x",
            "rg --glob $x y",
            "find . -name *",
            "find . -name $x",
            "rg --pre src/* x",
        ],
    );
}

#[test]
fn files_that_wrappers_and_find_write_are_judged_as_those_of_redirections() {
    let bench = bench();
    let fine = [
        "find . -name '*.pyc' -delete",
        "find src -name x.tmp -delete",
        "find . -fprint found.txt",
        "find . -fprintf found.txt '%p'",
        "flock lock ls",
        "flock 9 ls",
        "script -qec ls /dev/null",
        "script -q -c ls log.txt",
        "${ROOT}/tools/bin/time -o t.txt ls",
    ];
    assert_all(&bench, None, Verdict::Allow, &fine);
    let asked = [
        "find . -delete",
        "find .. -name '*.pyc' -delete",
        "find ~ -name '*.pyc' -delete",
        "find . -name '*.pyc' -o -delete",
        "find . ! -name '*.pyc' -delete",
        "find . -name '*' -delete",
        "find . -name '*.yaml' -delete -o -delete -name x",
        "find -L . -name '*.pyc' -delete",
        "find \"$x\" -name '*.pyc' -delete",
        "find . -fprint ../found.txt",
        "find . -fls /tmp/found",
        "find . -fprintf \"$x\" '%p'",
        "flock ../lock ls",
        "flock \"$x\" ls",
        "script -qec ls ../log",
        "script -c 'ls; touch ../x' log",
        "${ROOT}/tools/bin/time -o ../t ls",
        "${ROOT}/tools/bin/time --output=../t ls",
    ];
    assert_all(&bench, None, Verdict::Ask, &asked);
}

#[test]
fn what_makes_no_protected_name_is_not_asked_about() {
    let bench = Bench::new(&["work/src", "work/go", "work/.vscode", "home", "tools/bin"]);
    for (path, content) in [
        ("work/a.txt", "a"),
        ("work/.env", "a"),
        ("work/docs/guide/a.md", "a"),
        ("work/extensions.json", "{}"),
        ("work/x.gz", "a"),
        (
            "work/rust-toolchain.toml",
            "[toolchain]\nchannel = \"1.88\"\ncomponents = [\"clippy\"]\n",
        ),
        ("work/.git/HEAD", "ref: refs/heads/main\n"),
        ("work/.git/config", "[core]\n\thooksPath = ~/.hooks\n"),
    ] {
        bench.put(&json!({"path": path, "content": content}));
    }
    for name in ["cargo", "git", "rsync", "gzip", "gunzip"] {
        bench.put(&json!({"path": format!("tools/bin/{name}"), "mode": "0755", "content": "#!/bin/sh\n"}));
    }
    let grants = ["/usr/bin/*", "/bin/*", "${ROOT}/tools/bin/*"].map(|grant| grant.replace("${ROOT}", bench.text()));
    let grants: Vec<Value> = grants.iter().map(|grant| json!({ "pattern": grant })).collect();
    let exec = json!({"security": "allowlist", "ask": "on-miss", "floor": "off", "allowlist": grants});
    let path = format!("{}/tools/bin:/usr/local/bin:/usr/bin:/bin", bench.text());
    for command in [
        "mv docs manual",
        "cp -r docs/. .",
        "cp -r docs src",
        "cp -r docs go",
        "cp extensions.json .vscode/",
        "cp -b -S .bak a.txt b.txt",
        "cp a.txt .env",
        "cp *.txt src",
        "mv -t src a.txt",
        "install -m 755 a.txt src",
        "install -d out/a out/b",
        "ln -s docs manual",
        "rsync -a docs/ manual",
        "git mv docs manual",
        "git checkout main",
        "git diff main -- src/a.rs",
        "git diff HEAD~3 docs",
        "gzip -k a.txt",
        "gunzip x.gz",
        "split -l 100 a.txt part-",
        "cargo check",
    ] {
        let judgement = Case::new(&bench, json!({"tools": {"exec": exec.clone()}}), command)
            .env(&json!({ "PATH": path }))
            .judge()
            .unwrap();
        assert_eq!(judgement.verdict, Verdict::Allow, "{command}: {}", judgement.reason);
    }
}
