//! Where the names come from that a text gives to programs before they are known: `cat "$(git ls-files)"`, `find | xargs cat`.
//!
//! Names that programs find in the workspace, one of them chosen, lead to files of the workspace. Names that stand in files, or that
//! a program puts together, may lead anywhere, also to places of secrets.

use crate::program::wrapper::{self, Inner};
use crate::program::{self, Fact, builtin};
use crate::shell::tree::Mode;
use crate::shell::{Analysis, Arg, Connector, Piece, RedirectKind, Redirection, Shape, SimpleCommand, Stdin, Unknown};
use crate::vcs::revision;

/// What a text does with names that are not known before it runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// Whether some of them may lead anywhere.
    pub(super) loose: bool,
    /// Whether some of them are taken apart at blanks, so that one name may become several.
    pub(super) split: bool,
    /// Whether a program is given any.
    pub(super) wanted: bool,
    /// Whether patterns may stand for hidden names.
    pub(super) dotted: bool,
    /// Whether patterns may stand for directories of any depth.
    pub(super) deep: bool,
}

impl Names {
    /// Of an understood text. `leads`: whether a path leads to secrets, or, where it
    /// is true, one that begins so does.
    pub(super) fn of(analysis: &Analysis, text: &str, leads: &dyn Fn(&str, bool) -> bool) -> Self {
        let wanted = analysis.commands.iter().any(is_given_some);
        let split = analysis.commands.iter().any(splits);
        let loose = wanted
            && (analysis.composed
                || analysis.commands.iter().any(cuts_names)
                || analysis.commands.iter().any(may_make_links)
                || split && analysis.commands.iter().any(may_bring_names)
                || names_secrets(text, leads)
                || analysis.commands.iter().any(|command| is_given_secrets(command, leads))
                || analysis.commands.iter().any(reads_list)
                || analysis
                    .commands
                    .iter()
                    .enumerate()
                    .any(|(at, command)| feeds(analysis, at) && !is_list(command, analysis)));
        Self {
            loose,
            split,
            wanted,
            dotted: ["dotglob", "GLOBIGNORE"]
                .iter()
                .any(|option| may_set(analysis, text, option)),
            deep: may_set(analysis, text, "globstar"),
        }
    }

    /// Takes another text's in.
    pub(super) fn join(&mut self, other: Self) {
        self.loose |= other.loose;
        self.split |= other.split;
        self.wanted |= other.wanted;
        self.dotted |= other.dotted;
        self.deep |= other.deep;
    }
}

/// Whether an option of the shell may be on, whoever sets it: a word of any command names it as it is expanded, or nobody
/// knows what `shopt` is given.
fn may_set(analysis: &Analysis, text: &str, option: &str) -> bool {
    let names = |arg: &Arg| arg.literal().is_some_and(|word| word.contains(option));
    let unknown = |command: &SimpleCommand| {
        let sets = command.argv.iter().any(|arg| arg.literal() == Some("shopt"));
        sets && command.argv.iter().any(|arg| arg.literal().is_none())
    };
    text.contains(option)
        || analysis
            .commands
            .iter()
            .any(|command| command.argv.iter().any(names) || unknown(command))
}

/// Whether a value is put together by programs or operators, so that it may be any name.
pub(super) fn is_untold(arg: &Arg) -> bool {
    let untold = |piece: &Piece| matches!(piece, Piece::Unknown(Unknown::Substitution(_) | Unknown::Variable(_)));
    matches!(&arg.shape, Shape::Dynamic { pieces, .. } if pieces.iter().any(untold))
}

/// Whether an argument is, or holds, a name that `find` finds: of a link, too, or behind one.
pub(super) fn is_found(arg: &Arg) -> bool {
    let found = |piece: &Piece| matches!(piece, Piece::Unknown(Unknown::Found(_)));
    matches!(&arg.shape, Shape::Dynamic { pieces, .. } if pieces.iter().any(found))
}

/// Whether a program is given names that are not known; builtins of the shell read no files.
fn is_given_some(command: &SimpleCommand) -> bool {
    let args = command.argv.get(1..).unwrap_or(&[]);
    let program = command.name().map(program::file_name);
    !command.builtin && (program.is_some_and(wrapper::is_fed) || args.iter().any(is_untold))
}

