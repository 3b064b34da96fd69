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

/// A directory with the binary under its name, a configuration with an agent, a session of which a transcript is kept, a
/// request that waits, and a grant.
struct World {
    dir: tempfile::TempDir,
    /// The ids of the request and of the grant.
    request: String,
    grant: String,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_toolctl"), dir.path().join("toolctl")).unwrap();
        std::fs::create_dir_all(dir.path().join("config/toolctl")).unwrap();
        let config = "agents: {list: [{id: researcher}]}\ntools: {exec: {commands: {allow: [ls]}}}\n";
        std::fs::write(dir.path().join("config/toolctl/config.yaml"), config).unwrap();
        let mut world = Self {
            dir,
            request: String::new(),
            grant: String::new(),
        };
        world.toolctl(&["exec", "--session", "notebook", "--", "ls"]);
        world.toolctl(&["exec", "--on-ask", "pending", "--", "uname", "-s"]);
        let asked = world.toolctl(&["approvals", "list", "-o", "name"]);
        world.toolctl(&["approvals", "allow", asked.trim(), "--always"]);
        world.grant = world
            .toolctl(&["approvals", "grants", "list", "-o", "name"])
            .trim()
            .to_owned();
        world.toolctl(&["exec", "--on-ask", "pending", "--", "id"]);
        world.request = world.toolctl(&["approvals", "list", "-o", "name"]).trim().to_owned();
        assert!(
            world.request.len() >= 12 && world.grant.len() >= 8,
            "{}, {}",
            world.request,
            world.grant
        );
        world
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.dir.path())
            .env_clear()
            .env(
                "PATH",
                format!("{}:/usr/local/bin:/usr/bin:/bin", self.dir.path().display()),
            )
            .env("XDG_CONFIG_HOME", self.dir.path().join("config"))
            .env("XDG_STATE_HOME", self.dir.path().join("state"))
            .env("HOME", self.dir.path())
            .env("LANG", "C.UTF-8");
        command
    }

    fn toolctl(&self, args: &[&str]) -> String {
        let output = self.command(env!("CARGO_BIN_EXE_toolctl")).args(args).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// What people type, and a word that must be offered.
    fn cases(&self) -> Vec<(String, String)> {
        let (request, grant) = (&self.request, &self.grant);
        let mut cases: Vec<(String, String)> = [
            ("toolctl che", "check"),
            ("toolctl check --agent re", "researcher"),
            ("toolctl --agent re", "researcher"),
            ("toolctl explain apply_p", "apply_patch"),
            ("toolctl schema --provider gem", "gemini"),
            ("toolctl schema --tool rea", "read"),
            ("toolctl list -o na", "name"),
            ("toolctl exec --result-format openai-r", "openai-responses"),
            ("toolctl exec --session note", "notebook"),
            ("toolctl config va", "validate"),
            ("toolctl approvals grants rem", "remove"),
        ]
        .map(|(typed, wanted)| (typed.to_owned(), wanted.to_owned()))
        .into();
        for command in ["approvals show", "approvals allow", "exec --approval"] {
            cases.push((format!("toolctl {command} {}", &request[..4]), request.clone()));
        }
        cases.push((
            format!("toolctl approvals grants remove {}", &grant[..3]),
            grant.clone(),
        ));
        cases
    }

    /// What a script of a shell prints.
    fn ask(&self, shell: &str, args: &[&str], script: &str) -> String {
        let output = self.command(shell).args(args).arg(script).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{script}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// Whether a shell is there. Not every machine has each; where all tests must run, it must be.
fn is_there(shell: &str) -> bool {
    let found = Command::new(shell).arg("--version").output().is_ok();
    if !found {
        assert!(
            std::env::var_os("TOOLCTL_TESTS_SKIP_NOTHING").is_none(),
            "{shell} is not installed, and its completions are not tested"
        );
        println!("skipped: {shell} is not installed");
    }
    found
}

#[test]
fn bash_offers_what_there_is_here() {
    let world = World::new();
    for (typed, wanted) in world.cases() {
        let script = format!(
            "source '{}'; words=({typed}); COMP_WORDS=(\"${{words[@]}}\"); COMP_CWORD=$((${{#words[@]}}-1)); COMP_TYPE=9; \
             COMP_LINE='{typed}'; COMP_POINT=${{#COMP_LINE}}; f=$(complete -p toolctl | sed 's/.*-F \\([^ ]*\\).*/\\1/'); \
             $f toolctl \"${{words[-1]}}\" \"${{words[-2]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            repository("completions/toolctl.bash").display()
        );
        let offered = world.ask("bash", &["--norc", "-c"], &script);
        assert!(offered.lines().any(|l| l.trim() == wanted), "{typed}: {offered}");
    }
}

#[test]
fn fish_offers_what_there_is_here() {
    if !is_there("fish") {
        return;
    }
    let world = World::new();
    for (typed, wanted) in world.cases() {
        let script = format!(
            "source '{}'; complete -C '{typed}'",
            repository("completions/toolctl.fish").display()
        );
        let offered = world.ask("fish", &["--no-config", "-c"], &script);
        assert!(
            offered.lines().any(|l| l.split('\t').next() == Some(&wanted)),
            "{typed}: {offered}"
        );
    }
}

/// A function of zsh that prints what completion finds instead of showing it.
const SHOWN: &str = "function _describe { shift; while (( $# )); do case $1 in -*) ;; *) print -l -- \"${(@P)1}\";; esac; shift; done }";

#[test]
fn zsh_offers_what_there_is_here() {
    if !is_there("zsh") {
        return;
    }
    let world = World::new();
    // A file of `fpath` is read when the first word is to be completed, and completes that word already.
    let path = repository("completions");
    let autoloaded = format!("fpath=('{}' $fpath); autoload -U _toolctl", path.display());
    let sourced = format!(
        "function compdef {{ asked=$1 }}; source '{}'; function _toolctl {{ $asked }}",
        path.join("_toolctl").display()
    );
    for begin in [&autoloaded, &sourced] {
        for (typed, wanted) in world.cases() {
            let script =
                format!("{SHOWN}; {begin}; words=({typed}); CURRENT=${{#words}}; IFS=$'\\n'; _toolctl; _toolctl");
            let offered = world.ask("zsh", &["-f", "-c"], &script);
            let times = offered.lines().filter(|l| l.split(':').next() == Some(&wanted)).count();
            assert!(times == 2, "{typed}: {offered}");
        }
    }
}
