//! Secrets that toolctl itself was given: the values of variables whose names say so are hidden wherever they stand.

use super::Caller;
use crate::config::EffectiveResults;
use crate::gate::exec::env::is_secret;
use crate::result::literals;

/// Shorter values stand in too many texts by chance.
const LEAST: usize = 8;
/// A word of this many letters is no word of prose.
const LONG: usize = 16;

/// The patterns of secrets: those of the configuration, and the values of the operator's own variables.
pub(super) fn patterns(results: &EffectiveResults<'_>, caller: &Caller) -> Vec<String> {
    let mut patterns: Vec<String> = results.redact_patterns.iter().map(|p| p.value.clone()).collect();
    if results.redact_enabled.value {
        let values = caller.env.iter().filter_map(|(name, value)| {
            let (name, value) = (name.to_str()?, value.to_str()?);
            (looks_secret(value) && is_secret(&name.to_ascii_uppercase())).then_some(value)
        });
        patterns.extend(literals(values));
    }
    patterns
}

/// Whether a value can be one: no path, no text of several words, and no plain word or number.
fn looks_secret(value: &str) -> bool {
    let kinds = [
        value.bytes().any(|b| b.is_ascii_lowercase()),
        value.bytes().any(|b| b.is_ascii_uppercase()),
        value.bytes().any(|b| b.is_ascii_digit()),
        value.bytes().any(|b| b.is_ascii_punctuation()),
    ];
    let mixed = kinds.iter().filter(|there| **there).count() > 1;
    let plain = value.starts_with('/') || value.contains(char::is_whitespace);
    value.len() >= LEAST && !plain && (mixed || value.len() >= LONG)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_secrets_are_no_paths_and_no_words() {
        for value in [
            "hunter2-prod",
            "S3cretPass",
            "correcthorsebatterystaple",
            "12345678-9abc",
        ] {
            assert!(looks_secret(value), "{value}");
        }
        for value in ["", "x1", "production", "/run/secrets/token", "two words 1", "12345678"] {
            assert!(!looks_secret(value), "{value}");
        }
    }
}
