//! Judgements of values and operands that take more than a word.

use super::fact::{Fact, Why};
use super::git;
use super::statement::{self, Dialect};
use super::vocabulary::Judge;
use super::{address, awk, build_value as builds, go_flags, jq, sed, value as values};
use crate::shell::option::Value;
use crate::shell::{Arg, Piece, Shape, Unknown};

/// What is judged, and what surrounds it.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) value: Option<Value<'a>>,
    /// Where the option or operand stands.
    pub(super) index: usize,
    /// All arguments.
    pub(super) args: &'a [Arg],
    /// The operand before it.
    pub(super) previous: Option<Value<'a>>,
    /// Whether an option says where things go, or what is done with operands.
    pub(super) target: bool,
    /// Whether an option says that files are changed, or made.
    pub(super) in_place: bool,
}

/// Judges a value; what it does goes into `sink`.
pub(super) fn judge<'a>(judge: Judge, call: Call<'a>, sink: &mut dyn FnMut(Fact<'a>)) {
    let Call {
        value,
        index,
        args,
        previous,
        target,
        in_place,
    } = call;
    let known = value.and_then(Value::literal);
    let mut doubt = |why: Option<Why>| {
        if let Some(why) = why {
            sink(Fact::Doubt {
                what: String::new(),
                why,
            });
        }
    };
    let unless = |plain: fn(&str) -> bool, why: Why| match known {
        Some(text) => (!plain(text)).then_some(why),
        None => Some(Why::Unclear),
    };
    match judge {
        Judge::Awk => doubt((!known.is_some_and(awk::is_plain)).then_some(Why::Code)),
        Judge::Sed => doubt((!known.is_some_and(sed::is_plain)).then_some(Why::Code)),
        Judge::Sqlite => doubt(unless(|text| statement::is_plain(Dialect::Sqlite, text), Why::Run)),
        Judge::Duck => doubt(unless(|text| statement::is_plain(Dialect::Duck, text), Why::Run)),
        Judge::Postgres => doubt(unless(|text| statement::is_plain(Dialect::Postgres, text), Why::Run)),
        Judge::Mysql => doubt(unless(|text| statement::is_plain(Dialect::Mysql, text), Why::Run)),
        Judge::Conninfo => doubt(unless(address::is_plain_conninfo, Why::Load)),
        Judge::PsqlVariable => doubt(unless(address::is_plain_psql_variable, Why::Run)),
        Judge::CurlOutput => doubt(unless(address::is_plain_output, Why::Write)),
        Judge::TmuxFormat => doubt(unless(address::is_plain_tmux_format, Why::Run)),
        Judge::KubeResource => doubt(unless(address::is_plain_resource, Why::Unknown)),
        // What is not known is a file, or text that `jq` would read.
        Judge::Jq => doubt(value.and_then(jq::doubt)),
        Judge::Report => with(value, |value| values::report(value, sink)),
        Judge::Unittest => doubt(unless(values::is_plain_test, Why::Load)),
        Judge::Yq => doubt(match (known, value) {
            (Some(text), _) => (!address::is_plain_yq(text)).then_some(Why::Load),
            // The first operand is an expression, where it is not the name of a file.
            (None, Some(value)) => (previous.is_none_or(is_yq_command) && !is_found(value)).then_some(Why::Unclear),
            (None, None) => None,
        }),
        Judge::Line => doubt(unless(|text| !text.contains(char::is_control), Why::Run)),
        Judge::CurlUrl => with(value, |value| address::curl_url(value, in_place, sink)),
        Judge::KeptUrl => with(value.filter(|_| !target), |value| address::kept_url(value, sink)),
        Judge::Certificate => with(value, |value| address::certificate(value, sink)),
        Judge::CopyFilter => doubt(unless(address::is_plain_filter, Why::Config)),
        // Its class is noted where it is read; a task that is not known may publish.
        Judge::BuildTask => doubt(known.is_none().then_some(Why::Unclear)),
        Judge::Sent => with(value, |value| address::sent(value, sink)),
        Judge::Form => with(value, |value| address::form(value, sink)),
        Judge::HttpItem => with(value, |value| address::http_item(value, sink)),
        Judge::AwsText => with(value, |value| address::aws_text(value, sink)),
        Judge::Moded => {
            if !target {
                doubt(Some(Why::Unknown));
            }
            sink_all(value.map(read), sink);
        }
        Judge::Project => match known {
            Some(text) if text == "." || text.starts_with("..") || text.contains('/') && !text.contains('=') => {
                sink_all(value.map(Fact::Dir), sink);
            }
            _ => judge_make(known, value, sink),
        },
        Judge::Make => judge_make(known, value, sink),
        Judge::Variable => sink_all(value.map(Fact::Variable), sink),
        Judge::BuildSetting => doubt(unless(builds::is_plain_build_setting, Why::Config)),
        Judge::CompilerFlag => doubt(unless(builds::are_plain_c_flags, Why::Run)),
        Judge::SshOption => doubt(unless(values::is_plain_ssh_option, Why::Run)),
        Judge::Remote => doubt(unless(values::is_plain_remote, Why::Run)),
        Judge::Compressor => doubt(unless(values::is_compressor, Why::Run)),
        Judge::Warning => doubt(unless(values::is_plain_warning, Why::Load)),
        Judge::XOption => doubt(unless(values::is_plain_x_option, Why::Load)),
        Judge::Plugin => doubt(unless(|name| name.starts_with("no:"), Why::Load)),
        Judge::Assignment => doubt(unless(values::is_plain_assignment, Why::Code)),
        Judge::Apt => doubt(unless(values::is_plain_apt_option, Why::Run)),
        Judge::Flags => doubt(unless(
            |text| go_flags::are_plain(text, builds::are_plain_c_flags),
            Why::Run,
        )),
        Judge::Java => doubt(unless(builds::is_plain_java_option, Why::Run)),
        Judge::JvmOption => doubt(unless(builds::is_plain_jvm_option, Why::Load)),
        Judge::Property => doubt(unless(builds::is_plain_property, Why::Config)),
        Judge::Goal => doubt(unless(builds::is_plain_goal, Why::Run)),
        Judge::Socket => doubt(unless(values::is_plain_socket, Why::Run)),
        Judge::CMakeDefinition => doubt(unless(builds::is_plain_cmake_definition, Why::Config)),
        Judge::GoTarget => doubt(match (known, value) {
            (Some(text), _) => (!values::is_go_target(text)).then_some(Why::Unknown),
            // Names of files below a directory that is known.
            (None, Some(value)) if value.arg().is_steady() && values::is_below(value.prefix()) => None,
            (None, _) => Some(Why::Unclear),
        }),
        Judge::MsbuildWord => doubt(unless(values::is_plain_msbuild_word, Why::Config)),
        Judge::ComposerPackage => doubt(unless(values::is_composer_package, Why::Load)),
        Judge::RemoteRead | Judge::RemoteWrite => match value {
            Some(value) if is_remote(value.prefix()) => {
                doubt((!values::is_plain_remote(value.prefix())).then_some(Why::Run));
            }
            Some(value) => sink(Fact::Path {
                value,
                writes: judge == Judge::RemoteWrite,
                what: value.prefix().to_owned(),
            }),
            None => {}
        },
        Judge::Archive => match value {
            Some(value) if !value.prefix().contains(':') => sink(Fact::Path {
                value,
                writes: true,
                what: value.prefix().to_owned(),
            }),
            _ => doubt(Some(Why::Run)),
        },
        Judge::Module => super::package::module(value, index, args, sink),
        Judge::Upload => {
            sink_all(value.and_then(upload).map(read), sink);
        }
        Judge::KubeOutput => doubt(
            match known.map(|text| text.split_once('=').map_or(text, |(name, _)| name)) {
                Some(
                    "json" | "yaml" | "wide" | "name" | "kyaml" | "jsonpath" | "jsonpath-as-json" | "go-template"
                    | "custom-columns",
                ) => None,
                Some(_) => Some(Why::Config),
                None => Some(Why::Unclear),
            },
        ),
        Judge::HttpMethod => {
            let looks = |text: &str| text.eq_ignore_ascii_case("get") || text.eq_ignore_ascii_case("head");
            doubt((!known.is_some_and(looks)).then_some(Why::Unknown));
        }
        Judge::WriteOut => doubt(match known {
            Some(text) => (text.starts_with('@') || text.contains("%output")).then_some(Why::Write),
            None => Some(Why::Unclear),
        }),
        Judge::GitSetting => doubt((!known.is_some_and(git::setting)).then_some(Why::Run)),
        Judge::GitPair => {
            let name = previous.and_then(Value::literal);
            let harmless = name.is_some_and(git::harmless_setting) && !known.is_some_and(|text| text.starts_with('!'));
            doubt((!harmless).then_some(Why::Run));
        }
        Judge::GitUrl => match value {
            Some(value) if git::is_transport(value.prefix()) => doubt(Some(Why::Run)),
            Some(value) => sink(Fact::Repository(value)),
            None => {}
        },
        Judge::Suffix => doubt(unless(values::is_plain_suffix, Why::Write)),
        Judge::Prefix => doubt(unless(values::is_plain_prefix, Why::Write)),
        Judge::Packed => doubt(unless(values::is_plain_packed, Why::Write)),
        // What is not known may be a file, wherever it lies (`--no-index`).
        Judge::Compared => sink_all(value.map(read), sink),
        Judge::Pathspec => {
            // A word with a colon before it, or a revision's marks, names no file.
            if let Some(value) = value.filter(|value| !matches!(value.literal(), Some("." | "" | "-")))
                && !value.prefix().starts_with(':')
            {
                sink(Fact::Path {
                    value,
                    writes: true,
                    what: value.prefix().to_owned(),
                });
            }
        }
        Judge::Digits
        | Judge::Integer
        | Judge::Decimal
        | Judge::Size
        | Judge::Ranges
        | Judge::SortKey
        | Judge::Mark
        | Judge::Character
        | Judge::PlainText
        | Judge::Pattern => {
            let fits = known.is_some_and(|text| super::filter::is_of(judge, text));
            doubt((!fits).then_some(Why::Unknown));
        }
        Judge::Name
        | Judge::Package
        | Judge::Requirement
        | Judge::RequirementFile
        | Judge::PythonApp
        | Judge::CompilerWord
        | Judge::LinkerWord
        | Judge::ClangStyle
        | Judge::SectionRead
        | Judge::SectionWrite
        | Judge::PythonVersion
        | Judge::Tool
        | Judge::Task
        | Judge::CargoLine
        | Judge::Emit
        | Judge::Codegen => super::package::judge(judge, value, index, args, sink),
    }
}

