//! What a rule cannot do without, as short texts, and a table that tells where one of them may begin.
//!
//! The table is made when the program is compiled and holds no address, so that the first text costs no more than any
//! other.

use super::super::{argument, form};

/// What a needle asks for besides itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// Nothing.
    Mark,
    /// Nothing; it tells of a form.
    Shape,
    /// A secret of a known form begins here.
    Form,
    /// A name must end here or a little later, and a value follow.
    Name,
    /// What a variable is set with; a name that claims a secret has to follow.
    Setter,
    /// A word that a line of a known file begins with.
    Lead,
    /// The name of a scheme; a name and a password in base64 have to follow.
    Basic,
    /// A quote has to follow.
    Quoted,
    /// An address that posts.
    Hook,
    /// An address with a name and a password before its host.
    Address,
    /// The number of a port, and fields after it.
    Port,
    /// A word that a program's last argument comes after; the program stands before it.
    Last,
    /// A program's name as a word of its own.
    Sole,
    /// The same. Only looked for where there is an option.
    Program,
}

/// Names that claim a secret; a value has to follow.
const NAMES: &[&str] = &[
    "pass", "ecret", "oken", "cred", "salt", "epper", "ookie", "session", "oriz", "auth", "bearer", "key", "pwd",
    "psk", "jwt", "_pw", "dsn", "pat", "pin", "otp",
];

/// What makes a line worth a look by itself.
const MARKS: &[&str] = &[
    "ture=",
    "sig=",
    "$1$",
    "$2a$",
    "$2b$",
    "$2y$",
    "$5$",
    "$6$",
    "$7$",
    "$y$",
    "$gy$",
    "$P$",
    "$S$",
    "$sha1$",
    "$apr1$",
    "$argon2",
    "$pbkdf2",
    "$scrypt$",
    "{SHA",
    "{SSHA",
    "{CRYPT}",
    "{PBKDF2}",
    "Private-Lines",
    "_string=",
    ":*:",
    "%3a%2f%2f",
    "apiVersion: v1",
];

/// Words that lines of known files begin with.
const LEADS: &[&str] = &[
    "login ",
    "login\t",
    "machine ",
    "machine\t",
    "requirepass ",
    "bindpw ",
    "rootpw ",
    "Unseal Key ",
    "Recovery Key ",
    "pw=",
    "pw:",
    "pw ",
    "pw\t",
];

/// What a variable is set with, where its name and its value are words of their own.
const SETTERS: &[&str] = &["setx ", "setenv", "set -"];

/// Parts of forms that begin with no prefix.
const SHAPES: &[&str] = &[
    "eyJ",
    ".atlasv1.",
    "0Q~",
    "1Q~",
    "2Q~",
    "3Q~",
    "4Q~",
    "5Q~",
    "6Q~",
    "7Q~",
    "8Q~",
    "9Q~",
];

/// How addresses that post begin.
const HOOKS: &[&str] = &["hooks", "hookb2"];

/// What may follow the name of a program.
const AFTER_PROGRAM: &[u8] = b" \t\n\"'`,;)]";

/// Forms of so many bytes or more may be known by how a word begins; the shorter ones are needles.
const LONG_FORM: usize = 18;

/// Whether a form is looked for as a needle: a short one, and one whose first bytes begin many words.
pub(super) const fn is_needle(row: &form::Form) -> bool {
    row.shortest() < LONG_FORM
        || matches!(row.prefix().as_bytes(), [b'a'..=b'z', b, c, d, ..] if !is_sign(*b) && !is_sign(*c) && !is_sign(*d))
}

/// What stands between the parts of a prefix.
pub(super) const fn is_sign(byte: u8) -> bool {
    matches!(byte, b'-' | b'_' | b'.')
}

/// The longest text of a needle that is compared, in bytes.
const MAX: usize = 8;
/// Bytes of a needle that the table knows it by.
pub(super) const GRAM: usize = 3;

/// A text that is looked for, without regard to case: its first bytes, as far as it is compared.
#[derive(Clone, Copy)]
pub(super) struct Needle {
    /// The bytes in lower case, the first one lowest.
    text: u64,
    /// All bits of those bytes.
    mask: u64,
    /// What it asks for besides.
    pub(super) check: Check,
    /// Where in it the bytes are that the table knows it by.
    pub(super) offset: u8,
    /// The next needle of the same slot, plus one.
    next: u16,
}

/// Sets the case of letters aside, and the lowest difference between some signs.
const FOLD: u64 = 0x2020_2020_2020_2020;

impl Needle {
    const NONE: Self = Self {
        text: 0,
        mask: 0,
        check: Check::Mark,
        offset: 0,
        next: 0,
    };

