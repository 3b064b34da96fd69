//! Patterns of a declaration, which are JavaScript's: there `\d` and `\w` are ASCII, and a class holds no class.

use regex::{Regex, RegexBuilder};

/// Bytes of compiled program that one `pattern` may take.
const COMPILED_SIZE: usize = 64 * 1024;

/// The pattern as it is searched for, or none where it is not supported (look-around, back-references).
pub(super) fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(&translated(pattern)?)
        .size_limit(COMPILED_SIZE)
        .build()
        .ok()
}

/// The same pattern in the words of the library. A backslash at the very end is none.
fn translated(pattern: &str) -> Option<String> {
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut class = false;
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                'd' => out.push_str("[0-9]"),
                'D' => out.push_str("[^0-9]"),
                'w' => out.push_str("[0-9A-Za-z_]"),
                'W' => out.push_str("[^0-9A-Za-z_]"),
                'b' if class => out.push_str(r"\x08"),
                'b' => out.push_str(r"(?-u:\b)"),
                '/' => out.push('/'),
                other => out.extend(['\\', other]),
            },
            '[' if class => out.push_str(r"\["),
            '&' | '~' if class => out.extend(['\\', c]),
            '[' => {
                class = true;
                out.push(c);
            }
            // The empty class and its complement, which the library reads as the beginning of another.
            ']' if class && (out.ends_with('[') || out.ends_with("[^")) && !out.ends_with(r"\[") => return None,
            ']' => {
                class = false;
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::compile;

    #[test]
    fn classes_are_ascii_and_hold_no_classes() {
        for (pattern, yes, no) in [
            (r"^\d+$", "042", "\u{664}\u{662}"),
            (r"^[\d.]+$", "1.5", "\u{661}.5"),
            (r"^\w+$", "a_1", "\u{e9}"),
            (r"^[^\w]$", "\u{e9}", "a"),
            (r"^[\W]$", "-", "a"),
            (r"^[[a]+$", "[a", "b"),
            (r"^[a&&b]+$", "a&b", "c"),
            (r"^[a~~b]$", "~", "c"),
            (r"^a\/b$", "a/b", "ab"),
            (r"^.$", "\u{e9}", "ab"),
            (r"\bcat\b", "a cat", "concat"),
        ] {
            let regex = compile(pattern).unwrap();
            assert!(regex.is_match(yes), "{pattern} takes {yes}");
            assert!(!regex.is_match(no), "{pattern} refuses {no}");
        }
    }

    #[test]
    fn what_is_not_supported_is_none() {
        for pattern in [r"(?=a)", r"(a)\1", "[", "[]a]", "[^]", "a\\", "(a{1000}){1000}"] {
            assert!(compile(pattern).is_none(), "{pattern}");
        }
    }
}
