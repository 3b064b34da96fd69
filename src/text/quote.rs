//! Texts as words of a shell, for what is run and for what people are told to type.

/// A text as one word of any POSIX shell: in single quotes, or as it is where no shell could read it otherwise.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    let harmless =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'/' | b'.' | b'-' | b',' | b':' | b'@' | b'%' | b'+');
    if !text.is_empty() && text.bytes().all(harmless) {
        out.push_str(text);
    } else {
        push_quoted(&mut out, text);
    }
    out
}

/// Writes a text in single quotes.
pub fn push_quoted(out: &mut String, text: &str) {
    out.push('\'');
    for c in text.chars() {
        if c == '\'' {
            out.push_str("'\\''");
        } else {
            out.push(c);
        }
    }
    out.push('\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_no_shell_could_read_otherwise_stands_as_it_is() {
        for (text, quoted) in [
            ("src/a-b_1.rs", "src/a-b_1.rs"),
            ("", "''"),
            ("a b", "'a b'"),
            ("~/x", "'~/x'"),
            ("a{1,2}", "'a{1,2}'"),
            ("!1", "'!1'"),
            ("A=b", "'A=b'"),
            ("é", "'é'"),
            ("it's", "'it'\\''s'"),
        ] {
            assert_eq!(quote(text), quoted);
        }
    }
}
