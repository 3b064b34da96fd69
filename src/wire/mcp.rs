//! MCP: a JSON-RPC `tools/call` request in, its response out. An unknown tool and a bad request are JSON-RPC errors;
//! everything a model can react to is a result with `isError`.

use super::answer::{Answer, with_head};
use super::form::is_text;
use super::{Form, Locate};
use crate::model::{CallForm, Code};
use serde_json::{Map, Value, json};

/// JSON-RPC "invalid params", which MCP uses for unknown tools and bad requests.
const INVALID_PARAMS: i32 = -32602;

/// The rows of this form.
pub(super) const FORM: Form = Form {
    kind: CallForm::Mcp,
    word: "mcp",
    calls: &[Locate {
        claims,
        id: &[&["id"]],
        name: &[&["params", "name"]],
        args: &[&["params", "arguments"]],
        free_text: false,
    }],
    answer,
    message: Value::Array,
};

fn claims(call: &Map<String, Value>) -> bool {
    is_text(call, "method", "tools/call")
}

fn answer(answer: &Answer<'_>) -> Value {
    let code = answer.outcome.code;
    if matches!(code, Code::UnknownTool | Code::MalformedCall) {
        let message = answer.outcome.reason.as_deref().unwrap_or(code.as_str());
        return json!({
            "jsonrpc": "2.0",
            "id": answer.request_id(),
            "error": {"code": INVALID_PARAMS, "message": message},
        });
    }
    json!({
        "jsonrpc": "2.0",
        "id": answer.request_id(),
        "result": {
            "resultType": "complete",
            "content": with_head(answer),
            "isError": answer.is_error(),
        },
    })
}
