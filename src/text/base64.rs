//! Base64 with the standard alphabet (RFC 4648, section 4).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text for `bytes`, padded.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let part = |i: usize| group.get(i).copied().map_or(0, u32::from);
        let word = part(0) << 16 | part(1) << 8 | part(2);
        for (i, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            if i <= group.len() {
                let digit = usize::try_from(word >> shift & 63).unwrap_or(0);
                text.push(ALPHABET.get(digit).copied().unwrap_or(b'A') as char);
            } else {
                text.push('=');
            }
        }
    }
    text
}

/// The bytes of padded or unpadded base64; `None` where it is not base64. Blanks and line ends are skipped.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let mut word = 0_u32;
    let mut bits = 0_u32;
    let mut digits = 0_usize;
    let mut padding = 0_usize;
    for b in text.iter().filter(|b| !b.is_ascii_whitespace()) {
        if *b == b'=' {
            padding += 1;
            continue;
        }
        if padding > 0 {
            return None;
        }
        word = (word << 6 | u32::from(digit(*b)?)) & 0xff_ffff;
        bits += 6;
        digits += 1;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(word >> bits & 0xff).ok()?);
        }
    }
    let whole = padding == 0 || (digits + padding).is_multiple_of(4) && padding < 3;
    (digits % 4 != 1 && whole).then_some(bytes)
}

fn digit(b: u8) -> Option<u8> {
    match b {
        b'A'..=b'Z' => Some(b - b'A'),
        b'a'..=b'z' => Some(b - b'a' + 26),
        b'0'..=b'9' => Some(b - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_texts() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text.as_bytes()).as_deref(), Some(bytes.as_bytes()));
        }
        for bad in ["A", "Zg=", "Zg===", "Z=g=", "Zm9v!", "====="] {
            assert_eq!(decode(bad.as_bytes()), None, "{bad}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn decoding_undoes_encoding(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(decode(encode(&bytes).as_bytes()), Some(bytes));
        }
    }
}
