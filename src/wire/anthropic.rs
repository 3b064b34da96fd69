//! Anthropic Messages: `tool_use` blocks in, `tool_result` blocks out; a whole turn is answered by one user message.

use super::answer::{Answer, Media, Part};
use super::form::is_text;
use super::{Form, Locate};
use crate::model::CallForm;
use serde_json::{Map, Value, json};

/// The rows of this form.
pub(super) const FORM: Form = Form {
    kind: CallForm::Anthropic,
    word: "anthropic",
    calls: &[Locate {
        claims,
        id: &[&["id"]],
        name: &[&["name"]],
        args: &[&["input"]],
        free_text: false,
    }],
    answer,
    message: |answers| json!({"role": "user", "content": answers}),
};

fn claims(call: &Map<String, Value>) -> bool {
    is_text(call, "type", "tool_use")
}

fn answer(answer: &Answer<'_>) -> Value {
    let content: Vec<Value> = answer
        .parts(Media::Common)
        .iter()
        .map(|part| match part {
            Part::Text(text) => json!({"type": "text", "text": text}),
            Part::Image { data, mime_type } => {
                json!({"type": "image", "source": {"type": "base64", "media_type": mime_type, "data": data}})
            }
        })
        .collect();
    let mut block = Map::new();
    block.insert("type".to_owned(), json!("tool_result"));
    block.insert("tool_use_id".to_owned(), json!(answer.id()));
    block.insert("content".to_owned(), Value::Array(content));
    if answer.is_error() {
        block.insert("is_error".to_owned(), json!(true));
    }
    Value::Object(block)
}
