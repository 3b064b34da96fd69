//! Files that a shell opens by name when it comes to them.
//!
//! Where toolctl opens a redirection itself, the path is judged again by descriptor. A shell does not: behind a program
//! that makes links, the name may lead to another file than the one that was judged.

use super::segment::Segment;
use crate::shell::{Arg, Span, interpreter};

/// A file that a redirection names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Opened {
    /// The command that it belongs to.
    pub(super) span: Span,
    /// How deep it stands in shell texts of wrappers.
    pub(super) depth: usize,
    /// Whether a loop may come to it again.
    pub(super) looped: bool,
}

/// Programs that put links where they are told to.
const LINKERS: &[&str] = &[
    "7z", "7za", "7zz", "bsdcpio", "bsdtar", "busybox", "cp", "cpio", "ditto", "hg", "install", "jar", "link", "ln",
    "mv", "patch", "pax", "rename", "rsync", "star", "stow", "svn", "tar", "toybox", "unar", "unzip",
];

/// Commands of git that leave the files of the workspace alone.
const GIT_QUIET: &[&str] = &[
    "add",
    "annotate",
    "blame",
    "branch",
    "cat-file",
    "commit",
    "describe",
    "diff",
    "diff-tree",
    "fetch",
    "for-each-ref",
    "grep",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge-base",
    "name-rev",
    "push",
    "reflog",
    "remote",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "show-ref",
    "status",
    "tag",
    "version",
];

/// The first file that may not be the one that was judged, and the program that may see to that. `by_shell`: whether a
/// shell opens what the text itself redirects.
pub(super) fn find<'s>(opened: &[Opened], segments: &'s [Segment], by_shell: bool) -> Option<(Span, &'s str)> {
    let linkers: Vec<(&Segment, &str)> = segments.iter().filter_map(|s| Some((s, links(s)?))).collect();
    opened.iter().filter(|o| by_shell || o.depth > 0).find_map(|o| {
        let before = |s: &Segment| o.looped || o.depth > 0 || s.depth > 0 || s.span.start < o.span.start;
        let linker = linkers.iter().find(|(segment, _)| before(segment));
        linker.map(|(_, name)| (o.span, *name))
    })
}

/// The name of a program that may put a link somewhere. Of one that nothing is known about it must be assumed.
fn links(segment: &Segment) -> Option<&str> {
    let program = segment.program.as_ref()?;
    let name = interpreter::base_name(program.name());
    if let Some(row) = crate::program::find(name) {
        let reading = row.read(segment.argv.get(1..).unwrap_or(&[]), crate::program::Stdin::Nothing);
        return reading.links.then_some(name);
    }
    let linker = if segment.is_git() {
        let mut words = segment.argv.iter().skip(1);
        let command = words
            .find(|word| !word.prefix().starts_with('-'))
            .and_then(Arg::literal);
        !command.is_some_and(|command| GIT_QUIET.contains(&command))
    } else {
        LINKERS.contains(&name) || LINKERS.contains(&interpreter::base_name(program.real_name()))
    };
    linker.then_some(name)
}

/// The sentence about it.
pub(super) fn sentence(program: &str) -> String {
    format!(
        "a shell would open a file behind `{program}`, which can put a link in its place; run the two as calls of their own"
    )
}
