//! How a declaration is written: the envelope around name, description and schema.

use super::source::Source;
use serde_json::{Map, Value, json};

/// An envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `{type: "function", function: {name, description, parameters, strict}}`
    OpenAi,
    /// `{type: "function", name, description, parameters, strict}`
    OpenAiResponses,
    /// `{name, description, input_schema, strict}`
    Anthropic,
    /// `{functionDeclarations: [{name, description, parameters}]}`
    Gemini,
    /// The same with `parametersJsonSchema`.
    GeminiJson,
    /// `{toolSpec: {name, description, inputSchema: {json}}}`
    Bedrock,
    /// `{name, description, inputSchema}` and what else the server says.
    Mcp,
    /// `{name, description, parameters}`
    Raw,
}

/// A tool ready to be written.
pub(super) struct Ready {
    /// Its name on the wire, and what was read of it.
    pub(super) source: Source,
    /// The schema in the provider's dialect; `None` when it goes without.
    pub(super) schema: Option<Value>,
    /// Whether the model is held to the schema; `None` when nothing is said of it.
    pub(super) strict: Option<bool>,
}

impl Form {
    /// Writes declarations as the API wants them in its list of tools.
    pub(super) fn write(self, tools: Vec<Ready>) -> Value {
        let all: Vec<Value> = tools.into_iter().map(|tool| self.one(tool)).collect();
        match self {
            // A list without declarations is refused.
            Self::Gemini | Self::GeminiJson if !all.is_empty() => {
                Value::Array(vec![wrapped("functionDeclarations", Value::Array(all))])
            }
            _ => Value::Array(all),
        }
    }

    fn one(self, tool: Ready) -> Value {
        let Ready { source, schema, strict } = tool;
        let mut out = Map::new();
        match self {
            Self::OpenAiResponses => {
                out.insert("type".to_owned(), json!("function"));
            }
            Self::Mcp => {
                out.insert("name".to_owned(), json!(source.name));
                if let Some(title) = source.rest.get("title") {
                    out.insert("title".to_owned(), title.clone());
                }
            }
            Self::OpenAi | Self::Anthropic | Self::Gemini | Self::GeminiJson | Self::Bedrock | Self::Raw => {}
        }
        out.entry("name").or_insert_with(|| json!(source.name));
        let description = source.description.unwrap_or_default();
        // Bedrock refuses a description without text.
        if !description.trim().is_empty() || self == Self::Raw {
            out.insert("description".to_owned(), Value::String(description));
        }
        if let Some(schema) = schema {
            let (key, schema) = match self {
                Self::OpenAi | Self::OpenAiResponses | Self::Gemini | Self::Raw => ("parameters", schema),
                Self::Anthropic => ("input_schema", schema),
                Self::GeminiJson => ("parametersJsonSchema", schema),
                Self::Bedrock => ("inputSchema", wrapped("json", schema)),
                Self::Mcp => ("inputSchema", schema),
            };
            out.insert(key.to_owned(), schema);
        }
        if self == Self::Mcp {
            for (key, value) in source.rest {
                out.entry(key).or_insert(value);
            }
        }
        let says_strict = matches!(self, Self::OpenAi | Self::OpenAiResponses | Self::Anthropic | Self::Raw);
        match strict {
            Some(strict) if says_strict => {
                out.insert("strict".to_owned(), json!(strict));
            }
            None if self == Self::OpenAiResponses => {
                out.insert("strict".to_owned(), json!(false));
            }
            _ => {}
        }
        match self {
            Self::OpenAi => {
                let mut whole = Map::new();
                whole.insert("type".to_owned(), json!("function"));
                whole.insert("function".to_owned(), Value::Object(out));
                Value::Object(whole)
            }
            Self::Bedrock => wrapped("toolSpec", Value::Object(out)),
            _ => Value::Object(out),
        }
    }
}

/// An object of one member.
fn wrapped(key: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(key.to_owned(), value)]))
}
