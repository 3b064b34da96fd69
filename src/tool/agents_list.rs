//! `agents_list {}`: the agents that may be addressed.

use super::{AnswerTool, Asking, ToolError, ToolResult};
use crate::config::AgentSettings;
use serde_json::{Map, Value, json};

/// The row of this tool.
pub static TOOL: AnswerTool = AnswerTool {
    id: "agents_list",
    actions: &[],
    answer,
};

/// The agents of the configuration, the caller's first.
#[expect(clippy::unnecessary_wraps, reason = "every row has this form")]
fn answer(asking: &Asking<'_>, _: &Map<String, Value>) -> Result<ToolResult, ToolError> {
    let effective = asking.effective;
    let own = &effective.context.agent;
    let listed = &effective.config.base.agents.list;
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
    Ok(ToolResult::text(names.join("\n"))
        .detail("requester", own.clone())
        .detail("agents", agents))
}
