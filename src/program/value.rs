//! Judgements of values of options and of operands: each says what a text brings, or nothing.

use super::reading::{Fact, Stdin, Why};
use crate::shell::Arg;

const COMPRESSORS: &[&str] = &[
    "gzip", "pigz", "zstd", "zstdmt", "xz", "pixz", "bzip2", "pbzip2", "lz4", "lzop", "lzip", "lzma", "compress",
    "brotli",
];

/// A compressor with plain options.
pub(super) fn is_compressor(value: &str) -> bool {
    let mut words = value.split(' ');
    words.next().is_some_and(|word| COMPRESSORS.contains(&word))
        && words.all(|word| {
            word.starts_with('-')
                && word
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'='))
        })
}

/// `-W` of Python that names no class of a module.
pub(super) fn is_plain_warning(value: &str) -> bool {
    !value.is_empty()
        && value
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':'))
}

/// An option of `python -X` that loads nothing.
pub(super) fn is_plain_x_option(value: &str) -> bool {
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
pub(super) fn is_plain_apt_option(value: &str) -> bool {
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

/// `NAME=text` in which no escape hides what `awk` makes of it.
pub(super) fn is_plain_assignment(value: &str) -> bool {
    let Some((name, text)) = value.split_once('=') else {
        return false;
    };
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !text.contains(['\\', '|'])
}

/// A relative path that does not leave the directory.
pub(super) fn is_below(path: &str) -> bool {
    !path.is_empty() && !path.starts_with(['/', '~', '-']) && !path.split('/').any(|part| part == "..")
}

/// `name=value` of a setting of ssh that starts no program and reads no file.
pub(super) fn is_plain_ssh_option(value: &str) -> bool {
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
    let name = value.split(['=', ' ', '\t']).next().unwrap_or("").to_ascii_lowercase();
    SAFE.contains(&name.as_str())
}

/// Flags for a compiler or linker that name no program, no plugin and no further output.
pub(super) fn is_plain_flags(value: &str) -> bool {
    const TELLING: &[&str] = &[
        "extld", "extar", "linker", "wrapper", "link-arg", "-ld", "plugin", "passes", "runner", "profile", "asmhdr",
        "linkobj", "tmpdir", "json",
    ];
    let output = |word: &str| matches!(word, "-o" | "--o");
    !TELLING.iter().any(|word| value.contains(word))
        && !value
            .split(|c: char| c.is_ascii_whitespace() || "=\"'".contains(c))
            .any(output)
}

/// What an operand of `make` and its kin is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MakeOperand {
    /// A target, or flags for a compiler that do nothing else.
    Plain,
    /// A variable that rules may make anything of.
    Variable,
    /// Neither.
    Doubt(Why),
}

/// Variables of `make` that hold flags for a compiler of C, by the rules that it has of its own.
const C_FLAGS: &[&str] = &["CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "LDLIBS"];

/// Variables that only `make` itself, and the shell that it starts, obey as programs or settings.
const MAKE_OBEYS: &[&str] = &[
    ".SHELLFLAGS",
    ".RECIPEPREFIX",
    "MAKE",
    "MAKEFILES",
    "GNUMAKEFLAGS",
    "MAKE_COMMAND",
    "MAKEOVERRIDES",
    "VPATH",
    "SH",
    "COMPILE",
    "LINK",
    "ARFLAGS",
    "RM",
    "SUDO",
];

/// What stands for a target or an assignment of `make` and its kin.
pub(super) fn make_operand(text: Option<&str>) -> MakeOperand {
    let Some(text) = text else {
        return MakeOperand::Doubt(Why::Unclear);
    };
    let plain = |text: &str| {
        text.bytes().all(|b| {
            b.is_ascii_alphanumeric()
                || matches!(
                    b,
                    b'_' | b'-' | b'.' | b'/' | b',' | b':' | b'=' | b'+' | b' ' | b'@' | b'%'
                )
        })
    };
    if !plain(text) {
        return MakeOperand::Doubt(Why::Code);
    }
    let Some((name, value)) = text.split_once('=') else {
        return MakeOperand::Plain;
    };
    let obeyed = MAKE_OBEYS.contains(&name) || name.ends_with("SHELL") || name.ends_with("_CMD");
    let named = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if obeyed || !named {
        MakeOperand::Doubt(Why::Code)
    } else if C_FLAGS.contains(&name) && are_plain_c_flags(value) {
        MakeOperand::Plain
    } else {
        MakeOperand::Variable
    }
}

/// Flags for a compiler of C that do no more than compile: read as its own arguments are, and none of them writes a file.
pub(super) fn are_plain_c_flags(text: &str) -> bool {
    let words: Vec<Arg> = text.split_ascii_whitespace().map(Arg::exact).collect();
    let flags = words.iter().all(|word| word.prefix().starts_with('-'));
    let plain = |fact: &Fact<'_>| matches!(fact, Fact::Path { writes: false, .. } | Fact::Named(_));
    flags && super::find("gcc").is_some_and(|row| row.read(&words, Stdin::Nothing).facts.iter().all(plain))
}

/// `name=value` of a build: a switch, a number or a plain word for a name that stands for no program and no flags.
pub(super) fn is_plain_build_setting(text: &str) -> bool {
    const TELLING: &[&str] = &[
        "args", "flags", "prefix", "native", "cross", "command", "wrapper", "path", "exe",
    ];
    let (name, value) = text.split_once('=').unwrap_or((text, "true"));
    let named = name
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':'));
    let plain = value
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b',' | b'+'));
    let telling = TELLING.iter().any(|word| name.to_ascii_lowercase().contains(word));
    named && plain && !telling && !value.starts_with('-') && !value.contains("..")
}

