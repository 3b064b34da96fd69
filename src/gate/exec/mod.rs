//! What a command text would do, and what of it the policy of commands grants. The machine is asked through [`World`],
//! read-only; nothing is planned here, and nothing decided.
//!
//! | question | room |
//! |---|---|
//! | what does the configuration say about commands: levels, rules, entries, safe bins | `policy` |
//! | what does the text run, through all wrappers, and what is against each command | `reading`, `evaluation` |
//! | which variables do its programs get | `env` |
//! | is a script of Python or Node what it seems to be | `preflight` |
//! | what would git obey that stands in a workspace | `vcs` |
//! | which files do names lead to | `resolve`, `exec_context`, `world` |
//! | what runs a text that needs a shell | `reader` |
//! | may the command be kept as granted; does it grant something itself | `allow_always`, `approve` |

pub(in crate::gate) mod allow_always;
mod approve;
pub mod env;
mod context;
pub mod policy;
pub(in crate::gate) mod preflight;
mod reader;
mod reading;
mod resolve;
mod secrets;
mod segment;
mod sourced;
mod vcs;
mod evaluation;
mod world;

pub use context::ExecContext;
pub use policy::{Entry, ExecPolicy, Hosts, Level, Match, Request, Rule, SafeBins, quoted};
pub use reader::{Reader, reader};
pub(in crate::gate) use reading::{CommandInput, Reading, read};
pub use resolve::{Finder, Program, is_trusted, normalise, writable_by_others};
pub use segment::{By, Segment, show};
pub use vcs::{Named, named_by_settings, settings_that_run};
pub(in crate::gate) use evaluation::takes;
pub use world::{Facts, FileUse, Identity, PathVerdict, ReadResult, World};

#[cfg(test)]
mod tests;
