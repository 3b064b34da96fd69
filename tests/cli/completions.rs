//! The scripts under `completions/` ask the binary, and the binary knows what fits here.

use crate::support::{Test, repository};
use std::process::Command;

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

/// A directory with the binary under its name, and a configuration with an agent.
fn world() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_toolctl"), dir.path().join("toolctl")).unwrap();
    std::fs::create_dir_all(dir.path().join("toolctl-config/toolctl")).unwrap();
    let config = "agents: {list: [{id: researcher}]}\n";
    std::fs::write(dir.path().join("toolctl-config/toolctl/config.yaml"), config).unwrap();
    dir
}

fn ask(shell: &str, args: &[&str], script: &str) -> Option<String> {
    let dir = world();
    let mut command = Command::new(shell);
    let output = command
        .args(args)
        .arg(script)
        .current_dir(dir.path())
        .env(
            "PATH",
            format!("{}:{}", dir.path().display(), std::env::var("PATH").unwrap()),
        )
        .env("XDG_CONFIG_HOME", dir.path().join("toolctl-config"))
        .env("HOME", dir.path())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What people type, and a word that must be offered.
const CASES: [(&str, &str); 8] = [
    ("toolctl che", "check"),
    ("toolctl check --agent re", "researcher"),
    ("toolctl explain apply_p", "apply_patch"),
    ("toolctl schema --provider gem", "gemini"),
    ("toolctl schema --tool rea", "read"),
    ("toolctl list -o na", "name"),
    ("toolctl exec --result-format openai-r", "openai-responses"),
    ("toolctl config va", "validate"),
];

#[test]
fn bash_offers_what_there_is_here() {
    for (typed, wanted) in CASES {
        let script = format!(
            "source '{}'; words=({typed}); COMP_WORDS=(\"${{words[@]}}\"); COMP_CWORD=$((${{#words[@]}}-1)); COMP_TYPE=9; \
             COMP_LINE='{typed}'; COMP_POINT=${{#COMP_LINE}}; f=$(complete -p toolctl | sed 's/.*-F \\([^ ]*\\).*/\\1/'); \
             $f toolctl \"${{words[-1]}}\" \"${{words[-2]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            repository("completions/toolctl.bash").display()
        );
        let offered = ask("bash", &["--norc", "-c"], &script).unwrap();
        assert!(offered.lines().any(|l| l.trim() == wanted), "{typed}: {offered}");
    }
}

#[test]
fn fish_offers_what_there_is_here() {
    for (typed, wanted) in CASES {
        let script = format!(
            "source '{}'; complete -C '{typed}'",
            repository("completions/toolctl.fish").display()
        );
        // Not every machine has this shell.
        let Some(offered) = ask("fish", &["--no-config", "-c"], &script) else {
            return;
        };
        assert!(
            offered.lines().any(|l| l.split('\t').next() == Some(wanted)),
            "{typed}: {offered}"
        );
    }
}

#[test]
fn zsh_loads_the_script_and_gets_what_there_is_here() {
    for (typed, wanted) in CASES {
        // The function that the script defines hands its finds to `_describe`.
        let script = format!(
            "function compdef {{ }}; function _describe {{ shift; while (( $# )); do case $1 in -*) ;; *) print -l -- \"${{(@P)1}}\";; esac; \
             shift; done }}; source '{}'; words=({typed}); CURRENT=${{#words}}; IFS=$'\\n'; _clap_dynamic_completer_toolctl",
            repository("completions/_toolctl").display()
        );
        let Some(offered) = ask("zsh", &["-f", "-c"], &script) else {
            return;
        };
        assert!(
            offered.lines().any(|l| l.split(':').next() == Some(wanted)),
            "{typed}: {offered}"
        );
    }
}
