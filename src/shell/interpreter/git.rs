//! `git`: options before the subcommand, subcommands that run things, and settings that name commands.

use super::super::Arg;
use super::super::by_name::ByName;
use super::super::option::{Abbreviation, Dash, Grammar, Item, Order, Reader};
use super::{Found, Why};

const GLOBAL: &str = "C:!dir c:!setting exec-path::!exec-path html-path!stop man-path!stop info-path!stop p!run paginate!run P no-pager \
    git-dir:!config work-tree:!config namespace:!config super-prefix:!config bare!config no-replace-objects no-lazy-fetch no-optional-locks no-advice \
    literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs list-cmds:!stop config-env:!run attr-source: v!stop version!stop h!stop help!stop";

/// Names, effect of the subcommand itself, options of interest.
type Sub = (&'static str, &'static str, &'static str);

static INDEX: ByName<Sub> = ByName::new();

/// Subcommands.
static SUBS: &[Sub] = &[
    (
        "status add mv rm restore branch reset switch tag worktree describe rev-parse rev-list name-rev shortlog blame annotate ls-files ls-tree \
         cat-file merge-base for-each-ref show-ref symbolic-ref update-ref update-index write-tree read-tree commit-tree mktree mktag hash-object count-objects \
         fsck gc prune repack pack-refs pack-objects unpack-objects index-pack verify-pack verify-commit verify-tag check-ignore check-attr check-mailmap check-ref-format \
         notes sparse-checkout bundle version cherry clean show-branch rerere replace stripspace \
         get-tar-commit-id patch-id column fmt-merge-msg merge-file merge-tree merge-index var ls-refs multi-pack-index commit-graph diagnose bugreport last-modified \
         checkout-index prune-packed show-index unpack-file merge-one-file backfill refs repo history",
        "",
        "ext-diff!run",
    ),
    (
        "commit checkout merge cherry-pick revert am apply",
        "",
        "e edit t:|template: ext-diff!run",
    ),
    (
        "diff log show diff-files diff-index diff-tree range-diff whatchanged reflog stash",
        "",
        "ext-diff!run output:!write",
    ),
    (
        "format-patch",
        "",
        "ext-diff!run o:|output-directory:!write output:!write attach:: inline:: thread:: v: N: in-reply-to:",
    ),
    ("init", "", "template:!load separate-git-dir:!config b: initial-branch:"),
    (
        "rebase",
        "",
        "x:|exec:!run i!ask interactive!ask edit-todo!ask s: X: onto: strategy: strategy-option: root C: empty:",
    ),
    (
        "pull fetch",
        "",
        "upload-pack:!run ext-diff!run recurse-submodules:: j: o: depth: shallow-since: jobs: server-option: refmap: negotiation-tip:",
    ),
    ("push", "", "receive-pack:!run exec:!run o: push-option: repo:"),
    ("send-pack", "run", ""),
    (
        "clone",
        "",
        "u:|upload-pack:!run c:|config:!setting template:!load o: b: origin: branch: reference: depth: j: separate-git-dir:!config recursive recurse-submodules:: bundle-uri:",
    ),
    (
        "ls-remote fetch-pack",
        "",
        "upload-pack:!run exec:!run o: sort: server-option:",
    ),
    (
        "grep",
        "",
        "O::|open-files-in-pager::!run f:!config e: A: B: C: m: and or not threads: max-depth: ext-grep textconv",
    ),
    (
        "archive",
        "",
        "remote:!run exec:!run o:|output:!write format: prefix: add-file: add-virtual-file: l worktree-attributes",
    ),
    ("bisect", "bisect", ""),
    ("submodule", "submodule", ""),
    ("remote", "remote", "f t: m: mirror: tags"),
    ("config", "config", ""),
    (
        "difftool mergetool filter-branch send-email instaweb web--browse daemon upload-pack upload-archive receive-pack shell credential credential-store credential-cache \
         remote-ext remote-fd remote-http remote-https remote-ftp hook for-each-repo gui citool gitk svn p4 cvsimport cvsserver cvsexportcommit archimport quiltimport imap-send \
         http-backend http-fetch http-push fsmonitor--daemon maintenance scalar lfs annex fast-import fast-export interpret-trailers request-pull filter-repo subtree sh-setup \
         difftool--helper mergetool--lib rebase--interactive submodule--helper bisect--helper add--interactive editor",
        "run",
        "",
    ),
    ("help", "", "w|web!run m|man!run i|info!run a g"),
];

/// Settings that name no command and no file: they may be given with `-c` and `config`.
fn harmless_setting(name: &str) -> bool {
    const SECTIONS: &[&str] = &[
        "user.",
        "color.",
        "advice.",
        "column.",
        "author.",
        "committer.",
        "log.",
        "status.",
        "versionsort.",
        "rerere.",
        "fetch.prune",
        "stash.",
        "tag.sort",
        "branch.sort",
    ];
    const NAMES: &[&str] = &[
        "core.quotepath",
        "core.autocrlf",
        "core.eol",
        "core.abbrev",
        "core.filemode",
        "core.ignorecase",
        "core.safecrlf",
        "core.precomposeunicode",
        "core.longpaths",
        "init.defaultbranch",
        "pull.rebase",
        "pull.ff",
        "push.default",
        "push.autosetupremote",
        "push.followtags",
        "merge.ff",
        "merge.conflictstyle",
        "merge.renames",
        "rebase.autostash",
        "rebase.autosquash",
        "diff.noprefix",
        "diff.mnemonicprefix",
        "diff.renames",
        "diff.algorithm",
        "diff.context",
        "diff.colormoved",
        "commit.gpgsign",
        "tag.gpgsign",
        "commit.verbose",
        "grep.linenumber",
        "grep.patterntype",
        "fetch.parallel",
        "gc.auto",
        "help.autocorrect-off",
        "apply.whitespace",
        "feature.manyfiles",
        "http.postbuffer",
        "pack.threads",
        "protocol.version",
        "commit.cleanup",
        "format.pretty",
        "blame.date",
        "submodule.recurse",
        "user",
    ];
    let lower = name.to_ascii_lowercase();
    let user_program = lower == "user.signingkey"
        || lower.ends_with("program")
        || lower.ends_with("command")
        || lower.ends_with("cmd");
    !user_program && (NAMES.contains(&lower.as_str()) || SECTIONS.iter().any(|s| lower.starts_with(s)))
}

/// A `name=value` setting.
fn setting(text: &str) -> bool {
    let (name, value) = text.split_once('=').unwrap_or((text, "true"));
    let pager_off = name.eq_ignore_ascii_case("core.pager") && matches!(value, "cat" | "");
    let off = matches!(name.to_ascii_lowercase().as_str(), "core.fsmonitor" | "core.hookspath")
        && matches!(value, "false" | "/dev/null");
    pager_off || off || (harmless_setting(name) && !value.starts_with('!'))
}

fn grammar(spec: &str, order: Order) -> Grammar<'_> {
    Grammar {
        spec,
        more: &[],
        order,
        dash: Dash::Cluster,
        abbreviation: Abbreviation::Unambiguous,
    }
}

