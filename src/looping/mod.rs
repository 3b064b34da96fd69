//! Is the model repeating itself? Loop detection over a session's recent calls.
//!
//! The core ([`History`]) is pure: it judges an [`Attempt`] and remembers what came of it. The [`LoopStore`] keeps a
//! history per session in a small file, so that it outlives the process and is shared by all processes of a session.

mod attempt;
mod detect;
mod history;
mod limits;
mod record;
mod report;
mod store;
#[cfg(test)]
mod tests;

pub use attempt::{Attempt, Observed, Seen};
pub use detect::{Detector, Finding, Level};
pub use history::{History, Judged};
pub use limits::LoopLimits;
pub use report::{CountedCall, LoopReport};
pub use store::{LoopStore, StoreFault};
