//! Finds the few lines of a text that may hold a secret, nearly at the speed at which memory is read.
//!
//! The rules ask for a name, a prefix, a mark or a long run of characters without a blank. Here those alone are looked
//! for, all in one walk; only the lines that have one are given to the rules, and only to those rules that it tells of.
//! A line that is left out is one in which the rules would find nothing: a test compares both ways.

mod needle;
mod run;

use super::bytes::{at, before, cut, find, is_blank, is_quote, is_word, take, take_back};
use super::form;
use super::line::Depth;
use super::name::may_claim;
use super::view;
use needle::{Check, GRAM, Needle, TABLE};

/// Which rules a line may have to do with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    /// None.
    pub(super) const NONE: Self = Self(0);
    /// What is told by its own form, and what is written in another alphabet.
    pub(super) const FORM: Self = Self(1);
    /// What a name tells, or the form of the line.
    pub(super) const NAME: Self = Self(2);
    /// The arguments of programs.
    pub(super) const PROGRAM: Self = Self(4);
    /// All.
    pub(super) const ALL: Self = Self(7);

    /// Whether any of the others is among them.
    pub(super) fn has(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Both.
    pub(super) fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Those that are not among them.
    fn others(self) -> Self {
        Self(Self::ALL.0 & !self.0)
    }

    /// Those that are asked for at a depth.
    pub(super) fn wanted(depth: Depth) -> Self {
        match depth {
            Depth::All => Self::ALL,
            Depth::Strong => Self::FORM,
        }
    }
}

/// The kinds of rules that a line, or several, may have to do with.
pub(super) fn kinds(text: &[u8]) -> Kinds {
    let mut found = Kinds::NONE;
    let mut from = 0;
    while found != Kinds::ALL
        && let Some((place, kinds)) = next_needle(text, from, found.others())
    {
        found = found.and(kinds);
        from = place + 1;
    }
    if !found.has(Kinds::FORM) && run::next(text, 0).is_some() {
        found = found.and(Kinds::FORM);
    }
    found
}

/// The first needle at or after `from` that has what it asks for, and tells of a rule that is wanted.
fn next_needle(text: &[u8], from: usize, wanted: Kinds) -> Option<(usize, Kinds)> {
    /// How many needles' known bytes may begin in those that are looked at together.
    const STEP: usize = 8 - GRAM + 1;
    let mut i = from;
    loop {
        let rest = text.get(i..)?;
        if rest.is_empty() {
            return None;
        }
        let word = first_bytes(rest);
        let at = |k: usize| TABLE.at(word >> (8 * k));
        let numbers = [at(0), at(1), at(2), at(3), at(4), at(5)];
        if numbers.iter().fold(0, |any, n| any | n) != 0 {
            for (k, number) in numbers.into_iter().enumerate().filter(|n| n.1 != 0) {
                if let Some(kinds) = told(text, i + k, number, wanted) {
                    return Some((i + k, kinds));
                }
            }
        }
        i += STEP;
    }
}

/// The first eight bytes of a text as a number, the first one lowest; zeros where it has fewer.
fn first_bytes(text: &[u8]) -> u64 {
    if let Some(bytes) = text.first_chunk() {
        return u64::from_le_bytes(*bytes);
    }
    let mut bytes = [0; 8];
    for (slot, byte) in bytes.iter_mut().zip(text) {
        *slot = *byte;
    }
    u64::from_le_bytes(bytes)
}

/// The rules that the needles tell of which are known by the bytes at a place.
fn told(text: &[u8], place: usize, number: u16, wanted: Kinds) -> Option<Kinds> {
    let mut found = Kinds::NONE;
    let mut number = number;
    while let Some((needle, next)) = TABLE.needle(number) {
        number = next;
        let kinds = tells(needle.check);
        if !kinds.has(wanted) || found.has(kinds) {
            continue;
        }
        if let Some(start) = place.checked_sub(usize::from(needle.offset))
            && needle.begins(first_bytes(text.get(start..)?))
            && holds(needle, text, start)
        {
            found = found.and(kinds);
        }
    }
    found.has(wanted).then_some(found)
}

fn tells(check: Check) -> Kinds {
    match check {
        Check::Mark => Kinds::NAME.and(Kinds::PROGRAM),
        Check::Shape | Check::Form => Kinds::FORM,
        Check::Name | Check::Address | Check::Port => Kinds::NAME,
        Check::Program => Kinds::PROGRAM,
    }
}

