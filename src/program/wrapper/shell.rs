//! Shells as wrappers: which text or script they would run, and which start-up files they read first.
//!
//! Options end at the first operand: `bash script -c text` runs the script.

use super::{Effect, Inner, Language, Layer, Peeled, carrier};
use crate::program::by_name::ByName;
use crate::shell::Arg;
use crate::shell::option::{Abbreviation, Dash, Grammar, Item, Order, Reader, Value};

/// A family of shells with the same options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShellName {
    /// bash, and `rbash`.
    Bash,
    /// sh, dash, ash, and others with only POSIX options.
    Posix,
    /// ksh, mksh, zsh and others: their texts are not modelled.
    Other,
}

// `odd`: the text is read or run in another way than the analyser reads it, or what it sets goes elsewhere.
const BASH: &str = "a!odd b e f h k!odd m n p t u v x B!odd C E H!odd P!odd T D c!text i!startup l!startup r s!input o:!set O:!shopt \
    norc noprofile posix!odd restricted verbose debug debugger!startup protected wordexp dump-strings dump-po-strings noediting \
    login!startup rcfile:!startup init-file:!startup help!help version!help";
const POSIX: &str = "a!odd b e f h m n p u v x C E I V c!text i!startup l!startup s!input o:!set norc noprofile posix login!startup help!help version!help";
const OTHER: &str = "c!text command:!text-value e f x v u n p s!input i!startup l!startup o: norc login!startup help!help version!help no-config N";

static SHELLS: &[(&str, ShellName)] = &[
    ("bash", ShellName::Bash),
    ("rbash", ShellName::Bash),
    ("sh", ShellName::Posix),
    ("dash", ShellName::Posix),
    ("ash", ShellName::Posix),
    ("hush", ShellName::Other),
    ("ksh", ShellName::Other),
    ("ksh93", ShellName::Other),
    ("mksh", ShellName::Other),
    ("lksh", ShellName::Other),
    ("oksh", ShellName::Other),
    ("pdksh", ShellName::Other),
    ("rksh", ShellName::Other),
    ("zsh", ShellName::Other),
    ("rzsh", ShellName::Other),
    ("yash", ShellName::Other),
    ("posh", ShellName::Other),
    ("fish", ShellName::Other),
    ("csh", ShellName::Other),
    ("tcsh", ShellName::Other),
    ("bsh", ShellName::Other),
    ("rc", ShellName::Other),
    ("es", ShellName::Other),
    ("elvish", ShellName::Other),
    ("nu", ShellName::Other),
    ("xonsh", ShellName::Other),
    ("osh", ShellName::Other),
    ("ysh", ShellName::Other),
    ("pwsh", ShellName::Other),
    ("powershell", ShellName::Other),
    ("powershell.exe", ShellName::Other),
    ("pwsh.exe", ShellName::Other),
    ("cmd", ShellName::Other),
    ("cmd.exe", ShellName::Other),
];

/// Values of `-o` and `-O` that leave a text what it is.
const SETTINGS: &[&str] = &[
    "errexit",
    "errtrace",
    "functrace",
    "noclobber",
    "noexec",
    "noglob",
    "notify",
    "nounset",
    "pipefail",
    "verbose",
    "xtrace",
];
const SHELL_OPTIONS: &[&str] = &[
    "dotglob",
    "failglob",
    "globstar",
    "inherit_errexit",
    "nocaseglob",
    "nullglob",
];

/// The family of a program name: versions (`bash5`, `bash-5.2`, `zsh-5.9`) count as their shell.
pub fn shell_name(name: &str) -> Option<ShellName> {
    static INDEX: ByName<(&str, ShellName)> = ByName::new();
    let exact = |name: &str| {
        let row = INDEX.find(name, || SHELLS.iter().map(|row| (row.0, row)))?;
        Some(row.1)
    };
    let base = crate::program::base_name(name);
    exact(name).or_else(|| if base == name { None } else { exact(base) })
}

/// Whether a program name is that of a shell.
pub fn is_shell(name: &str) -> bool {
    shell_name(name).is_some()
}

