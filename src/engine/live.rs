//! A command's output while it runs, for somebody who looks: clean, and without secrets.

use crate::result::redact::Stream;
use crate::result::sanitise::{Decoder, clean};
use crate::result::{Kind, Redactor};
use std::cell::RefCell;

/// Shows output as it comes.
pub struct Live<'a> {
    state: RefCell<State<'a>>,
}

struct State<'a> {
    decoder: Decoder,
    stream: Option<Stream<'a>>,
    show: Box<dyn FnMut(&str) + 'a>,
    shown: bool,
}

impl<'a> Live<'a> {
    /// Hands every piece that can be shown to `show`.
    pub fn new(redactor: &'a Redactor, show: impl FnMut(&str) + 'a) -> Self {
        Self {
            state: RefCell::new(State {
                decoder: Decoder::default(),
                stream: Some(redactor.stream()),
                show: Box::new(show),
                shown: false,
            }),
        }
    }

    /// Takes the next bytes of the output.
    pub(super) fn push(&self, bytes: &[u8]) {
        let mut state = self.state.borrow_mut();
        let text = state.decoder.push(bytes);
        state.pass(&text);
    }

    /// Shows what was held back. Returns whether anything was shown at all.
    pub fn finish(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let rest = std::mem::take(&mut state.decoder).finish();
        state.pass(&rest);
        if let Some(stream) = state.stream.take() {
            let rest = stream.finish();
            state.give(&rest);
        }
        state.shown
    }
}

impl State<'_> {
    fn pass(&mut self, text: &str) {
        let clean = clean(text, Kind::Command).text;
        if let Some(stream) = &mut self.stream {
            let ready = stream.push(&clean);
            self.give(&ready);
        }
    }

    fn give(&mut self, text: &str) {
        if !text.is_empty() {
            self.shown = true;
            (self.show)(text);
        }
    }
}

impl std::fmt::Debug for Live<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Live")
    }
}
