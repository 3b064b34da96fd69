//! What outlives a process: one [`Store`] of files that only their owner can write, with append logs ([`Lines`]),
//! documents that are replaced whole, and entries that are written whole and moved; transcripts and the audit chain.
//!
//! No other room opens a file of the state directory. What is recorded of calls has been redacted: [`Transcript`] and
//! [`Audit`] take [`crate::result::Redacted`] values only. This room decides nothing, and reads neither clock nor
//! environment: times and ids come in.

mod anchor;
mod audit;
mod chain;
mod document;
mod entry;
mod fault;
mod guard;
mod lines;
mod mail;
mod repair;
mod session;
mod sessions;
mod store;
#[cfg(test)]
mod stress;
mod subagents;
mod time;
mod transcript;

pub use crate::fsio::Durability;
pub use anchor::AnchorFile;
pub use audit::{Audit, AuditReader, Entry, RecordKind};
pub use chain::{Known, Receipt, Verdict};
pub use document::Document;
pub use fault::StateFault;
pub use guard::Guard;
pub use lines::Lines;
pub use mail::{Batch, Mailbox, Message};
pub use repair::Repair;
pub use session::file_stem;
pub use sessions::{SessionEvent, SessionLog, names_batch, session_logs};
pub use store::Store;
pub use subagents::{SubAgent, subagents_of};
pub use time::timestamp;
pub use transcript::{CallEntry, OpenCall, Recorded, ResultEntry, Transcript, records_named_in, sessions_in};
