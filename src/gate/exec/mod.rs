//! What the stages of a command look at. `stages` puts them together; the machine is asked through [`World`], read-only.
//!
//! | stage | file |
//! |---|---|
//! | host, security, ask, elevated | `level` |
//! | environment | `env`, `env_names` |
//! | script preflight | `preflight` |
//! | analysis: everything that could run, through all wrappers | `reading`, `walk`, `follow`, `variable`, `place`, `redirect`, `target`, `builtin`, `sourced` |
//! | allowlist: rules, entries, safe bins, inline code, effects | `grant`, `rules`, `allowlist`, `pattern`, `safe_bin`, `effects`, `repository`, `git_config`, `revision` |
//! | approval: what may be kept | `allow_always`, `approve` |
//!
//! | what runs a text that needs a shell | `reader` |

mod allow_always;
mod allowlist;
mod approve;
mod builtin;
mod carrier;
mod effects;
pub mod env;
mod env_names;
mod follow;
mod git_config;
mod grant;
mod ground;
mod late;
pub mod level;
mod pattern;
mod place;
mod preflight;
mod quiet;
mod reader;
mod reading;
mod redirect;
mod repository;
mod resolve;
mod revision;
mod rules;
pub mod safe_bin;
mod script_text;
mod segment;
mod sourced;
mod stages;
mod target;
mod variable;
mod walk;
mod working_copy;
mod world;

pub use allowlist::{Entry, Match, quoted};
pub use ground::Ground;
pub use level::{ExecPolicy, Hosts, Level, Request};
pub use reader::{Reader, reader};
pub(in crate::gate) use reading::{CommandInput, Reading};
pub(in crate::gate) use redirect::takes;
pub use repository::{Named, named_by_settings, settings_that_run};
pub use resolve::{Finder, Program, is_trusted, normalise, writable_by_others};
pub use rules::Rule;
pub use safe_bin::SafeBins;
pub use segment::{By, Segment, show};
pub(in crate::gate) use stages::{
    Command, analysed, asks, bounded, env_of_call, fold_words, granted, host, leads_to, leaves_no_state, left_behind,
    params, scripts, security,
};
pub use world::{Facts, FileUse, Identity, PathVerdict, ReadResult, World};

#[cfg(test)]
mod tests;
