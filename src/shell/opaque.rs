//! Why a text was not understood: a class for programs, a sentence for people, a place for both.

use super::Span;
use std::fmt;

/// The class of what stopped the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Why {
    /// Longer, deeper or wider than is read at all.
    Limit,
    /// A character that has no business outside quotes.
    Character,
    /// Not a sentence of the shell's language, or not one that every reader reads alike.
    Syntax,
    /// Belongs to another shell than the one that would run it.
    Dialect,
    /// A construct that is known and not followed: functions, background jobs and the like.
    Construct,
    /// An expansion whose result may be read as code or cannot be decoded.
    Expansion,
    /// Arithmetic over something that is not proven a number.
    Arithmetic,
    /// A builtin that runs text as code or changes how later text is read.
    Builtin,
    /// Which variable is set is known only at run time.
    RuntimeName,
    /// Which program runs is known only at run time.
    RuntimeProgram,
}

/// "Cannot tell": the answer for every text that is not understood in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opaque {
    /// The class.
    pub why: Why,
    /// What part is the problem, for a person: lower case, no full stop.
    pub sentence: String,
    /// Where it stands in the command text.
    pub span: Span,
}

impl fmt::Display for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Opaque {}

/// Result of everything that may end in "cannot tell".
pub(super) type Known<T> = Result<T, Opaque>;

/// Builds the refusal.
pub(super) fn opaque<T>(why: Why, span: Span, sentence: impl Into<String>) -> Known<T> {
    Err(Opaque {
        why,
        sentence: sentence.into(),
        span,
    })
}