/// Whether a command takes the names that it is given apart: `xargs` does at blanks and quotes unless it is told where they
/// end, and so does the shell where a value stands without quotes, there or where a variable was set.
fn splits(command: &SimpleCommand) -> bool {
    let args = command.argv.get(1..).unwrap_or(&[]);
    let variable = |arg: &Arg| {
        let set = |piece: &Piece| matches!(piece, Piece::Unknown(Unknown::Variable(_)));
        matches!(&arg.shape, Shape::Dynamic { pieces, .. } if pieces.iter().any(set))
    };
    if args
        .iter()
        .any(|arg| is_untold(arg) && (arg.is_many() || variable(arg)))
    {
        return true;
    }
    let text = |at: usize| args.get(at).and_then(Arg::literal).unwrap_or("");
    let ends_told = matches!(
        text(0),
        "-0" | "--null" | "-d\\n" | "-d\n" | "--delimiter=\\n" | "--delimiter=\n" | "-0r" | "-r0"
    ) || matches!(text(0), "-r" | "--no-run-if-empty") && matches!(text(1), "-0" | "--null")
        || text(0) == "-d" && matches!(text(1), "\\n" | "\n" | "\\0");
    command.name().map(program::file_name).is_some_and(wrapper::is_fed) && !ends_told
}

/// Whether a command takes the names that it reads apart at other places than blanks: what is left of one may be any name.
fn cuts_names(command: &SimpleCommand) -> bool {
    let blank = |value: &Arg| {
        value
            .literal()
            .is_some_and(|text| text.chars().all(char::is_whitespace))
    };
    let mut set = command.assignments.iter().filter(|assignment| assignment.name == "IFS");
    set.any(|assignment| !assignment.value.as_ref().is_none_or(blank))
}

/// Whether a command may bring names into the tree that nobody has seen.
fn may_bring_names(command: &SimpleCommand) -> bool {
    let Some(row) = command.name().map(program::file_name).and_then(program::find) else {
        return false;
    };
    let reading = row.read(command.argv.get(1..).unwrap_or(&[]), program::Stdin::Data);
    let unseen = |fact: &Fact<'_>| match fact {
        Fact::Path {
            value, writes: true, ..
        } => value
            .literal()
            .is_none_or(|name| name.split('/').any(|part| may_break(part, &|_| false))),
        Fact::Unpacks | Fact::Patch(_) => true,
        _ => false,
    };
    reading.brings || reading.copies || reading.facts.iter().any(unseen)
}

/// Whether a command may put links into the tree, which lead anywhere under a name that is listed later.
fn may_make_links(command: &SimpleCommand) -> bool {
    let Some(row) = command.name().map(program::file_name).and_then(program::find) else {
        return false;
    };
    let reading = row.read(command.argv.get(1..).unwrap_or(&[]), program::Stdin::Data);
    let puts = |fact: &Fact<'_>| matches!(fact, Fact::Unpacks | Fact::Patch(_));
    reading.brings || reading.copies || row.makes_links() || reading.facts.iter().any(puts)
}

/// Whether a part of a path, taken apart at blanks, quotes and escapes, or read as a pattern, may become a name that leads
/// elsewhere. `leaves`: whether a name leads away from where it stands.
pub(super) fn may_break(part: &str, leaves: &dyn Fn(&str) -> bool) -> bool {
    if part.contains(['\'', '"', '\\']) || part.starts_with('.') && part.contains(['*', '?', '[']) {
        return true;
    }
    let blank = |c: char| c.is_whitespace() || c.is_control();
    let away = |word: &str| {
        word.starts_with(['.', '~']) || word.len() > 1 && word.starts_with('-') || !word.is_empty() && leaves(word)
    };
    part.contains(blank) && (part.ends_with(blank) || part.split(blank).any(away))
}

/// Whether a value, as it is known, leads to secrets or up: what a program is given, or reads from a text that stands there.
fn is_given_secrets(command: &SimpleCommand, leads: &dyn Fn(&str, bool) -> bool) -> bool {
    let here = command.redirects.iter().filter_map(|redirect| match &redirect.kind {
        RedirectKind::Here { body, .. } => Some(body),
        _ => None,
    });
    let values = command.argv.iter().skip(1).chain(here).filter_map(Arg::literal);
    let path = |value: &str| value.starts_with('/') && leads(value.trim_end(), true);
    values.into_iter().any(path)
}

/// Whether names are taken out of a file, or come from whoever started the text.
fn reads_list(command: &SimpleCommand) -> bool {
    let opens = command.redirects.iter().any(opens_list);
    let fed = || command.place.stdin != Stdin::Inherited || command.redirects.iter().any(|redirect| redirect.fd == 0);
    let name = command.name().map(program::file_name);
    let list = |arg: &Arg| arg.prefix().starts_with("-a") || arg.prefix().starts_with("--a");
    match name {
        None => opens,
        Some(name) if builtin::reads_values(name) => opens || !fed(),
        Some(name) => wrapper::is_fed(name) && (opens || !fed() || command.argv.iter().skip(1).any(list)),
    }
}

