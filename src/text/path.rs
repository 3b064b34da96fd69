//! Paths as texts, for answers and records.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

/// An absolute path as a text: as it is, or, where it is no UTF-8, as bash writes it (`$'/tmp/a\xff'`). No two paths have the
/// same text, as that of any other begins with a slash.
pub fn of_path(path: &Path) -> Cow<'_, str> {
    if let Some(text) = path.to_str() {
        return Cow::Borrowed(text);
    }
    let mut text = String::from("$'");
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if matches!(c, '\\' | '\'') {
                text.push('\\');
            }
            text.push(c);
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text.push('\'');
    Cow::Owned(text)
}

/// The absolute path that a text of [`of_path`] stands for.
pub fn to_path(text: &str) -> PathBuf {
    let Some(inner) = text.strip_prefix("$'").and_then(|rest| rest.strip_suffix('\'')) else {
        return PathBuf::from(text);
    };
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let byte = escape.strip_prefix('x').and_then(|digits| digits.get(..2));
        if let Some(byte) = byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            rest = escape.get(3..).unwrap_or("");
        } else {
            let mut own = escape.chars();
            bytes.extend(own.next().map(String::from).unwrap_or_default().bytes());
            rest = own.as_str();
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    PathBuf::from(OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::ffi::OsStr;

    #[test]
    fn no_two_paths_have_the_same_text() {
        let names: [&[u8]; 9] = [
            b"/a",
            b"/a\xff",
            b"/a\xfe",
            b"/a\\xff",
            b"/a\xff\\xff",
            b"/a\xff\xff",
            "/a\u{fffd}".as_bytes(),
            b"/a'\xff",
            b"/\xff'a",
        ];
        let texts: BTreeSet<String> = names
            .iter()
            .map(|name| of_path(Path::new(OsStr::from_bytes(name))).into_owned())
            .collect();
        assert_eq!(texts.len(), names.len(), "{texts:?}");
        for name in names {
            let path = Path::new(OsStr::from_bytes(name));
            assert_eq!(to_path(&of_path(path)), path);
        }
        assert!(texts.contains("/a") && texts.contains(r"$'/a\xff'") && texts.contains(r"$'/a\'\xff'"));
    }
}
