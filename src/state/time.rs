//! Times as they are recorded.

use std::time::SystemTime;

/// RFC 3339 in UTC with milliseconds: `2026-03-01T12:00:00.000Z`. A time that no calendar has is the epoch.
pub fn timestamp(time: SystemTime) -> String {
    let stamp = jiff::Timestamp::try_from(time).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{stamp:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn three_digits_of_a_second() {
        assert_eq!(timestamp(SystemTime::UNIX_EPOCH), "1970-01-01T00:00:00.000Z");
        let later = SystemTime::UNIX_EPOCH + Duration::from_micros(1_700_000_000_123_456);
        assert_eq!(timestamp(later), "2023-11-14T22:13:20.123Z");
    }
}