/// Whether a redirection gives a command a file to read, or what another descriptor has.
fn opens_list(redirect: &Redirection) -> bool {
    let pipe = |target: &Arg| matches!(&target.shape, Shape::Dynamic { pieces, .. } if matches!(pieces.as_slice(), [Piece::Unknown(Unknown::Pipe)]));
    redirect.fd == 0
        && match &redirect.kind {
            // What goes through a process substitution is looked at where it stands.
            RedirectKind::File { mode, target } => {
                *mode != Mode::Read || target.literal() != Some("/dev/null") && !pipe(target)
            }
            RedirectKind::Both { .. } | RedirectKind::Duplicate(_) => true,
            RedirectKind::Close | RedirectKind::Here { .. } => false,
        }
}

/// Whether the output of a command may become names: it stands in a substitution, or in a pipeline that does not end in a program
/// that only shows it.
fn feeds(analysis: &Analysis, at: usize) -> bool {
    if feeds_itself(analysis, at) {
        return true;
    }
    // What stands in braces, in a loop or in a function goes where the last of these goes.
    let Some(first) = analysis.commands.get(at) else {
        return false;
    };
    let parent = |of: &usize| analysis.shells.get(of.checked_sub(1)?).copied().flatten();
    let around = std::iter::successors(Some(first.place.shell), parent).filter(|shell| *shell != 0);
    let around: Vec<usize> = around.collect();
    let beside = |last: &SimpleCommand| around.iter().any(|shell| analysis.is_within(last.place.shell, *shell));
    let mut behind = analysis.commands.iter().enumerate().skip(at + 1);
    behind.any(|(at, last)| beside(last) && feeds_itself(analysis, at))
}

fn feeds_itself(analysis: &Analysis, at: usize) -> bool {
    let piped = |command: &SimpleCommand| matches!(command.next, Some(Connector::Pipe | Connector::PipeBoth));
    let rest = analysis.commands.get(at..).unwrap_or(&[]);
    let Some((first, rest)) = rest.split_first() else {
        return false;
    };
    if first.place.substitution {
        return true;
    }
    if !piped(first) {
        return false;
    }
    let mut stage = first.place.stage;
    for next in rest {
        stage += 1;
        let program = next.name().filter(|_| !next.builtin).map(program::file_name);
        if next.place.stage != stage || program.is_none_or(wrapper::is_fed) {
            return true;
        }
        if !piped(next) {
            return false;
        }
    }
    true
}

/// Whether a command prints nothing but names that it finds, numbers, texts of its own arguments, or a choice of the lines that
/// come out of a pipe, which are looked at where they come from.
fn is_list(command: &SimpleCommand, analysis: &Analysis) -> bool {
    let given = command.redirects.iter().find(|redirect| redirect.fd == 0);
    let piped = match given.map(|redirect| &redirect.kind) {
        Some(RedirectKind::Here { .. }) => true,
        Some(_) => false,
        None => command.place.stdin == Stdin::Pipe,
    };
    let argv = revision::with_names(&command.argv, &revision::names(command, analysis));
    prints_names(&argv, piped)
}

/// The same of its arguments. `piped`: whether what it is given comes out of a pipe.
fn prints_names(argv: &[Arg], piped: bool) -> bool {
    let Some((head, args)) = argv.split_first() else {
        return true;
    };
    let name = head.literal().map_or("", program::file_name);
    // What is put together from parts was not looked at.
    let plain = |arg: &Arg| arg.literal().is_none_or(|text| !text.contains(['%', '\\']));
    if let Some(arguments) = builtin::prints_arguments(name, args) {
        return arguments;
    }
    if wrapper::is_fed(name) || wrapper::finds_names(name) {
        let own = wrapper::is_fed(name) || wrapper::prints_only_names(name, args);
        return own
            && args.iter().all(plain)
            && match wrapper::peel(argv, &[]).map(|peeled| peeled.inner) {
                // What they are given to read is not known.
                Some(Inner::Commands(commands)) => commands.iter().all(|inner| prints_names(inner, false)),
                Some(Inner::Nothing) => true,
                _ => false,
            };
    }
    program::find(name).is_some_and(|row| row.prints_names(args, piped)) && args.iter().all(plain)
}

/// Whether a path stands anywhere in a text, however it is quoted, that leads to secrets or up.
fn names_secrets(text: &str, leads: &dyn Fn(&str, bool) -> bool) -> bool {
    if text.contains("$'") {
        return true;
    }
    let bare: String = text.chars().filter(|c| !matches!(c, '"' | '\'' | '\\')).collect();
    let of_path = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '+' | '@');
    let words = bare.split(|c: char| !of_path(c) && c != '~');
    let climbs = |word: &str| word.split('/').any(|part| part == "..");
    let leads_away = |word: &str| {
        word.contains('~')
            || climbs(word) && leads(word, true)
            || word.match_indices('/').any(|(at, _)| {
                let path = word.get(at..).unwrap_or("");
                leads(path, at == 0)
            })
    };
    words.into_iter().any(leads_away)
}
