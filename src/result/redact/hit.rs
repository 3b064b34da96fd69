//! What a rule has found.

use super::mask::Tail;
use super::name::Claim;

/// The place of a secret in what is looked at, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    /// First byte.
    pub(super) start: usize,
    /// First byte after it.
    pub(super) end: usize,
    /// What it is.
    pub(super) kind: &'static str,
    /// Whether its end may be shown.
    pub(super) tail: Tail,
}

impl Hit {
    /// What a machine issued.
    pub(super) fn issued((start, end): (usize, usize), kind: &'static str) -> Self {
        let tail = Tail::Shown;
        Self { start, end, kind, tail }
    }

    /// What a person may have chosen.
    pub(super) fn chosen((start, end): (usize, usize), kind: &'static str) -> Self {
        let tail = Tail::Hidden;
        Self { start, end, kind, tail }
    }

    /// By what the name claims.
    pub(super) fn claimed(place: (usize, usize), claim: Claim) -> Self {
        if claim.is_password() {
            Self::chosen(place, claim.kind)
        } else {
            Self::issued(place, claim.kind)
        }
    }
}

/// The texts of a line that a scan of it collects.
#[cfg(test)]
pub(super) fn texts(line: &str, scan: impl FnOnce(&mut dyn FnMut(Hit))) -> Vec<&str> {
    let mut all = Vec::new();
    scan(&mut |hit| all.push(&line[hit.start..hit.end]));
    all
}
