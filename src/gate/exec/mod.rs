//! Judging one command of the `exec` tool: allow, ask or deny, and why.
//!
//! | stage | file |
//! |---|---|
//! | host, security, ask, elevated | `level` |
//! | environment | `env`, `env_names` |
//! | script preflight | `preflight` |
//! | analysis: everything that could run, through all wrappers | `walk`, `follow`, `variable`, `place`, `redirect`, `builtin` |
//! | allowlist: rules, entries, safe bins, inline code | `grant`, `rules`, `allowlist`, `pattern`, `safe_bin`, `repository`, `git_config`, `revision` |
//! | approval: what may be kept | `keep`, `approve` |
//!
//! | what runs a text that needs a shell | `reader` |
//!
//! `judge` puts them together. The machine is asked through [`World`], read-only.

mod allowlist;
mod answer;
mod approve;
mod builtin;
mod effects;
pub mod env;
mod env_names;
mod follow;
mod git_config;
mod grant;
mod ground;
mod judge;
mod keep;
mod late;
pub mod level;
mod pattern;
mod place;
mod preflight;
mod reader;
mod redirect;
mod repository;
mod resolve;
mod revision;
mod rules;
pub mod safe_bin;
mod target;
mod trace;
mod variable;
mod walk;
mod world;

pub use allowlist::{Entry, Match, quoted};
pub use answer::{By, Judgement, Segment, Step, show};
pub use ground::Ground;
pub use judge::{Input, judge};
pub use level::{ExecPolicy, Hosts, Level, Request};
pub use reader::{Reader, reader};
pub use repository::hooks_directory;
pub use resolve::{Finder, Program, is_trusted, normalise, writable_by_others};
pub use rules::Rule;
pub use world::{Facts, FileUse, Identity, PathVerdict, ReadResult, World};

#[cfg(test)]
mod tests;
