//! Finds the secrets of one line in one walk from left to right.

use super::bytes::{at, before, cut, find, is_blank, is_quote, is_word, starts_ci, take, take_back};
use super::look::{is_masked, is_random};
use super::name::{Claim, Sure, claim};
use super::shape::{shape_at, web_token_at};
use super::value::{Around, Join, quote_index, secret_at, skip_blanks};

/// The longest name that is looked at, in bytes.
const MAX_NAME: usize = 128;

/// How far before a name is looked, in bytes.
const MAX_LEAD: usize = 128;

/// The place of a secret, in bytes from the start of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    /// First byte.
    pub(super) start: usize,
    /// First byte after it.
    pub(super) end: usize,
    /// How it is hidden.
    pub(super) mask: Mask,
}

/// How a secret is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mask {
    /// Three stars, or the ends of a long one.
    Ends,
    /// Three stars.
    Whole,
    /// The body of a key block of several lines.
    Block {
        /// The mark of its beginning stands before it.
        after_marker: bool,
        /// A line follows.
        before_marker: bool,
    },
}

/// Collects the secrets of `line`, which begins at `base` of the text.
pub(super) fn scan(line: &[u8], base: usize, spans: &mut Vec<Span>) {
    Walk {
        line,
        open: [false; 3],
        seen: 0,
        no_web_token: 0,
        login: None,
    }
    .run(|start, end| {
        spans.push(Span {
            start: base + start,
            end: base + end,
            mask: Mask::Ends,
        });
    });
}

struct Walk<'a> {
    line: &'a [u8],
    /// Quotes that are open at `seen`.
    open: [bool; 3],
    seen: usize,
    /// No web token begins before here.
    no_web_token: usize,
    /// Whether the line has `login ` in it, once somebody asked.
    login: Option<bool>,
}

