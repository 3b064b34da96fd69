//! `find`: the expression that names commands to run and files to write or delete.

use super::{Effect, Inner, Layer, Peeled};
use crate::shell::{Arg, Piece, Shape, Span, Unknown};

/// How many arguments an expression word takes; anything else that begins with a dash is not known.
const WORDS: &[(&[&str], usize)] = &[
    (
        &[
            "-H",
            "-L",
            "-P",
            "-daystart",
            "-depth",
            "-d",
            "-help",
            "-ignore_readdir_race",
            "-mount",
            "-noignore_readdir_race",
            "-noleaf",
            "-version",
            "-xdev",
            "-warn",
            "-nowarn",
            "-empty",
            "-executable",
            "-false",
            "-nogroup",
            "-nouser",
            "-readable",
            "-true",
            "-writable",
            "-print",
            "-print0",
            "-prune",
            "-quit",
            "-ls",
            "-a",
            "-and",
            "-o",
            "-or",
            "-not",
            "-follow",
            "--help",
            "--version",
            "-sparse",
        ],
        0,
    ),
    (
        &[
            "-D",
            "-maxdepth",
            "-mindepth",
            "-regextype",
            "-amin",
            "-anewer",
            "-atime",
            "-cmin",
            "-cnewer",
            "-context",
            "-ctime",
            "-fstype",
            "-gid",
            "-group",
            "-ilname",
            "-iname",
            "-inum",
            "-ipath",
            "-iregex",
            "-iwholename",
            "-links",
            "-lname",
            "-mmin",
            "-mtime",
            "-name",
            "-newer",
            "-path",
            "-perm",
            "-regex",
            "-samefile",
            "-size",
            "-type",
            "-uid",
            "-used",
            "-user",
            "-wholename",
            "-xtype",
            "-printf",
        ],
        1,
    ),
];

/// Words whose value is a number.
const NUMBERS: &[&str] = &[
    "-maxdepth",
    "-mindepth",
    "-amin",
    "-atime",
    "-cmin",
    "-ctime",
    "-gid",
    "-inum",
    "-links",
    "-mmin",
    "-mtime",
    "-size",
    "-uid",
    "-used",
];

/// Reads `find`'s arguments.
pub(super) fn peel(name: &str, rest: &[Arg]) -> Peeled {
    let mut layer = Layer {
        name: name.to_owned(),
        env: Vec::new(),
        effects: Vec::new(),
        own_work: true,
    };
    let mut commands = Vec::new();
    let mut at = 0;
    let start = start_prefix(rest);
    while let Some(arg) = rest.get(at) {
        at += 1;
        let Some(word) = arg.literal() else {
            if arg.may_be_option() || may_be_expression(arg) {
                layer.effects.push(Effect::UnknownOption(arg.prefix().to_owned()));
            }
            continue;
        };
        match word {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                match command(rest, at, if word.ends_with("dir") { "./" } else { &start }) {
                    Ok((mut command, next)) => {
                        at = next;
                        if command.first().is_none_or(|a| a.literal().is_none()) {
                            return whole(layer, format!("`{word}`: which program it runs is not known"));
                        }
                        if word != "-exec" {
                            layer.effects.push(Effect::ChangesDirectory(word.to_owned()));
                        }
                        command.shrink_to_fit();
                        commands.push(command);
                    }
                    Err(why) => return whole(layer, format!("`{word}`: {why}")),
                }
            }
            "-delete" => layer.effects.push(Effect::Deletes(word.to_owned())),
            "-fprint" | "-fprint0" | "-fls" => {
                layer.effects.push(Effect::WritesFile(word.to_owned()));
                at += 1;
            }
            "-fprintf" => {
                layer.effects.push(Effect::WritesFile(word.to_owned()));
                at += 2;
            }
            _ if word.starts_with('-') && word.len() > 1 => match takes(word) {
                Some(count) => {
                    let values = rest.get(at..(at + count).min(rest.len())).unwrap_or(&[]);
                    let number = |arg: &Arg| arg.literal().is_none_or(|t| t.contains(|c: char| c.is_ascii_digit()));
                    if values.iter().any(Arg::is_many) || NUMBERS.contains(&word) && !values.iter().all(number) {
                        layer.effects.push(Effect::UnknownOption(word.to_owned()));
                    }
                    at += count;
                }
                None => layer.effects.push(Effect::UnknownOption(word.to_owned())),
            },
            _ => {}
        }
    }
    Peeled {
        layer,
        inner: if commands.is_empty() {
            Inner::Nothing
        } else {
            Inner::Commands(commands)
        },
    }
}

