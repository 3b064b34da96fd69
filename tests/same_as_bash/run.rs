//! One command, run twice in the same place.

use regex::Regex;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// Held while a program is written and while one is started: a process that is being started holds a file that another
/// thread is writing, and what is open for writing cannot be run.
static STARTING: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    STARTING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a command runs: a tree that is made anew for each run, at the same place.
pub(crate) struct Bed {
    dir: tempfile::TempDir,
    files: Value,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Came {
    /// Both streams in the order in which they were written.
    pub(crate) output: String,
    /// Exit status; 128 and its number for a signal.
    pub(crate) status: i32,
}

/// What `toolctl` said.
pub(crate) enum Said {
    Ran(Came),
    NotRun { code: String, reason: String },
}

impl Bed {
    /// `files` as the corpora write them; `${ROOT}` stands for the bed's own directory.
    pub(crate) fn new(files: &Value) -> Self {
        let dir = tempfile::Builder::new().prefix("same").tempdir().unwrap();
        let mut bed = Self {
            dir,
            files: Value::Null,
        };
        bed.files = bed.subst(files);
        bed
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("r")
    }

    /// The value with `${ROOT}` replaced in every text, keys included.
    pub(crate) fn subst(&self, value: &Value) -> Value {
        let root = self.root().to_str().unwrap().to_owned();
        serde_json::from_str(&value.to_string().replace("${ROOT}", &root)).unwrap()
    }

    fn make(&self) {
        let _alone = alone();
        let root = self.root();
        if root.exists() {
            std::fs::remove_dir_all(&root).unwrap();
        }
        for dir in ["ws", "home", "tools/bin", "outside"] {
            std::fs::create_dir_all(root.join(dir)).unwrap();
        }
        for file in self.files.as_array().into_iter().flatten() {
            put(&root, file);
        }
        age(&root);
    }

    fn env(&self, extra: &[&Value]) -> Vec<(String, String)> {
        let root = self.root();
        let root = root.display();
        let mut env = vec![
            (
                "PATH".to_owned(),
                format!("{root}/tools/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"),
            ),
            ("HOME".to_owned(), format!("{root}/home")),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
        ];
        for (name, value) in extra.iter().filter_map(|e| e.as_object()).flatten() {
            env.retain(|(known, _)| known != name);
            env.push((name.clone(), value.as_str().unwrap().to_owned()));
        }
        env
    }

    /// Runs the text by bash, as somebody would type it.
    pub(crate) fn by_bash(&self, text: &str, proc_env: &Value, call_env: &Value) -> Came {
        self.make();
        let (mut read, write) = std::io::pipe().unwrap();
        let mut command = Command::new("bash");
        command
            .args(["--noprofile", "--norc", "-c", "--", text])
            .env_clear()
            .envs(self.env(&[proc_env, call_env]))
            .current_dir(self.root().join("ws"))
            .stdin(Stdio::null())
            .stdout(write.try_clone().unwrap())
            .stderr(write);
        let mut child = {
            let _alone = alone();
            command.spawn().unwrap()
        };
        drop(command);
        let mut bytes = Vec::new();
        read.read_to_end(&mut bytes).unwrap();
        let status = child.wait().unwrap();
        Came {
            output: tidy(&String::from_utf8_lossy(&bytes)),
            status: number(status),
        }
    }

    /// Runs the call by `toolctl exec` under the configuration.
    pub(crate) fn by_toolctl(&self, call: &Value, config: &Value, proc_env: &Value) -> Said {
        self.make();
        let ws = self.root().join("ws");
        let config_file = self.dir.path().join("config.yaml");
        std::fs::write(&config_file, config.to_string()).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolctl"));
        command
            .args([
                "exec",
                "-",
                "-o",
                "json",
                "--isolated",
                "--on-ask",
                "fallback",
                "--config",
            ])
            .arg(&config_file)
            .arg("--state-dir")
            .arg(self.dir.path().join("state"))
            .arg("--workspace")
            .arg(&ws)
            .env_clear()
            .envs(self.env(&[proc_env]))
            // Nothing here has to survive a power cut.
            .env("TOOLCTL_FSYNC", "off")
            .current_dir(&ws)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = {
            let _alone = alone();
            command.spawn().unwrap()
        };
        child
            .stdin
            .take()
            .unwrap()
            .write_all(call.to_string().as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let doc: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {} {}", call, String::from_utf8_lossy(&output.stderr)));
        said(&doc)
    }
}

static SIGNAL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"Command aborted by signal SIG([A-Z0-9]+)$").unwrap());