impl Walk<'_> {
    fn run(mut self, mut found: impl FnMut(usize, usize)) {
        let mut i = 0;
        while i < self.line.len() {
            let b = at(self.line, i);
            let previous = before(self.line, i);
            let hit = if is_word(b) {
                if is_word(previous) {
                    i += 1;
                    continue;
                }
                self.word(i)
            } else {
                match b {
                    b'=' | b':' => self.assignment(i).or_else(|| self.userinfo(i)),
                    b'-' if !is_word(previous) && previous != b'-' => self.flag(i),
                    _ => None,
                }
            };
            match hit {
                Some((start, end)) if end > start => {
                    if !self.is_masked(start, end) {
                        found(start, end);
                    }
                    i = end.max(i + 1);
                }
                _ => i += 1,
            }
        }
    }

    /// Whether the hit is a mask, or the first six characters of one.
    fn is_masked(&self, start: usize, end: usize) -> bool {
        let head = end - start <= 6 && cut(self.line, start + 6, start + 9) == "…".as_bytes();
        head || is_masked(cut(self.line, start, end))
    }

    /// Which quotes are open before `place`. Only ever asked for growing places, so the line is walked once.
    fn open_at(&mut self, place: usize) -> [bool; 3] {
        while self.seen < place {
            let b = at(self.line, self.seen);
            if let Some(slot) = quote_index(b).and_then(|i| self.open.get_mut(i)) {
                let apostrophe = b == b'\'' && before(self.line, self.seen).is_ascii_alphanumeric();
                if *slot || !apostrophe {
                    *slot = !*slot;
                }
            }
            self.seen += 1;
        }
        self.open
    }

    /// A secret that begins with the word at `i`, or that the word announces.
    fn word(&mut self, i: usize) -> Option<(usize, usize)> {
        if let Some(end) = shape_at(self.line, i) {
            let digits = if starts_ci(self.line, i, b"bot") && at(self.line, i + 3).is_ascii_digit() {
                3
            } else {
                0
            };
            return Some((i + digits, end));
        }
        match at(self.line, i) | 0x20 {
            b'e' if i >= self.no_web_token => match web_token_at(self.line, i) {
                Ok(end) => Some((i, end)),
                Err(end) => {
                    self.no_web_token = end;
                    None
                }
            },
            b'b' if starts_ci(self.line, i, b"bearer") => self.bearer(i + 6),
            b'b' if starts_ci(self.line, i, b"basic") => self.basic(i + 5),
            b'p' if starts_ci(self.line, i, b"password") && is_blank(at(self.line, i + 8)) => self.netrc(i + 8),
            _ => None,
        }
    }

    /// `Bearer` and a token of 18 characters or more.
    fn bearer(&self, from: usize) -> Option<(usize, usize)> {
        let start = skip_blanks(self.line, from);
        if start == from {
            return None;
        }
        let end = token_end(self.line, start);
        let token = cut(self.line, start, end);
        let words = token.contains(&b'-') && token.iter().all(|b| b.is_ascii_lowercase() || *b == b'-');
        (token.len() >= 18 && !words).then_some((start, end))
    }

    /// `Basic` and base64 that could hold a name and a password.
    fn basic(&self, from: usize) -> Option<(usize, usize)> {
        let start = skip_blanks(self.line, from);
        if start == from {
            return None;
        }
        let end = take(self.line, start, |b| {
            b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')
        });
        let token = cut(self.line, start, end);
        let decoded = crate::text::base64::decode(token)?;
        let pair = decoded.contains(&b':') && decoded.iter().all(|b| *b >= 0x20 && *b != 0x7f);
        (token.len() >= 4 && pair).then_some((start, end))
    }

    /// `login NAME password VALUE`, as in a `.netrc`.
    fn netrc(&mut self, from: usize) -> Option<(usize, usize)> {
        let line = self.line;
        if !*self
            .login
            .get_or_insert_with(|| find(line, 0, b"login ").is_some() && find(line, 0, b"machine ").is_some())
        {
            return None;
        }
        let start = skip_blanks(line, from);
        Some((start, take(line, start, |b| !b.is_ascii_whitespace())))
    }

    /// `scheme://user:password@host`.
    fn userinfo(&self, colon: usize) -> Option<(usize, usize)> {
        if cut(self.line, colon, colon + 3) != b"://" || !is_word(before(self.line, colon)) {
            return None;
        }
        let start = colon + 3;
        let end = take(self.line, start, |b| {
            !b.is_ascii_whitespace() && !is_quote(b) && !matches!(b, b'/' | b'?' | b'#' | b'<' | b'>' | b'\\')
        });
        let authority = cut(self.line, start, end);
        let sign = authority.iter().rposition(|b| *b == b'@')?;
        let info = authority.get(..sign)?;
        match info.iter().position(|b| *b == b':') {
            Some(split) => {
                let password = info.get(split + 1..)?;
                let open =
                    matches!(at(password, 0), b'$' | b'{' | b'<' | b'%') && !password.iter().any(u8::is_ascii_digit);
                (!password.is_empty() && !open).then_some((start + split + 1, start + sign))
            }
            None => (info.len() >= 20 && is_random(info)).then_some((start, start + sign)),
        }
    }

    /// `--name value` and `-name value`.
    fn flag(&mut self, dash: usize) -> Option<(usize, usize)> {
        let first = take(self.line, dash, |b| b == b'-');
        if first - dash > 2 {
            return None;
        }
        let last = take(self.line, first, |b| is_word(b) || b == b'-');
        // `"--name", "value"` in a list of arguments.
        let quote = at(self.line, last);
        let quoted = usize::from(is_quote(quote) && before(self.line, dash) == quote);
        let after = last + quoted + usize::from(quoted == 1 && at(self.line, last + 1) == b',');
        let start = skip_blanks(self.line, after);
        if (start == after && after < last + 2) || last - first > MAX_NAME {
            return None;
        }
        let name = cut(self.line, first, last);
        let claim = claim(name)?;
        if claim.sure < Sure::Likely {
            return None;
        }
        let around = Around {
            join: Join::Flag,
            line_start: false,
            declared: false,
            query: false,
            quoted: false,
            open: if quoted == 1 { [false; 3] } else { self.open_at(dash) },
        };
        secret_at(self.line, start, name, claim, around)
    }

    /// `NAME=value`, `name: value`, `"name": "value"`, `["NAME"] = "value"`.
    fn assignment(&mut self, sign: usize) -> Option<(usize, usize)> {
        let line = self.line;
        let mut value = sign + 1;
        if at(line, sign) == b'=' {
            match at(line, value) {
                b'=' | b'~' => return None,
                b'>' => value += 1,
                _ => {}
            }
            if matches!(before(line, sign), b'=' | b'!' | b'<' | b'>' | b'+' | b'~') {
                return None;
            }
        } else if at(line, value) == b'=' || at(line, value) == b':' || before(line, sign) == b':' {
            return None;
        }
        let joint = take_back(line, sign, 1, |b| matches!(b, b':' | b'?'));
        let joint = if at(line, sign) == b'=' { joint } else { sign };
        let name_end = take_back(line, joint, 64, is_blank);
        let spaced_before = name_end < joint;
        let bracket = usize::from(before(line, name_end) == b']');
        let mut end = name_end - bracket;
        let quoted = is_quote(before(line, end));
        if quoted {
            end -= 1;
            end -= usize::from(before(line, end) == b'\\');
        } else if bracket == 1 {
            return None;
        }
        // Cheap refusal: every name that claims something ends with one of these.
        if !matches!(
            before(line, end) | 0x20,
            b'y' | b'n' | b't' | b'd' | b'e' | b's' | b'h' | b'w' | b'g'
        ) && !before(line, end).is_ascii_digit()
        {
            return None;
        }
        let start = take_back(line, end, MAX_NAME, |b| is_word(b) || b == b'-' || b == b'.');
        let start = take(line, start, |b| b == b'-' || b == b'.').min(end);
        let name = cut(line, start, end);
        if name.len() < 4 && cut(line, start.saturating_sub(3), start) == "…".as_bytes() {
            return None; // the end of a mask
        }
        let value = skip_blanks(line, value);
        if starts_ci(name, name.len().saturating_sub(13), b"authorization") {
            return self.authorization(value);
        }
        let query = matches!(before(line, start), b'?' | b'&') && at(line, sign) == b'=';
        let claim = match claim(name) {
            Some(claim) => claim,
            None if query && QUERY_NAMES.iter().any(|q| name.eq_ignore_ascii_case(q)) => QUERY_CLAIM,
            None => return None,
        };
        let claim = if query && name.eq_ignore_ascii_case(b"key") {
            QUERY_CLAIM
        } else {
            claim
        };
        let join = if at(line, sign) == b':' {
            Join::Colon
        } else if spaced_before || value > sign + 1 {
            Join::Spaced
        } else {
            Join::Tight
        };
        let lead_end = take_back(line, start - usize::from(quoted && start > 0), MAX_LEAD, is_blank);
        let lead_start = take_back(line, lead_end, MAX_LEAD, |b| !b.is_ascii_whitespace());
        let lead = cut(line, lead_start, lead_end);
        let first_word = start <= MAX_LEAD && cut(line, 0, lead_start).iter().all(|b| is_blank(*b));
        let around = Around {
            join,
            line_start: first_word && matches!(lead, b"" | b"-" | b"{" | b"export" | b"+"),
            declared: DECLARES.contains(&lead) || before(line, sign) == b':' && at(line, sign) == b'=',
            query,
            quoted,
            open: if quoted { [false; 3] } else { self.open_at(start) },
        };
        secret_at(line, value, name, claim, around)
    }

    /// What follows `Authorization:`: a scheme and its credentials, or the credentials alone.
    fn authorization(&self, from: usize) -> Option<(usize, usize)> {
        let quote = usize::from(at(self.line, from) == b'\\');
        let start = from + quote + usize::from(is_quote(at(self.line, from + quote)));
        let scheme_end = take(self.line, start, |b| b.is_ascii_alphanumeric() || b == b'-');
        let scheme = cut(self.line, start, scheme_end);
        let value = skip_blanks(self.line, scheme_end);
        if value > scheme_end && !scheme.is_empty() {
            let end = token_end(self.line, value);
            let token = cut(self.line, value, end);
            let plain = token.iter().all(u8::is_ascii_lowercase) && AUTH_PROSE.contains(&token);
            let known = AUTH_SCHEMES.iter().any(|s| scheme.eq_ignore_ascii_case(s));
            let telling = token.len() >= 16 && token.iter().any(u8::is_ascii_digit);
            return (!plain && (known || telling)).then_some((value, end));
        }
        let end = token_end(self.line, start);
        let token = cut(self.line, start, end);
        (token.len() >= 16 && token.iter().any(u8::is_ascii_digit)).then_some((start, end))
    }
}