fn whole(layer: Layer, why: String) -> Peeled {
    Peeled {
        layer,
        inner: Inner::Unknown(why),
    }
}

/// How many arguments a known word takes.
fn takes(word: &str) -> Option<usize> {
    if word.strip_prefix("-newer").is_some_and(|t| t.len() == 2) {
        return Some(1);
    }
    if let Some(level) = word.strip_prefix("-O") {
        return level.bytes().all(|b| b.is_ascii_digit()).then_some(0);
    }
    WORDS.iter().find(|(names, _)| names.contains(&word)).map(|(_, n)| *n)
}

/// A word whose beginning is known not to be a dash may still be `!`, `(` or `,`; those run nothing.
fn may_be_expression(arg: &Arg) -> bool {
    arg.prefix().is_empty()
}

/// The command of an action: up to `;`, or up to `{} +`.
fn command(rest: &[Arg], from: usize, start: &str) -> Result<(Vec<Arg>, usize), &'static str> {
    let mut args: Vec<Arg> = Vec::new();
    for (offset, arg) in rest.get(from..).unwrap_or(&[]).iter().enumerate() {
        let after = from + offset + 1;
        match arg.literal() {
            Some(";") => return Ok((args, after)),
            Some("+") if args.last().is_some_and(is_placeholder) => {
                if let Some(Arg {
                    shape: Shape::Dynamic { many, .. },
                    ..
                }) = args.last_mut()
                {
                    *many = true;
                }
                return Ok((args, after));
            }
            Some(text) => args.push(substitute(text, start, arg.span)),
            None if arg.is_many() || arg.prefix().is_empty() => {
                return Err("where its command ends is not known");
            }
            None => args.push(arg.clone()),
        }
    }
    Err("its command has no end")
}

fn is_placeholder(arg: &Arg) -> bool {
    matches!(&arg.shape, Shape::Dynamic { pieces, many: false } if matches!(pieces.last(), Some(Piece::Unknown(_))))
}

/// `{}` anywhere in a word stands for a path, which begins as the starting points do.
fn substitute(text: &str, start: &str, span: Span) -> Arg {
    if !text.contains("{}") {
        return Arg {
            shape: Shape::Exact(text.to_owned()),
            span,
        };
    }
    let mut pieces = Vec::new();
    let mut fixed = String::new();
    let mut parts = text.split("{}").peekable();
    while let Some(part) = parts.next() {
        fixed.push_str(part);
        if parts.peek().is_some() {
            fixed.push_str(start);
            if !fixed.is_empty() {
                pieces.push(Piece::Fixed(std::mem::take(&mut fixed)));
            }
            pieces.push(Piece::Unknown(Unknown::Glob));
        }
    }
    if !fixed.is_empty() {
        pieces.push(Piece::Fixed(fixed));
    }
    Arg {
        shape: Shape::Dynamic { pieces, many: false },
        span,
    }
}

/// What every path begins with that `find` may hand to a command.
fn start_prefix(rest: &[Arg]) -> String {
    let global = ["-H", "-L", "-P"];
    let mut common: Option<&str> = None;
    for arg in rest
        .iter()
        .skip_while(|a| a.literal().is_some_and(|t| global.contains(&t)))
    {
        let text = arg.prefix();
        if text.starts_with('-') || (arg.literal().is_some() && (text == "!" || text == "(")) {
            break;
        }
        common = Some(match common {
            None => text,
            Some(so_far) => {
                let same = so_far.chars().zip(text.chars()).take_while(|(a, b)| a == b);
                let length = same.map(|(a, _)| a.len_utf8()).sum();
                so_far.get(..length).unwrap_or("")
            }
        });
    }
    common.unwrap_or(".").to_owned()
}
