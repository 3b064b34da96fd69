//! `agents_list`: the agents that may be addressed.

use super::Engine;
use crate::tool::ToolResult;
use serde_json::{Value, json};

impl Engine<'_> {
    /// The agents of the configuration, the caller's first.
    pub(super) fn agents_list(&self) -> ToolResult {
        let own = &self.context.agent;
        let mut agents: Vec<Value> = vec![self.describe(own)];
        let others = self
            .config
            .base
            .agents
            .list
            .iter()
            .map(|a| &a.id)
            .filter(|id| *id != own);
        agents.extend(others.map(|id| self.describe(id)));
        let names: Vec<&str> = agents
            .iter()
            .filter_map(|a| a.get("id").and_then(Value::as_str))
            .collect();
        ToolResult::text(names.join("\n"))
            .detail("requester", own.clone())
            .detail("agents", agents)
    }

    fn describe(&self, id: &str) -> Value {
        let entry = self.config.base.agents.find(id);
        json!({"id": id, "name": entry.and_then(|a| a.name.clone()), "configured": entry.is_some()})
    }
}
