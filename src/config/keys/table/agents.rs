//! The rows under `approvals`, `agents`, `channels`, `sandbox` and `nodes`.

use super::super::Names::{AgentId, Exact};
use super::super::Narrows::{Inside, Yes};
use super::super::Shape::{Bool, Command, Entry, List, Map, Named, Overlay, Path, Text, Whole, Word};
use super::super::{Join, Key, Shape};
use super::exec::{ALLOWLIST, LIMITS, NETWORK};
use super::tools::{ACTIONS, TOOLS};
use super::{ASK, ASK_FALLBACK, DENY, NAMES, SECURITY};

static APPROVAL_DEFAULTS: [Key; 4] = [
    Key::new("security", SECURITY, "as tools.exec.security; the stricter wins"),
    Key::new("ask", ASK, "as tools.exec.ask; the stricter wins"),
    Key::new(
        "askFallback",
        ASK_FALLBACK,
        "as tools.exec.askFallback; the stricter wins",
    ),
    Key::new("autoAllowSkills", Bool, "read, without effect: there are no skills"),
];

static APPROVAL_AGENT: [Key; 5] = [
    Key::new("security", SECURITY, "as tools.exec.security; the stricter wins"),
    Key::new("ask", ASK, "as tools.exec.ask; the stricter wins"),
    Key::new(
        "askFallback",
        ASK_FALLBACK,
        "as tools.exec.askFallback; the stricter wins",
    ),
    Key::new("allowlist", ALLOWLIST, "executables that may run; adds to the others").example("[/usr/bin/rg]"),
    Key::new("autoAllowSkills", Bool, "read, without effect: there are no skills"),
];

static NOTIFY: [Key; 1] =
    [Key::new("command", Command, "run when a person must decide").example("[notify-send, toolctl]")];

pub(super) static APPROVALS: [Key; 3] = [
    Key::new("defaults", Map(&APPROVAL_DEFAULTS), "for every agent"),
    Key::new(
        "agents",
        Named(&Map(&APPROVAL_AGENT), AgentId),
        "for one agent, or * for all",
    )
    .example("{research: {ask: always}}"),
    Key::new("notify", Map(&NOTIFY), "how a person is told"),
];

static MOUNT: [Key; 2] = [
    Key::new("path", Path, "a path of the host")
        .example("/srv/data")
        .required(),
    Key::new("access", Word(&["ro", "rw"]), "how it is seen inside").default("ro"),
];

static KUBERNETES: [Key; 5] = [
    Key::new("context", Text, "context of the kubectl configuration").example("staging"),
    Key::new("namespace", Text, "the namespace of the pods").example("agents"),
    Key::new(
        "template",
        Path,
        "a Pod in YAML or JSON, to which the container of the sandbox is added",
    )
    .obeyed()
    .example("/etc/toolctl/pod.yaml"),
    Key::new(
        "volumeClaim",
        Text,
        "the claim of the volume that is the workspace; without it files are carried there and back",
    )
    .example("src"),
    Key::new(
        "networkPolicy",
        Bool,
        "whether the cluster keeps NetworkPolicy rules; without them sandbox.network must be host",
    ),
];

pub(super) static SANDBOX: [Key; 9] = [
    Key::new(
        "mode",
        Word(&["off", "non-main", "all"]),
        "which sessions run in a sandbox",
    )
    .default("off"),
    Key::new(
        "backend",
        Word(&["auto", "landlock", "bubblewrap", "docker", "podman", "kubernetes"]),
        "what makes the sandbox",
    )
    .default("auto"),
    Key::new(
        "workspaceAccess",
        Word(&["none", "ro", "rw"]),
        "how the workspace is seen inside",
    )
    .default("rw"),
    Key::new(
        "network",
        Entry(&NETWORK),
        "the network inside: none, host, or {allow: [hosts]} as in tools.exec.network",
    )
    .default("none"),
    Key::new("image", Text, "container image").example("debian:13"),
    Key::new(
        "kubernetes",
        Map(&KUBERNETES),
        "the pods of sessions, with backend kubernetes",
    ),
    Key::new("mounts", List(&Map(&MOUNT), Join::Replace), "further paths").example("[{path: /srv/data, access: ro}]"),
    Key::new("env", Named(&Text, Exact), "variables inside").example("{CI: \"1\"}"),
    Key::new("limits", Map(&LIMITS), "resource limits"),
];

static SUBAGENTS: [Key; 2] = [
    Key::new("maxSpawnDepth", Whole(1, 5), "how deep sub-agents may start others").default("1"),
    Key::new(
        "allowAgents",
        NAMES,
        "agents that every agent may start as sub-agents, besides its own kind; * for all",
    )
    .example("[research]"),
];

