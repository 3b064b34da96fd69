//! The same redaction for text that comes in pieces.
//!
//! A piece is given out once nothing that follows can change how it is judged: at the end of a line, and not inside what
//! may be a key block. So the pieces given out, put together, are exactly the redacted whole text.

use super::bytes::{goes_on, line_start};
use super::line::Depth;
use super::memory::Expects;
use super::unit;
use super::{Redactor, apply};

/// The longest line that is held back, in bytes. A longer one is not shown: half a line cannot be judged.
const MAX_LINE: usize = 1024 * 1024;

/// Shown in place of a line that is too long.
const WITHHELD: &str = "[a line of more than 1 MiB is not shown here]\n";

/// A text that is redacted while it comes.
#[derive(Debug)]
pub struct Stream<'a> {
    redactor: &'a Redactor,
    pending: String,
    /// Bytes of `pending` that hold no line end.
    searched: usize,
    /// The rest of a line that is not shown.
    dropping: bool,
    whole: bool,
    /// What the last line that was shown said about the next.
    expects: Expects,
}

impl<'a> Stream<'a> {
    pub(super) fn new(redactor: &'a Redactor) -> Self {
        Self {
            redactor,
            pending: String::new(),
            searched: 0,
            dropping: false,
            whole: redactor.spans_lines(),
            expects: Expects::Nothing,
        }
    }

    /// Takes more text; gives what can be shown by now to `show`, piece by piece.
    pub fn push(&mut self, text: &str, show: &mut dyn FnMut(&str)) {
        let mut text = text;
        if self.dropping {
            let Some((_, rest)) = text.split_once('\n') else {
                return;
            };
            self.dropping = false;
            text = rest;
        }
        if !self.whole && !self.pending.is_empty() {
            // The line that waits is ended first: what follows it need not be kept with it.
            let end = memchr::memchr(b'\n', text.as_bytes()).map_or(text.len(), |feed| feed + 1);
            let (line, rest) = text.split_at_checked(end).unwrap_or((text, ""));
            self.take(line, show);
            text = rest;
        }
        if !self.whole && self.pending.is_empty() {
            // Nothing waits: what is complete need not be kept.
            let keys = unit::may_hold_key(text.as_bytes());
            let ready = ready(text, keys);
            let (now, later) = text.split_at_checked(ready).unwrap_or(("", text));
            self.show((now, keys), show);
            text = later;
        }
        self.take(text, show);
    }

    /// Keeps more text; shows what is complete by now.
    fn take(&mut self, text: &str, show: &mut dyn FnMut(&str)) {
        if text.is_empty() {
            return;
        }
        self.pending.push_str(text);
        let fresh = self.pending.as_bytes().get(self.searched..).unwrap_or_default();
        let line_ended = memchr::memchr(b'\n', fresh).is_some();
        self.searched = self.pending.len();
        if self.whole && self.pending.len() <= MAX_LINE {
            return; // a pattern of the configuration may match over lines
        }
        if line_ended || self.whole {
            let mut pending = std::mem::take(&mut self.pending);
            let keys = unit::may_hold_key(pending.as_bytes());
            let ready = ready(&pending, keys);
            self.show((pending.get(..ready).unwrap_or_default(), keys), show);
            pending.drain(..ready);
            self.searched = pending.len();
            self.pending = pending;
        }
        if self.pending.len() > MAX_LINE && !self.pending.contains('\n') {
            show(WITHHELD);
            self.pending.clear();
            self.searched = 0;
            self.dropping = true;
            self.expects = Expects::Nothing;
        }
    }

    /// What is held back, as it would be shown if nothing more came.
    pub fn peek(&self) -> String {
        let mut expects = self.expects;
        let spans = self.redactor.spans(&self.pending, Depth::All, &mut expects);
        if spans.is_empty() {
            self.pending.clone()
        } else {
            apply(&self.pending, &spans)
        }
    }

