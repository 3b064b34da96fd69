//! The patch grammar: text to hunks, nothing else. Everything is parsed before anything is looked at on disk.

use crate::model::trim;

/// Largest patch, and most hunks and chunks in it.
const MAX_BYTES: usize = 64 << 20;
const MAX_PARTS: usize = 100_000;

const ADD: &str = "*** Add File: ";
const DELETE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const END_OF_FILE: &str = "*** End of File";

/// One operation on one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hunk<'a> {
    /// A file with this content.
    Add { path: &'a str, content: String },
    /// No such file any more.
    Delete { path: &'a str },
    /// Changed lines, and perhaps another name.
    Update {
        path: &'a str,
        to: Option<&'a str>,
        chunks: Vec<Chunk<'a>>,
    },
}

/// Lines that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chunk<'a> {
    /// The line after which to look.
    pub(super) anchor: Option<&'a str>,
    /// The body.
    pub(super) lines: Vec<Line<'a>>,
    /// Whether the body ends where the file ends.
    pub(super) at_end: bool,
}

/// One line of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
}

/// What a body line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Keep,
    Remove,
    Insert,
}

/// Why a text is no patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) String);

fn at<T>(line: usize, what: impl AsRef<str>) -> Result<T, Malformed> {
    Err(Malformed(format!(
        "Invalid patch hunk at line {line}: {}",
        what.as_ref()
    )))
}

/// Parses a patch, with or without a heredoc around it.
pub(super) fn parse(input: &str) -> Result<Vec<Hunk<'_>>, Malformed> {
    if input.len() > MAX_BYTES {
        return Err(Malformed("the patch is larger than 64 MiB; split it".to_owned()));
    }
    let all: Vec<&str> = trim(input)
        .split('\n')
        .map(|l| l.strip_suffix('\r').unwrap_or(l))
        .collect();
    let lines = without_heredoc(&all);
    let [first, body @ .., last] = lines else {
        return Err(begins_wrong());
    };
    if trim(first) != "*** Begin Patch" {
        return Err(begins_wrong());
    }
    if trim(last) != "*** End Patch" {
        return Err(Malformed(
            "The last line of the patch must be '*** End Patch'".to_owned(),
        ));
    }
    let mut parser = Parser {
        rest: body,
        line: 2,
        parts: 0,
    };
    let mut hunks = Vec::new();
    while let Some(header) = parser.rest.first() {
        hunks.push(parser.hunk(header)?);
    }
    Ok(hunks)
}

fn begins_wrong() -> Malformed {
    Malformed("The first line of the patch must be '*** Begin Patch'".to_owned())
}

fn without_heredoc<'l, 'a>(all: &'l [&'a str]) -> &'l [&'a str] {
    match all {
        ["<<EOF" | "<<'EOF'" | "<<\"EOF\"", inner @ .., last] if inner.len() >= 2 && last.ends_with("EOF") => inner,
        _ => all,
    }
}

struct Parser<'l, 'a> {
    rest: &'l [&'a str],
    line: usize,
    parts: usize,
}

