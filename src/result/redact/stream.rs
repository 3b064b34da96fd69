//! The same redaction for text that comes in pieces.
//!
//! A piece is given out once nothing that follows can change how it is judged: at the end of a line, and not inside what
//! may be a key block. So the pieces given out, put together, are exactly the redacted whole text.

use super::bytes::{goes_on, line_start};
use super::line::Depth;
use super::memory::Expects;
use super::unit::{self, More};
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
            let ready = ready(text);
            let (now, later) = text.split_at_checked(ready).unwrap_or(("", text));
            self.show(now, show);
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
            let ready = ready(&pending);
            self.show(pending.get(..ready).unwrap_or_default(), show);
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
        self.show(&rest, show);
    }

    fn show(&mut self, text: &str, show: &mut dyn FnMut(&str)) {
        if text.is_empty() {
            return;
        }
        let spans = self.redactor.spans(text, Depth::All, &mut self.expects);
        if spans.is_empty() {
            show(text);
        } else {
            show(&apply(text, &spans));
        }
    }
}

/// How many bytes at the start are made of complete units.
fn ready(text: &str) -> usize {
    let text = text.as_bytes();
    let lines = line_start(text, text.len());
    let complete = text.get(..lines).unwrap_or_default();
    // Where no key block can be under way, the end of a line is the end of a unit.
    if !unit::may_hold_key(text) && !goes_on(complete) && !unit::ends_wide(complete) {
        return lines;
    }
    let mut end = 0;
    while let Some(unit) = text.get(end..).and_then(|rest| unit::next(rest, More::MayCome)) {
        end += unit.len;
    }
    end
}
