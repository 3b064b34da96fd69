//! Arguments that can only be names of commits: what git itself prints when it is asked for one. They begin no option.

use crate::environment::Variables;
use crate::program::{self, Settings};
use crate::shell::{Analysis, Arg, Piece, Shape, SimpleCommand, Span, Unknown};

/// Subcommands that print such names, or a path of the repository's own. What prints the names of tags and branches is not
/// among them: those may begin with a dash.
const PRINT: &[&str] = &["merge-base", "rev-list", "rev-parse"];

/// What is asked of git for the root of its working tree.
const SHOWS_ROOT: [&str; 2] = ["rev-parse", "--show-toplevel"];

/// Options with which they still do.
const OPTIONS: &[&str] = &[
    "--all",
    "--count",
    "--fork-point",
    "--octopus",
    "--quiet",
    "--short",
    "--show-prefix",
    "--show-toplevel",
    "--verify",
    "-1",
    "-q",
];

/// The places of a command's arguments that can only be names of commits. Empty for all programs but git.
pub(crate) fn names(command: &SimpleCommand, analysis: &Analysis, environment: &Variables) -> Vec<Span> {
    let git = |arg: &Arg| arg.literal().is_some_and(is_git);
    // Whoever sets `IFS` may split a name.
    if !command.argv.iter().any(git) || analysis.bindings.iter().any(|binding| binding.name == "IFS") {
        return Vec::new();
    }
    let known = Known { analysis, environment };
    let named = command.argv.iter().filter(|arg| known.is_name(arg, 0));
    named.map(|arg| arg.span).collect()
}

/// Whether the first argument that is not known begins with the root of git's working tree, as git prints it.
pub(crate) fn is_root(command: &SimpleCommand, analysis: &Analysis) -> bool {
    let root = |place: Span| {
        let within =
            |c: &&SimpleCommand| c.place.substitution && place.start <= c.span.start && c.span.end <= place.end;
        let mut inner = analysis.commands.iter().filter(within);
        let first = inner.next()?;
        let words = first.exact_argv()?;
        let (program, args) = words.split_first()?;
        Some(inner.next().is_none() && is_git(program) && *program == program::file_name(program) && args == SHOWS_ROOT)
    };
    let held = |name: Option<&String>| {
        let mut bindings = analysis
            .bindings
            .iter()
            .filter(|b| name.is_none_or(|name| b.name == *name))
            .peekable();
        let is_root = |value: &Arg| match &value.shape {
            Shape::Dynamic { pieces, .. } => {
                matches!(pieces.as_slice(), [Piece::Unknown(Unknown::Substitution)]) && root(value.span) == Some(true)
            }
            Shape::Exact(_) => false,
        };
        bindings.peek().is_some() && bindings.all(|b| b.value.as_ref().is_some_and(is_root))
    };
    let Some(arg) = command.argv.iter().find(|arg| arg.literal().is_none()) else {
        return false;
    };
    let Shape::Dynamic { pieces, .. } = &arg.shape else {
        return false;
    };
    match pieces.first() {
        Some(Piece::Unknown(Unknown::Substitution)) => root(arg.span).unwrap_or_else(|| held(None)),
        Some(Piece::Unknown(Unknown::Variable(name))) => held(Some(name)),
        _ => false,
    }
}

fn is_git(word: &str) -> bool {
    let name = program::file_name(word);
    // A name with a version may be anything's.
    program::obeys(name, Settings::Git) && program::base_name(name) == name
}

struct Known<'a> {
    analysis: &'a Analysis,
    environment: &'a Variables,
}

