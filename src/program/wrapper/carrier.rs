//! Positional carriers: `sh -c '$0 "$@"' program args` runs `program`.

use crate::shell::{Arg, Piece, Shape, Span, Unknown};

/// One parameter of a carrier text.
enum Param {
    One { index: usize, quoted: bool },
    All { quoted: bool },
    Star { quoted: bool },
}

/// The command that a carrier text runs, if it is one. `params` begins with `$0`.
pub(super) fn carried(text: &str, params: &[Arg]) -> Option<Vec<Arg>> {
    let mut words = text.split([' ', '\t']).filter(|w| !w.is_empty()).peekable();
    if words.peek() == Some(&"exec") {
        words.next();
        if words.peek() == Some(&"--") {
            words.next();
        }
    }
    let list: Option<Vec<Param>> = words.map(param).collect();
    let list = list?;
    // The first word decides the program; it must be one parameter.
    if !matches!(list.first(), Some(Param::One { .. })) {
        return None;
    }
    let mut args = Vec::new();
    for (at, param) in list.iter().enumerate() {
        match param {
            Param::One { index, quoted } => match params.get(*index) {
                Some(arg) if *quoted || splits_to_itself(arg) => args.push(arg.clone()),
                Some(_) if at == 0 => return None,
                Some(arg) => args.push(loose(arg)),
                None if *quoted => args.push(Arg::exact("")),
                None if at == 0 => return None,
                None => {}
            },
            Param::All { quoted } | Param::Star { quoted } => {
                let rest = params.get(1..).unwrap_or(&[]);
                let whole = matches!(param, Param::All { .. }) && *quoted;
                if whole || (!*quoted && rest.iter().all(splits_to_itself)) {
                    args.extend(rest.iter().cloned());
                } else {
                    args.push(unknown(!*quoted));
                }
            }
        }
    }
    (args.first()?.literal().is_some_and(|t| !t.is_empty())).then_some(args)
}

fn param(word: &str) -> Option<Param> {
    let (bare, quoted) = match word.strip_prefix('"').and_then(|w| w.strip_suffix('"')) {
        Some(inner) => (inner, true),
        None => (word, false),
    };
    let name = bare.strip_prefix('$')?;
    let name = name.strip_prefix('{').and_then(|n| n.strip_suffix('}')).unwrap_or(name);
    match name {
        "@" => Some(Param::All { quoted }),
        "*" => Some(Param::Star { quoted }),
        _ => {
            let digit = name.bytes().next().filter(u8::is_ascii_digit)?;
            (name.len() == 1).then_some(Param::One {
                index: usize::from(digit - b'0'),
                quoted,
            })
        }
    }
}

/// Whether an unquoted expansion leaves the argument as it is.
fn splits_to_itself(arg: &Arg) -> bool {
    arg.literal()
        .is_some_and(|t| !t.is_empty() && !t.contains([' ', '\t', '\n', '*', '?', '[', '\\']))
}

fn loose(arg: &Arg) -> Arg {
    Arg {
        span: arg.span,
        ..unknown(true)
    }
}

fn unknown(many: bool) -> Arg {
    Arg {
        shape: Shape::Dynamic {
            pieces: vec![Piece::Unknown(Unknown::Variable("@".to_owned()))],
            many,
        },
        span: Span::default(),
    }
}
