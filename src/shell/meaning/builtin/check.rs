//! Builtins whose arguments must be of a certain kind.

use super::{Arg, Known, Piece, Shape, Span, Why, is_many, is_number, opaque};

/// Whether a format of `printf` has the conversion that sets a variable.
pub(super) fn counts(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, behind)) = rest.split_once('%') {
        let conversion = behind.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #.*'lhLjztq".contains(c));
        if conversion.starts_with('n') {
            return true;
        }
        rest = conversion.strip_prefix('%').unwrap_or(conversion);
    }
    false
}

/// `set`: only what makes a text stop earlier.
pub(super) fn set(args: &[Arg], span: Span) -> Known<()> {
    let refused = || {
        opaque(
            Why::Builtin,
            span,
            "`set` is followed with `-e`, `-u`, `-C` and `-o errexit`, `nounset`, `noclobber`, `pipefail` only",
        )
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let Some(letters) = arg.literal().and_then(|text| text.strip_prefix(['-', '+'])) else {
            return refused();
        };
        if letters.is_empty() || !letters.chars().all(|c| matches!(c, 'e' | 'u' | 'C' | 'o')) {
            return refused();
        }
        for _ in letters.matches('o') {
            match args.next().and_then(Arg::literal) {
                Some("errexit" | "nounset" | "noclobber" | "pipefail") => {}
                _ => return refused(),
            }
        }
    }
    Ok(())
}

/// `test`, `[`: `-v` evaluates subscripts.
pub(super) fn test(args: &[Arg], span: Span) -> Known<()> {
    let refused = || {
        opaque(
            Why::Arithmetic,
            span,
            "an argument of `test` may become `-v`, which evaluates subscripts as code; quote it and put an operator between",
        )
    };
    if args.iter().any(|arg| is_many(arg) && !is_harmless_field(arg)) {
        return refused();
    }
    for pair in args.windows(2) {
        let [first, second] = pair else { continue };
        let may_be_v = match first.literal() {
            Some(text) => text == "-v",
            None => first.may_be_option() && !is_number(first),
        };
        let harmless = second.literal().is_some_and(|text| !text.contains('[') || text == "[");
        if may_be_v && !harmless && !is_number(second) {
            return refused();
        }
    }
    Ok(())
}

/// File names below a fixed head, and numbers.
fn is_harmless_field(arg: &Arg) -> bool {
    !arg.may_be_option()
}

pub(super) fn wait(args: &[Arg], span: Span) -> Known<()> {
    let certain = args.iter().all(|arg| match &arg.shape {
        Shape::Exact(text) => !(text.starts_with('-') && text.contains('p')),
        Shape::Dynamic { pieces, .. } => pieces
            .iter()
            .all(|p| matches!(p, Piece::Unknown(crate::shell::Unknown::Number))),
    });
    if certain {
        return Ok(());
    }
    opaque(Why::RuntimeName, span, "an argument of `wait` may set a variable")
}
