//! Settings of other agents as a configuration of toolctl.
//!
//! Only what decides the same calls is taken as it is. A permission that has no exact counterpart is left out, so that its
//! calls ask; a refusal becomes one that refuses at least as much, or is reported as lost. Everything of either kind is a
//! [`Difference`].

mod claude_code;
mod codex;
mod draft;
mod gemini_cli;
mod openclaw;
mod servers;

pub use claude_code::claude_code;
pub use codex::codex;
pub use draft::{Difference, Effect, Imported};
pub use gemini_cli::gemini_cli;
pub use openclaw::{openclaw, without_comments};
