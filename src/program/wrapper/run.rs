//! Reads a command line by its row of the table.

use super::table::{Tail, Wrapper};
use super::{CustomWrapper, Effect, EnvChange, Inner, Language, Layer, Peeled, file_name, find};
use crate::shell::option::{Abbreviation, Grammar, Item, Order, Reader, Value};
use crate::shell::{Arg, Piece, Shape, Unknown};

/// What reading the options gave.
struct Options<'a> {
    layer: Layer,
    /// Shell text given by an option.
    text: Option<Value<'a>>,
    /// A command line to split, given by an option.
    split: Option<Value<'a>>,
    /// The placeholder of `xargs -I`.
    placeholder: Option<String>,
    /// Whether `xargs` was told how many arguments to append: then the placeholder may be none.
    counted: bool,
    /// It prints help or acts on something else.
    nothing: bool,
    /// The operands, from the first one on.
    operands: &'a [Arg],
    /// An argument may be an option or may vanish.
    unclear: bool,
}

/// A wrapper of the configuration.
pub(super) fn custom(wrapper: &CustomWrapper, rest: &[Arg]) -> Peeled {
    let grammar = Grammar {
        abbreviation: Abbreviation::None,
        ..Grammar::leading(&wrapper.spec)
    };
    let options = read(&wrapper.name, grammar, "", rest);
    if options.unclear {
        return unknown(options.layer, "an argument before the command is not known");
    }
    let inner = command(options.operands, wrapper.operands);
    Peeled {
        layer: options.layer,
        inner,
    }
}

/// A wrapper of the table.
pub(super) fn table(wrapper: &Wrapper, rest: &[Arg]) -> Peeled {
    let name = wrapper.names.first().copied().unwrap_or("");
    match wrapper.tail {
        Tail::Expression => return find::peel(name, rest),
        Tail::Applet => return applet(name, rest),
        Tail::Opaque => {
            let layer = layer(name, wrapper.always);
            return unknown(layer, "what it runs cannot be told from its arguments");
        }
        _ => {}
    }
    let grammar = Grammar {
        dash: wrapper.dash,
        order: wrapper.order,
        ..Grammar::leading(wrapper.spec)
    };
    let options = read(name, grammar, wrapper.always, rest);
    finish(wrapper, options)
}

fn finish(wrapper: &Wrapper, mut options: Options<'_>) -> Peeled {
    if options.nothing {
        return Peeled {
            layer: options.layer,
            inner: Inner::Nothing,
        };
    }
    if options.unclear {
        return unknown(options.layer, "an argument before the command is not known");
    }
    if let Some(value) = options.text {
        return match value.literal() {
            Some(text) => shell_text(options.layer, text.to_owned()),
            None => unknown(options.layer, "the command text is not known before it runs"),
        };
    }
    let inner = match wrapper.tail {
        Tail::Assignments => return assignments(options),
        Tail::Joined => return joined(options),
        Tail::Fed => fed(&options),
        Tail::Runner => {
            options.layer.own_work = true;
            runner(options.operands)
        }
        Tail::OptionOnly => Inner::Unknown("it starts an interactive shell".to_owned()),
        Tail::File => match options.operands.split_first() {
            Some(_) => Inner::Commands(vec![options.operands.to_vec()]),
            None => Inner::Unknown("no program is named".to_owned()),
        },
        Tail::Command if wrapper.names == ["flock"] => return flock(options),
        Tail::Command if wrapper.names == ["builtin"] => Inner::Builtin(options.operands.to_vec()),
        Tail::Command if wrapper.builtin && options.operands.is_empty() => Inner::Nothing,
        // These print or change their own state when no command is given.
        Tail::Command
            if options.operands.is_empty() && matches!(wrapper.names.first(), Some(&"ionice" | &"setarch")) =>
        {
            Inner::Nothing
        }
        Tail::Command | Tail::Expression | Tail::Applet | Tail::Opaque => {
            let own = options.operands.iter().take(wrapper.operands);
            let number = |arg: &Arg| arg.prefix().starts_with(|c: char| c.is_ascii_digit() || c == '.');
            if wrapper.numbers && !own.into_iter().all(number) {
                return unknown(options.layer, "what stands before the command is no number");
            }
            command(options.operands, wrapper.operands)
        }
    };
    if wrapper.always == "name" {
        options
            .layer
            .effects
            .push(Effect::ChangesName(options.layer.name.clone()));
    }
    Peeled {
        layer: options.layer,
        inner,
    }
}

