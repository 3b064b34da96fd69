//! Recorded histories of OpenClaw, and the store under fire.

use super::*;
use crate::config::{Config, LoopSettings, effective};
use crate::model::{Context, Sourced};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;

fn settings(config: &Value) -> LoopSettings {
    // What is no threshold reads as not said, as in the recorded system.
    let number = |key: &str| {
        let number = config.get(key).and_then(Value::as_u64).filter(|n| *n > 0);
        number.map(Sourced::built_in)
    };
    let flag = |of: Option<&Value>| of.and_then(Value::as_bool).map(Sourced::built_in);
    let detector = |key: &str| flag(config.get("detectors").and_then(|d| d.get(key)));
    LoopSettings {
        enabled: flag(config.get("enabled")),
        only_warns: Some(Sourced::built_in(config.get("mode") == Some(&json!("warn")))),
        history_size: number("historySize"),
        warning_threshold: number("warningThreshold"),
        unknown_tool_threshold: number("unknownToolThreshold"),
        critical_threshold: number("criticalThreshold"),
        global_circuit_breaker_threshold: number("globalCircuitBreakerThreshold"),
        generic_repeat: detector("genericRepeat"),
        known_poll_no_progress: detector("knownPollNoProgress"),
        ping_pong: detector("pingPong"),
    }
}

pub(super) fn limits(given: &Value) -> LoopLimits {
    let mut config = Config::default();
    config.base.tools.loop_detection = settings(given);
    LoopLimits::new(&effective(&config, &Context::default()).loop_detection)
}

/// Every finding of a recorded session is found again: level, detector, count, pair, blocking, emission.
#[test]
fn recorded_sessions_agree() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/conformance/loop.jsonl");
    let dir = tempfile::tempdir().unwrap();
    let store = LoopStore::new(dir.path());
    let mut findings = 0;
    // An alternation that was stopped stays stopped here.
    let deliberate = include_str!("../../fixtures/conformance/divergences.yaml");
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap();
        if deliberate.contains(&format!("\n{id}:")) {
            continue;
        }
        let limits = limits(&case["input"]["config"]);
        let mut history = History::default();
        let calls = case["input"]["calls"].as_array().unwrap();
        for (n, (call, want)) in calls
            .iter()
            .zip(case["expect"]["calls"].as_array().unwrap())
            .enumerate()
        {
            let attempt = Attempt::new(call["tool"].as_str().unwrap(), &call["params"], &format!("c{n}"));
            let judged = history.begin(&attempt, &limits);
            let place = format!("{id} call {n}: {judged:?} {want}");
            assert_eq!(store.peek(id, &attempt, &limits).unwrap(), judged, "{place}");
            assert_eq!(store.begin(id, &attempt, &limits).unwrap(), judged, "{place}");
            let got = judged.finding();
            findings += usize::from(got.is_some());
            let level = got.map(|finding| match finding.level {
                Level::Warning => "warning",
                Level::Critical => "critical",
            });
            assert_eq!(level, want["level"].as_str(), "{place}");
            assert_eq!(got.map(|f| f.detector.as_str()), want["detector"].as_str(), "{place}");
            assert_eq!(got.map(|f| f.count), want["count"].as_u64(), "{place}");
            let paired = want.get("pairedToolName").and_then(Value::as_str);
            assert_eq!(got.and_then(|f| f.paired_tool.as_deref()), paired, "{place}");
            let blocked = matches!(judged, Judged::Block(_));
            assert_eq!(blocked, want["blocked"] == true, "{place}");
            // Below ten OpenClaw never speaks; a threshold that is set must work.
            if got.is_some_and(|finding| finding.count >= 10) {
                let emitted = blocked || matches!(judged, Judged::Warn(_));
                assert_eq!(emitted, want["emitted"] == true, "{place}");
            }
            if blocked {
                continue;
            }
            let seen = match (call.get("error"), call.get("result")) {
                (Some(error), _) => attempt.observe(Observed::Error(error.as_str().unwrap())),
                (None, Some(result)) => attempt.observe(Observed::Result(result)),
                (None, None) => continue,
            };
            history.end(&attempt, seen.clone(), &limits);
            if limits.enabled {
                store.end(id, &attempt, seen).unwrap();
            }
        }
        if !limits.enabled {
            assert!(!store.path(id).exists(), "{id}");
            continue;
        }
        let remembered = store.history(id, &limits).unwrap();
        assert_eq!(remembered, history, "{id}");
    }
    assert!(findings > 500);
}

