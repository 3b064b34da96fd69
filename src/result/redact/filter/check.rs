//! Whether a needle has around it what its rule asks for.

use super::super::bytes::{at, before, cut, find, is_blank, is_quote, is_word, line_start, starts_ci, take, take_back};
use super::super::name::{Sure, claim, may_claim};
use super::super::{argument, declared, form, line, memory, record};
use super::gram::{LONG_PREFIXES, SHORT_PREFIXES};
use super::needle::{Check, Needle};

/// A longer rest of a line is not searched.
const FAR: usize = 2048;

/// Whether a needle that begins at `start` has what it asks for.
pub(super) fn holds(needle: &Needle, text: &[u8], start: usize) -> bool {
    let end = start + needle.len();
    match needle.check {
        Check::Mark | Check::Shape => true,
        Check::Form => begins_word(text, start) && form::form_at(text, start).is_some(),
        Check::Name => names_value(text, start, end),
        Check::Setter => sets_secret(text, end),
        Check::Lead => leads(text, start),
        Check::Basic => is_pair(text, end),
        Check::Quoted => is_quoted(text, end),
        Check::Hook => matches!(at(text, end), b'/' | b'.' | b'\\' | b'%' | b'&') || at(text, end) >= 0x7f,
        Check::Address => is_address(text, end),
        Check::Port => is_port(text, start + 1),
        Check::Last => is_last(text, start),
        Check::Program | Check::Sole => is_program(text, start),
    }
}

/// Whether what stands here may begin an escape, or what is not seen.
fn is_written(b: u8) -> bool {
    matches!(b, b'%' | b'&' | b'\\' | 0x1b) || b >= 0x7f
}

/// Whether a name goes on to where a value may follow it.
fn names_value(text: &[u8], start: usize, end: usize) -> bool {
    let near = cut(text, 0, (end + 80).min(text.len()));
    let last = take(near, end, |b| is_word(b) || matches!(b, b'-' | b'.'));
    let next = at(text, last);
    if next >= 0x7f || next == 0x1b {
        return true;
    }
    let number = |b: u8| b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.');
    if !may_claim(cut(text, start, take_back(text, last, last - end, number))) {
        return false;
    }
    let first = take_back(text, start, 64, |b| is_word(b) || matches!(b, b'-' | b'.'));
    // `--name value`, `"--name", "value"`, `%20--name value`, `<name of="…">value`
    if at(text, first) == b'-' || matches!(before(text, first), b'<' | b'%') {
        return true;
    }
    match next {
        b'=' | b':' => says_secret(text, (first, last), last),
        b'<' => is_element(text, first, last),
        b'>' | b'?' => has_claim(text, first, last),
        b'|' => true,
        b'"' | b'\'' | b'`' | b']' | b'\\' | b'%' | b'&' => closed(text, first, last),
        b if is_blank(b) => apart(text, (first, start), last),
        b',' => is_argument(text, first),
        b'\n' | b'\r' | 0 => names_next(text, first),
        _ => false,
    }
}

/// Whether the name between two places claims a secret, or may be read otherwise than it is written.
fn has_claim(text: &[u8], first: usize, last: usize) -> bool {
    is_written(before(text, first)) || last - first >= 60 || claim(cut(text, first, last)).is_some()
}

/// Whether a name that a tag follows is all of an element that names something: `<key>NAME</key>`, `<td>NAME</td>`.
fn is_element(text: &[u8], first: usize, last: usize) -> bool {
    let open = take_back(text, first, 128, |b| !matches!(b, b'>' | b'<' | b'\n'));
    if last - open >= 120 || has_odd(cut(text, open, first)) {
        return true;
    }
    let tag = take_back(text, open.saturating_sub(1), 128, |b| !matches!(b, b'>' | b'<' | b'\n'));
    let name_end = take(text, tag, |b| is_word(b) || matches!(b, b'-' | b'.' | b':'));
    let local = cut(text, tag, name_end)
        .rsplit(|b| *b == b':')
        .next()
        .unwrap_or_default();
    let named = || record::names_next(local, cut(text, open, last).trim_ascii()).is_some();
    before(text, open) == b'>' && (named() || has_odd(cut(text, tag, open)))
}

