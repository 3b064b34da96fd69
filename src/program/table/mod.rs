//! The rows, in files by what programs are for.

use super::row::Family;

mod archive;
mod build;
mod cargo;
mod cloud;
mod compilers;
mod container;
mod coreutils;
mod database;
mod document;
mod editors;
mod files;
mod git;
mod javascript;
mod javascript_tools;
mod languages;
mod network;
mod node;
mod python;
mod python_checks;
mod python_tools;
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
    &cargo::FAMILY,
    &cloud::FAMILY,
    &compilers::FAMILY,
    &container::FAMILY,
    &coreutils::FAMILY,
    &database::FAMILY,
    &document::FAMILY,
    &editors::FAMILY,
    &files::FAMILY,
    &git::FAMILY,
    &javascript::FAMILY,
    &javascript_tools::FAMILY,
    &languages::FAMILY,
    &network::FAMILY,
    &node::FAMILY,
    &python::FAMILY,
    &python_checks::FAMILY,
    &python_tools::FAMILY,
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
    ("cargo", cargo::EXAMPLES),
    ("cloud", cloud::EXAMPLES),
    ("compilers", compilers::EXAMPLES),
    ("container", container::EXAMPLES),
    ("coreutils", coreutils::EXAMPLES),
    ("database", database::EXAMPLES),
    ("document", document::EXAMPLES),
    ("editors", editors::EXAMPLES),
    ("files", files::EXAMPLES),
    ("git", git::EXAMPLES),
    ("javascript", javascript::EXAMPLES),
    ("javascript_tools", javascript_tools::EXAMPLES),
    ("languages", languages::EXAMPLES),
    ("network", network::EXAMPLES),
    ("node", node::EXAMPLES),
    ("python", python::EXAMPLES),
    ("python_checks", python_checks::EXAMPLES),
    ("python_tools", python_tools::EXAMPLES),
    ("rust", rust::EXAMPLES),
    ("search", search::EXAMPLES),
    ("shells", shells::EXAMPLES),
    ("system", system::EXAMPLES),
    ("text", text::EXAMPLES),
    ("wrappers", wrappers::EXAMPLES),
];
