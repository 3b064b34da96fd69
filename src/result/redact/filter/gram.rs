//! By which few bytes needles and forms are known: tables to find where one may begin.

use super::super::form;
use super::classes::Classes;
use super::needle::{Check, Needle, TABLE, is_needle, is_sign};

/// Of which classes the bytes are that a needle is known by, in lower case: where all are of one class, a needle may begin.
/// Needles share a class that have bytes in common.
pub(super) struct Grams {
    /// The four bytes of long needles, in two times eight classes.
    pub(super) long: [[Classes; LONG_GRAM]; 2],
    /// The three bytes of short ones, and what may follow them.
    pub(super) short: [Classes; LONG_GRAM],
}

/// Bytes of a long needle that are looked up.
pub(super) const LONG_GRAM: usize = 4;

/// What follows a short needle.
#[derive(Clone, Copy)]
enum Follows {
    /// Anything.
    Any,
    /// No letter.
    NoLetter,
    /// A digit.
    Digit,
}

/// What may follow `/p` as an option, and is no letter, as far as it is told apart from others.
const AFTER_SLASH_P: &[u8] = b" !\"#$%&'()*+,-./:;<=?";

/// What may follow `&#`.
const AFTER_HASH: &[u8] = b"0123456789x";

/// Those of all needles but the names of programs.
pub(super) static GRAMS: Grams = Grams::new();

impl Grams {
    const fn new() -> Self {
        let mut grams = Self {
            long: [[Classes::NONE; LONG_GRAM]; 2],
            short: [Classes::NONE; LONG_GRAM],
        };
        let mut weights = Weights::NONE;
        let mut rest: &[Needle] = &TABLE.needles;
        while let Some((needle, after)) = rest.split_first() {
            match needle.check {
                Check::Program => {}
                _ if needle.is_long_from(needle.offset) => grams.long(&mut weights, needle.gram().to_le_bytes()),
                // No word of a name goes on after them.
                Check::Name => grams.short(needle.gram().to_le_bytes(), Follows::NoLetter),
                // The number of a port has three digits at least.
                Check::Port => grams.short(needle.gram().to_le_bytes(), Follows::Digit),
                _ => grams.short(needle.gram().to_le_bytes(), Follows::Any),
            }
            rest = after;
        }
        // `clientKeyData`
        grams.long(&mut weights, *b"keyd\0\0\0\0");
        // `/p` as an option, and a letter as a number: `&#`.
        let mut wild = AFTER_SLASH_P;
        while let Some((byte, after)) = wild.split_first() {
            grams.short([b'/', b'p', *byte, 0, 0, 0, 0, 0], Follows::Any);
            wild = after;
        }
        let mut digits = AFTER_HASH;
        while let Some((byte, after)) = digits.split_first() {
            grams.short([b'&', b'#', *byte, 0, 0, 0, 0, 0], Follows::Any);
            digits = after;
        }
        grams
    }

    const fn long(&mut self, weights: &mut Weights, gram: [u8; 8]) {
        let [first, second, third, last, ..] = gram;
        let number = weights.best([first, second, third, last]);
        let [even, odd] = &mut self.long;
        let table = if number.is_multiple_of(2) { even } else { odd };
        let class = 1 << (number / 2);
        let [begin, next, then, end] = table;
        *begin = begin.with_both(class, first);
        *next = next.with_both(class, second);
        *then = then.with_both(class, third);
        *end = end.with_both(class, last);
    }

    const fn short(&mut self, gram: [u8; 8], follows: Follows) {
        let [first, second, third, ..] = gram;
        let class = match (follows, first) {
            (Follows::NoLetter, b'p') => 1,
            (Follows::NoLetter, b'j'..=b'k') => 2,
            (Follows::NoLetter, _) => 4,
            (Follows::Digit, _) => 8,
            (Follows::Any, b'$') => 16,
            (Follows::Any, b'/' | b'&') => 32,
            (Follows::Any, b'a'..=b'z') => 64,
            (Follows::Any, _) => 128,
        };
        let [begin, next, then, end] = &mut self.short;
        *begin = begin.with_both(class, first);
        *next = next.with_both(class, second);
        *then = then.with_both(class, third);
        *end = match follows {
            Follows::Any => end.range(class, 0, 0x7f),
            Follows::NoLetter => end
                .range(class, 0, b'@')
                .range(class, b'[', b'`')
                .range(class, b'{', 0x7f),
            Follows::Digit => end.range(class, b'0', b'9'),
        };
    }
}

/// Classes of long needles.
const LONG_CLASSES: usize = 16;

/// How much of a text is of each class, as needles are given to them one after the other.
#[derive(Clone, Copy)]
struct Weights {
    /// The bytes of each class at each of the four places, one bit for each below 128.
    bytes: [[u128; LONG_GRAM]; LONG_CLASSES],
}

