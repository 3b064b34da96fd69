//! Builtins: which run text as code or change how later text is read (refused), and which set variables (noted).

use super::expand::{is_name, is_number, value_of};
use super::state::Value;
use super::{Arg, Dialect, Known, Means, Piece, Shape, Span, Walk, Why, opaque};

/// What a builtin means for the rest of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// None.
    None,
    /// It runs text as code, or what follows may mean something else.
    Refused(&'static str),
    /// `command`, `builtin`: another command stands behind it.
    Carrier,
    /// It changes the working directory.
    Directory,
    /// `export` and its kin.
    Declaration,
    Getopts,
    Hash,
    Mapfile,
    Printf,
    Read,
    Set,
    Shift,
    Test,
    Unset,
    Wait,
}

/// Every builtin of bash and of the POSIX shells. A name that only some of them have is taken for a builtin in all.
const BUILTINS: &[(&str, Effect)] = &[
    (".", Effect::Refused("runs a file as code")),
    (":", Effect::None),
    ("[", Effect::Test),
    ("alias", Effect::Refused("changes how later text is read")),
    ("bg", Effect::None),
    ("bind", Effect::Refused("runs text as code")),
    ("break", Effect::None),
    ("builtin", Effect::Carrier),
    ("caller", Effect::None),
    ("cd", Effect::Directory),
    ("chdir", Effect::Directory),
    ("command", Effect::Carrier),
    ("compgen", Effect::Refused("runs text as code")),
    ("complete", Effect::Refused("runs text as code")),
    ("compopt", Effect::Refused("runs text as code")),
    ("continue", Effect::None),
    ("declare", Effect::Declaration),
    ("dirs", Effect::None),
    ("disown", Effect::None),
    ("echo", Effect::None),
    ("enable", Effect::Refused("changes which commands are builtins")),
    ("eval", Effect::Refused("runs text as code")),
    (
        "exec",
        Effect::Refused("replaces the shell or its descriptors for the rest of the text"),
    ),
    ("exit", Effect::None),
    ("export", Effect::Declaration),
    ("false", Effect::None),
    ("fc", Effect::Refused("runs text as code")),
    ("fg", Effect::None),
    ("getopts", Effect::Getopts),
    ("hash", Effect::Hash),
    ("help", Effect::None),
    ("history", Effect::Refused("reads and writes files of its own")),
    ("jobs", Effect::None),
    ("kill", Effect::None),
    ("let", Effect::Refused("evaluates its arguments as code")),
    ("local", Effect::Declaration),
    ("logout", Effect::None),
    ("mapfile", Effect::Mapfile),
    ("popd", Effect::Directory),
    ("printf", Effect::Printf),
    ("pushd", Effect::Directory),
    ("pwd", Effect::None),
    ("read", Effect::Read),
    ("readarray", Effect::Mapfile),
    ("readonly", Effect::Declaration),
    ("return", Effect::None),
    ("set", Effect::Set),
    ("shift", Effect::Shift),
    ("shopt", Effect::Refused("changes how later text is read")),
    ("source", Effect::Refused("runs a file as code")),
    ("suspend", Effect::Refused("stops the shell")),
    ("test", Effect::Test),
    ("times", Effect::None),
    ("trap", Effect::Refused("runs text as code")),
    ("true", Effect::None),
    ("type", Effect::None),
    ("typeset", Effect::Declaration),
    ("ulimit", Effect::None),
    ("umask", Effect::None),
    ("unalias", Effect::Refused("changes how later text is read")),
    ("unset", Effect::Unset),
    ("wait", Effect::Wait),
];

/// Most layers of `command` and `builtin` that are followed.
const MAX_CARRIERS: usize = 16;

/// Builtins that are programs as well and do the same there.
const ALSO_PROGRAMS: &[&str] = &["[", "echo", "false", "printf", "test", "true"];

fn effect(name: &str) -> Option<Effect> {
    let at = BUILTINS.binary_search_by_key(&name, |(row, _)| row).ok()?;
    BUILTINS.get(at).map(|(_, effect)| *effect)
}

/// Whether a name is that of a builtin.
pub(super) fn is_builtin(name: &str, _dialect: Dialect) -> bool {
    effect(name).is_some()
}

/// Whether a builtin can be run as a program instead.
pub(super) fn is_also_program(name: &str) -> bool {
    ALSO_PROGRAMS.contains(&name)
}

/// Whether a command word takes its arguments of the form `name=…` as assignments.
pub(super) fn declares(name: &str) -> bool {
    effect(name) == Some(Effect::Declaration)
}

