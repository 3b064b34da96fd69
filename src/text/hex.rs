//! Bytes as hexadecimal digits.

const DIGITS: [char; 16] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
];

/// Two digits a byte, in lower case.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        for half in [byte >> 4, byte & 15] {
            text.extend(DIGITS.get(usize::from(half)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_digits() {
        let all: Vec<u8> = (0..=255).collect();
        let text = encode(&all);
        assert_eq!(text.len(), 512);
        for (byte, digits) in all.iter().zip(text.as_bytes().chunks(2)) {
            assert_eq!(format!("{byte:02x}").as_bytes(), digits);
        }
    }
}
