//! The rows. Sections stand in the order of config.md, each part before the section that contains it.

use super::Names::{AgentId, Exact, Folded};
use super::Narrows::{Inside, Only, Refusals, Yes};
use super::Shape::{Args, Bool, Command, Json, List, Map, Named, Overlay, Path, Text, Whole, Word};
use super::{Join, Key, Shape};

/// A year: no timeout is longer.
const MAX_SEC: u64 = 31_536_000;
const MAX_MS: u64 = MAX_SEC * 1000;
const MAX_COUNT: u64 = 1 << 53;

const SECURITY: Shape = Word(&["deny", "allowlist", "full"]);
const ASK: Shape = Word(&["off", "on-miss", "on", "always"]);
const PROFILE: Shape = Word(&["minimal", "coding", "messaging", "full"]);
/// A list that a later layer replaces.
const NAMES: Shape = List(&Text, Join::Replace);
/// A list of refusals: it only grows.
const DENY: Shape = List(&Text, Join::Add);

static SCOPE: [Key; 4] = [
    Key::new("profile", PROFILE, "the profile the tools start from").narrows(Yes),
    Key::new(
        "allow",
        NAMES,
        "only these: names, aliases, group:*, plugin ids, globs with *",
    )
    .narrows(Yes),
    Key::new("alsoAllow", NAMES, "these besides the profile or the allow list"),
    Key::new("deny", DENY, "never these; the lists of all layers add up").narrows(Yes),
];

static LISTS_DENY_ONLY: [Key; 3] = [
    Key::new("allow", NAMES, "only these"),
    Key::new(
        "alsoAllow",
        NAMES,
        "these besides, and lifted from the built-in denials",
    ),
    Key::new("deny", DENY, "never these; the lists of all layers add up").narrows(Yes),
];

static LISTS_IN_CONTEXT: [Key; 1] =
    [Key::new("tools", Map(&LISTS_DENY_ONLY), "the lists of this context").narrows(Inside)];

static FS: [Key; 1] = [Key::new("workspaceOnly", Bool, "file tools stay inside the workspace")
    .default("true")
    .narrows(Only("true"))];

static DETECTORS: [Key; 3] = [
    Key::new("genericRepeat", Bool, "the same call again and again").default("true"),
    Key::new("knownPollNoProgress", Bool, "polling without progress").default("true"),
    Key::new("pingPong", Bool, "two calls in alternation").default("true"),
];

static LOOP: [Key; 7] = [
    Key::new("enabled", Bool, "whether repetition is watched").default("false"),
    Key::new("historySize", Whole(1, MAX_COUNT), "how many calls are remembered").default("30"),
    Key::new("warningThreshold", Whole(1, MAX_COUNT), "from this count on it warns").default("10"),
    Key::new(
        "unknownToolThreshold",
        Whole(1, MAX_COUNT),
        "from this count on calls of a missing tool are refused",
    )
    .default("10"),
    Key::new(
        "criticalThreshold",
        Whole(1, MAX_COUNT),
        "from this count on it refuses",
    )
    .default("20"),
    Key::new(
        "globalCircuitBreakerThreshold",
        Whole(1, MAX_COUNT),
        "from this count on it refuses without exception",
    )
    .default("30"),
    Key::new("detectors", Map(&DETECTORS), "each detector on its own"),
];

static ELEVATED: [Key; 3] = [
    Key::new("enabled", Bool, "whether any sender may ask for elevated runs")
        .default("false")
        .narrows(Only("false")),
    Key::new(
        "allowFrom",
        Named(&NAMES, Exact),
        "message provider to the senders who may",
    ),
    Key::new(
        "defaultLevel",
        Word(&["off", "on", "ask", "full"]),
        "the level of a call that names none; on means ask",
    )
    .default("off"),
];

static ALLOW_ENTRY: [Key; 5] = [
    Key::new("pattern", Text, "path glob of the executable, ~/ is the home directory").required(),
    Key::new(
        "argPattern",
        Text,
        "anchored regular expression over the shell-quoted arguments; only narrows",
    ),
    Key::new("sha256", Text, "content of the executable or script, hex"),
    Key::new("note", Text, "a remark"),
    Key::new("source", Text, "allow-always for kept answers"),
];
const ALLOWLIST: Shape = List(&Map(&ALLOW_ENTRY), Join::Replace);

static RULE: [Key; 6] = [
    Key::new("program", Text, "name or path glob of the program").required(),
    Key::new("args", NAMES, "globs, each of which must match one argument, in order"),
    Key::new("flags", NAMES, "flags that must all be present, compared by meaning"),
    Key::new("decision", Word(&["allow", "ask", "deny"]), "what the rule says").required(),
    Key::new("reason", Text, "why, for the model"),
    Key::new("instead", Text, "what to do instead, for the model"),
];