#[test]
fn a_warning_below_ten_is_told_once_and_then_per_ten() {
    let limits = limits(&json!({"enabled": true, "warningThreshold": 3, "historySize": 100}));
    let mut history = History::default();
    let told: Vec<usize> = (0..32)
        .filter(|n| {
            let attempt = Attempt::new("read", &json!({"path": "a"}), &n.to_string());
            let judged = history.begin(&attempt, &limits);
            history.end(&attempt, attempt.observe(Observed::Result(&json!(n))), &limits);
            matches!(judged, Judged::Warn(_))
        })
        .collect();
    assert_eq!(told, [3, 10, 20, 30]);
}

#[test]
fn a_missing_tool_is_given_up_on_whatever_its_arguments() {
    let limits = limits(&json!({"enabled": true, "unknownToolThreshold": 3}));
    let mut history = History::default();
    let mut call = |n: u32, tool: &str, error: &str| {
        let attempt = Attempt::new(tool, &json!({"n": n}), &n.to_string());
        let judged = history.begin(&attempt, &limits);
        history.end(&attempt, attempt.observe(Observed::Error(error)), &limits);
        judged
    };
    for n in 0..3 {
        assert_eq!(call(n, "grep", "Tool grep not found"), Judged::Clear);
    }
    assert_eq!(call(9, "find", "x"), Judged::Clear);
    assert_eq!(call(3, "grep", "Tool grep not found"), Judged::Clear);
    assert_eq!(call(4, "grep", "Tool grep not found"), Judged::Clear);
    assert_eq!(call(5, "grep", "Tool grep not found"), Judged::Clear);
    let Judged::Block(finding) = call(6, "grep", "") else {
        panic!("not blocked")
    };
    assert_eq!((finding.detector, finding.count), (Detector::UnknownToolRepeat, 3));
    assert!(finding.message.contains("grep"), "{}", finding.message);
}

/// A history of so many equal calls, as a store keeps it.
fn filled(store: &LoopStore, session: &str, calls: usize, limits: &LoopLimits) {
    for n in 0..calls {
        let attempt = Attempt::new("read", &json!({"n": n}), &n.to_string());
        store.begin(session, &attempt, limits).unwrap();
        let seen = attempt.observe(Observed::Result(&json!(n)));
        store.end(session, &attempt, seen).unwrap();
    }
}

