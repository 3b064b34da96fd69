//! The rows under `tools`.

use super::super::Names::{Exact, Folded};
use super::super::Narrows::{Inside, Only, Refusals, Yes};
use super::super::Shape::{Bool, Json, List, Map, Named, Text, Whole, Word};
use super::super::{Join, Key, Shape};
use super::exec::EXEC;
use super::{DENY, MAX_COUNT, MAX_SEC, NAMES, PROFILE};

static SCOPE: [Key; 4] = [
    Key::new("profile", PROFILE, "the profile the tools start from").narrows(Yes),
    Key::new(
        "allow",
        NAMES,
        "only these: names, aliases, group:*, plugin ids, globs with *",
    )
    .example("[read, group:web]")
    .narrows(Yes),
    Key::new("alsoAllow", NAMES, "these besides the profile or the allow list").example("[web_search]"),
    Key::new("deny", DENY, "never these; the lists of all layers add up")
        .example("[exec]")
        .narrows(Yes),
];

static LISTS_DENY_ONLY: [Key; 3] = [
    Key::new("allow", NAMES, "only these").example("[read]"),
    Key::new(
        "alsoAllow",
        NAMES,
        "these besides, and lifted from the built-in denials",
    )
    .example("[image]"),
    Key::new("deny", DENY, "never these; the lists of all layers add up")
        .example("[exec]")
        .narrows(Yes),
];

static LISTS_IN_CONTEXT: [Key; 1] =
    [Key::new("tools", Map(&LISTS_DENY_ONLY), "the lists of this context").narrows(Inside)];

static FS: [Key; 2] = [
    Key::new("workspaceOnly", Bool, "file tools stay inside the workspace")
        .default("true")
        .narrows(Only("true")),
    Key::new(
        "maxBytes",
        Whole(1, MAX_COUNT),
        "bytes of a file that edit and apply_patch read at most",
    )
    .default("67108864"),
];

static DETECTORS: [Key; 3] = [
    Key::new("genericRepeat", Bool, "the same call again and again").default("true"),
    Key::new("knownPollNoProgress", Bool, "polling without progress").default("true"),
    Key::new("pingPong", Bool, "two calls in alternation").default("true"),
];

static LOOP: [Key; 8] = [
    Key::new("enabled", Bool, "whether repetition is watched").default("false"),
    Key::new(
        "mode",
        Word(&["block", "warn"]),
        "what becomes of a call that repeats itself without end; warn: it is only told",
    )
    .default("block"),
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

pub(super) static ELEVATED: [Key; 3] = [
    Key::new("enabled", Bool, "whether any sender may ask for elevated runs")
        .default("false")
        .narrows(Only("false")),
    Key::new(
        "allowFrom",
        Named(&NAMES, Exact),
        "message provider to the senders who may",
    )
    .example("{telegram: [\"12345\"]}"),
    Key::new(
        "defaultLevel",
        Word(&["off", "on", "ask", "full"]),
        "the level of a call that names none; on means ask",
    )
    .default("off"),
];

static REDACT: [Key; 2] = [
    Key::new("enabled", Bool, "whether secrets are masked in results").default("true"),
    Key::new(
        "patterns",
        NAMES,
        "regular expressions of secrets, in place of the built-in ones",
    )
    .example("['corp-[0-9a-f]{32}']"),
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
    )
    .example("200000"),
    Key::new(
        "format",
        Word(&["auto", "markdown", "plain"]),
        "how text results are written",
    )
    .default("auto"),
    Key::new("redact", Map(&REDACT), "masking of secrets"),
    Key::new("media", Map(&MEDIA), "media blocks"),
];

pub(super) const ACTIONS: Shape = Named(&Bool, Exact);

static PATHS: [Key; 3] = [
    Key::new("read", NAMES, "what may be read; absent: all of the workspace")
        .example("[\"src/**\", README.md]")
        .narrows(Yes),
    Key::new("write", NAMES, "what may be written; absent: all of the workspace")
        .example("[\"src/**\"]")
        .narrows(Yes),
    Key::new("deny", DENY, "what may be neither read nor written")
        .example("[.env, \"secrets/**\"]")
        .narrows(Yes),
];

