//! Where in a text something may begin that is looked for: sixty-four bytes are told at once, one bit for each byte.
//!
//! Every question is put as a pair of tables: what the lower four bits of a byte allow, and what the upper four do. A
//! processor looks up thirty-two bytes in such a table in one step; where it cannot, the same tables are read byte by
//! byte, with the same answer.

use super::needle::{GRAMS, KNOWN, LONG_FORM, LONG_GRAM, OPEN, PREFIXES, Sums};
use super::run::LONG;

/// Bytes that are looked at together.
pub(super) const WIDTH: usize = 64;

/// Blocks that are looked at in a row.
pub(super) const BATCH: usize = 16;

/// Places of a block at which something may begin, one bit for each, the first one lowest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Places {
    /// What a needle is known by.
    pub(super) needle: u64,
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
        self.needle | self.odd | self.form | self.run | self.option
    }
}

/// A block, and the bytes that a needle beginning at the last of it reaches into.
const WINDOW: usize = WIDTH + LONG_GRAM - 1;

/// For each byte of a block, the first one lowest, whether it is of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bits {
    /// A letter, a digit or `_`.
    word: u64,
    /// A letter, or `_`.
    letter: u64,
    /// A digit.
    digit: u64,
    /// A letter in upper case.
    upper: u64,
    /// `-`
    dash: u64,
    /// `_`
    low: u64,
    /// `\`
    backslash: u64,
    /// What forms are made of.
    chain: u64,
    /// Not seen, or the first byte of what may not be; `%`.
    odd: u64,
    /// A needle may be known by what begins here.
    gram: u64,
    /// The same, where no letter stands behind its three bytes.
    short: u64,
}

impl Bits {
    const NONE: Self = Self {
        word: 0,
        letter: 0,
        digit: 0,
        upper: 0,
        dash: 0,
        low: 0,
        backslash: 0,
        chain: 0,
        odd: 0,
        gram: 0,
        short: 0,
    };
}

/// A table for the lower four bits of a byte and one for the upper four: what both have is the byte's class.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    low: [u8; 16],
    high: [u8; 16],
}

impl Pair {
    pub(super) const NONE: Self = Self {
        low: [0; 16],
        high: [0; 16],
    };

    /// With one more byte of a class.
    pub(super) const fn with(mut self, class: u8, byte: u8) -> Self {
        let (low, high) = (byte & 15, byte >> 4);
        if let Some((_, slots)) = self.low.split_at_mut_checked(low as usize)
            && let Some((slot, _)) = slots.split_first_mut()
        {
            *slot |= class;
        }
        if let Some((_, slots)) = self.high.split_at_mut_checked(high as usize)
            && let Some((slot, _)) = slots.split_first_mut()
        {
            *slot |= class;
        }
        self
    }

    /// With all bytes from one to another of a class, which have the same upper four bits.
    const fn range(mut self, class: u8, from: u8, to: u8) -> Self {
        let mut byte = from;
        while byte < to {
            self = self.with(class, byte);
            byte += 1;
        }
        self.with(class, to)
    }

    fn of(&self, byte: u8) -> u8 {
        let low = self.low.get(usize::from(byte & 15)).copied().unwrap_or(0);
        let high = self.high.get(usize::from(byte >> 4)).copied().unwrap_or(0);
        low & high
    }
}

const DASH: u8 = 1;
const DIGIT: u8 = 2;
/// `A` to `O`, `a` to `o`
const FIRST_LETTERS: u8 = 4;
/// `P` to `Z`, and `_`
const UPPER_LETTERS: u8 = 8;
/// `p` to `z`
const LOWER_LETTERS: u8 = 16;
/// `$`, `+`, `.`, `/`, `:`, `=`, `~`
const SIGNS: u8 = 32 | 64 | 128;

const WORD: u8 = DIGIT | LETTER;
const LETTER: u8 = FIRST_LETTERS | UPPER_LETTERS | LOWER_LETTERS;
const CHAIN: u8 = WORD | DASH | SIGNS;

static CLASSES: Pair = Pair::NONE
    .with(DASH, b'-')
    .range(DIGIT, b'0', b'9')
    .range(FIRST_LETTERS, b'A', b'O')
    .range(FIRST_LETTERS, b'a', b'o')
    .range(UPPER_LETTERS, b'P', b'Z')
    .with(UPPER_LETTERS, b'_')
    .range(LOWER_LETTERS, b'p', b'z')
    .with(32, b'$')
    .with(32, b'+')
    .with(32, b'.')
    .with(32, b'/')
    .with(64, b':')
    .with(64, b'=')
    .with(128, b'~');

