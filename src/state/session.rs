//! Session keys as file names.

use crate::text::hex;
use sha2::{Digest, Sha256};

/// How much of the key can be read in the name.
const READABLE: usize = 40;

/// The name of a session's files, without extension: a readable part and a hash of the whole key, so that no two keys
/// share a file and no key names a path.
pub fn file_stem(key: &str) -> String {
    let mut stem = String::new();
    for c in key.chars() {
        let c = c.to_ascii_lowercase();
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            stem.push(c);
        } else if !stem.ends_with('-') && !stem.is_empty() {
            stem.push('-');
        }
        if stem.len() >= READABLE {
            break;
        }
    }
    let digest = Sha256::digest(key.as_bytes());
    let mut name = stem.trim_end_matches('-').to_owned();
    if !name.is_empty() {
        name.push('-');
    }
    name.push_str(&hex::encode(digest.get(..8).unwrap_or_default()));
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_readable_safe_and_distinct() {
        assert!(file_stem("agent:main:main").starts_with("agent-main-main-"));
        for key in [
            "",
            "../../etc/passwd",
            "/",
            ".",
            "a\0b",
            "ключ",
            &"x".repeat(512),
            "A:B",
            "a:b",
            "a.b",
        ] {
            let stem = file_stem(key);
            assert!(stem.len() <= READABLE + 17 && !stem.is_empty());
            assert!(
                stem.bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{stem}"
            );
        }
        assert_ne!(file_stem("A:B"), file_stem("a:b"));
        assert_ne!(file_stem("a.b"), file_stem("a:b"));
    }
}
