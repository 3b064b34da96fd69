//! Secrets that are known by their own form, whatever stands before them.
//!
//! One row per kind. Each row carries texts that it hides and look-alikes that it must leave alone; a test runs them all.
//! The texts are templates, so that no row holds anything that could be a credential: `{24}` stands for so many characters
//! of the row's own alphabet.

mod code;
mod model;
mod odd;
mod operations;
mod service;

pub(super) use odd::{odd_at, web_token_at};

use super::bytes::{at, cut, is_word, take};

/// Which bytes the part after the prefix may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `-`.
    AlnumDash,
    /// Letters, digits, `_`.
    AlnumLow,
    /// Letters, digits, `-`, `_`.
    Token,
    /// Letters, digits, `-`, `_`, `.`.
    Dotted,
    /// Upper-case letters and digits.
    Upper,
    /// Lower-case letters and digits.
    Lower,
    /// Hexadecimal digits, `-`.
    Hex,
    /// Base64.
    Base64,
    /// Lower-case letters, digits, `$`.
    Dollar,
}

impl Body {
    fn has(self, b: u8) -> bool {
        match self {
            Self::Alnum => b.is_ascii_alphanumeric(),
            Self::AlnumDash => b.is_ascii_alphanumeric() || b == b'-',
            Self::AlnumLow => is_word(b),
            Self::Token => is_word(b) || b == b'-',
            Self::Dotted => is_word(b) || b == b'-' || b == b'.',
            Self::Upper => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Self::Lower => b.is_ascii_lowercase() || b.is_ascii_digit(),
            Self::Hex => b.is_ascii_hexdigit() || b == b'-',
            Self::Dollar => b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'$',
            Self::Base64 => b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='),
        }
    }
}

/// What the part after the prefix must have besides its length, where plain words of the same form are in use.
#[derive(Debug, Clone, Copy)]
pub(super) enum Proof {
    /// Nothing more.
    None,
    /// A digit or an upper-case letter.
    Mixed,
    /// One piece between dashes of at least eight bytes with a digit or an upper-case letter.
    MixedPiece,
    /// A piece of eight bytes with two digits or more, and letters too.
    Random,
    /// Not a CSS class of the same prefix.
    NotCss,
    /// Not a model name such as `7b-online`.
    NotModel,
}

/// The longest body whose look is examined, in bytes.
const MAX_PROOF: usize = 512;

/// One form of secret.
pub(super) struct Form {
    /// What a mask calls it.
    kind: &'static str,
    prefix: &'static str,
    body: Body,
    min: usize,
    proof: Proof,
    /// Texts in which the form is found.
    #[cfg(test)]
    hides: &'static [&'static str],
    /// Texts in which it is not.
    #[cfg(test)]
    keeps: &'static [&'static str],
}

/// Rows, and where those that begin with a byte are, so that a word is compared with few of them.
pub(super) struct Table {
    rows: &'static [Form],
    /// The first row of each first byte, plus one.
    head: [u8; 128],
    /// The next row of the same first byte, plus one.
    next: [u8; 128],
}

impl Table {
    pub(super) const fn new(rows: &'static [Form]) -> Self {
        let mut head = [0; 128];
        let mut next = [0; 128];
        let mut number = rows.len();
        let mut rest = rows;
        while let Some((last, before)) = rest.split_last() {
            if let Some((first, _)) = last.prefix.as_bytes().split_first()
                && let Some((_, slots)) = head.split_at_mut_checked(*first as usize)
                && let Some((slot, _)) = slots.split_first_mut()
                && let Some((_, links)) = next.split_at_mut_checked(number)
                && let Some((link, _)) = links.split_first_mut()
            {
                *link = *slot;
                // A table has fewer rows than there are links; a test counts them.
                #[expect(clippy::cast_possible_truncation, reason = "at most 127 rows")]
                {
                    *slot = number as u8;
                }
            }
            number -= 1;
            rest = before;
        }
        Self { rows, head, next }
    }

    /// All rows.
    pub(super) const fn rows(&self) -> &'static [Form] {
        self.rows
    }

    /// The rows whose prefix begins with `first`.
    fn beginning(&self, first: u8) -> impl Iterator<Item = &'static Form> {
        let link = move |number: u8| {
            let row = usize::from(number).checked_sub(1)?;
            Some((self.rows.get(row)?, self.next.get(row + 1).copied().unwrap_or(0)))
        };
        let mut number = self.head.get(usize::from(first)).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let (row, next) = link(number)?;
            number = next;
            Some(row)
        })
    }
}

/// Writes a table: kind, prefix, alphabet, least length, proof, examples, look-alikes.
macro_rules! forms {
    ($($kind:literal $prefix:literal $body:ident $min:literal $proof:ident hides $hides:expr, keeps $keeps:expr;)+) => {
        pub(super) static TABLE: super::Table = super::Table::new(&[$(super::Form {
            kind: $kind,
            prefix: $prefix,
            body: super::Body::$body,
            min: $min,
            proof: super::Proof::$proof,
            #[cfg(test)]
            hides: &$hides,
            #[cfg(test)]
            keeps: &$keeps,
        }),+]);
    };
}
pub(super) use forms;

