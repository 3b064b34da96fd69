//! Whether a regular expression means the same to the engines that providers compile it with.

use crate::schema::dialect::Patterns;

/// Whether a pattern can be sent. Anything that engines read differently, or not at all, cannot.
pub(super) fn is_portable(pattern: &str, patterns: Patterns) -> bool {
    let mut scan = Scan {
        chars: pattern.chars().collect(),
        at: 0,
        patterns,
    };
    scan.alternation(0) && scan.at == scan.chars.len()
}

struct Scan {
    chars: Vec<char>,
    at: usize,
    patterns: Patterns,
}

impl Scan {
    const DEEPEST: usize = 50;

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, expected: char) -> bool {
        let hit = self.peek() == Some(expected);
        self.at += usize::from(hit);
        hit
    }

    fn takes(&mut self, text: &str) -> bool {
        let hit = text
            .chars()
            .enumerate()
            .all(|(offset, c)| self.chars.get(self.at + offset) == Some(&c));
        if hit {
            self.at += text.chars().count();
        }
        hit
    }

    fn alternation(&mut self, depth: usize) -> bool {
        if depth > Self::DEEPEST {
            return false;
        }
        let mut repeatable = false;
        while let Some(c) = self.peek() {
            match c {
                ')' => return depth > 0,
                '(' => {
                    self.at += 1;
                    let Some(is_atom) = self.group(depth) else {
                        return false;
                    };
                    repeatable = is_atom;
                }
                '[' => {
                    self.at += 1;
                    if !self.class() {
                        return false;
                    }
                    repeatable = true;
                }
                '*' | '+' | '?' => {
                    self.at += 1;
                    if !repeatable {
                        return false;
                    }
                    self.take('?');
                    repeatable = false;
                }
                '{' => {
                    match self.counted() {
                        Some(true) if repeatable => {
                            self.take('?');
                            repeatable = false;
                        }
                        // A brace that counts nothing is an error to some engines and a letter to others.
                        Some(_) | None => return false,
                    }
                }
                '}' | ']' => return false,
                '\\' => {
                    self.at += 1;
                    let Some(is_atom) = self.escape() else {
                        return false;
                    };
                    repeatable = is_atom;
                }
                '|' | '^' | '$' => {
                    self.at += 1;
                    repeatable = false;
                }
                _ => {
                    self.at += 1;
                    repeatable = true;
                }
            }
        }
        true
    }

    /// A group after its `(`; whether it may be repeated.
    fn group(&mut self, depth: usize) -> Option<bool> {
        let mut is_atom = true;
        if self.takes("?:") {
        } else if ["?<=", "?<!", "?=", "?!"].iter().any(|mark| self.takes(mark)) {
            if self.patterns != Patterns::Any {
                return None;
            }
            is_atom = false;
        } else if self.peek() == Some('?') || self.peek() == Some('*') {
            // Names and flags are written differently from engine to engine.
            return None;
        }
        (self.alternation(depth + 1) && self.take(')')).then_some(is_atom)
    }

    /// A class after its `[`.
    fn class(&mut self) -> bool {
        self.take('^');
        let mut first = true;
        let mut low: Option<char> = None;
        loop {
            let Some(c) = self.peek() else {
                return false;
            };
            self.at += 1;
            match c {
                // `[]` and `[^]` are empty classes to some engines.
                ']' => return !first,
                '[' if self.peek() == Some(':') => return false,
                '\\' => {
                    let start = self.at;
                    if self.peek() == Some('b') {
                        self.at += 1;
                    } else if self.escape().is_none() {
                        return false;
                    }
                    low = if self.at == start + 1 {
                        self.chars.get(start).copied().filter(|c| !c.is_ascii_alphanumeric())
                    } else {
                        None
                    };
                }
                '-' if !first && self.peek() != Some(']') => {
                    let high = self.peek();
                    if let (Some(low), Some(high)) = (low, high)
                        && high != '\\'
                        && low > high
                    {
                        return false;
                    }
                    low = None;
                }
                other => low = Some(other),
            }
            first = false;
        }
    }

    /// `{n}`, `{n,}` or `{n,m}`: whether it is in order; `None` when it is none of these.
    fn counted(&mut self) -> Option<bool> {
        let rest: String = self
            .chars
            .get(self.at + 1..)?
            .iter()
            .take_while(|c| **c != '}')
            .collect();
        let (low, high) = match rest.split_once(',') {
            Some((low, high)) => (low, Some(high)),
            None => (rest.as_str(), None),
        };
        let low: u32 = low.parse().ok()?;
        let fine = match high {
            None | Some("") => true,
            Some(high) => high.parse::<u32>().ok()? >= low,
        };
        self.at += rest.chars().count() + 2;
        // Engines give up on large counts.
        (self.at <= self.chars.len()).then_some(fine && low <= 1000)
    }

    /// An escape after its backslash; whether it may be repeated.
    fn escape(&mut self) -> Option<bool> {
        let c = self.peek()?;
        self.at += 1;
        match c {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'n' | 'r' | 't' | 'f' | 'v' => Some(true),
            'b' | 'B' => Some(false),
            'x' => self.digits(2).then_some(true),
            'u' if self.patterns != Patterns::Regular => self.digits(4).then_some(true),
            '1'..='9' => (self.patterns != Patterns::Regular).then_some(true),
            c if c.is_ascii_alphanumeric() => None,
            _ => Some(true),
        }
    }

    fn digits(&mut self, count: usize) -> bool {
        let fine = (0..count).all(|offset| self.chars.get(self.at + offset).is_some_and(char::is_ascii_hexdigit));
        self.at += count;
        fine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_patterns_are_portable() {
        for pattern in [
            "",
            "^[a-z0-9-]{1,20}$",
            "^\\d{4}-\\d{2}-\\d{2}$",
            "^(a|b)+?$",
            "^https?:\\/\\/",
            "[^\\s@]+@[^\\s@]+",
            "^[\\w.-]+$",
            "a{2,}",
            "\\u00e9",
            "^.*$",
            "[]a]".trim_start_matches("[]a]"),
            "^(?:x)?$",
            "[a\\-z]",
            "[+*?.]",
        ] {
            assert!(is_portable(pattern, Patterns::Any), "{pattern}");
        }
    }

    #[test]
    fn patterns_that_engines_read_differently_are_not() {
        for pattern in [
            "(",
            ")",
            "a)",
            "[",
            "[z-a]",
            "*a",
            "a**",
            "a{2,1}",
            "\\",
            "\\p{L}",
            "(?i)a",
            "(?<n>a)",
            "(?P<n>a)",
            "a++",
            "[]",
            "\\uZZZZ",
            "{",
            "a{,3}",
            "[[:alpha:]]",
            "\\cA",
        ] {
            assert!(!is_portable(pattern, Patterns::Any), "{pattern}");
        }
    }

    #[test]
    fn lookaround_and_references_depend_on_the_dialect() {
        for pattern in ["^(?!-)a$", "(?<=x)y"] {
            assert!(is_portable(pattern, Patterns::Any));
            assert!(!is_portable(pattern, Patterns::NoLookaround));
        }
        assert!(is_portable("(a)\\1", Patterns::NoLookaround));
        assert!(!is_portable("(a)\\1", Patterns::Regular));
    }

    #[test]
    fn deep_and_long_patterns_are_no_trouble() {
        assert!(!is_portable(&"(".repeat(100_000), Patterns::Any));
        assert!(is_portable(&"a".repeat(100_000), Patterns::Any));
        assert!(!is_portable(&format!("a{}", "{".repeat(10_000)), Patterns::Any));
    }
}
