//! Session keys: `agent:<id>:main`, `agent:<id>:subagent:…`, `agent:<id>:<channel>:group:<id>` and any other text.

use super::name::{agent_id, trim};

/// A session key, taken apart. Empty parts count for nothing, markers are compared without regard to case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionKey<'a> {
    raw: &'a str,
    agent: Option<&'a str>,
    rest: Vec<&'a str>,
}

impl<'a> SessionKey<'a> {
    /// Takes a key apart; every text is a key.
    pub fn parse(raw: &'a str) -> Self {
        let raw = trim(raw);
        let parts: Vec<&str> = raw.split(':').filter(|p| !p.is_empty()).collect();
        match parts.as_slice() {
            [head, id, rest @ ..] if head.eq_ignore_ascii_case("agent") && !rest.is_empty() => Self {
                raw,
                agent: Some(id),
                rest: rest.to_vec(),
            },
            _ => Self {
                raw,
                agent: None,
                rest: parts,
            },
        }
    }

    /// The normalised agent id that the key names.
    pub fn agent(&self) -> Option<String> {
        self.agent.map(agent_id)
    }

    /// Whether it is a main session: none, `main`, or `agent:<id>:main`.
    pub fn is_main(&self) -> bool {
        self.raw.is_empty() || matches!(self.rest.as_slice(), [only] if only.eq_ignore_ascii_case("main"))
    }

    /// The key under its one name: a main session is `agent:<id>:main`, of the agent that it names or else of `agent`.
    pub fn one_name(&self, agent: &str) -> String {
        if self.is_main() {
            format!("agent:{}:main", self.agent().unwrap_or_else(|| agent.to_owned()))
        } else {
            self.raw.to_owned()
        }
    }

    /// The sub-agent's key in front of the last `:subagent:<name>` of a sub-agent's sub-agent:
    /// `agent:<id>:subagent:<a>` of `agent:<id>:subagent:<a>:subagent:<b>`.
    pub fn parent(&self) -> Option<&'a str> {
        let pairs = self.rest.chunks(2);
        let nested = self.agent.is_some()
            && self.rest.len() >= 4
            && pairs
                .into_iter()
                .all(|pair| pair.len() == 2 && pair.first() == Some(&"subagent"));
        let end = self.raw.rfind(":subagent:").filter(|_| nested)?;
        self.raw.get(..end)
    }

    /// Whether it is a sub-agent's key.
    pub fn is_subagent(&self) -> bool {
        self.rest.len() > 1 && self.rest.first().is_some_and(|p| p.eq_ignore_ascii_case("subagent"))
    }

    /// How deep the sub-agent stands; 0 for a key that has no sub-agent below an agent.
    pub fn depth(&self) -> u32 {
        let count = self.raw.to_lowercase().matches(":subagent:").count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The channel that the key names: that of a group, or of a conversation with one person.
    pub fn channel(&self) -> Option<String> {
        let of_one = |kind: &str| ["dm", "direct"].iter().any(|word| kind.eq_ignore_ascii_case(word));
        match self.rest.as_slice() {
            [channel, kind, _, ..] if of_one(kind) => Some((*channel).to_owned()),
            _ => self.group().map(|(channel, _)| channel),
        }
    }

    /// The thread or topic that the key names.
    pub fn thread(&self) -> Option<String> {
        let marks = |part: &str| ["thread", "topic"].iter().any(|word| part.eq_ignore_ascii_case(word));
        let at = self.rest.iter().rposition(|part| marks(part)).filter(|at| *at > 0)?;
        let id = self.rest.get(at + 1..)?.join(":");
        (!id.is_empty()).then_some(id)
    }

    /// The channel and the group id that the key names; a `:thread:` suffix is no part of it.
    pub fn group(&self) -> Option<(String, String)> {
        let mut body = self.rest.as_slice();
        if let [head, rest @ ..] = body
            && head.eq_ignore_ascii_case("subagent")
        {
            body = rest;
        }
        let [channel, kind, rest @ ..] = body else {
            return None;
        };
        if !kind.eq_ignore_ascii_case("group") && !kind.eq_ignore_ascii_case("channel") {
            return None;
        }
        let thread = rest.iter().rposition(|p| p.eq_ignore_ascii_case("thread"));
        let rest = match thread {
            Some(at) if at > 0 && at + 1 < rest.len() => rest.get(..at)?,
            _ => rest,
        };
        let id = rest.join(":");
        (!id.is_empty()).then(|| ((*channel).to_owned(), id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agent_and_main() {
        assert_eq!(SessionKey::parse("Agent:Work:main").agent().as_deref(), Some("work"));
        assert_eq!(SessionKey::parse("agent:work").agent(), None);
        for main in ["", "main", "agent:x:main", " agent:x:MAIN "] {
            assert!(SessionKey::parse(main).is_main(), "{main}");
        }
        for other in ["agent:main", "agent:x:main:y", "s1"] {
            assert!(!SessionKey::parse(other).is_main(), "{other}");
        }
    }

    #[test]
    fn depth_counts_nested_subagents() {
        let key = SessionKey::parse("agent:main:subagent:a:subagent:b");
        assert_eq!((key.depth(), key.is_subagent()), (2, true));
        let bare = SessionKey::parse("subagent:x");
        assert_eq!((bare.depth(), bare.is_subagent()), (0, true));
        assert!(!SessionKey::parse("agent:main:main").is_subagent());
    }

    #[test]
    fn groups_keep_their_case_and_lose_their_thread() {
        let key = SessionKey::parse("agent:m:Telegram:group:-100Abc:thread:7");
        assert_eq!(key.group(), Some(("Telegram".to_owned(), "-100Abc".to_owned())));
        assert_eq!(key.thread().as_deref(), Some("7"));
        let topic = SessionKey::parse("telegram:group:-1:topic:4");
        assert_eq!(topic.thread().as_deref(), Some("4"));
        assert_eq!(SessionKey::parse("agent:m:telegram:group:-1:thread").thread(), None);
        assert_eq!(topic.group().unwrap().1, "-1:topic:4");
        assert_eq!(SessionKey::parse("telegram:dm:1").group(), None);
    }
}
