//! Finds the lines of a chunk in a file: exactly, then ever more loosely, each pass over the whole range before the next.
//!
//! Exact and right-trimmed passes take the first place. The passes that ignore indentation or typography take a place
//! only when it is the only one: indentation is what tells one block from the other in many languages.

use crate::model::trim;
use crate::tool::file::edit::fold_typography;
use std::borrow::Cow;
use std::collections::HashMap;

/// How alike lines must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pass {
    Exact,
    TrimEnd,
    Trim,
    Typography,
}

const PASSES: [Pass; 4] = [Pass::Exact, Pass::TrimEnd, Pass::Trim, Pass::Typography];

impl Pass {
    fn form(self, line: &str) -> Cow<'_, str> {
        match self {
            Self::Exact => Cow::Borrowed(line),
            Self::TrimEnd => Cow::Borrowed(trim_end(line)),
            Self::Trim => Cow::Borrowed(trim(line)),
            Self::Typography => trim(line).chars().map(fold_typography).collect(),
        }
    }

    fn must_be_unique(self) -> bool {
        self >= Self::Trim
    }
}

fn trim_end(line: &str) -> &str {
    line.trim_end_matches(|c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}')
}

/// Where lines were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    /// 0-based first line.
    pub(super) at: usize,
    /// How they were found.
    pub(super) pass: Pass,
}

/// Why lines were not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Miss {
    /// Nowhere.
    Nowhere,
    /// In several places (0-based lines), where only one may be.
    Several(Vec<usize>),
}

/// The lines of a file, each pass's form of them numbered at its first use.
#[derive(Debug)]
pub(super) struct Matcher<'a> {
    lines: &'a [&'a [u8]],
    passes: [Option<Index<'a>>; 4],
}

#[derive(Debug)]
struct Index<'a> {
    numbers: Vec<u32>,
    known: HashMap<Cow<'a, str>, u32>,
}

/// The number of lines that are not text; no pattern has it.
const NOT_TEXT: u32 = u32::MAX;

impl<'a> Matcher<'a> {
    /// Prepares the lines, without their endings.
    pub(super) fn new(lines: &'a [&'a [u8]]) -> Self {
        Self {
            lines,
            passes: [None, None, None, None],
        }
    }

    /// Finds lines at or after a position, or exactly at the end of the file.
    pub(super) fn find(&mut self, wanted: &[&str], from: usize, at_end: bool) -> Result<Hit, Miss> {
        let total = self.lines.len();
        let from = if at_end {
            match total.checked_sub(wanted.len()) {
                Some(last) if last >= from => last,
                _ => return Err(Miss::Nowhere),
            }
        } else {
            from
        };
        for (n, pass) in PASSES.into_iter().enumerate() {
            let Some(index) = self.index(n, pass) else { continue };
            let pattern: Option<Vec<u32>> = wanted
                .iter()
                .map(|l| index.known.get(&*pass.form(l)).copied())
                .collect();
            let Some(pattern) = pattern else { continue };
            let most = if pass.must_be_unique() { 6 } else { 1 };
            let hits = search(index.numbers.get(from..).unwrap_or_default(), &pattern, most);
            match hits.as_slice() {
                [] => {}
                [one] => return Ok(Hit { at: from + one, pass }),
                several => return Err(Miss::Several(several.iter().map(|at| from + at).collect())),
            }
        }
        Err(Miss::Nowhere)
    }

    fn index(&mut self, n: usize, pass: Pass) -> Option<&Index<'a>> {
        let lines = self.lines;
        let slot = self.passes.get_mut(n)?;
        Some(slot.get_or_insert_with(|| {
            let mut index = Index {
                numbers: Vec::with_capacity(lines.len()),
                known: HashMap::new(),
            };
            for line in lines {
                let number = match std::str::from_utf8(line) {
                    Ok(text) => {
                        let next = u32::try_from(index.known.len()).unwrap_or(NOT_TEXT);
                        *index.known.entry(pass.form(text)).or_insert(next)
                    }
                    Err(_) => NOT_TEXT,
                };
                index.numbers.push(number);
            }
            index
        }))
    }
}

