//! Whether a JSON value holds nothing to hide: all its texts are looked through at once, which costs a small part of
//! looking at one after another.

use super::filter::Look;
use super::gather::{Gather, Joined};
use super::line::Depth;
use super::memory::Expects;
use super::{Redaction, Redactor, unit};
use serde::Serialize;
use serde_json::{Map, Value};

impl Redactor {
    /// Whether the value is the same after redaction. Errs towards no.
    pub(super) fn is_clean(&self, value: &Value) -> bool {
        let mut joined = Joined::default();
        self.gathers(value, &mut joined) && self.holds_nothing(&joined)
    }

    /// The same of an object.
    pub(super) fn is_clean_map(&self, map: &Map<String, Value>) -> bool {
        let mut joined = Joined::default();
        self.gathers(map, &mut joined) && self.holds_nothing(&joined)
    }

    /// The same of several texts, of an object, and of a value as it would be written.
    pub fn are_clean<'t, T: Serialize + ?Sized>(
        &self,
        texts: impl Iterator<Item = &'t str>,
        map: &Map<String, Value>,
        value: &T,
    ) -> bool {
        let mut joined = Joined::default();
        texts.for_each(|text| joined.push(text));
        self.gathers(map, &mut joined) && self.gathers(value, &mut joined) && self.holds_nothing(&joined)
    }

    fn gathers<T: Serialize + ?Sized>(&self, value: &T, into: &mut Joined) -> bool {
        let gather = Gather {
            redactor: self,
            depth: 0,
            into,
        };
        value.serialize(gather).is_ok()
    }

    /// Whether none of the texts has anything to hide. The rules are asked of those alone that the filter tells of.
    fn holds_nothing(&self, joined: &Joined) -> bool {
        let text = joined.text.as_bytes();
        let mut start = 0;
        let mut own = joined.ends.iter().map(|(end, own)| {
            let from = std::mem::replace(&mut start, end + 1);
            (joined.text.get(from..*end).unwrap_or(""), *own)
        });
        if self.mode == Redaction::Off {
            return true;
        }
        if unit::may_hold_key(text) || !self.own.is_empty() && own.any(|(text, own)| own && self.own.finds(text)) {
            return false;
        }
        let mut look = Look::new(text, Depth::All);
        let mut from = 0;
        while let Some((place, _)) = look.next(from) {
            let index = joined.ends.partition_point(|(end, _)| *end < place);
            let Some((end, own)) = joined.ends.get(index) else {
                return false;
            };
            let start = index
                .checked_sub(1)
                .and_then(|before| joined.ends.get(before))
                .map_or(0, |(end, _)| end + 1);
            let one = joined.text.get(start..*end).unwrap_or("");
            if !own || !self.spans(one, Depth::All, &mut Expects::Nothing).is_empty() {
                return false;
            }
            from = end + 1;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::MAX_DEPTH;
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn leaf() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(json!(null)),
            Just(json!(12_345_678)),
            Just(json!("ghp_ABCDEFGHIJKLMNOPQRST1234567890")),
            Just(json!("sk-abcdEFGH12345678 and more")),
            Just(json!(
                "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
            )),
            Just(json!("curl -u me:hunter22 https://host")),
            Just(json!("-u")),
            Just(json!("curl")),
            Just(json!("me:hunter22")),
            Just(json!("--password")),
            Just(json!("hunter2Hunter2")),
            Just(json!("token:")),
            Just(json!("password=\\")),
            Just(json!("first\nAPI_KEY=abcd1234EFGH\nlast")),
            Just(json!("-----BEGIN PRIVATE KEY-----")),
            Just(json!("git status")),
            "[ -~]{0,20}".prop_map(Value::from),
        ]
    }

    fn tree() -> impl Strategy<Value = Value> {
        let name = prop_oneof![
            Just("name"),
            Just("key"),
            Just("value"),
            Just("password"),
            Just("text"),
            Just("a b")
        ];
        leaf().prop_recursive(4, 24, 5, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                proptest::collection::vec((name.clone(), inner), 0..5)
                    .prop_map(|pairs| pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_clean_stays_as_it_is(value in tree(), own in any::<bool>()) {
            let patterns = if own { vec!["/ABCD/".to_owned()] } else { Vec::new() };
            for mode in [Redaction::On, Redaction::Off] {
                let redactor = Redactor::new(mode, &patterns);
                let written = redactor.are_clean(std::iter::empty(), &Map::new(), &value);
                prop_assert_eq!(written, redactor.is_clean(&value));
                let text = value.to_string();
                if redactor.are_clean([text.as_str()].into_iter(), &Map::new(), "") {
                    prop_assert_eq!(redactor.text(&text).0, text.as_str());
                }
                if redactor.is_clean(&value) {
                    let (searched, count) = redactor.searched(value.clone());
                    prop_assert_eq!((searched.get(), count), (&value, 0));
                }
            }
        }
    }

    #[test]
    fn ordinary_values_are_clean() {
        let deep = (0..MAX_DEPTH + 2).fold(json!(1), |inner, _| json!([inner]));
        for (value, clean) in [
            (
                json!({"command": "git status", "argv": ["git", "status"], "digest": "9f86d081884c7d65"}),
                true,
            ),
            (
                json!({"kind": "start", "seq": 12, "path": "/home/me/src/main.rs", "none": null}),
                true,
            ),
            (json!(["curl", "-u", "me:hunter22"]), false),
            (json!({"name": "API_KEY", "value": "x"}), false),
            (json!({"password": "x"}), false),
            (json!({"pin": "PIN=ghp_ABCDEFGHIJKLMNOPQRST1234567890"}), false),
            (deep, false),
        ] {
            assert_eq!(Redactor::built_in().is_clean(&value), clean, "{value}");
        }
    }
}