static WRAPPER: [Key; 4] = [
    Key::new("name", Text, "name of a program that runs its arguments").required(),
    Key::new("flags", NAMES, "its flags without value"),
    Key::new("valueFlags", NAMES, "its flags with a value"),
    Key::new(
        "positional",
        Whole(0, 64),
        "how many operands stand before the inner command",
    )
    .default("0"),
];

static SAFE_BIN_PROFILE: [Key; 4] = [
    Key::new("minPositional", Whole(0, 1000), "least number of operands"),
    Key::new("maxPositional", Whole(0, 1000), "greatest number of operands"),
    Key::new("allowedValueFlags", NAMES, "flags that may take a value"),
    Key::new("deniedFlags", NAMES, "flags that refuse"),
];

static APPLY_PATCH: [Key; 3] = [
    Key::new("enabled", Bool, "whether apply_patch exists").default("true"),
    Key::new("workspaceOnly", Bool, "patches stay inside the workspace").default("true"),
    Key::new(
        "allowModels",
        NAMES,
        "only for these models, as model or provider/model",
    ),
];

static EXEC: [Key; 19] = [
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
    Key::new("askFallback", SECURITY, "what holds when nobody can be asked")
        .default("deny")
        .narrows(Yes),
    Key::new("askTimeoutSec", Whole(1, MAX_SEC), "how long an answer is waited for").default("120"),
    Key::new("allowlist", ALLOWLIST, "executables that may run").narrows(Yes),
    Key::new(
        "rules",
        List(&Map(&RULE), Join::Add),
        "rules on commands; the strictest match wins, layers add up",
    )
    .narrows(Refusals),
    Key::new(
        "wrappers",
        List(&Map(&WRAPPER), Join::Replace),
        "programs that run their arguments, besides the built-in ones",
    ),
    Key::new("safeBins", NAMES, "filters that may run on standard input")
        .default("[cut, uniq, head, tail, tr, wc]")
        .narrows(Yes),
    Key::new(
        "safeBinProfiles",
        Named(&Map(&SAFE_BIN_PROFILE), Exact),
        "which arguments a safe bin may take",
    ),
    Key::new(
        "safeBinTrustedDirs",
        NAMES,
        "where safe bins may lie, besides /bin and /usr/bin",
    ),
    Key::new(
        "strictInlineEval",
        Bool,
        "programs given on the command line always ask",
    )
    .default("true"),
    Key::new(
        "inheritEnv",
        NAMES,
        "variables that may pass although they look like secrets",
    ),
    Key::new("pathPrepend", NAMES, "directories before PATH"),
    Key::new("timeoutSec", Whole(1, MAX_SEC), "time limit of a command").default("1800"),
    Key::new(
        "backgroundMs",
        Whole(0, MAX_MS),
        "after this a command may go on in the background",
    )
    .default("10000"),
    Key::new("node", Text, "the node for host: node"),
    Key::new("applyPatch", Map(&APPLY_PATCH), "the apply_patch tool"),
    Key::new(
        "maxOutputChars",
        Whole(1, 1 << 30),
        "how much output of a command is kept",
    )
    .default("200000"),
];

static REDACT: [Key; 2] = [
    Key::new("enabled", Bool, "whether secrets are masked in results").default("true"),
    Key::new(
        "patterns",
        NAMES,
        "regular expressions of secrets, in place of the built-in ones",
    ),
];

static MEDIA: [Key; 1] = [Key::new(
    "maxImageBytes",
    Whole(0, 1 << 32),
    "greatest image that becomes a media block",
)
.default("5242880")];

static RESULTS: [Key; 5] = [
    Key::new(
        "maxChars",
        Whole(1, 1 << 30),
        "greatest length of a result, Unicode characters",
    )
    .default("16000"),
    Key::new(
        "contextWindowTokens",
        Whole(1, MAX_COUNT),
        "size of the model's context window",
    ),
    Key::new(
        "format",
        Word(&["auto", "markdown", "plain"]),
        "how text results are written",
    )
    .default("auto"),
    Key::new("redact", Map(&REDACT), "masking of secrets"),
    Key::new("media", Map(&MEDIA), "media blocks"),
];

const ACTIONS: Shape = Named(&Bool, Exact);

