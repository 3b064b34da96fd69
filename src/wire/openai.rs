//! OpenAI Chat Completions: `tool_calls` entries in, messages of role `tool` out (text only, no error flag).

use super::answer::{Answer, Media};
use super::form::is_text;
use super::{Form, Locate};
use crate::model::CallForm;
use serde_json::{Map, Value, json};

/// The rows of this form.
pub(super) const FORM: Form = Form {
    kind: CallForm::OpenAi,
    word: "openai",
    calls: &[
        Locate {
            claims: function,
            id: &[&["id"]],
            name: &[&["function", "name"]],
            args: &[&["function", "arguments"]],
            free_text: false,
        },
        Locate {
            claims: custom,
            id: &[&["id"]],
            name: &[&["custom", "name"]],
            args: &[&["custom", "input"]],
            free_text: true,
        },
    ],
    answer,
    message: Value::Array,
};

fn function(call: &Map<String, Value>) -> bool {
    call.get("function").is_some_and(Value::is_object)
        && (is_text(call, "type", "function") || !call.contains_key("type"))
}

fn custom(call: &Map<String, Value>) -> bool {
    is_text(call, "type", "custom") && call.get("custom").is_some_and(Value::is_object)
}

fn answer(answer: &Answer<'_>) -> Value {
    json!({
        "role": "tool",
        "tool_call_id": answer.id(),
        "content": answer.text(Media::Named),
    })
}
