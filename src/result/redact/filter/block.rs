//! Where in a text something may begin that is looked for: of sixty-four bytes at once, one bit for each.

use super::bits::{Bits, WIDTH, each, plain};
use super::gram::{LONG_NEEDLES, LONG_PREFIXES, SHORT_NEEDLES, SHORT_PREFIXES};
use super::needle::LONG_FORM;
use super::run::LONG;
#[cfg(target_arch = "x86_64")]
use super::wide;

/// Blocks that are looked at in a row.
pub(super) const BATCH: usize = 16;

/// Places of a block at which something may begin, one bit for each, the first one lowest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Places {
    /// What a needle is known by.
    pub(super) needle: u64,
    /// The same, of three bytes alone.
    pub(super) short: u64,
    /// What is not seen, or written otherwise than it is read.
    pub(super) odd: u64,
    /// A word that begins a run as long as a long form.
    pub(super) form: u64,
    /// A long run of letters and digits that is more than words.
    pub(super) run: u64,
    /// An option.
    pub(super) option: u64,
}

impl Places {
    /// All of them.
    pub(super) fn all(self) -> u64 {
        self.needle | self.short | self.odd | self.form | self.run | self.option
    }
}

/// The bits of the blocks from `start` on, by the widest steps that the processor has.
fn bits(text: &[u8], start: usize, all: &mut [Bits]) {
    #[cfg(target_arch = "x86_64")]
    if wide::bits(text, start, all) {
        return;
    }
    each(text, start, all, plain);
}

/// Places of several blocks at which a needle or a form may begin.
struct List {
    places: [u16; LISTED],
    count: usize,
}

/// Places that a list has room for.
const LISTED: usize = 256;

impl Default for List {
    fn default() -> Self {
        Self {
            places: [0; LISTED],
            count: 0,
        }
    }
}

impl List {
    /// Whether the places of another block may find no room.
    fn is_full(&self) -> bool {
        self.count + WIDTH > LISTED
    }

    /// Adds the places of a block. Most have two at most, and whether they do cannot be foretold.
    #[inline]
    fn push(&mut self, number: usize, places: u64) {
        let mut left = places;
        let mut add = |left: u64| {
            if let Some(slot) = self.places.get_mut(self.count) {
                #[expect(clippy::cast_possible_truncation, reason = "a batch has 1024 places")]
                {
                    *slot = (number * WIDTH) as u16 + left.trailing_zeros() as u16;
                }
            }
            self.count += usize::from(left != 0);
            left & left.wrapping_sub(1)
        };
        left = add(left);
        left = add(left);
        while left != 0 {
            left = add(left);
        }
    }

    /// Keeps those at which a needle or a form may begin by the first bytes of the text there, and empties the list.
    #[inline]
    fn sift(&mut self, text: &[u8], found: &mut [Places]) {
        for place in self.places.get(..self.count).unwrap_or_default() {
            let place = usize::from(*place);
            let bytes = first_bytes(text.get(place..).unwrap_or_default());
            let (long, short) = (LONG_NEEDLES.may_hold(bytes), SHORT_NEEDLES.may_hold(bytes));
            let form = LONG_PREFIXES.may_hold(bytes) | SHORT_PREFIXES.may_hold(bytes);
            if let Some(places) = found.get_mut(place / WIDTH) {
                let bit = 1 << (place % WIDTH);
                let not = |holds: bool| if holds { 0 } else { bit };
                places.needle &= !not(long);
                places.short &= !not(short);
                places.form &= !not(form);
            }
        }
        self.count = 0;
    }
}

/// The places of the blocks from `start` on, as many as the text has; `start` is where a block begins.
pub(super) fn places(text: &[u8], start: usize, found: &mut [Places; BATCH]) {
    let blocks = text.len().saturating_sub(start).div_ceil(WIDTH);
    // Most texts of answers are short: for them nothing is laid out that they do not fill.
    if start == 0 && blocks <= FEW {
        batch::<{ FEW + 2 }>(text, start, found.get_mut(..blocks).unwrap_or_default());
    } else {
        batch::<{ BATCH + 2 }>(text, start, found.get_mut(..blocks.min(BATCH)).unwrap_or_default());
    }
}

/// Blocks of a short text.
const FEW: usize = 2;

/// The places of as many blocks as there is room for: `ROOM` are those, the one before and the one behind them.
fn batch<const ROOM: usize>(text: &[u8], start: usize, found: &mut [Places]) {
    let mut all = [Bits::NONE; ROOM];
    // What stands before the first block tells how it begins.
    match start.checked_sub(WIDTH) {
        Some(before) => bits(text, before, &mut all),
        None => bits(text, start, all.get_mut(1..).unwrap_or_default()),
    }
    let mut may_begin = List::default();
    for (number, three) in all.windows(3).enumerate().take(found.len()) {
        let [last, here, next] = three else { continue };
        let places = told(last, here, next);
        may_begin.push(number, places.needle | places.short | places.form);
        if let Some(slot) = found.get_mut(number) {
            *slot = places;
        }
        if may_begin.is_full() || number + 1 == found.len() {
            may_begin.sift(text.get(start..).unwrap_or_default(), found);
        }
    }
}

