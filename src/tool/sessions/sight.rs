//! Who sees what of a session: pure, so that own tools and bound ones are held to the same.

use crate::config::SessionVisibility;
use crate::model::SessionKey;
use std::collections::HashMap;

/// Sub-agents stand no deeper than this.
const DEPTH: usize = 64;

/// How much of a session may be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
    /// Nothing, not even that it is there.
    Nothing,
    /// That it is there, and of its messages role, tool and size.
    Shape,
    /// The text of its messages as well. What tools gave back is never among it.
    Text,
}

/// What one session sees of the others.
#[derive(Debug, Clone)]
pub struct View {
    own: String,
    agent: String,
    visibility: SessionVisibility,
    /// The session that started each.
    parents: HashMap<String, String>,
}

impl View {
    /// What `own`, a session of `agent`, sees.
    pub fn new(own: String, agent: &str, visibility: SessionVisibility) -> Self {
        Self {
            own,
            agent: agent.to_owned(),
            visibility,
            parents: HashMap::new(),
        }
    }

    /// Notes which session started another. The first word about it counts.
    pub fn started(&mut self, child: &str, parent: &str) {
        self.parents
            .entry(child.to_owned())
            .or_insert_with(|| parent.to_owned());
    }

    /// A key as it was written, under its one name.
    pub fn name(&self, given: &str) -> String {
        SessionKey::parse(given).one_name(&self.agent)
    }

    /// The caller's own session.
    pub fn own(&self) -> &str {
        &self.own
    }

    /// What is seen of a session, by its one name. `agent`: whose it is, where that is known.
    pub fn sight(&self, key: &str, agent: Option<&str>) -> Sight {
        if key == self.own {
            return Sight::Text;
        }
        if self.visibility == SessionVisibility::Own {
            return Sight::Nothing;
        }
        if self.is_below(key) {
            return Sight::Text;
        }
        let named = SessionKey::parse(key).agent();
        // What a key says of its agent and what is known of it must be the same.
        let mut said = named.as_deref().into_iter().chain(agent).peekable();
        let of_own_agent = said.peek().is_some() && said.all(|agent| agent == self.agent);
        match self.visibility {
            SessionVisibility::All => Sight::Shape,
            SessionVisibility::Agent if of_own_agent => Sight::Shape,
            SessionVisibility::Agent | SessionVisibility::Tree | SessionVisibility::Own => Sight::Nothing,
        }
    }

