//! Long runs of letters, digits, `_` and `-`: what a machine made, where no name tells of it.

use super::super::bytes::{at, before, cut, is_word, take, take_back};
use super::super::{find, form};

/// A run of this length may be a secret that no needle tells.
const LONG: usize = 20;

/// Bytes that are looked at together: a long run fills one such piece at least.
const WIDTH: usize = 8;

/// The first long run that may be a secret, at or after `from`.
pub(super) fn next(text: &[u8], from: usize) -> Option<usize> {
    let mut i = from;
    loop {
        let window: &[u8; WIDTH] = text.get(i..)?.first_chunk()?;
        if inside(u64::from_le_bytes(*window)) != HIGH {
            i += WIDTH;
            continue;
        }
        let start = take_back(text, i, i - from, is_inside);
        let end = take(text, i + WIDTH, is_inside);
        if end - start >= LONG && is_odd(text, start, end) {
            return Some(start);
        }
        i = end;
    }
}

const HIGH: u64 = 0x8080_8080_8080_8080;

const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; WIDTH])
}

/// The highest bit of each byte that is a letter, a digit, `_` or `-`. All bytes are looked at in one.
fn inside(word: u64) -> u64 {
    let low = word & !HIGH;
    // No sum of a byte reaches the next: all are below 128 before, and below 256 after.
    let from_to =
        |bytes: u64, first: u8, last: u8| bytes.wrapping_add(each(128 - first)) & !bytes.wrapping_add(each(127 - last));
    let letter = from_to(low | each(0x20), b'a', b'z');
    let digit = from_to(low, b'0', b'9');
    let other = from_to(low, b'_', b'_') | from_to(low, b'-', b'-');
    (letter | digit | other) & !word & HIGH
}

fn is_inside(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// Whether a run has more in it than words: letters of both cases and digits, a known form, or a text in another
/// alphabet.
fn is_odd(text: &[u8], start: usize, end: usize) -> bool {
    let run = cut(text, start, end);
    let (mut digit, mut upper, mut lower) = (false, false, false);
    for b in run {
        digit |= b.is_ascii_digit();
        upper |= b.is_ascii_uppercase();
        lower |= b.is_ascii_lowercase();
    }
    if digit && upper && lower {
        return true;
    }
    // The second part of `token-abc12:…` and `pat….…`.
    if digit && run.len() >= 40 && matches!(before(text, start), b':' | b'.') {
        return true;
    }
    let word = |i: &usize| is_word(at(text, *i)) && !before(text, *i).is_ascii_alphanumeric();
    (digit && (start..end).filter(word).any(|i| form::odd_at(text, i).is_some()))
        || ((digit || upper && lower) && find::decode(run).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_inside_or_not() {
        for b in 0..=u8::MAX {
            for place in 0..WIDTH {
                let mut word = [b' '; WIDTH];
                word[place] = b;
                let want = if is_inside(b) { 0x80_u64 << (8 * place) } else { 0 };
                assert_eq!(inside(u64::from_le_bytes(word)), want, "{b}");
            }
        }
    }
}
