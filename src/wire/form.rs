//! The table of wire forms: where each keeps a call's id, name and arguments, and who renders its answers.

use super::answer::Answer;
use crate::model::CallForm;
use serde_json::{Map, Value};

/// Paths into a call object; alternatives exclude one another.
pub(super) struct Locate {
    /// Whether an object is a call of this kind, judged from its keys alone.
    pub(super) claims: fn(&Map<String, Value>) -> bool,
    /// Where the id is.
    pub(super) id: &'static [&'static [&'static str]],
    /// Where the tool's name is.
    pub(super) name: &'static [&'static [&'static str]],
    /// Where the arguments are.
    pub(super) args: &'static [&'static [&'static str]],
    /// Whether the arguments are one free text (a custom tool), which becomes the argument `input`.
    pub(super) free_text: bool,
}

/// One wire form.
pub(super) struct Form {
    /// Which.
    pub(super) kind: CallForm,
    /// Its name as an option value.
    pub(super) word: &'static str,
    /// The kinds of call objects it has.
    pub(super) calls: &'static [Locate],
    /// One answer.
    pub(super) answer: fn(&Answer<'_>) -> Value,
    /// All answers to the calls of one message.
    pub(super) message: fn(Vec<Value>) -> Value,
}

/// Every form; a call must be claimed by exactly one row.
pub(super) const FORMS: [&Form; 7] = [
    &super::native::FORM,
    &super::openai::FORM,
    &super::responses::FORM,
    &super::anthropic::FORM,
    &super::gemini::FORM,
    &super::bedrock::FORM,
    &super::mcp::FORM,
];

/// The row of a form.
pub(super) fn row(form: CallForm) -> &'static Form {
    match form {
        CallForm::Native => &super::native::FORM,
        CallForm::OpenAi => &super::openai::FORM,
        CallForm::OpenAiResponses => &super::responses::FORM,
        CallForm::Anthropic => &super::anthropic::FORM,
        CallForm::Gemini => &super::gemini::FORM,
        CallForm::Bedrock => &super::bedrock::FORM,
        CallForm::Mcp => &super::mcp::FORM,
    }
}

/// The form with this option word (`native`, `openai`, …), spelled exactly.
pub fn form_named(word: &str) -> Option<CallForm> {
    FORMS.iter().find(|row| row.word == word).map(|row| row.kind)
}

/// The option word of a form.
pub fn form_word(form: CallForm) -> &'static str {
    row(form).word
}

/// Whether `map[key]` is the text `want`.
pub(super) fn is_text(map: &Map<String, Value>, key: &str, want: &str) -> bool {
    map.get(key).and_then(Value::as_str) == Some(want)
}
