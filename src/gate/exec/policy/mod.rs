//! What the configuration says about commands: how far they may go on a host, the rules, the entries of the allowlist and
//! the patterns in them, and the safe bins.

pub(super) mod allowlist;
mod granted;
pub mod level;
pub(super) mod pattern;
pub(super) mod rules;
pub mod safe_bin;

pub use level::{ExecPolicy, Level, Request};
pub(in crate::gate) use pattern::Glob;
pub use rules::Rule;
pub use safe_bin::SafeBins;
