//! A configuration that is being put together.

use serde_json::{Map, Value, json};

/// What a difference comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// More is asked about or refused than before.
    Stricter,
    /// It decided nothing about calls.
    Dropped,
    /// A refusal or a question of the source is missing.
    Lost,
}

/// Something that has no exact counterpart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What it comes to.
    pub effect: Effect,
    /// Where it stands in the source, and what it says.
    pub what: String,
    /// What became of it.
    pub became: String,
}

/// A configuration, and where it differs from its source.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imported {
    /// The configuration.
    pub config: Map<String, Value>,
    /// Every difference, in the order of the source.
    pub differences: Vec<Difference>,
}

impl Imported {
    /// Whether a refusal was lost.
    pub fn loses(&self) -> bool {
        self.differences.iter().any(|one| one.effect == Effect::Lost)
    }

    pub(super) fn tell(&mut self, effect: Effect, what: impl Into<String>, became: impl Into<String>) {
        self.differences.push(Difference {
            effect,
            what: what.into(),
            became: became.into(),
        });
    }

    /// Sets a key; its path is dotted.
    pub(super) fn set(&mut self, path: &str, value: Value) {
        if let Some(place) = self.place(path) {
            *place = value;
        }
    }

    /// Adds to a list, unless it is there.
    pub(super) fn add(&mut self, path: &str, item: Value) {
        let Some(place) = self.place(path) else { return };
        if !place.is_array() {
            *place = json!([]);
        }
        if let Some(list) = place.as_array_mut().filter(|list| !list.contains(&item)) {
            list.push(item);
        }
    }

    fn place(&mut self, path: &str) -> Option<&mut Value> {
        let mut parts = path.split('.');
        let mut place = self.config.entry(parts.next()?).or_insert_with(|| json!({}));
        for part in parts {
            place = place.as_object_mut()?.entry(part).or_insert_with(|| json!({}));
        }
        Some(place)
    }
}

/// A value in a few words.
pub(super) fn short(value: &Value) -> String {
    let text = value.to_string();
    let mut cut: String = text.chars().take(120).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
