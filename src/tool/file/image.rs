//! Recognises the images a model can be shown, by their bytes, and reads their dimensions. Decodes nothing.

use crate::shrink::MAX_SIDE;

/// Bytes that are looked at.
pub(super) const SNIFF: usize = 4100;
/// Bytes of the largest image that is passed on: 4.5 MiB in base64.
pub(super) const MAX_BYTES: usize = 3_538_944;

/// A recognised image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Image {
    /// MIME type.
    pub(super) mime: &'static str,
    /// Width and height, where the head tells.
    pub(super) size: Option<(u32, u32)>,
}

impl Image {
    /// Whether the image is small enough to be shown as it is.
    pub(super) fn fits(self, bytes: u64) -> bool {
        bytes <= MAX_BYTES as u64 && self.size.is_none_or(|(w, h)| w <= MAX_SIDE && h <= MAX_SIDE)
    }
}

/// Looks at the head of a file.
pub(super) fn sniff(head: &[u8]) -> Option<Image> {
    png(head)
        .or_else(|| jpeg(head))
        .or_else(|| gif(head))
        .or_else(|| webp(head))
}

fn u32_be(bytes: &[u8], at: usize) -> Option<u32> {
    let part = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(part.try_into().ok()?))
}

fn u16_be(bytes: &[u8], at: usize) -> Option<u32> {
    let part = bytes.get(at..at.checked_add(2)?)?;
    Some(u32::from(u16::from_be_bytes(part.try_into().ok()?)))
}

fn u16_le(bytes: &[u8], at: usize) -> Option<u32> {
    let part = bytes.get(at..at.checked_add(2)?)?;
    Some(u32::from(u16::from_le_bytes(part.try_into().ok()?)))
}

fn u24_le(bytes: &[u8], at: usize) -> Option<u32> {
    match bytes.get(at..at.checked_add(3)?)? {
        [a, b, c] => Some(u32::from(*a) | u32::from(*b) << 8 | u32::from(*c) << 16),
        _ => None,
    }
}

/// A PNG has a real header chunk, and image data before any animation control.
fn png(head: &[u8]) -> Option<Image> {
    if !head.starts_with(b"\x89PNG\r\n\x1a\n") || u32_be(head, 8)? != 13 || head.get(12..16)? != b"IHDR" {
        return None;
    }
    let size = Some((u32_be(head, 16)?, u32_be(head, 20)?));
    let mut at = 8usize;
    while let (Some(length), Some(kind)) = (u32_be(head, at), head.get(at.saturating_add(4)..at.saturating_add(8))) {
        match kind {
            b"acTL" => return None,
            b"IDAT" => break,
            _ => at = at.checked_add(12)?.checked_add(length as usize)?,
        }
    }
    Some(Image {
        mime: "image/png",
        size,
    })
}

fn jpeg(head: &[u8]) -> Option<Image> {
    if !head.starts_with(&[0xff, 0xd8, 0xff]) || head.get(3) == Some(&0xf7) {
        return None;
    }
    let mut at = 2usize;
    let mut size = None;
    while let Some([0xff, marker]) = head.get(at..at.saturating_add(2)) {
        // Frame headers, without the tables that share their range.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            size = u16_be(head, at + 7).zip(u16_be(head, at + 5));
            break;
        }
        match u16_be(head, at + 2) {
            Some(length) if length >= 2 => at = at.saturating_add(2 + length as usize),
            _ => break,
        }
    }
    Some(Image {
        mime: "image/jpeg",
        size,
    })
}

fn gif(head: &[u8]) -> Option<Image> {
    let known = head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a");
    known.then(|| Image {
        mime: "image/gif",
        size: u16_le(head, 6).zip(u16_le(head, 8)),
    })
}

fn webp(head: &[u8]) -> Option<Image> {
    if !head.starts_with(b"RIFF") || head.get(8..12)? != b"WEBP" {
        return None;
    }
    let size = match head.get(12..16)? {
        b"VP8X" => u24_le(head, 24).zip(u24_le(head, 27)).map(|(w, h)| (w + 1, h + 1)),
        b"VP8 " => u16_le(head, 26)
            .zip(u16_le(head, 28))
            .map(|(w, h)| (w & 0x3fff, h & 0x3fff)),
        b"VP8L" => u16_le(head, 21).zip(u16_le(head, 23)).map(|(a, b)| {
            let bits = a | b << 16;
            ((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1)
        }),
        _ => None,
    };
    Some(Image {
        mime: "image/webp",
        size,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png_of(width: u32, height: u32, then: &[u8]) -> Vec<u8> {
        let mut out = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        out.extend(width.to_be_bytes());
        out.extend(height.to_be_bytes());
        out.extend([8, 6, 0, 0, 0, 1, 2, 3, 4]);
        out.extend([0, 0, 0, 0]);
        out.extend(then);
        out
    }

    #[test]
    fn heads_are_recognised() {
        assert_eq!(
            sniff(&png_of(3, 4, b"IDAT")),
            Some(Image {
                mime: "image/png",
                size: Some((3, 4))
            })
        );
        assert_eq!(
            sniff(b"GIF89a\x05\0\x06\0"),
            Some(Image {
                mime: "image/gif",
                size: Some((5, 6))
            })
        );
        let jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 9, 0, 7, 3];
        assert_eq!(
            sniff(&jpeg),
            Some(Image {
                mime: "image/jpeg",
                size: Some((7, 9))
            })
        );
        let mut webp = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0".to_vec();
        webp.extend([1, 0, 0, 2, 0, 0]);
        assert_eq!(
            sniff(&webp),
            Some(Image {
                mime: "image/webp",
                size: Some((2, 3))
            })
        );
    }

    #[test]
    fn a_signature_alone_and_an_animation_are_no_image() {
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n"), None);
        assert_eq!(sniff(&png_of(1, 1, b"acTL")), None);
        assert_eq!(sniff(b"RIFF\0\0\0\0WAVE"), None);
        assert_eq!(sniff(b"text"), None);
        assert_eq!(sniff(b""), None);
    }

    #[test]
    fn limits_are_on_pixels_and_bytes() {
        let small = Image {
            mime: "image/png",
            size: Some((2000, 2000)),
        };
        assert!(small.fits(3_538_944));
        assert!(!small.fits(3_538_945));
        assert!(
            !Image {
                mime: "image/png",
                size: Some((2001, 1))
            }
            .fits(10)
        );
    }

    #[test]
    fn broken_heads_do_no_harm() {
        let whole = png_of(3, 4, b"IDAT");
        for end in 0..whole.len() {
            let _ = sniff(&whole[..end]);
        }
        let _ = sniff(&[0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff]);
        let _ = sniff(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0aaaa\xff\xff\xff\xffaaaa");
    }
}
