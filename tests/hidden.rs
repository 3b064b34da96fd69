//! What is hidden from sandboxed commands stays hidden, whatever earlier commands did: by effect, as both kinds of users.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop there"
)]

use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

const BIN: &str = env!("CARGO_BIN_EXE_toolctl");

/// A workspace, and a home without any package cache.
struct Lab {
    dir: tempfile::TempDir,
    user: bool,
}

impl Lab {
    fn new(user: bool) -> Self {
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let lab = Self { dir, user };
        for name in ["ws", "home", "out"] {
            fs::create_dir(lab.at(name)).unwrap();
        }
        lab.own();
        lab
    }

    /// Gives all of it to the user.
    fn own(&self) {
        if self.user {
            let own = Command::new("chown")
                .args(["-hR", "65534:65534"])
                .arg(self.at(""))
                .status();
            assert!(own.unwrap().success());
        }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    fn put(&self, name: &str, content: &str) {
        fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        fs::write(self.at(name), content).unwrap();
        self.own();
    }

    fn toolctl(&self, session: &str, hide: &[PathBuf], args: &[&str]) -> Value {
        let exec = json!({"unlisted": "contained", "network": "none", "hide": hide});
        fs::write(self.at("c.yaml"), json!({"tools": {"exec": exec}}).to_string()).unwrap();
        let mut command = if self.user {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", BIN]);
            command
        } else {
            Command::new(BIN)
        };
        let ran = command
            .arg("--isolated")
            .arg("--state-dir")
            .arg(self.at("state"))
            .arg("-c")
            .arg(self.at("c.yaml"))
            .args(["-o", "json", "--session", session])
            .args(args)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.at("home"))
            .current_dir(self.at("ws"))
            .output()
            .unwrap();
        serde_json::from_slice(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"))
    }

    /// What a script prints in the sandbox.
    fn runs(&self, session: &str, hide: &[PathBuf], script: &str) -> String {
        fs::write(self.at("ws/s.sh"), script).unwrap();
        let done = self.toolctl(session, hide, &["exec", "--command", "sh s.sh"]);
        assert_eq!(done["status"], "completed", "{done}");
        done["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    }
}

/// Both kinds of users, as far as this one can try them and there are mounts.
fn users() -> Vec<bool> {
    let lab = Lab::new(false);
    let probe = lab.toolctl("s", &[], &["sandbox", "probe"]);
    let enforces = probe["backends"][0]["enforces"].as_array().unwrap();
    if !enforces.iter().any(|word| word == "mount") {
        return Vec::new();
    }
    if rustix::process::geteuid().is_root() {
        vec![false, true]
    } else {
        vec![false]
    }
}

#[test]
fn a_directory_above_a_hidden_file_keeps_its_name() {
    for user in users() {
        let lab = Lab::new(user);
        lab.put("ws/a/b/secret", "CANARY");
        lab.put("ws/a/b/plain", "plain");
        lab.put("ws/dot/azure/token", "CANARY");
        symlink(lab.at("ws/dot/azure"), lab.at("home/.azure")).unwrap();
        lab.own();
        let hide = [lab.at("ws/a/b/secret")];
        let try_all = "mv a/b a/c; mv a other; mv dot dots; ls a a/b dot; cat a/b/plain; echo x > a/b/new";
        let text = lab.runs("s", &hide, try_all);
        assert!(
            text.contains("plain") && lab.at("ws/a/b/new").exists(),
            "{user}: {text}"
        );
        let text = lab.runs(
            "s",
            &hide,
            "cat a/b/secret dot/azure/token; find . -type f -exec cat {} +",
        );
        assert!(!text.contains("CANARY") && text.contains("plain"), "{user}: {text}");
        assert_eq!(fs::read_to_string(lab.at("ws/a/b/secret")).unwrap(), "CANARY");
    }
}

#[test]
fn a_home_without_caches_opens_nothing_of_the_state_directory() {
    for user in users() {
        let lab = Lab::new(user);
        lab.runs("other", &[], "echo CANARY > /tmp/x");
        let state = lab.at("state");
        let here = fs::read_dir(state.join("floor/sessions")).unwrap().flatten();
        assert!(here.map(|s| s.path().join("tmp/x")).any(|file| file.exists()));
        let text = lab.runs(
            "s",
            &[],
            &format!(
                "find {} -type f; echo $CARGO_HOME $npm_config_cache; touch $CARGO_HOME/kept",
                state.display()
            ),
        );
        assert_eq!(text.trim(), "/tmp/.toolctl-cargo /tmp/.toolctl-npm", "{user}");
        // What is put into a cache is there for other sessions of the workspace, and not in the home.
        let text = lab.runs("s2", &[], "ls $CARGO_HOME; ls -A ~");
        assert!(text.starts_with("kept") || text.contains("\nkept"), "{user}: {text}");
        assert!(!lab.at("home/.cargo").exists());
    }
}

#[test]
fn links_that_a_command_leaves_in_its_tmp_lead_nowhere() {
    for user in users() {
        let lab = Lab::new(user);
        lab.put("out/registry/precious", "kept");
        let out = lab.at("out").display().to_string();
        for target in [format!("{out}/new"), format!("{out}/registry/precious"), out.clone()] {
            let plant = format!(
                "umask 0; for n in cargo npm go cache; do rm -rf /tmp/.toolctl-$n; ln -s {target} /tmp/.toolctl-$n; done"
            );
            lab.runs("s", &[], &plant);
            // The next one replaces them, and works.
            let text = lab.runs("s", &[], "touch $CARGO_HOME/y && echo works");
            assert_eq!(text.trim(), "works", "{user} {target}");
            let left: Vec<_> = fs::read_dir(&out).unwrap().flatten().map(|e| e.file_name()).collect();
            assert_eq!(left, ["registry"], "{user} {target}");
            assert_eq!(fs::read_to_string(lab.at("out/registry/precious")).unwrap(), "kept");
        }
    }
}

#[test]
fn only_devices_that_hold_nothing_are_there() {
    for user in users() {
        let lab = Lab::new(user);
        let text = lab.runs(
            "s",
            &[],
            "ls /dev | tr '\\n' ' '; echo x > /dev/null; head -c 1 /dev/zero | wc -c; ls -d /dev/fd/0",
        );
        let wanted = "fd full mqueue null ptmx pts random shm stderr stdin stdout tty urandom zero 1\n/dev/fd/0";
        let without_tty = wanted.replace("tty ", "");
        assert!(text.trim() == wanted || text.trim() == without_tty, "{user}: {text}");
    }
}

#[test]
fn the_host_sandbox_has_the_caches_of_a_home() {
    for user in users() {
        let lab = Lab::new(user);
        lab.put("home/.cargo/registry/index", "cached");
        let sandboxed = ["--set", "sandbox.mode=all", "exec", "--command", "sh s.sh"];
        for script in [
            "cat ~/.cargo/registry/index && echo new > ~/.cargo/registry/own",
            "cat ~/.cargo/registry/own",
        ] {
            fs::write(lab.at("ws/s.sh"), script).unwrap();
            let done = lab.toolctl("s", &[], &sandboxed);
            assert_eq!(done["details"]["exitCode"], 0, "{user}: {done}");
        }
        assert!(!lab.at("home/.cargo/registry/own").exists());
    }
}

#[test]
fn places_that_may_be_written_are_and_what_they_lead_to_is_not() {
    for user in users() {
        let lab = Lab::new(user);
        symlink(lab.at("home"), lab.at("out/link")).unwrap();
        let writable = format!("tools.exec.writable=[{}]", lab.at("out").display());
        let exec = |command: &str| lab.toolctl("s", &[], &["--set", &writable, "exec", "--command", command]);
        for (command, status) in [
            (format!("touch {}/made", lab.at("out").display()), "completed"),
            ("touch ../out/beside".to_owned(), "completed"),
            (format!("touch {}/link/x", lab.at("out").display()), "completed"),
            (
                format!("touch {}/../home/y", lab.at("out").display()),
                "approval-pending",
            ),
            ("touch ../outside".to_owned(), "approval-pending"),
            (format!("rm -rf {}", lab.at("out").display()), "approval-pending"),
            ("mv ../out ../other".to_owned(), "approval-pending"),
        ] {
            let done = exec(&command);
            assert_eq!(done["status"], status, "{user}: {command}: {done}");
        }
        assert!(lab.at("out/made").exists() && lab.at("out/beside").exists(), "{user}");
        assert!(!lab.at("home/x").exists() && !lab.at("home/y").exists(), "{user}");
    }
}

#[test]
fn an_administrator_in_bubblewrap_has_no_more_rights_than_behind_the_built_in_walls() {
    for user in users() {
        let lab = Lab::new(user);
        // What it says already is written back, where that works.
        let script = "grep CapEff /proc/self/status; p=/proc/sys/kernel/core_pattern; v=$(cat $p); echo \"$v\" > $p && echo WROTE";
        fs::write(lab.at("ws/s.sh"), script).unwrap();
        let sandbox = ["--set", "sandbox.mode=all", "--set", "sandbox.backend=bubblewrap"];
        let done = lab.toolctl("s", &[], &[&sandbox[..], &["exec", "--command", "sh s.sh"]].concat());
        if done["code"] == "sandbox-unavailable" {
            assert!(std::env::var_os("TOOLCTL_TESTS_SKIP_NOTHING").is_none(), "{done}");
            continue;
        }
        let text = done["content"][0]["text"].as_str().unwrap_or_default();
        let rights = if user {
            "CapEff:\t0000000000000000"
        } else {
            "CapEff:\t000000000000000b"
        };
        assert!(text.starts_with(rights) && !text.contains("WROTE"), "{user}: {done}");
    }
}