fn layer(name: &str, always: &str) -> Layer {
    let mut layer = Layer {
        name: name.to_owned(),
        env: Vec::new(),
        effects: Vec::new(),
        own_work: false,
    };
    layer.effects.extend(effect(always, name));
    layer
}

/// The effect of a table's word.
fn effect(word: &str, option: &str) -> Option<Effect> {
    let option = option.to_owned();
    match word {
        "write" => Some(Effect::WritesFile(option)),
        "delete" => Some(Effect::Deletes(option)),
        "identity" => Some(Effect::ChangesIdentity(option)),
        "dir" => Some(Effect::ChangesDirectory(option)),
        "name" => Some(Effect::ChangesName(option)),
        "startup" => Some(Effect::ReadsStartup(option)),
        "elsewhere" => Some(Effect::Elsewhere(option)),
        "ask" | "read" => Some(Effect::UnknownOption(option)),
        _ => None,
    }
}

fn unknown(layer: Layer, why: &str) -> Peeled {
    let why = format!("`{}`: {why}", layer.name);
    Peeled {
        layer,
        inner: Inner::Unknown(why),
    }
}

fn read<'a>(name: &str, grammar: Grammar<'_>, always: &str, rest: &'a [Arg]) -> Options<'a> {
    let mut options = Options {
        layer: layer(name, always),
        text: None,
        split: None,
        placeholder: None,
        counted: false,
        nothing: false,
        operands: &[],
        unclear: false,
    };
    let mixed = grammar.order == Order::Mixed;
    let reader = Reader::new(grammar, rest);
    for item in reader {
        match item {
            Item::Option { spec, value, index } => {
                let word = rest.get(index).map_or("", Arg::prefix);
                match spec.effect {
                    "help" => options.nothing = true,
                    "alone" => {
                        options.nothing = true;
                        options.layer.effects.push(Effect::UnknownOption(word.to_owned()));
                    }
                    "shell" => options.text = value.or(options.text),
                    "split" => {
                        options.split = value;
                        // What follows is appended to the split line: no more options of this program.
                        options.operands = rest.get(split_end(rest, index, value)..).unwrap_or(&[]);
                        return options;
                    }
                    "clear" => options.layer.env.push(EnvChange::Clear),
                    "unset" => match value.and_then(Value::literal) {
                        Some(name) => options.layer.env.push(EnvChange::Unset(name.to_owned())),
                        None => options.unclear = true,
                    },
                    other => options.layer.effects.extend(effect(other, word)),
                }
                options.counted |= name == "xargs"
                    && match spec.name() {
                        "n" => value.and_then(Value::literal) != Some("1"),
                        "L" | "l" => true,
                        _ => false,
                    };
                if name == "xargs" && matches!(spec.name(), "I" | "i") {
                    let mark = value.map_or(Some("{}"), Value::literal);
                    options.unclear |= mark.is_none();
                    options.placeholder = mark.filter(|m| !m.is_empty()).map(str::to_owned);
                }
            }
            Item::Digits { .. } => {}
            Item::Unknown { text, .. } => {
                options.layer.effects.push(Effect::UnknownOption(text.to_owned()));
                options.unclear = true;
            }
            Item::Unclear { .. } => {
                options.unclear = true;
                if !mixed {
                    return options;
                }
            }
            Item::End { index } => {
                options.operands = rest.get(index + 1..).unwrap_or(&[]);
                if name == "env" {
                    // A lone `-` after `--` is a command name, not an option.
                    return options;
                }
            }
            Item::Operand { index, .. } => {
                if mixed {
                    continue;
                }
                options.operands = rest.get(index..).unwrap_or(&[]);
                return options;
            }
        }
    }
    options
}