#[test]
fn a_file_stays_small_and_sessions_stay_apart() {
    let dir = tempfile::tempdir().unwrap();
    let store = LoopStore::new(dir.path());
    let limits = limits(&json!({"enabled": true}));
    filled(&store, "a", 2000, &limits);
    filled(&store, "b", 1, &limits);
    assert_eq!(store.history("a", &limits).unwrap().records.len(), 30);
    assert_eq!(store.history("b", &limits).unwrap().records.len(), 1);
    let size = std::fs::metadata(store.path("a")).unwrap().len();
    assert!(size < 64 * 1024, "{size}");
    let left: Vec<_> = std::fs::read_dir(store.path("a").parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 2);
    assert_eq!(
        std::fs::metadata(store.path("a")).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[test]
fn a_torn_line_is_cut_off_and_a_foreign_one_is_read_past() {
    let dir = tempfile::tempdir().unwrap();
    let store = LoopStore::new(dir.path());
    let limits = limits(&json!({"enabled": true}));
    filled(&store, "a", 3, &limits);
    let path = store.path("a");
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.insert_str(0, "not ours\n[1]\n\u{fffd}\n");
    text.push_str("[\"c\",\"id\",\"re");
    std::fs::write(&path, &text).unwrap();
    assert_eq!(store.history("a", &limits).unwrap().records.len(), 3);
    let attempt = Attempt::new("read", &json!({}), "x");
    store.peek("a", &attempt, &limits).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    store.end("a", &attempt, attempt.observe(Observed::Error("e"))).unwrap();
    assert_eq!(store.history("a", &limits).unwrap().records.len(), 4);
    std::fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .and_then(|mut f| std::io::Write::write_all(&mut f, b"["))
        .unwrap();
    store.begin("a", &attempt, &limits).unwrap();
    assert_eq!(store.history("a", &limits).unwrap().records.len(), 5);
    assert!(std::fs::read_to_string(&path).unwrap().ends_with("]\n"));
}

#[test]
fn a_link_in_the_place_of_a_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let store = LoopStore::new(dir.path());
    let limits = limits(&json!({"enabled": true}));
    filled(&store, "other", 1, &limits);
    let victim = dir.path().join("victim");
    std::fs::write(&victim, "x").unwrap();
    std::os::unix::fs::symlink(&victim, store.path("a")).unwrap();
    let attempt = Attempt::new("read", &json!({}), "x");
    let fault = store.begin("a", &attempt, &limits).unwrap_err().to_string();
    assert!(fault.contains("cannot use the loop history"), "{fault}");
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "x");
}

#[test]
fn nothing_is_made_by_looking() {
    let dir = tempfile::tempdir().unwrap();
    let store = LoopStore::new(&dir.path().join("state"));
    let attempt = Attempt::new("read", &json!({}), "x");
    assert_eq!(
        store.peek("a", &attempt, &limits(&json!({"enabled": true}))).unwrap(),
        Judged::Clear
    );
    assert!(!dir.path().join("state").exists());
}

/// Makes the calls in turn until one is blocked, and says which one was.
fn until_blocked(history: &mut History, limits: &LoopLimits, calls: &[Value], most: usize) -> Option<usize> {
    (0..most).find(|n| {
        let attempt = Attempt::new("read", &calls[n % calls.len()], &n.to_string());
        let judged = history.begin(&attempt, limits);
        if !matches!(judged, Judged::Block(_)) {
            history.end(
                &attempt,
                attempt.observe(Observed::Result(&calls[n % calls.len()])),
                limits,
            );
        }
        matches!(judged, Judged::Block(_))
    })
}

#[test]
fn an_alternation_is_stopped_for_good() {
    let limits = limits(&json!({"enabled": true, "warningThreshold": 3, "criticalThreshold": 5}));
    let dir = tempfile::tempdir().unwrap();
    let store = LoopStore::new(dir.path());
    let mut history = History::default();
    let calls = [json!({"path": "a"}), json!({"path": "b"})];
    let first = until_blocked(&mut history, &limits, &calls, 40).unwrap();
    for n in 0..12 {
        let attempt = Attempt::new("read", &calls[n % 2], "x");
        let Judged::Block(finding) = history.begin(&attempt, &limits) else {
            panic!("call {n} after the first block runs")
        };
        assert_eq!(finding.count, (first + 2 + n) as u64);
    }
    // The same where the history is kept on disk.
    for n in 0..first + 12 {
        let attempt = Attempt::new("read", &calls[n % 2], &n.to_string());
        let judged = store.begin("s", &attempt, &limits).unwrap();
        assert_eq!(matches!(judged, Judged::Block(_)), n >= first, "{n}");
        if n < first {
            store
                .end("s", &attempt, attempt.observe(Observed::Result(&calls[n % 2])))
                .unwrap();
        }
    }
    // Something else is done: then the two may be called again.
    let other = Attempt::new("read", &json!({"path": "c"}), "y");
    assert_eq!(history.begin(&other, &limits), Judged::Clear);
    let again = Attempt::new("read", &calls[0], "z");
    assert!(!matches!(history.begin(&again, &limits), Judged::Block(_)));
}

