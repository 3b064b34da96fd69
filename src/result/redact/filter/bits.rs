//! What sixty-four bytes of a text are, all told at once: one bit for each byte.
//!
//! Where a processor cannot look up many bytes in one step, the same tables are read byte by byte, with the same answer.

use super::gram::{GRAMS, LONG_GRAM, OPEN};
use super::pair::Pair;

/// Bytes that are looked at together.
pub(super) const WIDTH: usize = 64;

/// Those, and the ones that a needle beginning at the last of them reaches into.
const WINDOW: usize = WIDTH + LONG_GRAM - 1;

/// For each byte of a block, the first one lowest, whether it is of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits {
    /// A letter, a digit or `_`.
    pub(super) word: u64,
    /// A letter, or `_`.
    pub(super) letter: u64,
    /// A digit.
    pub(super) digit: u64,
    /// A letter in upper case.
    pub(super) upper: u64,
    /// `-`
    pub(super) dash: u64,
    /// `_`
    pub(super) low: u64,
    /// `\`
    pub(super) backslash: u64,
    /// What forms are made of.
    pub(super) chain: u64,
    /// Not seen, or the first byte of what may not be; `%`.
    pub(super) odd: u64,
    /// A needle may be known by what begins here.
    pub(super) gram: u64,
    /// The same, where no letter stands behind its three bytes.
    pub(super) short: u64,
}

impl Bits {
    pub(super) const NONE: Self = Self {
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

/// The bits of the blocks from `start` on.
pub(super) fn bits(text: &[u8], start: usize, all: &mut [Bits]) {
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
        let [first, second, third] = &GRAMS.short;
        let [one, two, three, _] = four;
        let short = _mm256_and_si256(look_up(first, one), look_up(second, two));
        let short = _mm256_and_si256(short, look_up(third, three));
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
    fn all([first, second, third, last]: &[Pair; 4], [one, two, three, four]: [__m256i; 4]) -> __m256i {
        let begin = _mm256_and_si256(look_up(first, one), look_up(second, two));
        let end = _mm256_and_si256(look_up(third, three), look_up(last, four));
        _mm256_and_si256(begin, end)
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

    fn texts() -> impl Strategy<Value = Vec<u8>> {
        let known = proptest::sample::select(b"keyKEYpasPASwordtoken=:-_$%\\ \"'0123456789".to_vec());
        proptest::collection::vec(prop_oneof![1 => any::<u8>(), 4 => known], 0..300)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]
        #[test]
        fn wide_and_plain_steps_tell_the_same(text in texts()) {
            for start in (0..=text.len()).step_by(WIDTH) {
                let mut got = [[Bits::NONE; 6]; 2];
                bits(&text, start, &mut got[0]);
                each(&text, start, &mut got[1], plain);
                prop_assert_eq!(got[0], got[1]);
            }
        }
    }
}
