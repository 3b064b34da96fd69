//! The same classes of bytes in the wide steps that a processor may have: thirty-two bytes in two tables of sixteen, or
//! sixty-four bytes in one of a hundred and twenty-eight.

use super::bits::{
    AFTER_BACKSLASH, AFTER_PERCENT, BACKSLASH, Bits, CLASSES, DASH, DIGIT, ESCAPED, LETTER, ODD, PERCENT, UNSEEN,
    WINDOW, WORD, each,
};
use super::classes::Classes;
use super::gram::{FORMS, GRAMS, LONG_GRAM, OPEN};
use std::arch::x86_64::{
    __m256i, __m512i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_set_epi64x, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16,
    _mm256_srli_epi16, _mm512_and_si512, _mm512_cmpeq_epi8_mask, _mm512_loadu_si512, _mm512_maskz_mov_epi8,
    _mm512_movepi8_mask, _mm512_or_si512, _mm512_permutex2var_epi8, _mm512_set_epi64, _mm512_set1_epi8,
    _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_test_epi8_mask,
};

/// Tells the bits of the blocks from a place of a text on; `false` where this processor cannot.
type Way = fn(&[u8], usize, &mut [Bits]) -> bool;

/// All of them, the best one first.
pub(super) const WAYS: [Way; 2] = [by_sixty_four, by_thirty_two];

/// The bits of the blocks from `start` on, by the best way there is.
pub(super) fn bits(text: &[u8], start: usize, all: &mut [Bits]) -> bool {
    WAYS.iter().any(|way| way(text, start, all))
}

#[expect(unsafe_code, reason = "the one way to instructions that not every processor has")]
fn by_sixty_four(text: &[u8], start: usize, all: &mut [Bits]) -> bool {
    let available = is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512f");
    if available {
        // SAFETY: `sixty_four` asks for nothing but the instructions that were looked up in the lines above; it reads and
        // writes through references alone.
        unsafe { sixty_four(text, start, all) }
    }
    available
}