impl<'a> Parser<'_, 'a> {
    fn take(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
        self.line += 1;
    }

    fn count(&mut self) -> Result<(), Malformed> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return at(self.line, "the patch has too many parts; split it");
        }
        Ok(())
    }

    fn hunk(&mut self, header: &'a str) -> Result<Hunk<'a>, Malformed> {
        self.count()?;
        let trimmed = trim(header);
        if let Some(path) = trimmed.strip_prefix(ADD) {
            self.take();
            Ok(Hunk::Add {
                path,
                content: self.added(),
            })
        } else if let Some(path) = trimmed.strip_prefix(DELETE) {
            self.take();
            Ok(Hunk::Delete { path })
        } else if let Some(path) = trimmed.strip_prefix(UPDATE) {
            self.update(path)
        } else {
            at(
                self.line,
                format!(
                    "'{trimmed}' is not a valid hunk header. Valid hunk headers: '*** Add File: {{path}}', '*** Delete File: {{path}}', '*** Update File: {{path}}'"
                ),
            )
        }
    }

    fn added(&mut self) -> String {
        let mut content = String::new();
        while let Some(text) = self.rest.first().and_then(|line| line.strip_prefix('+')) {
            content.push_str(text);
            content.push('\n');
            self.take();
        }
        content
    }

    fn update(&mut self, path: &'a str) -> Result<Hunk<'a>, Malformed> {
        let header = self.line;
        self.take();
        let to = self.rest.first().and_then(|line| trim(line).strip_prefix(MOVE));
        if to.is_some() {
            self.take();
        }
        let mut chunks = Vec::new();
        while let Some(line) = self.rest.first() {
            if trim(line).is_empty() {
                self.take();
            } else if line.starts_with("***") {
                break;
            } else {
                self.count()?;
                let first = chunks.is_empty();
                chunks.push(self.chunk(line, first)?);
            }
        }
        if chunks.is_empty() {
            return at(header, format!("Update file hunk for path '{path}' is empty"));
        }
        Ok(Hunk::Update { path, to, chunks })
    }

    fn chunk(&mut self, head: &'a str, first: bool) -> Result<Chunk<'a>, Malformed> {
        let begin = self.line;
        let anchor = if head == "@@" {
            self.take();
            None
        } else if let Some(anchor) = head.strip_prefix("@@ ") {
            self.take();
            Some(anchor).filter(|a| !a.is_empty())
        } else if first {
            None
        } else {
            return at(
                begin,
                format!("Expected update hunk to start with a @@ context marker, got: '{head}'"),
            );
        };
        let mut chunk = Chunk {
            anchor,
            lines: Vec::new(),
            at_end: false,
        };
        while let Some(line) = self.rest.first() {
            let Some(line) = self.body_line(line, &mut chunk, begin)? else {
                break;
            };
            chunk.lines.push(line);
            self.take();
        }
        if chunk.lines.is_empty() {
            return at(begin + 1, "Update hunk does not contain any lines");
        }
        Ok(chunk)
    }

    /// The line of a body, or nothing where the body ends.
    fn body_line(&mut self, line: &'a str, chunk: &mut Chunk<'a>, begin: usize) -> Result<Option<Line<'a>>, Malformed> {
        if line == END_OF_FILE && !chunk.lines.is_empty() {
            chunk.at_end = true;
            self.take();
            return Ok(None);
        }
        if line == END_OF_FILE {
            return at(begin + 1, "Update hunk does not contain any lines");
        }
        let marked = [(' ', Kind::Keep), ('-', Kind::Remove), ('+', Kind::Insert)]
            .into_iter()
            .find_map(|(mark, kind)| {
                Some(Line {
                    kind,
                    text: line.strip_prefix(mark)?,
                })
            });
        match marked {
            Some(line) => Ok(Some(line)),
            None if line.is_empty() => Ok(Some(Line {
                kind: Kind::Keep,
                text: "",
            })),
            None if !chunk.lines.is_empty() => Ok(None),
            None => at(
                begin + 1,
                format!(
                    "Unexpected line found in update hunk: '{line}'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)"
                ),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn wrong(input: &str, message: &str) {
        let error = parse(input).unwrap_err();
        assert!(error.0.contains(message), "{}", error.0);
    }

    #[test]
    fn every_form_is_read() {
        let input = "<<'EOF'\n *** Begin Patch \n*** Add File: a\n++x\n+\n*** Delete File: b\n*** Update File: c\n *** Move to: d\n\n-old\n+new\n\n@@ anchor\n keep\n*** End of File\n\n@@\n-z\n*** End Patch\nEOF";
        let hunks = parse(input).unwrap();
        assert_eq!(
            hunks[0],
            Hunk::Add {
                path: "a",
                content: "+x\n\n".to_owned()
            }
        );
        assert_eq!(hunks[1], Hunk::Delete { path: "b" });
        let Hunk::Update {
            path: "c",
            to: Some("d"),
            chunks,
        } = &hunks[2]
        else {
            panic!("{hunks:?}");
        };
        assert_eq!(chunks.len(), 3);
        assert_eq!(chunks[0].lines.len(), 3, "a blank line is blank context");
        assert_eq!((chunks[1].anchor, chunks[1].at_end), (Some("anchor"), true));
        assert_eq!(
            chunks[2].lines,
            [Line {
                kind: Kind::Remove,
                text: "z"
            }]
        );
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        wrong("", "first line");
        wrong("*** Begin Patch", "first line");
        wrong("x\n*** End Patch", "first line");
        wrong("*** Begin Patch\n*** Add File: a", "last line");
        wrong("<<PATCH\n*** Begin Patch\n*** End Patch\nPATCH", "first line");
        wrong("<<EOF\n*** Begin Patch\n*** Delete File: a\nEOF", "last line");
        wrong(
            "*** Begin Patch\n*** Add File:\n*** End Patch",
            "line 2: '*** Add File:' is not",
        );
        wrong(
            "*** Begin Patch\n*** Add File: a\n+x\n\n*** Delete File: b\n*** End Patch",
            "line 4: '' is not",
        );
        wrong(
            "*** Begin Patch\n*** Update File: a\n*** End Patch",
            "line 2: Update file hunk for path 'a' is empty",
        );
        wrong(
            "*** Begin Patch\n*** Update File: a\n@@ x\n*** End Patch",
            "line 4: Update hunk does not contain",
        );
        wrong(
            "*** Begin Patch\n*** Update File: a\n@@\n*** End of File\n*** End Patch",
            "line 4: Update hunk does not",
        );
        wrong(
            "*** Begin Patch\n*** Update File: a\n@@\n@@ b\n-x\n*** End Patch",
            "line 4: Unexpected line",
        );
        wrong(
            "*** Begin Patch\n*** Update File: a\n@@\n-x\njunk\n*** End Patch",
            "line 5: Expected update hunk to start",
        );
    }

    mod properties {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(500))]

            #[test]
            fn no_text_is_too_strange(lines in proptest::collection::vec("(\\*\\*\\* (Begin Patch|End Patch|End of File|Add File: a|Update File: b|Delete File: c|Move to: d)|@@( x)?|[ +-]?\\PC{0,4}|<<EOF|EOF)", 0..14)) {
                let _ = parse(&lines.join("\n"));
                let _ = parse(&format!("*** Begin Patch\n{}\n*** End Patch", lines.join("\n")));
            }
        }
    }
}