    /// Whether a session was started by the caller's, or by one that was.
    fn is_below(&self, key: &str) -> bool {
        let mut at = key;
        for _ in 0..DEPTH {
            let noted = self.parents.get(at).map(String::as_str);
            match noted.or_else(|| SessionKey::parse(at).parent()) {
                Some(parent) if parent == self.own => return true,
                Some(parent) => at = parent,
                None => return false,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn view(own: &str, visibility: SessionVisibility, parents: &[(&str, &str)]) -> View {
        let agent = SessionKey::parse(own).agent().unwrap();
        let mut view = View::new(own.to_owned(), &agent, visibility);
        for (child, parent) in parents {
            view.started(child, parent);
        }
        view
    }

    #[test]
    fn a_tree_is_what_was_started_from_it() {
        use SessionVisibility::{Agent, All, Own, Tree};
        let parents = [
            ("agent:main:subagent:a", "agent:main:main"),
            ("agent:work:subagent:b", "agent:main:subagent:a"),
            ("s1", "agent:other:main"),
        ];
        let rows = [
            ("agent:main:main", [Sight::Text, Sight::Text, Sight::Text, Sight::Text]),
            (
                "agent:main:subagent:a",
                [Sight::Nothing, Sight::Text, Sight::Text, Sight::Text],
            ),
            (
                "agent:work:subagent:b",
                [Sight::Nothing, Sight::Text, Sight::Text, Sight::Text],
            ),
            (
                "agent:main:subagent:a:subagent:c",
                [Sight::Nothing, Sight::Text, Sight::Text, Sight::Text],
            ),
            (
                "agent:main:telegram:group:1",
                [Sight::Nothing, Sight::Nothing, Sight::Shape, Sight::Shape],
            ),
            (
                "agent:main:subagent:x",
                [Sight::Nothing, Sight::Nothing, Sight::Shape, Sight::Shape],
            ),
            (
                "agent:other:main",
                [Sight::Nothing, Sight::Nothing, Sight::Nothing, Sight::Shape],
            ),
            ("s1", [Sight::Nothing, Sight::Nothing, Sight::Nothing, Sight::Shape]),
            // Names that only look like a sub-agent's.
            (
                "agent:main:main:subagent:z",
                [Sight::Nothing, Sight::Nothing, Sight::Shape, Sight::Shape],
            ),
        ];
        for (key, sights) in rows {
            for (visibility, sight) in [Own, Tree, Agent, All].into_iter().zip(sights) {
                let view = view("agent:main:main", visibility, &parents);
                assert_eq!(view.sight(key, None), sight, "{key} {visibility:?}");
            }
        }
        // A child does not see its parent, nor its sisters.
        let child = view("agent:main:subagent:a", Tree, &parents);
        assert_eq!(child.sight("agent:main:main", None), Sight::Nothing);
        assert_eq!(child.sight("agent:main:subagent:x", None), Sight::Nothing);
        assert_eq!(child.sight("agent:work:subagent:b", None), Sight::Text);
        // Whose a session is must be known, and must be one answer.
        let agent = view("agent:main:main", Agent, &[]);
        assert_eq!(agent.sight("s2", None), Sight::Nothing);
        assert_eq!(agent.sight("s2", Some("main")), Sight::Shape);
        assert_eq!(agent.sight("agent:other:main", Some("main")), Sight::Nothing);
    }

    #[test]
    fn circles_end() {
        let parents = [("a", "b"), ("b", "a"), ("c", "c")];
        let view = view("agent:main:main", SessionVisibility::Tree, &parents);
        for key in ["a", "b", "c"] {
            assert_eq!(view.sight(key, None), Sight::Nothing);
        }
    }

    proptest! {
        /// Over random forests: text is seen of one's own and of what stands below it alone; a wider visibility never
        /// shows less, and adds shapes only.
        #[test]
        fn text_is_of_the_tree_alone(parents in proptest::collection::vec(0_usize..12, 12), own in 0_usize..12) {
            use SessionVisibility::{Agent, All, Own, Tree};
            let key = |n: usize| format!("agent:{}:direct:s{n}", ["main", "work", "third"][n % 3]);
            let mut below = [false; 12];
            below[own] = true;
            // A parent is an older session; the first has none.
            let parent = |n: usize| (n > 0).then(|| parents[n] % n);
            for n in 0..12 {
                if parent(n).is_some_and(|p| below[p]) {
                    below[n] = true;
                }
            }
            let of = |visibility| {
                let own_key = key(own);
                let mut view = View::new(own_key.clone(), &SessionKey::parse(&own_key).agent().unwrap(), visibility);
                for n in 0..12 {
                    if let Some(p) = parent(n) {
                        view.started(&key(n), &key(p));
                    }
                }
                view
            };
            for (n, below) in below.into_iter().enumerate() {
                let sights = [Own, Tree, Agent, All].map(|v| of(v).sight(&key(n), None));
                prop_assert!(sights.is_sorted(), "{n} {sights:?}");
                prop_assert_eq!(sights[0], if n == own { Sight::Text } else { Sight::Nothing });
                for sight in &sights[1..] {
                    prop_assert_eq!(*sight == Sight::Text, below);
                }
                prop_assert_eq!(sights[1] != Sight::Nothing, below);
                prop_assert_eq!(sights[2] != Sight::Nothing, below || n % 3 == own % 3);
                prop_assert!(sights[3] != Sight::Nothing);
            }
        }
    }
}
