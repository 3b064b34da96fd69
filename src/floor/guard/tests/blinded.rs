//! What tries to keep the guard from seeing, from being asked, or from doing the right thing.

use super::*;
use std::os::unix::fs::symlink;

/// A repository whose settings run something, in the directory where the shell is.
const ARMED: &str = "git init -q --bare .; git config core.bare false; git config core.worktree .; \
                     git config core.fsmonitor 'touch $ROOT/pwned; false'; ";

fn paths(found: &[Finding]) -> Vec<&Path> {
    found.iter().map(|finding| finding.path.as_path()).collect()
}

impl Lab {
    /// Runs what a person does later, and holds that nothing planted ran.
    fn nothing_runs(&self, script: &str) {
        let _ = fs::remove_file(self.at("pwned"));
        self.sh(&format!("({script}) >/dev/null 2>&1 || true"));
        assert!(!self.at("pwned").exists(), "planted code ran in `{script}`");
    }
}

#[test]
fn links_to_directories_hide_nothing() {
    for (name, file) in [
        (".vscode", "tasks.json"),
        (".cursor", "mcp.json"),
        (".cargo", "config.toml"),
        (".zed", "tasks.json"),
        (".config", "nvim/init.lua"),
        (".idea", "x.xml"),
    ] {
        // A link that the run makes.
        let lab = Lab::new();
        let found = lab.during(&format!(
            "mkdir -p data/$(dirname {file}); echo x > data/{file}; ln -s data {name}"
        ));
        assert!(
            paths(&found).contains(&lab.at(&format!("ws/{name}")).as_path()),
            "{name}: {found:?}"
        );
        assert!(!lab.at(&format!("ws/{name}/{file}")).exists(), "{name}");
        // A person's link, to what the run changes under its real name.
        let lab = Lab::new();
        lab.sh(&format!(
            "mkdir -p data/$(dirname {file}); echo old > data/{file}; ln -s data {name}; ln -s none .helix"
        ));
        let found = lab.during(&format!(
            "echo new > data/{file}; mkdir none; echo x > none/config.toml; echo y > data/y.txt"
        ));
        let wanted = [lab.at(&format!("ws/data/{file}")), lab.at("ws/none/config.toml")];
        for wanted in &wanted {
            assert!(paths(&found).contains(&wanted.as_path()), "{name}: {found:?}");
        }
        assert_eq!(fs::read_to_string(&wanted[0]).unwrap(), "old\n");
        assert!(!wanted[1].exists());
    }
    // Of a file as well.
    let lab = Lab::new();
    lab.sh("mkdir envs; echo old > envs/dev; ln -s envs/dev .envrc; ln -s ../conf .git/conf; ln -s . .vscode; mkdir .idea; ln -s .. .idea/loop");
    let found = lab.during("echo new > envs/dev");
    assert_eq!(paths(&found)[..1], [lab.at("ws/envs/dev")], "{found:?}");
    assert_eq!(fs::read_to_string(lab.at("ws/envs/dev")).unwrap(), "old\n");
}

#[test]
fn what_git_takes_for_a_repository_is_one() {
    for disguise in [
        "mv objects o; mv refs r; ln -s o objects; ln -s r refs",
        "mv HEAD h; ln -s refs/heads/x HEAD",
        "mkdir -p ../common; mv objects refs config ../common; echo ../common > commondir",
    ] {
        let plant = format!("mkdir sub; cd sub; {ARMED} {disguise}");
        let lab = Lab::new();
        lab.sh(&format!("{plant}; git status >/dev/null 2>&1 || true"));
        let runs = lab.at("pwned").exists();
        let lab = Lab::new();
        let found = lab.during(&plant);
        assert!(!found.is_empty(), "{disguise}");
        lab.nothing_runs("cd sub; git status");
        assert!(
            runs || disguise.contains("common"),
            "does nothing even unguarded: {disguise}"
        );
    }
    // Nor does a name in the way of a pointer make it one of ours.
    let lab = Lab::new();
    let plant = format!(
        "mkdir -p vendor/modules/e sub; cd vendor/modules/e; {ARMED} git config core.worktree ../../../sub; \
        mv objects o; ln -s o objects; cd ../../../sub; echo 'gitdir: ../vendor/modules/e' > .git"
    );
    let found = lab.during(&plant);
    assert!(paths(&found).contains(&lab.at("ws/sub/.git").as_path()), "{found:?}");
    lab.nothing_runs("cd sub; git status");
    // Nor does one that leads back to it.
    let lab = Lab::new();
    let found = lab.during("mkdir sub; git init -q --bare $ROOT/away; echo $PWD/sub/.git > $ROOT/away/gitdir; echo \"gitdir: $ROOT/away\" > sub/.git");
    assert_eq!(paths(&found), [lab.at("ws/sub/.git")], "{found:?}");
}

