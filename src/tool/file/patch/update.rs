//! Computes what an update makes of a file. Pure: bytes and chunks in, bytes out.
//!
//! Only removed and inserted lines change. Context lines keep their bytes, also where they matched loosely; inserted lines
//! take the line ending of their neighbours and, where indentation was ignored, the indentation of the lines they stand
//! among.

use super::grammar::{Chunk, Kind, Line};
use super::matcher::{Hit, Matcher, Miss, Pass};
use std::ops::Range;

/// What one patch may cost: chunks times lines.
const MAX_WORK: usize = 2_000_000_000;

/// The changed file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Updated {
    /// The new bytes.
    pub(super) content: Vec<u8>,
    /// Replaced bytes, old and new, ascending; absent where they cannot be told apart so simply.
    pub(super) regions: Option<Vec<(Range<usize>, Range<usize>)>>,
}

/// Why a chunk does not apply; the text goes after the name of the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// The anchor is nowhere.
    Anchor(String),
    /// The lines are nowhere.
    Lines(Vec<String>),
    /// They are in several places (1-based lines).
    Several(Vec<usize>, Vec<String>),
    /// More work than a patch is worth.
    TooMuch,
}

/// One line of the file.
struct FileLine<'a> {
    start: usize,
    text: &'a [u8],
    ending: &'a str,
}

/// Lines that take the place of others.
struct Splice<'a> {
    at: usize,
    remove: usize,
    body: Vec<Out<'a>>,
}

enum Out<'a> {
    /// A line of the file.
    Keep(usize),
    /// A new one, with its ending.
    Insert(String, &'a str),
}

/// Applies chunks to a file.
pub(super) fn update(content: &[u8], chunks: &[Chunk<'_>]) -> Result<Updated, Problem> {
    let mark = if content.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let lines = split(content, mark);
    if lines.len().saturating_mul(chunks.len()) > MAX_WORK {
        return Err(Problem::TooMuch);
    }
    let texts: Vec<&[u8]> = lines.iter().map(|line| line.text).collect();
    let mut matcher = Matcher::new(&texts);
    let mut splices = Vec::with_capacity(chunks.len());
    let mut cursor = 0usize;
    for chunk in chunks {
        let mut after_anchor = None;
        if let Some(anchor) = chunk.anchor {
            let hit = matcher.find(&[anchor], cursor, false).map_err(|miss| match miss {
                Miss::Nowhere => Problem::Anchor(anchor.to_owned()),
                Miss::Several(at) => several(&at, &[anchor]),
            })?;
            cursor = hit.at + 1;
            after_anchor = Some(cursor);
        }
        splices.push(place(&mut matcher, &lines, chunk, &mut cursor, after_anchor)?);
    }
    splices.sort_by_key(|splice| splice.at);
    Ok(assemble(content, mark, &lines, &splices))
}

fn several(at: &[usize], wanted: &[&str]) -> Problem {
    Problem::Several(
        at.iter().map(|line| line + 1).collect(),
        wanted.iter().map(|&line| line.to_owned()).collect(),
    )
}

/// Finds where a chunk goes.
fn place<'a>(
    matcher: &mut Matcher<'_>,
    lines: &[FileLine<'a>],
    chunk: &Chunk<'_>,
    cursor: &mut usize,
    after_anchor: Option<usize>,
) -> Result<Splice<'a>, Problem> {
    let wanted = old_lines(&chunk.lines);
    if wanted.is_empty() {
        return Ok(insertion(lines, chunk, after_anchor.filter(|_| !chunk.at_end)));
    }
    let mut body: Vec<Line<'_>> = chunk.lines.clone();
    let mut found = matcher.find(&wanted, *cursor, chunk.at_end);
    // A last blank line of the patch may be a mere gap before the next header.
    if found == Err(Miss::Nowhere)
        && let Some(last) = body.iter().rposition(|l| l.kind != Kind::Insert)
        && body.get(last).is_some_and(|l| l.text.is_empty())
    {
        body.remove(last);
        let shorter = old_lines(&body);
        if !shorter.is_empty() {
            found = matcher.find(&shorter, *cursor, chunk.at_end);
        }
    }
    let hit = found.map_err(|miss| match miss {
        Miss::Nowhere => Problem::Lines(wanted.iter().map(|&l| l.to_owned()).collect()),
        Miss::Several(at) => several(&at, &wanted),
    })?;
    let count = old_lines(&body).len();
    *cursor = hit.at + count;
    Ok(replacement(lines, &body, hit, count))
}

