//! Finds a text that differs from the file in typography only: compatibility forms, quotes, dashes, odd blanks, blanks at
//! the ends of lines. Never in indentation, never in case.
//!
//! The file is read through a normalised copy with a map back, so that only the matched region is replaced and the rest
//! keeps every byte.

use std::ops::Range;

/// Larger files are only searched exactly.
pub(super) const LIMIT: usize = 16 << 20;

/// A stretch of the normalised text and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    normal: Range<usize>,
    source: Range<usize>,
    /// Byte for byte the same on both sides, so that a match may begin or end inside.
    plain: bool,
}

/// The normalised form of a text, with the map back.
#[derive(Debug, Default)]
pub(super) struct Normal {
    text: String,
    pieces: Vec<Piece>,
}

impl Normal {
    /// Normalises a text. Invalid bytes become a character that no pattern contains.
    pub(super) fn new(source: &[u8]) -> Self {
        let mut normal = Self::default();
        let mut at = 0usize;
        for line in source.split_inclusive(|b| *b == b'\n') {
            normal.push_line(line, at);
            at += line.len();
        }
        normal
    }

    /// Where a pattern occurs, as ranges of the source.
    pub(super) fn places(&self, pattern: &str) -> Vec<Range<usize>> {
        let pattern = Self::new(pattern.as_bytes()).text;
        super::exact::places(self.text.as_bytes(), &pattern)
            .into_iter()
            .filter_map(|hit| Some(self.source_start(hit.start)?..self.source_end(hit.end)?))
            .collect()
    }

    fn push_line(&mut self, line: &[u8], at: usize) {
        let body = line.strip_suffix(b"\n").unwrap_or(line);
        let first = self.pieces.len();
        let mut here = at;
        for chunk in body.utf8_chunks() {
            let mut rest = chunk.valid();
            while let Some(cluster) = next_cluster(rest) {
                self.push(cluster, here..here + cluster.len());
                here += cluster.len();
                rest = rest.get(cluster.len()..).unwrap_or_default();
            }
            if !chunk.invalid().is_empty() {
                let end = here + chunk.invalid().len();
                self.push_piece("\0", here..end, false);
                here = end;
            }
        }
        self.trim_end(first);
        if line.len() > body.len() {
            self.push_piece("\n", here..here + 1, true);
        }
    }

    fn push(&mut self, cluster: &str, source: Range<usize>) {
        if cluster.is_ascii() {
            self.push_piece(cluster, source, true);
        } else {
            let folded: String = crate::text::nfkc(cluster).chars().map(fold).collect();
            let plain = folded == cluster;
            self.push_piece(&folded, source, plain);
        }
    }

    fn push_piece(&mut self, normal: &str, source: Range<usize>, plain: bool) {
        let start = self.text.len();
        self.text.push_str(normal);
        let end = self.text.len();
        // Blanks stay by themselves, so that they can be trimmed at the end of a line.
        if plain
            && !is_blank(normal)
            && let Some(last) = self.pieces.last_mut()
            && last.plain
            && last.source.end == source.start
            && !self.text.get(last.normal.clone()).is_some_and(is_blank)
        {
            last.normal.end = end;
            last.source.end = source.end;
            return;
        }
        self.pieces.push(Piece {
            normal: start..end,
            source,
            plain,
        });
    }

    /// Blanks at the end of a line vanish from the normalised text.
    fn trim_end(&mut self, first: usize) {
        let mut from = self.pieces.len();
        while from > first
            && self
                .pieces
                .get(from - 1)
                .and_then(|p| self.text.get(p.normal.clone()))
                .is_some_and(is_blank)
        {
            from -= 1;
        }
        if let Some(start) = self.pieces.get(from).map(|p| p.normal.start) {
            self.text.truncate(start);
            for piece in self.pieces.iter_mut().skip(from) {
                piece.normal = start..start;
                piece.plain = false;
            }
        }
    }

    fn source_start(&self, at: usize) -> Option<usize> {
        let n = self.pieces.partition_point(|p| p.normal.end <= at);
        let piece = self.pieces.get(n)?;
        match (piece.normal.start == at, piece.plain) {
            (true, _) => Some(piece.source.start),
            (false, true) => Some(piece.source.start + (at - piece.normal.start)),
            (false, false) => None,
        }
    }

    fn source_end(&self, at: usize) -> Option<usize> {
        let n = self.pieces.partition_point(|p| p.normal.end < at);
        let piece = self.pieces.get(n)?;
        match (piece.normal.end == at, piece.plain) {
            (true, _) => Some(piece.source.end),
            (false, true) => Some(piece.source.start + (at - piece.normal.start)),
            (false, false) => None,
        }
    }
}

/// The next part that can be normalised by itself.
fn next_cluster(text: &str) -> Option<&str> {
    let mut chars = text.char_indices();
    chars.next()?;
    let end = chars
        .find(|(_, c)| !crate::text::joins_previous(*c))
        .map_or(text.len(), |(at, _)| at);
    text.get(..end)
}

fn is_blank(text: &str) -> bool {
    !text.is_empty() && crate::model::trim(text).is_empty()
}

/// Quotes, dashes and blanks in their plain form.
pub(crate) fn fold(c: char) -> char {
    match c {
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c if crate::path::is_odd_space(c) && c != '\u{2000}' && c != '\u{2001}' => ' ',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn hits(source: &str, pattern: &str, expected: &[&str]) {
        let found = Normal::new(source.as_bytes()).places(pattern);
        let found: Vec<&str> = found.into_iter().map(|r| &source[r]).collect();
        assert_eq!(found, expected, "{source:?} {pattern:?}");
    }

    #[test]
    fn typography_is_seen_through() {
        hits("say “hi” — ok\n", "\"hi\" - ok", &["“hi” — ok"]);
        hits("alpha  \nbeta\t\nx", "alpha\nbeta", &["alpha  \nbeta"]);
        hits("alpha\u{a0}\nbeta", "\nbeta", &["\nbeta"]);
        hits("ﬁle ① Ａ", "file 1 A", &["ﬁle ① Ａ"]);
        hits("cafe\u{301}!", "café", &["cafe\u{301}"]);
        hits("a\u{3000}b", "a b", &["a\u{3000}b"]);
    }

    #[test]
    fn what_carries_meaning_is_not() {
        hits("    x = 1", "\tx = 1", &[]);
        hits("Hello", "hello", &[]);
        hits("wait…x", "wait...x", &["wait…x"]);
        // A match must not cut a character that stands for several.
        hits("ﬁ", "i", &[]);
        hits("x²", "x", &["x"]);
    }

    #[test]
    fn invalid_bytes_are_never_part_of_a_match() {
        let normal = Normal::new(b"a\xff\xe2\x80\x9cb\xe2\x80\x9d");
        assert_eq!(normal.places("\"b\""), vec![2..9; 1]);
        assert!(normal.places("a\u{fffd}").is_empty());
    }

    mod properties {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(300))]

            #[test]
            fn a_match_is_a_whole_range_that_normalises_to_the_pattern(source in "([a ]|“|é|e\u{301}|ﬁ|\u{a0}|\n|—){0,20}", pattern in "([a ]|\"|é|fi|\n|-){1,4}") {
                let normal = Normal::new(source.as_bytes());
                for range in normal.places(&pattern) {
                    let part = source.get(range.clone());
                    prop_assert!(part.is_some(), "{range:?} cuts a character");
                    let whole = Normal::new(pattern.as_bytes()).text;
                    let here = Normal::new(part.unwrap().as_bytes()).text;
                    prop_assert_eq!(here.trim_end(), whole.trim_end());
                }
            }
        }
    }
}
