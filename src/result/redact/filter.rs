//! Finds the few lines of a long text that may hold a secret, at the speed at which memory is read.
//!
//! The rules ask for a name, a prefix, a mark or a long run of characters without a blank. Here those alone are looked
//! for, many at once; only the lines that have one are given to the rules. A line that is left out is one in which the
//! rules would find nothing: a test compares both ways.

use super::bytes::{at, before, cut, is_blank, is_quote, is_word, take};
use super::form;
use super::name::may_claim;
use super::view;
use aho_corasick::packed::{Config, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use std::sync::OnceLock;

/// A run of letters, digits, `_` and `-` of this length may be a secret that no needle tells.
pub(super) const LONG: usize = 20;
/// Samples at this distance hit such a run twice.
const STEP: usize = LONG / 2;

/// How many needles are looked for at once: few are found faster.
const SHORT_SET: usize = 32;
const LONG_SET: usize = 32;

/// Names that claim a secret, as they are written; a value has to follow.
const NAMES: &[&str] = &[
    "pass", "Pass", "PASS", "ecret", "ECRET", "oken", "OKEN", "cred", "Cred", "CRED", "salt", "Salt", "SALT", "epper",
    "EPPER", "ookie", "OOKIE", "ESSION", "oriz", "ORIZ", "_auth", "_AUTH", "bearer", "Bearer", "BEARER",
];
/// The same, shorter.
const SHORT_NAMES: &[&str] = &[
    "key", "Key", "KEY", "pwd", "Pwd", "PWD", "psk", "PSK", "jwt", "JWT", "_pw", "DSN", "dsn",
];
/// What makes a line worth a look by itself.
const MARKS: &[&str] = &[
    "\"auth\"",
    "ture=",
    "basic ",
    "Basic ",
    "BASIC ",
    "login ",
    "machine ",
    "auth=",
    "AUTH ",
    "--user",
    "--proxy-u",
    "--auth",
    "add_user",
    "xtraheader",
    "xtraHeader",
    "$2a$",
    "$2b$",
    "$2y$",
    "$sha1$",
    "$apr1$",
    "$argon2",
    "$pbkdf2",
    "$scrypt$",
    "{SHA",
    "{SSHA",
    "{CRYPT}",
    "{PBKDF2}",
    "ified by",
    "IFIED BY",
    "hooks",
    "hookb2",
    "_PAT=",
    "_PAT:",
    "_PAT\"",
    "_pat=",
    "_pat:",
    "_pat\"",
    "PIN=",
    "OTP=",
    "_PIN",
    "_OTP",
    "Private-Lines",
    "requirepass ",
    "masterauth ",
    "bindpw ",
    "rootpw ",
    "Unseal Key ",
    "Recovery Key ",
    "setx ",
    "setenv",
    "set -",
    "_string=",
];
/// Options whose value may be a secret, in a command line and in a list of arguments, and other short marks.
const SHORT_MARKS: &[&str] = &[
    " -p", " -u", " -U", " -a", " -A", " -w", " -P", " -b", " -k", " -h", " /p", "\"-p", "\"-u", "\"-U", "\"-a",
    "\"-w", "\"-P", "'-p", "'-u", "'-a", "'-w", "'-P", "$1$", "$5$", "$6$", "$7$", "$y$", "$gy$", "$P$", "$S$", ":*:",
    ":543", ":6432:", "sig=",
];

/// What a needle asks for besides itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    /// Nothing.
    Nothing,
    /// A name must end here or a little later, and a value follow.
    Name,
    /// An address with a name and a password before its host.
    Address,
}

/// Needles that are looked for at once.
struct Set {
    search: Search,
    checks: Vec<Check>,
}

enum Search {
    /// By the processor's wide registers.
    Packed(Box<Searcher>),
    /// On processors without them.
    Automaton(Box<AhoCorasick>),
}

