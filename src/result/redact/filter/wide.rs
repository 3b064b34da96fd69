//! The same classes of bytes in the wide steps that a processor may have: thirty-two bytes in two tables of sixteen, or
//! sixty-four bytes in one of a hundred and twenty-eight.

use super::bits::{
    AFTER_BACKSLASH, AFTER_PERCENT, BACKSLASH, Bits, CLASSES, CONTROL, DASH, ESCAPE, ESCAPED, INSIDE, LETTER, ODD,
    PERCENT, UNSEEN, WINDOW,
};
use super::block::{self, List};
use super::classes::Classes;
use super::gram::{FORMS, GRAMS, LONG_GRAM};
use std::arch::x86_64::{
    __m256i, __m512i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_set_epi64x, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16,
    _mm512_and_si512, _mm512_cmpeq_epi8_mask, _mm512_loadu_si512, _mm512_movepi8_mask, _mm512_or_si512,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_srli_epi16, _mm512_ternarylogic_epi64,
    _mm512_test_epi8_mask,
};

/// Looks through the blocks of a text from a place on; `false` where this processor cannot.
type Way = fn(&[u8], usize, &mut List) -> bool;

/// All of them, the best one first.
pub(super) const WAYS: [Way; 2] = [by_sixty_four, by_thirty_two];

/// Looks through the blocks from `start` on, by the best way there is.
pub(super) fn scan(text: &[u8], start: usize, list: &mut List) -> bool {
    WAYS.iter().any(|way| way(text, start, list))
}

/// The instructions that all of them use for numbers.
fn counts() -> bool {
    is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

fn has_sixty_four() -> bool {
    is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512f")
        && counts()
}

fn has_thirty_two() -> bool {
    is_x86_feature_detected!("avx2") && counts()
}

#[expect(unsafe_code, reason = "the one way to instructions that not every processor has")]
fn by_sixty_four(text: &[u8], start: usize, list: &mut List) -> bool {
    let available = has_sixty_four();
    if available {
        // SAFETY: `sixty_four` asks for nothing but the instructions that were looked up in the line above; it reads and
        // writes through references alone.
        unsafe { sixty_four(text, start, list) }
    }
    available
}

#[expect(unsafe_code, reason = "the one way to instructions that not every processor has")]
fn by_thirty_two(text: &[u8], start: usize, list: &mut List) -> bool {
    let available = has_thirty_two();
    if available {
        // SAFETY: `thirty_two` asks for nothing but the instructions that were looked up in the line above; it reads and
        // writes through references alone.
        unsafe { thirty_two(text, start, list) }
    }
    available
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn sixty_four(text: &[u8], start: usize, list: &mut List) {
    block::walk(text, start, list, |window| whole(window));
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn thirty_two(text: &[u8], start: usize, list: &mut List) {
    block::walk(text, start, list, |window| halves(window));
}

/// Whether all bytes are printable ASCII, blanks and line ends; none where this processor has no wide steps.
#[expect(unsafe_code, reason = "the one way to instructions that not every processor has")]
pub(super) fn is_plain(text: &[u8]) -> Option<bool> {
    #[target_feature(enable = "avx2")]
    fn widely(text: &[u8]) -> bool {
        super::super::view::is_plain(text)
    }
    // SAFETY: `widely` asks for nothing but the instructions that are looked up before it is called.
    is_x86_feature_detected!("avx2").then(|| unsafe { widely(text) })
}

/// What the block is that begins at a place; none where this processor cannot tell.
#[cfg(test)]
type Tell = fn(&[u8], usize) -> Option<Bits>;

/// What one block is, by each of the ways.
#[cfg(test)]
pub(super) const BLOCKS: [Tell; 2] = [
    #[expect(unsafe_code, reason = "the one way to instructions that not every processor has")]
    |text, start| {
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
        fn one(text: &[u8], start: usize) -> Bits {
            super::bits::block(text, start, |window| whole(window))
        }
        // SAFETY: the instructions were looked up.
        has_sixty_four().then(|| unsafe { one(text, start) })
    },
    #[expect(unsafe_code, reason = "the one way to instructions that not every processor has")]
    |text, start| {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn one(text: &[u8], start: usize) -> Bits {
            super::bits::block(text, start, |window| halves(window))
        }
        // SAFETY: the instructions were looked up.
        has_thirty_two().then(|| unsafe { one(text, start) })
    },
];

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

/// Sixty-four bytes, each of them as `classes::fold` has it in its lower six bits, which are those that are looked up.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn folded(bytes: __m512i) -> __m512i {
    /// The bit that comes from the one above it.
    const MOVED: i8 = 0x20;
    /// Of three bits, the second where the first is set, and otherwise the third.
    const SELECT: i32 = 0xca;
    _mm512_ternarylogic_epi64::<SELECT>(_mm512_set1_epi8(MOVED), _mm512_srli_epi16::<1>(bytes), bytes)
}

/// The bits of a block.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn whole(window: &[u8; WINDOW]) -> Bits {
    let load = |from: usize| sixty_four_at(window, from);
    let here = load(0);
    let high = _mm512_movepi8_mask(here);
    // What a byte is without its highest bit.
    let exact = |table: &Classes, bytes: __m512i| {
        let (low, high) = (sixty_four_at(&table.exact, 0), sixty_four_at(&table.exact, 64));
        _mm512_permutex2var_epi8(low, bytes, high)
    };
    let any = |bytes: __m512i, of: u8| _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(of.cast_signed()));
    let equal = |to: u8| _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8(to.cast_signed()));
    let (one, two, three, four) = (folded(here), folded(load(1)), folded(load(2)), folded(load(3)));
    let joined =
        |first, second, third, last| _mm512_and_si512(_mm512_and_si512(first, second), _mm512_and_si512(third, last));
    let all = |[first, second, third, last]: &[Classes; LONG_GRAM]| {
        let look = |table: &Classes, bytes: __m512i| _mm512_permutexvar_epi8(bytes, sixty_four_at(&table.folded, 0));
        joined(
            look(first, one),
            look(second, two),
            look(third, three),
            look(last, four),
        )
    };
    let [even, odd] = &GRAMS.long;
    let long = _mm512_or_si512(all(even), all(odd));
    let gram = _mm512_or_si512(all(&GRAMS.short), long);
    // How forms begin is told with the case of letters.
    let [first, second, third, last] = &FORMS;
    let form = joined(
        exact(first, here),
        exact(second, load(1)),
        exact(third, load(2)),
        exact(last, load(3)),
    );
    let classes = exact(&CLASSES, here);
    let of = |class: u8| any(classes, class) & !high;
    let escape = of(ESCAPE);
    let mut odd = of(CONTROL);
    if high != 0 {
        odd |= equal(0xc2) | equal(0xe1) | equal(0xe2) | equal(0xef);
    }
    if escape != 0 {
        let behind = exact(&ESCAPED, load(1));
        odd |= equal(b'%') & any(behind, AFTER_PERCENT) | equal(b'\\') & any(behind, AFTER_BACKSLASH);
    }
    Bits {
        inside: of(INSIDE),
        letter: of(LETTER),
        dash: equal(b'-'),
        escape,
        odd,
        low: equal(b'_'),
        gram: any(gram, u8::MAX) & !high,
        form: any(form, u8::MAX) & !high,
    }
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
    Bits {
        inside: join(a.inside, b.inside),
        letter: join(a.letter, b.letter),
        dash: join(a.dash, b.dash),
        escape: join(a.escape, b.escape),
        odd: join(a.odd, b.odd),
        low: join(a.low, b.low),
        gram: join(a.gram, b.gram),
        form: join(a.form, b.form),
    }
}