fn said(doc: &Value) -> Said {
    let text = doc["content"][0]["text"].as_str().unwrap_or("");
    if doc["details"]["timedOut"].is_null() {
        return Said::NotRun {
            code: doc["code"].as_str().unwrap_or("").to_owned(),
            reason: doc["reason"].as_str().unwrap_or(text).to_owned(),
        };
    }
    let (status, note) = match doc["details"]["exitCode"].as_i64() {
        Some(0) => (0, String::new()),
        Some(126) => (126, "Command not executable (permission denied)".to_owned()),
        Some(127) if text.ends_with("Command not found") => (127, "Command not found".to_owned()),
        Some(code) => (
            i32::try_from(code).unwrap(),
            format!("(Command exited with code {code})"),
        ),
        None => {
            let found = SIGNAL.captures(text).unwrap_or_else(|| panic!("no signal in {text:?}"));
            let numbers = [
                ("HUP", 1),
                ("INT", 2),
                ("QUIT", 3),
                ("ABRT", 6),
                ("KILL", 9),
                ("USR1", 10),
                ("SEGV", 11),
                ("PIPE", 13),
                ("ALRM", 14),
                ("TERM", 15),
            ];
            let number = numbers.iter().find(|(name, _)| *name == &found[1]).unwrap().1;
            (128 + number, found[0].to_owned())
        }
    };
    let output = text
        .strip_suffix(&note)
        .unwrap_or_else(|| panic!("{note:?} is missing in {text:?}"))
        .trim_end();
    let output = if output == "(no output)" { "" } else { output };
    Said::Ran(Came {
        output: tidy(output),
        status,
    })
}

/// Takes out what must differ: the times and numbers of files that are made anew, and process ids.
fn tidy(text: &str) -> String {
    static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        [
            (r"Inode: \d+", "Inode: N"),
            (r"(?m)^((?:Access|Modify|Change)|\s*Birth): \d{4}-.*$", "$1: TIME"),
            (r"\breal\t.*\nuser\t.*\nsys\t.*", "TIMES"),
            (r"(?m)^real .*\nuser .*\nsys .*", "TIMES"),
            (
                r"(?m)(line \d+): (?:[\w./-]*/)?([\w.-]+): cannot execute",
                "$1: $2: cannot execute",
            ),
            // How a program ended by a signal is told: bash shows its table of jobs.
            (r"(?m)^bash: line \d+: +\d+ [A-Z][a-z ]+ .*(\n +\d+ .*)*\n?", ""),
            (r"(?m)^bash: line \d+: .* was killed by SIG.*\n?", ""),
        ]
        .into_iter()
        .map(|(from, to)| (Regex::new(from).unwrap(), to))
        .collect()
    });
    let mut text = text.trim().to_owned();
    for (from, to) in RULES.iter() {
        text = from.replace_all(&text, *to).into_owned();
    }
    text.trim().to_owned()
}

fn number(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap())
}

fn put(root: &Path, file: &Value) {
    let path = root.join(file["path"].as_str().unwrap());
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    if let Some(target) = file["symlink"].as_str() {
        std::os::unix::fs::symlink(target, path).unwrap();
        return;
    }
    if file["dir"] == json!(true) {
        std::fs::create_dir_all(&path).unwrap();
    } else if let Some(source) = file["hardlink"].as_str() {
        std::fs::hard_link(root.join(source), &path).unwrap();
    } else {
        std::fs::write(&path, file["content"].as_str().unwrap_or("")).unwrap();
    }
    if let Some(mode) = file["mode"].as_str() {
        let mode = u32::from_str_radix(mode, 8).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
}

/// Gives everything the same old age, so that listings agree.
fn age(dir: &Path) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            age(&entry.path());
        } else if entry.file_type().unwrap().is_file() {
            set_age(&entry.path());
        }
    }
    set_age(dir);
}

fn set_age(path: &Path) {
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000);
    let times = std::fs::FileTimes::new().set_accessed(old).set_modified(old);
    // What cannot be opened keeps its age.
    if let Ok(file) = std::fs::File::open(path) {
        file.set_times(times).unwrap();
    }
}