impl Set {
    fn new(needles: &[(&'static str, Check)]) -> Option<Self> {
        let texts = || needles.iter().map(|n| n.0);
        let packed = Config::new()
            .match_kind(MatchKind::LeftmostFirst)
            .builder()
            .extend(texts())
            .build();
        let search = match packed {
            Some(searcher) => Search::Packed(Box::new(searcher)),
            None => Search::Automaton(Box::new(
                AhoCorasick::builder()
                    .match_kind(aho_corasick::MatchKind::LeftmostFirst)
                    .kind(Some(AhoCorasickKind::DFA))
                    .build(texts())
                    .ok()?,
            )),
        };
        Some(Self {
            search,
            checks: needles.iter().map(|n| n.1).collect(),
        })
    }

    /// The first needle at or after `from` that has what it asks for.
    fn next(&self, text: &[u8], from: usize) -> Option<usize> {
        let mut from = from;
        while from < text.len() {
            let (start, end, number) = match &self.search {
                Search::Packed(searcher) => {
                    let found = searcher.find_in(
                        text,
                        aho_corasick::Span {
                            start: from,
                            end: text.len(),
                        },
                    )?;
                    (found.start(), found.end(), found.pattern().as_usize())
                }
                Search::Automaton(automaton) => {
                    let found = automaton.find(aho_corasick::Input::new(text).span(from..text.len()))?;
                    (found.start(), found.end(), found.pattern().as_usize())
                }
            };
            let holds = match self.checks.get(number) {
                Some(Check::Name) => names_value(text, start, end),
                Some(Check::Address) => is_address(text, end),
                Some(Check::Nothing) | None => true,
            };
            if holds {
                return Some(start);
            }
            from = start + 1;
        }
        None
    }
}

/// All that is looked for.
pub(super) struct Filter {
    sets: Vec<Set>,
}

/// The filter, made when the first long text comes; `None` where it cannot be made, and every line is looked at.
pub(super) fn filter() -> Option<&'static Filter> {
    static FILTER: OnceLock<Option<Filter>> = OnceLock::new();
    FILTER.get_or_init(Filter::new).as_ref()
}

impl Filter {
    fn new() -> Option<Self> {
        let named = |names: &[&'static str], check| names.iter().map(move |n| (*n, check)).collect::<Vec<_>>();
        let mut short = named(SHORT_NAMES, Check::Name);
        short.extend(named(SHORT_MARKS, Check::Nothing));
        short.push(("://", Check::Address));
        let mut long = named(NAMES, Check::Name);
        long.extend(named(MARKS, Check::Nothing));
        for prefix in form::short_prefixes() {
            let all = if prefix.len() > 3 { &mut long } else { &mut short };
            if !all.iter().any(|n| prefix.starts_with(n.0) && n.1 == Check::Nothing) {
                all.push((prefix, Check::Nothing));
            }
        }
        // Few needles at a time are found faster than all of them at once.
        let sets: Option<Vec<Set>> = short
            .chunks(SHORT_SET)
            .chain(long.chunks(LONG_SET))
            .map(Set::new)
            .collect();
        Some(Self { sets: sets? })
    }

    /// Looks through a text; the places come in order.
    pub(super) fn look<'a>(&'a self, text: &'a [u8]) -> Look<'a> {
        Look {
            filter: self,
            text,
            next: vec![Some(0); self.sets.len() + 2],
            fresh: vec![false; self.sets.len() + 2],
            control: text
                .iter()
                .fold(false, |any, b| any | (*b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r'))),
            ascii: text.is_ascii(),
        }
    }
}

/// A look through one text.
pub(super) struct Look<'a> {
    filter: &'a Filter,
    text: &'a [u8],
    /// The next place of each way of looking; `None` when there is none any more.
    next: Vec<Option<usize>>,
    /// Whether that place has been looked for.
    fresh: Vec<bool>,
    control: bool,
    ascii: bool,
}

impl Look<'_> {
    /// The first place at or after `from` that a rule may have to do with.
    pub(super) fn next(&mut self, from: usize) -> Option<usize> {
        let sets = self.filter.sets.len();
        for way in 0..sets + 2 {
            let known = self.next.get(way).copied().flatten();
            let stale = !self.fresh.get(way).copied().unwrap_or(true) || known.is_some_and(|place| place < from);
            if !stale {
                continue;
            }
            let place = match self.filter.sets.get(way) {
                Some(set) => set.next(self.text, from),
                None if way == sets => long_run(self.text, from),
                None => self.written(from),
            };
            if let (Some(next), Some(fresh)) = (self.next.get_mut(way), self.fresh.get_mut(way)) {
                *next = place;
                *fresh = true;
            }
        }
        self.next.iter().flatten().min().copied()
    }

    /// Text that is written otherwise than it is read: colour, characters without width, letters as numbers.
    fn written(&self, from: usize) -> Option<usize> {
        let rest = self.text.get(from..)?;
        let escaped = |place: usize| {
            let hex = |start: usize, len: usize| {
                let digits = std::str::from_utf8(cut(self.text, start, start + len)).ok()?;
                u8::from_str_radix(digits, 16).ok()
            };
            let byte = match (at(self.text, place), at(self.text, place + 1)) {
                (b'%', digit) if digit.is_ascii_hexdigit() => hex(place + 1, 2),
                (b'\\', b'u') if cut(self.text, place + 2, place + 4) == b"00" => hex(place + 4, 2),
                (b'\\', b'x') => hex(place + 2, 2),
                (b'\\', b'\n' | b'\r') | (b'&', b'#') => Some(b'a'),
                (b'\\', b'0') => Some(0x1b),
                (b'\\', b'e') if at(self.text, place + 2) == b'[' => Some(0x1b),
                _ => None,
            };
            byte.is_some_and(|b| is_word(b) || b == b'-' || b == 0x1b)
        };
        let first = memchr::memchr3_iter(b'%', b'\\', b'&', rest)
            .map(|i| from + i)
            .find(|place| escaped(*place));
        if !self.control && self.ascii {
            return first;
        }
        let end = first.unwrap_or(self.text.len());
        let mut at = from;
        while at < end {
            let chunk = cut(self.text, at, (at + CHUNK).min(end));
            if !is_plain(chunk) {
                let odd = (at..at + chunk.len()).find(|i| view::is_invisible(self.text, *i));
                if odd.is_some() {
                    return odd;
                }
            }
            at += chunk.len().max(1);
        }
        first
    }
}

/// Bytes that are looked at together.
const CHUNK: usize = 256;

/// Whether all bytes are printable ASCII, blanks and line ends. `\` is not: it may join lines.
fn is_plain(chunk: &[u8]) -> bool {
    chunk.iter().fold(true, |plain, b| {
        plain & (matches!(b, b' '..=b'~') | matches!(b, b'\t' | b'\n' | b'\r'))
    })
}

/// The bytes that a long run is made of.
static INSIDE: [bool; 256] = inside();

const fn inside() -> [bool; 256] {
    let mut table = [false; 256];
    let mut rest: &mut [bool] = &mut table;
    let mut byte = 0_u8;
    while let Some((slot, more)) = rest.split_first_mut() {
        *slot = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        byte = byte.wrapping_add(1);
        rest = more;
    }
    table
}

fn is_inside(b: u8) -> bool {
    INSIDE.get(usize::from(b)).copied().unwrap_or(false)
}

/// Whether a name goes on to where a value may follow it.
fn names_value(text: &[u8], start: usize, end: usize) -> bool {
    let near = cut(text, 0, (end + 80).min(text.len()));
    let name = take(near, end, |b| is_word(b) || matches!(b, b'-' | b'.'));
    if at(text, name) >= 0x7f || at(text, name) == 0x1b {
        return true;
    }
    let number = |b: u8| b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.');
    if !may_claim(cut(
        text,
        start,
        super::bytes::take_back(text, name, name - end, number),
    )) {
        return false;
    }
    let closed = take(near, name, |b| is_quote(b) || matches!(b, b']' | b'\\' | b','));
    let sign = take(near, closed, is_blank);
    match at(text, sign) {
        b'=' | b':' | b'%' | b'&' | b'>' | b'<' | b'\n' | b'\r' | b'\\' | b'|' | b'?' | 0 | 0x1b | b'*' | b'_'
        | b'(' | b'$' => true,
        b'v' if closed > name && cut(text, sign, sign + 5) == b"value" => true,
        b if is_quote(b) => true,
        // `--name value`, `Bearer value`, `machine h login n password value`
        _ => {
            let far = super::bytes::take_back(text, start, 64, |b| is_word(b) || b == b'-');
            at(text, far) == b'-' || matches!(text.get(start..end), Some(b"bearer" | b"Bearer" | b"BEARER"))
        }
    }
}

/// Whether `name:password@` or `token@` follows.
fn is_address(text: &[u8], from: usize) -> bool {
    let near = cut(text, 0, (from + 1024).min(text.len()));
    let end = take(near, from, |b| {
        !b.is_ascii_whitespace() && !is_quote(b) && !matches!(b, b'/' | b'@' | b'<' | b'>')
    });
    at(text, end) == b'@' || end == near.len()
}

/// The first long run of letters, digits, `_` and `-` that may be a secret, at or after `from`.
fn long_run(text: &[u8], from: usize) -> Option<usize> {
    let inside = is_inside;
    let mut i = from;
    loop {
        // Two samples that both hit a run, and what lies between them.
        let window: &[u8; STEP + 1] = text.get(i..)?.first_chunk()?;
        let [first, .., last] = window;
        if !inside(*last) {
            i += STEP + 1;
            continue;
        }
        if !inside(*first) {
            i += STEP;
            continue;
        }
        if let Some(gap) = window.iter().rposition(|b| !inside(*b)) {
            i += gap + 1;
            continue;
        }
        let start = super::bytes::take_back(text, i, i.saturating_sub(from), inside);
        let end = take(text, i, inside);
        if end - start >= LONG && is_odd(text, start, end) {
            return Some(start);
        }
        i = end;
    }
}

/// Whether a run has more in it than words: letters of both cases and digits, a known prefix, or a text in digits.
fn is_odd(text: &[u8], start: usize, end: usize) -> bool {
    let run = cut(text, start, end);
    let (mut digit, mut upper, mut lower) = (false, false, false);
    for b in run {
        digit |= b.is_ascii_digit();
        upper |= b.is_ascii_uppercase();
        lower |= b.is_ascii_lowercase();
    }
    if digit && upper && lower {
        return true;
    }
    let word = |i: &usize| is_word(at(text, *i)) && !before(text, *i).is_ascii_alphanumeric();
    if (start..end)
        .filter(word)
        .any(|i| form::form_at(text, i).is_some() || form::odd_at(text, i).is_some())
    {
        return true;
    }
    let hexadecimal = digit && !(upper && lower) && run.iter().all(u8::is_ascii_hexdigit);
    let printable = |pair: &[u8]| {
        let byte = std::str::from_utf8(pair)
            .ok()
            .and_then(|p| u8::from_str_radix(p, 16).ok());
        byte.is_some_and(|b| matches!(b, b' '..=b'~' | b'\n' | b'\r' | b'\t'))
    };
    hexadecimal && run.chunks(2).all(printable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flagged(text: &str) -> bool {
        let filter = filter().expect("the filter can be made");
        filter.look(text.as_bytes()).next(0).is_some()
    }

    #[test]
    fn lines_with_what_a_rule_asks_for_are_found() {
        for text in [
            "xx API_KEY=abc",
            "the password: x",
            "\"authToken\" : 1",
            "--api-key abc",
            "https://u:p@host/",
            "sk-abcd1234",
            "x aB3dE6gH9jK2mN5pQ8sT1 y",
            "dop_v1_3f9a0c7e5b1d82463f9a0c7e5b1d82463f9a0c7e",
            "gh\u{200b}p_x",
            "\u{1b}[1mx",
            "%67hp_",
            "\\u0067hp",
            "a \\\n b",
            "token%3Dabc",
        ] {
            assert!(flagged(text), "{text}");
        }
    }

    #[test]
    fn ordinary_lines_are_left_out() {
        for text in [
            "The quick brown fox jumps over the lazy dog.",
            "the keyboard has keys and the monkey passed",
            "commit 3f786850e387550fdab836ed7e6dc881de23001b",
            "http://example.org/a/very/long/path/to/something/else.html",
            "    let value = self.something_rather_long_indeed(argument);",
            "100% of “them” – naïve …",
        ] {
            assert!(!flagged(text), "{text}");
        }
    }
}
