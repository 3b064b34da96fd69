//! What a sub-agent may not use (policy.md 3.8, D2).

use super::matcher::{Entry, built_in, entries};
use super::session::SessionKey;
use super::step::Lists;
use crate::config::ScopePolicy;
use crate::model::Context;

const ALWAYS: &[&str] = &[
    "gateway",
    "agents_list",
    "whatsapp_login",
    "session_status",
    "cron",
    "sessions_send",
    "memory_search",
    "memory_get",
];
const LEAF: &[&str] = &["subagents", "sessions_list", "sessions_history", "sessions_spawn"];

/// Whether the context is a sub-agent's.
pub(super) fn applies(context: &Context) -> bool {
    context.subagent_depth > 0
        || context
            .session
            .as_deref()
            .is_some_and(|s| SessionKey::parse(s).is_subagent())
}

/// The sub-agent policy: built-in refusals, less what is re-allowed by name, plus the configured lists.
pub(super) fn policy(config: &ScopePolicy, max_depth: u32, context: &Context) -> Option<Lists> {
    if !applies(context) {
        return None;
    }
    let leaf = context.subagent_depth >= max_depth.max(1) && context.subagent_depth > 0;
    let allow = config.allow.as_ref().map(entries);
    let also = config.also_allow.as_ref().map(entries);
    let lifted = |name: &Entry| {
        let hit = |list: &Option<Vec<Entry>>| list.as_ref().is_some_and(|l| l.iter().any(|e| e.value == name.value));
        hit(&allow) || hit(&also)
    };
    let mut deny = built_in(ALWAYS);
    if leaf {
        deny.extend(built_in(LEAF));
    }
    deny.retain(|name| !lifted(name));
    deny.extend(config.deny.iter().flat_map(entries));
    let allow_origin = config.allow.as_ref().map(|l| l.origin.clone());
    let allow = match (allow, also) {
        (Some(mut allow), Some(also)) => {
            allow.extend(also);
            Some(allow)
        }
        (allow, _) => allow,
    };
    Some(Lists {
        allow,
        deny,
        allow_origin,
    })
}
