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
pub(super) fn value_effect(effect: &str, value: Option<&str>) -> Option<Why> {
    let simple = |v: &str| {
        !v.is_empty()
            && v.bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':' | b'.'))
    };
    match effect {
        "module" => None,
        "warning" => (!value.is_some_and(|v| simple(v) && !v.contains('.'))).then_some(Why::Load),
        "xoption" => (!value.is_some_and(|v| !v.starts_with("presite") && !v.contains('/'))).then_some(Why::Load),
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
        "opt" => value
            .is_none_or(|v| v.contains("Invoke") || v.contains("Options") || v.contains("ProxyCommand"))
            .then_some(Why::Run),
        "cmake" => Some(Why::Run),
        other => super::why(other),
    }
}

fn plain_assignment(value: &str) -> bool {
    let Some((name, text)) = value.split_once('=') else {
        return false;
    };
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !text.contains(['\\', '|'])
}

/// A relative path that does not leave the directory.
fn below(path: &str) -> bool {
    !path.is_empty() && !path.starts_with(['/', '~', '-']) && !path.split('/').any(|part| part == "..")
}

fn ssh_option(value: Option<&str>) -> Option<Why> {
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
pub(super) fn module(rest: &[Arg], index: usize, value: Option<Value<'_>>) -> Found {
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
        let files = matches!(tail, [a, b, _] if a.literal() == Some("install") && matches!(b.literal(), Some("-r" | "--requirement")));
        return (!looks && !files).then_some((flag, Why::Run));
    }
    if !MODULES.contains(&module) {
        return Some((flag, Why::Code));
    }
    if module == "pytest" {
        let mut args = vec![Arg::exact("pytest")];
        args.extend_from_slice(tail);
        return inspect(&args, Stdin::Nothing).map(|hit| (format!("{flag} {}", hit.flag), hit.why));
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
pub(super) fn make_operand(text: &str) -> &'static str {
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
pub(super) fn remote_operand(text: &str) -> &'static str {
    if text.contains("ProxyCommand") || text.contains("LocalCommand") || text.starts_with("ext::") {
        "run"
    } else {
        ""
    }
}

/// `+command` operands of pagers.
pub(super) fn plus_operand(text: &str) -> &'static str {
    match text.strip_prefix('+') {
        Some(rest) if rest.contains(['!', '|', 's', 'v', '#', '^', 'o', ':']) => "run",
        _ => "",
    }
}

/// `@file` operands of compilers, and options whose value follows a colon.
pub(super) fn at_operand(text: &str) -> &'static str {
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
pub(super) fn sql_operand(text: &str) -> &'static str {
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

/// Operands that name a program to run (`socat EXEC:…`).
pub(super) fn exec_operand(text: &str) -> &'static str {
    let upper = text.to_ascii_uppercase();
    if ["EXEC:", "SYSTEM:", "SHELL:"].iter().any(|p| upper.contains(p)) {
        "run"
    } else {
        ""
    }
}

/// An `awk` program that only selects, computes and prints: no function calls but these, no redirection, no pipe.
pub(super) fn plain_awk(text: &str) -> bool {
    const CALLS: &[&str] = &[
        "length", "substr", "index", "split", "sub", "gsub", "tolower", "toupper", "int", "sprintf", "match", "printf",
        "print", "if", "for", "while", "in", "return", "exp", "log", "sqrt", "sin", "cos",
    ];
    if text.len() > 4096 || text.contains(['@', '`', '|']) {
        return false;
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut printing = false;
    let mut depth = 0_i32;
    let mut last_word = "";
    // Whether a slash at this point begins a regular expression (not a division).
    let mut operand_expected = true;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let Some(end) = closing(bytes, at, b'"') else {
                    return false;
                };
                at = end;
                operand_expected = false;
            }
            b'/' if operand_expected => {
                let Some(end) = closing(bytes, at, b'/') else {
                    return false;
                };
                at = end;
                operand_expected = false;
            }
            b'#' => {
                while bytes.get(at).is_some_and(|b| *b != b'\n') {
                    at += 1;
                }
            }
            b'>' if printing && depth == 0 => return false,
            b'\\' => return false,
            b'(' => {
                if !last_word.is_empty() && !CALLS.contains(&last_word) {
                    return false;
                }
                depth += 1;
                operand_expected = true;
            }
            b')' => {
                depth -= 1;
                operand_expected = false;
            }
            b';' | b'}' | b'\n' => {
                printing = false;
                operand_expected = true;
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                let start = at - 1;
                while bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
                    at += 1;
                }
                last_word = text.get(start..at).unwrap_or("");
                match last_word {
                    "getline" | "system" | "ENVIRON" | "PROCINFO" | "function" | "func" | "close" | "fflush"
                    | "include" | "load" | "SYMTAB" | "FUNCTAB" => return false,
                    "print" | "printf" => printing = true,
                    _ => {}
                }
                operand_expected = matches!(
                    last_word,
                    "print" | "printf" | "in" | "return" | "if" | "while" | "for" | "else"
                );
                continue;
            }
            b if b.is_ascii_digit() => operand_expected = false,
            b if b.is_ascii_whitespace() => continue,
            b'$' | b']' => operand_expected = byte == b'$',
            b if b.is_ascii() => operand_expected = true,
            _ => return false,
        }
        last_word = "";
    }
    true
}

fn closing(bytes: &[u8], mut at: usize, end: u8) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' => return None,
            b if *b == end => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// A `sed` program of addresses with `p d q = s y n N g G h H x l D P` only: nothing is run, read or written.
pub(super) fn plain_sed(text: &str) -> bool {
    if text.len() > 4096 || !text.is_ascii() {
        return false;
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b' ' | b'\t' | b'\n' | b';' | b',' | b'!' | b'$' | b'+' | b'~' | b'0'..=b'9' | b'{' | b'}' => {}
            b'/' => match closing(bytes, at, b'/') {
                Some(end) => at = end + usize::from(bytes.get(end) == Some(&b'I')),
                None => return false,
            },
            b'p' | b'd' | b'=' | b'n' | b'N' | b'g' | b'G' | b'h' | b'H' | b'x' | b'D' | b'P' | b'q' | b'Q' | b'l' => {
                if !matches!(bytes.get(at), None | Some(b';' | b'\n' | b'}' | b' ' | b'0'..=b'9')) {
                    return false;
                }
            }
            b's' | b'y' => {
                let Some(&mark) = bytes.get(at) else {
                    return false;
                };
                if matches!(mark, b'\\' | b'\n') || mark.is_ascii_alphanumeric() {
                    return false;
                }
                let Some(end) = closing(bytes, at + 1, mark).and_then(|next| closing(bytes, next, mark)) else {
                    return false;
                };
                at = end;
                while byte == b's'
                    && bytes
                        .get(at)
                        .is_some_and(|b| matches!(b, b'g' | b'p' | b'i' | b'I' | b'0'..=b'9' | b'm' | b'M'))
                {
                    at += 1;
                }
                if !matches!(bytes.get(at), None | Some(b';' | b'\n' | b'}' | b' ')) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}
