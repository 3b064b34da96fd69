//! `toolctl audit`.

use crate::support::Test;
use serde_json::json;

const AUDIT: &str = "audit: {path: work/log/audit.jsonl}\n";

#[test]
fn where_nothing_was_recorded_nothing_is_wrong_and_nothing_is_made() {
    let test = Test::new(&["audit", "verify"]).config(AUDIT);
    let log = test.path("work/log");
    let ran = test.run().exits(0);
    assert!(ran.stdout.starts_with("no audit log yet: "), "{}", ran.stdout);
    assert!(!log.exists());
    Test::new(&["audit", "show", "c1"])
        .config(AUDIT)
        .run()
        .exits(1)
        .complains(&["c1"]);
    let tail = Test::new(&["audit", "tail", "-o", "json"])
        .config(AUDIT)
        .run()
        .exits(0)
        .json();
    assert_eq!(tail, json!({"schemaVersion": 1, "records": []}));
}

#[test]
fn what_was_not_written_by_us_is_found() {
    let doc = Test::new(&["audit", "verify", "-o", "json"])
        .config(AUDIT)
        .file("log/audit.jsonl", "{\"seq\":1}\n{\"half")
        .run()
        .exits(1)
        .json();
    assert_eq!(doc["sound"], false);
    assert_eq!(doc["repaired"], true);
    let flaws = json!([
        "line 1: the record is not what was written",
        "the note about the newest record is gone: records may have been cut off"
    ]);
    assert_eq!(doc["flaws"], flaws);
}

#[test]
fn formats_are_those_of_the_command() {
    Test::new(&["audit", "verify", "-o", "yaml"])
        .config(AUDIT)
        .run()
        .exits(2)
        .complains(&["yaml", "json"]);
}
