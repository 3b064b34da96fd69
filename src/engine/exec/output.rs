//! The output of a command: both streams as they come, bounded, and live where somebody looks.

use super::super::Live;
use crate::process::{HeadTail, Sink, Stream};

/// Bytes of the beginning that are kept; the end is what usually matters.
const HEAD: usize = 64 * 1024;

/// Both streams in the order in which they came.
pub(super) struct Aggregate<'a, 'l> {
    kept: HeadTail,
    max_chars: usize,
    live: Option<&'a Live<'l>>,
}

/// What was kept of it.
pub(super) struct Output {
    pub(super) text: String,
    pub(super) truncated: bool,
    pub(super) total: u64,
}

impl<'a, 'l> Aggregate<'a, 'l> {
    pub(super) fn new(max_chars: usize, live: Option<&'a Live<'l>>) -> Self {
        Self {
            // A character has at most four bytes.
            kept: HeadTail::new(HEAD, max_chars.saturating_mul(4).min(4 << 20)),
            max_chars,
            live,
        }
    }

    /// The text, its end where there is too much.
    pub(super) fn finish(self) -> Output {
        let kept = self.kept.finish();
        let whole = kept.dropped == 0;
        let bytes = if whole { kept.bytes() } else { kept.tail };
        let text = String::from_utf8_lossy(&bytes);
        let count = text.chars().count();
        let cut = count.saturating_sub(self.max_chars);
        let text: String = if cut == 0 {
            text.into_owned()
        } else {
            text.chars().skip(cut).collect()
        };
        Output {
            text,
            truncated: !whole || cut > 0,
            total: kept.total,
        }
    }
}

impl Sink for Aggregate<'_, '_> {
    fn take(&mut self, _: Stream, bytes: &[u8]) {
        self.kept.push(bytes);
        if let Some(live) = self.live {
            live.push(bytes);
        }
    }
}
