//! The scripts under `completions/` come from the command line itself.

use crate::support::{Test, repository};

#[test]
fn the_committed_scripts_are_up_to_date() {
    for (shell, file) in [("bash", "toolctl.bash"), ("zsh", "_toolctl"), ("fish", "toolctl.fish")] {
        let generated = Test::new(&["completions", shell]).run().exits(0).stdout;
        let committed = std::fs::read_to_string(repository("completions").join(file)).unwrap();
        assert!(
            generated == committed,
            "completions/{file} is out of date: run `cargo run -- completions {shell} > completions/{file}`"
        );
    }
}

#[test]
fn an_unknown_shell_is_refused() {
    Test::new(&["completions", "tcsh"])
        .run()
        .exits(2)
        .complains(&["tcsh", "bash", "zsh", "fish"]);
}