static TOOLS: [Key; 14] = [
    Key::new("profile", PROFILE, "the profile the tools start from").narrows(Yes),
    Key::new(
        "allow",
        NAMES,
        "only these: names, aliases, group:*, plugin ids, globs with *",
    )
    .narrows(Yes),
    Key::new("alsoAllow", NAMES, "these besides the profile or the allow list"),
    Key::new("deny", DENY, "never these; the lists of all layers add up").narrows(Yes),
    Key::new(
        "byProvider",
        Named(&Map(&SCOPE), Folded),
        "the same lists for one provider or provider/model",
    )
    .narrows(Inside),
    Key::new(
        "pluginOnlyAllowlist",
        Word(&["enforce", "strip"]),
        "what an allow list of plugin entries alone means",
    )
    .default("enforce"),
    Key::new(
        "actions",
        Named(&ACTIONS, Folded),
        "tool to action to whether it may be used",
    )
    .narrows(Only("false")),
    Key::new("sandbox", Map(&LISTS_IN_CONTEXT), "lists for sandboxed sessions").narrows(Inside),
    Key::new("subagents", Map(&LISTS_IN_CONTEXT), "lists for sub-agents").narrows(Inside),
    Key::new("fs", Map(&FS), "file tools").narrows(Inside),
    Key::new("loopDetection", Map(&LOOP), "detection of repetition"),
    Key::new("elevated", Map(&ELEVATED), "elevated runs").narrows(Inside),
    Key::new("exec", Map(&EXEC), "the exec tool").narrows(Inside),
    Key::new("results", Map(&RESULTS), "what becomes of results"),
];

static APPROVAL_DEFAULTS: [Key; 4] = [
    Key::new("security", SECURITY, "as tools.exec.security; the stricter wins"),
    Key::new("ask", ASK, "as tools.exec.ask; the stricter wins"),
    Key::new("askFallback", SECURITY, "as tools.exec.askFallback; the stricter wins"),
    Key::new("autoAllowSkills", Bool, "read, without effect: there are no skills"),
];

static APPROVAL_AGENT: [Key; 5] = [
    Key::new("security", SECURITY, "as tools.exec.security; the stricter wins"),
    Key::new("ask", ASK, "as tools.exec.ask; the stricter wins"),
    Key::new("askFallback", SECURITY, "as tools.exec.askFallback; the stricter wins"),
    Key::new("allowlist", ALLOWLIST, "executables that may run; adds to the others"),
    Key::new("autoAllowSkills", Bool, "read, without effect: there are no skills"),
];

static NOTIFY: [Key; 1] = [Key::new("command", Command, "run when a person must decide")];

static APPROVALS: [Key; 3] = [
    Key::new("defaults", Map(&APPROVAL_DEFAULTS), "for every agent"),
    Key::new(
        "agents",
        Named(&Map(&APPROVAL_AGENT), AgentId),
        "for one agent, or * for all",
    ),
    Key::new("notify", Map(&NOTIFY), "how a person is told").later(""),
];

static MOUNT: [Key; 2] = [
    Key::new("path", Path, "a path of the host").required(),
    Key::new("access", Word(&["ro", "rw"]), "how it is seen inside").default("ro"),
];

static LIMITS: [Key; 4] = [
    Key::new("memoryMb", Whole(1, MAX_COUNT), "memory, MiB"),
    Key::new("cpuSec", Whole(1, MAX_SEC), "processor time, seconds"),
    Key::new("pids", Whole(1, 1 << 22), "processes"),
    Key::new("fileMb", Whole(1, MAX_COUNT), "size of a file, MiB"),
];

static SANDBOX: [Key; 8] = [
    Key::new(
        "mode",
        Word(&["off", "non-main", "all"]),
        "which sessions run in a sandbox",
    )
    .default("off")
    .later("off"),
    Key::new(
        "backend",
        Word(&["auto", "landlock", "bubblewrap", "docker", "podman"]),
        "what makes the sandbox",
    )
    .default("auto"),
    Key::new(
        "workspaceAccess",
        Word(&["none", "ro", "rw"]),
        "how the workspace is seen inside",
    )
    .default("rw"),
    Key::new("network", Word(&["none", "host"]), "which network is seen inside").default("none"),
    Key::new("image", Text, "container image"),
    Key::new("mounts", List(&Map(&MOUNT), Join::Replace), "further paths"),
    Key::new("env", Named(&Text, Exact), "variables inside"),
    Key::new("limits", Map(&LIMITS), "resource limits"),
];

static SUBAGENTS: [Key; 1] =
    [Key::new("maxSpawnDepth", Whole(1, 5), "how deep sub-agents may start others").default("1")];