/// Whether the name between two places claims a secret, and what follows the sign at `sign` can be one for such a name.
fn says_secret(text: &[u8], (first, last): (usize, usize), sign: usize) -> bool {
    let lead = before(text, first);
    let name = cut(text, take(text, first, |b| b == b'-' || b == b'.').min(last), last);
    // An address's own names, and what may be read otherwise than it is written.
    if matches!(lead, b'?' | b'&') || is_written(lead) || last - first >= 60 {
        return true;
    }
    // What follows these is told by other rules.
    let ends = |word: &[u8]| starts_ci(name, name.len().saturating_sub(word.len()), word);
    if ends(b"authorization")
        || ends(b"cookie")
        || ["pass", "pw"].iter().any(|w| name.eq_ignore_ascii_case(w.as_bytes()))
        || name.eq_ignore_ascii_case(b"pwd") && line::logs_in(text, last - name.len(), sign + 1)
    {
        return true;
    }
    match claim(name) {
        None => false,
        Some(_) if is_absent(text, sign) => false,
        Some(claim) => claim.sure > Sure::Weak || claim.capitals || may_be_random(text, sign),
    }
}

/// Whether `true`, `false` or `null` follows a sign, and nothing else on the line.
fn is_absent(text: &[u8], sign: usize) -> bool {
    let start = take(text, sign + 1, is_blank);
    let word = [b"true".as_slice(), b"false", b"null"]
        .into_iter()
        .find(|word| text.get(start..).is_some_and(|rest| rest.starts_with(word)));
    word.is_some_and(|word| {
        let end = start + word.len() + usize::from(at(text, start + word.len()) == b',');
        at(text, sign) == b':' && at(text, end) == b'\n'
    })
}

/// Whether a value of sixteen bytes or more that a machine may have made, of letters in both cases and digits, follows a
/// sign.
fn may_be_random(text: &[u8], sign: usize) -> bool {
    let near = cut(text, 0, (sign + 128).min(text.len()));
    let lead = take(near, sign, |b| matches!(b, b'=' | b':' | b'>' | b'?'));
    let start = take(near, lead, |b| b.is_ascii_whitespace() || is_quote(b) || b == b'\\');
    let end = take(near, start, |b| {
        is_word(b) || matches!(b, b'-' | b'+' | b'=' | b'/' | b'.')
    });
    let value = cut(near, start, end);
    let mixed = value.iter().any(u8::is_ascii_digit)
        && value.iter().any(u8::is_ascii_lowercase)
        && value.iter().any(u8::is_ascii_uppercase);
    value.len() >= 16 && mixed || end == near.len() && end < text.len() || is_written(at(text, end))
}

/// What may follow a name and the quotes that end it.
fn closed(text: &[u8], first: usize, last: usize) -> bool {
    let end = take(text, last, |b| is_quote(b) || matches!(b, b']' | b'\\'));
    let sign = take(text, end, is_blank);
    let lead = take_back(text, first, 8, |b| is_quote(b) || b == b'\\');
    match at(text, sign) {
        b':' if matches!(at(text, take(text, sign + 1, is_blank)), b'{' | b'[') => {
            memory::opens_object(text, sign) && says_secret(text, (first, last), sign)
        }
        b'=' | b':' => says_secret(text, (first, last), sign),
        b'?' | b'>' => true,
        b if is_written(b) => true,
        b'v' if cut(text, sign, sign + 5) == b"value" => true,
        b'\n' | b'\r' | 0 | b',' if names_next(text, first) => true,
        // `value="…" name="password"`, `define('NAME', 'value')`
        _ => {
            before(text, lead) == b'='
                || text.get(last) == Some(&b'\\')
                || before(text, end) == b'\\'
                || is_argument(text, first)
        }
    }
}

/// What may follow a name and blanks.
fn apart(text: &[u8], (first, start): (usize, usize), last: usize) -> bool {
    let sign = take(text, last, is_blank);
    match at(text, sign) {
        b'=' | b':' => says_secret(text, (first, last), sign),
        b'?' | b'>' | b'|' => true,
        b if is_written(b) => true,
        b'\n' | b'\r' | 0 => names_next(text, first),
        // `PASSWORD 'value'`
        b if is_quote(b) => true,
        b',' => is_argument(text, first),
        // `Bearer value`, `apiKey string = "value"`, `ENV API_KEY value`
        _ => {
            starts_ci(text, start, b"bearer")
                || declared::is_typed(text, sign)
                || declared::is_prompt(text, sign)
                || declared::is_instruction(text, first)
        }
    }
}

