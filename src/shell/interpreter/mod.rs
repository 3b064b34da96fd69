//! Inline code: command lines that carry a program of their own, or that make a known tool run, load or write
//! something that its name does not tell.
//!
//! A table says it for languages and for tools; names count in every version spelling. It knows no policy: it answers
//! "does this argument list do more than its program's name says?".

mod language;
pub(crate) mod program;
pub(crate) mod text;
mod tool;

use super::by_name::ByName;
use super::option::{Abbreviation, Arity, Dash, Grammar, Item, OptionSpec, Order, Reader};
use super::{Arg, wrapper};

/// What standard input is for a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdin {
    /// Closed, `/dev/null`, or what the caller has.
    Nothing,
    /// A pipe, a file, a here-document or a here-string.
    Data,
}

/// Why a command line does more than its program's name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The program's name as typed, without its directory.
    pub program: String,
    /// The option, subcommand or argument.
    pub flag: String,
    /// What it does.
    pub why: Why,
}

/// What a hit does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Carries a program.
    Code,
    /// Reads a program from standard input.
    Input,
    /// Loads code besides the program.
    Load,
    /// Names a command to run.
    Run,
    /// Writes or deletes files.
    Write,
    /// Takes options or settings from elsewhere.
    Config,
    /// Is not known.
    Unknown,
    /// Is not known before it runs, and may then be read as an option.
    Unclear,
}

impl Hit {
    /// What a person is told.
    pub fn describe(&self) -> String {
        let what = match self.why {
            Why::Code => "carries a program of its own",
            Why::Input => "reads its program from standard input",
            Why::Load => "loads code besides the program",
            Why::Run => "names a command to run",
            Why::Write => "writes or deletes files",
            Why::Config => "takes settings from elsewhere",
            Why::Unknown => "is not known to be harmless for this program",
            Why::Unclear => {
                "holds an argument that may turn out to be an option, and some options of this program run or write \
                 something (write `--` before it, or `./` before a pattern)"
            }
        };
        format!("`{} {}` {what}", self.program, self.flag)
            .replace(" `", " `")
            .replace(" ` ", "` ")
    }
}

/// What kind of program a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An interpreter: options that are not known are hits, standard input may be a program, and a grant for it is
    /// never kept by itself.
    Language,
    /// A tool: only the listed options are hits.
    Tool,
    /// A tool of which an argument that cannot be told may be one of the listed options: then it is a hit.
    Guarded,
    /// A subcommand of a tool that runs what the workspace holds: an argument that cannot be told adds nothing to that.
    Runner,
}

/// What the first operand is.
#[derive(Debug, Clone, Copy)]
pub enum Operand {
    /// A script file; what follows are its arguments.
    Script,
    /// A program text, judged by the function: `true` if it is harmless.
    Program(fn(&str) -> bool),
    /// A subcommand.
    Sub(&'static [Sub]),
    /// Each operand is judged by the function: an effect word, or nothing.
    Each(fn(&str) -> &'static str),
    /// Nothing of interest.
    Any,
}

/// A subcommand of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Sub {
    /// Its names, separated by blanks.
    pub names: &'static str,
    /// An effect word, if the subcommand itself is a hit.
    pub effect: &'static str,
    /// Its options of interest.
    pub spec: &'static str,
}

/// One row.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Program names, without version.
    pub names: &'static [&'static str],
    /// What kind of program.
    pub kind: Kind,
    /// Its options (see [`Grammar`]); effect words as in `why`, `stop` for help and version.
    pub spec: &'static str,
    /// How a single dash is read.
    pub dash: Dash,
    /// How long names may be cut.
    pub abbreviation: Abbreviation,
    /// What the first operand is.
    pub operand: Operand,
    /// Whether it takes commands from standard input whatever its operands are.
    pub input: bool,
    /// Whether the first argument may be a cluster of letters without a dash, which take their values in order (`tar`).
    pub bare_cluster: bool,
    /// Command lines that are no hit.
    pub accepts: &'static [&'static str],
    /// Command lines that are.
    pub refuses: &'static [&'static str],
}

pub(super) const LANGUAGE: Row = Row {
    names: &[],
    kind: Kind::Language,
    spec: "",
    dash: Dash::Cluster,
    abbreviation: Abbreviation::Unambiguous,
    operand: Operand::Script,
    input: false,
    bare_cluster: false,
    accepts: &[],
    refuses: &[],
};

pub(super) const TOOL: Row = Row {
    kind: Kind::Tool,
    operand: Operand::Any,
    ..LANGUAGE
};

pub(super) const GUARDED: Row = Row {
    kind: Kind::Guarded,
    operand: Operand::Any,
    ..LANGUAGE
};

/// Every row.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    language::TABLES.iter().chain(&tool::TABLES).copied().flatten()
}

