//! `tools` and `agents.list[].tools`.

use super::Reader;
use super::exec::{decision, exec};
use super::lists::{name_list, scope};
use super::read::texts;
use crate::config::node::{Entry, Node};
use crate::config::scalar;
use crate::config::{
    ArgumentCondition, ArgumentRule, ElevatedSettings, FetchSettings, LoopSettings, PathSettings, ResultFormat,
    ResultSettings, ScopePolicy, SessionVisibility, ToolsSettings,
};
use crate::model::{ElevatedLevel, Origin, Sourced, Verdict, normalise_tool};
use std::collections::BTreeMap;

pub(super) fn tools(reader: &Reader<'_>, map: &Node) -> ToolsSettings {
    let by_provider = map.get("byProvider").map(Node::entries).unwrap_or_default();
    ToolsSettings {
        policy: scope(reader, map),
        by_provider: by_provider
            .iter()
            .map(|e| {
                let name = Sourced::new(e.key.clone(), reader.files.origin(e.place));
                (name, scope(reader, &e.value))
            })
            .collect(),
        strip_plugin_only: reader.word(map, "pluginOnlyAllowlist", |word| Some(word == "strip")),
        actions: actions(reader, map),
        sandbox: context(reader, map, "sandbox"),
        subagents: context(reader, map, "subagents"),
        workspace_only: map.get("fs").and_then(|n| reader.boolean(n, "workspaceOnly")),
        max_bytes: map.get("fs").and_then(|n| reader.whole(n, "maxBytes")),
        fs_section: section(reader, map, "fs"),
        exec_section: section(reader, map, "exec"),
        exec: map.get("exec").map(|n| exec(reader, n)).unwrap_or_default(),
        elevated: map.get("elevated").map(|n| elevated(reader, n)).unwrap_or_default(),
        loop_detection: map
            .get("loopDetection")
            .map(|n| detection(reader, n))
            .unwrap_or_default(),
        web_search: map.get("web").and_then(|web| exists(reader, web, "search")),
        web_fetch: map.get("web").and_then(|web| exists(reader, web, "fetch")),
        fetch: map
            .get("web")
            .and_then(|web| web.get("fetch"))
            .map(|n| fetch(reader, n))
            .unwrap_or_default(),
        message: exists(reader, map, "message"),
        session_visibility: map
            .get("sessions")
            .and_then(|n| reader.word(n, "visibility", SessionVisibility::parse)),
        results: map.get("results").map(|n| results(reader, n)).unwrap_or_default(),
        ask: name_list(reader, map, "ask"),
        rules: argument_rules(reader, map),
        paths: map.get("paths").map(|n| paths(reader, n)).unwrap_or_default(),
    }
}

/// The `rules` of a mapping. What is no condition has stopped everything before; should it get here, a refusal without it
/// refuses more, and an allowance is left out.
pub(in crate::config) fn argument_rules(reader: &Reader<'_>, map: &Node) -> Vec<Sourced<ArgumentRule>> {
    let text = |item: &Node, key: &str| item.get(key).and_then(Node::text).map(str::to_owned);
    let items = map.get("rules").map(Node::items).unwrap_or_default();
    let rules = items.iter().filter_map(|item| {
        let decision = decision(item)?;
        let written = item.get("where").map(Node::entries).unwrap_or_default();
        let read = |entry: &Entry| ArgumentCondition::parse(&entry.key, &scalar::json(&entry.value)).ok();
        let conditions: Vec<_> = written.iter().filter_map(read).collect();
        if decision == Verdict::Allow && conditions.len() < written.len() {
            return None;
        }
        let rule = ArgumentRule {
            tool: text(item, "tool")?,
            conditions,
            decision,
            reason: text(item, "reason"),
            instead: text(item, "instead"),
        };
        Some(reader.sourced(item, rule))
    });
    rules.collect()
}

/// The lists of `paths`.
pub(in crate::config) fn paths(reader: &Reader<'_>, map: &Node) -> PathSettings {
    PathSettings {
        read: name_list(reader, map, "read"),
        write: name_list(reader, map, "write"),
        deny: name_list(reader, map, "deny"),
    }
}

fn fetch(reader: &Reader<'_>, map: &Node) -> FetchSettings {
    FetchSettings {
        allow_hosts: name_list(reader, map, "allowHosts"),
        deny_hosts: name_list(reader, map, "denyHosts"),
        allow_private: reader.boolean(map, "allowPrivate"),
        max_bytes: reader.whole(map, "maxBytes"),
        max_redirects: reader.whole(map, "maxRedirects"),
        timeout_sec: reader.whole(map, "timeoutSec"),
        cache_min: reader.whole(map, "cacheMin"),
    }
}

