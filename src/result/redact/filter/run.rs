//! Long runs of letters, digits, `_` and `-`: what a machine made, where no name tells of it.

use super::super::bytes::{at, before, cut, is_word, take, take_back};
use super::super::{find, form};
use super::check::begins_word;

/// A run of this length may be a secret that no needle tells.
pub(super) const LONG: usize = 20;

/// Where a run is so long, it is taken for more than words.
const HEAD: usize = 64;

/// How far before a run is looked, in bytes.
const MAX_LEAD: usize = 64 * 1024;

/// Whether the run that begins at `start` has more in it than words: a form that no prefix tells, or a text in another
/// alphabet.
pub(super) fn is_odd(text: &[u8], start: usize) -> bool {
    let (end, classes) = walk(text, start);
    let run = cut(text, start, end);
    // Nothing but words in small letters, or in capitals.
    if run.len() < HEAD && classes & DIGIT == 0 && classes & (SMALL | CAPITAL) != SMALL | CAPITAL {
        return false;
    }
    let lead = before(text, start);
    if matches!(lead, b':' | b'.') && ends_first_part(text, start - 1) {
        let first = take_back(text, start - 1, 64, is_inside);
        if is_formed(text, first, start - 1) {
            return true;
        }
    }
    let key = run.len() >= 34 && (cut(text, end - 34, end - 32) == b"SK" || find_in(cut(text, end - 6, end), b"-us"));
    if (key || ends_first_part(text, end)) && is_formed(text, start, end) {
        return true;
    }
    // What an encoded text is made of may go further than the run.
    let first = if matches!(lead, b'+' | b'/') {
        take_back(text, start, MAX_LEAD, find::is_encoded)
    } else {
        start
    };
    find::may_be_text(cut(text, first, text.len()))
        && find::decode(cut(text, first, take(text, end, find::is_encoded))).is_some()
}

/// The end of the run that begins at a place, and the classes of its bytes.
fn walk(text: &[u8], start: usize) -> (usize, u8) {
    let mut classes = 0;
    for (i, b) in text.get(start..).unwrap_or_default().iter().enumerate() {
        let class = INSIDE.get(usize::from(*b)).copied().unwrap_or(0);
        if class == 0 {
            return (start + i, classes);
        }
        classes |= class;
    }
    (text.len(), classes)
}

/// Whether what ends before the sign at `end` may be the first part of a form that goes on behind it: `123456:…`,
/// `token-abc12:…`, `pat….…`, `M….….…`.
fn ends_first_part(text: &[u8], end: usize) -> bool {
    let from = |back: usize, length: usize| end.checked_sub(back).map_or(&[][..], |at| cut(text, at, at + length));
    match at(text, end) {
        b':' => {
            let digits = from(6, 6);
            digits.len() == 6 && digits.iter().all(u8::is_ascii_digit)
                || find_in(cut(text, end.saturating_sub(16), end), b"token-")
        }
        b'.' => from(17, 3) == b"pat" || (23..=28).any(|back| matches!(from(back, 1), b"M" | b"N" | b"O")),
        _ => false,
    }
}

fn find_in(run: &[u8], part: &[u8]) -> bool {
    run.windows(part.len()).any(|here| here == part)
}

/// Whether a form without a prefix begins with a word between two places.
fn is_formed(text: &[u8], start: usize, end: usize) -> bool {
    let word = |i: &usize| is_word(at(text, *i)) && begins_word(text, *i);
    (start..end).filter(word).any(|i| form::odd_at(text, i).is_some())
}

const DIGIT: u8 = 1;
const SMALL: u8 = 2;
const CAPITAL: u8 = 4;
const SIGN: u8 = 8;

/// Of which of these each byte is; 0 where it is none.
static INSIDE: [u8; 256] = {
    let mut inside = [0; 256];
    let mut byte = u8::MAX;
    let mut rest: &mut [u8] = &mut inside;
    while let Some((slot, before)) = rest.split_last_mut() {
        *slot = match byte {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' => SMALL,
            b'A'..=b'Z' => CAPITAL,
            b'_' | b'-' => SIGN,
            _ => 0,
        };
        byte = byte.wrapping_sub(1);
        rest = before;
    }
    inside
};

fn is_inside(b: u8) -> bool {
    INSIDE.get(usize::from(b)).is_some_and(|class| *class != 0)
}
