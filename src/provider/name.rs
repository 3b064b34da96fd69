//! Names of tools: which a provider takes, and a legal one for each that it does not.

use crate::text::hex;
use sha2::{Digest, Sha256};

/// Which names a provider takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameRule {
    /// Characters besides letters and digits; `None` = any character at all.
    extra: Option<&'static str>,
    /// Whether a digit or an extra character other than `_` may come first.
    any_first: bool,
    /// How many characters.
    most: usize,
    /// In words, for messages.
    words: &'static str,
}

impl NameRule {
    /// Letters, digits, `_`, `-`, at most 64.
    pub(super) const WORD_64: Self = Self {
        extra: Some("_-"),
        any_first: true,
        most: 64,
        words: "1 to 64 letters, digits, `_` and `-`",
    };
    /// Letters, digits, `_`, `-`, at most 128.
    pub(super) const WORD_128: Self = Self {
        most: 128,
        words: "1 to 128 letters, digits, `_` and `-`",
        ..Self::WORD_64
    };
    /// A letter or `_`, then also digits, `.`, `:`, `-`, at most 128.
    pub(super) const GEMINI: Self = Self {
        extra: Some("_.:-"),
        any_first: false,
        most: 128,
        words: "1 to 128 letters, digits, `_`, `.`, `:` and `-`, first a letter or `_`",
    };
    /// A letter or `_`, then also digits and `-`.
    pub(super) const COHERE: Self = Self {
        any_first: false,
        words: "1 to 64 letters, digits, `_` and `-`, first a letter or `_`",
        ..Self::WORD_64
    };
    /// Letters, digits, `_`, `-`, `.`, at most 128.
    pub(super) const MCP: Self = Self {
        extra: Some("_-."),
        most: 128,
        words: "1 to 128 letters, digits, `_`, `-` and `.`",
        ..Self::WORD_64
    };
    /// Any text of at most 64 characters.
    pub(super) const ANY_64: Self = Self {
        extra: None,
        words: "1 to 64 characters",
        ..Self::WORD_64
    };
    /// Any text.
    pub(super) const ANY: Self = Self {
        extra: None,
        any_first: true,
        most: usize::MAX,
        words: "a text",
    };

    /// The rule with a limit that the configuration sets; it can only be lowered.
    #[must_use]
    pub fn at_most(self, limit: Option<usize>) -> Self {
        Self {
            most: self.most.min(limit.unwrap_or(usize::MAX)).max(1),
            ..self
        }
    }

    fn takes_char(&self, c: char) -> bool {
        self.extra
            .is_none_or(|extra| c.is_ascii_alphanumeric() || extra.contains(c))
    }

    fn takes_first(&self, c: char) -> bool {
        self.any_first || c.is_ascii_alphabetic() || c == '_'
    }

    /// Whether a name is taken.
    pub fn takes(&self, name: &str) -> bool {
        let length = name.chars().count();
        (1..=self.most).contains(&length)
            && name.chars().all(|c| self.takes_char(c))
            && name.chars().next().is_some_and(|c| self.takes_first(c))
    }

    /// The rule in words.
    pub fn words(&self) -> &'static str {
        self.words
    }

    /// A legal name for one that is not, always the same for the same name. Names that had to be cut, or that `taken`
    /// already holds, end in a part of their hash.
    pub fn legal(&self, name: &str, taken: impl Fn(&str) -> bool) -> String {
        let mut out: String = name.chars().map(|c| if self.takes_char(c) { c } else { '_' }).collect();
        if !out.chars().next().is_some_and(|c| self.takes_first(c)) {
            out.insert(0, '_');
        }
        if self.takes(&out) && !taken(&out) {
            return out;
        }
        let hash = Sha256::digest(name.as_bytes());
        let mark = format!("_{}", hex::encode(hash.get(..4).unwrap_or_default()));
        let room = self.most.saturating_sub(mark.len());
        let mut candidate: String = out.chars().take(room).chain(mark.chars()).collect();
        candidate = candidate.chars().take(self.most).collect();
        let mut number = 2_usize;
        while taken(&candidate) && number < 10_000 {
            let tail = format!("_{number}");
            candidate = out
                .chars()
                .take(self.most.saturating_sub(tail.len()))
                .chain(tail.chars())
                .collect();
            number += 1;
        }
        candidate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_takes_and_refuses() {
        for (rule, good, bad) in [
            (NameRule::WORD_64, "a-B_9", "a.b"),
            (NameRule::GEMINI, "_a.b:c-d", "9a"),
            (NameRule::COHERE, "a-b", "9a"),
            (NameRule::MCP, "9a.b", "a b"),
            (NameRule::ANY, "ä b", ""),
        ] {
            assert!(rule.takes(good), "{good}");
            assert!(!rule.takes(bad), "{bad}");
            assert!(rule.takes(&rule.legal(bad, |_| false)), "{bad}");
        }
        assert!(!NameRule::WORD_64.takes(&"a".repeat(65)));
    }

    #[test]
    fn long_and_clashing_names_stay_apart() {
        let rule = NameRule::WORD_64;
        let (a, b) = (format!("{}x", "a".repeat(80)), format!("{}y", "a".repeat(80)));
        let one = rule.legal(&a, |_| false);
        let two = rule.legal(&b, |_| false);
        assert_eq!(one.len(), 64);
        assert_ne!(one, two);
        assert_eq!(rule.legal("a.b", |_| false), "a_b");
        let other = rule.legal("a.b", |name| name == "a_b");
        assert!(other.starts_with("a_b_") && rule.takes(&other), "{other}");
        assert_eq!(one, rule.legal(&a, |_| false));
    }
}