struct Half {
    inside: u32,
    letter: u32,
    dash: u32,
    escape: u32,
    odd: u32,
    low: u32,
    gram: u32,
    form: u32,
}

#[target_feature(enable = "avx2")]
#[inline]
fn half(window: &[u8; WINDOW], from: usize) -> Half {
    let here = thirty_two_at(window, from);
    let seen = !_mm256_movemask_epi8(here).cast_unsigned();
    let classes = look_up(&CLASSES, here, 15);
    let odd = look_up(&ODD, here, 15);
    let (second, third) = (thirty_two_at(window, from + 1), thirty_two_at(window, from + 2));
    let escaped = look_up(&ESCAPED, second, 7);
    let percent = any(odd, PERCENT) & any(escaped, AFTER_PERCENT);
    let backslash = any(odd, BACKSLASH) & any(escaped, AFTER_BACKSLASH);
    let four = [here, second, third, thirty_two_at(window, from + 3)];
    let [even, uneven] = &GRAMS.long;
    let long = _mm256_or_si256(all(even, four), all(uneven, four));
    let low = _mm256_cmpeq_epi8(here, _mm256_set1_epi8(b'_'.cast_signed()));
    Half {
        inside: any(classes, INSIDE),
        letter: any(classes, LETTER),
        dash: any(classes, DASH),
        escape: any(classes, ESCAPE),
        odd: any(odd, UNSEEN) | percent | backslash,
        low: _mm256_movemask_epi8(low).cast_unsigned(),
        gram: any(_mm256_or_si256(long, all(&GRAMS.short, four)), u8::MAX) & seen,
        form: any(all(&FORMS, four), u8::MAX) & seen,
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
