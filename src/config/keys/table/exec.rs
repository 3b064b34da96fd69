//! The rows under `tools.exec`.

use super::super::Narrows::{Inside, Refusals, Yes};
use super::super::Shape::{Bool, Entry, List, Map, Named, Path, Text, Whole, Word};
use super::super::{Join, Key, Names, Shape};
use super::{ASK, ASK_FALLBACK, DENY, MAX_COUNT, MAX_MS, MAX_SEC, NAMES, SECURITY};

/// What an effect of a program may be, where an entry or a rule names those it grants.
const EFFECTS: Shape = List(
    &Word(&["reads", "writes", "connects", "publishes", "destroys"]),
    Join::Replace,
);

static ALLOW_ENTRY: [Key; 8] = [
    Key::new("pattern", Text, "path glob of the executable, ~/ is the home directory")
        .example("/usr/bin/git")
        .required(),
    Key::new(
        "argPattern",
        Text,
        "anchored regular expression over the shell-quoted arguments; only narrows",
    )
    .example("'status( --short)?'"),
    Key::new(
        "may",
        EFFECTS,
        "what the program may do; absent: read, write and connect, each inside its limits",
    )
    .example("[reads]"),
    Key::new(
        "carries",
        Bool,
        "whether its arguments may hold commands; false is for a program that is not known here",
    )
    .default("true"),
    Key::new(
        "keys",
        Bool,
        "whether the run sees keys, logins and agents' sockets of the user; without it no contained run does",
    )
    .default("false"),
    Key::new("sha256", Text, "content of the executable or script, hex")
        .example("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    Key::new("note", Text, "a remark").example("asked for by the build team"),
    Key::new("source", Text, "allow-always for kept answers").example("allow-always"),
];
/// Allowlist entries; one that is text is the pattern of an entry.
pub(super) const ALLOWLIST: Shape = List(&Entry(&ALLOW_ENTRY), Join::Replace);

pub(super) static NETWORK: [Key; 2] = [
    Key::new(
        "mode",
        Word(&["host", "none"]),
        "everything this machine reaches, or nothing; a list says more",
    )
    .example("none"),
    Key::new(
        "allow",
        List(&Text, Join::Replace),
        "hosts that are reached: names, *.names, and addresses, each with a port where it is not 80 or 443",
    )
    .example("[registry.npmjs.org, '*.pythonhosted.org', '10.0.0.5:5432']"),
];

static RULE: [Key; 9] = [
    Key::new("program", Text, "name or path glob of the program")
        .example("git")
        .required(),
    Key::new("args", NAMES, "globs, each of which must match one argument, in order").example("[push]"),
    Key::new("flags", NAMES, "flags that must all be present, compared by meaning").example("[--force]"),
    Key::new(
        "exact",
        Bool,
        "whether nothing may stand beside these arguments, for a rule that allows",
    )
    .default("false"),
    Key::new("may", EFFECTS, "what the program may do under this rule").example("[reads, writes, connects, publishes]"),
    Key::new(
        "keys",
        Bool,
        "whether the run sees keys, logins and agents' sockets of the user; without it no contained run does",
    )
    .default("false"),
    Key::new("decision", Word(&["allow", "ask", "deny"]), "what the rule says").required(),
    Key::new("reason", Text, "why, for the model").example("pushing is for people"),
    Key::new("instead", Text, "what to do instead, for the model").example("ask for a review of your branch"),
];

static WRAPPER: [Key; 4] = [
    Key::new("name", Text, "name of a program that runs its arguments")
        .example("chrt")
        .required(),
    Key::new("flags", NAMES, "its flags without value").example("[-b, -i]"),
    Key::new("valueFlags", NAMES, "its flags with a value").example("[-T, -P]"),
    Key::new(
        "positional",
        Whole(0, 64),
        "how many operands stand before the inner command",
    )
    .default("0"),
];

static SAFE_BIN_PROFILE: [Key; 5] = [
    Key::new("minPositional", Whole(0, 1000), "least number of operands").example("0"),
    Key::new("maxPositional", Whole(0, 1000), "greatest number of operands").example("1"),
    Key::new("allowedValueFlags", NAMES, "flags that may take a value").example("[-f, -d]"),
    Key::new("allowedFlags", NAMES, "flags without a value that may be given").example("[-n, --reverse]"),
    Key::new("deniedFlags", NAMES, "flags that refuse").example("[--files0-from]"),
];

static APPLY_PATCH: [Key; 3] = [
    Key::new("enabled", Bool, "whether apply_patch exists").default("true"),
    Key::new("workspaceOnly", Bool, "patches stay inside the workspace").default("true"),
    Key::new(
        "allowModels",
        NAMES,
        "further models that have apply_patch, besides those of OpenAI, as model or provider/model",
    )
    .example("[openrouter/openai/gpt-5]"),
];

static COMMANDS: [Key; 3] = [
    Key::new(
        "allow",
        DENY,
        "commands that may run: program, arguments, and ` *` for any harmless rest",
    )
    .example("[git status, \"git diff *\", \"cargo test *\"]"),
    Key::new("ask", DENY, "commands that a person decides on, with any rest")
        .example("[\"git push *\"]")
        .narrows(Yes),
    Key::new("deny", DENY, "commands that never run, with any rest")
        .example("[\"rm -rf *\"]")
        .narrows(Yes),
];

pub(super) static LIMITS: [Key; 4] = [
    Key::new("memoryMb", Whole(1, MAX_COUNT), "memory of all processes together, MiB").example("2048"),
    Key::new("cpuSec", Whole(1, MAX_SEC), "processor time of each process, seconds").example("600"),
    Key::new("pids", Whole(1, 1 << 22), "processes and threads").example("256"),
    Key::new("fileMb", Whole(1, MAX_COUNT), "size of each file that is written, MiB").example("512"),
];

static IN_SANDBOX: [Key; 4] = [
    Key::new("security", SECURITY, "in place of tools.exec.security"),
    Key::new("ask", ASK, "in place of tools.exec.ask"),
    Key::new("allowlist", ALLOWLIST, "in place of tools.exec.allowlist").example("[git]"),
    Key::new("safeBins", NAMES, "in place of tools.exec.safeBins").example("[head, tail]"),
];

pub(super) static EXEC: [Key; 35] = [
    Key::new(
        "host",
        Word(&["auto", "gateway", "sandbox", "node"]),
        "where commands run",
    )
    .default("auto"),
    Key::new("security", SECURITY, "how far a command may run without a grant")
        .default("allowlist")
        .narrows(Yes),
    Key::new(
        "ask",
        ASK,
        "when a person is asked; on: everything but what allow-always kept",
    )
    .default("on-miss")
    .narrows(Yes),
    Key::new("askFallback", ASK_FALLBACK, "what holds when nobody can be asked")
        .default("deny")
        .narrows(Yes),
    Key::new("askTimeoutSec", Whole(1, MAX_SEC), "how long an answer is waited for").default("120"),
    Key::new("allowlist", ALLOWLIST, "executables that may run")
        .example("[git, {pattern: /usr/bin/cargo, argPattern: \"test( .*)?\"}]")
        .narrows(Yes),
    Key::new(
        "rules",
        List(&Map(&RULE), Join::Add),
        "rules on commands; the strictest match wins, layers add up",
    )
    .example("[{program: git, args: [push], decision: ask}]")
    .narrows(Refusals),
    Key::new(
        "commands",
        Map(&COMMANDS),
        "the short form of rules; shown as the rules they become",
    )
    .narrows(Inside),
    Key::new(
        "wrappers",
        List(&Map(&WRAPPER), Join::Replace),
        "programs that run their arguments, besides the built-in ones",
    )
    .example("[{name: chrt, valueFlags: [-T], positional: 1}]"),
    Key::new("safeBins", NAMES, "filters that may run on standard input")
        .default("[cut, uniq, head, tail, tr, wc]")
        .narrows(Yes),
    Key::new(
        "safeBinProfiles",
        Named(&Map(&SAFE_BIN_PROFILE), Names::Exact),
        "which arguments a safe bin may take",
    )
    .example("{cut: {maxPositional: 0, allowedValueFlags: [-d, -f]}}"),
    Key::new(
        "safeBinTrustedDirs",
        NAMES,
        "where safe bins may lie, besides /bin and /usr/bin",
    )
    .example("[/opt/tools/bin]"),
    Key::new(
        "strictInlineEval",
        Word(&["true", "false", "always"]),
        "whether programs given on the command line ask where grants decide; always: with security full as well",
    )
    .default("true"),
    Key::new(
        "preflight",
        Word(&["deny", "warn", "off"]),
        "what becomes of a script of Python or Node that holds shell variables, at every level of security",
    )
    .default("deny"),
    Key::new(
        "inheritEnv",
        NAMES,
        "variables that may pass although they look like secrets",
    )
    .example("[NPM_TOKEN]"),
    Key::new("pathPrepend", NAMES, "directories before PATH").example("[/opt/tools/bin]"),
    Key::new(
        "timeoutSec",
        Whole(1, MAX_SEC),
        "time limit of a command; a call may ask for less",
    )
    .default("1800"),
    Key::new(
        "backgroundMs",
        Whole(0, MAX_MS),
        "after this a command may go on in the background",
    )
    .default("10000"),
    Key::new("node", Text, "the node for host: node").example("build"),
    Key::new("applyPatch", Map(&APPLY_PATCH), "the apply_patch tool"),
    Key::new(
        "maxOutputChars",
        Whole(1, 1 << 30),
        "how much output of a command is kept",
    )
    .default("200000"),
    Key::new(
        "floor",
        Word(&["auto", "require", "off"]),
        "containment of what runs unseen; auto: as far as the kernel can",
    )
    .default("auto"),
    Key::new(
        "writable",
        List(&Path, Join::Replace),
        "more places outside the workspace that contained runs may write",
    )
    .example("[/var/cache/build]"),
    Key::new(
        "caches",
        Word(&["private", "shared", "off"]),
        "package caches of contained runs; private: one set per workspace",
    )
    .default("private"),
    Key::new(
        "network",
        Entry(&NETWORK),
        "the network of contained runs: host, none, or {allow: [hosts]}, which the kernel holds",
    )
    .default("host"),
    Key::new(
        "ports",
        List(&Text, Join::Replace),
        "ports of the loopback of contained runs that this machine shows on 127.0.0.1, where network is none or a list",
    )
    .example("[3000, 8000-8010]"),
    Key::new(
        "read",
        Word(&["all", "project"]),
        "what contained runs see of the home; project: toolchains, caches and what readable names",
    )
    .default("all"),
    Key::new(
        "readable",
        List(&Path, Join::Replace),
        "what contained runs see of the home besides, with read: project",
    )
    .example("[~/src/shared]"),
    Key::new(
        "unlisted",
        Word(&["ask", "contained", "deny"]),
        "what no rule, grant or safe bin covers; contained: runs it in a sandbox of the kernel where that holds",
    )
    .default("ask"),
    Key::new(
        "inlineCode",
        Word(&["ask", "contained"]),
        "code given on the command line: ask, or run it contained",
    )
    .default("ask"),
    Key::new(
        "hide",
        List(&Path, Join::Add),
        "files that contained runs cannot read, where the kernel allows it",
    )
    .example("[~/.ssh, ~/.aws]"),
    Key::new("limits", Map(&LIMITS), "resource limits of contained runs"),
    Key::new("allowEnv", NAMES, "names of variables that a call may set").example("[RUST_LOG, CI]"),
    Key::new(
        "workdirs",
        List(&Path, Join::Replace),
        "path globs of directories outside the workspace in which a command may start",
    )
    .example("[/srv/shared, /opt/*/src]"),
    Key::new("inSandbox", Map(&IN_SANDBOX), "the levels of runs on host sandbox"),
];
