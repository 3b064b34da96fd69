//! What stands in the place of a secret: its kind, and at most its last four characters.
//!
//! A mask can be told from every other text, so that nobody writes one back to a file as if it were the secret.

use super::bytes::{at, cut, find, take};

/// How every mask begins.
const OPEN: &str = "[redacted:";
/// Shorter secrets show nothing of themselves.
const MIN_WITH_END: usize = 20;
/// Bytes of a secret that a mask may show.
const SHOWN: usize = 4;

/// Whether the end of a secret may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// Where it is long enough: what was issued by a machine.
    Shown,
    /// Never: what a person may have chosen.
    Hidden,
}

/// Writes the mask of a secret.
pub(super) fn push(kind: &str, tail: Tail, secret: &str, out: &mut String) {
    out.push_str(OPEN);
    out.push_str(kind);
    let last = secret.len().checked_sub(SHOWN).and_then(|from| secret.get(from..));
    if let Some(last) = last.filter(|l| l.bytes().all(|b| b.is_ascii_alphanumeric()))
        && tail == Tail::Shown
        && secret.len() >= MIN_WITH_END
    {
        out.push('…');
        out.push_str(last);
    }
    out.push(']');
}

/// The end of the mask that begins at `start`.
pub(super) fn end_at(text: &[u8], start: usize) -> Option<usize> {
    if !text.get(start..)?.starts_with(OPEN.as_bytes()) {
        return None;
    }
    let kind = start + OPEN.len();
    let mut end = take(text, kind, |b| {
        b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'
    });
    if end == kind {
        return None;
    }
    let ellipsis = "…".as_bytes();
    if cut(text, end, end + ellipsis.len()) == ellipsis {
        let from = end + ellipsis.len();
        end = take(text, from, |b| b.is_ascii_alphanumeric());
        if end - from > SHOWN {
            return None;
        }
    }
    (at(text, end) == b']').then_some(end + 1)
}

/// Whether a mask of ours begins here.
pub(super) fn begins_mask(text: &[u8]) -> bool {
    text.starts_with(OPEN.as_bytes())
}

/// Whether the value begins with a mask, ours or three stars, or one of ours begins in it: what of it was a secret is hidden.
pub(super) fn is_masked(value: &[u8]) -> bool {
    value.starts_with(b"***") || find(value, 0, OPEN.as_bytes()).is_some()
}

/// The first mask of ours in a text.
pub fn mask_in(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(start) = find(bytes, from, OPEN.as_bytes()) {
        if let Some(end) = end_at(bytes, start) {
            return text.get(start..end);
        }
        from = start + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(kind: &str, tail: Tail, secret: &str) -> String {
        let mut out = String::new();
        push(kind, tail, secret, &mut out);
        out
    }

    #[test]
    fn a_mask_shows_the_kind_and_no_more_than_four_characters() {
        let long = "abcdefghijklmnopqrst";
        assert_eq!(mask("api-key", Tail::Shown, long), "[redacted:api-key…qrst]");
        assert_eq!(mask("api-key", Tail::Shown, &long[1..]), "[redacted:api-key]");
        assert_eq!(mask("password", Tail::Hidden, long), "[redacted:password]");
        assert_eq!(mask("token", Tail::Shown, "abcdefghijklmnopqr/="), "[redacted:token]");
    }

    #[test]
    fn masks_are_known_again() {
        for text in [
            "[redacted:password]",
            "x [redacted:api-key…qrst] y",
            "[redacted: [redacted:a]",
        ] {
            assert!(mask_in(text).is_some(), "{text}");
        }
        for text in [
            "[redacted]",
            "[redacted: it]",
            "[redacted:]",
            "[redacted:token…abcde]",
            "redacted:token",
            "[redacted:A]",
        ] {
            assert!(mask_in(text).is_none(), "{text}");
        }
    }
}
