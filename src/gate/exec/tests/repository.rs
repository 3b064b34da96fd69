//! Git in repositories whose settings are nobody's trap is not asked about.

use super::bench::{Bench, Case};
use crate::model::Verdict;
use serde_json::{Value, json};

const SETTINGS: &str = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tfsmonitor = true\n\tpager = delta\n\
    [remote \"origin\"]\n\turl = git@example.org:x/y.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\
    [branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A \"B\" C\n\
    [filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\
    [alias]\n\tst = status\n[credential]\n\thelper = store\n[include]\n\tpath = ~/.gitconfig-work\n";

fn judged(files: &Value, command: &str) -> (Verdict, String) {
    let bench = Bench::new(&["ws/sub", "home", "tools/bin"]);
    bench.put(&json!({"path": "tools/bin/git", "mode": "0755", "content": "#!/bin/sh\n"}));
    bench.put_all(&bench.subst(files));
    let exec = json!({"security": "allowlist", "ask": "on-miss", "allowlist": [{"pattern": "**/bin/git"}]});
    let path = format!("{}/tools/bin:/usr/bin:/bin", bench.text());
    let mut case = Case::new(&bench, json!({"tools": {"exec": exec}}), command).env(&json!({ "PATH": path }));
    case.workspace = bench.root.join("ws");
    let judgement = case.judge().unwrap();
    (judgement.verdict, judgement.reason)
}

#[test]
fn an_ordinary_repository_is_not_asked_about() {
    let ordinary = json!([
        {"path": "ws/.git/HEAD", "content": "ref: refs/heads/main\n"},
        {"path": "ws/.git/objects", "dir": true},
        {"path": "ws/.git/refs", "dir": true},
        {"path": "ws/.git/config", "content": SETTINGS},
    ]);
    let worktree = json!([
        {"path": "main/.git/worktrees/w/commondir", "content": "../..\n"},
        {"path": "main/.git/worktrees/w/HEAD", "content": "ref: refs/heads/w\n"},
        {"path": "main/.git/config", "content": SETTINGS},
        {"path": "ws/.git", "content": "gitdir: ${ROOT}/main/.git/worktrees/w\n"},
    ]);
    let submodule = json!([
        {"path": "ws/.git/config", "content": SETTINGS},
        {"path": "ws/.git/modules/sub/config", "content": "[core]\n\tworktree = ../../../sub\n"},
        {"path": "ws/sub/.git", "content": "gitdir: ../.git/modules/sub\n"},
    ]);
    let plain = json!([{"path": "ws/HEAD", "content": ""}, {"path": "ws/objects/a", "content": ""}]);
    for files in [&ordinary, &worktree, &submodule, &plain] {
        for command in ["git status", "cd sub && git log -1", "git -C sub diff"] {
            let (verdict, reason) = judged(files, command);
            assert_eq!(verdict, Verdict::Allow, "{command}: {reason}");
        }
    }
    assert_eq!(judged(&ordinary, "git -C .git log").0, Verdict::Allow);
}

#[test]
fn the_message_names_the_setting_its_file_and_the_way_out() {
    let files = json!([{"path": "ws/.git/config", "content": "[core]\n\tfsmonitor = ./evil\n"}]);
    let (verdict, reason) = judged(&files, "git status");
    assert_eq!(verdict, Verdict::Ask);
    for part in ["core.fsmonitor", ".git/config", "./evil", "--global"] {
        assert!(reason.contains(part), "{part} is missing in: {reason}");
    }
}

#[test]
fn a_worktree_obeys_the_settings_of_its_repository() {
    let files = json!([
        {"path": "main/.git/worktrees/w/commondir", "content": "../..\n"},
        {"path": "main/.git/config", "content": "[core]\n\tsshCommand = ./evil\n"},
        {"path": "ws/.git", "content": "gitdir: ${ROOT}/main/.git/worktrees/w\n"},
    ]);
    assert_eq!(judged(&files, "git fetch").0, Verdict::Ask);
}