/// Whether an operand of yq only says what is done with those behind it.
fn is_yq_command(value: Value<'_>) -> bool {
    matches!(value.literal(), Some("eval" | "eval-all" | "e" | "ea"))
}

/// Whether a value that is not known is the name of a file that is there.
fn is_found(value: Value<'_>) -> bool {
    let file = |piece: &Piece| match piece {
        // Without a parenthesis nothing is called.
        Piece::Fixed(text) => !text.contains('('),
        Piece::Unknown(Unknown::Glob | Unknown::Found(_) | Unknown::Number) => true,
        Piece::Unknown(_) => false,
    };
    matches!(&value.arg().shape, Shape::Dynamic { pieces, .. } if pieces.iter().all(file))
}

/// What stands for a target or an assignment of `make`.
fn judge_make<'a>(known: Option<&str>, value: Option<Value<'a>>, sink: &mut dyn FnMut(Fact<'a>)) {
    let fact = match builds::make_operand(known) {
        builds::MakeOperand::Plain => None,
        builds::MakeOperand::Doubt(why) => Some(Fact::Doubt {
            what: String::new(),
            why,
        }),
        builds::MakeOperand::Variable => value.map(Fact::Variable),
    };
    sink_all(fact, sink);
}

/// A path that is read.
fn read(value: Value<'_>) -> Fact<'_> {
    Fact::Path {
        value,
        writes: false,
        what: value.prefix().to_owned(),
    }
}

fn with<'a>(value: Option<Value<'a>>, judged: impl FnOnce(Value<'a>)) {
    if let Some(value) = value {
        judged(value);
    }
}

fn sink_all<'a>(fact: Option<Fact<'a>>, sink: &mut dyn FnMut(Fact<'a>)) {
    fact.into_iter().for_each(sink);
}

/// The file that a value to be sent names, where it names one.
fn upload(value: Value<'_>) -> Option<Value<'_>> {
    let text = value.prefix();
    let at = match text.find(['@', '<']) {
        Some(0) => 0,
        Some(at)
            if text
                .get(..at)
                .is_some_and(|head| head.ends_with('=') || !head.contains('=')) =>
        {
            at
        }
        Some(_) | None => return None,
    };
    Some(value.behind(at + 1))
}

/// `host:path`, `user@host:path`, `rsync://host/path`.
fn is_remote(text: &str) -> bool {
    text.find(':')
        .is_some_and(|colon| !text.get(..colon).unwrap_or("").contains('/'))
}

/// Whether a value is a number with at most a sign, a unit or a range. What an arithmetic expansion gives is one.
pub(super) fn is_number(value: Value<'_>) -> bool {
    let Some(text) = value.literal() else {
        return value.is_number();
    };
    let body = text.trim_start_matches(['+', '-']);
    text.len() - body.len() <= 1
        && body.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && body
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b',' | b':' | b'%' | b'-' | b'+'))
}

/// What is wrong with a script file of this name, or of a name that begins so.
pub(super) fn script(value: Value<'_>) -> Option<Why> {
    let text = value.prefix();
    let stdin = value.literal() == Some("-")
        || ["/dev/stdin", "/dev/fd/", "/dev/tty", "/proc/"]
            .iter()
            .any(|p| text.starts_with(p));
    if stdin {
        return Some(Why::Input);
    }
    let fetched = text.split_once(':').is_some_and(|(scheme, rest)| {
        ["data", "blob", "npm", "jsr", "file"]
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known))
            || rest.starts_with("//")
    });
    fetched.then_some(Why::Code)
}
