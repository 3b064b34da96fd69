//! `agents_list`: the agents that may be addressed.

use super::Engine;
use crate::config::AgentSettings;
use crate::tool::ToolResult;
use serde_json::{Value, json};

impl Engine<'_> {
    /// The agents of the configuration, the caller's first.
    pub(super) fn agents_list(&self) -> ToolResult {
        let own = &self.context.agent;
        let listed = &self.config.base.agents.list;
        let (mine, others): (Vec<_>, Vec<_>) = listed.iter().partition(|agent| agent.id == *own);
        let describe = |agent: &AgentSettings| json!({"id": agent.id, "name": agent.name, "configured": true});
        let mut agents = match mine.first() {
            Some(agent) => vec![describe(agent)],
            None => vec![json!({"id": own, "name": null, "configured": false})],
        };
        agents.extend(others.into_iter().map(describe));
        let names: Vec<&str> = agents
            .iter()
            .filter_map(|a| a.get("id").and_then(Value::as_str))
            .collect();
        ToolResult::text(names.join("\n"))
            .detail("requester", own.clone())
            .detail("agents", agents)
    }
}