fn old_lines<'a>(body: &[Line<'a>]) -> Vec<&'a str> {
    body.iter().filter(|l| l.kind != Kind::Insert).map(|l| l.text).collect()
}

/// Lines to insert where nothing is matched: after the anchor, else at the end, before a last blank line.
fn insertion<'a>(lines: &[FileLine<'a>], chunk: &Chunk<'_>, after_anchor: Option<usize>) -> Splice<'a> {
    let blank_end = lines.last().is_some_and(|l| l.text.is_empty() && !l.ending.is_empty());
    // A file that is one blank line is an empty file to a person.
    let only_blank = blank_end && lines.len() == 1;
    let at = after_anchor.unwrap_or(lines.len() - usize::from(blank_end));
    let ending = ending_near(lines, at);
    Splice {
        at,
        remove: usize::from(only_blank && after_anchor.is_none()),
        body: chunk
            .lines
            .iter()
            .map(|l| Out::Insert(l.text.to_owned(), ending))
            .collect(),
    }
}

fn replacement<'a>(lines: &[FileLine<'a>], body: &[Line<'_>], hit: Hit, count: usize) -> Splice<'a> {
    let indents = Indents::new(lines, body, hit);
    let mut out = Vec::with_capacity(body.len());
    let mut here = hit.at;
    for (n, line) in body.iter().enumerate() {
        match line.kind {
            Kind::Keep => {
                out.push(Out::Keep(here));
                here += 1;
            }
            Kind::Remove => here += 1,
            Kind::Insert => out.push(Out::Insert(indents.adapt(n, line.text), ending_near(lines, here))),
        }
    }
    Splice {
        at: hit.at,
        remove: count,
        body: out,
    }
}

/// The ending of the line before a position, else of the one after, else LF.
fn ending_near<'a>(lines: &[FileLine<'a>], at: usize) -> &'a str {
    let ending = |line: Option<&FileLine<'a>>| line.map(|l| l.ending).filter(|e| !e.is_empty());
    ending(at.checked_sub(1).and_then(|before| lines.get(before)))
        .or_else(|| ending(lines.get(at)))
        .or_else(|| ending(lines.first()))
        .unwrap_or("\n")
}

/// How the indentation of a patch maps to that of the file, where a match ignored it.
struct Indents<'p> {
    /// Position in the body, indentation in the patch, indentation in the file.
    pairs: Vec<(usize, &'p str, String)>,
}

impl<'p> Indents<'p> {
    fn new(lines: &[FileLine<'_>], body: &[Line<'p>], hit: Hit) -> Self {
        let mut pairs = Vec::new();
        if hit.pass >= Pass::Trim {
            let matched = lines.get(hit.at..).unwrap_or_default();
            let old = body.iter().enumerate().filter(|(_, l)| l.kind != Kind::Insert);
            for ((n, line), file) in old.zip(matched) {
                if !line.text.trim().is_empty() {
                    let text = String::from_utf8_lossy(file.text);
                    pairs.push((n, indent(line.text), indent(&text).to_owned()));
                }
            }
        }
        Self { pairs }
    }

    /// An inserted line with the file's indentation: that of the nearest line (above first) that has the same
    /// indentation in the patch, else the longest part of it that one has.
    fn adapt(&self, position: usize, text: &str) -> String {
        let own = indent(text);
        let near = |(n, _, _): &&(usize, &str, String)| (n.abs_diff(position), *n > position);
        let same = self.pairs.iter().filter(|(_, patch, _)| *patch == own).min_by_key(near);
        let part = || {
            let longest = self.pairs.iter().filter(|(_, patch, _)| own.starts_with(patch));
            let length = longest.clone().map(|(_, patch, _)| patch.len()).max()?;
            longest.filter(|(_, patch, _)| patch.len() == length).min_by_key(near)
        };
        match same.or_else(part) {
            Some((_, patch, file)) if !text.trim().is_empty() => {
                format!("{file}{}", text.get(patch.len()..).unwrap_or_default())
            }
            _ => text.to_owned(),
        }
    }
}