/// Whether a needle has what it asks for.
fn holds(needle: &Needle, text: &[u8], start: usize) -> bool {
    let end = start + needle.len();
    match needle.check {
        Check::Mark | Check::Shape => true,
        Check::Form => begins_word(text, start) && form::form_at(text, start).is_some(),
        Check::Name => names_value(text, start, end),
        Check::Address => is_address(text, end),
        Check::Port => is_port(text, start + 1),
        Check::Program => is_program(text, start),
    }
}

/// A look through one text.
pub(super) struct Look<'a> {
    text: &'a [u8],
    wanted: Kinds,
    /// The next place of each way of looking, as far as it has been looked for; `None` when there is none any more.
    next: [Option<usize>; WAYS],
    fresh: [bool; WAYS],
    /// It has characters that are not seen, or may have.
    odd: bool,
}

/// Needles, long runs, and what is written otherwise than it is read.
const WAYS: usize = 3;

impl<'a> Look<'a> {
    /// Looks through a text; the places come in order.
    pub(super) fn new(text: &'a [u8], depth: Depth) -> Self {
        Self {
            text,
            wanted: Kinds::wanted(depth),
            next: [None; WAYS],
            fresh: [false; WAYS],
            odd: !view::is_plain(text),
        }
    }

    /// The first place at or after `from` that a rule may have to do with.
    pub(super) fn next(&mut self, from: usize) -> Option<usize> {
        for way in 0..WAYS {
            let known = self.next.get(way).copied().flatten();
            let stale = !self.fresh.get(way).copied().unwrap_or(true) || known.is_some_and(|place| place < from);
            if !stale {
                continue;
            }
            let place = match way {
                0 => next_needle(self.text, from, self.wanted).map(|(place, _)| place),
                1 => run::next(self.text, from),
                _ => self.written(from),
            };
            if let (Some(next), Some(fresh)) = (self.next.get_mut(way), self.fresh.get_mut(way)) {
                *next = place;
                *fresh = true;
            }
        }
        self.next.iter().flatten().min().copied()
    }

    /// Text that is written otherwise than it is read: colour, characters without width, letters as numbers.
    fn written(&self, from: usize) -> Option<usize> {
        let rest = self.text.get(from..)?;
        let escaped = |place: usize| {
            let hex = |start: usize, len: usize| {
                let digits = std::str::from_utf8(cut(self.text, start, start + len)).ok()?;
                u8::from_str_radix(digits, 16).ok()
            };
            let byte = match (at(self.text, place), at(self.text, place + 1)) {
                (b'%', digit) if digit.is_ascii_hexdigit() => hex(place + 1, 2),
                (b'\\', b'u') if cut(self.text, place + 2, place + 4) == b"00" => hex(place + 4, 2),
                (b'\\', b'x') => hex(place + 2, 2),
                (b'\\', b'\n' | b'\r') | (b'&', b'#') => Some(b'a'),
                (b'\\', b'0') => Some(0x1b),
                (b'\\', b'e') if at(self.text, place + 2) == b'[' => Some(0x1b),
                _ => None,
            };
            byte.is_some_and(|b| is_word(b) || b == b'-' || b == 0x1b)
        };
        let first = memchr::memchr3_iter(b'%', b'\\', b'&', rest)
            .map(|i| from + i)
            .find(|place| escaped(*place));
        if !self.odd {
            return first;
        }
        let end = first.unwrap_or(self.text.len());
        let mut at = from;
        while at < end {
            let chunk = cut(self.text, at, (at + CHUNK).min(end));
            if !view::is_plain(chunk) {
                let odd = (at..at + chunk.len()).find(|i| view::is_invisible(self.text, *i));
                if odd.is_some() {
                    return odd;
                }
            }
            at += chunk.len().max(1);
        }
        first
    }
}

/// Bytes that are looked at together.
const CHUNK: usize = 256;

/// Whether the digits are a port's number, and two fields follow it.
fn is_port(text: &[u8], digits: usize) -> bool {
    let near = cut(text, 0, (digits + 512).min(text.len()));
    let end = take(near, digits, |b| b.is_ascii_digit());
    let field = |from: usize| {
        let end = take(near, from, |b| !b.is_ascii_whitespace() && !is_quote(b) && b != b':');
        (at(near, end) == b':').then_some(end + 1)
    };
    at(near, end) == b':' && (3..=5).contains(&(end - digits)) && field(end + 1).and_then(field).is_some()
}

