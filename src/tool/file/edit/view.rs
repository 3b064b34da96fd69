//! A file's text with every line ending as LF, and the way back to the bytes on disk.

use std::borrow::Cow;
use std::ops::Range;

/// How lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Lf,
    CrLf,
    Cr,
}

impl Ending {
    /// The bytes of the ending.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }
}

/// The folded text. A byte order mark is not part of it.
#[derive(Debug)]
pub(super) struct View<'a> {
    raw: &'a [u8],
    /// Bytes of the mark before the text.
    mark: usize,
    text: Cow<'a, [u8]>,
    /// Positions in `text` of the newlines that are two bytes on disk.
    wide: Vec<usize>,
}

impl<'a> View<'a> {
    /// Folds the line endings of a file.
    pub(super) fn new(raw: &'a [u8]) -> Self {
        let body = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
        let mark = raw.len() - body.len();
        if !body.contains(&b'\r') {
            return Self {
                raw,
                mark,
                text: Cow::Borrowed(body),
                wide: Vec::new(),
            };
        }
        let mut text = Vec::with_capacity(body.len());
        let mut wide = Vec::new();
        let mut rest = body.iter().peekable();
        while let Some(byte) = rest.next() {
            if *byte == b'\r' {
                if rest.next_if(|next| **next == b'\n').is_some() {
                    wide.push(text.len());
                }
                text.push(b'\n');
            } else {
                text.push(*byte);
            }
        }
        Self {
            raw,
            mark,
            text: Cow::Owned(text),
            wide,
        }
    }

    /// The folded text.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The bytes on disk of a range of the text.
    pub(super) fn raw_range(&self, range: &Range<usize>) -> Range<usize> {
        self.raw_at(range.start)..self.raw_at(range.end)
    }

    fn raw_at(&self, at: usize) -> usize {
        self.mark + at + self.wide.partition_point(|newline| *newline < at)
    }

    /// How a line ends that is put in place of a range on disk: like the first ending in it, else like the one before it,
    /// else like the one after it.
    pub(super) fn ending_for(&self, range: &Range<usize>) -> Ending {
        let part = |range: Range<usize>| self.raw.get(range).unwrap_or_default();
        first_ending(part(range.clone()), part(range.end..self.raw.len()))
            .or_else(|| last_ending(part(0..range.start)))
            .or_else(|| first_ending(part(range.end..self.raw.len()), b""))
            .unwrap_or(Ending::Lf)
    }
}

fn first_ending(text: &[u8], after: &[u8]) -> Option<Ending> {
    let at = text.iter().position(|b| matches!(b, b'\r' | b'\n'))?;
    let next = text.get(at + 1).or_else(|| after.first());
    Some(match (text.get(at), next) {
        (Some(b'\n'), _) => Ending::Lf,
        (_, Some(b'\n')) => Ending::CrLf,
        _ => Ending::Cr,
    })
}

fn last_ending(text: &[u8]) -> Option<Ending> {
    let at = text.iter().rposition(|b| matches!(b, b'\r' | b'\n'))?;
    Some(
        match (text.get(at), at.checked_sub(1).and_then(|before| text.get(before))) {
            (Some(b'\r'), _) => Ending::Cr,
            (_, Some(b'\r')) => Ending::CrLf,
            _ => Ending::Lf,
        },
    )
}

/// An argument's text with every line ending as LF.
pub(super) fn fold(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_lead_back_to_the_bytes() {
        let raw = b"\xef\xbb\xbfa\r\nb\rc\nd";
        let view = View::new(raw);
        assert_eq!(view.text(), b"a\nb\nc\nd");
        assert_eq!(view.raw_range(&(0..1)), 3..4);
        assert_eq!(view.raw_range(&(0..2)), 3..6);
        assert_eq!(view.raw_range(&(1..3)), 4..7);
        assert_eq!(view.raw_range(&(4..7)), 8..11);
    }

    #[test]
    fn endings_come_from_the_neighbourhood() {
        let view = View::new(b"a\r\nbb\ncc\rdd");
        assert_eq!(view.ending_for(&(0..1)), Ending::CrLf);
        assert_eq!(view.ending_for(&(3..4)), Ending::CrLf);
        assert_eq!(view.ending_for(&(3..6)), Ending::Lf);
        assert_eq!(view.ending_for(&(7..8)), Ending::Lf);
        assert_eq!(view.ending_for(&(9..10)), Ending::Cr);
        assert_eq!(View::new(b"x").ending_for(&(0..1)), Ending::Lf);
    }
}