/// Schemes after `Authorization:` whose credentials are secret however short they are.
const AUTH_SCHEMES: &[&[u8]] = &[
    b"bearer",
    b"basic",
    b"token",
    b"apikey",
    b"api-key",
    b"digest",
    b"negotiate",
    b"key",
    b"bot",
];

/// Words that follow a scheme in a sentence.
const AUTH_PROSE: &[&[u8]] = &[
    b"token",
    b"tokens",
    b"auth",
    b"authentication",
    b"header",
    b"headers",
    b"scheme",
    b"is",
    b"or",
    b"and",
];

/// Query parameters that are secret only in an address.
const QUERY_NAMES: &[&[u8]] = &[b"pass", b"auth", b"sig", b"signature", b"pwd", b"x-amz-signature"];

const QUERY_CLAIM: Claim = Claim {
    sure: Sure::Certain,
    capitals: false,
};

/// Words before a name that make an unquoted value an expression.
const DECLARES: &[&[u8]] = &[
    b":param", b":type", b"@param", b"let", b"const", b"var", b"mut", b"final", b"auto", b"val", b"def", b"static",
    b"fn", b"type", b"for", b"if",
];

/// The end of a bearer token: without the dot that ends a sentence.
fn token_end(line: &[u8], start: usize) -> usize {
    let mut end = take(line, start, |b| {
        is_word(b) || matches!(b, b'.' | b'-' | b'+' | b'=' | b'~' | b'/')
    });
    while end > start && matches!(at(line, end - 1), b'.' | b'-') {
        end -= 1;
    }
    end
}
