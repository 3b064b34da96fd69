use super::bound::visible_part;
use super::sight::{Sight, View};
use super::{Sessions, kind};
use crate::config::SessionVisibility;
use proptest::prelude::*;
use serde_json::{Value, json};

const VISIBILITIES: [SessionVisibility; 4] = [
    SessionVisibility::Own,
    SessionVisibility::Tree,
    SessionVisibility::Agent,
    SessionVisibility::All,
];

fn sessions(own: &str, agent: &str, visibility: SessionVisibility) -> Sessions {
    Sessions {
        view: View::new(own.to_owned(), agent, visibility),
        logs: Vec::new(),
    }
}

#[test]
fn kinds_are_told_by_keys() {
    for (key, word) in [
        ("agent:main:main", "main"),
        ("agent:main:telegram:group:-1", "group"),
        ("agent:main:cron:job1", "cron"),
        ("hook:x", "hook"),
        ("agent:main:subagent:a", "other"),
    ] {
        assert_eq!(kind(key), word, "{key}");
    }
}

#[test]
fn what_cannot_be_read_is_withheld() {
    for answer in [
        None,
        Some(json!("text")),
        Some(json!(5)),
        Some(json!({"lines": ["secret"]})),
        Some(json!({})),
    ] {
        let all = sessions("agent:main:main", "main", SessionVisibility::All);
        let told = visible_part(all, "sessions_history", Sight::Text, answer.clone());
        assert!(told.is_err(), "{answer:?}");
    }
    // A row that does not say which session it is, and an answer about another session than the one that was asked for.
    let all = sessions("agent:main:main", "main", SessionVisibility::Tree);
    let rows = json!({"sessions": [{"messages": [{"role": "user", "content": "secret"}]}, "secret", 5]});
    let seen = visible_part(all, "sessions_list", Sight::Text, Some(rows)).unwrap();
    assert_eq!(seen, json!({"count": 0, "sessions": []}));
    let all = sessions("agent:main:main", "main", SessionVisibility::Tree);
    let other = json!({"sessionKey": "agent:other:main", "messages": [{"role": "user", "content": "secret"}]});
    assert!(visible_part(all, "sessions_history", Sight::Text, Some(other)).is_err());
}

#[test]
fn output_of_tools_is_measured_in_ones_own_session_too() {
    let messages = json!([
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": [
            {"type": "text", "text": "I look"},
            {"type": "toolCall", "name": "exec", "arguments": {"command": "ls"}},
            {"type": "tool_result", "content": "secret"},
            {"type": "image", "data": "secret"},
        ]},
        {"role": "toolResult", "toolName": "exec", "content": [{"type": "text", "text": "secret"}], "isError": false},
        {"role": "tool", "content": "secret", "details": {"aggregated": "secret"}},
        {"role": "Function", "content": "secret"},
        {"content": "secret"},
        "secret",
    ]);
    let all = sessions("agent:main:main", "main", SessionVisibility::Own);
    let seen = visible_part(all, "sessions_history", Sight::Text, Some(messages)).unwrap();
    let text = seen.to_string();
    assert!(!text.contains("secret"), "{seen:#}");
    for word in ["hello", "I look", "\"command\":\"ls\"", "\"toolName\":\"exec\""] {
        assert!(text.contains(word), "{word}: {seen:#}");
    }
    assert_eq!(seen["messages"].as_array().unwrap().len(), 7);
}

proptest! {
    /// Whatever a bound tool says of a random forest: words come through of the caller's tree alone, keys of what may be
    /// seen alone, and output of tools never.
    #[test]
    fn a_bound_list_is_held_to_the_same(parents in proptest::collection::vec(0_usize..10, 10), own in 0_usize..10) {
        let key = |n: usize| format!("agent:{}:direct:s{n}-", ["main", "work"][n % 2]);
        let rows: Vec<Value> = (0..10)
            .map(|n| {
                let parent = (n > 0).then(|| key(parents[n] % n));
                json!({
                    "key": key(n), "spawnedBy": parent, "label": format!("words{n}-"), "last": {"text": format!("words{n}-")},
                    "messages": [
                        {"role": "user", "content": format!("words{n}-")},
                        {"role": "assistant", "content": [{"type": "text", "text": format!("words{n}-")}]},
                        {"role": "toolResult", "content": format!("output{n}-")},
                    ],
                })
            })
            .collect();
        let mut below = [false; 10];
        below[own] = true;
        for n in 1..10 {
            below[n] |= below[parents[n] % n];
        }
        for visibility in VISIBILITIES {
            let agent = ["main", "work"][own % 2];
            let all = sessions(&key(own), agent, visibility);
            let seen = visible_part(all, "sessions_list", Sight::Text, Some(json!({"sessions": rows}))).unwrap();
            let text = seen.to_string();
            prop_assert!(!text.contains("output"));
            for (n, below) in below.iter().copied().enumerate() {
                let words = match visibility {
                    SessionVisibility::Own => n == own,
                    _ => below,
                };
                let there = words || match visibility {
                    SessionVisibility::Own | SessionVisibility::Tree => false,
                    SessionVisibility::Agent => n % 2 == own % 2,
                    SessionVisibility::All => true,
                };
                prop_assert_eq!(text.contains(&format!("words{n}-")), words, "{} {:?}", n, visibility);
                prop_assert_eq!(text.contains(&key(n)), there, "{} {:?}", n, visibility);
            }
            // The same session alone.
            for (n, row) in rows.iter().enumerate() {
                let view = |v| {
                    let mut all = sessions(&key(own), agent, v);
                    for (n, parent) in parents.iter().enumerate().skip(1) {
                        all.view.started(&key(n), &key(parent % n));
                    }
                    all
                };
                let sight = view(visibility).view.sight(&key(n), None);
                let one = visible_part(view(visibility), "sessions_history", sight, Some(json!({"messages": row["messages"]})));
                let text = one.map(|one| one.to_string()).unwrap_or_default();
                prop_assert!(!text.contains("output"));
                prop_assert_eq!(text.contains("words"), sight == Sight::Text);
            }
        }
    }
}
