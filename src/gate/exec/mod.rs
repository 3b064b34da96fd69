//! Which command lines may run: what a line does (`effects`) against what the configuration says about commands. Nothing is
//! planned here.
//!
//! | question | file |
//! |---|---|
//! | what does the configuration say about commands: levels, rules, entries, safe bins | `policy` |
//! | a line is read: what it does is asked for, and each step judged | `reading` |
//! | by the rules, the grants and one table | `judgement` |
//! | what grants a program | `grant` |
//! | what may change between the judgement and the start | `deferred` |
//! | what does every command of one context start from | `context` |
//! | may the command be kept as granted | `allow_always` |

pub(in crate::gate) mod allow_always;
mod context;
mod deferred;
mod grant;
mod judgement;
pub(in crate::gate) mod mention;
pub mod policy;
mod reading;
mod segment;

pub use context::ExecContext;
pub use policy::{ExecPolicy, Level, Request, Rule, SafeBins};
pub(in crate::gate) use reading::{CommandInput, CommandReading, read};
pub use segment::{GrantedBy, Segment};

#[cfg(test)]
mod tests;
