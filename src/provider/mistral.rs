//! Mistral: JSON Schema as it is.

use super::{Arguments, Form, NameRule, Provider};
use crate::schema::Dialect;

const DIALECT: Dialect = Dialect {
    name: "mistral",
    ..Dialect::JSON_SCHEMA
};

/// The provider.
pub(super) const PROVIDER: Provider = Provider {
    name: "mistral",
    dialect: DIALECT,
    strict: None,
    form: Form::OpenAi,
    names: NameRule::WORD_64,
    most_tools: None,
    arguments: Arguments::Always,
};
