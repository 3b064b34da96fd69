//! A digest of what was learnt of a machine.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// SHA-256 over a set of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observation([u8; 32]);

impl Observation {
    /// Of what a hasher was given.
    pub(super) fn new(hasher: Sha256) -> Self {
        Self(hasher.finalize().into())
    }

    /// Over parts that hold no zero byte.
    pub(crate) fn over<'p>(parts: impl Iterator<Item = &'p [u8]>) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
            hasher.update([0]);
        }
        Self::new(hasher)
    }

    /// The digest itself.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// In hexadecimal digits.
    pub fn hex(&self) -> String {
        let mut text = String::with_capacity(64);
        for byte in self.0 {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}