    /// The rest, when no more comes.
    pub fn finish(mut self, show: &mut dyn FnMut(&str)) {
        let rest = std::mem::take(&mut self.pending);
        let keys = unit::may_hold_key(rest.as_bytes());
        self.show((&rest, keys), show);
    }

    /// Shows a text of which it is known whether it may hold key blocks.
    fn show(&mut self, (text, keys): (&str, bool), show: &mut dyn FnMut(&str)) {
        if text.is_empty() {
            return;
        }
        let spans = self.redactor.spans_of((text, keys), Depth::All, &mut self.expects);
        if spans.is_empty() {
            show(text);
        } else {
            show(&apply(text, &spans));
        }
    }
}

/// How many bytes at the start are made of complete units; `keys`: it may hold key blocks.
fn ready(text: &str, keys: bool) -> usize {
    let text = text.as_bytes();
    let lines = line_start(text, text.len());
    let complete = text.get(..lines).unwrap_or_default();
    // Where no key block can be under way, the end of a line is the end of a unit.
    if !keys && !goes_on(complete) && !unit::ends_wide(complete) {
        return lines;
    }
    unit::complete_end(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_withheld_from_a_stream() {
        let redactor = Redactor::built_in();
        let mut stream = redactor.stream();
        let mut shown = String::new();
        for _ in 0..20 {
            stream.push(&"x".repeat(100_000), &mut |ready| shown += ready);
        }
        stream.push("API_KEY=abc\nnext ", &mut |ready| shown += ready);
        stream.finish(&mut |ready| shown += ready);
        assert_eq!(shown, "[a line of more than 1 MiB is not shown here]\nnext ");
    }

    #[test]
    fn more_joined_lines_than_are_kept_together_are_looked_through_to_the_end() {
        // Joined lines are cut into units of some length; what is found behind such a cut lies before where its line began.
        let text = "an ordinary line that goes on \\\n".repeat(3000) + "API_KEY=abcdefgh12345678\n";
        let redactor = Redactor::built_in();
        let hidden = redactor.text(&text).0.into_owned();
        assert!(!hidden.contains("abcdefgh12345678"));
        let (mut stream, mut shown) = (redactor.stream(), String::new());
        for piece in text.as_bytes().chunks(4096) {
            stream.push(std::str::from_utf8(piece).unwrap(), &mut |ready| shown += ready);
        }
        stream.finish(&mut |ready| shown += ready);
        assert_eq!(shown, hidden);
    }

    #[test]
    fn a_key_whose_beginning_is_damaged_is_kept_back_until_its_end_comes() {
        let (wide, short) = (
            "dK8yL3jQ4rB9pW0aH5vFIgN1co6mT7UE2sZxdK8yL3jQ4rB9p",
            "W0aH5vFIgN1co6mT7UE2s",
        );
        for (begin, body) in [
            (
                "--.---BEGIN OPENSSH PRIVATE KEY-----",
                format!("{wide}\n{short}\n{wide}"),
            ),
            (
                "-----BEGIN PGP PRIVATE KEY BLOCK---\u{200b}--\n",
                format!("{wide}\n{wide}\n{short}"),
            ),
            ("-----BEGIN PRIVA KEY-----", format!("{wide} \\\n \n{wide}")),
            (
                "-----BEGIN\u{1b}[1m RSA PRIVATE KEY-----\n",
                format!("{wide}\u{200b}x\n{wide}\n{short}"),
            ),
        ] {
            let text = format!("{begin}\n{body}\n-----END RSA PRIVATE KEY-----\nand more\n");
            let redactor = Redactor::built_in();
            let hidden = redactor.text(&text).0.into_owned();
            assert!(!hidden.contains(&wide[..20]), "{hidden}");
            for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
                let (mut stream, mut shown) = (redactor.stream(), String::new());
                stream.push(&text[..cut], &mut |ready| shown += ready);
                stream.push(&text[cut..], &mut |ready| shown += ready);
                stream.finish(&mut |ready| shown += ready);
                assert_eq!(shown, hidden, "cut at {cut}");
            }
        }
    }
}
