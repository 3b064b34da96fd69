//! Judging one command of the `exec` tool: allow, ask or deny, and why.

pub mod allowlist;
pub mod approve;
pub mod builtin;
pub mod env;
mod env_names;
pub mod pattern;
pub mod preflight;
pub mod redirect;
pub mod resolve;
pub mod rules;
pub mod safe_bin;
pub mod world;