impl Known<'_> {
    fn is_name(&self, arg: &Arg, depth: usize) -> bool {
        let whole =
            |text: &str| depth == 0 || !text.contains(|c: char| c.is_whitespace() || matches!(c, '*' | '?' | '['));
        let Shape::Dynamic { pieces, .. } = &arg.shape else {
            return depth > 0 && !arg.may_be_option() && arg.literal().is_some_and(whole);
        };
        let text = |piece: &Piece| match piece {
            Piece::Fixed(text) => whole(text),
            Piece::Unknown(Unknown::Substitution) => self.is_printed(arg.span, depth),
            Piece::Unknown(Unknown::Variable(name)) => depth < 2 && self.is_variable(name, depth),
            Piece::Unknown(Unknown::Glob | Unknown::Found(_) | Unknown::OneOf(_) | Unknown::Pipe | Unknown::Number) => {
                false
            }
        };
        pieces.iter().all(text) && !matches!(pieces.first(), Some(Piece::Fixed(head)) if head.starts_with('-'))
    }

    /// Whether every command whose output goes into the words at this place prints names. Where none stands there, a
    /// variable holds the output: then whatever is set in the text must be a name.
    fn is_printed(&self, place: Span, depth: usize) -> bool {
        let within =
            |c: &&SimpleCommand| c.place.substitution && c.span.start >= place.start && c.span.end <= place.end;
        let mut inner = self.analysis.commands.iter().filter(within).peekable();
        if inner.peek().is_some() {
            return inner.all(prints_names);
        }
        let mut bindings = self.analysis.bindings.iter();
        depth == 0 && bindings.all(|b| b.value.as_ref().is_some_and(|value| self.is_name(value, depth + 1)))
    }

    /// Whether whatever sets a variable sets it to a name.
    fn is_variable(&self, name: &str, depth: usize) -> bool {
        let mut bindings = self.analysis.bindings.iter().filter(|b| b.name == name).peekable();
        !self.environment.contains_key(name)
            && bindings.peek().is_some()
            && bindings.all(|b| b.value.as_ref().is_some_and(|value| self.is_name(value, depth + 1)))
    }
}

fn prints_names(command: &SimpleCommand) -> bool {
    let Some(words) = command.exact_argv() else {
        return false;
    };
    let [program, subcommand, rest @ ..] = words.as_slice() else {
        return false;
    };
    let harmless = |word: &&str| !word.starts_with('-') || OPTIONS.contains(word) || is_count(word);
    is_git(program) && PRINT.contains(subcommand) && rest.iter().all(harmless)
}

/// `--short=7` and its kin, and times.
fn is_count(word: &str) -> bool {
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let dates = ["--after=", "--before=", "--since=", "--until="];
    ["--abbrev=", "--max-count=", "--short=", "-n", "-"]
        .iter()
        .any(|name| word.strip_prefix(name).is_some_and(number))
        || dates.iter().any(|name| word.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{Dialect, World, analyse};

    fn named(text: &str) -> usize {
        let environment = Variables::from([("SET".to_owned(), "--output=x".to_owned())]);
        let world = World {
            variables: &environment,
            ..World::default()
        };
        let analysis = analyse(text, Dialect::Bash, &world).unwrap();
        let last = analysis.commands.iter().rfind(|c| !c.place.substitution).unwrap();
        names(last, &analysis, &environment).len()
    }

    #[test]
    fn what_git_prints_is_a_name() {
        for text in [
            "git show $(git rev-parse HEAD)",
            "git diff \"$(git merge-base main HEAD)\"",
            "git log v1..$(git rev-parse --short=7 x)",
            "git checkout $(git rev-list -n1 --before='yesterday' main)",
            "BASE=$(git merge-base main HEAD); git diff $BASE",
            "B=$(git merge-base main HEAD) && git diff \"$B\"..HEAD",
            "/usr/bin/git show `git rev-parse HEAD`",
        ] {
            assert_eq!(named(text), 1, "{text}");
        }
    }

    #[test]
    fn nothing_else_is() {
        for text in [
            "git show $(cat x)",
            "git show $(git describe --tags)",
            "git log $(git describe --tags --abbrev=0)..HEAD",
            "git show $(git rev-parse --abbrev-ref HEAD)",
            "git show $(git symbolic-ref --short HEAD)",
            "git show $X",
            "git show $SET",
            "git show *",
            "git show $(git ls-files)",
            "git show $(git rev-parse --output=x)",
            "git show $(git rev-parse $X)",
            "git show $(git rev-parse HEAD; cat x)",
            "git show $(git rev-parse HEAD | cat)",
            "git show $(git rev-parse HEAD)$(cat x)",
            "git show --output=$(git rev-parse HEAD)",
            "B=$(git rev-parse HEAD); B=$(cat x); git show $B",
            "read B; git show $B",
            "SET=$(git rev-parse HEAD); git show $SET",
            "B=x; git log \"${B:+--output=x}\"",
            "B=$(git rev-parse HEAD); git log \"${B:+--output=x}\"",
            "B=$(git rev-parse HEAD); git log \"${B#a}\"",
            "B='HEAD --output=x'; git log $B",
            "B=\"$(git rev-parse HEAD) --output=x\"; git log $B",
            "B=HEADx--output=y; IFS=x; git log $B",
            "ls $(git rev-parse HEAD)",
        ] {
            assert_eq!(named(text), 0, "{text}");
        }
    }
}