#[test]
fn cycles_of_up_to_eight_calls_are_noticed() {
    let settings = json!({"enabled": true, "warningThreshold": 10, "criticalThreshold": 20});
    let (limits, off) = (
        limits(&settings),
        limits(&json!({"enabled": true, "detectors": {"pingPong": false}})),
    );
    for length in 3..=8_usize {
        let calls: Vec<Value> = (0..length).map(|n| json!({"path": n})).collect();
        let blocked = until_blocked(&mut History::default(), &limits, &calls, 60);
        assert_eq!(blocked, Some(20.max(2 * length) - 1), "{length}");
        assert_eq!(
            until_blocked(&mut History::default(), &off, &calls, 60),
            None,
            "{length}"
        );
    }
    let calls: Vec<Value> = (0..9).map(|n| json!({"path": n})).collect();
    assert_eq!(until_blocked(&mut History::default(), &limits, &calls, 60), None);
    // What makes progress goes on.
    let mut history = History::default();
    for n in 0..60 {
        let attempt = Attempt::new("read", &json!({"path": n % 3}), &n.to_string());
        assert!(!matches!(history.begin(&attempt, &limits), Judged::Block(_)), "{n}");
        history.end(&attempt, attempt.observe(Observed::Result(&json!(n))), &limits);
    }
}

#[test]
fn the_mode_warn_never_blocks() {
    let limits = limits(
        &json!({"enabled": true, "mode": "warn", "warningThreshold": 2, "criticalThreshold": 3,
                                "globalCircuitBreakerThreshold": 4, "unknownToolThreshold": 2}),
    );
    let mut history = History::default();
    let mut told = Vec::new();
    for n in 0..30 {
        let attempt = Attempt::new("read", &json!({"path": "a"}), &n.to_string());
        let judged = history.begin(&attempt, &limits);
        assert!(!matches!(judged, Judged::Block(_)), "{n}");
        told.extend(judged.finding().map(|f| f.message.clone()));
        history.end(&attempt, attempt.observe(Observed::Error("Tool x not found")), &limits);
    }
    assert!(
        told.iter().any(|m| m.contains("CRITICAL") && m.contains("not blocked")),
        "{told:?}"
    );
    assert!(
        until_blocked(
            &mut History::default(),
            &limits,
            &[json!({"a": 1}), json!({"a": 2})],
            60
        )
        .is_none()
    );
}

#[test]
fn equal_errors_count() {
    let limits = limits(
        &json!({"enabled": true, "warningThreshold": 1, "criticalThreshold": 2, "globalCircuitBreakerThreshold": 3}),
    );
    let mut history = History::default();
    let blocked = (0..9).find(|n| {
        let attempt = Attempt::new("read", &json!({"path": "gone"}), &n.to_string());
        let judged = history.begin(&attempt, &limits);
        history.end(&attempt, attempt.observe(Observed::Error("no such file")), &limits);
        matches!(judged, Judged::Block(_))
    });
    assert_eq!(blocked, Some(3));
}

#[test]
fn a_damaged_history_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let store = LoopStore::new(dir.path());
    let limits = limits(&json!({"enabled": true}));
    filled(&store, "a", 3, &limits);
    assert_eq!(store.damage(), None);
    let path = store.path("a");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("not ours\n[1]\n{text}")).unwrap();
    let attempt = Attempt::new("read", &json!({}), "x");
    store.peek("a", &attempt, &limits).unwrap();
    assert!(store.damage().unwrap().contains("2 lines"));
    store.begin("a", &attempt, &limits).unwrap();
    assert!(store.damage().is_some());
}
