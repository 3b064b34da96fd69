//! The rows, in files by what programs are for.

use super::family::Family;

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
mod environments;
mod files;
mod filters;
mod git;
mod git_plumbing;
mod go;
mod javascript;
mod javascript_runtimes;
mod javascript_tools;
mod jvm;
mod languages;
mod network;
mod python;
mod python_checks;
mod python_tools;
mod ruby;
mod search;
mod servers;
pub(super) mod shells;
mod system;
mod text;
mod toolchains;
mod transfer;
mod vcs;
pub(super) mod wrappers;

/// Every file of rows, but those of wrappers and shells.
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
    &environments::FAMILY,
    &files::FAMILY,
    &filters::FAMILY,
    &git::FAMILY,
    &git_plumbing::FAMILY,
    &go::FAMILY,
    &javascript::FAMILY,
    &javascript_runtimes::FAMILY,
    &javascript_tools::FAMILY,
    &jvm::FAMILY,
    &languages::FAMILY,
    &network::FAMILY,
    &python::FAMILY,
    &python_checks::FAMILY,
    &python_tools::FAMILY,
    &ruby::FAMILY,
    &search::FAMILY,
    &servers::FAMILY,
    &system::FAMILY,
    &text::FAMILY,
    &toolchains::FAMILY,
    &transfer::FAMILY,
    &vcs::FAMILY,
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
    ("environments", environments::EXAMPLES),
    ("files", files::EXAMPLES),
    ("filters", filters::EXAMPLES),
    ("git", git::EXAMPLES),
    ("git_plumbing", git_plumbing::EXAMPLES),
    ("go", go::EXAMPLES),
    ("javascript", javascript::EXAMPLES),
    ("javascript_runtimes", javascript_runtimes::EXAMPLES),
    ("javascript_tools", javascript_tools::EXAMPLES),
    ("jvm", jvm::EXAMPLES),
    ("languages", languages::EXAMPLES),
    ("network", network::EXAMPLES),
    ("python", python::EXAMPLES),
    ("python_checks", python_checks::EXAMPLES),
    ("python_tools", python_tools::EXAMPLES),
    ("ruby", ruby::EXAMPLES),
    ("search", search::EXAMPLES),
    ("servers", servers::EXAMPLES),
    ("system", system::EXAMPLES),
    ("text", text::EXAMPLES),
    ("toolchains", toolchains::EXAMPLES),
    ("transfer", transfer::EXAMPLES),
    ("vcs", vcs::EXAMPLES),
];