/// Whether the tool of a section exists.
fn exists(reader: &Reader<'_>, map: &Node, key: &str) -> Option<Sourced<bool>> {
    map.get(key).and_then(|section| reader.boolean(section, "enabled"))
}

/// The place of a section that somebody wrote; one made of defaults alone is not there.
fn section(reader: &Reader<'_>, map: &Node, key: &str) -> Option<Origin> {
    let entry = map.entries().iter().find(|e| e.key == key)?;
    (!entry.place.is_built_in()).then(|| reader.files.origin(entry.place))
}

fn context(reader: &Reader<'_>, map: &Node, key: &str) -> ScopePolicy {
    let lists = map.get(key).and_then(|n| n.get("tools"));
    lists.map(|n| scope(reader, n)).unwrap_or_default()
}

fn actions(reader: &Reader<'_>, map: &Node) -> BTreeMap<String, BTreeMap<String, Sourced<bool>>> {
    let tools = map.get("actions").map(Node::entries).unwrap_or_default();
    let mut all: BTreeMap<String, BTreeMap<String, Sourced<bool>>> = BTreeMap::new();
    for tool in tools {
        let of_tool = all.entry(normalise_tool(&tool.key)).or_default();
        for (action, allowed) in action_map(reader, &tool.value) {
            strictest(of_tool, action, allowed);
        }
    }
    all
}

/// Two spellings of one tool: a refusal of either stays.
fn strictest(into: &mut BTreeMap<String, Sourced<bool>>, action: String, allowed: Sourced<bool>) {
    match into.get(&action) {
        Some(present) if !present.value => {}
        _ => {
            into.insert(action, allowed);
        }
    }
}

/// Action → whether it may be used.
pub(super) fn action_map(reader: &Reader<'_>, map: &Node) -> BTreeMap<String, Sourced<bool>> {
    let entries = map.entries().iter();
    entries
        .filter_map(|e| Some((e.key.clone(), reader.boolean(map, &e.key)?)))
        .collect()
}

fn elevated(reader: &Reader<'_>, map: &Node) -> ElevatedSettings {
    ElevatedSettings {
        enabled: reader.boolean(map, "enabled"),
        allow_from: map.get("allowFrom").map(|from| {
            let entries = from.entries().iter();
            entries.map(|e| (e.key.clone(), texts(from, &e.key))).collect()
        }),
        default_level: reader.word(map, "defaultLevel", ElevatedLevel::parse),
    }
}

fn detection(reader: &Reader<'_>, map: &Node) -> LoopSettings {
    let detector = |key: &str| map.get("detectors").and_then(|d| reader.boolean(d, key));
    LoopSettings {
        enabled: reader.boolean(map, "enabled"),
        only_warns: reader.word(map, "mode", |word| Some(word == "warn")),
        history_size: reader.whole(map, "historySize"),
        warning_threshold: reader.whole(map, "warningThreshold"),
        unknown_tool_threshold: reader.whole(map, "unknownToolThreshold"),
        critical_threshold: reader.whole(map, "criticalThreshold"),
        global_circuit_breaker_threshold: reader.whole(map, "globalCircuitBreakerThreshold"),
        generic_repeat: detector("genericRepeat"),
        known_poll_no_progress: detector("knownPollNoProgress"),
        ping_pong: detector("pingPong"),
    }
}

fn results(reader: &Reader<'_>, map: &Node) -> ResultSettings {
    let redact = map.get("redact");
    let patterns = redact
        .and_then(|r| r.get("patterns"))
        .map(Node::items)
        .unwrap_or_default();
    ResultSettings {
        max_chars: reader.whole(map, "maxChars"),
        context_window_tokens: reader.whole(map, "contextWindowTokens"),
        format: reader.word(map, "format", |word| match word {
            "auto" => Some(ResultFormat::Auto),
            "markdown" => Some(ResultFormat::Markdown),
            "plain" => Some(ResultFormat::Plain),
            _ => None,
        }),
        redact_enabled: redact.and_then(|r| reader.boolean(r, "enabled")),
        redact_patterns: patterns
            .iter()
            .filter_map(|p| Some(reader.sourced(p, p.text()?.to_owned())))
            .collect(),
        max_image_bytes: map.get("media").and_then(|m| reader.whole(m, "maxImageBytes")),
    }
}