pub(super) static TABLES: [&Table; 4] = [&code::TABLE, &model::TABLE, &operations::TABLE, &service::TABLE];

/// A secret that begins here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// First byte after it.
    pub(super) end: usize,
    /// What it is.
    pub(super) kind: &'static str,
    /// Whether it is told from every other text by its form: long, and made by a machine.
    pub(super) strong: bool,
}

/// The secret that begins with the word at `start`, if one does.
pub(super) fn form_at(line: &[u8], start: usize) -> Option<Found> {
    let first = at(line, start);
    TABLES
        .iter()
        .flat_map(|table| table.beginning(first))
        .filter_map(|form| form.found(line, start).map(|found| (form.prefix.len(), found)))
        .max_by_key(|(length, _)| *length)
        .map(|(_, found)| found)
}

impl Form {
    /// How it begins.
    pub(super) const fn prefix(&self) -> &'static str {
        self.prefix
    }

    /// The length of the shortest text of this form, in bytes.
    pub(super) const fn shortest(&self) -> usize {
        self.prefix.len() + self.min
    }

    fn found(&self, line: &[u8], start: usize) -> Option<Found> {
        let prefix = self.prefix.as_bytes();
        if !line.get(start..)?.starts_with(prefix) {
            return None;
        }
        let from = start + prefix.len();
        let mut end = take(line, from, |b| self.body.has(b));
        if at(line, end).is_ascii_alphanumeric() || (at(line, end) == b'_' && end - from < self.min.max(16)) {
            return None; // the run goes on as another kind of word
        }
        while end > from && !is_word(at(line, end - 1)) && at(line, end - 1) != b'=' {
            end -= 1;
        }
        let body = cut(line, from, end);
        // A run this long is no name; not looking into it keeps the walk linear.
        let long = body.len() > MAX_PROOF;
        (body.len() >= self.min && (long || self.proof.holds(body))).then(|| Found {
            end,
            kind: self.kind,
            strong: end - start >= 20 && (long || is_strong(body)),
        })
    }
}

/// No example out of a manual, and no words.
fn is_strong(body: &[u8]) -> bool {
    let digits = body.iter().filter(|b| b.is_ascii_digit()).count();
    let plain = body.to_ascii_lowercase();
    let manual = [
        b"example".as_slice(),
        b"xxxx",
        b"0000",
        b"1234",
        b"abcd",
        b"test",
        b"fake",
        b"dummy",
    ]
    .iter()
    .any(|word| super::bytes::find(&plain, 0, word).is_some());
    digits >= 2 && !manual
}

impl Proof {
    fn holds(self, body: &[u8]) -> bool {
        let mixed = |p: &[u8]| p.iter().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
        match self {
            Self::None => true,
            Self::Mixed => mixed(body),
            Self::MixedPiece => body.split(|b| *b == b'-').any(|p| p.len() >= 8 && mixed(p)),
            Self::Random => body.split(|b| matches!(b, b'-' | b'_' | b'.')).any(|p| {
                p.len() >= 8
                    && p.iter().filter(|b| b.is_ascii_digit()).count() >= 2
                    && p.iter().any(u8::is_ascii_alphabetic)
            }),
            Self::NotCss => !css(body),
            Self::NotModel => {
                let first = body.split(|b| *b == b'-').next().unwrap_or_default();
                !(first.len() <= 5 && first.last().is_some_and(|b| b.eq_ignore_ascii_case(&b'b')))
            }
        }
    }
}

/// Words of class names that begin with `sk-` in the style sheets of spinners and of notebooks.
const CSS_WORDS: &[&str] = &[
    "container",
    "estimator",
    "parallel",
    "serial",
    "toggleable",
    "label",
    "dashed",
    "item",
    "text",
    "hidden",
    "bottom",
    "top",
    "rounded",
    "global",
    "fading",
    "folding",
    "chasing",
    "cube",
    "circle",
    "three",
    "double",
    "wandering",
    "rotating",
    "wave",
    "bounce",
    "spinner",
    "grid",
    "swing",
    "pulse",
    "flow",
    "learn",
    "child",
];

/// Whether every piece is a lower-case word or a short number, and one is known from style sheets.
fn css(body: &[u8]) -> bool {
    let mut known = false;
    for piece in body.split(|b| *b == b'-' || *b == b'_').filter(|p| !p.is_empty()) {
        let number = piece.len() <= 3 && piece.iter().all(u8::is_ascii_digit);
        let word = piece.iter().all(u8::is_ascii_lowercase);
        if !number && !word {
            return false;
        }
        known |= CSS_WORDS.iter().any(|word| word.as_bytes() == piece);
    }
    known
}

#[cfg(test)]
pub(super) mod template {
    //! Texts with `{n}` in the place of made-up characters.

