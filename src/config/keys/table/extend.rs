//! The rows of what is added and what is written down: hooks, plugins, bindings, servers, providers, records.

use super::super::Names::Exact;
use super::super::Shape::{Args, Bool, Command, Json, List, Map, Named, Path, Text, Whole, Word};
use super::super::{Join, Key, Shape};
use super::{DENY, MAX_COUNT, MAX_MS, MAX_SEC, NAMES};
use crate::config::HookProtocol;

const PROTOCOL: Shape = Word(HookProtocol::WORDS);

static BEFORE: [Key; 5] = [
    Key::new("match", Text, "policy patterns separated by |; absent = every tool").example("exec|web_*"),
    Key::new(
        "command",
        Command,
        "the argv; a program without `/` is found on PATH, one with `/` beside the file that names it",
    )
    .example("[hooks/guard.sh, --strict]")
    .required(),
    Key::new("timeoutMs", Whole(1, MAX_MS), "time limit").default("10000"),
    Key::new("protocol", PROTOCOL, "what is spoken on its standard input and output").default("native"),
    Key::new("onError", Word(&["block", "allow"]), "what a failing hook means").default("block"),
];

static AFTER: [Key; 4] = [
    Key::new("match", Text, "policy patterns separated by |; absent = every tool").example("exec"),
    Key::new(
        "command",
        Command,
        "the argv; a program without `/` is found on PATH, one with `/` beside the file that names it",
    )
    .example("[hooks/log.sh]")
    .required(),
    Key::new("timeoutMs", Whole(1, MAX_MS), "time limit").default("10000"),
    Key::new("protocol", PROTOCOL, "what is spoken on its standard input and output").default("native"),
];

pub(super) static HOOKS: [Key; 2] = [
    Key::new(
        "beforeToolCall",
        List(&Map(&BEFORE), Join::Replace),
        "may refuse or rewrite a call",
    )
    .example("[{match: exec, command: [hooks/guard.sh]}]"),
    Key::new(
        "afterToolCall",
        List(&Map(&AFTER), Join::Replace),
        "told of a result; with `protocol: claude-code` awaited, and may add to it or replace what the model reads",
    )
    .example("[{command: [hooks/log.sh]}]"),
];

const PROSE: Key = Key::new(
    "prose",
    Bool,
    "whether its answers are prose, which results.format may write plainly; other results are never rewritten",
)
.default("false");

static PLUGIN_TOOL: [Key; 11] = [
    Key::new("name", Text, "the tool's name").example("deploy").required(),
    Key::new("description", Text, "one line for the model").example("Deploys a branch to the test system"),
    Key::new("parameters", Json, "JSON Schema of its arguments")
        .example("{type: object, properties: {branch: {type: string}}, required: [branch]}"),
    Key::new("label", Text, "its name for people").example("Deploy"),
    Key::new("ownerOnly", Bool, "whether only the owner may use it").default("false"),
    Key::new(
        "optional",
        Bool,
        "whether it is there only where a list names it, its plugin or group:plugins",
    )
    .default("false"),
    PROSE,
    Key::new("channels", NAMES, "the channels it exists on; absent = all").example("[telegram]"),
    Key::new("command", Command, "the argv that answers a call").example("[tools/deploy.py]"),
    Key::new("timeoutSec", Whole(1, MAX_SEC), "time limit").example("60"),
    Key::new("env", Named(&Text, Exact), "variables for the command").example("{STAGE: test}"),
];

pub(super) static PLUGIN: [Key; 2] = [
    Key::new("enabled", Bool, "whether its tools exist").default("true"),
    Key::new("tools", List(&Map(&PLUGIN_TOOL), Join::Replace), "its tools")
        .example("[{name: deploy, command: [tools/deploy.py]}]"),
];

static BINDING_MCP: [Key; 3] = [
    Key::new("server", Text, "name under mcp.servers")
        .example("search")
        .required(),
    Key::new("tool", Text, "its tool").example("query").required(),
    Key::new(
        "map",
        Named(&Text, Exact),
        "from arguments of the core tool to those of the server's, each a name or a JSON pointer; others keep their names",
    )
    .example("{query: q, count: /page/size}"),
];

