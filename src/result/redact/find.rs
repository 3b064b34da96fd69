//! All rules on one line, in each of its views, and on the text that encoded runs stand for. Of the rules, only those
//! are asked that the filter tells of.

use super::argument;
use super::bytes::{cut, take};
use super::declared;
use super::filter::{self, Kinds};
use super::hit::Hit;
use super::line::{self, Depth};
use super::mask::Tail;
use super::memory::Expects;
use super::pair;
use super::record;
use super::view::{self, View};
use crate::text::base64;

/// Shorter runs are not decoded: they hold no name with a value.
const MIN_ENCODED: usize = 24;
/// The longest run that is decoded, in bytes.
const MAX_ENCODED: usize = 64 * 1024;

/// A secret in the text itself.
pub(super) type Place = Hit;

/// Looks for the secrets of lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finder {
    /// How much is taken for a secret.
    pub(super) depth: Depth,
    /// Which rules a text may have to do with.
    kinds: fn(&[u8]) -> Kinds,
}

impl Finder {
    /// Asks the rules that the filter tells of.
    pub(super) fn new(depth: Depth) -> Self {
        Self {
            depth,
            kinds: filter::kinds,
        }
    }

    /// Asks every rule of every line.
    #[cfg(test)]
    pub(super) fn asking_all(depth: Depth) -> Self {
        Self {
            depth,
            kinds: |_| Kinds::ALL,
        }
    }

    /// Collects the secrets of a line; `expects` is what the line before said, and becomes what this one says. `kinds` are
    /// the rules that it may have to do with as it is written, where that is known.
    pub(super) fn line(self, text: &[u8], kinds: Option<Kinds>, expects: &mut Expects, found: &mut Vec<Place>) {
        let clear = view::visible(text);
        let seen = clear.as_ref().map_or(text, View::text);
        let written = kinds.filter(|_| clear.is_none());
        let mut kinds = self.rules(seen, written, expects, clear.as_ref(), found);
        // Escapes in the source of a program are the program's own.
        let mut last: Option<View> = None;
        for _ in 0..view::MAX_DECODED {
            let before = last.as_ref().or(clear.as_ref());
            let shown = before.map_or(text, View::text);
            let Some(next) = view::decoded(shown, before) else {
                break;
            };
            let mut inner = Expects::Nothing;
            let mut base = 0;
            kinds = Kinds::NONE;
            for part in next.text().split_inclusive(|b| *b == b'\n') {
                let mut hits = Vec::new();
                kinds = kinds.and(self.rules(part, None, &mut inner, None, &mut hits));
                found.extend(hits.into_iter().filter_map(|hit| through(&next, base, hit)));
                base += part.len();
            }
            last = Some(next);
        }
        if kinds.has(Kinds::FORM) && self.depth == Depth::All {
            let view = last.as_ref().or(clear.as_ref());
            self.encoded(view.map_or(text, View::text), view, found);
        }
    }

    /// The rules on a text as it is; which of them may have to do with it.
    fn rules(
        self,
        text: &[u8],
        kinds: Option<Kinds>,
        expects: &mut Expects,
        view: Option<&View>,
        found: &mut Vec<Hit>,
    ) -> Kinds {
        let mut push = |hit: Hit| match view {
            None => found.push(hit),
            Some(view) => found.extend(through(view, 0, hit)),
        };
        let kinds = kinds.unwrap_or_else(|| (self.kinds)(text));
        if kinds.has(Kinds::FORM.and(Kinds::NAME)) {
            line::scan(text, self.depth, kinds, &mut push);
        }
        if self.depth == Depth::Strong {
            return kinds;
        }
        if kinds.has(Kinds::NAME) {
            record::scan(text, &mut push);
            declared::scan(text, &mut push);
        }
        if kinds.has(Kinds::PROGRAM) {
            argument::scan(text, &mut push);
        }
        if kinds.has(Kinds::NAME) || *expects != Expects::Nothing {
            *expects = expects.step(text, &mut push);
        }
        if kinds.has(Kinds::FORM) && pair::scan(text, &mut push) && *expects == Expects::Nothing {
            *expects = Expects::Partner(pair::LINES);
        }
        kinds
    }

    /// Hides runs of base64 and of hexadecimal digits whose text holds a secret.
    fn encoded(self, text: &[u8], view: Option<&View>, found: &mut Vec<Hit>) {
        let mut i = 0;
        while i < text.len() {
            let end = take(text, i, is_encoded);
            let stop = take(text, end, |b| b == b'=');
            if end - i >= MIN_ENCODED
                && end - i <= MAX_ENCODED
                && let Some(kind) = self.hidden_in(cut(text, i, end))
            {
                let hit = Hit {
                    start: i,
                    end: stop,
                    kind,
                    tail: Tail::Hidden,
                };
                match view {
                    None => found.push(hit),
                    Some(view) => found.extend(through(view, 0, hit)),
                }
            }
            i = stop.max(end + 1);
        }
    }