fn indent(text: &str) -> &str {
    let end = text.len() - text.trim_start_matches([' ', '\t']).len();
    text.get(..end).unwrap_or_default()
}

fn split(content: &[u8], mark: usize) -> Vec<FileLine<'_>> {
    let mut start = mark;
    content
        .get(mark..)
        .unwrap_or_default()
        .split_inclusive(|b| *b == b'\n')
        .map(|line| {
            let (text, ending) = match line {
                [text @ .., b'\r', b'\n'] => (text, "\r\n"),
                [text @ .., b'\n'] => (text, "\n"),
                text => (text, ""),
            };
            let line_start = start;
            start += line.len();
            FileLine {
                start: line_start,
                text,
                ending,
            }
        })
        .collect()
}

fn assemble(content: &[u8], mark: usize, lines: &[FileLine<'_>], splices: &[Splice<'_>]) -> Updated {
    let mut out = Output {
        bytes: content.get(..mark).unwrap_or_default().to_vec(),
        open: false,
        joined: false,
    };
    let start_of = |line: usize| lines.get(line).map_or(content.len(), |l| l.start);
    let mut regions: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let mut at = 0usize;
    for splice in splices {
        out.copy(lines.get(at..splice.at.max(at)).unwrap_or_default());
        let old_start = start_of(splice.at.max(at));
        let new_start = out.bytes.len();
        for line in &splice.body {
            match line {
                Out::Keep(n) => out.copy(lines.get(*n..n + 1).unwrap_or_default()),
                Out::Insert(text, ending) => out.put(text.as_bytes(), ending),
            }
        }
        at = at.max(splice.at + splice.remove);
        regions.push((old_start..start_of(at), new_start..out.bytes.len()));
    }
    out.copy(lines.get(at..).unwrap_or_default());
    Updated {
        content: out.bytes,
        regions: (!out.joined).then_some(regions),
    }
}

struct Output {
    bytes: Vec<u8>,
    /// The last line has no ending yet.
    open: bool,
    /// Such a line was given one.
    joined: bool,
}

impl Output {
    fn copy(&mut self, lines: &[FileLine<'_>]) {
        for line in lines {
            self.put(line.text, line.ending);
        }
    }

    fn put(&mut self, text: &[u8], ending: &str) {
        if self.open {
            self.bytes
                .extend_from_slice(if ending.is_empty() { b"\n" } else { ending.as_bytes() });
            self.joined = true;
        }
        self.bytes.extend_from_slice(text);
        self.bytes.extend_from_slice(ending.as_bytes());
        self.open = ending.is_empty();
    }
}

#[cfg(test)]
mod tests {
    use super::super::grammar::{Hunk, parse};
    use super::*;

    fn apply(content: impl AsRef<[u8]>, body: &str) -> Result<Vec<u8>, Problem> {
        let patch = format!("*** Begin Patch\n*** Update File: f\n{body}\n*** End Patch");
        let hunks = parse(&patch).unwrap();
        let [Hunk::Update { chunks, .. }] = hunks.as_slice() else {
            panic!("{hunks:?}")
        };
        update(content.as_ref(), chunks).map(|updated| updated.content)
    }

    #[track_caller]
    fn gives(content: &str, body: &str, expected: &str) {
        let got = String::from_utf8(apply(content, body).unwrap()).unwrap();
        assert_eq!(got, expected);
    }

    #[test]
    fn context_keeps_its_bytes() {
        gives("alpha  \nbeta\t\n", "@@\n alpha\n-beta\n+gamma", "alpha  \ngamma\n");
        gives("say “x”\ny\n", "@@\n say \"x\"\n-y\n+z", "say “x”\nz\n");
    }

