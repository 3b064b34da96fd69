//! Classes of bytes as small tables, of a size in which a processor looks up many bytes in one step: what the lower four bits
//! of a byte allow and what the upper four do, what each byte below 128 is, or what it is but for the case of letters.

/// A table for the lower four bits of a byte and one for the upper four: what both have is the byte's class, or more where
/// the bytes of a class share such bits with others. The exact classes of the bytes below 128. And those of all bytes that
/// differ in their case alone.
#[derive(Clone, Copy)]
pub(super) struct Classes {
    pub(super) low: [u8; 16],
    pub(super) high: [u8; 16],
    pub(super) exact: [u8; 128],
    pub(super) folded: [u8; 64],
}

impl Classes {
    pub(super) const NONE: Self = Self {
        low: [0; 16],
        high: [0; 16],
        exact: [0; 128],
        folded: [0; 64],
    };

    /// With one more byte of a class.
    pub(super) const fn with(mut self, class: u8, byte: u8) -> Self {
        const fn add(slots: &mut [u8], place: u8, class: u8) {
            if let Some((_, slots)) = slots.split_at_mut_checked(place as usize)
                && let Some((slot, _)) = slots.split_first_mut()
            {
                *slot |= class;
            }
        }
        add(&mut self.low, byte & 15, class);
        add(&mut self.high, byte >> 4, class);
        add(&mut self.exact, byte, class);
        if byte < 128 {
            add(&mut self.folded, fold(byte), class);
        }
        self
    }

    /// With a byte of a class whatever its bit `0x20` is: a letter in both cases.
    pub(super) const fn with_both(self, class: u8, byte: u8) -> Self {
        self.with(class, byte | 0x20).with(class, byte & !0x20)
    }

    /// With all bytes from one to another of a class.
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
        self.exact.get(usize::from(byte)).copied().unwrap_or_else(|| {
            let low = self.low.get(usize::from(byte & 15)).copied().unwrap_or(0);
            let high = self.high.get(usize::from(byte >> 4)).copied().unwrap_or(0);
            low & high
        })
    }
}

/// The bits of a byte but the highest one and the one that is set in letters in lower case, which is where the next one goes.
pub(super) const fn fold(byte: u8) -> u8 {
    byte & 0x1f | byte >> 1 & 0x20
}