    /// A text, and one byte more where that is given.
    const fn new(text: &[u8], more: Option<u8>, check: Check) -> Self {
        let mut bytes = [0; MAX];
        let mut mask = [0; MAX];
        let (mut room, mut marks): (&mut [u8], &mut [u8]) = (&mut bytes, &mut mask);
        let (mut rest, mut more) = (text, more);
        while let Some((slot, left)) = room.split_first_mut()
            && let Some((mark, others)) = marks.split_first_mut()
        {
            match (rest.split_first(), more) {
                (Some((byte, after)), _) => {
                    *slot = *byte;
                    rest = after;
                }
                (None, Some(byte)) => {
                    *slot = byte;
                    more = None;
                }
                (None, None) => break,
            }
            *mark = u8::MAX;
            (room, marks) = (left, others);
        }
        let mask = u64::from_le_bytes(mask);
        let text = (u64::from_le_bytes(bytes) | FOLD) & mask;
        let mut needle = Self {
            text,
            mask,
            check,
            ..Self::NONE
        };
        // Programs are looked for from where they begin.
        if !matches!(check, Check::Program | Check::Sole) {
            needle.offset = needle.rarest();
        }
        needle
    }

    /// Where its rarest bytes are: four, as far as it has so many.
    const fn rarest(&self) -> u8 {
        let mut best = (0, 0);
        let mut offset = 0;
        while self.mask >> (8 * (offset + 2)) != 0 {
            let bytes = self.text >> (8 * offset);
            let score = rare(bytes) + rare(bytes >> 8) + rare(bytes >> 16);
            let score = if !self.is_long_from(offset) {
                score
            } else if is_common(bytes) {
                100
            } else {
                100 + score + rare(bytes >> 24)
            };
            if score > best.0 {
                best = (score, offset);
            }
            offset += 1;
            if offset + 2 >= 8 {
                break;
            }
        }
        best.1
    }

    /// Whether four bytes of it are known from a place on.
    pub(super) const fn is_long_from(&self, offset: u8) -> bool {
        offset + 3 < 8 && self.mask >> (8 * (offset + 3)) != 0
    }

    /// The bytes that the table knows it by.
    pub(super) const fn gram(&self) -> u64 {
        self.text >> (8 * self.offset)
    }

    /// Its length in bytes, as far as it is compared.
    pub(super) fn len(&self) -> usize {
        (self.mask.count_ones() / u8::BITS) as usize
    }

    /// Whether a text of which these are the first bytes begins with it.
    pub(super) fn begins(&self, text: u64) -> bool {
        (text | FOLD) & self.mask == self.text
    }
}

/// Whether the four lowest bytes begin or end many words, though they are rare by themselves.
#[expect(clippy::cast_possible_truncation, reason = "the lowest bytes are meant")]
const fn is_common(bytes: u64) -> bool {
    /// `_`, with the case of letters set aside.
    const LOW: u8 = b'_' | 0x20;
    let [a, b, c, d] = (bytes as u32).to_le_bytes();
    matches!(
        &[a, b, c, if d == LOW { b'_' } else { d }],
        b"requ"
            | b"equi"
            | b"quir"
            | b"uire"
            | b"very"
            | b"cces"
            | b"path"
            | b"est_"
            | b"ess_"
            | b"key_"
            | b"acce"
            | b"ckag"
            | b"key="
            | b"ing_"
            | b"api_"
            | b"d by"
    )
}

/// How rare the lowest byte is in prose and in programs.
#[expect(clippy::cast_possible_truncation, reason = "the lowest byte is meant")]
const fn rare(bytes: u64) -> u32 {
    match bytes as u8 {
        b'a' | b'e' | b'i' | b'n' | b'o' | b'r' | b's' | b't' | b' ' => 1,
        b'c' | b'd' | b'l' | b'm' | b'p' | b'u' | b'f' => 2,
        b'b' | b'g' | b'h' | b'v' | b'w' | b'y' | b'-' | b'"' | b':' => 3,
        b'k' | b'x' | 0x7f | b'/' | b'.' | b'=' => 4,
        _ => 5,
    }
}

/// Places to write needles to, and how many were given.
struct Writer<'a> {
    room: &'a mut [Needle],
    count: usize,
}