fn row(name: &str) -> Option<&'static Row> {
    static INDEX: ByName<Row> = ByName::new();
    let find = |name| INDEX.find(name, || rows().flat_map(|r| r.names.iter().map(move |n| (*n, r))));
    let base = base_name(name);
    find(name).or_else(|| if base == name { None } else { find(base) })
}

/// Whether something is known about the program.
pub fn is_known(name: &str) -> bool {
    row(name).is_some()
}

/// A program name without its version, architecture prefix and Windows suffix: `python3.11` → `python`, `awk` → `awk`.
pub fn base_name(name: &str) -> &str {
    // Most names carry neither.
    if !name.contains(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_' | '+')) {
        return name;
    }
    let name = name
        .strip_suffix(".exe")
        .or_else(|| name.strip_suffix(".cmd"))
        .or_else(|| name.strip_suffix(".bat"))
        .unwrap_or(name);
    let cut = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_' | '+'));
    // `python3.11-dbg`, `python3.12t`, `ruby3.1-static`
    let tail = cut.rfind(|c: char| c.is_ascii_digit()).map_or(cut, |at| {
        let head = cut.get(..at).unwrap_or(cut);
        head.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_'))
    });
    if tail.is_empty() { name } else { tail }
}

/// Whether a program is one for which an unasked grant may never be kept: a shell, a wrapper, an interpreter.
pub fn is_interpreter_like(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let name = lower.as_str();
    wrapper::is_shell(name)
        || wrapper::wrappers().any(|w| w.names.contains(&name))
        || name.starts_with("ld-")
        || row(name).is_some_and(|r| r.kind == Kind::Language || matches!(base_name(name), "make" | "gmake" | "tclsh"))
}

/// Whether a program is a language interpreter (not a shell): its standard input or operands may be programs.
pub fn is_language(name: &str) -> bool {
    row(name).is_some_and(|r| r.kind == Kind::Language)
}

fn why(effect: &str) -> Option<Why> {
    match effect {
        "code" => Some(Why::Code),
        "input" => Some(Why::Input),
        "load" => Some(Why::Load),
        "run" => Some(Why::Run),
        "write" => Some(Why::Write),
        "config" => Some(Why::Config),
        "ask" => Some(Why::Unknown),
        _ => None,
    }
}

/// Judges one argument list, program included.
pub fn inspect(args: &[Arg], stdin: Stdin) -> Option<Hit> {
    let (program, rest) = args.split_first()?;
    let name = wrapper::file_name(program.literal()?);
    let row = row(name)?;
    let hit = |flag: &str, why: Why| {
        Some(Hit {
            program: name.to_owned(),
            flag: flag.to_owned(),
            why,
        })
    };
    match judge(row, rest, stdin) {
        Some((flag, why)) => hit(&flag, why),
        None => None,
    }
}

type Found = Option<(String, Why)>;

fn judge(row: &Row, rest: &[Arg], stdin: Stdin) -> Found {
    if row.bare_cluster
        && let Some(first) = rest.first().filter(|arg| !arg.prefix().starts_with('-'))
    {
        return match first.literal() {
            Some(letters) => options(row, &dashed(row, letters, rest), stdin),
            None => Some((format!("{}…", first.prefix()), Why::Unknown)),
        };
    }
    options(row, rest, stdin)
}

/// The arguments as they would be written with a dash before each letter of the first.
fn dashed(row: &Row, letters: &str, rest: &[Arg]) -> Vec<Arg> {
    let mut values = rest.iter().skip(1);
    let mut args = Vec::with_capacity(rest.len() + letters.len());
    for letter in letters.chars() {
        args.push(Arg::exact(format!("-{letter}")));
        let spec = row.spec.split_ascii_whitespace().map(OptionSpec::parse);
        if spec
            .filter(|spec| spec.arity == Arity::Required)
            .any(|spec| spec.is(letter.encode_utf8(&mut [0; 4])))
        {
            args.extend(values.next().cloned());
        }
    }
    args.extend(values.cloned());
    args
}