impl Weights {
    const NONE: Self = Self {
        bytes: [[0; LONG_GRAM]; LONG_CLASSES],
    };

    /// The class to which a needle adds least, of which it is from now on.
    const fn best(&mut self, gram: [u8; LONG_GRAM]) -> usize {
        let (mut best, mut least) = (0, u64::MAX);
        let mut number = 0;
        let mut rest: &[[u128; LONG_GRAM]] = &self.bytes;
        while let Some((class, after)) = rest.split_first() {
            let more = share(&with(class, gram)) - share(class);
            if more < least {
                (best, least) = (number, more);
            }
            number += 1;
            rest = after;
        }
        if let Some((_, classes)) = self.bytes.split_at_mut_checked(best)
            && let Some((class, _)) = classes.split_first_mut()
        {
            *class = with(class, gram);
        }
        best
    }
}

const fn with([first, second, third, last]: &[u128; LONG_GRAM], [a, b, c, d]: [u8; LONG_GRAM]) -> [u128; LONG_GRAM] {
    [*first | 1 << a, *second | 1 << b, *third | 1 << c, *last | 1 << d]
}

/// How much of a text is of a class, in parts of a power of two.
const fn share([first, second, third, last]: &[u128; LONG_GRAM]) -> u64 {
    often(*first) * often(*second) * often(*third) * often(*last)
}

/// How often one of these bytes stands in a text, of some thousand.
#[expect(clippy::cast_possible_truncation, reason = "a bit of 128 is meant")]
const fn often(bytes: u128) -> u64 {
    let mut sum = 0;
    let mut left = bytes;
    while left != 0 {
        sum += match left.trailing_zeros() as u8 {
            b' ' => 120,
            b'e' => 90,
            b't' => 65,
            b'a' | b'i' | b'n' | b'o' | b'r' | b's' => 55,
            b'c' | b'd' | b'l' => 32,
            b'f' | b'm' | b'p' | b'u' => 25,
            b'g' | b'h' | b'"' | b'.' | 0x7f => 18,
            b'b' | b'w' | b'y' | b'0'..=b'9' | b'-' | b'/' | b':' => 12,
            b'k' | b'v' | b'x' | b'=' => 8,
            _ => 4,
        };
        left &= left - 1;
    }
    sum
}

/// Of which classes the first four bytes of the forms are that are no needles. They are classed by how they are written, so
/// that few words begin like all of a class.
pub(super) static FORMS: [Classes; LONG_GRAM] = forms();

const fn forms() -> [Classes; LONG_GRAM] {
    let mut all = [Classes::NONE; LONG_GRAM];
    let mut tables: &[&form::Table] = &form::TABLES;
    while let Some((table, more)) = tables.split_first() {
        let mut rows = table.rows();
        while let Some((row, after)) = rows.split_first() {
            if !is_needle(row) {
                let mut prefix = row.prefix().as_bytes();
                let class = 1 << writing(prefix);
                let mut slots: &mut [Classes] = &mut all;
                while let Some((slot, others)) = slots.split_first_mut() {
                    if let Some((byte, rest)) = prefix.split_first() {
                        *slot = slot.with(class, *byte);
                        prefix = rest;
                    } else {
                        *slot = with_chain(*slot, class);
                    }
                    slots = others;
                }
            }
            rows = after;
        }
        tables = more;
    }
    all
}

/// How a prefix is written.
const fn writing(prefix: &[u8]) -> u32 {
    match *prefix {
        [b'A', ..] => 0,
        [b'A'..=b'Z', ..] => 1,
        [b'a'..=b'm', _, _, b'_', ..] => 2,
        [_, _, _, b'_', ..] => 3,
        [_, _, _, sign, ..] if is_sign(sign) => 4,
        [_, sign, ..] if is_sign(sign) => 5,
        [_, _, sign, ..] if is_sign(sign) => 6,
        _ => 7,
    }
}

/// With all bytes that forms are made of.
const fn with_chain(table: Classes, class: u8) -> Classes {
    let letters = table
        .range(class, b'A', b'Z')
        .range(class, b'a', b'z')
        .with(class, b'_');
    letters
        .range(class, b'-', b':')
        .with(class, b'$')
        .with(class, b'+')
        .with(class, b'=')
        .with(class, b'~')
}

/// Texts by their first bytes: one bit for each sum of them. Small enough to stay at hand.
pub(super) struct Sums<const WORDS: usize> {
    bits: [u64; WORDS],
    /// Which bits of the first bytes are summed up, and which are set before: where the case of letters is set aside.
    mask: u32,
    fold: u32,
    /// Whether the fourth byte counts as well, as far as it is a letter or none.
    letter: bool,
}

