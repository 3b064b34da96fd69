//! From what a tool gave to what may be stored and answered: sanitise, format, redact, cut.
//!
//! [`finish()`] is the one entry for tool results. This room judges no call, runs nothing and writes nothing.

mod finish;
pub mod format;
pub mod media;
mod named;
pub mod redact;
pub mod sanitise;
pub mod truncate;

pub use finish::{Finished, Place, Settings, finish};
pub use format::Format;
pub use named::named;
pub use redact::{Redacted, RedactedText, Redaction, Redactor, literals};
pub use sanitise::Kind;
