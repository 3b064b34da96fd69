//! By which few bytes needles and forms are known: tables to find where one may begin.

use super::super::form;
use super::classes::Classes;
use super::needle::{Check, GRAM, LONG_FORM, Needle, TABLE};

/// Of which classes the bytes are that a needle is known by, in lower case: where all are of one class, a needle may begin.
/// Needles whose first byte ends in the same four bits share a class.
pub(super) struct Grams {
    /// The four bytes of long needles, in two times eight classes.
    pub(super) long: [[Classes; LONG_GRAM]; 2],
    /// The three bytes of short ones; but for those of the classes `OPEN`, no letter follows them.
    pub(super) short: [Classes; GRAM],
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
            long: [[Classes::NONE; LONG_GRAM]; 2],
            short: [Classes::NONE; GRAM],
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
        *begin = begin.with_both(class, first);
        *next = next.with_both(class, second);
        *then = then.with_both(class, third);
        *end = end.with_both(class, last);
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
        *begin = begin.with_both(class, first);
        *next = next.with_both(class, second);
        *end = end.with_both(class, third);
    }
}

/// Of which classes the first three bytes of long forms are.
pub(super) static FORMS: [Classes; GRAM] = forms();

const fn forms() -> [Classes; GRAM] {
    let [mut begin, mut next, mut end] = [Classes::NONE; GRAM];
    let mut tables: &[&form::Table] = &form::TABLES;
    while let Some((table, more)) = tables.split_first() {
        let mut rows = table.rows();
        while let Some((row, after)) = rows.split_first() {
            if row.shortest() >= LONG_FORM
                && let [first, second, others @ ..] = row.prefix().as_bytes()
            {
                let class = 1 << (*first & 7);
                begin = begin.with(class, *first);
                next = next.with(class, *second);
                if let [third, ..] = others {
                    end = end.with(class, *third);
                } else {
                    // Any letter, digit or sign may be the third byte of what begins with two.
                    end = end.range(class, b' ', b'~');
                }
            }
            rows = after;
        }
        tables = more;
    }
    [begin, next, end]
}

/// Texts by their first bytes: one bit for each sum of them. Small enough to stay at hand.
pub(super) struct Sums<const WORDS: usize> {
    bits: [u64; WORDS],
    /// Which bits of the first bytes are summed up, and which are set before: where the case of letters is set aside.
    mask: u32,
    fold: u32,
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

impl<const WORDS: usize> Sums<WORDS> {
    const fn new(mask: u32, fold: u32) -> Self {
        Self {
            bits: [0; WORDS],
            mask,
            fold: fold & mask,
        }
    }

    const fn of_prefixes(long: bool) -> Self {
        let mut all = Self::new(if long { u32::MAX } else { THREE }, 0);
        let mut tables: &[&form::Table] = &form::TABLES;
        while let Some((table, more)) = tables.split_first() {
            let mut rows = table.rows();
            while let Some((row, after)) = rows.split_first() {
                let prefix = row.prefix().as_bytes();
                if row.shortest() >= LONG_FORM && (prefix.len() >= LONG_GRAM) == long {
                    all.add(prefix);
                }
                rows = after;
            }
            tables = more;
        }
        all
    }

    const fn of_needles(long: bool) -> Self {
        let mut all = Self::new(if long { u32::MAX } else { THREE }, CASE);
        let mut rest: &[Needle] = &TABLE.needles;
        while let Some((needle, after)) = rest.split_first() {
            if !matches!(needle.check, Check::Program) && needle.is_long_from(needle.offset) == long {
                all.set(needle.gram());
            }
            rest = after;
        }
        if long {
            // `clientKeyData`
            all.set(u64::from_le_bytes(*b"keyd\0\0\0\0"));
        } else {
            all.add(b"/p");
            all.add(b"&#");
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
        let sum = ((bytes as u32 & self.mask) | self.fold).wrapping_mul(0x9e37_79b1);
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
