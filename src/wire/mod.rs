//! Call forms in, results out: one row per wire form, each saying where a call keeps its parts and how an answer looks.
//!
//! Reads JSON text and nothing else; knows no tool, no policy, no clock. Whatever is not exactly one known form is
//! refused with the JSON pointer of the fault, never guessed at.

mod answer;
mod anthropic;
mod bedrock;
mod document;
mod form;
mod gemini;
mod item;
mod mcp;
mod native;
mod openai;
mod responses;
mod table;

pub use answer::malformed_outcome;
pub use document::{Document, Incoming, MAX_CALLS, Malformed, ReplyTo, Shape, call_id, parse_calls};
pub use item::item_id;
pub use native::framed;
pub use table::{form_named, form_word, render, render_all};

use form::{Form, Locate};

#[cfg(test)]
mod tests;
