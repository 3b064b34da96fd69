//! OpenAI Responses: `function_call` items in, `function_call_output` items out, matched by `call_id`.

use super::answer::{Answer, Media, Part, data_url};
use super::form::is_text;
use super::{Form, Locate};
use crate::model::CallForm;
use serde_json::{Map, Value, json};

/// The rows of this form.
pub(super) const FORM: Form = Form {
    kind: CallForm::OpenAiResponses,
    word: "openai-responses",
    calls: &[
        Locate {
            claims: function,
            id: &[&["call_id"]],
            name: &[&["name"]],
            args: &[&["arguments"]],
            free_text: false,
        },
        Locate {
            claims: custom,
            id: &[&["call_id"]],
            name: &[&["name"]],
            args: &[&["input"]],
            free_text: true,
        },
    ],
    answer,
    message: Value::Array,
};

fn function(call: &Map<String, Value>) -> bool {
    is_text(call, "type", "function_call")
}

fn custom(call: &Map<String, Value>) -> bool {
    is_text(call, "type", "custom_tool_call")
}

fn answer(answer: &Answer<'_>) -> Value {
    let kind = if answer.reply.free_text {
        "custom_tool_call_output"
    } else {
        "function_call_output"
    };
    let parts = answer.parts(Media::Common);
    let output = if parts.iter().any(|part| matches!(part, Part::Image { .. })) {
        parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => json!({"type": "input_text", "text": text}),
                Part::Image { data, mime_type } => {
                    json!({"type": "input_image", "image_url": data_url(mime_type, data)})
                }
            })
            .collect()
    } else {
        Value::String(answer.text(Media::Common))
    };
    json!({"type": kind, "call_id": answer.id(), "output": output})
}