    #[test]
    fn inserted_lines_take_the_indentation_of_their_place() {
        gives(
            "def f():\n\tif x:\n\t\treturn “a”\n",
            "@@\n def f():\n     if x:\n-        return \"a\"\n+        y()\n+        return \"b\"\n+    return c",
            "def f():\n\tif x:\n\t\ty()\n\t\treturn \"b\"\n\treturn c\n",
        );
        gives(
            "    alpha\n        beta\n",
            "@@\n alpha\n-beta\n+gamma",
            "    alpha\n        gamma\n",
        );
        // An exact match changes nothing about indentation.
        gives("a\n  b\n", "@@\n a\n-  b\n+      c", "a\n      c\n");
    }

    #[test]
    fn indentation_that_is_ignored_must_not_choose_between_blocks() {
        let file = "if a:\n    run()\nif b:\n        run()\n";
        assert!(matches!(apply(file, "@@\n-run()\n+stop()"), Err(Problem::Several(lines, _)) if lines == [2, 4]));
        gives(
            file,
            "@@ if b:\n-run()\n+stop()",
            "if a:\n    run()\nif b:\n        stop()\n",
        );
    }

    #[test]
    fn endings_are_those_of_the_neighbours() {
        gives(
            "one\r\ntwo\r\nthree\r\n",
            "@@\n one\n-two\n+TWO\n+more",
            "one\r\nTWO\r\nmore\r\nthree\r\n",
        );
        gives("one\r\ntwo\nthree\n", "@@\n-three\n+3", "one\r\ntwo\n3\n");
        gives("one\ntwo", "@@\n-two\n+TWO", "one\nTWO\n");
        gives("one\ntwo", "@@\n-one\n+ONE", "ONE\ntwo");
        gives("one\ntwo", "@@\n two\n+three", "one\ntwo\nthree\n");
        gives("\u{feff}one\ntwo\n", "@@\n-one\n+ONE", "\u{feff}ONE\ntwo\n");
    }

    #[test]
    fn blank_lines_at_the_end_stay() {
        gives("one\ntwo\n\n\n", "@@\n-one\n+ONE", "ONE\ntwo\n\n\n");
        gives("one\n\n", "@@\n+x", "one\nx\n\n");
        gives("one\n", "@@\n+x", "one\nx\n");
        gives("", "@@\n+x", "x\n");
        gives("\n", "@@\n+x", "x\n");
    }

    #[test]
    fn an_anchor_says_where_to_insert() {
        gives("one\ntwo\nthree\n", "@@ one\n+inserted", "one\ninserted\ntwo\nthree\n");
        gives("one\ntwo\n", "@@ one\n+end\n*** End of File", "one\ntwo\nend\n");
    }

    #[test]
    fn invalid_bytes_elsewhere_stay() {
        assert_eq!(
            apply(b"one\n\xff\xfe\ntwo\n", "@@\n-one\n+ONE").unwrap(),
            b"ONE\n\xff\xfe\ntwo\n"
        );
    }

    mod properties {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(300))]

            #[test]
            fn a_patch_made_from_a_diff_gives_the_new_file(old in proptest::collection::vec("[ab ]{0,3}", 0..14), new in proptest::collection::vec("[ab ]{0,3}", 0..14)) {
                let text = |lines: &[String]| lines.iter().fold(String::new(), |all, l| all + l + "\n");
                // One chunk with all lines is always exact.
                let mut body = String::from("@@");
                for op in similar::capture_diff_slices(similar::Algorithm::Myers, &old, &new) {
                    let (removed, inserted) = (&old[op.old_range()], &new[op.new_range()]);
                    let mut put = |mark: &str, lines: &[String]| lines.iter().for_each(|l| body.extend(["\n", mark, l]));
                    if op.tag() == similar::DiffTag::Equal {
                        put(" ", removed);
                    } else {
                        put("-", removed);
                        put("+", inserted);
                    }
                }
                prop_assume!(!old.is_empty() && old != new);
                prop_assert_eq!(apply(text(&old), &body).unwrap(), text(&new).into_bytes());
            }
        }
    }
}