#[test]
fn directories_that_a_run_makes_hide_nothing() {
    let lab = Lab::new();
    let found = lab.during(&format!(
        "mkdir -p z/{{0..70}}/{{0..70}} z/0/0/.vscode a/b/c/d; echo x > z/0/0/.vscode/tasks.json; echo x > a/b/c/d/.envrc; \
         mkdir -p z/70/70/deep/.git; cd z/70/70/deep/.git; {ARMED}"
    ));
    let wanted = [
        "ws/a/b/c/d/.envrc",
        "ws/z/0/0/.vscode/tasks.json",
        "ws/z/70/70/deep/.git/config",
    ];
    for wanted in wanted {
        assert!(paths(&found).contains(&lab.at(wanted).as_path()), "{wanted}: {found:?}");
    }
    let again = lab.during("rm -r z; echo x > a/b/c/d/.envrc");
    assert_eq!(paths(&again), [lab.at("ws/a/b/c/d/.envrc")]);
}

#[test]
fn what_can_no_longer_be_looked_at_is_a_finding() {
    let lab = Lab::new();
    // Deeper than any path may name.
    let found = lab.during("for i in {1..20}; do mkdir $(printf 'x%.0s' {1..240}); cd x*; done; mkdir .vscode; echo x > .vscode/tasks.json");
    assert!(
        found.len() == 1 && found[0].to_string().contains("no longer be read"),
        "{found:?}"
    );
    assert!(lab.guard().alarm().unwrap().is_some());
    // What was so before is said once, where it was done.
    lab.guard().seen().unwrap();
    assert!(lab.guard().watch([], ANY).unwrap().is_partial());
    assert!(lab.during("touch y").is_empty());
}

#[test]
fn pipes_and_endless_files_do_not_keep_the_guard_waiting() {
    let lab = Lab::new();
    let found = lab.during(
        "mkdir -p .git/worktrees/x .git/worktrees/y .git/modules/m n; mkfifo .git/worktrees/x/gitdir .git/modules/m/HEAD \
         .git/packed-refs n/.git; truncate -s 40G .git/worktrees/y/gitdir; rm .git/index; mkfifo .git/index; echo x > .envrc",
    );
    assert!(paths(&found).contains(&lab.at("ws/.envrc").as_path()), "{found:?}");
    assert!(!lab.at("ws/.envrc").exists());
    assert!(!crate::path::is_tracked(&lab.at("none")));
    assert!(
        crate::path::is_tracked(&lab.at("ws/.toolctl.yaml")),
        "what cannot be read may name it"
    );
}

#[test]
fn other_places_that_a_run_may_write_are_looked_into() {
    let lab = Lab::new();
    lab.sh("mkdir -p ../other/.vscode ../more; echo old > ../other/.vscode/tasks.json; git init -q ../other/repo");
    let others = || ["other", "more"].map(|name| lab.at(name));
    let plant = "echo new > ../other/.vscode/tasks.json; echo x > ../more/.envrc; echo y > ../other/notes.txt; \
                 git -C ../other/repo config core.fsmonitor ./evil.sh";
    let wanted = ["other/.vscode/tasks.json", "more/.envrc", "other/repo/.git/config"].map(|name| lab.at(name));
    let check = |found: &[Finding]| {
        let mut found = paths(found);
        found.sort_unstable();
        let mut all: Vec<&Path> = wanted.iter().map(PathBuf::as_path).collect();
        all.sort_unstable();
        assert_eq!(found, all);
        assert_eq!(fs::read_to_string(&wanted[0]).unwrap(), "old\n");
        assert!(!wanted[1].exists());
    };
    let watch = lab.guard().watch(others(), ANY).unwrap();
    lab.sh(plant);
    check(&watch.end(false).unwrap());
    // The same where the run is cut off: the next call knows from the record where to look.
    let watch = lab.guard().watch(others(), ANY).unwrap();
    lab.sh(plant);
    drop(watch);
    let found = lab.finished_earlier();
    check(&found);
}

