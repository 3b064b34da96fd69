//! What sixty-four bytes of a text are, all told at once: one bit for each byte.
//!
//! Where a processor cannot look up many bytes in one step, the same tables are read byte by byte, with the same answer.

use super::classes::Classes;
use super::gram::{FORMS, GRAMS, LONG_GRAM, OPEN};

/// Bytes that are looked at together.
pub(super) const WIDTH: usize = 64;

/// Those, and the ones that a needle beginning at the last of them reaches into.
pub(super) const WINDOW: usize = WIDTH + LONG_GRAM - 1;

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
    /// Not seen, or the first byte of what may not be, or of what is written otherwise than it is read.
    pub(super) odd: u64,
    /// `:`
    pub(super) colon: u64,
    /// A needle may be known by the four bytes that begin here.
    pub(super) long: u64,
    /// The same of three bytes.
    pub(super) open: u64,
    /// The same of three bytes that no letter stands behind.
    pub(super) short: u64,
    /// A long form may begin here.
    pub(super) form: u64,
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
        colon: 0,
        long: 0,
        open: 0,
        short: 0,
        form: 0,
    };
}

pub(super) const DASH: u8 = 1;
pub(super) const DIGIT: u8 = 2;
/// `A` to `O`, `a` to `o`
const FIRST_LETTERS: u8 = 4;
/// `P` to `Z`, and `_`
const UPPER_LETTERS: u8 = 8;
/// `p` to `z`
const LOWER_LETTERS: u8 = 16;
/// `$`, `+`, `.`, `/`, `:`, `=`, `~`
const SIGNS: u8 = 32 | 64 | 128;

pub(super) const WORD: u8 = DIGIT | LETTER;
pub(super) const LETTER: u8 = FIRST_LETTERS | UPPER_LETTERS | LOWER_LETTERS;
const CHAIN: u8 = WORD | DASH | SIGNS;

pub(super) static CLASSES: Classes = Classes::NONE
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

/// Tells each block of the text.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "the instructions that it may use are those of its caller"
)]
pub(super) fn each(text: &[u8], start: usize, all: &mut [Bits], of: impl Fn(&[u8; WINDOW]) -> Bits) {
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

/// All bits but the highest: what begins a needle is looked up by these alone, and then looked at.
const PLAIN: u8 = 0x7f;

/// One byte after the other.
pub(super) fn plain(window: &[u8; WINDOW]) -> Bits {
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
        let odd = ODD.of(byte);
        let next = four.get(1).map_or(0, |b| ESCAPED.of(*b & PLAIN));
        let percent = odd & PERCENT != 0 && next & AFTER_PERCENT != 0;
        let backslash = odd & BACKSLASH != 0 && next & AFTER_BACKSLASH != 0;
        set(&mut bits.odd, odd & UNSEEN != 0 || percent || backslash);
        let form = FORMS
            .iter()
            .zip(four)
            .fold(u8::MAX, |all, (table, b)| all & table.of(*b & PLAIN));
        set(&mut bits.form, form != 0);
        let classes = |tables: &[Classes]| {
            let classes = tables.iter().zip(four).map(|(table, b)| table.of(*b & PLAIN));
            classes.fold(u8::MAX, |all, class| all & class)
        };
        let short = classes(&GRAMS.short);
        set(&mut bits.colon, byte == b':');
        set(&mut bits.long, GRAMS.long.iter().any(|tables| classes(tables) != 0));
        set(&mut bits.open, short & OPEN != 0);
        set(&mut bits.short, short & !OPEN != 0);
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
                assert_eq!(got.colon, only(byte == b':'), "{byte}");
            }
        }
    }

    fn texts() -> impl Strategy<Value = Vec<u8>> {
        let known = proptest::sample::select(b"keyKEYpasPASwordtoken=:-_$%\\ \"'0123456789".to_vec());
        proptest::collection::vec(prop_oneof![1 => any::<u8>(), 4 => known], 0..300)
    }

    /// What all ways tell alike.
    fn certain(bits: Bits) -> Bits {
        Bits {
            long: 0,
            open: 0,
            short: 0,
            form: 0,
            odd: 0,
            ..bits
        }
    }

    /// What some ways tell of more places than others: each is looked at again.
    fn possible(bits: Bits) -> [u64; 5] {
        [bits.long, bits.open, bits.short, bits.form, bits.odd]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]
        #[test]
        fn wide_and_plain_steps_tell_the_same(text in texts()) {
            for start in (0..=text.len()).step_by(WIDTH) {
                let mut want = [Bits::NONE; 6];
                each(&text, start, &mut want, plain);
                #[cfg(target_arch = "x86_64")]
                for way in wide::WAYS {
                    let mut got = [Bits::NONE; 6];
                    if way(&text, start, &mut got) {
                        prop_assert_eq!(got.map(certain), want.map(certain));
                        for (got, want) in got.map(possible).iter().zip(want.map(possible)) {
                            prop_assert!(want.iter().zip(got).all(|(want, got)| want & !got == 0));
                        }
                    }
                }
            }
        }
    }
}
