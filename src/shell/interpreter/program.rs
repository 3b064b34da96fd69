//! Small judgements over option values, operands and program texts.

use super::super::Arg;
use super::super::option::Value;
use super::{Found, Stdin, Why, inspect};

/// Python modules that are tools, not carriers of code.
const MODULES: &[&str] = &[
    "pytest",
    "unittest",
    "json.tool",
    "venv",
    "virtualenv",
    "py_compile",
    "compileall",
    "tokenize",
    "tabnanny",
    "mypy",
    "black",
    "ruff",
    "flake8",
    "isort",
    "pylint",
    "pyright",
    "pycodestyle",
    "pydocstyle",
    "bandit",
    "calendar",
    "platform",
    "sysconfig",
    "this",
    "http.server",
    "build",
    "mkdocs",
    "pre_commit",
    "coverage",
    "yamllint",
    "tox",
    "nox",
];

/// Words of a pip command that only look.
const PIP: &[&str] = &["list", "show", "freeze", "check", "--version", "-V", "help", "index"];

const COMPRESSORS: &[&str] = &[
    "gzip", "pigz", "zstd", "zstdmt", "xz", "pixz", "bzip2", "pbzip2", "lz4", "lzop", "lzip", "lzma", "compress",
    "brotli",
];

/// The hit of an effect word, where it depends on the option's value.
pub(crate) fn value_effect(effect: &str, value: Option<&str>) -> Option<Why> {
    let simple = |v: &str| {
        !v.is_empty()
            && v.bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':' | b'.'))
    };
    match effect {
        "module" => None,
        "warning" => (!value.is_some_and(|v| simple(v) && !v.contains('.'))).then_some(Why::Load),
        "xoption" => (!value.is_some_and(plain_x_option)).then_some(Why::Load),
        "assign" => (!value.is_some_and(plain_assignment)).then_some(Why::Code),
        "compress" => {
            let plain = |v: &str| {
                let mut words = v.split(' ');
                words.next().is_some_and(|w| COMPRESSORS.contains(&w))
                    && words.all(|w| {
                        w.starts_with('-') && w.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'='))
                    })
            };
            (!value.is_some_and(plain)).then_some(Why::Run)
        }
        // `tar -f host:file` runs a remote shell.
        "remote" => value.is_none_or(|v| v.contains(':')).then_some(Why::Run),
        "dir" | "manifest" => (!value.is_some_and(below)).then_some(Why::Config),
        "sshopt" => ssh_option(value),
        "sql" => super::why(value.map_or("ask", sql_operand)),
        "plugin" => (!value.is_some_and(|v| v.starts_with("no:"))).then_some(Why::Load),
        "java" => (!value.is_some_and(|v| !v.starts_with("On") && !v.contains('/') && !v.contains("Flags")))
            .then_some(Why::Run),
        "flags" => value
            .is_none_or(|v| {
                [
                    "extld", "linker", "wrapper", "link-arg", "-ld", "plugin", "passes", "runner",
                ]
                .iter()
                .any(|w| v.contains(w))
            })
            .then_some(Why::Run),
        "aptopt" => (!value.is_some_and(plain_apt_option)).then_some(Why::Run),
        "cmake" => Some(Why::Run),
        other => super::why(other),
    }
}