#[test]
fn what_leads_a_person_elsewhere_is_undone() {
    for setting in [
        "url.https://evil.example/.insteadOf https://",
        "url.https://evil.example/.pushInsteadOf https://",
        "http.proxy evil.example:1",
        "http.https://x/.sslVerify false",
        "http.curloptResolve x:443:192.0.2.1",
        "remote.origin.proxy evil.example:1",
        "lfs.url https://evil.example/",
    ] {
        let lab = Lab::new();
        let (name, value) = setting.split_once(' ').unwrap();
        let found = lab.during(&format!("git config '{name}' '{value}'"));
        assert!(found.len() == 1 && found[0].put_back, "{setting}: {found:?}");
    }
    let lab = Lab::new();
    let found = lab.during(
        "git remote add origin https://x.example/y; git config branch.main.remote origin; git config http.postBuffer 1",
    );
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn what_git_does_next_is_compared() {
    for (plant, later) in [
        (
            "(GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -q -i --root) >/dev/null 2>&1; \
             echo 'exec touch $ROOT/pwned' >> .git/rebase-merge/git-rebase-todo",
            "git rebase --continue",
        ),
        (
            "(GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -q -i --root) >/dev/null 2>&1; mkdir -p git-merge-..; \
             echo ../evil.sh > .git/rebase-merge/strategy",
            "git rebase --continue",
        ),
        ("git config core.pager 'touch $ROOT/pwned'", "git -p log"),
        ("git config pager.log 'touch $ROOT/pwned;'", "git -p log"),
        ("git config mergetool.x.cmd 'touch $ROOT/pwned'", "true"),
    ] {
        let lab = Lab::new();
        let found = lab.during(plant);
        assert_eq!(found.len(), 1, "{plant}: {found:?}");
        lab.nothing_runs(later);
    }
    // A rebase that waits for its conflicts is everyday work.
    let lab = Lab::new();
    let found = lab.during("GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -q -i --root 2>/dev/null");
    assert!(lab.at("ws/.git/rebase-merge").exists() && found.is_empty(), "{found:?}");
}

#[test]
fn what_settings_lead_to_is_compared() {
    for (setting, plant) in [
        (
            "include.path ../team.gitconfig",
            "printf '[core]\\n\\tfsmonitor = touch $ROOT/pwned\\n' > team.gitconfig",
        ),
        (
            "include.path ~/ws/team.gitconfig",
            "printf '[core]\\n\\tfsmonitor = touch $ROOT/pwned\\n' > team.gitconfig",
        ),
        (
            "includeIf.gitdir:/.path ../sub/x",
            "mkdir sub; printf '[core]\\n\\tfsmonitor = touch $ROOT/pwned\\n' > sub/x",
        ),
        (
            "core.hooksPath own",
            "mkdir own; printf '#!/bin/sh\\ntouch $ROOT/pwned\\n' > own/pre-commit; chmod +x own/pre-commit",
        ),
        ("core.attributesFile attrs", "echo '* filter=x' > attrs"),
    ] {
        for there in [true, false] {
            let lab = Lab::new();
            lab.sh(&format!(
                "{} git config {setting}",
                if there { "touch team.gitconfig attrs;" } else { "" }
            ));
            let found = lab.during(plant);
            assert_eq!(found.len(), 1, "{setting}: {found:?}");
            lab.nothing_runs("git status; git commit --allow-empty -qm x");
        }
    }
    // One file leads to the next, also in a repository of another directory.
    let lab = Lab::new();
    lab.sh(
        "git init -q sub; git -C sub config include.path ../one; printf '[include]\\n\\tpath = ../two\\n' > sub/one",
    );
    let found = lab.during("printf '[alias]\\n\\tx = !true\\n' > two");
    assert_eq!(paths(&found), [lab.at("ws/two")], "{found:?}");
}

#[test]
fn no_size_and_no_name_hides_a_change() {
    let lab = Lab::new();
    lab.sh("mkdir .idea; head -c 300000 /dev/zero > .idea/workspace.xml; touch -d 2020-01-01 .idea/workspace.xml");
    let found = lab.during("printf x | dd of=.idea/workspace.xml conv=notrunc 2>/dev/null; touch -d 2020-01-01 .idea/workspace.xml; echo x > sitecustomize.py");
    assert_eq!(
        paths(&found),
        [lab.at("ws/.idea/workspace.xml"), lab.at("ws/sitecustomize.py")]
    );
    let lab = Lab::new();
    lab.sh("mkdir .idea; head -c 300000 /dev/zero > .idea/workspace.xml");
    assert!(lab.during("touch .idea/workspace.xml").is_empty());
}

#[test]
fn a_name_in_its_way_hides_no_submodule() {
    let lab = Lab::new();
    lab.sh("mkdir -p .git/modules/a; git init -q --bare .git/modules/a/b");
    let found = lab.during(
        "echo x > .git/modules/HEAD; echo x > .git/modules/a/HEAD; git -C .git/modules/a/b config core.fsmonitor ./x",
    );
    assert!(
        paths(&found).contains(&lab.at("ws/.git/modules/a/b/config").as_path()),
        "{found:?}"
    );
}

#[test]
fn nothing_is_written_or_moved_where_a_link_leads() {
    let lab = Lab::new();
    lab.sh("mkdir -p bin ../outside .git/info; echo good > bin/run.sh; echo theirs > ../outside/run.sh; echo theirs > ../outside/attributes");
    let found = lab.during("mv bin b2; ln -s ../outside bin; rm -r .git/info; ln -s ../../outside .git/info");
    assert!(paths(&found).contains(&lab.at("ws/bin/run.sh").as_path()), "{found:?}");
    assert_eq!(fs::read_to_string(lab.at("outside/run.sh")).unwrap(), "theirs\n");
    assert_eq!(fs::read_to_string(lab.at("outside/attributes")).unwrap(), "theirs\n");
    assert_eq!(fs::read_to_string(lab.at("ws/bin/run.sh")).unwrap(), "good\n");
    assert!(fs::symlink_metadata(lab.at("ws/bin")).unwrap().is_dir());
    assert!(lab.guard().alarm().unwrap().is_some());
    // One that a person has put there is left alone.
    let lab = Lab::new();
    fs::create_dir(lab.at("outside")).unwrap();
    symlink(lab.at("outside"), lab.at("ws/.vscode")).unwrap();
    assert!(lab.during("touch x").is_empty());
}

#[test]
fn what_one_session_commits_another_does_not_believe() {
    let lab = Lab::new();
    let watch = lab.guard_of("a").watch([], ANY).unwrap();
    lab.sh("git checkout -q -b feature; mkdir .vscode; echo evil > .envrc; echo '{}' > .vscode/tasks.json; git add -f .; git commit -qm x; git checkout -q -; rm -rf .vscode .envrc");
    assert!(watch.end(false).unwrap().is_empty());
    let watch = lab.guard_of("b").watch([], ANY).unwrap();
    lab.sh("git checkout -q feature");
    let found = watch.end(false).unwrap();
    assert!(
        found.len() == 2 && found.iter().all(|finding| !finding.only_told),
        "{found:?}"
    );
    assert!(!lab.at("ws/.envrc").exists() && lab.guard_of("b").alarm().unwrap().is_some());
    // Whoever asks in the name of another session is told where it waits.
    assert_eq!(lab.guard_of("b").elsewhere().unwrap(), Vec::<String>::new());
    let waiting = lab.guard_of("a").elsewhere().unwrap();
    assert!(waiting.len() == 1 && waiting[0].contains(".envrc"), "{waiting:?}");
}

#[test]
fn what_is_committed_while_another_session_runs_is_not_believed() {
    for elsewhere in [false, true] {
        let lab = Lab::new();
        lab.sh("git worktree add -q ../tree; git branch first");
        lab.guard_of("b").watch([], ANY).unwrap().end(false).unwrap();
        let root = Root::new(&lab.at(if elsewhere { "tree" } else { "ws" })).unwrap();
        let other = Guard::new(
            lab.at("state"),
            rustix::process::geteuid().as_raw(),
            "a".to_owned(),
            &root,
        );
        let running = other.watch([], ANY).unwrap();
        lab.sh("git checkout -q -b feature; echo evil > .envrc; git add -f .envrc; git commit -qm x; git checkout -q first");
        let watch = lab.guard_of("b").watch([], ANY).unwrap();
        lab.sh("git checkout -q feature");
        let found = watch.end(false).unwrap();
        assert!(found.len() == 1 && !found[0].only_told, "{found:?}");
        running.end(false).unwrap();
    }
}

#[test]
fn a_run_of_a_session_that_is_gone_is_finished_by_any_other() {
    let lab = Lab::new();
    drop(lab.guard_of("a").watch([], ANY).unwrap().end(true).unwrap());
    lab.sh("echo x > .envrc");
    let found = lab.guard_of("b").finish_earlier().unwrap();
    assert_eq!(paths(&found), [lab.at("ws/.envrc")]);
    assert!(lab.guard_of("b").alarm().unwrap().is_some());
}

#[test]
fn what_this_tool_obeys_is_not_touched_unnoticed_while_a_command_runs() {
    let lab = Lab::new();
    lab.sh("echo 'tools: {}' > .toolctl.yaml");
    let alarm = |session: &str| lab.guard_of(session).alarm().unwrap();
    let running = lab.guard_of("a").watch([], ANY).unwrap();
    assert_eq!(alarm("b"), None);
    lab.sh("mv .toolctl.yaml away");
    assert!(alarm("b").is_some_and(|text| text.contains("is gone")));
    // Also where it is as it was again.
    lab.sh("mv away .toolctl.yaml");
    assert!(alarm("b").is_some_and(|text| text.contains("was changed or moved")));
    lab.guard_of("b").seen().unwrap();
    assert_eq!(alarm("b"), None);
    assert!(alarm("a").is_some());
    running.end(false).unwrap();
    assert_eq!(alarm("a"), None);
}
