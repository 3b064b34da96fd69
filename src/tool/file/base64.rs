//! Base64 with padding, for image blocks.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The base64 form of some bytes.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let (a, b, c) = match chunk {
            [a, b, c] => (*a, *b, *c),
            [a, b] => (*a, *b, 0),
            [a] => (*a, 0, 0),
            _ => (0, 0, 0),
        };
        let bits = u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c);
        for position in 0..4usize {
            let index = (bits >> (18 - 6 * position)) & 63;
            let filled = position <= chunk.len();
            let letter = ALPHABET.get(index as usize).copied().unwrap_or(b'=');
            out.push(char::from(if filled { letter } else { b'=' }));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn the_usual_examples() {
        for (plain, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(plain.as_bytes()), encoded);
        }
        assert_eq!(encode(&[0xfb, 0xff, 0xfe]), "+//+");
    }
}
