//! What a command text would do, and what of it the policy of commands grants. The machine is asked through [`crate::machine::World`],
//! read-only; nothing is planned here, and nothing decided.
//!
//! | question | room |
//! |---|---|
//! | what does the configuration say about commands: levels, rules, entries, safe bins | `policy` |
//! | what does the text run, through all wrappers, and what is against each command | `reading`, `evaluation` |
//! | is a script of Python or Node what it seems to be | `preflight` |
//! | what does every command of one context start from | `context` |
//! | may the command be kept as granted; does it grant something itself | `allow_always`, `approve` |
//!
//! What is known and not decided stands in rooms of its own: `program` (what programs do by their arguments), `environment` (what
//! variables do), `vcs` (what version control obeys), `machine` (which file a word stands for).

pub(in crate::gate) mod allow_always;
mod approve;
mod context;
mod evaluation;
pub mod policy;
pub(in crate::gate) mod preflight;
mod reading;
mod segment;
mod sourced;

pub use context::ExecContext;
pub(in crate::gate) use evaluation::takes;
pub use policy::{ExecPolicy, Level, Request, Rule, SafeBins};
pub(in crate::gate) use reading::{CommandInput, CommandReading, read};
pub use segment::{By, Segment, show};

#[cfg(test)]
mod tests;
