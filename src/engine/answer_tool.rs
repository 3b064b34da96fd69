//! Tools that touch nothing: they answer from what toolctl knows.

use super::Engine;
use crate::config::AgentSettings;
use crate::model::AnswerTool;
use crate::tool::ToolResult;
use serde_json::{Value, json};

impl Engine<'_> {
    /// What such a tool answers.
    pub(super) fn answer_of(&self, tool: AnswerTool) -> ToolResult {
        match tool {
            AnswerTool::AgentsList => self.agents_list(),
        }
    }

    /// `agents_list`: the agents of the configuration, the caller's first.
    fn agents_list(&self) -> ToolResult {
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
