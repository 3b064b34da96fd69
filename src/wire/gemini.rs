//! Gemini: `functionCall` parts in, `functionResponse` parts out; the id is echoed only where one was given.

use super::answer::{Answer, Media, Part};
use super::{Form, Locate};
use crate::model::CallForm;
use serde_json::{Map, Value, json};

/// The rows of this form.
pub(super) const FORM: Form = Form {
    kind: CallForm::Gemini,
    word: "gemini",
    calls: &[
        Locate {
            claims: |call| call.contains_key("functionCall"),
            id: &[&["functionCall", "id"]],
            name: &[&["functionCall", "name"]],
            args: &[&["functionCall", "args"]],
            free_text: false,
        },
        Locate {
            claims: |call| call.contains_key("function_call"),
            id: &[&["function_call", "id"]],
            name: &[&["function_call", "name"]],
            args: &[&["function_call", "args"]],
            free_text: false,
        },
    ],
    answer,
    message: |answers| json!({"role": "user", "parts": answers}),
};

fn answer(answer: &Answer<'_>) -> Value {
    let mut response = Map::new();
    if answer.reply.given_id.is_some() {
        response.insert("id".to_owned(), json!(answer.id()));
    }
    response.insert("name".to_owned(), json!(answer.reply.name));
    let key = if answer.is_error() { "error" } else { "output" };
    response.insert("response".to_owned(), json!({key: answer.text(Media::Common)}));
    let media: Vec<Value> = answer
        .parts(Media::Common)
        .iter()
        .filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Image { data, mime_type } => Some(json!({"inlineData": {"mimeType": mime_type, "data": data}})),
        })
        .collect();
    if !media.is_empty() {
        response.insert("parts".to_owned(), Value::Array(media));
    }
    json!({"functionResponse": response})
}
