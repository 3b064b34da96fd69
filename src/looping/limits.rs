//! The thresholds that apply, from what the configuration says.

use crate::config::LoopSettings;

/// The longest history that is kept, whatever is configured.
const MAX_HISTORY: u64 = 1000;

/// Loop detection's thresholds, with defaults applied and in rising order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopLimits {
    /// Whether calls are judged at all.
    pub enabled: bool,
    /// How many calls are remembered.
    pub history: usize,
    /// From here on it warns.
    pub warning: u64,
    /// So many calls of one missing tool are too many.
    pub unknown: u64,
    /// From here on a call without progress is blocked.
    pub critical: u64,
    /// So many calls without progress end any detector's patience.
    pub breaker: u64,
    /// `detectors.genericRepeat`
    pub generic_repeat: bool,
    /// `detectors.knownPollNoProgress`
    pub known_poll: bool,
    /// `detectors.pingPong`
    pub ping_pong: bool,
}

impl LoopLimits {
    /// The limits of an agent: its settings are laid over the global ones key by key.
    pub fn new(global: &LoopSettings, agent: Option<&LoopSettings>) -> Self {
        fn pick<T: Copy>(
            global: &LoopSettings,
            agent: Option<&LoopSettings>,
            of: fn(&LoopSettings) -> Option<T>,
        ) -> Option<T> {
            agent.and_then(of).or_else(|| of(global))
        }
        let number = |of: fn(&LoopSettings) -> Option<u64>, default: u64| {
            pick(global, agent, of).filter(|value| *value > 0).unwrap_or(default)
        };
        let flag = |of: fn(&LoopSettings) -> Option<bool>, default: bool| pick(global, agent, of).unwrap_or(default);
        let warning = number(|s| s.warning_threshold, 10);
        let critical = number(|s| s.critical_threshold, 20).max(warning.saturating_add(1));
        let breaker = number(|s| s.global_circuit_breaker_threshold, 30).max(critical.saturating_add(1));
        let history = number(|s| s.history_size, 30).min(MAX_HISTORY);
        Self {
            enabled: flag(|s| s.enabled, false),
            history: usize::try_from(history).unwrap_or(usize::MAX),
            warning,
            unknown: number(|s| s.unknown_tool_threshold, 10),
            critical,
            breaker,
            generic_repeat: flag(|s| s.generic_repeat, true),
            known_poll: flag(|s| s.known_poll_no_progress, true),
            ping_pong: flag(|s| s.ping_pong, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_rise_and_an_agent_overrides_single_keys() {
        let global = LoopSettings {
            enabled: Some(true),
            warning_threshold: Some(25),
            ping_pong: Some(false),
            ..LoopSettings::default()
        };
        let limits = LoopLimits::new(&global, None);
        assert_eq!((limits.warning, limits.critical, limits.breaker), (25, 26, 30));
        let agent = LoopSettings {
            warning_threshold: Some(40),
            history_size: Some(0),
            ..LoopSettings::default()
        };
        let limits = LoopLimits::new(&global, Some(&agent));
        assert_eq!((limits.warning, limits.critical, limits.breaker), (40, 41, 42));
        assert_eq!((limits.enabled, limits.ping_pong, limits.history), (true, false, 30));
        assert!(!LoopLimits::new(&LoopSettings::default(), None).enabled);
    }
}
