//! Exact places of a text in a file's bytes.

use std::ops::Range;

/// Places that are counted before it is only said that there are more.
pub(super) const MOST: usize = 100;

/// Where a text occurs, overlapping occurrences included, up to [`MOST`] of them.
pub(super) fn places(haystack: &[u8], needle: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    if needle.is_empty() {
        return out;
    }
    let mut base = 0usize;
    // The needle is UTF-8, so no occurrence reaches over an invalid byte.
    for chunk in haystack.utf8_chunks() {
        let text = chunk.valid();
        let mut from = 0usize;
        while let Some(at) = text.get(from..).and_then(|rest| rest.find(needle)) {
            let start = from + at;
            out.push(base + start..base + start + needle.len());
            if out.len() >= MOST {
                return out;
            }
            from = start
                + text
                    .get(start..)
                    .and_then(|t| t.chars().next())
                    .map_or(1, char::len_utf8);
        }
        base += text.len() + chunk.invalid().len();
    }
    out
}

/// 1-based line of a position.
pub(super) fn line_of(text: &[u8], at: usize) -> usize {
    super::super::lines::newlines(text.get(..at).unwrap_or_default()) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_count() {
        assert_eq!(places(b"aaa", "aa"), [0..2, 1..3]);
        assert_eq!(places(b"x\xffx", "x"), [0..1, 2..3]);
        assert_eq!(places("é\u{301}é".as_bytes(), "é"), [0..2, 4..6]);
        assert!(places(b"abc", "").is_empty());
        assert_eq!(places(&[b'a'; 500], "a").len(), MOST);
    }
}