/// Bytes that are not seen, those that what is not seen begins with, and `%`, which writes what it is not.
static ODD: Pair = Pair::NONE
    .range(1, 0x00, 0x08)
    .range(1, 0x0b, 0x0c)
    .range(1, 0x0e, 0x0f)
    .range(2, 0x10, 0x1f)
    .with(4, 0x7f)
    .with(8, 0xc2)
    .range(16, 0xe1, 0xe2)
    .with(16, 0xef)
    .with(32, b'%');

/// The places of the blocks from `start` on, as many as the text has; `start` is where a block begins.
pub(super) fn places(text: &[u8], start: usize, found: &mut [Places; BATCH]) {
    let mut all = [Bits::NONE; BITS];
    // What stands before the first block tells how it begins.
    match start.checked_sub(WIDTH) {
        Some(before) => bits(text, before, &mut all),
        None => bits(text, start, all.get_mut(1..).unwrap_or_default()),
    }
    walk(text.len().saturating_sub(start).div_ceil(WIDTH), &all, found);
    for (number, places) in found.iter_mut().enumerate() {
        let here = text.get(start + number * WIDTH..).unwrap_or_default();
        places.needle = sift(here, places.needle, &KNOWN);
        places.form = sift(here, places.form, &PREFIXES);
    }
}

/// The blocks of a batch, the one before and the one behind it.
const BITS: usize = BATCH + 2;

/// The places at which one of the texts may begin, by its first three bytes.
#[inline]
fn sift(text: &[u8], places: u64, sums: &Sums) -> u64 {
    let (mut left, mut kept) = (places, 0);
    while left != 0 {
        let bit = left.trailing_zeros();
        left &= left - 1;
        let bytes = first_bytes(text.get(bit as usize..).unwrap_or_default());
        kept |= u64::from(sums.may_hold(bytes)) << bit;
    }
    kept
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

/// The bits of the blocks from `start` on.
fn bits(text: &[u8], start: usize, all: &mut [Bits]) {
    #[cfg(target_arch = "x86_64")]
    if wide::available() {
        return wide::bits(text, start, all);
    }
    each(text, start, all, plain);
}

/// Tells each block of the text.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "the instructions that it may use are those of its caller"
)]
fn each(text: &[u8], start: usize, all: &mut [Bits], of: impl Fn(&[u8; WINDOW]) -> Bits) {
    let mut rest = text.get(start..).unwrap_or_default();
    for slot in all {
        if let Some(window) = rest.first_chunk() {
            *slot = of(window);
        } else if rest.is_empty() {
            break;
        } else {
            // Behind the end of the text there are blanks, which nothing begins with.
            let mut window = [b' '; WINDOW];
            for (slot, byte) in window.iter_mut().zip(rest) {
                *slot = *byte;
            }
            *slot = of(&window);
        }
        rest = rest.get(WIDTH..).unwrap_or_default();
    }
}

/// What the bits of so many blocks come to.
#[inline(never)]
fn walk(blocks: usize, all: &[Bits; BITS], found: &mut [Places; BATCH]) {
    for (slot, [last, here, next]) in found.iter_mut().zip(all.array_windows()).take(blocks) {
        // Each byte's bit, moved to the one that comes so many later.
        let after = |by: usize, last: u64, here: u64| here << by | last >> (WIDTH - by);
        let after_word = after(1, last.word, here.word);
        let after_dash = after(1, last.dash, here.dash);
        // `\n`, `%20`, `\x20`, `\u0020`
        let after_escape = after(2, last.backslash, here.backslash)
            | after(3, last.odd, here.odd)
            | after(4, last.backslash, here.backslash)
            | after(6, last.backslash, here.backslash);
        let mut places = Places {
            odd: here.odd | here.backslash,
            // No letter goes on behind a short needle.
            needle: here.gram | here.short & !lower((both(here.letter, next.letter) & !both(here.low, next.low)) >> 3),
            ..Places::default()
        };
        let chains = if has_whole(here.chain) | has_whole(next.chain) {
            runs(both(here.chain, next.chain), LONG_FORM)
        } else {
            0
        };
        if chains != 0 {
            places.form = here.word & chains & (!after_word | after(1, last.low, here.low) | after_escape);
            let inside = both(here.word | here.dash, next.word | next.dash);
            let long = runs(inside, LONG) & !(after_word | after_dash);
            places.run = telling(long, inside, [here, next]);
        }
        if here.dash != 0 {
            let (dashes, letters) = (both(here.dash, next.dash), both(here.letter, next.letter));
            let named = lower(letters >> 1 | dashes >> 1 & letters >> 2);
            places.option = here.dash & named & (!(after_word | after_dash) | after_escape);
        }
        *slot = places;
    }
}

