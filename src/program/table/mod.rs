//! The rows, in files by what programs are for.

use super::row::Family;

mod archive;
mod build;
mod cloud;
mod container;
mod coreutils;
mod database;
mod document;
mod editors;
mod files;
mod git;
mod languages;
mod network;
mod node;
mod python;
mod rust;
mod search;
mod shells;
mod system;
mod text;
mod wrappers;

/// Every file of rows.
pub(super) static FAMILIES: &[&Family] = &[
    &archive::FAMILY,
    &build::FAMILY,
    &cloud::FAMILY,
    &container::FAMILY,
    &coreutils::FAMILY,
    &database::FAMILY,
    &document::FAMILY,
    &editors::FAMILY,
    &files::FAMILY,
    &git::FAMILY,
    &languages::FAMILY,
    &network::FAMILY,
    &node::FAMILY,
    &python::FAMILY,
    &rust::FAMILY,
    &search::FAMILY,
    &shells::FAMILY,
    &system::FAMILY,
    &text::FAMILY,
    &wrappers::FAMILY,
];

/// The examples of every file.
#[cfg(test)]
pub(super) const EXAMPLES: &[(&str, &str)] = &[
    ("archive", archive::EXAMPLES),
    ("build", build::EXAMPLES),
    ("cloud", cloud::EXAMPLES),
    ("container", container::EXAMPLES),
    ("coreutils", coreutils::EXAMPLES),
    ("database", database::EXAMPLES),
    ("document", document::EXAMPLES),
    ("editors", editors::EXAMPLES),
    ("files", files::EXAMPLES),
    ("git", git::EXAMPLES),
    ("languages", languages::EXAMPLES),
    ("network", network::EXAMPLES),
    ("node", node::EXAMPLES),
    ("python", python::EXAMPLES),
    ("rust", rust::EXAMPLES),
    ("search", search::EXAMPLES),
    ("shells", shells::EXAMPLES),
    ("system", system::EXAMPLES),
    ("text", text::EXAMPLES),
    ("wrappers", wrappers::EXAMPLES),
];