static AGENT_DEFAULTS: [Key; 3] = [
    Key::new("workspace", Path, "the directory agents work in"),
    Key::new("sandbox", Overlay(&SANDBOX), "laid over sandbox"),
    Key::new("subagents", Map(&SUBAGENTS), "sub-agents"),
];

static AGENT: [Key; 5] = [
    Key::new("id", Text, "the agent's id").required().narrows(Yes),
    Key::new("name", Text, "its name"),
    Key::new("workspace", Path, "the directory it works in"),
    Key::new("sandbox", Overlay(&SANDBOX), "laid over agents.defaults.sandbox"),
    Key::new("tools", Overlay(&TOOLS), "everything under tools, for this agent").narrows(Inside),
];

static AGENTS: [Key; 2] = [
    Key::new("defaults", Map(&AGENT_DEFAULTS), "for every agent"),
    Key::new("list", List(&Map(&AGENT), Join::ById), "the agents").narrows(Inside),
];

static GROUP_LISTS: [Key; 3] = [
    Key::new("allow", NAMES, "only these").narrows(Yes),
    Key::new("alsoAllow", NAMES, "these besides"),
    Key::new("deny", DENY, "never these; the lists of all layers add up").narrows(Yes),
];

static SENDER_LISTS: [Key; 3] = [
    Key::new("allow", NAMES, "only these"),
    Key::new("alsoAllow", NAMES, "these besides"),
    Key::new("deny", DENY, "never these; the lists of all layers add up"),
];

static GROUP: [Key; 2] = [
    Key::new("tools", Map(&GROUP_LISTS), "the lists of this group").narrows(Inside),
    Key::new(
        "toolsBySender",
        Named(&Map(&SENDER_LISTS), Exact),
        "the lists of one sender: id:, e164:, username:, name: or *",
    ),
];
const GROUPS: Shape = Named(&Map(&GROUP), Exact);

static ACCOUNT: [Key; 1] = [Key::new(
    "groups",
    GROUPS,
    "group id or * to its policy, in place of the channel's",
)];

static CHANNEL: [Key; 3] = [
    Key::new(
        "actions",
        ACTIONS,
        "action of the message tool to whether it may be used",
    ),
    Key::new(
        "accounts",
        Named(&Map(&ACCOUNT), Exact),
        "accounts with groups of their own",
    ),
    Key::new("groups", GROUPS, "group id or * to its policy").narrows(Inside),
];

static SSH: [Key; 5] = [
    Key::new("host", Text, "host name").required(),
    Key::new("port", Whole(1, 65_535), "port"),
    Key::new("user", Text, "user name"),
    Key::new("identityFile", Path, "private key"),
    Key::new("knownHostsFile", Path, "known host keys"),
];

static NODE: [Key; 2] = [
    Key::new("ssh", Map(&SSH), "how it is reached"),
    Key::new("workdir", Text, "the directory commands run in there"),
];

const PROTOCOL: Shape = Word(&["native", "claude-code"]);

static BEFORE: [Key; 5] = [
    Key::new("match", Text, "policy patterns separated by |; absent = every tool"),
    Key::new("command", Command, "the argv; a relative program is found on PATH only").required(),
    Key::new("timeoutMs", Whole(1, MAX_MS), "time limit").default("10000"),
    Key::new("protocol", PROTOCOL, "what is spoken on its standard input and output").default("native"),
    Key::new("onError", Word(&["block", "allow"]), "what a failing hook means").default("block"),
];

static AFTER: [Key; 4] = [
    Key::new("match", Text, "policy patterns separated by |; absent = every tool"),
    Key::new("command", Command, "the argv; a relative program is found on PATH only").required(),
    Key::new("timeoutMs", Whole(1, MAX_MS), "time limit").default("10000"),
    Key::new("protocol", PROTOCOL, "what is spoken on its standard input and output").default("native"),
];

static HOOKS: [Key; 2] = [
    Key::new(
        "beforeToolCall",
        List(&Map(&BEFORE), Join::Replace),
        "may refuse or rewrite a call",
    ),
    Key::new(
        "afterToolCall",
        List(&Map(&AFTER), Join::Replace),
        "may see or rewrite a result",
    ),
];

static PLUGIN_TOOL: [Key; 8] = [
    Key::new("name", Text, "the tool's name").required(),
    Key::new("description", Text, "one line for the model"),
    Key::new("parameters", Json, "JSON Schema of its arguments"),
    Key::new("ownerOnly", Bool, "whether only the owner may use it").default("false"),
    Key::new("channels", NAMES, "the channels it exists on; absent = all"),
    Key::new("command", Command, "the argv that answers a call"),
    Key::new("timeoutSec", Whole(1, MAX_SEC), "time limit"),
    Key::new("env", Named(&Text, Exact), "variables for the command"),
];