pub(super) static BINDING: [Key; 6] = [
    Key::new("command", Command, "the argv that answers a call").example("[tools/search.py]"),
    Key::new("mcp", Map(&BINDING_MCP), "the server's tool that answers a call")
        .example("{server: search, tool: query}"),
    Key::new("description", Text, "in place of the tool's own").example("Searches the web"),
    PROSE,
    Key::new(
        "async",
        Bool,
        "whether calls are answered at once while the command goes on in the background; how it ends is in the audit log",
    )
    .default("false"),
    Key::new("parameters", Json, "in place of the tool's own schema and checks")
        .example("{type: object, properties: {query: {type: string}}}"),
];

static MCP_TOOLS: [Key; 2] = [
    Key::new("allow", NAMES, "only these").example("[query]"),
    Key::new("deny", DENY, "never these; the lists of all layers add up").example("[\"delete_*\"]"),
];

static MCP_SERVER: [Key; 8] = [
    Key::new("command", Text, "the program of a local server")
        .obeyed()
        .example("mcp-search"),
    Key::new("args", Args, "its arguments").example("[--stdio]"),
    Key::new("env", Named(&Text, Exact), "its variables").example("{API_URL: \"https://search.example.org\"}"),
    Key::new("cwd", Path, "its directory").example("~/src/search"),
    Key::new("url", Text, "address of a remote server").example("https://mcp.example.org/v1"),
    Key::new("headers", Named(&Text, Exact), "headers for it").example("{Authorization: \"Bearer ${MCP_TOKEN}\"}"),
    Key::new("tools", Map(&MCP_TOOLS), "which of its tools are taken"),
    Key::new("timeoutSec", Whole(1, MAX_SEC), "time limit of a call").example("30"),
];

pub(super) static MCP: [Key; 1] =
    [Key::new("servers", Named(&Map(&MCP_SERVER), Exact), "MCP servers").example("{search: {command: mcp-search}}")];

pub(super) static PROVIDER: [Key; 3] = [
    Key::new("unsupportedKeywords", NAMES, "schema keywords the provider refuses").example("[pattern, format]"),
    Key::new("maxNameLength", Whole(1, 4096), "greatest length of a tool name").example("64"),
    Key::new(
        "maxDescriptionLength",
        Whole(1, 1 << 20),
        "greatest length of a description",
    )
    .example("1024"),
];

pub(super) static STATE: [Key; 1] = [
    Key::new("dir", Path, "where state is kept; default $XDG_STATE_HOME/toolctl")
        .obeyed()
        .example("~/.local/state/toolctl"),
];

pub(super) static TRANSCRIPT: [Key; 2] = [
    Key::new("dir", Path, "where transcripts are kept")
        .obeyed()
        .example("~/transcripts"),
    Key::new(
        "enabled",
        Bool,
        "whether calls are written down; default: with --session",
    ),
];

static ANCHOR: [Key; 3] = [
    Key::new(
        "command",
        Command,
        "told of the newest record, as JSON on standard input",
    )
    .example("[/usr/local/bin/keep-head]"),
    Key::new(
        "file",
        Path,
        "gets a line with number, hash and time of the newest record; best on another machine's disk",
    )
    .obeyed()
    .example("/mnt/elsewhere/toolctl.heads"),
    Key::new("every", Whole(1, MAX_COUNT), "after how many records").default("100"),
];

pub(super) static AUDIT: [Key; 5] = [
    Key::new("enabled", Bool, "whether every run is recorded beforehand").default("true"),
    Key::new(
        "calls",
        Bool,
        "whether the record holds each call without its secrets, and the files, programs and variables that deciding it looked \
         at, so that `audit replay` can judge it by another policy and `suggest` can propose rules",
    )
    .default("false"),
    Key::new(
        "maxBytes",
        Whole(65_536, MAX_COUNT),
        "size after which the record is set aside under the number of its last line, and goes on in a new file; absent: \
         never",
    )
    .example("104857600"),
    Key::new("anchor", Map(&ANCHOR), "where the newest record's hash is noted besides, so that nobody can make the record anew"),
    Key::new("path", Path, "the record; default audit.jsonl in the state directory")
        .obeyed()
        .example("/var/log/toolctl/audit.jsonl"),
];