static AGENT_DEFAULTS: [Key; 4] = [
    Key::new(
        "command",
        Command,
        "the program that runs a sub-agent: it reads one JSON document, and what it prints is the report",
    )
    .example("[run-agent]"),
    Key::new("workspace", Path, "the directory agents work in").example("~/src"),
    Key::new("sandbox", Overlay(&SANDBOX), "laid over sandbox"),
    Key::new("subagents", Map(&SUBAGENTS), "sub-agents"),
];

static AGENT: [Key; 6] = [
    Key::new("command", Command, "as agents.defaults.command, for this agent").example("[run-agent, --research]"),
    Key::new("id", Text, "the agent's id")
        .example("research")
        .required()
        .narrows(Yes),
    Key::new("name", Text, "its name").example("Research"),
    Key::new("workspace", Path, "the directory it works in").example("~/src/research"),
    Key::new("sandbox", Overlay(&SANDBOX), "laid over agents.defaults.sandbox"),
    Key::new("tools", Overlay(&TOOLS), "everything under tools, for this agent").narrows(Inside),
];

pub(super) static AGENTS: [Key; 2] = [
    Key::new("defaults", Map(&AGENT_DEFAULTS), "for every agent"),
    Key::new("list", List(&Map(&AGENT), Join::ById), "the agents")
        .example("[{id: research, tools: {profile: minimal}}]")
        .narrows(Inside),
];

static GROUP_LISTS: [Key; 3] = [
    Key::new("allow", NAMES, "only these").example("[read]").narrows(Yes),
    Key::new("alsoAllow", NAMES, "these besides").example("[web_search]"),
    Key::new("deny", DENY, "never these; the lists of all layers add up")
        .example("[exec]")
        .narrows(Yes),
];

static SENDER_LISTS: [Key; 3] = [
    Key::new("allow", NAMES, "only these").example("[read]"),
    Key::new("alsoAllow", NAMES, "these besides").example("[exec]"),
    Key::new("deny", DENY, "never these; the lists of all layers add up").example("[exec]"),
];

static GROUP: [Key; 2] = [
    Key::new("tools", Map(&GROUP_LISTS), "the lists of this group").narrows(Inside),
    Key::new(
        "toolsBySender",
        Named(&Map(&SENDER_LISTS), Exact),
        "the lists of one sender: id:, e164:, username:, name: or *",
    )
    .example("{\"id:12345\": {alsoAllow: [exec]}}"),
];
const GROUPS: Shape = Named(&Map(&GROUP), Exact);

static ACCOUNT: [Key; 1] = [Key::new(
    "groups",
    GROUPS,
    "group id or * to its policy, in place of the channel's",
)
.example("{\"-100123\": {tools: {deny: [exec]}}}")];

pub(super) static CHANNEL: [Key; 3] = [
    Key::new(
        "actions",
        ACTIONS,
        "action of the message tool to whether it may be used",
    )
    .example("{delete: false}"),
    Key::new(
        "accounts",
        Named(&Map(&ACCOUNT), Exact),
        "accounts with groups of their own",
    )
    .example("{work: {groups: {\"*\": {tools: {deny: [exec]}}}}}"),
    Key::new("groups", GROUPS, "group id or * to its policy")
        .example("{\"*\": {tools: {allow: [read]}}}")
        .narrows(Inside),
];

static SSH: [Key; 5] = [
    Key::new("host", Text, "host name")
        .example("build.example.org")
        .required(),
    Key::new("port", Whole(1, 65_535), "port").example("22"),
    Key::new("user", Text, "user name").example("agent"),
    Key::new("identityFile", Path, "private key")
        .obeyed()
        .example("~/.ssh/id_agent"),
    Key::new("knownHostsFile", Path, "known host keys")
        .obeyed()
        .example("~/.ssh/known_hosts"),
];

static KUBECTL: [Key; 4] = [
    Key::new("context", Text, "context of the kubectl configuration").example("staging"),
    Key::new("namespace", Text, "its namespace").example("agents"),
    Key::new("pod", Text, "the pod").example("worker-0").required(),
    Key::new("container", Text, "the container in the pod").example("shell"),
];

pub(super) static NODE: [Key; 4] = [
    Key::new("ssh", Map(&SSH), "how it is reached"),
    Key::new("kubectl", Map(&KUBECTL), "the container it is, in place of ssh"),
    Key::new(
        "path",
        NAMES,
        "directories that programs are looked for in there; without it the usual ones",
    )
    .example("[/usr/bin]"),
    Key::new(
        "workdir",
        Text,
        "the directory commands run in there; without it the home directory",
    )
    .example("/srv/work"),
];