/// An option of `python -X` that loads nothing.
fn plain_x_option(value: &str) -> bool {
    const PLAIN: &[&str] = &[
        "dev",
        "utf8",
        "faulthandler",
        "tracemalloc",
        "importtime",
        "showrefcount",
        "no_debug_ranges",
        "int_max_str_digits",
        "frozen_modules",
        "warn_default_encoding",
        "perf",
        "gil",
        "cpu_count",
    ];
    let (name, setting) = value.split_once('=').unwrap_or((value, ""));
    PLAIN.contains(&name) && setting.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// A setting of `apt -o` that names no program and no file.
fn plain_apt_option(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let plain = [
        "debug::",
        "apt::get::",
        "acquire::retries",
        "acquire::force",
        "dpkg::use-pty",
        "dpkg::progress",
    ];
    plain.iter().any(|head| lower.starts_with(head)) && !value.contains('/')
}

fn plain_assignment(value: &str) -> bool {
    let Some((name, text)) = value.split_once('=') else {
        return false;
    };
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !text.contains(['\\', '|'])
}

/// A relative path that does not leave the directory.
pub(crate) fn below(path: &str) -> bool {
    !path.is_empty() && !path.starts_with(['/', '~', '-']) && !path.split('/').any(|part| part == "..")
}

pub(crate) fn ssh_option(value: Option<&str>) -> Option<Why> {
    const SAFE: &[&str] = &[
        "batchmode",
        "connecttimeout",
        "stricthostkeychecking",
        "serveraliveinterval",
        "serveralivecountmax",
        "loglevel",
        "port",
        "user",
        "compression",
        "ipqos",
        "addressfamily",
        "tcpkeepalive",
        "connectionattempts",
        "identitiesonly",
        "passwordauthentication",
        "preferredauthentications",
        "requesttty",
        "numberofpasswordprompts",
        "checkhostip",
        "hashknownhosts",
        "forwardagent",
        "forwardx11",
    ];
    let name = value?.split(['=', ' ', '\t']).next().unwrap_or("").to_ascii_lowercase();
    (!SAFE.contains(&name.as_str())).then_some(Why::Run)
}

/// `python -m MODULE …`.
pub(crate) fn module(rest: &[Arg], index: usize, value: Option<Value<'_>>) -> Found {
    let word = rest.get(index).map_or("-m", Arg::prefix);
    let Some(value) = value else {
        return Some((word.to_owned(), Why::Unknown));
    };
    let Some(module) = value.literal() else {
        return Some((word.to_owned(), Why::Unknown));
    };
    let glued = rest.get(index).is_some_and(|a| std::ptr::eq(a, value.arg()));
    let tail = rest.get(index + if glued { 1 } else { 2 }..).unwrap_or(&[]);
    let flag = format!("-m {module}");
    if module == "pip" {
        let looks = tail.first().and_then(Arg::literal).is_some_and(|w| PIP.contains(&w));
        let files = matches!(tail, [a, b, c] if a.literal() == Some("install")
            && matches!(b.literal(), Some("-r" | "--requirement"))
            && c.literal().is_some_and(|file| below(file) && !file.contains(':')));
        return (!looks && !files).then_some((flag, Why::Run));
    }
    if !MODULES.contains(&module) {
        return Some((flag, Why::Code));
    }
    let mut args = vec![Arg::exact(module)];
    args.extend_from_slice(tail);
    if let Some(hit) = inspect(&args, Stdin::Nothing) {
        return Some((format!("{flag} {}", hit.flag), hit.why));
    }
    if module == "coverage" {
        let risky = tail
            .iter()
            .any(|a| a.prefix().starts_with("--rcfile") || a.prefix().starts_with("--pl"));
        return risky.then_some((flag, Why::Config));
    }
    None
}

/// Make variables that name programs or settings.
const COMMANDS: &[&str] = &[
    "SHELL",
    ".SHELLFLAGS",
    "MAKE",
    "MAKEFILES",
    "MAKEFLAGS",
    "MFLAGS",
    "GNUMAKEFLAGS",
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "AS",
    "FC",
    "RM",
    "CP",
    "MV",
    "LN",
    "INSTALL",
    "RANLIB",
    "STRIP",
    "YACC",
    "LEX",
    "PYTHON",
    "PERL",
    "GO",
    "CARGO",
    "RUSTC",
    "NODE",
    "NPM",
    "SUDO",
    "PATH",
    "VPATH",
    "ENV",
    "BASH_ENV",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "SH",
    "BASH",
    "ARFLAGS",
    "COMPILE",
    "LINK",
];

/// `make` operands: targets and assignments.
pub(crate) fn make_operand(text: &str) -> &'static str {
    let Some((name, value)) = text.split_once('=') else {
        return "";
    };
    let name = name.trim_end_matches(['?', ':', '+', '!', ' ']);
    let plain = value.bytes().all(|b| {
        b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'_' | b'-' | b'.' | b'/' | b',' | b':' | b'=' | b'+' | b' ' | b'@' | b'%'
            )
    });
    if COMMANDS.contains(&name) || !plain || name.ends_with("SHELL") || name.ends_with("_CMD") {
        "code"
    } else {
        ""
    }
}

/// Hosts and paths of remote copies: `-oProxyCommand` in disguise, `ext::` transports.
pub(crate) fn remote_operand(text: &str) -> &'static str {
    if text.contains("ProxyCommand") || text.contains("LocalCommand") || text.starts_with("ext::") {
        "run"
    } else {
        ""
    }
}