static ARGUMENT_RULE: [Key; 5] = [
    Key::new(
        "tool",
        Text,
        "the tool whose calls the rule is about: a name, a group or a glob",
    )
    .required()
    .example("message"),
    Key::new(
        "where",
        Named(&Json, Exact),
        "JSON pointer into the arguments (names as `check -o json` shows them) to a value, to a list of values, or to a mapping \
         of glob, in, min, max, minLength, maxLength; all pointers must hold; absent: every call",
    )
    .example("{/action: delete}"),
    Key::new("decision", Word(&["allow", "ask", "deny"]), "what the rule says").required(),
    Key::new("reason", Text, "why, for the model").example("deleting is for people"),
    Key::new("instead", Text, "what to do instead, for the model").example("archive it"),
];

static WEB_FETCH: [Key; 8] = [
    Key::new("enabled", Bool, "whether the tool exists").default("true"),
    Key::new("allowHosts", NAMES, "only these hosts, globs with *, with a port where it is not the usual one; absent: a person is asked about each")
        .example("[\"*.example.org\", \"localhost:8080\"]"),
    Key::new("denyHosts", DENY, "never these hosts")
        .example("[internal.example.org]"),
    Key::new(
        "allowPrivate",
        Bool,
        "whether private and local addresses may be fetched",
    )
    .default("false"),
    Key::new("maxBytes", Whole(1, 1 << 32), "greatest answer, unpacked; more is cut").default("5242880"),
    Key::new("maxRedirects", Whole(0, 20), "how many redirects are followed").default("5"),
    Key::new("timeoutSec", Whole(1, MAX_SEC), "time limit of a fetch").default("30"),
    Key::new(
        "cacheMin",
        Whole(0, 1440),
        "minutes for which a session gets the same page again without another request; 0: never",
    )
    .default("15"),
];

static EXISTS: [Key; 1] = [Key::new("enabled", Bool, "whether the tool exists").default("true")];

static WEB: [Key; 2] = [
    Key::new("search", Map(&EXISTS), "the tool web_search"),
    Key::new("fetch", Map(&WEB_FETCH), "the tool web_fetch"),
];

static SESSIONS: [Key; 1] = [Key::new(
    "visibility",
    Word(&["self", "tree", "agent", "all"]),
    "which sessions the session tools see",
)
.default("tree")];

pub(super) static TOOLS: [Key; 20] = [
    Key::new("profile", PROFILE, "the profile the tools start from").narrows(Yes),
    Key::new(
        "allow",
        NAMES,
        "only these: names, aliases, group:*, plugin ids, globs with *",
    )
    .example("[group:fs, exec]")
    .narrows(Yes),
    Key::new("alsoAllow", NAMES, "these besides the profile or the allow list").example("[web_search]"),
    Key::new("deny", DENY, "never these; the lists of all layers add up")
        .example("[browser]")
        .narrows(Yes),
    Key::new(
        "byProvider",
        Named(&Map(&SCOPE), Folded),
        "the same lists for one provider or provider/model",
    )
    .example("{gemini: {deny: [exec]}}")
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
    .example("{message: {send: true, delete: false}}")
    .narrows(Only("false")),
    Key::new("sandbox", Map(&LISTS_IN_CONTEXT), "lists for sandboxed sessions").narrows(Inside),
    Key::new("subagents", Map(&LISTS_IN_CONTEXT), "lists for sub-agents").narrows(Inside),
    Key::new("fs", Map(&FS), "file tools").narrows(Inside),
    Key::new("loopDetection", Map(&LOOP), "detection of repetition"),
    Key::new("elevated", Map(&ELEVATED), "elevated runs").narrows(Inside),
    Key::new("exec", Map(&EXEC), "the exec tool").narrows(Inside),
    Key::new("results", Map(&RESULTS), "what becomes of results"),
    Key::new("ask", DENY, "calls of these tools ask a person: names, groups, globs")
        .example("[message, \"browser*\"]")
        .narrows(Yes),
    Key::new(
        "paths",
        Map(&PATHS),
        "globs relative to the workspace, for file tools and for files that judged commands name; what matches is meant with \
         all below it",
    )
    .narrows(Inside),
    Key::new(
        "rules",
        List(&Map(&ARGUMENT_RULE), Join::Add),
        "rules on the arguments of calls, once hooks have rewritten them; the strictest match wins, layers add up. Of a list, one \
         element that matches is enough to ask or deny; to allow, each must match. An allow settles `tools.ask` and tools that \
         nothing else decides about, and nothing more",
    )
    .example("[{tool: message, where: {/action: delete}, decision: deny}]")
    .narrows(Refusals),
    Key::new("web", Map(&WEB), "tools of the web"),
    Key::new("message", Map(&EXISTS), "the tool message"),
    Key::new("sessions", Map(&SESSIONS), "tools of sessions"),
];