impl Writer<'_> {
    #[expect(clippy::mem_replace_with_default, reason = "`take` cannot be called in a constant")]
    const fn push(&mut self, needle: Needle) {
        if let Some((slot, left)) = std::mem::replace(&mut self.room, &mut []).split_first_mut() {
            *slot = needle;
            self.room = left;
        }
        self.count += 1;
    }

    const fn texts(&mut self, texts: &[&str], check: Check) {
        let mut rest = texts;
        while let Some((text, after)) = rest.split_first() {
            self.push(Needle::new(text.as_bytes(), None, check));
            rest = after;
        }
    }

    /// The forms that are needles.
    const fn forms(&mut self) {
        let mut tables: &[&form::Table] = &form::TABLES;
        while let Some((table, more)) = tables.split_first() {
            let mut rows = table.rows();
            while let Some((row, after)) = rows.split_first() {
                if is_needle(row) {
                    self.push(Needle::new(row.prefix().as_bytes(), None, Check::Form));
                }
                rows = after;
            }
            tables = more;
        }
    }

    const fn programs(&mut self, rows: &[argument::Row]) {
        let mut rows = rows;
        while let Some((row, more)) = rows.split_first() {
            let mut programs = row.programs;
            while let Some((program, after)) = programs.split_first() {
                // A name of two letters is known by what follows it too.
                let mut follows = AFTER_PROGRAM;
                while let Some((byte, others)) = follows.split_first() {
                    if program.len() >= GRAM {
                        self.push(Needle::new(program.as_bytes(), None, Check::Program));
                        break;
                    }
                    self.push(Needle::new(program.as_bytes(), Some(*byte), Check::Program));
                    follows = others;
                }
                programs = after;
            }
            rows = more;
        }
    }

    /// `:10` to `:99`.
    const fn ports(&mut self) {
        let mut number = 10;
        while number < 100 {
            let digits = [b':', b'0' + number / 10, b'0' + number % 10];
            self.push(Needle::new(&digits, None, Check::Port));
            number += 1;
        }
    }

    const fn all(&mut self) {
        self.texts(NAMES, Check::Name);
        self.texts(MARKS, Check::Mark);
        self.texts(LEADS, Check::Lead);
        self.texts(SETTERS, Check::Setter);
        self.texts(SHAPES, Check::Shape);
        self.forms();
        self.texts(HOOKS, Check::Hook);
        self.texts(&["basic "], Check::Basic);
        self.texts(&["ified by", "ified with"], Check::Quoted);
        self.texts(&["://", ":\\/\\/"], Check::Address);
        self.programs(argument::ROWS);
        let mut last = argument::LAST;
        while let Some(((program, _, needs), after)) = last.split_first() {
            // The word that the row asks for is the rarer one, where it is a word.
            if needs.len() > GRAM {
                self.push(Needle::new(needs.as_bytes(), None, Check::Last));
            } else {
                self.push(Needle::new(program.as_bytes(), None, Check::Sole));
            }
            last = after;
        }
        self.ports();
    }
}

const COUNT: usize = {
    let mut writer = Writer {
        room: &mut [],
        count: 0,
    };
    writer.all();
    writer.count
};

/// Slots of the table.
const SLOTS: usize = 1 << BITS;
const BITS: u32 = 14;

/// The slot of the first bytes of a text, given as a number whose lowest byte comes first. The letters' case is set aside.
#[expect(clippy::cast_possible_truncation, reason = "three bytes are kept, and then 14 bits")]
const fn hash(gram: u64) -> usize {
    let folded = (gram as u32 | 0x20_2020) & 0xff_ffff;
    (folded.wrapping_mul(0x9e37_79b1) >> (u32::BITS - BITS)) as usize
}

/// All needles, and the first of each slot.
pub(super) struct Table {
    pub(super) needles: [Needle; COUNT],
    /// The number of the first needle of each slot, plus one.
    head: [u16; SLOTS],
}

/// Made when the program is compiled.
pub(super) static TABLE: Table = Table::new();

impl Table {
    #[expect(clippy::large_stack_arrays, reason = "the compiler alone makes it")]
    const fn new() -> Self {
        let mut needles = [Needle::NONE; COUNT];
        let mut writer = Writer {
            room: &mut needles,
            count: 0,
        };
        writer.all();
        let mut head = [0; SLOTS];
        let mut number: u16 = 0;
        let mut rest: &mut [Needle] = &mut needles;
        while let Some((needle, after)) = rest.split_first_mut() {
            number += 1;
            if let Some((_, slots)) = head.split_at_mut_checked(hash(needle.gram()))
                && let Some((slot, _)) = slots.split_first_mut()
            {
                needle.next = *slot;
                *slot = number;
            }
            rest = after;
        }
        Self { needles, head }
    }

    /// Not 0 where a needle may begin with the bytes of the gram.
    pub(super) fn at(&self, gram: u64) -> u16 {
        self.head.get(hash(gram)).copied().unwrap_or(0)
    }

    /// The first needle of a slot, and the number of the next one.
    pub(super) fn needle(&'static self, number: u16) -> Option<(&'static Needle, u16)> {
        let needle = self.needles.get(usize::from(number).checked_sub(1)?)?;
        Some((needle, needle.next))
    }
}