/// A host or a path of remote copies: no `-oProxyCommand` in disguise, no `ext::` transport.
pub(super) fn is_plain_remote(text: &str) -> bool {
    // A host that begins with a dash is an option of ssh; rclone takes programs from the address.
    !["ProxyCommand", "LocalCommand", "://-", ":-", "@-"]
        .iter()
        .any(|word| text.contains(word))
        && !text.starts_with("ext::")
        && !text.starts_with("rclone:")
}

/// Statements of database shells.
pub(super) fn is_plain_sql(text: &str) -> bool {
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
        "zipfile",
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
    // Comments and other blanks stand between words as a space does.
    let (mut vacuum, mut into) = (false, false);
    let mut reaches = false;
    for token in lower.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        match token {
            "vacuum" => vacuum = true,
            "into" => into = true,
            "copy" | "export" | "install" | "load" | "edit" => reaches = true,
            _ => {}
        }
    }
    reaches |= vacuum && into;
    !dotted && !reaches && !words.iter().any(|w| lower.contains(w)) && !first.starts_with('\\')
}

/// An address of `socat` that only connects or stands for a standard stream.
pub(super) fn is_plain_socket(text: &str) -> bool {
    const PLAIN: &[&str] = &[
        "-",
        "stdio",
        "stdin",
        "stdout",
        "stderr",
        "tcp",
        "tcp4",
        "tcp6",
        "tcp-connect",
        "udp",
        "udp4",
        "udp6",
        "udp-connect",
        "openssl",
        "ssl",
        "unix",
        "unix-connect",
        "tcp-listen",
        "tcp4-listen",
        "udp-listen",
    ];
    let lower = text.to_ascii_lowercase();
    PLAIN.contains(&lower.split(':').next().unwrap_or("")) && !text.contains([',', '!', ' ', '(', '"', '\''])
}

/// `NAME=value` or `NAME:TYPE=value` of CMake that names no program, no script and no path to look for them in.
pub(super) fn is_plain_cmake_definition(text: &str) -> bool {
    const PLAIN: &[&str] = &[
        "CMAKE_BUILD_TYPE",
        "CMAKE_CONFIGURATION_TYPES",
        "CMAKE_EXPORT_COMPILE_COMMANDS",
        "CMAKE_CXX_STANDARD",
        "CMAKE_CXX_STANDARD_REQUIRED",
        "CMAKE_CXX_EXTENSIONS",
        "CMAKE_C_STANDARD",
        "CMAKE_C_STANDARD_REQUIRED",
        "CMAKE_POSITION_INDEPENDENT_CODE",
        "CMAKE_INTERPROCEDURAL_OPTIMIZATION",
        "CMAKE_VERBOSE_MAKEFILE",
        "CMAKE_COLOR_MAKEFILE",
        "CMAKE_UNITY_BUILD",
        "CMAKE_CXX_VISIBILITY_PRESET",
        "CMAKE_OSX_ARCHITECTURES",
        "CMAKE_OSX_DEPLOYMENT_TARGET",
        "CMAKE_SKIP_RPATH",
        "CMAKE_COMPILE_WARNING_AS_ERROR",
    ];
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let name = name.split(':').next().unwrap_or("");
    let switch = matches!(
        value.to_ascii_uppercase().as_str(),
        "ON" | "OFF" | "TRUE" | "FALSE" | "YES" | "NO" | "0" | "1"
    );
    let word = value
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b';'));
    let bare = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !name.is_empty();
    bare && (switch && !name.contains("SHELL") || word && PLAIN.contains(&name))
}

/// A package of Go or a file: nothing that a path outside would be.
pub(super) fn is_go_target(text: &str) -> bool {
    let inside = !text.starts_with(['/', '~', '-', '@']) && !text.split('/').any(|part| part == "..");
    inside
        || text
            .split('/')
            .all(|part| part == ".." || part.is_empty() || part == "...")
}

