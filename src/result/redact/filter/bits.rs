//! What sixty-four bytes of a text are, all told at once: one bit for each byte.
//!
//! Where a processor cannot look up many bytes in one step, the same tables are read byte by byte, with the same answer.

use super::classes::Classes;
use super::gram::{FORMS, GRAMS, LONG_GRAM};

/// Bytes that are looked at together.
pub(super) const WIDTH: usize = 64;

/// Those, and the ones that a needle beginning at the last of them reaches into.
pub(super) const WINDOW: usize = WIDTH + LONG_GRAM - 1;

/// For each byte of a block, the first one lowest, whether it is of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits {
    /// A letter, a digit, `_` or `-`.
    pub(super) inside: u64,
    /// A letter, or `_`.
    pub(super) letter: u64,
    /// `-`
    pub(super) dash: u64,
    /// `\` or `%`
    pub(super) escape: u64,
    /// Not seen, or the first byte of what may not be, or of what is written otherwise than it is read.
    pub(super) odd: u64,
    /// `_`
    pub(super) low: u64,
    /// A needle may be known by the bytes that begin here.
    pub(super) gram: u64,
    /// A form that is no needle may begin here.
    pub(super) form: u64,
}

impl Bits {
    pub(super) const NONE: Self = Self {
        inside: 0,
        letter: 0,
        dash: 0,
        escape: 0,
        odd: 0,
        low: 0,
        gram: 0,
        form: 0,
    };
}

const DIGIT: u8 = 1;
pub(super) const DASH: u8 = 2;
/// `A` to `O`, `a` to `o`
const FIRST_LETTERS: u8 = 4;
/// `P` to `Z`, and `_`
const UPPER_LETTERS: u8 = 8;
/// `p` to `z`
const LOWER_LETTERS: u8 = 16;
const BACKSLASH_SIGN: u8 = 32;
const PERCENT_SIGN: u8 = 64;
/// Bytes below 128 that are not seen, as far as the exact table tells.
pub(super) const CONTROL: u8 = 128;

pub(super) const LETTER: u8 = FIRST_LETTERS | UPPER_LETTERS | LOWER_LETTERS;
pub(super) const INSIDE: u8 = DIGIT | DASH | LETTER;
pub(super) const ESCAPE: u8 = BACKSLASH_SIGN | PERCENT_SIGN;

pub(super) static CLASSES: Classes = Classes::NONE
    .range(DIGIT, b'0', b'9')
    .with(DASH, b'-')
    .range(FIRST_LETTERS, b'A', b'O')
    .range(FIRST_LETTERS, b'a', b'o')
    .range(UPPER_LETTERS, b'P', b'Z')
    .with(UPPER_LETTERS, b'_')
    .range(LOWER_LETTERS, b'p', b'z')
    .with(BACKSLASH_SIGN, b'\\')
    .with(PERCENT_SIGN, b'%')
    .range(CONTROL, 0x00, 0x08)
    .range(CONTROL, 0x0b, 0x0c)
    .range(CONTROL, 0x0e, 0x1f)
    .with(CONTROL, 0x7f);

/// Bytes that are not seen, those that what is not seen begins with, and those that escapes begin with.
pub(super) static ODD: Classes = Classes::NONE
    .range(1, 0x00, 0x08)
    .range(1, 0x0b, 0x0c)
    .range(1, 0x0e, 0x0f)
    .range(2, 0x10, 0x1f)
    .with(4, 0x7f)
    .with(8, 0xc2)
    .range(16, 0xe1, 0xe2)
    .with(16, 0xef)
    .with(PERCENT, b'%')
    .with(BACKSLASH, b'\\');

/// The classes of the first bytes of escapes.
pub(super) const PERCENT: u8 = 32;
pub(super) const BACKSLASH: u8 = 64;
/// The classes of all other odd bytes.
pub(super) const UNSEEN: u8 = 1 | 2 | 4 | 8 | 16;

/// What stands behind the first byte of an escape.
pub(super) static ESCAPED: Classes = Classes::NONE
    .range(1, b'0', b'9')
    .range(32, b'A', b'F')
    .range(32, b'a', b'f')
    .with(2, b'\n')
    .with(2, b'\r')
    .with(4, b'u')
    .with(4, b'x')
    .with(8, b'0')
    .with(16, b'e');

