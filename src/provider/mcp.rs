//! Model Context Protocol: any JSON Schema whose root is an object.

use super::{Arguments, Form, NameRule, Provider};
use crate::schema::{Dialect, Items, Root};

const DIALECT: Dialect = Dialect {
    name: "mcp",
    root: Root::Object,
    items: Items::Free,
    ..Dialect::JSON_SCHEMA
};

/// The provider.
pub(super) const PROVIDER: Provider = Provider {
    name: "mcp",
    dialect: DIALECT,
    strict: None,
    form: Form::Mcp,
    names: NameRule::MCP,
    most_tools: None,
    arguments: Arguments::Always,
};