/// Whether eight bits are set that one byte holds, as they are in every run of fifteen.
#[inline]
fn has_whole(bits: u64) -> bool {
    const LOW: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    (!bits).wrapping_sub(LOW) & bits & HIGH != 0
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

/// One byte after the other.
fn plain(window: &[u8; WINDOW]) -> Bits {
    let mut bits = Bits::NONE;
    for (i, four) in window.windows(LONG_GRAM).enumerate() {
        let byte = four.first().copied().unwrap_or(0);
        let class = CLASSES.of(byte);
        let set = |slot: &mut u64, holds: bool| *slot |= u64::from(holds) << i;
        set(&mut bits.word, class & WORD != 0);
        set(&mut bits.letter, class & LETTER != 0);
        set(&mut bits.digit, class & DIGIT != 0);
        set(&mut bits.upper, byte.is_ascii_uppercase());
        set(&mut bits.dash, class & DASH != 0);
        set(&mut bits.low, byte == b'_');
        set(&mut bits.backslash, byte == b'\\');
        set(&mut bits.chain, class & CHAIN != 0);
        set(&mut bits.odd, ODD.of(byte) != 0);
        let classes = |pairs: &[Pair]| {
            let classes = pairs.iter().zip(four).map(|(pair, b)| pair.of(*b | 0x20));
            classes.fold(u8::MAX, |all, class| all & class)
        };
        let short = classes(&GRAMS.short);
        let long = GRAMS.long.iter().any(|pairs| classes(pairs) != 0);
        set(&mut bits.gram, long || short & OPEN != 0);
        set(&mut bits.short, short & !OPEN != 0);
    }
    bits
}

/// The same in steps of thirty-two bytes.
#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Bits, CLASSES, GRAMS, LETTER, ODD, OPEN, Pair, WINDOW, WORD};
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_epi64x,
        _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srli_epi16,
    };

    /// Whether this processor has them.
    pub(super) fn available() -> bool {
        is_x86_feature_detected!("avx2")
    }

    /// The bits of the blocks from `start` on.
    #[expect(unsafe_code, reason = "the one way to instructions that not every processor has")]
    pub(super) fn bits(text: &[u8], start: usize, all: &mut [Bits]) {
        if !available() {
            return super::each(text, start, all, super::plain);
        }
        // SAFETY: `wide` asks for nothing but the instructions that were looked up in the line above; it reads and writes
        // through references alone.
        unsafe { wide(text, start, all) }
    }

    #[target_feature(enable = "avx2")]
    fn wide(text: &[u8], start: usize, all: &mut [Bits]) {
        super::each(text, start, all, |window| block(window));
    }

    /// The bits of a block.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn block(window: &[u8; WINDOW]) -> Bits {
        let (a, b) = (half(window, 0), half(window, 32));
        let join = |a: u32, b: u32| u64::from(a) | u64::from(b) << 32;
        let letter = join(a.letter, b.letter);
        let low = join(a.low, b.low);
        Bits {
            word: join(a.word, b.word),
            letter,
            digit: join(a.digit, b.digit),
            upper: letter & !low & !join(a.lower, b.lower),
            dash: join(a.dash, b.dash),
            low,
            backslash: join(a.backslash, b.backslash),
            chain: join(a.chain, b.chain),
            odd: join(a.odd, b.odd),
            gram: join(a.gram, b.gram),
            short: join(a.short, b.short),
        }
    }

    struct Half {
        word: u32,
        letter: u32,
        digit: u32,
        /// The bit that is set in letters in lower case.
        lower: u32,
        dash: u32,
        low: u32,
        backslash: u32,
        chain: u32,
        odd: u32,
        gram: u32,
        short: u32,
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn half(window: &[u8; WINDOW], from: usize) -> Half {
        let here = load(window, from);
        let classes = look_up(&CLASSES, here);
        let odd = look_up(&ODD, here);
        let fold = _mm256_set1_epi8(0x20);
        let four = [
            _mm256_or_si256(here, fold),
            _mm256_or_si256(load(window, from + 1), fold),
            _mm256_or_si256(load(window, from + 2), fold),
            _mm256_or_si256(load(window, from + 3), fold),
        ];
        let [one, other] = &GRAMS.long;
        let long = _mm256_or_si256(all(one, four), all(other, four));
        let [a, b, c] = &GRAMS.short;
        let [w, x, y, _] = four;
        let short = _mm256_and_si256(_mm256_and_si256(look_up(a, w), look_up(b, x)), look_up(c, y));
        let open = _mm256_and_si256(short, _mm256_set1_epi8(OPEN.cast_signed()));
        Half {
            word: any(classes, WORD),
            letter: any(classes, LETTER),
            digit: _mm256_movemask_epi8(_mm256_slli_epi16::<6>(classes)).cast_unsigned(),
            lower: _mm256_movemask_epi8(_mm256_slli_epi16::<2>(here)).cast_unsigned(),
            dash: _mm256_movemask_epi8(_mm256_slli_epi16::<7>(classes)).cast_unsigned(),
            low: equal(here, b'_'),
            backslash: equal(here, b'\\'),
            chain: any(classes, u8::MAX),
            odd: any(odd, u8::MAX),
            gram: any(_mm256_or_si256(long, open), u8::MAX),
            short: any(short, !OPEN),
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(window: &[u8; WINDOW], from: usize) -> __m256i {
        let part = |at: usize| {
            let bytes = window.get(from + 8 * at..).and_then(|rest| rest.first_chunk());
            i64::from_le_bytes(bytes.copied().unwrap_or_default())
        };
        _mm256_set_epi64x(part(3), part(2), part(1), part(0))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn table(bytes: &[u8; 16]) -> __m256i {
        let part = |at: usize| {
            let bytes = bytes.get(8 * at..).and_then(|rest| rest.first_chunk());
            i64::from_le_bytes(bytes.copied().unwrap_or_default())
        };
        _mm256_set_epi64x(part(1), part(0), part(1), part(0))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn look_up(pair: &Pair, bytes: __m256i) -> __m256i {
        let four = _mm256_set1_epi8(15);
        let low = _mm256_and_si256(bytes, four);
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), four);
        _mm256_and_si256(
            _mm256_shuffle_epi8(table(&pair.low), low),
            _mm256_shuffle_epi8(table(&pair.high), high),
        )
    }

    /// The classes that all of several bytes are of.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn all([a, b, c, d]: &[Pair; 4], bytes: [__m256i; 4]) -> __m256i {
        let [w, x, y, z] = bytes;
        let first = _mm256_and_si256(look_up(a, w), look_up(b, x));
        let last = _mm256_and_si256(look_up(c, y), look_up(d, z));
        _mm256_and_si256(first, last)
    }

    /// Which bytes are of one of the classes.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn any(bytes: __m256i, classes: u8) -> u32 {
        let of = if classes == u8::MAX {
            bytes
        } else {
            _mm256_and_si256(bytes, _mm256_set1_epi8(classes.cast_signed()))
        };
        !_mm256_movemask_epi8(_mm256_cmpeq_epi8(of, _mm256_setzero_si256())).cast_unsigned()
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn equal(bytes: __m256i, to: u8) -> u32 {
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(to.cast_signed()))).cast_unsigned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::bytes::is_word;
    use super::*;
    use proptest::prelude::*;

    /// A window with this byte at the place, and blanks around it.
    fn with(place: usize, byte: u8) -> [u8; WINDOW] {
        let mut window = [b' '; WINDOW];
        window[place] = byte;
        window
    }

    #[test]
    fn each_byte_is_of_its_classes() {
        for byte in 0..=u8::MAX {
            for place in [0, 1, 31, 32, 63] {
                let got = plain(&with(place, byte));
                let only = |holds: bool| u64::from(holds) << place;
                let letter = byte.is_ascii_alphabetic() || byte == b'_';
                let sign = matches!(byte, b'$' | b'+' | b'.' | b'/' | b':' | b'=' | b'~' | b'-');
                assert_eq!(got.word, only(is_word(byte)), "{byte}");
                assert_eq!(got.letter, only(letter), "{byte}");
                assert_eq!(got.digit, only(byte.is_ascii_digit()), "{byte}");
                assert_eq!(got.upper, only(byte.is_ascii_uppercase()), "{byte}");
                assert_eq!(got.dash, only(byte == b'-'), "{byte}");
                assert_eq!(got.low, only(byte == b'_'), "{byte}");
                assert_eq!(got.backslash, only(byte == b'\\'), "{byte}");
                assert_eq!(got.chain, only(is_word(byte) || sign), "{byte}");
                let control = byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r') || byte == 0x7f;
                let lead = matches!(byte, 0xc2 | 0xe1 | 0xe2 | 0xef | b'%');
                assert_eq!(got.odd, only(control || lead), "{byte}");
            }
        }
    }

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
        fn wide_and_plain_steps_tell_the_same(text in texts()) {
            for start in (0..=text.len()).step_by(WIDTH) {
                let mut got = [[Bits::NONE; BITS]; 2];
                bits(&text, start, &mut got[0]);
                each(&text, start, &mut got[1], plain);
                prop_assert_eq!(got[0], got[1]);
            }
        }

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
