//! All rules on one line, in each of its views, and on the text that encoded runs stand for.

use super::argument;
use super::bytes::{cut, take};
use super::line::{self, Depth, Hit};
use super::mask::Tail;
use super::memory::Expects;
use super::record;
use super::view::{self, View};
use crate::text::base64;

/// Shorter runs are not decoded: they hold no name with a value.
const MIN_ENCODED: usize = 24;
/// The longest run that is decoded, in bytes.
const MAX_ENCODED: usize = 64 * 1024;

/// A secret in the text itself.
pub(super) type Place = Hit;

/// Collects the secrets of a line; `expects` is what the line before said, and becomes what this one says.
pub(super) fn line(text: &[u8], depth: Depth, expects: &mut Expects, found: &mut Vec<Place>) {
    let clear = view::visible(text);
    let seen = clear.as_ref().map_or(text, View::text);
    rules(seen, depth, expects, clear.as_ref(), found);
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
        for part in next.text().split_inclusive(|b| *b == b'\n') {
            let mut hits = Vec::new();
            rules(part, depth, &mut inner, None, &mut hits);
            found.extend(hits.into_iter().filter_map(|hit| through(&next, base, hit)));
            base += part.len();
        }
        last = Some(next);
    }
    let view = last.as_ref().or(clear.as_ref());
    encoded(view.map_or(text, View::text), depth, view, found);
}

/// The hit in the original.
fn through(view: &View, base: usize, hit: Hit) -> Option<Hit> {
    let (start, end) = view.original(base + hit.start, base + hit.end)?;
    Some(Hit { start, end, ..hit })
}

fn rules(text: &[u8], depth: Depth, expects: &mut Expects, view: Option<&View>, found: &mut Vec<Hit>) {
    let mut push = |hit: Hit| match view {
        None => found.push(hit),
        Some(view) => found.extend(through(view, 0, hit)),
    };
    line::scan(text, depth, &mut push);
    if depth == Depth::All {
        record::scan(text, &mut push);
        argument::scan(text, &mut push);
        *expects = expects.step(text, &mut push);
    }
}

/// Hides runs of base64 and of hexadecimal digits whose text holds a secret.
fn encoded(text: &[u8], depth: Depth, view: Option<&View>, found: &mut Vec<Hit>) {
    if depth == Depth::Strong {
        return;
    }
    let mut i = 0;
    while i < text.len() {
        let end = take(text, i, is_encoded);
        let stop = take(text, end, |b| b == b'=');
        if end - i >= MIN_ENCODED
            && end - i <= MAX_ENCODED
            && let Some(kind) = hidden_in(cut(text, i, end))
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

fn is_encoded(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_')
}

/// The kind of the first secret in what a run stands for.
fn hidden_in(run: &[u8]) -> Option<&'static str> {
    let decoded = decode(run)?;
    let mut hits = Vec::new();
    let mut expects = Expects::Nothing;
    for part in decoded.split_inclusive(|b| *b == b'\n') {
        rules(part, Depth::All, &mut expects, None, &mut hits);
    }
    let key = super::bytes::find(&decoded, 0, b"PRIVATE KEY-----").map(|_| "private-key");
    hits.first().map(|hit| hit.kind).or(key)
}

/// The text that a run stands for, if it is one.
fn decode(run: &[u8]) -> Option<Vec<u8>> {
    let text = |bytes: &[u8]| {
        bytes.len() >= 8
            && bytes
                .iter()
                .all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\r' | b'\t' | 0x80..))
            && std::str::from_utf8(bytes).is_ok()
    };
    if run.len().is_multiple_of(2) && run.iter().all(u8::is_ascii_hexdigit) {
        let bytes: Option<Vec<u8>> = run
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
        return bytes.filter(|b| text(b));
    }
    let mut plain: Vec<u8> = run
        .iter()
        .map(|b| match b {
            b'-' => b'+',
            b'_' => b'/',
            other => *other,
        })
        .collect();
    // The first characters tell most data from text.
    let head = base64::decode(plain.get(..20)?)?;
    if !head
        .iter()
        .all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\r' | b'\t' | 0x80..))
    {
        return None;
    }
    while !plain.len().is_multiple_of(4) {
        plain.push(b'=');
    }
    base64::decode(&plain).filter(|b| text(b))
}