    const ALPHABETS: &[(char, &str)] = &[
        ('A', "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0rLxUoI"),
        ('H', "3f9a0c7e5b1d8246"),
        ('U', "A3C9E7G1J5L2N8Q4S6V0XBDFHKMPRTWYZ"),
        ('L', "a3c9e7g1j5l2n8q4s6v0xbdfhkmprtwyz"),
        ('D', "7391640825"),
        ('T', "aB3-dE6g_H9jK2mN5pQ8sT1vW4yZ7cF0rLxUoI"),
        ('B', "aB3+dE6g/H9jK2mN5pQ8sT1vW4yZ7cF0rLxUoI"),
    ];

    /// The text; `{n}` becomes `n` characters of `own`, `{Xn}` of the alphabet X. `n` counts up through the alphabet, so
    /// that the same template always gives the same text.
    pub(in super::super) fn expand(template: &str, own: char) -> String {
        expand_as(template, own, 0)
    }

    /// The same, with other characters for every seed.
    pub(in super::super) fn expand_as(template: &str, own: char, seed: usize) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            let (before, tail) = rest.split_at(open);
            out.push_str(before);
            let close = tail.find('}').unwrap_or(1).min(tail.len());
            let inside = tail.get(1..close).unwrap_or_default();
            let letter = inside.chars().next().filter(|c| ALPHABETS.iter().any(|(a, _)| a == c));
            let digits = inside.get(usize::from(letter.is_some())..).unwrap_or_default();
            let Ok(count) = digits.parse::<usize>() else {
                out.push('{');
                rest = &tail[1..];
                continue;
            };
            let letter = letter.unwrap_or(own);
            let alphabet = ALPHABETS.iter().find(|(a, _)| *a == letter).unwrap().1.as_bytes();
            let mut state = out.len() * 7 + count + seed * 131;
            for i in 0..count {
                state = (state * 31 + i * 17 + 7) % 65_521;
                let made = alphabet[state % alphabet.len()] as char;
                let ends = i + 1 == count && !made.is_ascii_alphanumeric();
                out.push(if ends { 'Z' } else { made });
            }
            rest = &tail[close + 1..];
        }
        out.push_str(rest);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::template::expand;
    use super::*;

    fn letter(body: Body) -> char {
        match body {
            Body::Alnum | Body::AlnumLow | Body::AlnumDash | Body::Base64 => 'A',
            Body::Token | Body::Dotted => 'T',
            Body::Upper => 'U',
            Body::Lower | Body::Dollar => 'L',
            Body::Hex => 'H',
        }
    }

    fn rows() -> impl Iterator<Item = &'static Form> {
        TABLES.iter().flat_map(|table| table.rows)
    }

    fn found(line: &[u8]) -> Option<usize> {
        (0..line.len()).find(|i| is_word(line[*i]) && (*i == 0 || !is_word(line[i - 1])) && form_at(line, *i).is_some())
    }

    #[test]
    fn every_row_hides_its_examples_and_keeps_its_look_alikes() {
        let mut wrong = Vec::new();
        for form in rows() {
            assert!(!form.hides.is_empty() && !form.keeps.is_empty(), "{}", form.prefix);
            for template in form.hides {
                let text = expand(template, letter(form.body));
                let hit = form_at(text.as_bytes(), 0).map(|f| (f.end, f.kind));
                if hit != Some((text.len(), form.kind)) {
                    wrong.push(format!("{} hides {text}: {hit:?}", form.prefix));
                }
            }
            let keeps = form.keeps.iter().filter(|text| found(text.as_bytes()).is_some());
            wrong.extend(keeps.map(|text| format!("{} keeps {text}", form.prefix)));
        }
        assert_eq!(wrong, Vec::<String>::new());
    }

    #[test]
    fn forms_are_made_of_what_the_filter_takes_for_a_run() {
        let chain = |b: u8| is_word(b) || b"$+./:=~-".contains(&b);
        for form in rows() {
            assert!(is_word(form.prefix.as_bytes()[0]), "{}", form.prefix);
            assert!(form.prefix.bytes().all(chain), "{}", form.prefix);
            assert!((0..=u8::MAX).all(|b| !form.body.has(b) || chain(b)), "{}", form.prefix);
        }
    }

    #[test]
    fn rows_are_many_unique_and_reachable() {
        for table in TABLES {
            assert!(table.rows.len() < 128);
            for form in table.rows {
                let first = form.prefix.as_bytes()[0];
                assert!(
                    table.beginning(first).any(|f| f.prefix == form.prefix),
                    "{}",
                    form.prefix
                );
            }
        }
        let mut prefixes: Vec<_> = rows().map(|f| f.prefix).collect();
        prefixes.sort_unstable();
        assert!(prefixes.windows(2).all(|w| w[0] != w[1]), "{prefixes:?}");
        let mut kinds: Vec<_> = rows().map(|f| f.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert!(kinds.len() >= 150, "{} kinds", kinds.len());
        for kind in kinds {
            assert!(
                kind.bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{kind}"
            );
        }
    }
}
