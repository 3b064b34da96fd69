//! What a session remembers of its calls. Pure; bounded by construction.

use super::attempt::{Attempt, Digest, Seen};
use super::detect::{Finding, Level, detect};
use super::limits::LoopLimits;

/// How many warnings are remembered as told.
const MAX_WARNINGS: usize = 256;

/// One call that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) name: String,
    pub(super) args: Digest,
    pub(super) id: Digest,
    /// Set when its outcome is known.
    pub(super) result: Option<Digest>,
    pub(super) unknown: Option<String>,
}

/// The recent calls of one session, oldest first, and the warnings that were told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    pub(super) records: Vec<Record>,
    /// Key of a warning and the bucket in which it was last told, oldest first.
    pub(super) warned: Vec<(String, u64)>,
}

/// What detection says to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// Nothing.
    Clear,
    /// A loop that was told already, or need not be told yet.
    Quiet(Finding),
    /// The model is to be told.
    Warn(Finding),
    /// The call must not be made. It is not remembered.
    Block(Finding),
}

impl Judged {
    /// The loop that was noticed.
    pub fn finding(&self) -> Option<&Finding> {
        match self {
            Self::Clear => None,
            Self::Quiet(finding) | Self::Warn(finding) | Self::Block(finding) => Some(finding),
        }
    }
}

impl History {
    /// Judges a call without remembering it.
    pub fn judge(&self, attempt: &Attempt, limits: &LoopLimits) -> Judged {
        let Some(finding) = detect(&self.records, attempt, limits) else {
            return Judged::Clear;
        };
        if finding.level == Level::Critical {
            return Judged::Block(finding);
        }
        let told = self.warned.iter().find(|(key, _)| *key == finding.key);
        // A warning is told at its threshold, and again in each new bucket.
        if told.is_none_or(|(_, last)| finding.bucket() > *last) {
            Judged::Warn(finding)
        } else {
            Judged::Quiet(finding)
        }
    }

    /// Judges a call and, unless it is blocked, remembers it.
    pub fn begin(&mut self, attempt: &Attempt, limits: &LoopLimits) -> Judged {
        let judged = self.judge(attempt, limits);
        match &judged {
            Judged::Block(_) => return judged,
            Judged::Warn(finding) => self.told(finding.key.clone(), finding.bucket()),
            Judged::Clear | Judged::Quiet(_) => {}
        }
        self.push(Record::of(attempt), limits.history);
        judged
    }

    /// How many facts it holds.
    pub(super) fn size(&self) -> usize {
        self.records.len() + self.warned.len()
    }

    /// Remembers what came of a call.
    pub fn end(&mut self, attempt: &Attempt, seen: Seen, limits: &LoopLimits) {
        self.outcome(
            Record {
                result: Some(seen.result),
                unknown: seen.unknown,
                ..Record::of(attempt)
            },
            limits.history,
        );
    }

    /// Sets the outcome of the newest open record of the same call; one that was forgotten meanwhile is new.
    pub(super) fn outcome(&mut self, ended: Record, size: usize) {
        let open = self.records.iter_mut().rev().find(|record| {
            record.result.is_none() && record.id == ended.id && record.name == ended.name && record.args == ended.args
        });
        match open {
            Some(record) => *record = ended,
            None => self.push(ended, size),
        }
    }

    pub(super) fn push(&mut self, record: Record, size: usize) {
        self.records.push(record);
        let excess = self.records.len().saturating_sub(size);
        self.records.drain(..excess);
    }

    pub(super) fn told(&mut self, key: String, bucket: u64) {
        if let Some(entry) = self.warned.iter_mut().find(|(known, _)| *known == key) {
            entry.1 = bucket;
            return;
        }
        self.warned.push((key, bucket));
        let excess = self.warned.len().saturating_sub(MAX_WARNINGS);
        self.warned.drain(..excess);
    }
}

impl Record {
    pub(super) fn of(attempt: &Attempt) -> Self {
        Self {
            name: attempt.name.clone(),
            args: attempt.args.clone(),
            id: attempt.id.clone(),
            result: None,
            unknown: None,
        }
    }
}
