//! For which tools a hook is meant: policy patterns for toolctl's own protocol, Claude Code's rules for its protocol.

use super::protocol::claude_names;
use crate::catalog::goes_with;
use crate::config::{HookEntry, HookProtocol};
use regex::Regex;

/// The names that tools have for Claude Code.
pub const CLAUDE_NAMES: &[&str] = &super::protocol::CLAUDE_NAMES;

/// How policy patterns are held against the name of a tool.
pub type Hits<'h> = dyn Fn(&str, &str) -> bool + 'h;

/// The hooks that are meant for a tool, in order.
pub fn matching<'h>(hooks: &'h [HookEntry], tool: &str, hits: &Hits<'_>) -> impl Iterator<Item = &'h HookEntry> {
    // One whose matcher cannot be read is meant for every tool.
    hooks
        .iter()
        .filter(move |hook| is_meant(hook, tool, hits).unwrap_or(true))
}

/// Whether a hook is meant for a tool.
///
/// # Errors
/// Its matcher cannot be read; it says why.
pub fn is_meant(hook: &HookEntry, tool: &str, hits: &Hits<'_>) -> Result<bool, String> {
    let Some(patterns) = hook.match_.as_ref().map(|m| m.value.as_str()) else {
        return Ok(true);
    };
    match hook.protocol {
        // A blank pattern means every tool, and patterns that hit a tool hit those that go with it, as in policy lists.
        HookProtocol::Native => Ok(patterns.trim().is_empty()
            || hits(patterns, tool)
            || goes_with(tool).is_some_and(|other| hits(patterns, other))),
        HookProtocol::ClaudeCode => {
            let matcher = Matcher::parse(patterns)?;
            Ok(claude_names(tool).iter().any(|name| matcher.hits(name)))
        }
    }
}

/// A matcher of Claude Code.
#[derive(Debug)]
enum Matcher {
    /// Every tool.
    All,
    /// These names, letter by letter.
    Names(Vec<String>),
    /// Names in which this is found.
    Found(Regex),
}

impl Matcher {
    fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() || text == "*" {
            return Ok(Self::All);
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ' | ',' | '|');
        if text.chars().all(plain) {
            let names = text.split(['|', ',']).map(|name| name.trim().to_owned());
            return Ok(Self::Names(names.filter(|name| !name.is_empty()).collect()));
        }
        Regex::new(text)
            .map(Self::Found)
            .map_err(|error| format!("is no regular expression that can be read here: {error}"))
    }

    fn hits(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Names(names) => names.iter().any(|one| one == name),
            Self::Found(pattern) => pattern.is_match(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn hits(text: &str, yes: &[&str], no: &[&str]) {
        let matcher = Matcher::parse(text).unwrap();
        let hit = |tool: &&&str| claude_names(tool).iter().any(|name| matcher.hits(name));
        assert_eq!(yes.iter().filter(hit).count(), yes.len(), "{text}");
        assert_eq!(no.iter().filter(hit).count(), 0, "{text}");
    }

    #[test]
    fn matchers_of_claude_code_are_names_lists_or_regular_expressions() {
        hits("", &["exec", "anything"], &[]);
        hits("*", &["exec", "anything"], &[]);
        hits("Bash", &["exec"], &["read", "anything"]);
        hits("Edit|Write", &["edit", "write", "apply_patch"], &["read"]);
        hits("Edit, Read", &["edit", "read"], &["write"]);
        hits(".*", &["exec", "anything"], &[]);
        hits("^Read$", &["read"], &["exec"]);
        hits("Web.*", &["web_fetch", "web_search"], &["exec"]);
        hits("mcp__.*", &[], &["exec"]);
        hits("bash", &[], &["exec"]);
        assert!(Matcher::parse("Bash(git *").is_err());
        assert!(Matcher::parse("(?!Bash).*").is_err());
    }
}