/// `+command` operands of pagers.
pub(crate) fn plus_operand(text: &str) -> &'static str {
    match text.strip_prefix('+') {
        Some(rest) if rest.contains(['!', '|', 's', 'v', '#', '^', 'o', ':']) => "run",
        _ => "",
    }
}

/// `@file` operands of compilers, and options whose value follows a colon.
pub(crate) fn at_operand(text: &str) -> &'static str {
    const LOADS: &[&str] = &[
        "-javaagent",
        "-agentpath",
        "-agentlib",
        "-XX:On",
        "-XX:Flags",
        "-Clinker",
        "-Clink-arg",
        "-Xbootclasspath",
        "-Wl,-plugin",
        "-Wl,--plugin",
        "-J",
        "--agent",
    ];
    if text.starts_with('@') {
        "config"
    } else if LOADS.iter().any(|p| text.starts_with(p)) {
        "load"
    } else {
        ""
    }
}

/// Statements of database shells.
pub(crate) fn sql_operand(text: &str) -> &'static str {
    let lower = text.to_ascii_lowercase();
    let first = lower.trim_start();
    let harmless_dot = [
        ".tables",
        ".schema",
        ".dump",
        ".databases",
        ".indexes",
        ".headers",
        ".mode",
        ".help",
        ".show",
        ".quit",
        ".exit",
        ".stats",
        ".timer",
        ".width",
        ".nullvalue",
        ".separator",
    ];
    let dotted = lower.lines().map(str::trim_start).any(|l| {
        l.starts_with('.')
            && !l.starts_with("./")
            && !l.starts_with("../")
            && !harmless_dot.iter().any(|d| l.split_whitespace().next() == Some(d))
    });
    let words = [
        "load_extension",
        "edit(",
        "edit (",
        "writefile",
        "fsdir",
        "readfile",
        "program",
        "copy ",
        "\\!",
        "\\o",
        "\\g",
        "\\i",
        "\\copy",
        "\\w",
        "|",
        "attach",
        "into outfile",
        "into dumpfile",
        "load data",
        "load_file",
        "system",
        "install ",
        "load ",
        "eval",
        "script",
        "config",
    ];
    if dotted || words.iter().any(|w| lower.contains(w)) || first.starts_with('\\') {
        "run"
    } else {
        ""
    }
}

/// Addresses of `socat` that run a program or write a file.
pub(crate) fn exec_operand(text: &str) -> &'static str {
    let upper = text.to_ascii_uppercase();
    if ["EXEC:", "SYSTEM:", "SHELL:"].iter().any(|p| upper.contains(p)) {
        "run"
    } else if ["OPEN:", "CREATE:", "FILE:", "GOPEN:", "CREAT:"]
        .iter()
        .any(|p| upper.contains(p))
    {
        "write"
    } else {
        ""
    }
}

/// `of=` of `dd`.
pub(crate) fn dd_operand(text: &str) -> &'static str {
    match text.strip_prefix("of=") {
        Some(file) if file != "/dev/null" && file != "/dev/stdout" => "write",
        _ => "",
    }
}

/// Operands that are instructions, or files of them.
pub(crate) fn instructions(_: &str) -> &'static str {
    "run"
}

/// Scripts and subcommands of data-base shells that carry a program.
pub(crate) fn script_operand(text: &str) -> &'static str {
    let lower = text.to_ascii_lowercase();
    let runs = [
        "eval",
        "evalsha",
        "eval_ro",
        "fcall",
        "function",
        "script",
        "config",
        "module",
        "debug",
        "slaveof",
        "replicaof",
    ];
    if runs.contains(&lower.as_str()) || lower.ends_with(".js") || lower.ends_with(".mongodb") {
        "code"
    } else {
        ""
    }
}

/// Options of `xxd` count from their first letter on.
pub(crate) fn reversing(text: &str) -> &'static str {
    if text.trim_start_matches('-').starts_with('r') && text.starts_with('-') {
        "write"
    } else {
        ""
    }
}

/// Goals of `mvn` that run a program, and properties that load one.
pub(crate) fn goal(text: &str) -> &'static str {
    if text.starts_with("exec:") || text.contains("exec-maven-plugin") || text.contains("antrun") {
        "run"
    } else if text.starts_with("-Dexec.") || text.contains(".ext.class.path") || text.contains("argLine") {
        "load"
    } else {
        ""
    }
}
