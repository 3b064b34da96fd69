//! OpenAI Responses: the same schemas in a flat form; `strict` is always said, because left out it is tried.

use super::{Arguments, Form, NameRule, Provider, Strict, openai};

/// The provider.
pub(super) const PROVIDER: Provider = Provider {
    name: "openai-responses",
    dialect: openai::DIALECT,
    strict: Some(Strict {
        dialect: openai::STRICT,
    }),
    form: Form::OpenAiResponses,
    names: NameRule::WORD_64,
    most_tools: Some(128),
    arguments: Arguments::Always,
};
