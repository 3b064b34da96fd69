//! The one place that knows which keywords of a schema hold schemas.

use super::report::{Change, ChangeKind, Refusal, push_segment};

/// How deep schemas may nest, references written out included.
pub(crate) const MAX_SCHEMA_DEPTH: usize = 64;

/// How many nodes a schema may gain by writing references out.
pub(crate) const MAX_NODES: usize = 60_000;

/// What a keyword holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A schema.
    Schema,
    /// A list of schemas.
    List,
    /// Schemas by name.
    Map,
    /// Anything but schemas.
    Data,
}

/// What a keyword holds.
pub(crate) fn holds(keyword: &str) -> Holds {
    match keyword {
        "items"
        | "additionalProperties"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Holds::Schema,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => Holds::List,
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => Holds::Map,
        _ => Holds::Data,
    }
}

/// Whether a keyword only says something about a node and never judges a value.
pub(crate) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "examples"
            | "example"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$comment"
            | "$defs"
            | "definitions"
            | "$id"
            | "$schema"
            | "$anchor"
            | "format"
            | "contentEncoding"
            | "contentMediaType"
            | "contentSchema"
            | "propertyOrdering"
            | "discriminator"
    ) || !is_known(keyword)
}

/// Whether a keyword belongs to JSON Schema 2020-12 and judges values (or refers).
fn is_known(keyword: &str) -> bool {
    holds(keyword) != Holds::Data
        || matches!(
            keyword,
            "$ref"
                | "$dynamicRef"
                | "type"
                | "enum"
                | "const"
                | "required"
                | "minimum"
                | "maximum"
                | "exclusiveMinimum"
                | "exclusiveMaximum"
                | "multipleOf"
                | "minLength"
                | "maxLength"
                | "pattern"
                | "minItems"
                | "maxItems"
                | "uniqueItems"
                | "minContains"
                | "maxContains"
                | "minProperties"
                | "maxProperties"
                | "dependentRequired"
                | "nullable"
        )
}

/// Where a pass is, and what it has changed so far.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    pointer: String,
    marks: Vec<usize>,
    changes: Vec<Change>,
}

impl Trail {
    /// Steps down one segment; refuses to go deeper than schemas may nest.
    pub(crate) fn enter(&mut self, segment: &str) -> Result<(), Refusal> {
        // Two segments a level (`properties` and its name) is the most that a schema needs.
        if self.marks.len() > 2 * MAX_SCHEMA_DEPTH {
            return Err(self.refuse(format!("schema nests deeper than {MAX_SCHEMA_DEPTH} levels")));
        }
        self.marks.push(self.pointer.len());
        push_segment(&mut self.pointer, segment);
        Ok(())
    }

    /// Steps back up.
    pub(crate) fn leave(&mut self) {
        if let Some(mark) = self.marks.pop() {
            self.pointer.truncate(mark);
        }
    }

    /// Notes a change of a keyword here.
    pub(crate) fn note(&mut self, kind: ChangeKind, keyword: &str, detail: impl Into<String>) {
        self.changes.push(Change {
            kind,
            pointer: self.pointer.clone(),
            keyword: keyword.to_owned(),
            detail: detail.into(),
        });
    }

    /// A refusal here.
    pub(crate) fn refuse(&self, message: impl Into<String>) -> Refusal {
        Refusal {
            pointer: self.pointer.clone(),
            message: message.into(),
        }
    }

    /// The changes, in the order in which they were made.
    pub(crate) fn into_changes(self) -> Vec<Change> {
        self.changes
    }
}
