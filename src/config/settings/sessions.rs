//! `tools.sessions`.

/// `tools.sessions.visibility`: which sessions the session tools show at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionVisibility {
    /// The caller's own.
    Own,
    /// Its own and its sub-agents', at any depth.
    Tree,
    /// Those of its agent, and its sub-agents'.
    Agent,
    /// Every session.
    All,
}

impl SessionVisibility {
    /// The value of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "self" => Self::Own,
            "tree" => Self::Tree,
            "agent" => Self::Agent,
            "all" => Self::All,
            _ => return None,
        })
    }
}
