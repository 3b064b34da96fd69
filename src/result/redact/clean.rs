//! Whether a JSON value holds nothing to hide: all its texts are looked through at once, which costs a small part of
//! looking at one after another.

use super::filter::Look;
use super::line::Depth;
use super::memory::Expects;
use super::tree::{MAX_ARGUMENTS, MAX_DEPTH};
use super::{Redaction, Redactor, unit};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt::Formatter;
use std::ops::Range;

/// Beyond so many bytes a value is looked at one text after another, and not copied.
const MOST: usize = 256 * 1024;

/// Texts that were put together, one a line.
#[derive(Default)]
struct Joined {
    text: String,
    /// Where each ends, and whether it is one of the value's own; the others are lists, put together as a line.
    ends: Vec<(usize, bool)>,
}

impl Joined {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.end(true);
    }

    /// Puts down the texts from an index on once more, as one line.
    fn join(&mut self, first: usize) {
        let last = self.ends.len();
        let mut start = first
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .map_or(0, |(end, _)| end + 1);
        for index in first..last {
            let Some((end, _)) = self.ends.get(index).copied() else {
                continue;
            };
            if index > first {
                self.text.push(' ');
            }
            self.text.extend_from_within(start..end);
            start = end + 1;
        }
        self.end(false);
    }

    fn end(&mut self, own: bool) {
        self.ends.push((self.text.len(), own));
        self.text.push('\n');
    }
}

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

    /// The same of several texts, of an object, and of a value that is already written as JSON.
    pub fn are_clean<'t>(&self, texts: impl Iterator<Item = &'t str>, map: &Map<String, Value>, json: &str) -> bool {
        let mut joined = Joined::default();
        texts.for_each(|text| joined.push(text));
        self.gathers(map, &mut joined)
            && self.gathers(&mut serde_json::Deserializer::from_str(json), &mut joined)
            && self.holds_nothing(&joined)
    }

    fn gathers<'de>(&self, value: impl Deserializer<'de>, into: &mut Joined) -> bool {
        let gather = Gather {
            redactor: self,
            depth: 0,
            into,
        };
        gather.deserialize(value).is_ok()
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

/// Puts the texts of a value together that must be looked at to know whether there is something to hide; an error where that
/// is known already, or cannot be known so.
struct Gather<'g> {
    redactor: &'g Redactor,
    depth: usize,
    into: &'g mut Joined,
}

/// What a value turned out to be, for the list or the object that holds it.
struct Gathered {
    /// Where its text lies, where it is one.
    text: Option<Range<usize>>,
}

impl Gathered {
    const NO_TEXT: Self = Self { text: None };
}

impl<'de> DeserializeSeed<'de> for Gather<'_> {
    type Value = Gathered;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<Gathered, D::Error> {
        value.deserialize_any(self)
    }
}

impl Gather<'_> {
    fn inner(&mut self) -> Gather<'_> {
        Gather {
            redactor: self.redactor,
            depth: self.depth + 1,
            into: self.into,
        }
    }
}

impl<'de> Visitor<'de> for Gather<'_> {
    type Value = Gathered;

    fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value with nothing to hide")
    }

    fn visit_unit<E: Error>(self) -> Result<Gathered, E> {
        Ok(Gathered::NO_TEXT)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Gathered, E> {
        Ok(Gathered::NO_TEXT)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Gathered, E> {
        Ok(Gathered::NO_TEXT)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Gathered, E> {
        Ok(Gathered::NO_TEXT)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Gathered, E> {
        Ok(Gathered::NO_TEXT)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Gathered, E> {
        let start = self.into.text.len();
        self.into.push(text);
        if self.into.text.len() > MOST {
            return Err(E::custom("too long to be looked at at once"));
        }
        Ok(Gathered {
            text: Some(start..start + text.len()),
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Gathered, A::Error> {
        if self.depth >= MAX_DEPTH {
            return Err(Error::custom("too deep"));
        }
        let start = self.into.ends.len();
        let (mut count, mut words) = (0, true);
        while let Some(item) = items.next_element_seed(self.inner())? {
            count += 1;
            words &= item.text.is_some();
        }
        if words && (2..=MAX_ARGUMENTS).contains(&count) {
            self.into.join(start);
        }
        Ok(Gathered::NO_TEXT)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Gathered, A::Error> {
        if self.depth >= MAX_DEPTH {
            return Err(Error::custom("too deep"));
        }
        // What an entry of the form `{"name": …, "value": …}` is called.
        let (mut named, mut valued) = ([None, None], false);
        while let Some(key) = map.next_key_seed(self.inner())? {
            let key = key.text.and_then(|place| self.into.text.get(place)).unwrap_or("");
            if self.redactor.claims(key) {
                return Err(Error::custom("a name of secrets"));
            }
            let place = ["name", "key"].iter().position(|name| *name == key);
            valued |= key == "value";
            let value = map.next_value_seed(self.inner())?;
            if let Some(named) = place.and_then(|place| named.get_mut(place)) {
                *named = value.text;
            }
        }
        let mut names = named.into_iter().flatten();
        if valued && names.any(|place| self.into.text.get(place).is_some_and(|name| self.redactor.claims(name))) {
            return Err(Error::custom("a name of secrets"));
        }
        Ok(Gathered::NO_TEXT)
    }
}

#[cfg(test)]
mod tests {
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
                let written = redactor.are_clean(std::iter::empty(), &Map::new(), &value.to_string());
                prop_assert_eq!(written, redactor.is_clean(&value));
                let text = value.to_string();
                if redactor.are_clean([text.as_str()].into_iter(), &Map::new(), "null") {
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