/// Whether a name stands among the arguments of what sets a variable.
fn is_argument(text: &[u8], name: usize) -> bool {
    let lead = cut(text, name.saturating_sub(64), name);
    lead.contains(&b'(')
        && ["fine(", "fine (", "tenv("]
            .iter()
            .any(|part| find(lead, 0, part.as_bytes()).is_some())
}

/// Whether a name at the end of a line is what tells of the next one: `name: PASSWORD`.
fn names_next(text: &[u8], name: usize) -> bool {
    let near = take_back(text, name, 256, |b| b != b'\n');
    let field = take(text, near, |b| is_blank(b) || is_quote(b) || matches!(b, b'-' | b'{'));
    [b"name".as_slice(), b"key"]
        .iter()
        .any(|word| starts_ci(text, field, word))
        || has_odd(cut(text, near, name))
}

/// Whether a part of a line may be read otherwise than it is written.
fn has_odd(part: &[u8]) -> bool {
    part.iter().any(|b| is_written(*b) || *b < b'\t')
}

/// Whether the name of a secret follows what sets a variable.
fn sets_secret(text: &[u8], end: usize) -> bool {
    let option = if before(text, end) == b'-' {
        take(text, end, is_word)
    } else {
        end
    };
    let name = take(text, option, |b| {
        is_blank(b) || is_quote(b) || matches!(b, b'(' | b'\\')
    });
    let near = cut(text, 0, (name + 128).min(text.len()));
    let last = take(near, name, is_word);
    is_written(at(text, last))
        || may_claim(cut(
            text,
            name,
            take_back(text, last, last - name, |b| b.is_ascii_digit()),
        ))
}

/// Whether a word leads its line, or one that is written out in it: `\nword`.
fn leads(text: &[u8], start: usize) -> bool {
    let lead = take_back(text, start, 256, |b| b != b'\n');
    let part = cut(text, lead, start);
    part.iter().all(|b| is_blank(*b)) || has_odd(part) || starts_ci(text, start, b"machine")
}

/// Whether a name and a password in base64 follow.
fn is_pair(text: &[u8], end: usize) -> bool {
    let from = take(text, end, is_blank);
    let near = cut(text, 0, (from + FAR).min(text.len()));
    let last = take(near, from, |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')
    });
    last == near.len() || is_written(at(text, last)) || line::is_pair(cut(text, from, last))
}

/// Whether a quote follows: at once, but for the words that may stand before it.
fn is_quoted(text: &[u8], end: usize) -> bool {
    if before(text, end) | 0x20 == b'y' {
        let next = at(text, end + usize::from(at(text, end) == b' '));
        return is_quote(next) || is_written(next);
    }
    cut(text, end, (end + 64).min(text.len()))
        .iter()
        .take_while(|b| **b != b'\n')
        .any(|b| is_quote(*b) || is_written(*b))
}

/// Whether `name:password@` or `token@` follows.
fn is_address(text: &[u8], from: usize) -> bool {
    let near = cut(text, 0, (from + 1024).min(text.len()));
    let end = take(near, from, |b| {
        !b.is_ascii_whitespace() && !is_quote(b) && !matches!(b, b'/' | b'@' | b'<' | b'>')
    });
    at(text, end) == b'@' || end == near.len()
}

/// Whether the digits are a port's number, and two fields follow it.
fn is_port(text: &[u8], digits: usize) -> bool {
    let near = cut(text, 0, (digits + 512).min(text.len()));
    let end = take(near, digits, |b| b.is_ascii_digit());
    let field = |from: usize| {
        let end = take(near, from, |b| !b.is_ascii_whitespace() && !is_quote(b) && b != b':');
        (at(near, end) == b':').then_some(end + 1)
    };
    at(near, end) == b':' && (3..=5).contains(&(end - digits)) && field(end + 1).and_then(field).is_some()
}