/// Positions of a pattern (Knuth-Morris-Pratt, so that no input makes it slow), overlaps included.
fn search(text: &[u32], pattern: &[u32], most: usize) -> Vec<usize> {
    let mut out = Vec::new();
    if pattern.is_empty() || pattern.len() > text.len() {
        return out;
    }
    let mut table = vec![0usize; pattern.len()];
    let mut k = 0usize;
    for i in 1..pattern.len() {
        while k > 0 && pattern.get(i) != pattern.get(k) {
            k = fallback(&table, k);
        }
        if pattern.get(i) == pattern.get(k) {
            k += 1;
        }
        if let Some(slot) = table.get_mut(i) {
            *slot = k;
        }
    }
    let mut matched = 0usize;
    for (at, number) in text.iter().enumerate() {
        while matched > 0 && pattern.get(matched) != Some(number) {
            matched = fallback(&table, matched);
        }
        if pattern.get(matched) == Some(number) {
            matched += 1;
        }
        if matched == pattern.len() {
            out.push(at + 1 - matched);
            if out.len() >= most {
                break;
            }
            matched = fallback(&table, matched);
        }
    }
    out
}

fn fallback(table: &[usize], matched: usize) -> usize {
    table.get(matched.wrapping_sub(1)).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(file: &str, wanted: &[&str], from: usize, at_end: bool) -> Result<(usize, Pass), Miss> {
        let lines: Vec<&[u8]> = file.split('\n').map(str::as_bytes).collect();
        Matcher::new(&lines)
            .find(wanted, from, at_end)
            .map(|hit| (hit.at, hit.pass))
    }

    #[test]
    fn stricter_passes_go_first() {
        assert_eq!(find("x  \ny\nx", &["x"], 0, false), Ok((2, Pass::Exact)));
        assert_eq!(find("x  \ny", &["x"], 0, false), Ok((0, Pass::TrimEnd)));
        assert_eq!(find("  x\ny", &["x"], 0, false), Ok((0, Pass::Trim)));
        assert_eq!(find("“x” — y", &["\"x\" - y"], 0, false), Ok((0, Pass::Typography)));
        assert_eq!(find("wait…", &["wait..."], 0, false), Err(Miss::Nowhere));
        assert_eq!(find("One", &["one"], 0, false), Err(Miss::Nowhere));
    }

    #[test]
    fn loose_passes_want_one_place() {
        assert_eq!(find("  x\n    x", &["x"], 0, false), Err(Miss::Several(vec![0, 1])));
        assert_eq!(find("x\nx", &["x"], 0, false), Ok((0, Pass::Exact)));
        assert_eq!(find("  x\n    x", &["x"], 1, false), Ok((1, Pass::Trim)));
    }

    #[test]
    fn the_end_is_the_end() {
        assert_eq!(find("a\nb\na\nb", &["a", "b"], 0, true), Ok((2, Pass::Exact)));
        assert_eq!(find("a\nb", &["a"], 0, true), Err(Miss::Nowhere));
        assert_eq!(find("a\nb", &["b"], 2, true), Err(Miss::Nowhere));
        assert_eq!(find("a", &["a", "b"], 0, true), Err(Miss::Nowhere));
    }

    #[test]
    fn bytes_that_are_no_text_match_nothing() {
        let lines: Vec<&[u8]> = vec![b"\xff", b"a"];
        assert_eq!(Matcher::new(&lines).find(&["\u{fffd}"], 0, false), Err(Miss::Nowhere));
        assert!(Matcher::new(&lines).find(&["a"], 0, false).is_ok());
    }

    mod properties {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(500))]

            #[test]
            fn search_agrees_with_looking_everywhere(text in proptest::collection::vec(0u32..3, 0..40), pattern in proptest::collection::vec(0u32..3, 1..6)) {
                let plain: Vec<usize> = (0..text.len()).filter(|at| text[*at..].starts_with(&pattern)).collect();
                prop_assert_eq!(search(&text, &pattern, usize::MAX), plain);
            }
        }
    }
}