#[expect(unsafe_code, reason = "the one way to instructions that not every processor has")]
fn by_thirty_two(text: &[u8], start: usize, all: &mut [Bits]) -> bool {
    let available = is_x86_feature_detected!("avx2");
    if available {
        // SAFETY: `thirty_two` asks for nothing but the instructions that were looked up in the line above; it reads and
        // writes through references alone.
        unsafe { thirty_two(text, start, all) }
    }
    available
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn sixty_four(text: &[u8], start: usize, all: &mut [Bits]) {
    each(text, start, all, |window| whole(window));
}

#[target_feature(enable = "avx2")]
fn thirty_two(text: &[u8], start: usize, all: &mut [Bits]) {
    each(text, start, all, |window| halves(window));
}

/// The first sixty-four bytes from a place on.
#[target_feature(enable = "avx512f")]
#[inline]
#[expect(unsafe_code, reason = "no safe function loads so many bytes at once")]
fn sixty_four_at(bytes: &[u8], from: usize) -> __m512i {
    const BLANK: [u8; 64] = [0; 64];
    let bytes: &[u8; 64] = bytes.get(from..).and_then(|rest| rest.first_chunk()).unwrap_or(&BLANK);
    // SAFETY: the reference is to sixty-four bytes, which is what is read; they need not be aligned.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// The first thirty-two bytes from a place on.
#[target_feature(enable = "avx2")]
#[inline]
#[expect(unsafe_code, reason = "no safe function loads so many bytes at once")]
fn thirty_two_at(bytes: &[u8], from: usize) -> __m256i {
    const BLANK: [u8; 32] = [0; 32];
    let bytes: &[u8; 32] = bytes.get(from..).and_then(|rest| rest.first_chunk()).unwrap_or(&BLANK);
    // SAFETY: the reference is to thirty-two bytes, which is what is read; they need not be aligned.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The bit that is set in letters in lower case.
const FOLD: u8 = 0x20;

/// The bits of a block.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn whole(window: &[u8; WINDOW]) -> Bits {
    let load = |from: usize| sixty_four_at(window, from);
    let (one, two, three, four) = (load(0), load(1), load(2), load(3));
    // What a byte is without its highest bit.
    let look = |table: &Classes, bytes: __m512i| {
        let (low, high) = (sixty_four_at(&table.exact, 0), sixty_four_at(&table.exact, 64));
        _mm512_permutex2var_epi8(low, bytes, high)
    };
    let classes = _mm512_maskz_mov_epi8(!_mm512_movepi8_mask(one), look(&CLASSES, one));
    let any = |bytes: __m512i, of: u8| _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(of.cast_signed()));
    let equal = |to: u8| _mm512_cmpeq_epi8_mask(one, _mm512_set1_epi8(to.cast_signed()));
    let all = |[first, second, third, last]: &[Classes; LONG_GRAM]| {
        let begin = _mm512_and_si512(look(first, one), look(second, two));
        let end = _mm512_and_si512(look(third, three), look(last, four));
        _mm512_and_si512(begin, end)
    };
    let [even, odd] = &GRAMS.long;
    let long = _mm512_or_si512(all(even), all(odd));
    let [first, second, third] = &GRAMS.short;
    let short = _mm512_and_si512(look(first, one), look(second, two));
    let short = _mm512_and_si512(short, look(third, three));
    let nibble = _mm512_set1_epi8(15);
    let lower = _mm512_shuffle_epi8(four_times(&ODD.low), _mm512_and_si512(one, nibble));
    let upper = _mm512_and_si512(_mm512_srli_epi16::<4>(one), nibble);
    let odd = _mm512_and_si512(lower, _mm512_shuffle_epi8(four_times(&ODD.high), upper));
    let escaped = look(&ESCAPED, two);
    let percent = any(odd, PERCENT) & any(escaped, AFTER_PERCENT);
    let backslash = any(odd, BACKSLASH);
    let [first, second, third] = &FORMS;
    let form = _mm512_and_si512(look(first, one), look(second, two));
    let form = _mm512_and_si512(form, look(third, three));
    let (letter, low) = (any(classes, LETTER), equal(b'_'));
    Bits {
        word: any(classes, WORD),
        letter,
        digit: any(classes, DIGIT),
        upper: letter & !low & !any(one, FOLD),
        dash: any(classes, DASH),
        low,
        backslash,
        chain: any(classes, u8::MAX),
        odd: any(odd, UNSEEN) | percent | backslash & any(escaped, AFTER_BACKSLASH),
        colon: equal(b':'),
        long: any(long, u8::MAX),
        open: any(short, OPEN),
        short: any(short, !OPEN),
        form: any(form, u8::MAX),
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn four_times(table: &[u8; 16]) -> __m512i {
    let (low, high) = halves_of(table);
    _mm512_set_epi64(high, low, high, low, high, low, high, low)
}

/// A table as two numbers.
#[inline]
fn halves_of(table: &[u8; 16]) -> (i64, i64) {
    let number = u128::from_le_bytes(*table).cast_signed();
    #[expect(clippy::cast_possible_truncation, reason = "one half after the other is meant")]
    (number as i64, (number >> 64) as i64)
}

/// The bits of a block.
#[target_feature(enable = "avx2")]
#[inline]
fn halves(window: &[u8; WINDOW]) -> Bits {
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
        colon: join(a.colon, b.colon),
        long: join(a.long, b.long),
        open: join(a.open, b.open),
        short: join(a.short, b.short),
        form: join(a.form, b.form),
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
    colon: u32,
    long: u32,
    open: u32,
    short: u32,
    form: u32,
}

#[target_feature(enable = "avx2")]
#[inline]
fn half(window: &[u8; WINDOW], from: usize) -> Half {
    let here = thirty_two_at(window, from);
    let classes = look_up(&CLASSES, here, 15);
    let odd = look_up(&ODD, here, 15);
    let (second, third) = (thirty_two_at(window, from + 1), thirty_two_at(window, from + 2));
    let escaped = look_up(&ESCAPED, second, 7);
    let percent = any(odd, PERCENT) & any(escaped, AFTER_PERCENT);
    let backslash = any(odd, BACKSLASH);
    let [begin, next, end] = &FORMS;
    let form = _mm256_and_si256(look_up(begin, here, 7), look_up(next, second, 7));
    let form = _mm256_and_si256(form, look_up(end, third, 7));
    let four = [here, second, third, thirty_two_at(window, from + 3)];
    let [one, other] = &GRAMS.long;
    let long = _mm256_or_si256(all(one, four), all(other, four));
    let [first, second, third] = &GRAMS.short;
    let [one, two, three, _] = four;
    let short = _mm256_and_si256(look_up(first, one, 7), look_up(second, two, 7));
    let short = _mm256_and_si256(short, look_up(third, three, 7));
    Half {
        word: any(classes, WORD),
        letter: any(classes, LETTER),
        digit: _mm256_movemask_epi8(_mm256_slli_epi16::<6>(classes)).cast_unsigned(),
        lower: _mm256_movemask_epi8(_mm256_slli_epi16::<2>(here)).cast_unsigned(),
        dash: _mm256_movemask_epi8(_mm256_slli_epi16::<7>(classes)).cast_unsigned(),
        low: equal(here, b'_'),
        backslash,
        chain: any(classes, u8::MAX),
        odd: any(odd, UNSEEN) | percent | backslash & any(escaped, AFTER_BACKSLASH),
        colon: equal(here, b':'),
        long: any(long, u8::MAX),
        open: any(short, OPEN),
        short: any(short, !OPEN),
        form: any(form, u8::MAX),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn doubled(bytes: &[u8; 16]) -> __m256i {
    let (low, high) = halves_of(bytes);
    _mm256_set_epi64x(high, low, high, low)
}

/// The classes of bytes, by these bits of the upper four: without the highest one, a byte is taken for the one below 128.
#[target_feature(enable = "avx2")]
#[inline]
fn look_up(table: &Classes, bytes: __m256i, upper: i8) -> __m256i {
    let low = _mm256_and_si256(bytes, _mm256_set1_epi8(15));
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(upper));
    _mm256_and_si256(
        _mm256_shuffle_epi8(doubled(&table.low), low),
        _mm256_shuffle_epi8(doubled(&table.high), high),
    )
}

/// The classes that all of several bytes are of.
#[target_feature(enable = "avx2")]
#[inline]
fn all([first, second, third, last]: &[Classes; LONG_GRAM], [one, two, three, four]: [__m256i; 4]) -> __m256i {
    let begin = _mm256_and_si256(look_up(first, one, 7), look_up(second, two, 7));
    let end = _mm256_and_si256(look_up(third, three, 7), look_up(last, four, 7));
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