fn options(row: &Row, rest: &[Arg], stdin: Stdin) -> Found {
    let language = row.kind == Kind::Language;
    let mixed = matches!(row.operand, Operand::Any | Operand::Each(_) | Operand::Program(_));
    let grammar = Grammar {
        spec: row.spec,
        more: &[],
        order: if mixed { Order::Mixed } else { Order::FirstOperandEnds },
        dash: row.dash,
        abbreviation: row.abbreviation,
    };
    let mut program_given = false;
    let mut operand_seen = false;
    for item in Reader::new(grammar, rest) {
        match item {
            Item::Option { spec, value, index } => {
                let word = || rest.get(index).map_or(spec.name(), Arg::prefix).to_owned();
                match spec.effect {
                    "" => {}
                    "stop" => return None,
                    "file" => {
                        program_given = true;
                        let read = value.map(|value| (value.prefix(), value.literal().is_some()));
                        if let Some((_, why)) = read.and_then(|(text, exact)| script_text(text, exact)) {
                            return Some((word(), why));
                        }
                    }
                    "text" => {
                        program_given = true;
                        let harmless = match (row.operand, value.and_then(super::option::Value::literal)) {
                            (Operand::Program(judge), Some(text)) => judge(text),
                            _ => false,
                        };
                        if !harmless {
                            return Some((word(), Why::Code));
                        }
                    }
                    other => {
                        if let Some(found) = program::value_effect(other, value.and_then(super::option::Value::literal))
                        {
                            return Some((word(), found));
                        }
                        if other == "module" {
                            return program::module(rest, index, value);
                        }
                    }
                }
            }
            Item::Unknown { text, .. } if language => return Some((text.to_owned(), Why::Unknown)),
            Item::Unknown { text, .. } => {
                // A letter that is not known may stand before one that is.
                if let Some(found) = hidden(row, text) {
                    return Some((text.to_owned(), found));
                }
                if let Operand::Each(judge) = row.operand
                    && let Some(found) = why(judge(text))
                {
                    return Some((text.to_owned(), found));
                }
            }
            Item::Digits { .. } | Item::End { .. } => {}
            Item::Unclear { index } => {
                let dangerous = match row.kind {
                    Kind::Language | Kind::Guarded => true,
                    Kind::Tool => row.spec.contains('!') || !operand_seen && matches!(row.operand, Operand::Sub(_)),
                    Kind::Runner => false,
                };
                if dangerous {
                    let text = rest.get(index).map_or("", Arg::prefix);
                    return Some((format!("{text}…"), Why::Unclear));
                }
            }
            Item::Operand { arg, index } => {
                match row.operand {
                    Operand::Script => return script(arg),
                    Operand::Sub(subs) => return sub(row, subs, arg, rest.get(index + 1..).unwrap_or(&[]), stdin),
                    Operand::Program(judge) if !program_given => {
                        program_given = true;
                        if !arg.literal().is_some_and(judge) {
                            return Some(("program".to_owned(), Why::Code));
                        }
                    }
                    Operand::Each(judge) => {
                        let text = arg.prefix();
                        if let Some(found) = why(judge(text)) {
                            return Some((text.to_owned(), found));
                        }
                    }
                    Operand::Program(_) | Operand::Any => {}
                }
                operand_seen = true;
            }
        }
    }
    let reads_input = row.input
        || language && matches!(row.operand, Operand::Script | Operand::Sub(_)) && !operand_seen && !program_given;
    (reads_input && stdin == Stdin::Data).then(|| ("standard input".to_owned(), Why::Input))
}

/// What the rest of a cluster behind an unknown letter may do.
fn hidden(row: &Row, text: &str) -> Option<Why> {
    let specs = || row.spec.split_ascii_whitespace().map(OptionSpec::parse);
    let cluster = row.dash == Dash::Cluster && !text.starts_with('-');
    text.chars().skip(1).filter(|_| cluster).find_map(|letter| {
        let mut buffer = [0; 4];
        let letter: &str = letter.encode_utf8(&mut buffer);
        let effect = specs().find(|spec| spec.is(letter))?.effect;
        (!matches!(effect, "" | "stop")).then(|| why(effect).unwrap_or(Why::Unknown))
    })
}

fn script(arg: &Arg) -> Found {
    script_text(arg.prefix(), arg.literal().is_some())
}

/// What is wrong with a script file of this name (or of a name that begins so).
fn script_text(text: &str, exact: bool) -> Found {
    let stdin = (exact && text == "-")
        || ["/dev/stdin", "/dev/fd/", "/dev/tty", "/proc/"]
            .iter()
            .any(|p| text.starts_with(p));
    if stdin {
        return Some((text.to_owned(), Why::Input));
    }
    let fetched = text.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.eq_ignore_ascii_case("data") || scheme == "blob" || rest.starts_with("//")
    });
    fetched.then(|| (text.to_owned(), Why::Code))
}

fn sub(row: &Row, subs: &'static [Sub], arg: &Arg, rest: &[Arg], stdin: Stdin) -> Found {
    let word = arg.prefix();
    let Some(sub) = subs.iter().find(|s| s.names.split(' ').any(|n| n == word)) else {
        return if row.kind == Kind::Language { script(arg) } else { None };
    };
    if let Some(found) = why(sub.effect) {
        return Some((word.to_owned(), found));
    }
    let inner = Row {
        spec: sub.spec,
        kind: match row.kind {
            Kind::Language | Kind::Guarded => Kind::Guarded,
            Kind::Tool | Kind::Runner => Kind::Runner,
        },
        operand: if sub.effect == "script" {
            Operand::Script
        } else {
            Operand::Any
        },
        ..*row
    };
    options(&inner, rest, stdin).map(|(flag, why)| (format!("{word} {flag}"), why))
}

#[cfg(test)]
mod tests;