fn split_end(rest: &[Arg], index: usize, value: Option<Value<'_>>) -> usize {
    let glued = match (value, rest.get(index)) {
        (Some(v), Some(a)) => std::ptr::eq(v.arg(), a),
        _ => true,
    };
    index + if glued { 1 } else { 2 }
}

/// `count` operands of the wrapper's own, then the command.
fn command(operands: &[Arg], count: usize) -> Inner {
    let own = operands.get(..count.min(operands.len())).unwrap_or(&[]);
    if own.iter().any(Arg::is_many) {
        return Inner::Unknown("an operand before the command may become several".to_owned());
    }
    match operands.get(count..) {
        Some(rest) if !rest.is_empty() => Inner::Commands(vec![rest.to_vec()]),
        _ => Inner::Unknown("no command is given".to_owned()),
    }
}

fn shell_text(layer: Layer, text: String) -> Peeled {
    Peeled {
        layer,
        inner: Inner::Text {
            text,
            language: Language::Posix,
            params: Vec::new(),
        },
    }
}

/// `env`: assignments, then the command; `-S` first splits its value.
fn assignments(mut options: Options<'_>) -> Peeled {
    let mut operands: Vec<Arg> = Vec::new();
    if let Some(value) = options.split {
        let Some(words) = value.literal().and_then(split_words) else {
            return unknown(options.layer, "the line to split holds an expansion or is not known");
        };
        if words.first().is_none_or(|w| w.starts_with('-')) {
            return unknown(options.layer, "the line to split is empty or begins with an option");
        }
        operands.extend(words.into_iter().map(Arg::exact));
    }
    operands.extend(options.operands.iter().cloned());
    let mut rest = operands.as_slice();
    // `env - x`: a lone dash means `-i`.
    if let Some((first, tail)) = rest.split_first()
        && first.literal() == Some("-")
        && options.layer.name == "env"
    {
        options.layer.env.push(EnvChange::Clear);
        rest = tail;
    }
    while let Some((first, tail)) = rest.split_first() {
        let head = first.prefix();
        let Some((name, value)) = head.split_once('=') else {
            break;
        };
        if first.is_many() {
            return unknown(options.layer, "an assignment may become several arguments");
        }
        options.layer.env.push(EnvChange::Set {
            name: name.to_owned(),
            value: first.literal().map(|_| value.to_owned()),
        });
        rest = tail;
    }
    match rest.first() {
        None => Peeled {
            inner: if options.layer.name == "env" {
                // It prints the environment, which holds no secrets here.
                Inner::Nothing
            } else {
                Inner::Unknown("no command is given".to_owned())
            },
            layer: options.layer,
        },
        Some(first) if first.literal().is_none() => unknown(options.layer, "which program it runs is not known"),
        Some(_) => Peeled {
            layer: options.layer,
            inner: Inner::Commands(vec![rest.to_vec()]),
        },
    }
}

fn joined(options: Options<'_>) -> Peeled {
    let words: Option<Vec<&str>> = options.operands.iter().map(Arg::literal).collect();
    match words {
        Some(words) if !words.is_empty() => shell_text(options.layer, words.join(" ")),
        Some(_) => unknown(options.layer, "no command is given"),
        None => unknown(options.layer, "the command text is not known before it runs"),
    }
}

