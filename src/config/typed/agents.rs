//! `agents`, `approvals` and `sandbox`.

use super::Reader;
use super::exec::{allow_entries, limits, network};
use super::read::texts;
use super::tools::tools;
use crate::config::node::Node;
use crate::config::{
    AgentSettings, AgentsSettings, ApprovalScope, ApprovalSettings, KubernetesSettings, SandboxMode, SandboxMount,
    SandboxSettings, WorkspaceAccess,
};
use crate::model::{Ask, AskFallback, Security, Sourced, agent_id};

pub(super) fn approvals(reader: &Reader<'_>, map: &Node) -> ApprovalSettings {
    let agents = map.get("agents").map(Node::entries).unwrap_or_default();
    let name = |key: &str| if key == "*" { key.to_owned() } else { agent_id(key) };
    ApprovalSettings {
        defaults: map.get("defaults").map(|n| approval(reader, n)).unwrap_or_default(),
        agents: agents
            .iter()
            .map(|e| (name(&e.key), approval(reader, &e.value)))
            .collect(),
        notify: map
            .get("notify")
            .filter(|n| n.get("command").is_some())
            .map(|n| reader.command(n, "command")),
    }
}

fn approval(reader: &Reader<'_>, map: &Node) -> ApprovalScope {
    ApprovalScope {
        security: reader.word(map, "security", Security::parse),
        ask: reader.word(map, "ask", Ask::parse),
        ask_fallback: reader.word(map, "askFallback", AskFallback::parse),
        allowlist: allow_entries(reader, map).unwrap_or_default(),
    }
}

pub(super) fn agents(reader: &Reader<'_>, map: &Node) -> AgentsSettings {
    let defaults = map.get("defaults");
    let depth = defaults
        .and_then(|d| d.get("subagents"))
        .and_then(|s| reader.whole(s, "maxSpawnDepth"));
    let list = map.get("list").map(Node::items).unwrap_or_default();
    AgentsSettings {
        workspace: defaults.and_then(|d| reader.path(d, "workspace")),
        sandbox: defaults
            .and_then(|d| d.get("sandbox"))
            .map(|s| sandbox(reader, s))
            .unwrap_or_default(),
        max_spawn_depth: depth,
        allow_agents: defaults
            .and_then(|d| d.get("subagents"))
            .map(|s| texts(s, "allowAgents"))
            .unwrap_or_default(),
        command: defaults
            .filter(|d| d.get("command").is_some())
            .map(|d| reader.command(d, "command")),
        list: list.iter().filter_map(|item| agent(reader, item)).collect(),
    }
}

fn agent(reader: &Reader<'_>, item: &Node) -> Option<AgentSettings> {
    Some(AgentSettings {
        id: agent_id(item.get("id")?.text()?),
        name: reader.text(item, "name").map(|n| n.value),
        command: item.get("command").map(|_| reader.command(item, "command")),
        workspace: reader.path(item, "workspace"),
        sandbox: item.get("sandbox").map(|s| sandbox(reader, s)).unwrap_or_default(),
        tools: item.get("tools").map(|t| tools(reader, t)).unwrap_or_default(),
        origin: reader.origin(item),
    })
}

pub(super) fn sandbox(reader: &Reader<'_>, map: &Node) -> SandboxSettings {
    SandboxSettings {
        mode: reader.word(map, "mode", |word| match word {
            "off" => Some(SandboxMode::Off),
            "non-main" => Some(SandboxMode::NonMain),
            "all" => Some(SandboxMode::All),
            _ => None,
        }),
        workspace_access: reader.word(map, "workspaceAccess", |word| match word {
            "none" => Some(WorkspaceAccess::None),
            "ro" => Some(WorkspaceAccess::ReadOnly),
            "rw" => Some(WorkspaceAccess::ReadWrite),
            _ => None,
        }),
        backend: reader.text(map, "backend"),
        network: network(reader, map),
        image: reader.text(map, "image"),
        kubernetes: map.get("kubernetes").map(|map| kubernetes(reader, map)),
        mounts: map.get("mounts").map(|list| mounts(reader, list)),
        env: map.get("env").map(|_| Reader::pairs(map, "env")),
        limits: limits(reader, map),
    }
}

fn kubernetes(reader: &Reader<'_>, map: &Node) -> KubernetesSettings {
    let text = |key| reader.text(map, key).map(|text| text.value);
    KubernetesSettings {
        context: text("context"),
        namespace: text("namespace"),
        template: reader.path(map, "template").map(|path| path.value),
        volume_claim: text("volumeClaim"),
        network_policy: reader.boolean(map, "networkPolicy").is_some_and(|shuts| shuts.value),
    }
}

fn mounts(reader: &Reader<'_>, list: &Node) -> Vec<Sourced<SandboxMount>> {
    let mount = |item: &Node| {
        let mount = SandboxMount {
            path: reader.path(item, "path")?.value,
            writable: item.get("access").and_then(Node::text) == Some("rw"),
        };
        Some(reader.sourced(item, mount))
    };
    list.items().iter().filter_map(mount).collect()
}