/// Whether a program stands before the word that its last argument comes after.
fn is_last(text: &[u8], start: usize) -> bool {
    let near = start.saturating_sub(FAR);
    let before = cut(text, near, start);
    let asks = |needs: &str| cut(text, start, start + needs.len()) == needs.as_bytes();
    argument::LAST
        .iter()
        .any(|(program, _, needs)| asks(needs) && find(before, 0, program.as_bytes()).is_some())
}

/// Whether `/p` at a place is an option.
pub(super) fn is_slash_option(text: &[u8], place: usize) -> bool {
    let next = at(text, place + 2);
    at(text, place + 1) == b'p' && !is_word(next) && next != b'>' && !is_word(before(text, place))
}

/// Whether `-name` or `--name` at a place may be an option.
pub(super) fn is_option(text: &[u8], place: usize) -> bool {
    let letter = |i: usize| at(text, i).is_ascii_alphabetic() || at(text, i) == b'_';
    letter(place + 1) || at(text, place + 1) == b'-' && letter(place + 2)
}

/// Whether a form that is no needle begins with a word at a place, whose first bytes are given.
pub(super) fn is_long_form(text: &[u8], place: usize, bytes: u64) -> bool {
    (LONG_PREFIXES.may_hold(bytes) || SHORT_PREFIXES.may_hold(bytes))
        && begins_word(text, place)
        && form::form_at(text, place).is_some()
}

/// Whether the program's name at `start` is a word of its own.
fn is_program(text: &[u8], start: usize) -> bool {
    let lead = before(text, start);
    if !(start == 0 || is_apart(lead) || lead == b'/' || lead.is_ascii_alphanumeric() && begins_word(text, start)) {
        return false;
    }
    let end = take(text, start, |b| is_word(b) || b == b'-');
    end == text.len() || is_apart(at(text, end))
}

/// What stands between the words of a command.
fn is_apart(b: u8) -> bool {
    b.is_ascii_whitespace() || is_quote(b) || matches!(b, b',' | b';' | b')' | b']' | b'[' | b'(' | b'\\' | b'%' | b'&')
}

/// Whether no letter or digit stands before `start`, but one that is part of an escape: `\nword`, `%20word`.
pub(super) fn begins_word(text: &[u8], start: usize) -> bool {
    let back = |by: usize| start.checked_sub(by).map_or(0, |i| at(text, i));
    !back(1).is_ascii_alphanumeric() || [2, 4, 6].iter().any(|by| back(*by) == b'\\') || back(3) == b'%'
}

/// Where the line begins that `place` lies in, and those that are joined to it.
pub(super) fn joined_start(text: &[u8], place: usize) -> usize {
    let floor = place.saturating_sub(FAR);
    let mut start = line_start(text, place);
    while start > floor && super::super::bytes::goes_on(cut(text, floor, start)) {
        start = line_start(text, start - 1);
    }
    start.max(floor)
}

/// Text that is written otherwise than it is read: a letter as a number, a word that goes on in the next line.
pub(super) fn is_escape(text: &[u8], place: usize) -> bool {
    let hex = |start: usize, len: usize| {
        let digits = std::str::from_utf8(cut(text, start, start + len)).ok()?;
        u8::from_str_radix(digits, 16).ok()
    };
    let byte = match (at(text, place), at(text, place + 1)) {
        (b'%', digit) if digit.is_ascii_hexdigit() => hex(place + 1, 2),
        (b'\\', b'u') if cut(text, place + 2, place + 4) == b"00" => hex(place + 4, 2),
        (b'\\', b'x') => hex(place + 2, 2),
        (b'\\', b'\n') => return joins(text, place, place + 2),
        (b'\\', b'\r') => return joins(text, place, place + 3),
        (b'&', b'#') => Some(b'a'),
        (b'\\', b'0') if cut(text, place + 2, place + 4) == b"33" => Some(0x1b),
        (b'\\', b'e') if at(text, place + 2) == b'[' => Some(0x1b),
        _ => None,
    };
    byte.is_some_and(|b| is_word(b) || b == b'-' || b == 0x1b)
}

/// Whether a word may go on over the end of a line: not where blanks stand on both sides of it.
fn joins(text: &[u8], mark: usize, next: usize) -> bool {
    !(is_blank(before(text, mark)) || mark == 0) || !is_blank(at(text, next))
}
