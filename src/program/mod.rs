//! What is known about programs: one row per program, in the files of `table`, and how a call is read by its row.
//!
//! Nothing unknown runs: an option, a letter of a cluster, a subcommand, an operand or a value that the row of a program
//! does not list is a doubt, and a person is asked, by name. What a row lists is understood, and needs no question.
//! Rows are texts, checked when the project is compiled: a word that this page does not list is an error of the build that
//! shows it. Programs are found by name in an index that is made then, too.
//!
//! # How to write a row
//!
//! Take the manual of the program, and write down *every* option, with what it and its value do. One line, one matter;
//! the first character says which:
//!
//! | line | meaning |
//! |---|---|
//! | `= rsync` | begins the row of a program; further names behind blanks (`= gcc cc g++`). At the beginning of the line. |
//! | `~ writes connects` | about the program (or subcommand): classes, traits, and doubts about all of it |
//! | `- a|archive o|output:!write` | options |
//! | `. read* write` | the forms of operands, in order; without this line an operand is not known |
//! | `> list ls` | begins a subcommand; further names are aliases. `>>` begins one below it, and so on |
//! | `: Makefile makefile` | files that the program looks for in its directory and runs code of, though no argument names them |
//! | `# …` | a remark |
//!
//! Lines may be indented and repeated (but `.`). What stands before the first `>` is about the program itself.
//!
//! **Options** are written without dashes: `names` joined by `|`, the mark of the value, and `!` with what it does:
//! `v|verbose` (no value), `o|output:` (a value: `-o x`, `-ox`, `--output x`, `--output=x`), `color::` (may have one, only
//! glued or after `=`), `f|force|+` (an operand that begins with `+` does the same), `O^` (glued only: `-O2`; where a single dash begins a word), `arg:2` (two arguments follow), `#` (`-20`).
//! An option that does nothing of interest has no `!`. Several effects: `!write+connects`. Its value may still become a part
//! of a name that is written (`git format-patch --suffix`): in a call that writes files it may not lead elsewhere. Where it
//! becomes none whatever it is (a message, a pattern), say `!text`.
//!
//! **What a value, an operand or an option does** (`!word`, and the words of `.` lines):
//!
//! | word | meaning |
//! |---|---|
//! | `text` | any text, nothing comes of it, and it becomes no part of a name that is written |
//! | `number` | a number with at most a sign, a unit or a range |
//! | `{a,b,c}` | one of these texts; another one is not known |
//! | `read` | a path that is read (places of secrets ask) |
//! | `write` | a path that is written, made, moved away or deleted: judged like a redirection; `-` and `/dev/null` are free |
//! | `tree` | the same as `write`, or the directory itself, whose files are written (`black .`) |
//! | `remove` | a name that is removed or moved away: judged like `write`, but of a link it is the link that goes |
//! | `change` | an operand that is read, and written where an option says `in-place` (`sed -i`) |
//! | `target` | a directory for what the operands name (`cp -t`): they are read then, whatever their form says |
//! | `unpack` | files whose names are not known are put into the directory in which it works (`tar x`) |
//! | `dir` | it works there from then on (`make -C`): must be in the workspace; relative paths may be relative to it |
//! | `connect` | an address; adds the class `connects` |
//! | `sh` | a text for a shell: read and judged like the command itself |
//! | `argv` | a program with all that follows: judged like a command of its own |
//! | `script`, `file` | a script of an interpreter; as operand (its arguments follow), given by an option |
//! | `code` `run` `load` `config` `input` `ask` | doubts: carries a program, names a program to start, loads code, takes options or settings from elsewhere, reads commands from standard input, may do anything |
//! | `names` | names that it finds are all that it prints |
//! | `shows` | settings of the user are printed as they stand, and keys among them |
//! | `heading` | the value is the heading under which names are printed; an empty one is none |
//! | `tame` | what it reads is data for it, and starts nothing |
//! | `recursive` | it goes down into directories: what it brings from elsewhere may have any name |
//! | `signs` | git signs, with a key of the user |
//! | `help` | help or version: the rest does not matter |
//! | `listed` | names of files that are read stand in a file or in standard input (`--files0-from`) |
//! | `@sql`, `@sed`, … | judged by a function: `Judge` in `vocabulary`, `judge` |
//! | a class | what using it means: `f|force!destroys` |
//!
//! In a `.` line, `read*` stands for any number, `x>` for operands that begin with `x`, wherever they stand (`of=>write`,
//! `+>code`). Forms before and behind a `*` count from the beginning and the end: `. read* write`, `. text read*`.
//! One operand that is not needed needs no mark.
//!
//! **Classes** (in `~` lines and effects): `reads` (the default), `writes` (the workspace and caches), `connects`, `daemon` (acts
//! through a service), `publishes` (changes what others see or run), `destroys` (cannot be undone). A grant covers the last two
//! only where its `may` names them. A subcommand has the classes of the program besides its own. Deleting a file of the workspace is
//! `writes`.
//!
//! **Traits** (in `~` lines): `whole` (long options are not abbreviated; GNU programs do abbreviate), `words` (`-word` is one option:
//! `go`, `java`, `find`), `leading` (options end at the first operand), `global` (options before the subcommand may stand behind
//! it, too), `abbreviated` (a beginning of a subcommand's name stands for it), `negatable` (`--no-x` for every `--x`), `bare`
//! (`tar xzf`), `pairs` (`zip -lf`: two letters may be one option), `interpreter` (a language), `commands` (reads commands from standard input), `texts` (every argument is text:
//! `echo`), `plain` (writes files, but makes no links and moves nothing). All but `leading`, `bare` and `commands` hold for
//! subcommands, too. A value that stands apart and begins with a dash is judged as an option as well, since the row may be wrong
//! about the program, or the program another version; `sure` says that its options take such words as their values: try
//! that with the program.
//!
//! Further traits say what other rooms ask about a program by its name alone (`column`): `runner` (starts programs that others
//! name, so that no grant is kept unasked), `project` (a tool of projects, which those start without a grant of its own), `data`
//! and `silent` (standard input is data, or is not read), `lists` (looks at names and sizes, not at what files hold), `names` (prints
//! names that it finds, numbers, or a choice of the lines that it is given, if it is given no file to read), `links` (makes other
//! names for what is there), `obeys-git`, `obeys-hg`, `obeys-jj`, `obeys-cargo` and `obeys-toolchain` (settings of the directory
//! in which it works), `own-scripts` (reads scripts of its language itself), `multi-call`
//! (many programs in one file), `brings` (files out of a history), `settings` and `states` (git
//! writes the repository's settings, or what it goes on with later), `python-scripts` and `node-scripts` (may be given a script to
//! run), `keys` (uses keys and logins of the user), `cache-cargo`, `cache-npm`, `cache-pnpm`, `cache-home`, `cache-go` and `cache-any` (package caches).
//!
//! **Wrappers and shells** have rows in files of their own (`table/wrappers.rs`, `table/shells.rs`), with the words of `Wrap` in
//! `vocabulary` besides: what they change about the command (`identity`, `chdir`, `rename`, `startup`), and in the `.` line what
//! stands before the command and what follows (`. number argv` for `timeout`). A row of another program that says one of them
//! does not build.
//!
//! **Filters** are rows named `safe/PROGRAM` (`table/filters.rs`): the options under which a program does no more than read standard
//! input and write standard output, with the types of their values.
//!
//! **Names**: a `&` line lists the options with which a call still prints nothing but names; `*` stands for all. A call prints
//! names only if its row says `names`, or one of its options does, and every other option stands there. `headed` (a heading is
//! printed before the names unless it is told to be empty) and `more` (prints more, whatever its options are) take that back.
//!
//! A subcommand may also stand in a row of its own, `PROGRAM/SUBCOMMAND`, so that a file stays small.
//!
//! **Sets**: a row named `= @common` holds options that others take over with `- @common`.
//!
//! **Examples** stand behind the row: `+ command` must be without a doubt, `? command` must have one, or start
//! a command that is judged by itself. They are compiled into tests
//! only. Paths and classes are no doubts. Try the forms that hide something: glued, clustered, abbreviated, after `--`, after a value.
//!
//! When in doubt, ask: an option whose effect you do not know is left out. Never list one as harmless because it is used often.
//! `cargo test --lib program::` runs the examples of all rows, and holds rows against the `--help` of what is installed: an option
//! that help names must be in the row, or with its reason in `fixtures/help/unlisted.txt`.
//!
//! # A worked example
//!
//! ```text
//! = rsync
//! ~ writes connects
//! - a|archive v|verbose q|quiet r|recursive n|dry-run z|compress P progress stats
//! - e|rsh:!sh rsync-path:!run files-from:!read exclude-from:!read exclude: include:
//! - log-file:!write write-batch:!ask daemon!ask config:!config
//! - delete!destroys del!destroys remove-source-files!destroys
//! - h|help!help V|version!help
//! . @remote-read* @remote-write
//! ```
//!
//! and with subcommands:
//!
//! ```text
//! = kubectl
//! ~ connects global whole
//! - n|namespace: context: kubeconfig:!config v:!number request-timeout:!number h|help!help
//! > get g
//!   - o|output:!{json,yaml,wide,name} w|watch l|selector: A|all-namespaces
//!   . text*
//! > delete
//!   ~ destroys
//!   - f|filename:!read l|selector: force grace-period:!number
//!   . text*
//! > config
//!   >> view get-contexts current-context
//!   >> use-context
//!      ~ config
//! ```