/// Judges the arguments of `git`.
pub(super) fn inspect(rest: &[Arg]) -> Found {
    let global = Grammar {
        abbreviation: Abbreviation::None,
        ..grammar(GLOBAL, Order::FirstOperandEnds)
    };
    for item in Reader::new(global, rest) {
        match item {
            Item::Option { spec, value, index } => {
                let word = || Some(rest.get(index).map_or("", Arg::prefix).to_owned());
                let text = value.and_then(super::super::option::Value::literal);
                let found = match spec.effect {
                    "stop" => return None,
                    "run" => Some(Why::Run),
                    "config" => Some(Why::Config),
                    "exec-path" => value.is_some().then_some(Why::Load),
                    "setting" => (!text.is_some_and(setting)).then_some(Why::Run),
                    _ => None,
                };
                if let Some(why) = found {
                    return word().map(|w| (w, why));
                }
            }
            Item::Unknown { text, .. } => return Some((text.to_owned(), Why::Unknown)),
            Item::Unclear { .. } => return Some(("…".to_owned(), Why::Unclear)),
            Item::Digits { .. } | Item::End { .. } => {}
            Item::Operand { arg, index } => {
                return match arg.literal() {
                    Some(name) => subcommand(name, rest.get(index + 1..).unwrap_or(&[])),
                    None => Some(("…".to_owned(), Why::Unknown)),
                };
            }
        }
    }
    None
}

