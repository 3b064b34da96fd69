//! Judging one command of the `exec` tool: allow, ask or deny, and why.

pub mod allowlist;
pub mod approve;
pub mod env;
mod env_names;
pub mod pattern;
pub mod redirect;
pub mod resolve;
pub mod safe_bin;
pub mod world;