/// `name=value` of a property of Java or Maven that names no class, no program and no file.
pub(super) fn is_plain_property(text: &str) -> bool {
    const TELLING: &[&str] = &[
        "exec.",
        "ext.class",
        "argline",
        "jvmargs",
        "agent",
        "java.home",
        "boot",
        "class",
        "security",
        "policy",
        "command",
        "executable",
        "script",
        "jvm",
        "rmi",
        "init",
        "library",
        "settings",
        "maven.repo",
        "native",
        "compiler",
        "javacopts",
        "javac",
        "fork",
    ];
    // Names whose value is a word that means nothing but itself.
    const PLAIN: &[&str] = &[
        "test",
        "it.test",
        "dtest",
        "groups",
        "excludedgroups",
        "skip",
        "maven.test",
        "surefire.",
        "failsafe.",
        "revision",
        "changelist",
        "sha1",
        "newversion",
        "version",
        "groupid",
        "artifactid",
        "archetype",
        "includes",
        "excludes",
        "spring.profiles.",
        "spring-boot.run.profiles",
        "quarkus.profile",
        "profile",
        "style.color",
        "file.encoding",
        "project.build.sourceencoding",
        "stdout.encoding",
        "user.timezone",
        "user.language",
        "user.country",
        "org.gradle.logging",
        "org.gradle.console",
        "log.level",
        "logging.level",
        "org.slf4j.simplelogger.",
        "release",
        "env",
    ];
    let lower = text.to_ascii_lowercase();
    let (name, value) = lower.split_once('=').unwrap_or((&lower, ""));
    let switch = matches!(value, "" | "true" | "false") || value.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let word = value.bytes().all(|b| {
        b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'#' | b'*' | b',' | b'+' | b':' | b'$')
    });
    !TELLING.iter().any(|word| name.contains(word))
        && (switch || word && PLAIN.iter().any(|head| name.starts_with(head)))
}

/// A phase of Maven, or a goal of a plugin that is known to run nothing of its own.
pub(super) fn is_plain_goal(text: &str) -> bool {
    const PLUGINS: &[&str] = &[
        "dependency",
        "versions",
        "help",
        "spotless",
        "checkstyle",
        "surefire",
        "failsafe",
        "compiler",
        "resources",
        "jar",
        "clean",
        "pmd",
        "spotbugs",
        "jacoco",
        "enforcer",
        "site",
        "javadoc",
        "source",
        "spring-boot",
        "quarkus",
        "license",
        "formatter",
        "fmt",
    ];
    let word = |text: &str| {
        text.bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    match text.split_once(':') {
        None => word(text) && text.starts_with(|c: char| c.is_ascii_alphabetic()),
        Some((plugin, goal)) => PLUGINS.contains(&plugin) && word(goal),
    }
}

/// What stands behind `-X` of Java: sizes and modes.
pub(super) fn is_plain_jvm_option(text: &str) -> bool {
    let size = ["mx", "ms", "ss", "mn"].iter().find_map(|head| text.strip_prefix(head));
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric());
    size.is_some_and(number)
        || matches!(
            text,
            "int" | "comp" | "mixed" | "batch" | "noclassgc" | "rs" | "diag" | "share:auto" | "share:off" | "share:on"
        )
        || matches!(text, "verify:all" | "log:disable" | "check:jni")
}

/// What stands behind `-XX` of Java: a switch of a kind that is known, or a number for a name.
pub(super) fn is_plain_java_option(text: &str) -> bool {
    const SWITCHES: &[&str] = &[
        "Use",
        "Unlock",
        "Print",
        "Show",
        "Tiered",
        "Compact",
        "Parallel",
        "Explicit",
        "Always",
        "Optimize",
        "Exit",
        "Crash",
        "Disable",
        "Scavenge",
        "Eliminate",
        "Do",
        "Inline",
        "Background",
        "Omit",
        "Class",
        "Perf",
        "Aggressive",
        "HeapDumpOnOutOfMemoryError",
        "IgnoreUnrecognizedVMOptions",
        "EnableDynamicAgentLoading",
    ];
    let Some(body) = text.strip_prefix(':') else {
        return false;
    };
    if let Some(name) = body.strip_prefix(['+', '-']) {
        return name.bytes().all(|b| b.is_ascii_alphanumeric()) && SWITCHES.iter().any(|head| name.starts_with(head));
    }
    let Some((name, value)) = body.split_once('=') else {
        return false;
    };
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    name.bytes().all(|b| b.is_ascii_alphanumeric())
        && value.len() - digits.len() <= 1
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// A project, a solution or an argument of `dotnet` that is no property and no file of options.
pub(super) fn is_plain_msbuild_word(text: &str) -> bool {
    !text.starts_with(['-', '/', '@']) && !text.contains(':') && !text.contains('=')
}

/// `vendor/package`, perhaps with `:version`; no address.
pub(super) fn is_composer_package(text: &str) -> bool {
    !text.contains("//")
        && text.bytes().all(|b| {
            b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/' | b':' | b'^' | b'~' | b'*' | b'@')
        })
        && text.matches('/').count() <= 1
        && !text.starts_with(['.', '-'])
}