/// Reads a shell's arguments.
pub(super) fn peel(shell: ShellName, name: &str, rest: &[Arg]) -> Peeled {
    let mut layer = Layer {
        name: name.to_owned(),
        env: Vec::new(),
        effects: Vec::new(),
        own_work: false,
    };
    let spec = match shell {
        ShellName::Bash => BASH,
        ShellName::Posix => POSIX,
        ShellName::Other => OTHER,
    };
    if shell == ShellName::Other && !matches!(name, "ksh" | "ksh93" | "mksh" | "dash") {
        // zsh, fish and others read files before every command.
        layer.effects.push(Effect::ReadsStartup(name.to_owned()));
    }
    let grammar = Grammar {
        spec,
        more: &[],
        order: Order::FirstOperandEnds,
        dash: Dash::Cluster,
        abbreviation: Abbreviation::None,
    };
    let mut text = false;
    let mut input = false;
    // A script file is not read here; what changes how a text is read matters to texts alone.
    let mut odd = None;
    let mut operands: &[Arg] = &[];
    for item in Reader::new(grammar, plus_as_minus(rest).as_deref().unwrap_or(rest)) {
        match item {
            Item::Option { spec, value, index } => match spec.effect {
                "text" => text = true,
                "input" => input = true,
                "startup" => layer
                    .effects
                    .push(Effect::ReadsStartup(rest.get(index).map_or("", Arg::prefix).to_owned())),
                "help" => {
                    return Peeled {
                        layer,
                        inner: Inner::Nothing,
                    };
                }
                "text-value" => return whole(layer, "a command text of a shell that is not modelled"),
                "odd" => odd = Some(index),
                "set" if !value.is_some_and(|v| is_one_of(v, SETTINGS)) => odd = Some(index),
                "shopt" if !value.is_some_and(|v| is_one_of(v, SHELL_OPTIONS)) => odd = Some(index),
                _ if value.is_some_and(|v| v.literal().is_none()) => {
                    return whole(layer, "an option's value is not known");
                }
                _ => {}
            },
            Item::Digits { text, .. } | Item::Unknown { text, .. } => {
                layer.effects.push(Effect::UnknownOption(text.to_owned()));
                return whole(layer, "an option that is not known");
            }
            Item::Unclear { .. } => return whole(layer, "an argument before the command is not known"),
            Item::End { index } => operands = rest.get(index + 1..).unwrap_or(&[]),
            Item::Operand { arg, index } => {
                // A lone dash ends the options, as `--` does.
                let skip = usize::from(arg.literal() == Some("-") && !after_end(rest, index));
                operands = rest.get(index + skip..).unwrap_or(&[]);
                break;
            }
        }
    }
    if let Some(index) = odd.filter(|_| text) {
        return changed(layer, rest.get(index));
    }
    let inner = if text {
        text_of(shell, operands)
    } else if input || operands.is_empty() {
        Inner::Input
    } else {
        script(operands)
    };
    Peeled { layer, inner }
}

fn is_one_of(value: Value<'_>, names: &[&str]) -> bool {
    value.literal().is_some_and(|name| names.contains(&name))
}

/// An option changes what the text means.
fn changed(mut layer: Layer, option: Option<&Arg>) -> Peeled {
    let option = option.map_or("", Arg::prefix).to_owned();
    layer.effects.push(Effect::UnknownOption(option));
    whole(layer, "an option changes how its text is read")
}

fn after_end(rest: &[Arg], index: usize) -> bool {
    index > 0 && rest.get(index - 1).and_then(Arg::literal) == Some("--")
}

/// `+e` and `+O name` are read as `-e` and `-O name`; they take the same values and run nothing more.
fn plus_as_minus(rest: &[Arg]) -> Option<Vec<Arg>> {
    let plus = |a: &Arg| {
        a.literal()
            .filter(|t| t.len() > 1)
            .and_then(|t| t.strip_prefix('+'))
            .map(|t| format!("-{t}"))
    };
    if !rest.iter().take(8).any(|a| plus(a).is_some()) {
        return None;
    }
    let mut out = rest.to_vec();
    let mut seen_operand = false;
    let mut value = false;
    for arg in &mut out {
        if seen_operand {
            break;
        }
        if value {
            value = false;
            continue;
        }
        if let Some(text) = plus(arg) {
            // `+c` and `+s` would change their meaning; they are left as operands, which ask.
            if text.contains(['c', 's', 'i', 'l']) {
                break;
            }
            value = text.ends_with(['o', 'O']);
            *arg = Arg {
                span: arg.span,
                ..Arg::exact(text)
            };
        } else {
            value = arg
                .literal()
                .is_some_and(|t| t.starts_with('-') && t.ends_with(['o', 'O']));
            seen_operand = !arg.prefix().starts_with('-');
        }
    }
    Some(out)
}

fn whole(layer: Layer, why: &str) -> Peeled {
    let why = format!("`{}`: {why}", layer.name);
    Peeled {
        layer,
        inner: Inner::Unknown(why),
    }
}

fn text_of(shell: ShellName, operands: &[Arg]) -> Inner {
    let Some((first, params)) = operands.split_first() else {
        return Inner::Unknown("no command text is given".to_owned());
    };
    let Some(text) = first.literal() else {
        return Inner::Unknown("the command text is not known before it runs".to_owned());
    };
    if shell != ShellName::Other
        && let Some(command) = carrier::carried(text, params)
    {
        return Inner::Commands(vec![command]);
    }
    Inner::Text {
        text: text.to_owned(),
        language: match shell {
            ShellName::Bash => Language::Bash,
            ShellName::Posix => Language::Posix,
            ShellName::Other => Language::Other,
        },
        params: params.to_vec(),
    }
}

fn script(operands: &[Arg]) -> Inner {
    match operands.split_first() {
        Some((path, args)) if !path.is_many() => Inner::Script {
            path: path.clone(),
            args: args.to_vec(),
        },
        _ => Inner::Unknown("which script it runs is not known".to_owned()),
    }
}
