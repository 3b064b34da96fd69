//! toolctl's own hook protocol.
//!
//! Standard input, one JSON object:
//! ```json
//! {"schemaVersion": 1, "event": "beforeToolCall", "tool": "exec", "args": {"command": "git push"}, "id": "call_1",
//!  "agent": "main", "session": "agent:main:main", "workspace": "/w", "transcript": null,
//!  "context": {"provider": null, "model": null, "owner": false, "sandbox": false, "spawnedBy": null, "subagentDepth": 0,
//!              "channel": null, "account": null, "group": null, "messageProvider": null,
//!              "sender": {"id": null, "name": null, "username": null, "e164": null}}}
//! ```
//! `afterToolCall` has the same, and `status`, `isError`, `code`, `result` (`{content, details}`, texts cut, image data
//! left out), `error` (one line, or null) and `durationMs`. Its output and exit status are ignored.
//!
//! Before-hook's answer: nothing, or one JSON object with any of
//! - `decision`: `allow` (no objection; it grants nothing), `block` (also `deny`) or `ask` (a person decides),
//! - `reason`: text for the model,
//! - `args`: an object that is merged over the arguments, key by key; `null` removes a key,
//! - `notes`: a list of texts for the model.
//!
//! Anything else on standard output, an unknown key, or an exit status other than 0 is a failure of the hook.

use super::{Decision, Protocol, Reply, Rewrite, event_content, event_error};
use crate::hook::call::HookCall;
use crate::json;
use crate::launch::Inherit;
use crate::model::Outcome;
use serde_json::{Map, Value, json};

/// The row of this protocol.
pub(super) const PROTOCOL: Protocol = Protocol {
    before,
    read,
    after,
    inherit: Inherit::Hook,
};

fn common(call: &HookCall<'_>, event: &str) -> Map<String, Value> {
    let context = call.context;
    let sender = &context.sender;
    let value = json!({
        "schemaVersion": 1,
        "event": event,
        "tool": call.tool,
        "args": call.args,
        "id": call.id,
        "agent": context.agent,
        "session": context.session,
        "workspace": context.workspace.to_string_lossy(),
        "transcript": call.transcript.map(|path| path.to_string_lossy()),
        "context": {
            "provider": context.provider,
            "model": context.model,
            "owner": context.owner,
            "sandbox": context.sandbox,
            "spawnedBy": context.spawned_by,
            "subagentDepth": context.subagent_depth,
            "channel": context.channel,
            "account": context.account,
            "group": context.group,
            "messageProvider": context.message_provider,
            "sender": {"id": sender.id, "name": sender.name, "username": sender.username, "e164": sender.e164},
        },
    });
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn before(call: &HookCall<'_>) -> Value {
    Value::Object(common(call, "beforeToolCall"))
}

fn after(call: &HookCall<'_>, outcome: &Outcome) -> Value {
    let mut event = common(call, "afterToolCall");
    let more = json!({
        "status": outcome.status.as_str(),
        "isError": outcome.status.is_error(),
        "code": outcome.code.as_str(),
        "result": {"content": event_content(outcome), "details": outcome.details},
        "error": event_error(outcome),
        "durationMs": outcome.duration_ms,
    });
    if let Value::Object(more) = more {
        event.extend(more);
    }
    Value::Object(event)
}

fn read(call: &HookCall<'_>, status: i32, stdout: &[u8], _stderr: &str) -> Result<Reply, String> {
    if status != 0 {
        return Err(format!("ended with status {status}"));
    }
    let text = std::str::from_utf8(stdout).map_err(|_| "did not answer in UTF-8".to_owned())?;
    if text.trim().is_empty() {
        return Ok(Reply::silent());
    }
    let answer = json::parse(text.trim()).map_err(|fault| format!("did not answer in JSON ({})", fault.message))?;
    let Value::Object(answer) = answer else {
        return Err("did not answer with a JSON object".to_owned());
    };
    let mut reply = Reply::silent();
    for (key, value) in answer {
        match (key.as_str(), value) {
            ("decision", Value::String(word)) => {
                reply.decision = match word.as_str() {
                    "allow" => Decision::None,
                    "ask" => Decision::Ask,
                    "block" | "deny" => Decision::Block,
                    _ => return Err(format!("gave an unknown decision, `{}`", word.escape_debug())),
                };
            }
            ("reason", Value::String(reason)) => reply.reason = Some(reason),
            ("args", Value::Object(changes)) => reply.args = Some(Rewrite::Merge(changes)),
            ("notes", Value::Array(notes)) => {
                let texts: Option<Vec<String>> = notes.iter().map(|note| note.as_str().map(str::to_owned)).collect();
                reply.notes = texts.ok_or("gave notes that are not texts")?;
            }
            (_, Value::Null) | ("schemaVersion", Value::Number(_)) => {}
            ("tool", tool) if tool == call.tool => {}
            ("tool", _) => return Err("tried to change the tool's name, which stays".to_owned()),
            ("decision" | "reason" | "args" | "notes" | "schemaVersion", _) => {
                return Err(format!("gave a `{key}` of the wrong type"));
            }
            (other, _) => return Err(format!("gave an unknown key, `{}`", other.escape_debug())),
        }
    }
    Ok(reply)
}
