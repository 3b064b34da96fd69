//! What outlives a process: the state directory, append-only files, transcripts and the audit chain.
//!
//! Nothing is written here that has not been redacted: [`Transcript`] and [`Audit`] take [`crate::result::Redacted`]
//! values only. This room decides nothing, and reads neither clock nor environment: times and ids come in.

mod audit;
mod chain;
mod dir;
mod fault;
#[cfg(test)]
mod hammer;
mod lines;
mod session;
mod time;
mod transcript;

pub use crate::fsio::Durability;
pub use audit::{Audit, Entry, Receipt, RecordKind};
pub use chain::{Flaw, Verdict};
pub use dir::StateDir;
pub use fault::StateFault;
pub use lines::{Lines, Locked, Repair};
pub use session::file_stem;
pub use time::timestamp;
pub use transcript::{CallEntry, OpenCall, ResultEntry, Transcript};
