//! Classes of bytes as two small tables: what the lower four bits of a byte allow, and what the upper four do. A processor
//! looks up thirty-two bytes in such a table in one step.

/// A table for the lower four bits of a byte and one for the upper four: what both have is the byte's class.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) low: [u8; 16],
    pub(super) high: [u8; 16],
}

impl Pair {
    pub(super) const NONE: Self = Self {
        low: [0; 16],
        high: [0; 16],
    };

    /// With one more byte of a class.
    pub(super) const fn with(mut self, class: u8, byte: u8) -> Self {
        let (low, high) = (byte & 15, byte >> 4);
        if let Some((_, slots)) = self.low.split_at_mut_checked(low as usize)
            && let Some((slot, _)) = slots.split_first_mut()
        {
            *slot |= class;
        }
        if let Some((_, slots)) = self.high.split_at_mut_checked(high as usize)
            && let Some((slot, _)) = slots.split_first_mut()
        {
            *slot |= class;
        }
        self
    }

    /// With all bytes from one to another of a class, which have the same upper four bits.
    pub(super) const fn range(mut self, class: u8, from: u8, to: u8) -> Self {
        let mut byte = from;
        while byte < to {
            self = self.with(class, byte);
            byte += 1;
        }
        self.with(class, to)
    }

    /// The classes of a byte.
    pub(super) fn of(&self, byte: u8) -> u8 {
        let low = self.low.get(usize::from(byte & 15)).copied().unwrap_or(0);
        let high = self.high.get(usize::from(byte >> 4)).copied().unwrap_or(0);
        low & high
    }
}
