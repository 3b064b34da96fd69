//! The same redaction for text that comes in pieces.
//!
//! A piece is given out once nothing that follows can change how it is judged: at the end of a line, and not inside what
//! may be a key block. So the pieces given out, put together, are exactly the redacted whole text.

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
}

impl<'a> Stream<'a> {
    pub(super) fn new(redactor: &'a Redactor) -> Self {
        Self {
            redactor,
            pending: String::new(),
            searched: 0,
            dropping: false,
            whole: redactor.spans_lines(),
        }
    }

    /// Takes more text; gives what can be shown by now.
    pub fn push(&mut self, text: &str) -> String {
        let mut text = text;
        if self.dropping {
            let Some((_, rest)) = text.split_once('\n') else {
                return String::new();
            };
            self.dropping = false;
            text = rest;
        }
        self.pending.push_str(text);
        let fresh = self.pending.get(self.searched..).unwrap_or_default();
        let line_ended = fresh.contains('\n');
        self.searched = self.pending.len();
        if self.whole && self.pending.len() <= MAX_LINE {
            return String::new(); // a pattern of the configuration may match over lines
        }
        let mut shown = String::new();
        if line_ended || self.whole {
            let ready = self.ready();
            self.show(ready, &mut shown);
        }
        if self.pending.len() > MAX_LINE && !self.pending.contains('\n') {
            shown.push_str(WITHHELD);
            self.pending.clear();
            self.searched = 0;
            self.dropping = true;
        }
        shown
    }

    /// The rest, when no more comes.
    pub fn finish(mut self) -> String {
        let mut shown = String::new();
        let all = self.pending.len();
        self.show(all, &mut shown);
        shown
    }

    /// How many bytes are made of complete units.
    fn ready(&self) -> usize {
        let mut end = 0;
        while let Some(unit) = self
            .pending
            .as_bytes()
            .get(end..)
            .and_then(|rest| unit::next(rest, More::MayCome))
        {
            end += unit.len;
        }
        end
    }

    fn show(&mut self, end: usize, shown: &mut String) {
        let Some(text) = self.pending.get(..end).filter(|t| !t.is_empty()) else {
            return;
        };
        let spans = self.redactor.spans(text);
        shown.push_str(&apply(text, &spans));
        self.pending.drain(..end);
        self.searched = self.pending.len();
    }
}
