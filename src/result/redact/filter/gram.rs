//! By which few bytes needles and forms are known: tables to find where one may begin.

use super::super::form;
use super::needle::{Check, GRAM, LONG_FORM, Needle, SLOTS, TABLE, hash};
use super::pair::Pair;

/// Of which classes the bytes are that a needle is known by, in lower case: where all are of one class, a needle may begin.
/// Needles whose first byte ends in the same four bits share a class.
pub(super) struct Grams {
    /// The four bytes of long needles, in two times eight classes.
    pub(super) long: [[Pair; LONG_GRAM]; 2],
    /// The three bytes of short ones; but for those of the classes `OPEN`, no letter follows them.
    pub(super) short: [Pair; GRAM],
}

/// Bytes of a long needle that are looked up.
pub(super) const LONG_GRAM: usize = 4;

/// The classes of short needles that a letter may follow.
pub(super) const OPEN: u8 = 0xf8;

/// Those of all needles but the names of programs.
pub(super) static GRAMS: Grams = Grams::new();

impl Grams {
    const fn new() -> Self {
        let mut grams = Self {
            long: [[Pair::NONE; LONG_GRAM]; 2],
            short: [Pair::NONE; GRAM],
        };
        let mut rest: &[Needle] = &TABLE.needles;
        while let Some((needle, after)) = rest.split_first() {
            match needle.check {
                Check::Program => {}
                _ if needle.is_long_from(needle.offset) => grams.long(needle.gram().to_le_bytes()),
                // No word of a name goes on after them.
                Check::Name => grams.short(needle.gram().to_le_bytes(), false),
                _ => grams.short(needle.gram().to_le_bytes(), true),
            }
            rest = after;
        }
        // `clientKeyData`
        grams.long(*b"keyd\0\0\0\0");
        // `/p` as an option, and a letter as a number: `&#`.
        let mut wild = b" !\"#$%&'()*+,-./:;<=>?".as_slice();
        while let Some((byte, after)) = wild.split_first() {
            grams.short([b'/', b'p', *byte, 0, 0, 0, 0, 0], true);
            wild = after;
        }
        let mut digits = b"0123456789x".as_slice();
        while let Some((byte, after)) = digits.split_first() {
            grams.short([b'&', b'#', *byte, 0, 0, 0, 0, 0], true);
            digits = after;
        }
        grams
    }

    const fn long(&mut self, gram: [u8; 8]) {
        let [first, second, third, last, ..] = gram;
        let [even, odd] = &mut self.long;
        let table = if first & 8 == 0 { even } else { odd };
        let class = 1 << (first & 7);
        let [begin, next, then, end] = table;
        *begin = begin.with(class, first | 0x20);
        *next = next.with(class, second | 0x20);
        *then = then.with(class, third | 0x20);
        *end = end.with(class, last | 0x20);
    }

    const fn short(&mut self, gram: [u8; 8], open: bool) {
        let [first, second, third, ..] = gram;
        let class = match (open, first) {
            (false, b'p') => 1,
            (false, b'j'..=b'k') => 2,
            (false, _) => 4,
            (true, b'$') => 8,
            (true, b':') => 16,
            (true, b'/' | b'&') => 32,
            (true, b'a'..=b'z') => 64,
            (true, _) => 128,
        };
        let [begin, next, end] = &mut self.short;
        *begin = begin.with(class, first | 0x20);
        *next = next.with(class, second | 0x20);
        *end = end.with(class, third | 0x20);
    }
}

/// Texts by their first three bytes, without regard to case: one bit for each sum of them. Small enough to stay at hand.
pub(super) struct Sums([u64; SLOTS / 64]);

/// Those that long forms begin with.
pub(super) static PREFIXES: Sums = Sums::of_prefixes();

/// Those that needles are known by, but for the names of programs.
pub(super) static KNOWN: Sums = Sums::of_needles();

impl Sums {
    const fn of_prefixes() -> Self {
        let mut all = Self([0; SLOTS / 64]);
        let mut tables: &[&form::Table] = &form::TABLES;
        while let Some((table, more)) = tables.split_first() {
            let mut rows = table.rows();
            while let Some((row, after)) = rows.split_first() {
                if row.shortest() >= LONG_FORM {
                    all.add(row.prefix().as_bytes());
                }
                rows = after;
            }
            tables = more;
        }
        all
    }

    const fn of_needles() -> Self {
        let mut all = Self([0; SLOTS / 64]);
        let mut rest: &[Needle] = &TABLE.needles;
        while let Some((needle, after)) = rest.split_first() {
            if !matches!(needle.check, Check::Program) {
                all.set(needle.gram());
            }
            rest = after;
        }
        all.add(b"/p");
        all.add(b"&#");
        all
    }

    const fn add(&mut self, prefix: &[u8]) {
        match *prefix {
            [a, b, c, ..] => self.set(u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0])),
            [a, b] => {
                let mut c = 0;
                while c < u8::MAX {
                    self.set(u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]));
                    c += 1;
                }
            }
            // Of less, nothing is known: it may begin everywhere.
            _ => self.0 = [u64::MAX; SLOTS / 64],
        }
    }

    const fn set(&mut self, bytes: u64) {
        let slot = hash(bytes);
        if let Some((_, words)) = self.0.split_at_mut_checked(slot / 64)
            && let Some((word, _)) = words.split_first_mut()
        {
            *word |= 1 << (slot % 64);
        }
    }

    /// Whether one of them may begin with the lowest three bytes.
    pub(super) fn may_hold(&self, bytes: u64) -> bool {
        let slot = hash(bytes);
        self.0.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }
}
