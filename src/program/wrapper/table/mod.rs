//! The table of wrappers. Each row says how its options are written and what stands before the command; each carries
//! examples of what must be seen through and of what must be reported, and a test runs them all.
//!
//! Effect words: `write` `delete` `identity` `dir` `name` `startup` `elsewhere` `ask` report an effect; `help` runs
//! nothing; `shell` takes shell text; `split` takes a command line to split; `unset` and `clear` change the
//! environment; `alone` acts on something other than a command.

mod guarded;
mod plain;

use crate::program::by_name::ByName;
use crate::shell::option::{Dash, Order};

/// What follows a wrapper's options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Own operands, then the command.
    Command,
    /// `NAME=value` operands, then the command (`env`).
    Assignments,
    /// Words that are joined and given to `sh -c` (`watch`).
    Joined,
    /// A command that gets more arguments from standard input (`xargs`).
    Fed,
    /// A command whose arguments are found by an expression (`find`).
    Expression,
    /// An applet's name and its arguments (`busybox`).
    Applet,
    /// A program file and its arguments, run whatever its name (`ld.so`).
    File,
    /// A subcommand that runs a command (`uv run`); other subcommands run none.
    Runner,
    /// Only options name what is run (`script -c`); operands are files of its own.
    OptionOnly,
    /// What is run cannot be told from the arguments.
    Opaque,
}

/// One wrapper.
#[derive(Debug, Clone, Copy)]
pub struct Wrapper {
    /// Its names.
    pub names: &'static [&'static str],
    /// Its options (see [`crate::shell::option::Grammar`]).
    pub spec: &'static str,
    /// How a single dash is read.
    pub dash: Dash,
    /// Whether options may follow operands.
    pub order: Order,
    /// Operands of its own before the command.
    pub operands: usize,
    /// Whether those are numbers. Some versions take none there: what is no number may be the command.
    pub numbers: bool,
    /// What follows.
    pub tail: Tail,
    /// An effect that it has whatever its options are; empty for none.
    pub always: &'static str,
    /// Whether it is a builtin of the shell, known by its bare name only.
    pub builtin: bool,
    /// Command lines that are seen through without a reservation.
    pub accepts: &'static [&'static str],
    /// Command lines that must carry an effect, or of which the command cannot be told.
    pub refuses: &'static [&'static str],
}

const BASE: Wrapper = Wrapper {
    names: &[],
    spec: "",
    dash: Dash::Cluster,
    order: Order::FirstOperandEnds,
    operands: 0,
    numbers: false,
    tail: Tail::Command,
    always: "",
    builtin: false,
    accepts: &[],
    refuses: &[],
};

/// Every built-in row.
pub fn wrappers() -> impl Iterator<Item = &'static Wrapper> {
    plain::ROWS.iter().chain(guarded::ROWS)
}

/// The row of a program name.
pub(super) fn find(name: &str) -> Option<&'static Wrapper> {
    static INDEX: ByName<Wrapper> = ByName::new();
    let found = INDEX.find(name, || wrappers().flat_map(|w| w.names.iter().map(move |n| (*n, w))));
    found.or_else(|| {
        let loader = name.starts_with("ld-") && name.contains(".so");
        loader.then(|| wrappers().find(|w| w.tail == Tail::File)).flatten()
    })
}
