//! Names of environment variables that run code, redirect trust or carry secrets. Upper case, sorted, each once.
//!
//! | file | names |
//! |---|---|
//! | `always` | never inherited, never set |
//! | `operator` | set by the operator alone; inherited in part |
//! | `further` | the same, beyond what OpenClaw knows |
//! | `pattern` | caught by a part of the name |
//! | `plain` | settings that no program takes for code, a path, options or trust |
//! | `shell` | read by the shell that runs a text |

mod always;
mod further;
mod operator;
mod pattern;
mod plain;
mod shell;

pub(super) use always::{ALWAYS, ALWAYS_PREFIXES, READ_AT_START};
pub(super) use further::MORE_OVERRIDE;
pub(super) use operator::{INHERITED, OVERRIDE, OVERRIDE_PREFIXES};
pub(super) use pattern::{OBEYED, PARTS, PATTERNS};
pub(super) use plain::{PLAIN, VALUED};
pub(super) use shell::SHELL;