/// `xargs`: the command, with more arguments than can be seen.
fn fed(options: &Options<'_>) -> Inner {
    let mut args = options.operands.to_vec();
    if args.is_empty() {
        args.push(Arg::exact("echo"));
    }
    if options.placeholder.is_none() || options.counted {
        args.push(from_input(Vec::new(), true));
    }
    match &options.placeholder {
        None => {}
        Some(mark) => {
            for arg in &mut args {
                match &arg.shape {
                    Shape::Exact(text) if text.contains(mark.as_str()) => {
                        let mut pieces = Vec::new();
                        let mut parts = text.split(mark.as_str()).peekable();
                        while let Some(part) = parts.next() {
                            if !part.is_empty() {
                                pieces.push(Piece::Fixed(part.to_owned()));
                            }
                            if parts.peek().is_some() {
                                pieces.push(Piece::Unknown(Unknown::Substitution));
                            }
                        }
                        *arg = Arg {
                            shape: Shape::Dynamic { pieces, many: false },
                            span: arg.span,
                        };
                    }
                    Shape::Exact(_) | Shape::Dynamic { .. } => {}
                }
            }
        }
    }
    if args.first().is_some_and(|a| a.literal().is_none()) {
        return Inner::Unknown("which program it runs comes from standard input".to_owned());
    }
    Inner::Commands(vec![args])
}

fn from_input(mut pieces: Vec<Piece>, many: bool) -> Arg {
    pieces.push(Piece::Unknown(Unknown::Substitution));
    Arg {
        shape: Shape::Dynamic { pieces, many },
        span: crate::shell::Span::default(),
    }
}

/// `flock FILE COMMAND…`, `flock FILE -c TEXT`, `flock FD`.
fn flock(options: Options<'_>) -> Peeled {
    match options.operands {
        [_, flag, text] if matches!(flag.literal(), Some("-c" | "--command")) => match text.literal() {
            Some(text) => shell_text(options.layer, text.to_owned()),
            None => unknown(options.layer, "the command text is not known before it runs"),
        },
        [_] => Peeled {
            layer: options.layer,
            inner: Inner::Nothing,
        },
        operands => Peeled {
            inner: command(operands, 1),
            layer: options.layer,
        },
    }
}

/// `busybox APPLET ARGS…`: the applet is the program.
fn applet(name: &str, rest: &[Arg]) -> Peeled {
    let layer = layer(name, "");
    let rest = match rest.split_first() {
        Some((first, tail)) if first.literal() == Some("--") => tail,
        _ => rest,
    };
    let inner = match rest.first() {
        None => Inner::Nothing,
        Some(first) => match first.literal() {
            Some(applet) if !applet.starts_with('-') => {
                let mut args = rest.to_vec();
                if let Some(head) = args.first_mut() {
                    head.shape = Shape::Exact(file_name(applet).to_owned());
                }
                Inner::Commands(vec![args])
            }
            _ => Inner::Unknown(format!("`{name}`: an option in place of an applet")),
        },
    };
    Peeled { layer, inner }
}

/// `uv run COMMAND`: the words that run a command, and those that do not.
fn runner(operands: &[Arg]) -> Inner {
    const RUNS: &[&str] = &["run", "exec"];
    const OPENS: &[&str] = &[
        "shell", "develop", "console", "x", "tool", "runpip", "env", "bash", "activate", "eval", "app", "edit",
        "script",
    ];
    let Some((first, rest)) = operands.split_first() else {
        return Inner::Nothing;
    };
    match first.literal() {
        None => Inner::Unknown("which subcommand it runs is not known".to_owned()),
        Some(word) if RUNS.contains(&word) => match rest.first().map(Arg::prefix) {
            Some("--") => command(rest, 1),
            Some(text) if !text.starts_with('-') => command(rest, 0),
            _ => Inner::Unknown(format!("`{word}`: an option stands before the command")),
        },
        Some(word) if OPENS.contains(&word) => Inner::Unknown(format!("`{word}` runs what cannot be told")),
        Some(_) => Inner::Nothing,
    }
}

/// Splits a line as `env -S` does, where it holds nothing but words and plain quotes.
fn split_words(line: &str) -> Option<Vec<String>> {
    if line.contains(['\\', '$', '#']) || line.chars().any(char::is_control) {
        return None;
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_with(String::new);
            }
            (None, ' ') => words.extend(word.take()),
            (_, c) => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}
