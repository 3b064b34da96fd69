//! Two policies against each other: every call of a corpus that they decide differently, and every setting that limits what an
//! allowed call may do.
//!
//! | what | file |
//! |---|---|
//! | 500 everyday and hostile calls | `corpus` (`calls.txt` is the data) |
//! | settings that limit what is allowed | `bounds` |
//! | a configuration as it was in a revision of git | `revision` |
//! | the changes for a pull request | `markdown` |

mod bounds;
mod corpus;
mod markdown;
mod revision;

pub use bounds::bounds;
pub use corpus::{CorpusCall, corpus};
pub use markdown::markdown;
pub use revision::at_revision;

use crate::expect::Judged;
use crate::model::Verdict;

/// Which way a change goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// More may run, or with less to hold it.
    Looser,
    /// Less may run, or with more to hold it.
    Stricter,
    /// The decision stays, and its reason is another one.
    Other,
}

impl Direction {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Looser => "looser",
            Self::Stricter => "stricter",
            Self::Other => "other",
        }
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The agent.
    pub agent: String,
    /// Where the call comes from: `tools`, `settings`, `tests`, `everyday`, `hostile`, `log`.
    pub corpus: &'static str,
    /// The call, the tool or the setting.
    pub subject: String,
    /// What is decided before, and why.
    pub before: (String, String),
    /// What is decided after, and why.
    pub after: (String, String),
    /// Which way it goes.
    pub direction: Direction,
}

/// What a decision is called: where a sandbox is the reason why a call may run, that is said.
fn word(judged: &Judged) -> String {
    let contained = if judged.contained { " (only in the sandbox)" } else { "" };
    format!("{}{contained}", judged.decision.as_str())
}

/// How much a decision holds back: more is stricter.
fn rank(judged: &Judged) -> u8 {
    match (judged.decision, judged.contained) {
        (Verdict::Allow, false) => 0,
        (Verdict::Allow, true) => 1,
        (Verdict::Ask, _) => 2,
        (Verdict::Deny, _) => 3,
    }
}

/// The difference between two decisions about a call; none where it is the same decision for the same reason.
pub fn difference(
    agent: &str,
    (corpus, subject): (&'static str, &str),
    before: &Judged,
    after: &Judged,
) -> Option<Change> {
    let direction = match rank(after).cmp(&rank(before)) {
        std::cmp::Ordering::Less => Direction::Looser,
        std::cmp::Ordering::Greater => Direction::Stricter,
        std::cmp::Ordering::Equal if before.code == after.code => return None,
        std::cmp::Ordering::Equal => Direction::Other,
    };
    let told = |judged: &Judged| (word(judged), judged.code.as_str().to_owned());
    Some(Change {
        agent: agent.to_owned(),
        corpus,
        subject: subject.to_owned(),
        before: told(before),
        after: told(after),
        direction,
    })
}
