//! Copies of configuration that was there before.

use super::*;

/// A file that says what one of its name said before lets nothing happen that did not before: so it is in a worktree.
#[test]
fn a_copy_of_what_was_there_is_no_finding() {
    let lab = Lab::new();
    lab.sh("mkdir .vscode; echo '{}' > .vscode/tasks.json; echo one > .envrc; echo 'tools: {}' > .toolctl.yaml; git add -f .");
    let found = lab.during("git commit -qm all; git worktree add -q .worktrees/wt; cp -r .vscode sub");
    assert!(found.is_empty(), "{found:?}");
    assert!(lab.at("ws/.worktrees/wt/.toolctl.yaml").exists() && lab.at("ws/.worktrees/wt/.envrc").exists());
    // The same text is something else to another program, and another text to the same.
    for plant in [
        "mkdir -p b/.vscode; cp .vscode/tasks.json b/.vscode/settings.json",
        "mkdir -p b; echo two > b/.envrc",
    ] {
        let found = lab.during(plant);
        assert!(found.iter().any(|f| f.aside.is_some()), "{plant}: {found:?}");
    }
    // What the repository held counts in a worktree as at its top.
    lab.sh("git worktree remove --force .worktrees/wt; git add -f .; git commit -qm more; git rm -q --cached .envrc; rm .envrc");
    let found = lab.during("git worktree add -q wt2");
    assert!(
        found.iter().all(|f| f.only_told) && lab.at("ws/wt2/.envrc").exists(),
        "{found:?}"
    );
}