/// Whether no letter or digit stands before `start`, but one that is part of an escape: `\nword`.
fn begins_word(text: &[u8], start: usize) -> bool {
    !before(text, start).is_ascii_alphanumeric() || start.checked_sub(2).is_some_and(|i| at(text, i) == b'\\')
}

/// Whether the program's name at `start` is a word of its own, with an option somewhere after it.
fn is_program(text: &[u8], start: usize) -> bool {
    /// A longer rest of a line is not searched for an option.
    const MAX: usize = 2048;
    let apart =
        |b: u8| b.is_ascii_whitespace() || is_quote(b) || matches!(b, b',' | b';' | b')' | b']' | b'[' | b'(' | b'\\');
    let lead = before(text, start);
    if !(start == 0 || apart(lead) || lead == b'/' || lead.is_ascii_alphanumeric() && begins_word(text, start)) {
        return false;
    }
    let near = cut(text, 0, (start + MAX).min(text.len()));
    let end = take(near, start, |b| is_word(b) || b == b'-');
    if end < near.len() && !apart(at(near, end)) {
        return false;
    }
    let rest = cut(near, end, super::bytes::line_end(near, end).unwrap_or(near.len()));
    let more = near.len() < text.len() && !rest.ends_with(b"\n");
    more || super::bytes::goes_on(rest) || rest.contains(&b'-') || find(rest, 0, b"/p").is_some()
}

/// Whether a name goes on to where a value may follow it.
fn names_value(text: &[u8], start: usize, end: usize) -> bool {
    let near = cut(text, 0, (end + 80).min(text.len()));
    let name = take(near, end, |b| is_word(b) || matches!(b, b'-' | b'.'));
    if at(text, name) >= 0x7f || at(text, name) == 0x1b {
        return true;
    }
    let number = |b: u8| b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.');
    if !may_claim(cut(text, start, take_back(text, name, name - end, number))) {
        return false;
    }
    let closed = take(near, name, |b| is_quote(b) || matches!(b, b']' | b'\\' | b','));
    let sign = take(near, closed, is_blank);
    match at(text, sign) {
        b'=' | b':' | b'%' | b'&' | b'>' | b'<' | b'\n' | b'\r' | b'\\' | b'|' | b'?' | 0 | 0x1b | b'*' | b'_'
        | b'(' | b'$' => true,
        b'v' if closed > name && cut(text, sign, sign + 5) == b"value" => true,
        b if is_quote(b) => true,
        // `--name value`, `Bearer value`, `machine h login n password value`
        _ => {
            let far = take_back(text, start, 64, |b| is_word(b) || b == b'-');
            at(text, far) == b'-' || cut(text, start, end).eq_ignore_ascii_case(b"bearer")
        }
    }
}

/// Whether `name:password@` or `token@` follows.
fn is_address(text: &[u8], from: usize) -> bool {
    let near = cut(text, 0, (from + 1024).min(text.len()));
    let end = take(near, from, |b| {
        !b.is_ascii_whitespace() && !is_quote(b) && !matches!(b, b'/' | b'@' | b'<' | b'>')
    });
    at(text, end) == b'@' || end == near.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flagged(text: &str) -> bool {
        Look::new(text.as_bytes(), Depth::All).next(0).is_some()
    }

    #[test]
    fn lines_with_what_a_rule_asks_for_are_found() {
        for text in [
            "xx API_KEY=abc",
            "the password: x",
            "\"authToken\" : 1",
            "--api-key abc",
            "https://u:p@host/",
            "sk-abcd1234",
            "x aB3dE6gH9jK2mN5pQ8sT1 y",
            "dop_v1_3f9a0c7e5b1d82463f9a0c7e5b1d82463f9a0c7e",
            "gh\u{200b}p_x",
            "\u{1b}[1mx",
            "%67hp_",
            "\\u0067hp",
            "a \\\n b",
            "token%3Dabc",
        ] {
            assert!(flagged(text), "{text}");
        }
    }

    #[test]
    fn ordinary_lines_are_left_out() {
        for text in [
            "The quick brown fox jumps over the lazy dog.",
            "the keyboard has keys and the monkey passed",
            "commit 3f786850e387550fdab836ed7e6dc881de23001b",
            "http://example.org/a/very/long/path/to/something/else.html",
            "    let value = self.something_rather_long_indeed(argument);",
            "100% of “them” – naïve …",
        ] {
            assert!(!flagged(text), "{text}");
        }
    }
}
