//! Whether what ran is what was predicted.

use super::stub::Call;
use std::path::{Component, Path};
use toolctl::shell::{Analysis, Arg, Piece, RedirectKind, Shape, SimpleCommand, Unknown};

/// Whether some predicted command may have been this call.
pub(crate) fn predicted(analysis: &Analysis, call: &Call) -> bool {
    analysis.commands.iter().any(|command| {
        let argv = carried(command);
        !argv.is_empty() && fields(argv, &call.argv) && call.input.as_ref().is_none_or(|input| fed(command, input))
    })
}

/// Whether a command may have found this on its standard input; true where the text does not say what stands there.
fn fed(command: &SimpleCommand, input: &str) -> bool {
    let last = command.redirects.iter().rev().find(|redirect| redirect.fd == 0);
    let Some(RedirectKind::Here { body, string, .. }) = last.map(|redirect| &redirect.kind) else {
        return true;
    };
    let Some(said) = (if *string { input.strip_suffix('\n') } else { Some(input) }) else {
        return false;
    };
    match &body.shape {
        Shape::Exact(expected) => expected == said,
        Shape::Dynamic { pieces, .. } => text(pieces, said),
    }
}

/// The argv behind `command` and `builtin`.
pub(crate) fn carried(command: &SimpleCommand) -> &[Arg] {
    let mut argv = command.argv.as_slice();
    while let [first, rest @ ..] = argv {
        if !matches!(first.literal(), Some("command" | "builtin")) {
            break;
        }
        argv = rest;
        while let [option, rest @ ..] = argv
            && matches!(option.literal(), Some("-p" | "--"))
        {
            argv = rest;
        }
    }
    argv
}

/// Whether arguments may become these words.
fn fields(args: &[Arg], words: &[String]) -> bool {
    let Some((arg, rest)) = args.split_first() else {
        return words.is_empty();
    };
    let Shape::Dynamic { many: true, pieces } = &arg.shape else {
        return words
            .split_first()
            .is_some_and(|(word, left)| one(arg, word) && fields(rest, left));
    };
    let globs_only = pieces
        .iter()
        .all(|piece| matches!(piece, Piece::Fixed(_) | Piece::Unknown(Unknown::Glob)));
    let fixed = pieces.iter().any(|piece| matches!(piece, Piece::Fixed(_)));
    let least = usize::from(globs_only || fixed);
    (least..=words.len()).any(|count| {
        let (taken, left) = words.split_at(count);
        let options = arg.may_be_option() || !taken.iter().any(|word| word.starts_with('-'));
        let shaped = if globs_only {
            taken.iter().all(|word| text(pieces, word))
        } else {
            split(pieces, taken)
        };
        options && shaped && fields(rest, left)
    })
}

/// A word that was split begins and ends as it was written.
fn split(pieces: &[Piece], words: &[String]) -> bool {
    let head = match pieces.first() {
        Some(Piece::Fixed(text)) => text.as_str(),
        _ => "",
    };
    let tail = match pieces.last() {
        Some(Piece::Fixed(text)) => text.as_str(),
        _ => "",
    };
    match words {
        [] => true,
        [word] => text(pieces, word),
        [first, .., last] => first.starts_with(head) && last.ends_with(tail),
    }
}

fn one(arg: &Arg, word: &str) -> bool {
    match &arg.shape {
        Shape::Exact(expected) => expected == word,
        Shape::Dynamic { pieces, .. } => text(pieces, word) && (arg.may_be_option() || !word.starts_with('-')),
    }
}

fn text(pieces: &[Piece], word: &str) -> bool {
    let Some((piece, rest)) = pieces.split_first() else {
        return word.is_empty();
    };
    match piece {
        Piece::Fixed(fixed) => word.strip_prefix(fixed.as_str()).is_some_and(|left| text(rest, left)),
        Piece::Unknown(Unknown::OneOf(texts)) => texts
            .iter()
            .any(|t| word.strip_prefix(t.as_str()).is_some_and(|left| text(rest, left))),
        Piece::Unknown(Unknown::Number) => {
            let from = usize::from(word.starts_with('-'));
            let digits = word[from..].bytes().take_while(u8::is_ascii_digit).count();
            (0..=from + digits).any(|cut| text(rest, &word[cut..]))
        }
        Piece::Unknown(
            Unknown::Glob | Unknown::Found(_) | Unknown::Variable(_) | Unknown::Substitution(_) | Unknown::Pipe,
        ) => word
            .char_indices()
            .map(|(at, _)| at)
            .chain([word.len()])
            .any(|at| text(rest, &word[at..])),
    }
}

/// Whether some redirection may have made this file.
pub(crate) fn written(analysis: &Analysis, name: &str) -> bool {
    analysis.commands.iter().flat_map(|c| &c.redirects).any(|redirect| {
        let target = match &redirect.kind {
            RedirectKind::File { target, .. } | RedirectKind::Both { target, .. } => target,
            RedirectKind::Duplicate(_) | RedirectKind::Close | RedirectKind::Here { .. } => return false,
        };
        let Shape::Dynamic { pieces, .. } = &target.shape else {
            let parts = |path| Path::new(path).components().filter(|part| *part != Component::CurDir);
            return target.literal().is_some_and(|t| parts(t).eq(parts(name)));
        };
        text(pieces, name) || text(pieces, &format!("./{name}"))
    })
}