/// The first eight bytes of a text as a number, the first one lowest; zeros where it has fewer.
#[inline]
pub(super) fn first_bytes(text: &[u8]) -> u64 {
    if let Some(bytes) = text.first_chunk() {
        return u64::from_le_bytes(*bytes);
    }
    let mut bytes = [0; 8];
    for (slot, byte) in bytes.iter_mut().zip(text) {
        *slot = *byte;
    }
    u64::from_le_bytes(bytes)
}

/// What the bits of a block come to, with those of the one before and the one behind it. Hardly any of it is left out where
/// it comes to nothing: what cannot be foretold costs more than what is done in vain.
#[inline]
fn told(last: &Bits, here: &Bits, next: &Bits) -> Places {
    // Each byte's bit, moved to the one that comes so many later.
    let after = |by: usize, last: u64, here: u64| here << by | last >> (WIDTH - by);
    let after_word = after(1, last.word, here.word);
    let after_dash = after(1, last.dash, here.dash);
    // `\n`, `%20`, `\x20`, `\u0020`
    let after_escape = after(2, last.backslash, here.backslash)
        | after(3, last.odd, here.odd)
        | after(4, last.backslash, here.backslash)
        | after(6, last.backslash, here.backslash);
    let letters = both(here.letter, next.letter);
    // No letter goes on behind a short needle, and the number of a port has three digits at least.
    let goes_on = lower((letters & !both(here.low, next.low)) >> 3);
    let named = lower(letters >> 1 | both(here.dash, next.dash) >> 1 & letters >> 2);
    let mut places = Places {
        odd: here.odd,
        needle: here.long,
        short: here.open & !few_digits(here, next) | here.short & !goes_on,
        form: here.form & here.word & (!after_word | after(1, last.low, here.low) | after_escape),
        run: 0,
        option: here.dash & named & (!(after_word | after_dash) | after_escape),
    };
    places.form &= runs(both(here.chain, next.chain), LONG_FORM);
    let inside = both(here.word | here.dash, next.word | next.dash);
    let long = runs(inside, LONG) & !(after_word | after_dash);
    if long != 0 {
        places.run = telling(long, inside, [here, next]);
    }
    places
}

/// The colons that one or two digits stand behind, and no more.
#[inline]
fn few_digits(here: &Bits, next: &Bits) -> u64 {
    let digits = both(here.digit, next.digit) >> 1;
    here.colon & lower(digits & !(digits >> 1 & digits >> 2))
}

/// Where a run of so many set bits begins that may go on in the next block, at most as many as a block has.
#[inline]
fn runs(bits: u128, length: usize) -> u64 {
    let mut run = bits;
    let mut done = 1;
    while done < length {
        let step = done.min(length - done);
        run &= run >> step;
        done += step;
    }
    lower(run)
}

/// The runs that are more than words in small letters, as far as the two blocks tell.
#[inline]
fn telling(mut runs: u64, inside: u128, [here, next]: [&Bits; 2]) -> u64 {
    let (digit, upper) = (both(here.digit, next.digit), both(here.upper, next.upper));
    let small = both(here.letter, next.letter) & !upper & !both(here.low, next.low);
    let mut left = runs;
    while left != 0 {
        let bit = left.trailing_zeros();
        left &= left - 1;
        let length = (inside >> bit).trailing_ones();
        let run = 1_u128.checked_shl(length).map_or(u128::MAX, |end| end - 1) << bit;
        let mixed = digit & run != 0 || upper & run != 0 && small & run != 0;
        if !mixed && bit + length < 2 * u64::BITS {
            runs &= !(1 << bit);
        }
    }
    runs
}

#[inline]
fn both(here: u64, next: u64) -> u128 {
    u128::from(here) | u128::from(next) << WIDTH
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lower half is meant")]
fn lower(bits: u128) -> u64 {
    bits as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &[u8], start: usize) -> [Places; BATCH] {
        let mut found = [Places::default(); BATCH];
        places(text, start, &mut found);
        found
    }

    fn texts() -> impl Strategy<Value = Vec<u8>> {
        let known = proptest::sample::select(b"keyKEYpasPASwordtoken=:-_$%\\ \"'0123456789".to_vec());
        proptest::collection::vec(prop_oneof![1 => any::<u8>(), 4 => known], 0..300)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]
        #[test]
        fn a_place_is_the_same_from_wherever_the_walk_begins(text in texts()) {
            let whole = found(&text, 0);
            for (block, start) in (0..text.len()).step_by(WIDTH).enumerate() {
                prop_assert_eq!(found(&text, start)[0], whole[block]);
            }
        }

        #[test]
        fn runs_begin_where_so_many_bits_follow(bits in any::<u64>(), more in any::<u64>(), length in 1..64_usize) {
            let bits = both(bits | bits >> 1, more | more << 1);
            for i in 0..64 {
                let want = (i..i + length).all(|k| bits >> k & 1 == 1);
                prop_assert_eq!(runs(bits, length) >> i & 1 == 1, want);
            }
        }
    }
}
