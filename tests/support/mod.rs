//! The test world of the integration tests: a workspace, a home, a state directory and configuration layers of its own,
//! in which the binary runs. Every run says what it must print and how it must end: standard output, standard error and
//! status, all of it.
#![allow(dead_code, reason = "each test uses what it needs")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A world of its own; it is gone with the test.
pub(crate) struct World {
    dir: tempfile::TempDir,
}

/// What a run came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// The exit status; -1 for a signal.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

impl World {
    /// An empty workspace that is a repository.
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["work/.git", "home/.config/toolctl", "state"] {
            std::fs::create_dir_all(dir.path().join(name)).unwrap();
        }
        Self { dir }
    }

    /// A path inside the workspace.
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.dir.path().join("work").join(name)
    }

    /// Puts a file into the workspace, or beside it with `../`.
    pub(crate) fn file(self, name: &str, content: &str) -> Self {
        self.put(name, content);
        self
    }

    /// The same in the middle of a test.
    pub(crate) fn put(&self, name: &str, content: &str) {
        let path = self.work(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// The user's configuration.
    pub(crate) fn user(self, yaml: &str) -> Self {
        self.file("../home/.config/toolctl/config.yaml", yaml)
    }

    /// The project's configuration, trusted as it and its scripts are now.
    pub(crate) fn trusted(self, yaml: &str) -> Self {
        self.put(".toolctl.yaml", yaml);
        let ran = self.run(&["config", "trust", "--yes"]);
        assert_eq!(ran.status, 0, "{ran:?}");
        self
    }

    /// Runs the binary in the workspace.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.ran(self.command(args).stdin(Stdio::null()).output().unwrap())
    }

    /// The binary in the workspace, for a test that runs it in its own way.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolctl"));
        command
            .args(args)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.dir.path().join("home"))
            .env("LANG", "C.UTF-8")
            .env("TOOLCTL_STATE_DIR", self.dir.path().join("state"))
            .current_dir(self.work(""));
        command
    }

    /// What came of it.
    pub(crate) fn ran(&self, output: Output) -> Ran {
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).unwrap();
            let real = self.dir.path().canonicalize().unwrap();
            text.replace(real.to_str().unwrap(), "[DIR]")
                .replace(self.dir.path().to_str().unwrap(), "[DIR]")
        };
        Ran {
            status: output.status.code().unwrap_or(-1),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Ran {
    /// Demands the status, and that standard output and standard error hold these.
    #[track_caller]
    pub(crate) fn says(&self, status: i32, stdout: &str, stderr: &str) {
        assert!(
            self.status == status && self.stdout.contains(stdout) && self.stderr.contains(stderr),
            "status {status}, `{stdout}` and `{stderr}` were expected of {self:?}"
        );
    }

    /// Demands all of it. `[DIR]` stands for the directory of the world.
    #[track_caller]
    pub(crate) fn is(self, status: i32, stdout: &str, stderr: &str) {
        let want = Self {
            status,
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
        };
        assert!(
            self == want,
            "status {} instead of {}\n--- stdout\n{}--- instead of\n{}--- stderr\n{}--- instead of\n{}",
            self.status,
            want.status,
            self.stdout,
            want.stdout,
            self.stderr,
            want.stderr
        );
    }
}