/// The beginnings of long forms, by four bytes.
pub(super) static LONG_PREFIXES: Sums<1024> = Sums::of_prefixes(true);

/// Those that have fewer, by three.
pub(super) static SHORT_PREFIXES: Sums<512> = Sums::of_prefixes(false);

/// What long needles are known by, by four bytes; the names of programs are not among them.
pub(super) static LONG_NEEDLES: Sums<512> = Sums::of_needles(true);

/// What short needles are known by, by three bytes.
pub(super) static SHORT_NEEDLES: Sums<256> = Sums::of_needles(false);

const THREE: u32 = 0xff_ffff;
const CASE: u32 = 0x2020_2020;
/// A letter as the fourth byte.
const LETTER: u64 = (b'a' as u64) << 24;

impl<const WORDS: usize> Sums<WORDS> {
    const fn new(mask: u32, fold: u32, letter: bool) -> Self {
        Self {
            bits: [0; WORDS],
            mask,
            fold: fold & mask,
            letter,
        }
    }

    const fn of_prefixes(long: bool) -> Self {
        let mut all = Self::new(if long { u32::MAX } else { THREE }, 0, false);
        let mut tables: &[&form::Table] = &form::TABLES;
        while let Some((table, more)) = tables.split_first() {
            let mut rows = table.rows();
            while let Some((row, after)) = rows.split_first() {
                let prefix = row.prefix().as_bytes();
                if !is_needle(row) && (prefix.len() >= LONG_GRAM) == long {
                    all.add(prefix);
                }
                rows = after;
            }
            tables = more;
        }
        all
    }

    const fn of_needles(long: bool) -> Self {
        let mut all = Self::new(if long { u32::MAX } else { THREE }, CASE, !long);
        let mut rest: &[Needle] = &TABLE.needles;
        while let Some((needle, after)) = rest.split_first() {
            if !matches!(needle.check, Check::Program) && needle.is_long_from(needle.offset) == long {
                all.set(needle.gram());
                if !long && !matches!(needle.check, Check::Name) {
                    all.set(needle.gram() | LETTER);
                }
            }
            rest = after;
        }
        if long {
            // `clientKeyData`
            all.set(u64::from_le_bytes(*b"keyd\0\0\0\0"));
        } else {
            let mut wild = AFTER_SLASH_P;
            while let Some((byte, after)) = wild.split_first() {
                all.set(u64::from_le_bytes([b'/', b'p', *byte, 0, 0, 0, 0, 0]));
                all.set(u64::from_le_bytes([b'/', b'p', *byte, b'a', 0, 0, 0, 0]));
                wild = after;
            }
            let mut digits = AFTER_HASH;
            while let Some((byte, after)) = digits.split_first() {
                all.set(u64::from_le_bytes([b'&', b'#', *byte, 0, 0, 0, 0, 0]));
                all.set(u64::from_le_bytes([b'&', b'#', *byte, b'a', 0, 0, 0, 0]));
                digits = after;
            }
        }
        all
    }

    const fn add(&mut self, prefix: &[u8]) {
        match *prefix {
            [a, b, c, d, ..] => self.set(u64::from_le_bytes([a, b, c, d, 0, 0, 0, 0])),
            [a, b, c] => self.set(u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0])),
            [a, b] => {
                let mut c = 0;
                while c < u8::MAX {
                    self.set(u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]));
                    c += 1;
                }
            }
            // Of less, nothing is known: it may begin everywhere.
            _ => self.bits = [u64::MAX; WORDS],
        }
    }

    const fn set(&mut self, bytes: u64) {
        let slot = self.slot(bytes);
        if let Some((_, words)) = self.bits.split_at_mut_checked(slot / 64)
            && let Some((word, _)) = words.split_first_mut()
        {
            *word |= 1 << (slot % 64);
        }
    }

    /// The bit of the first bytes of a text, given as a number whose lowest byte comes first.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "four bytes are kept, and then the upper bits"
    )]
    const fn slot(&self, bytes: u64) -> usize {
        let [.., fourth] = (bytes as u32).to_le_bytes();
        let letter = if self.letter && fourth.is_ascii_alphabetic() {
            !THREE
        } else {
            0
        };
        // With this factor, no common word has the bit of another.
        let sum = ((bytes as u32 & self.mask) | self.fold | letter).wrapping_mul(0x85eb_ca6b);
        (sum >> (u32::BITS - (WORDS * 64).ilog2())) as usize
    }

    /// Whether one of them may begin with these bytes.
    #[inline]
    pub(super) fn may_hold(&self, bytes: u64) -> bool {
        let slot = self.slot(bytes);
        self.bits
            .get(slot / 64)
            .is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }
}