/// The classes of `ESCAPED` that a `%` asks for, and those that a `\` does.
pub(super) const AFTER_PERCENT: u8 = 1 | 32;
pub(super) const AFTER_BACKSLASH: u8 = 2 | 4 | 8 | 16;

/// The block of a text that begins at `start`, and the bytes behind it. Behind the end of the text there are blanks, which
/// nothing begins with.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "the instructions that it may use are those of its caller"
)]
pub(super) fn block(text: &[u8], start: usize, of: impl Fn(&[u8; WINDOW]) -> Bits) -> Bits {
    let rest = text.get(start..).unwrap_or_default();
    if let Some(window) = rest.first_chunk() {
        return of(window);
    }
    if rest.is_empty() {
        return Bits::NONE;
    }
    let mut window = [b' '; WINDOW];
    for (slot, byte) in window.iter_mut().zip(rest) {
        *slot = *byte;
    }
    of(&window)
}

/// All bits but the highest: what begins a needle is looked up by these alone, and then looked at.
const PLAIN: u8 = 0x7f;

/// One byte after the other.
pub(super) fn plain(window: &[u8; WINDOW]) -> Bits {
    let mut bits = Bits::NONE;
    for (i, four) in window.windows(LONG_GRAM).enumerate() {
        let byte = four.first().copied().unwrap_or(0);
        let class = if byte < 0x80 { CLASSES.of(byte) } else { 0 };
        let set = |slot: &mut u64, holds: bool| *slot |= u64::from(holds) << i;
        set(&mut bits.inside, class & INSIDE != 0);
        set(&mut bits.letter, class & LETTER != 0);
        set(&mut bits.dash, class & DASH != 0);
        set(&mut bits.escape, class & ESCAPE != 0);
        let odd = ODD.of(byte);
        let next = four.get(1).map_or(0, |b| ESCAPED.of(*b & PLAIN));
        let percent = odd & PERCENT != 0 && next & AFTER_PERCENT != 0;
        let backslash = odd & BACKSLASH != 0 && next & AFTER_BACKSLASH != 0;
        set(&mut bits.odd, odd & UNSEEN != 0 || percent || backslash);
        let holds = |tables: &[Classes; LONG_GRAM]| {
            let classes = tables.iter().zip(four).map(|(table, b)| table.of(*b & PLAIN));
            classes.fold(u8::MAX, |all, class| all & class) != 0
        };
        set(&mut bits.low, byte == b'_');
        let gram = GRAMS.long.iter().any(holds) || holds(&GRAMS.short);
        set(&mut bits.gram, gram && byte < 0x80);
        set(&mut bits.form, holds(&FORMS) && byte < 0x80);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::super::super::bytes::is_word;
    #[cfg(target_arch = "x86_64")]
    use super::super::wide;
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
                assert_eq!(got.inside, only(is_word(byte) || byte == b'-'), "{byte}");
                assert_eq!(got.letter, only(letter), "{byte}");
                assert_eq!(got.dash, only(byte == b'-'), "{byte}");
                assert_eq!(got.low, only(byte == b'_'), "{byte}");
                assert_eq!(got.escape, only(matches!(byte, b'\\' | b'%')), "{byte}");
                let control = byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r') || byte == 0x7f;
                let lead = matches!(byte, 0xc2 | 0xe1 | 0xe2 | 0xef);
                assert_eq!(got.odd, only(control || lead), "{byte}");
                let escaped = |sign: u8| {
                    let mut window = with(place, sign);
                    window[place + 1] = byte;
                    plain(&window).odd >> place & 1 == 1
                };
                // What stands behind is told by seven bits.
                let behind = byte & PLAIN;
                assert_eq!(escaped(b'%'), behind.is_ascii_hexdigit(), "{byte}");
                assert_eq!(escaped(b'\\'), b"\n\rux0e".contains(&behind), "{byte}");
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
                let want = block(&text, start, plain);
                #[cfg(target_arch = "x86_64")]
                for way in wide::BLOCKS {
                    if let Some(got) = way(&text, start) {
                        // What some ways tell of more places than others is looked at again.
                        let certain = |bits: Bits| Bits { gram: 0, form: 0, odd: 0, ..bits };
                        prop_assert_eq!(certain(got), certain(want));
                        prop_assert_eq!(want.gram & !got.gram, 0);
                        prop_assert_eq!(want.form & !got.form, 0);
                        prop_assert_eq!(want.odd & !got.odd, 0);
                    }
                }
            }
        }
    }
}