impl Walk<'_> {
    /// Notes what a builtin does to the rest of the text.
    pub(super) fn builtin(&mut self, argv: &[Arg], span: Span) -> Known<()> {
        let Some((head, args)) = argv.split_first() else {
            return Ok(());
        };
        let name = head.literal().unwrap_or_default();
        let Some(effect) = effect(name) else {
            return Ok(());
        };
        match effect {
            Effect::None => Ok(()),
            Effect::Refused(what) => opaque(Why::Builtin, span, format!("`{name}` {what}")),
            Effect::Carrier => self.carried(name, args, span),
            Effect::Directory => {
                self.state.set("PWD", Value::Unknown);
                self.state.set("OLDPWD", Value::Unknown);
                Ok(())
            }
            Effect::Declaration => self.declaration(name, args, span),
            Effect::Getopts => self.getopts(args, span),
            Effect::Hash => match args {
                [] => Ok(()),
                [only] if only.literal() == Some("-r") => Ok(()),
                _ => opaque(Why::Builtin, span, "`hash` changes which program a name stands for"),
            },
            Effect::Mapfile => self.mapfile(args, span),
            Effect::Printf => self.printf(args, span),
            Effect::Read => self.read(args, span),
            Effect::Set => set(args, span),
            Effect::Shift => match self.world.positionals {
                Some(_) => opaque(Why::Builtin, span, "`shift` changes what `$1` stands for"),
                None => Ok(()),
            },
            Effect::Test => test(args, span),
            Effect::Unset => self.unset(args, span),
            Effect::Wait => wait(args, span),
        }
    }

    fn carried(&mut self, name: &str, args: &[Arg], span: Span) -> Known<()> {
        // Each layer is one step down the stack.
        let layers = args
            .iter()
            .take_while(|arg| matches!(arg.literal(), Some("command" | "builtin" | "--" | "-p")))
            .count();
        if layers > MAX_CARRIERS {
            return opaque(
                Why::Limit,
                span,
                format!("more than {MAX_CARRIERS} layers of `{name}` stand before the command"),
            );
        }
        let options = options(args, if name == "command" { "pvV" } else { "" }, "", span)?;
        if options.has('v') || options.has('V') {
            return Ok(());
        }
        let rest = args.get(options.taken..).unwrap_or_default();
        match rest.first().map(Arg::literal) {
            None => Ok(()),
            Some(None) => opaque(
                Why::RuntimeProgram,
                span,
                "which program runs here is known only at run time",
            ),
            Some(Some(_)) => self.builtin(rest, span),
        }
    }

    /// A name that is set by a builtin.
    fn bind_by(&mut self, means: Means, name: &Arg) -> Known<()> {
        match name.literal() {
            Some(text) if is_name(text) => {
                let text = text.to_owned();
                self.bind(&text, means, None, Value::Unknown, name.span)
            }
            _ => runtime_name(name),
        }
    }

    fn declaration(&mut self, name: &str, args: &[Arg], span: Span) -> Known<()> {
        let allowed = match name {
            "export" => "np",
            "readonly" => "p",
            _ => "glprux",
        };
        let options = options(args, allowed, "", span)?;
        let plain = name == "export" && options.letters.is_empty();
        for arg in args.get(options.taken..).unwrap_or_default() {
            let prefix = arg.prefix();
            let (variable, value) = match prefix.split_once('=') {
                Some((variable, _)) => (variable.strip_suffix('+').unwrap_or(variable), value_behind(arg)),
                None if arg.literal().is_some() => (prefix, None),
                None => return runtime_name(arg),
            };
            if !is_name(variable) {
                return runtime_name(arg);
            }
            let variable = variable.to_owned();
            let appends = prefix.contains("+=");
            let known = match &value {
                Some(value) if plain && !appends => value_of(value),
                None if plain => self.value(&variable),
                _ => Value::Unknown,
            };
            if name == "readonly" || options.has('r') {
                self.readonly.insert(variable.clone());
            }
            if !plain {
                self.state.taint(&variable);
            }
            self.bind(&variable, Means::Declaration, value, known, arg.span)?;
        }
        Ok(())
    }

    fn getopts(&mut self, args: &[Arg], span: Span) -> Known<()> {
        let [first, name, ..] = args else { return Ok(()) };
        if first.may_be_option() {
            return opaque(Why::Builtin, span, "options of `getopts` are not followed");
        }
        if is_many(first) {
            return runtime_name(name);
        }
        self.bind_by(Means::Builtin, name)?;
        for name in ["OPTARG", "OPTIND"] {
            self.bind(name, Means::Builtin, None, Value::Unknown, span)?;
        }
        Ok(())
    }

    fn mapfile(&mut self, args: &[Arg], span: Span) -> Known<()> {
        let options = options(args, "t", "dnOsuc", span)?;
        match args.get(options.taken..).unwrap_or_default() {
            [] => self.bind("MAPFILE", Means::Builtin, None, Value::Unknown, span)?,
            names => {
                for name in names {
                    self.bind_by(Means::Builtin, name)?;
                }
            }
        }
        Ok(())
    }

    fn printf(&mut self, args: &[Arg], span: Span) -> Known<()> {
        match args {
            [] => Ok(()),
            [first, rest @ ..] => match first.literal() {
                Some("-v") => match rest.first() {
                    Some(name) => self.bind_by(Means::Builtin, name),
                    None => Ok(()),
                },
                Some(text) if text.starts_with("-v") => opaque(
                    Why::RuntimeName,
                    span,
                    "write the variable of `printf -v` as a word of its own",
                ),
                None if first.may_be_option() && (is_many(first) || !rest.is_empty()) => runtime_name(first),
                _ => Ok(()),
            },
        }
    }

    fn read(&mut self, args: &[Arg], span: Span) -> Known<()> {
        let options = options(args, "rs", "pnNdtua", span)?;
        for (letter, value) in &options.letters {
            if *letter == 'a'
                && let Some(name) = value
            {
                self.bind_by(Means::Builtin, &Arg::exact(name.clone()))?;
            }
        }
        match args.get(options.taken..).unwrap_or_default() {
            [] => self.bind("REPLY", Means::Builtin, None, Value::Unknown, span)?,
            names => {
                for name in names {
                    self.bind_by(Means::Builtin, name)?;
                }
            }
        }
        Ok(())
    }

    fn unset(&mut self, args: &[Arg], span: Span) -> Known<()> {
        let options = options(args, "v", "", span)?;
        for name in args.get(options.taken..).unwrap_or_default() {
            self.bind_by(Means::Unset, name)?;
        }
        Ok(())
    }
}