#[macro_use]
mod family;
mod address;
mod awk;
mod build_value;
pub(crate) mod builtin;
mod class;
mod column;
mod compiler;
mod fact;
mod filter;
mod git;
mod go_flags;
mod jq;
mod judge;
mod name;
mod notation;
mod own_shell;
mod package;
mod python_library;
mod reading;
mod row;
mod scripts;
mod sed;
mod statement;
mod table;
mod value;
mod vocabulary;
pub mod wrapper;

pub use class::{Class, Classes};
pub use column::{
    Cache, Reads, Scripts, Settings, git, interpreter, is_interpreter_like, is_language, is_mark, is_multi_call, obeys,
    reads, runs_by_convention, scripts, spellings, uses_cache, uses_keys,
};
pub use fact::{Fact, Stdin, Why};
pub use filter::{Filter, filter, is_plain};
pub use git::harmless_setting as is_plain_git_setting;
pub use name::{base_name, file_name, is_code};
pub use own_shell::{TextShell, prompt_shell, script_shell, text_shell};
pub use python_library::takes as python_takes;
pub use reading::Reading;
pub use scripts::Named;

use crate::shell::Arg;
use crate::shell::option::{Item, Reader, Value};
use family::Section;
use vocabulary::{Judge, Trait, Use};

/// What is known about one program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row(Section);