fn subcommand(name: &str, rest: &[Arg]) -> Found {
    let names = || {
        SUBS.iter()
            .flat_map(|row| row.0.split_ascii_whitespace().map(move |name| (name, row)))
    };
    let Some((_, effect, spec)) = INDEX.find(name, names) else {
        return Some((name.to_owned(), Why::Unknown));
    };
    let word = |i: usize| rest.get(i).map_or("", Arg::prefix);
    match *effect {
        "run" => return Some((name.to_owned(), Why::Run)),
        "bisect"
            if !matches!(
                word(0),
                "start" | "good" | "bad" | "new" | "old" | "skip" | "reset" | "log" | "next" | "terms" | ""
            ) =>
        {
            return Some((format!("bisect {}", word(0)), Why::Run));
        }
        "submodule"
            if !rest.iter().all(|a| a.literal().is_some())
                || !matches!(
                    word(0),
                    "" | "status" | "init" | "update" | "sync" | "summary" | "deinit" | "--quiet" | "absorbgitdirs"
                ) =>
        {
            return Some((format!("submodule {}", word(0)), Why::Run));
        }
        "config" => return config(rest),
        _ => {}
    }
    options(name, spec, rest)
}

fn options(name: &str, spec: &str, rest: &[Arg]) -> Found {
    let guarded = spec.contains("!write")
        || matches!(
            name,
            "clone" | "ls-remote" | "fetch-pack" | "grep" | "archive" | "rebase" | "submodule"
        );
    for item in Reader::new(grammar(spec, Order::Mixed), rest) {
        match item {
            Item::Option { spec, value, index } => {
                let text = value.and_then(super::super::option::Value::literal);
                let why = match spec.effect {
                    "setting" => (!text.is_some_and(setting)).then_some(Why::Run),
                    other => super::why(other),
                };
                if let Some(why) = why {
                    return Some((format!("{name} {}", rest.get(index).map_or("", Arg::prefix)), why));
                }
            }
            Item::Unclear { .. } if guarded => return Some((format!("{name} …"), Why::Unclear)),
            Item::Operand { arg, .. } => {
                let text = arg.prefix();
                if text.starts_with("ext::")
                    || text.starts_with("fd::")
                    || (text.contains("::") && text.contains("ext")) && takes_url(name)
                {
                    return Some((format!("{name} {text}"), Why::Run));
                }
                if takes_url(name)
                    && text
                        .split_once("::")
                        .is_some_and(|(scheme, _)| scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
                {
                    return Some((format!("{name} {text}"), Why::Run));
                }
            }
            Item::Unclear { .. } | Item::Unknown { .. } | Item::Digits { .. } | Item::End { .. } => {}
        }
    }
    None
}

fn takes_url(name: &str) -> bool {
    matches!(
        name,
        "clone" | "fetch" | "pull" | "push" | "ls-remote" | "remote" | "submodule" | "archive"
    )
}

const READ: &[&str] = &[
    "--get",
    "--get-all",
    "--get-regexp",
    "--list",
    "-l",
    "--get-urlmatch",
    "--get-color",
    "--get-colorbool",
    "list",
    "get",
];
const WRITE: &[&str] = &[
    "--add",
    "--replace-all",
    "set",
    "--global",
    "--local",
    "--worktree",
    "--bool",
    "--int",
    "--path",
    "--type=bool",
    "--type=int",
    "--all",
    "--append",
    "--null",
    "-z",
    "--name-only",
    "--show-origin",
    "--show-scope",
    "--includes",
    "--no-includes",
    "--default",
];
const REMOVE: &[&str] = &["--unset", "--unset-all", "unset"];

/// `git config`: reading is harmless; writing only for settings that name nothing.
fn config(rest: &[Arg]) -> Found {
    let hit = |why| Some(("config".to_owned(), why));
    let mut reading = false;
    let mut names = Vec::new();
    for arg in rest {
        let Some(text) = arg.literal() else {
            return if reading { None } else { hit(Why::Unknown) };
        };
        if READ.contains(&text) {
            reading = true;
        } else if WRITE.contains(&text) || REMOVE.contains(&text) {
        } else if text.starts_with('-') {
            if !reading {
                return hit(Why::Config);
            }
        } else {
            names.push(text);
        }
    }
    let harmless = reading
        || names.len() <= 1
        || names
            .first()
            .is_some_and(|n| harmless_setting(n) && !names.iter().skip(1).any(|v| v.starts_with('!')));
    if harmless { None } else { hit(Why::Run) }
}