    /// The kind of the first secret in what a run stands for.
    fn hidden_in(self, run: &[u8]) -> Option<&'static str> {
        let decoded = decode(run)?;
        let mut hits = Vec::new();
        let mut expects = Expects::Nothing;
        for part in decoded.split_inclusive(|b| *b == b'\n') {
            self.rules(part, None, &mut expects, None, &mut hits);
        }
        let key = super::bytes::find(&decoded, 0, b"PRIVATE KEY-----").map(|_| "private-key");
        hits.first().map(|hit| hit.kind).or(key)
    }
}

/// The hit in the original.
fn through(view: &View, base: usize, hit: Hit) -> Option<Hit> {
    let (start, end) = view.original(base + hit.start, base + hit.end)?;
    Some(Hit { start, end, ..hit })
}

pub(super) fn is_encoded(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_')
}

/// Whether a byte may be part of a text.
fn is_text(b: u8) -> bool {
    matches!(b, b' '..=b'~' | b'\n' | b'\r' | b'\t' | 0x80..)
}

/// Whether bytes are the beginning of a text.
fn begins_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| is_text(*b))
        && (bytes.is_ascii() || std::str::from_utf8(bytes).map_or_else(|e| e.error_len().is_none(), |_| true))
}

/// The number that each byte stands for as a digit of base64, in either of its alphabets; 0 where it is none.
static DIGITS: [u8; 256] = {
    let mut digits = [0; 256];
    let mut byte = u8::MAX;
    let mut rest: &mut [u8] = &mut digits;
    while let Some((slot, before)) = rest.split_last_mut() {
        *slot = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => 0,
        };
        byte = byte.wrapping_sub(1);
        rest = before;
    }
    digits
};

/// Whether a run may stand for a text, by its first characters.
pub(super) fn may_be_text(run: &[u8]) -> bool {
    const HEAD: usize = 16;
    let Some(head) = run.first_chunk::<HEAD>() else {
        return false;
    };
    let digit = |b: &u8| u32::from(DIGITS.get(usize::from(*b)).copied().unwrap_or(0));
    let three = |four: &[u8]| {
        let [_, decoded @ ..] = four.iter().fold(0, |word, b| word << 6 | digit(b)).to_be_bytes();
        decoded
    };
    // Most runs are told by their first three bytes.
    if may_begin_text(three(cut(head, 0, 4))) {
        let mut bytes = [0; HEAD / 4 * 3];
        for (four, slots) in head.chunks(4).zip(bytes.chunks_mut(3)) {
            slots.copy_from_slice(&three(four));
        }
        if begins_text(&bytes) {
            return true;
        }
    }
    head.iter().all(u8::is_ascii_hexdigit) && may_begin_text(digits(head)) && begins_text(&digits::<{ HEAD / 2 }>(head))
}

/// Whether three bytes may begin a text; `begins_text` tells for certain.
fn may_begin_text(bytes: [u8; 3]) -> bool {
    let [first, second, third] = bytes;
    let goes_on = |b: u8| b & 0xc0 == 0x80;
    let begins = |b: u8| is_text(b) && !matches!(b, 0x80..=0xc1 | 0xf5..);
    begins(first)
        && match first {
            0..0x80 => begins(second) && (if second < 0x80 { begins(third) } else { goes_on(third) }),
            0xc2..=0xdf => goes_on(second) && begins(third),
            _ => goes_on(second) && goes_on(third),
        }
}

/// The bytes that hexadecimal digits stand for.
fn bytes_of(run: &[u8]) -> impl Iterator<Item = u8> {
    let value = |b: u8| match b {
        b'0'..=b'9' => b - b'0',
        b'a'..=b'f' => b - b'a' + 10,
        b'A'..=b'F' => b - b'A' + 10,
        _ => 0,
    };
    run.chunks_exact(2)
        .map(move |pair| pair.iter().fold(0, |byte, b| byte << 4 | value(*b)))
}

/// The first of them.
fn digits<const LENGTH: usize>(run: &[u8]) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    for (slot, byte) in bytes.iter_mut().zip(bytes_of(run)) {
        *slot = byte;
    }
    bytes
}

/// The text that a run stands for, if it is one.
pub(super) fn decode(run: &[u8]) -> Option<Vec<u8>> {
    let text =
        |bytes: &[u8]| bytes.len() >= 8 && bytes.iter().all(|b| is_text(*b)) && std::str::from_utf8(bytes).is_ok();
    if run.len() < 20 || !may_be_text(run) {
        return None;
    }
    if run.len().is_multiple_of(2) && run.iter().all(u8::is_ascii_hexdigit) {
        return Some(bytes_of(run).collect::<Vec<u8>>()).filter(|b| text(b));
    }
    let mut plain: Vec<u8> = run
        .iter()
        .map(|b| match b {
            b'-' => b'+',
            b'_' => b'/',
            other => *other,
        })
        .collect();
    while !plain.len().is_multiple_of(4) {
        plain.push(b'=');
    }
    base64::decode(&plain).filter(|b| text(b))
}