fn is_many(arg: &Arg) -> bool {
    matches!(arg.shape, Shape::Dynamic { many: true, .. })
}

fn runtime_name<T>(arg: &Arg) -> Known<T> {
    opaque(
        Why::RuntimeName,
        arg.span,
        "which variable is set here is not a plain name that is known beforehand",
    )
}

/// The argument behind `name=`.
fn value_behind(arg: &Arg) -> Option<Arg> {
    let after = |text: &str| text.split_once('=').map(|(_, value)| value.to_owned());
    let shape = match &arg.shape {
        Shape::Exact(text) => Shape::Exact(after(text)?),
        Shape::Dynamic { pieces, many } => {
            let (Piece::Fixed(head), rest) = pieces.split_first()? else {
                return None;
            };
            let head = after(head)?;
            let mut pieces = rest.to_vec();
            if !head.is_empty() {
                pieces.insert(0, Piece::Fixed(head));
            }
            Shape::Dynamic { pieces, many: *many }
        }
    };
    Some(Arg { shape, span: arg.span })
}

/// The options before the operands of a builtin.
struct Options {
    letters: Vec<(char, Option<String>)>,
    /// How many arguments they take up.
    taken: usize,
}

impl Options {
    fn has(&self, letter: char) -> bool {
        self.letters.iter().any(|(l, _)| *l == letter)
    }
}

/// Reads options as the builtins do: clusters, values glued or apart, `--`. Unknown letters and words that may or may
/// not be options are refused.
fn options(args: &[Arg], flags: &str, valued: &str, span: Span) -> Known<Options> {
    let mut letters = Vec::new();
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let Some(text) = arg.literal() else {
            if arg.may_be_option() {
                return opaque(
                    Why::Builtin,
                    arg.span,
                    "this argument of a builtin may become an option",
                );
            }
            break;
        };
        if text == "--" {
            at += 1;
            break;
        }
        let Some(cluster) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            break;
        };
        at += 1;
        let mut rest = cluster.chars();
        while let Some(letter) = rest.next() {
            if valued.contains(letter) {
                let glued = rest.as_str().to_owned();
                let value = if glued.is_empty() {
                    let value = args.get(at);
                    at += 1;
                    match value {
                        Some(value) if is_many(value) => {
                            return opaque(
                                Why::Builtin,
                                value.span,
                                "this argument of a builtin may become several",
                            );
                        }
                        Some(value) if letter == 'a' && value.literal().is_none() => return runtime_name(value),
                        Some(value) => value.literal().map(str::to_owned),
                        None => None,
                    }
                } else {
                    Some(glued)
                };
                letters.push((letter, value));
                break;
            }
            if !flags.contains(letter) {
                return opaque(
                    Why::Builtin,
                    span,
                    format!("the option `-{letter}` of this builtin is not followed"),
                );
            }
            letters.push((letter, None));
        }
    }
    Ok(Options {
        letters,
        taken: at.min(args.len()),
    })
}

/// `set`: only what makes a text stop earlier.
fn set(args: &[Arg], span: Span) -> Known<()> {
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
fn test(args: &[Arg], span: Span) -> Known<()> {
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

fn wait(args: &[Arg], span: Span) -> Known<()> {
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
