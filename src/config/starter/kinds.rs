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
    /// The registries of its packages.
    pub(super) registries: &'static [&'static str],
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
        registries: CRATES,
    },
    Kind {
        marker: "go.mod",
        name: "Go",
        commands: &["go build *", "go test *", "go vet *"],
        registries: &["proxy.golang.org", "sum.golang.org"],
    },
    Kind {
        marker: "pyproject.toml",
        name: "Python",
        commands: PYTHON,
        registries: PYPI,
    },
    Kind {
        marker: "setup.py",
        name: "Python",
        commands: PYTHON,
        registries: PYPI,
    },
    Kind {
        marker: "requirements.txt",
        name: "Python",
        commands: PYTHON,
        registries: PYPI,
    },
    Kind {
        marker: "uv.lock",
        name: "uv",
        commands: &["uv run pytest *"],
        registries: PYPI,
    },
    Kind {
        marker: "poetry.lock",
        name: "Poetry",
        commands: &["poetry run pytest *"],
        registries: PYPI,
    },
    Kind {
        marker: "tox.ini",
        name: "tox",
        commands: &["tox *"],
        registries: PYPI,
    },
    Kind {
        marker: "pom.xml",
        name: "Maven",
        commands: &["mvn test *", "mvn verify *"],
        registries: &["repo.maven.apache.org"],
    },
    Kind {
        marker: "build.gradle",
        name: "Gradle",
        commands: GRADLE,
        registries: &["repo.maven.apache.org", "plugins.gradle.org", "services.gradle.org"],
    },
    Kind {
        marker: "build.gradle.kts",
        name: "Gradle",
        commands: GRADLE,
        registries: &["repo.maven.apache.org", "plugins.gradle.org", "services.gradle.org"],
    },
    Kind {
        marker: "Gemfile",
        name: "Ruby",
        commands: &["bundle exec rspec *", "bundle exec rubocop *", "bundle exec rake test"],
        registries: &["rubygems.org", "index.rubygems.org"],
    },
    Kind {
        marker: "composer.json",
        name: "PHP",
        commands: &["composer validate *", "phpunit *"],
        registries: &["repo.packagist.org"],
    },
    Kind {
        marker: "mix.exs",
        name: "Elixir",
        commands: &["mix compile *", "mix test *", "mix format *"],
        registries: &["repo.hex.pm", "hex.pm"],
    },
    Kind {
        marker: "Package.swift",
        name: "Swift",
        commands: &["swift build *", "swift test *"],
        registries: &[],
    },
    Kind {
        marker: "global.json",
        name: ".NET",
        commands: DOTNET,
        registries: &["api.nuget.org"],
    },
    Kind {
        marker: "Directory.Build.props",
        name: ".NET",
        commands: DOTNET,
        registries: &["api.nuget.org"],
    },
    Kind {
        marker: "CMakeLists.txt",
        name: "CMake",
        commands: &["cmake --build build", "ctest --test-dir build"],
        registries: &[],
    },
    Kind {
        marker: "deno.json",
        name: "Deno",
        commands: &["deno check *", "deno lint *", "deno test"],
        registries: &["deno.land", "jsr.io", "registry.npmjs.org"],
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
        registries: &[],
    },
];

const PYPI: &[&str] = &["pypi.org", "files.pythonhosted.org"];
const CRATES: &[&str] = &["index.crates.io", "static.crates.io", "crates.io"];
/// The registry of packages of Node.
pub(super) const NPM: &str = "registry.npmjs.org";

const PYTHON: &[&str] = &[
    "pytest *",
    "ruff check *",
    "mypy *",
    "python -m pytest *",
    "python -m unittest *",
    "python3 -m pytest *",
    "python3 -m unittest *",
];

const GRADLE: &[&str] = &["gradle test *", "gradle check *", "gradle build *"];

const DOTNET: &[&str] = &["dotnet build *", "dotnet test *"];

/// Files of targets, by the program that makes them.
pub(super) const TARGETS: [(&str, &str); 4] = [
    ("Makefile", "make"),
    ("makefile", "make"),
    ("GNUmakefile", "make"),
    ("justfile", "just"),
];

/// Managers of JavaScript packages, by the file that gives each away; the last is taken where none does.
pub(super) const MANAGERS: [(&str, &str); 5] = [
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
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

/// Programs that people look with.
pub(super) const READERS: [&str; 14] = [
    "git", "ls", "cat", "head", "tail", "wc", "grep", "rg", "find", "sed", "sort", "diff", "jq", "which",
];
