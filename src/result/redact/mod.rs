//! Hides secrets before a text is stored or answered.
//!
//! What is hidden: values after names that claim a secret (`name`, `value`), texts of a known form (`shape`),
//! credentials of headers and addresses (`line`), private keys (`unit`) and what the configuration's own patterns
//! match (`own`). The whole text is judged before anything is cut off it; no secret is ever half shown by a cut.
//!
//! [`Redacted`] is the proof that a value went through here. Sinks take nothing else. It can only be made in this room.

mod bytes;
mod line;
mod look;
mod name;
mod own;
mod shape;
mod stream;
mod tree;
mod unit;
mod value;

pub use own::Refused;
pub use stream::Stream;

use crate::model::Block;
use line::{Mask, Span};
use own::Own;
use std::borrow::Cow;
use std::ops::Range;
use unit::{More, UnitKind};

/// Whether secrets are hidden (`results.redact.enabled`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redaction {
    /// They are.
    On,
    /// The user has switched it off.
    Off,
}

/// A value without secrets.
#[derive(Debug, Clone, PartialEq)]
pub struct Redacted<T>(T);

/// A text without secrets.
pub type RedactedText = Redacted<String>;

impl<T> Redacted<T> {
    /// Only this room and what it is made of may vouch for a value.
    pub(in crate::result) fn vouch(value: T) -> Self {
        Self(value)
    }

    /// The value.
    pub fn get(&self) -> &T {
        &self.0
    }

    /// The value, without the proof.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl RedactedText {
    /// A text that is part of the program.
    pub fn constant(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// The text as the only block of a content.
    pub fn into_block(self) -> Redacted<Vec<Block>> {
        Redacted(vec![Block::Text(self.0)])
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Hides secrets. Cheap to make; own patterns are compiled when the first text comes.
#[derive(Debug)]
pub struct Redactor {
    mode: Redaction,
    own: Own,
}

impl Redactor {
    /// With the configuration's own patterns (`results.redact.patterns`), which add to the built-in rules.
    pub fn new(mode: Redaction, patterns: &[String]) -> Self {
        Self {
            mode,
            own: Own::new(patterns),
        }
    }

    /// The built-in rules alone.
    pub fn built_in() -> Self {
        Self::new(Redaction::On, &[])
    }

    /// Own patterns that cannot be used, and why. Compiles them.
    pub fn refused(&self) -> &[Refused] {
        self.own.refused()
    }

    /// The text without its secrets, and how many were hidden.
    pub fn text<'a>(&self, text: &'a str) -> (Cow<'a, str>, usize) {
        let spans = self.spans(text);
        if spans.is_empty() {
            return (Cow::Borrowed(text), 0);
        }
        let count = spans.len();
        (Cow::Owned(apply(text, &spans)), count)
    }

    /// The text with the proof that it has no secrets.
    pub fn redact(&self, text: &str) -> RedactedText {
        Redacted(self.text(text).0.into_owned())
    }

    /// A stream of text in pieces, for output that is shown while it comes.
    pub fn stream(&self) -> Stream<'_> {
        Stream::new(self)
    }

    /// Whether a pattern may match across lines, so that no line can be judged alone.
    fn spans_lines(&self) -> bool {
        self.mode == Redaction::On && self.own.spans_lines()
    }

    /// The places of all secrets, in order, without overlaps.
    fn spans(&self, text: &str) -> Vec<Span> {
        if self.mode == Redaction::Off {
            return Vec::new();
        }
        let mut spans = built_in(text.as_bytes());
        let before = spans.len();
        self.own.find(text, &mut spans);
        if spans.len() > before {
            spans.sort_by_key(|span| (span.start, span.end));
        }
        merge(spans)
    }
}

/// What the built-in rules find.
fn built_in(text: &[u8]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut base = 0;
    while let Some(unit) = text.get(base..).and_then(|rest| unit::next(rest, More::Never)) {
        unit_spans(text, base, unit, &mut spans);
        base += unit.len;
    }
    spans
}

fn unit_spans(text: &[u8], base: usize, unit: unit::Unit, spans: &mut Vec<Span>) {
    let lines = |range: Range<usize>, spans: &mut Vec<Span>| {
        let mut start = range.start;
        for line in text.get(range).unwrap_or_default().split_inclusive(|b| *b == b'\n') {
            line::scan(line, start, spans);
            start += line.len();
        }
    };
    match unit.kind {
        UnitKind::Lines => lines(base..base + unit.len, spans),
        UnitKind::Key { from, to } => {
            lines(base..base + from, spans);
            let body = text.get(base + from..base + to).unwrap_or_default();
            let hidden = body.trim_ascii();
            if !hidden.is_empty() && hidden != HIDDEN_BLOCK.as_bytes() {
                let marker = |at: Option<usize>| at.and_then(|i| text.get(i)) == Some(&b'-');
                let block = Mask::Block {
                    after_marker: from > 0 && marker((base + from).checked_sub(1)),
                    before_marker: marker(Some(base + to)) || body.ends_with(b"\n"),
                };
                spans.push(Span {
                    start: base + from,
                    end: base + to,
                    mask: if body.contains(&b'\n') { block } else { Mask::Whole },
                });
            }
            lines(base + to..base + unit.len, spans);
        }
    }
}

/// Joins what overlaps; what was found twice is hidden whole.
fn merge(spans: Vec<Span>) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => {
                if (span.start, span.end) != (last.start, last.end) {
                    last.mask = Mask::Whole;
                }
                last.end = last.end.max(span.end);
            }
            _ => merged.push(span),
        }
    }
    merged
}

/// Stands for the body of a key block.
const HIDDEN_BLOCK: &str = "…redacted…";
const STARS: &str = "***";
/// Shorter secrets are hidden whole.
const MIN_WITH_ENDS: usize = 18;

fn apply(text: &str, spans: &[Span]) -> String {
    let mut hidden = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        hidden.push_str(text.get(done..span.start).unwrap_or_default());
        let secret = text.get(span.start..span.end).unwrap_or_default();
        push_mask(secret, span.mask, &mut hidden);
        done = span.end;
    }
    hidden.push_str(text.get(done..).unwrap_or_default());
    hidden
}

fn push_mask(secret: &str, mask: Mask, out: &mut String) {
    match mask {
        Mask::Whole => out.push_str(STARS),
        Mask::Block {
            after_marker,
            before_marker,
        } => {
            out.push_str(if after_marker { "\n" } else { "" });
            out.push_str(HIDDEN_BLOCK);
            out.push_str(if before_marker { "\n" } else { "" });
        }
        Mask::Ends => {
            let plain = secret
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"._-+/=~:".contains(&b));
            let ends = secret.get(..6).zip(secret.get(secret.len().saturating_sub(4)..));
            match ends {
                Some((head, tail)) if plain && secret.len() >= MIN_WITH_ENDS => {
                    out.push_str(head);
                    out.push('…');
                    out.push_str(tail);
                }
                _ => out.push_str(STARS),
            }
        }
    }
}

#[cfg(test)]
mod tests;
