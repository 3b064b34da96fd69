//! What projects are made of: a file that gives it away, and the commands that such a project is checked with. A new kind
//! is one row.

/// One kind of project.
pub(super) struct Kind {
    /// The file that gives it away.
    pub(super) marker: &'static str,
    /// What it is called.
    pub(super) name: &'static str,
    /// Commands that test and check it, as entries of `commands.allow`.
    pub(super) commands: &'static [&'static str],
}

pub(super) const KINDS: &[Kind] = &[
    Kind {
        marker: "Cargo.toml",
        name: "Rust",
        commands: &[
            "cargo check *",
            "cargo test *",
            "cargo clippy *",
            "cargo build *",
            "cargo fmt *",
        ],
    },
    Kind {
        marker: "go.mod",
        name: "Go",
        commands: &["go build *", "go test *", "go vet *"],
    },
    Kind {
        marker: "pyproject.toml",
        name: "Python",
        commands: PYTHON,
    },
    Kind {
        marker: "setup.py",
        name: "Python",
        commands: PYTHON,
    },
    Kind {
        marker: "requirements.txt",
        name: "Python",
        commands: PYTHON,
    },
    Kind {
        marker: "uv.lock",
        name: "uv",
        commands: &["uv run pytest *"],
    },
    Kind {
        marker: ".github",
        name: "GitHub",
        commands: &[
            "gh pr view *",
            "gh pr diff *",
            "gh pr checks *",
            "gh run list *",
            "gh run view *",
        ],
    },
];

const PYTHON: &[&str] = &[
    "pytest *",
    "python -m pytest *",
    "python3 -m pytest *",
    "python -m unittest *",
    "python3 -m unittest *",
    "ruff check *",
    "mypy *",
];

/// Managers of JavaScript packages, by the file that gives each away; the last is taken where none does.
pub(super) const MANAGERS: [(&str, &str); 4] = [
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("package.json", "npm"),
];

/// Scripts of a `package.json`, and targets of a Makefile, that check and change nothing elsewhere by their usual meaning.
pub(super) const CHECKS: [&str; 9] = [
    "test",
    "lint",
    "check",
    "typecheck",
    "type-check",
    "build",
    "format",
    "fmt",
    "format:check",
];

/// Programs that read, with what each is for.
pub(super) const READERS: [&str; 13] = [
    "ls *",
    "cat *",
    "head *",
    "tail *",
    "wc *",
    "grep *",
    "rg *",
    "find *",
    "git status *",
    "git diff *",
    "git log *",
    "git show *",
    "git blame *",
];