/// The row of a program name; its version does not matter (`python3.11`).
pub fn find(name: &str) -> Option<Row> {
    let base = base_name(name);
    let section = row::find(name).or_else(|| if base == name { None } else { row::find(base) });
    section.map(Row)
}

impl Row {
    /// Whether it is a language or an editor.
    pub fn is_language(self) -> bool {
        self.0.is(Trait::Interpreter)
    }

    /// Whether it looks at names and sizes of files only, not at what they hold.
    pub fn lists(self) -> bool {
        self.0.about().is(Trait::Lists)
    }

    /// Whether it makes links: other names for what is there already.
    pub fn makes_links(self) -> bool {
        self.0.is(Trait::Links)
    }

    /// The names of files that it looks for in its directory, and of which it runs code, though no argument names them.
    pub fn looks_for(self) -> impl Iterator<Item = &'static str> {
        self.0.looks_for()
    }

    /// Whether a call prints names that the program finds, numbers, or, where `piped` says that what it is given comes out of a
    /// pipe, a choice of those lines; nothing else.
    pub fn prints_names(self, args: &[Arg], piped: bool) -> bool {
        let asked =
            |reading: &Reading<'_>| reading.names && (piped || !self.0.is(Trait::Data) || reading.asked_for_names);
        asked(&self.read(args, Stdin::Data))
    }

    /// Whether standard input is data for it, though it is a language (`awk`).
    pub fn is_filter(self) -> bool {
        let forms = self.0.about().operands.unwrap_or("");
        row::forms(forms)
            .any(|form| row::deeds(form.deeds).any(|deed| matches!(deed, row::Deed::Judge(Judge::Awk | Judge::Sed))))
    }

    /// The program's name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether it has subcommands, and these words do not say which one is meant.
    pub fn is_open_after(self, words: &[String]) -> bool {
        let mut section = self.0;
        for word in words {
            let about = section.about();
            match section.subcommand(word, about.is(Trait::Abbreviated)) {
                Some(named) if about.divided => section = named,
                Some(_) | None => break,
            }
        }
        section.about().divided
    }

    /// The lists of options that hold for a call: those of the program and of the subcommands that it names.
    fn options_of(self, args: &[Arg]) -> Vec<&'static str> {
        let mut section = self.0;
        let mut lists = section.about().options;
        for (_, names) in self.read(args, Stdin::Nothing).subcommands {
            let Some(sub) = names.first().and_then(|name| section.subcommand(name, false)) else {
                break;
            };
            section = sub;
            lists.extend(section.about().options);
        }
        lists
    }

    /// The directories to which the options before the subcommand go, one after the other, and where the subcommand
    /// stands. Where an argument may be an option, nothing can be said.
    pub fn leading(self, args: &[Arg]) -> Option<(Vec<Value<'_>>, Option<usize>)> {
        let about = self.0.about();
        let goes = |effect| row::deeds(effect).any(|deed| deed == row::Deed::Use(Use::Dir));
        let mut dirs = Vec::new();
        for item in Reader::new(about.grammar(), args) {
            match item {
                Item::Option { spec, value, .. } if goes(spec.effect) => dirs.extend(value),
                Item::Unclear { .. } => return None,
                Item::Operand { index, .. } => return Some((dirs, Some(index))),
                Item::Option { .. } | Item::Unknown { .. } | Item::Digits { .. } | Item::End { .. } => {}
            }
        }
        Some((dirs, None))
    }

    /// Reads the arguments of a call, the program's name left out.
    pub fn read(self, args: &[Arg], stdin: Stdin) -> Reading<'_> {
        reading::read(self.0, args, stdin)
    }
}

#[cfg(test)]
mod tests;