static PLUGIN: [Key; 2] = [
    Key::new("enabled", Bool, "whether its tools exist").default("true"),
    Key::new("tools", List(&Map(&PLUGIN_TOOL), Join::Replace), "its tools"),
];

static BINDING_MCP: [Key; 2] = [
    Key::new("server", Text, "name under mcp.servers").required(),
    Key::new("tool", Text, "its tool").required(),
];

static BINDING: [Key; 4] = [
    Key::new("command", Command, "the argv that answers a call"),
    Key::new("mcp", Map(&BINDING_MCP), "the server's tool that answers a call").later(""),
    Key::new("description", Text, "in place of the tool's own"),
    Key::new("parameters", Json, "in place of the tool's own schema and checks"),
];

static MCP_TOOLS: [Key; 2] = [
    Key::new("allow", NAMES, "only these"),
    Key::new("deny", DENY, "never these; the lists of all layers add up"),
];

static MCP_SERVER: [Key; 8] = [
    Key::new("command", Text, "the program of a local server"),
    Key::new("args", Args, "its arguments"),
    Key::new("env", Named(&Text, Exact), "its variables"),
    Key::new("cwd", Path, "its directory"),
    Key::new("url", Text, "address of a remote server"),
    Key::new("headers", Named(&Text, Exact), "headers for it"),
    Key::new("tools", Map(&MCP_TOOLS), "which of its tools are taken"),
    Key::new("timeoutSec", Whole(1, MAX_SEC), "time limit of a call"),
];

static MCP: [Key; 1] = [Key::new("servers", Named(&Map(&MCP_SERVER), Exact), "MCP servers").later("")];

static PROVIDER: [Key; 3] = [
    Key::new("unsupportedKeywords", NAMES, "schema keywords the provider refuses"),
    Key::new("maxNameLength", Whole(1, 4096), "greatest length of a tool name"),
    Key::new(
        "maxDescriptionLength",
        Whole(1, 1 << 20),
        "greatest length of a description",
    ),
];

static STATE: [Key; 1] = [Key::new(
    "dir",
    Path,
    "where state is kept; default $XDG_STATE_HOME/toolctl",
)];

static TRANSCRIPT: [Key; 2] = [
    Key::new("dir", Path, "where transcripts are kept"),
    Key::new(
        "enabled",
        Bool,
        "whether calls are written down; default: with --session",
    ),
];

static AUDIT: [Key; 2] = [
    Key::new("enabled", Bool, "whether every run is recorded beforehand").default("true"),
    Key::new("path", Path, "the record; default audit.jsonl in the state directory"),
];

/// The top level.
pub(crate) static ROOT: [Key; 14] = [
    Key::new("tools", Map(&TOOLS), "which tools there are, and what they may do").narrows(Inside),
    Key::new("approvals", Map(&APPROVALS), "the host's own policy for exec"),
    Key::new("agents", Map(&AGENTS), "the agents").narrows(Inside),
    Key::new(
        "channels",
        Named(&Map(&CHANNEL), Exact),
        "policies by channel and group",
    )
    .narrows(Inside),
    Key::new("sandbox", Map(&SANDBOX), "sandboxed sessions"),
    Key::new("nodes", Named(&Map(&NODE), Exact), "other machines").later(""),
    Key::new("hooks", Map(&HOOKS), "programs that see calls and results"),
    Key::new("plugins", Named(&Map(&PLUGIN), Exact), "tools that are commands"),
    Key::new(
        "bindings",
        Named(&Map(&BINDING), Folded),
        "other executors for core tools",
    ),
    Key::new("mcp", Map(&MCP), "tools of MCP servers"),
    Key::new(
        "providers",
        Named(&Map(&PROVIDER), Folded),
        "what model providers accept",
    ),
    Key::new("state", Map(&STATE), "toolctl's own files"),
    Key::new("transcript", Map(&TRANSCRIPT), "the record of a session"),
    Key::new("audit", Map(&AUDIT), "the record of what ran"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Ask, ElevatedLevel, Host, Security};

    #[test]
    fn words_are_those_of_the_types() {
        let words = |shape: &Shape| match shape {
            Word(words) => *words,
            _ => panic!("not words"),
        };
        assert_eq!(words(&SECURITY), Security::WORDS);
        assert_eq!(words(&ASK), Ask::WORDS);
        assert_eq!(words(&EXEC[0].shape), Host::WORDS);
        assert_eq!(words(&ELEVATED[2].shape), ElevatedLevel::WORDS);
    }
}
