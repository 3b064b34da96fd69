//! Bedrock Converse: `toolUse` blocks in, `toolResult` blocks out; a whole turn is answered by one user message.

use super::answer::{Answer, Media, Part};
use super::{Form, Locate};
use crate::model::CallForm;
use serde_json::{Value, json};

/// The rows of this form.
pub(super) const FORM: Form = Form {
    kind: CallForm::Bedrock,
    word: "bedrock",
    calls: &[Locate {
        claims: |call| call.contains_key("toolUse"),
        id: &[&["toolUse", "toolUseId"]],
        name: &[&["toolUse", "name"]],
        args: &[&["toolUse", "input"]],
        free_text: false,
    }],
    answer,
    message: |answers| json!({"role": "user", "content": answers}),
};

fn answer(answer: &Answer<'_>) -> Value {
    let content: Vec<Value> = answer
        .parts(Media::Common)
        .iter()
        .map(|part| match part {
            Part::Text(text) => json!({"text": text}),
            Part::Image { data, mime_type } => {
                let format = mime_type.strip_prefix("image/").unwrap_or(mime_type);
                json!({"image": {"format": format, "source": {"bytes": data}}})
            }
        })
        .collect();
    let status = if answer.is_error() { "error" } else { "success" };
    json!({"toolResult": {"toolUseId": answer.id(), "content": content, "status": status}})
}
