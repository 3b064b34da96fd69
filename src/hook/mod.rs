//! Commands that are asked before a call runs, and told after it has.
//!
//! A hook is a configured command. It gets one JSON object on standard input and answers on standard output, in the
//! words of its protocol ([`protocol`]); the native one is described there. What a hook returns is data: the arguments
//! that come back are normalised, validated and judged like any others, and the tool's name cannot change.
//!
//! Before-hooks form a chain: each sees the arguments as the one before left them, a block is final, a wish for a
//! person's approval stays, and `allow` grants nothing. One that fails, hangs, is silent, prints too much or prints nonsense
//! blocks the call, unless it is configured not to. After-hooks are handed to a process of their own, which watches
//! their time; they can neither delay nor change the answer. Those that speak Claude Code's protocol are awaited: they add to
//! the result, or replace what the model reads of it.

mod after;
mod before;
mod call;
mod matcher;
pub mod protocol;
mod run;
mod words;

pub use after::{AfterHooks, Supervisor, answers, awaits, supervise};
pub use before::{Before, Blocked, HookQuestion, before};
pub use call::{HookCall, Surroundings};
pub use matcher::{CLAUDE_NAMES, Hits, is_meant, matches_as_policies, matching};
