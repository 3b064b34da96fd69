//! The `exec` tool under its simplest settings.

use crate::support::Test;

const FULL: &str = "tools: {exec: {security: full, ask: 'off'}}\napprovals: {defaults: {security: full, ask: 'off'}}\n";

#[test]
fn a_command_runs_and_its_status_is_told() {
    let run = |command: &str, extra: &[&str]| {
        let call = serde_json::json!({"tool": "exec", "args": {"command": command}}).to_string();
        let mut args = vec!["exec", call.as_str(), "-o", "json"];
        args.extend(extra);
        Test::new(&args).config(FULL).run()
    };
    let ok = run("echo out; echo err >&2", &[]).exits(0).json();
    assert_eq!(ok["content"][0]["text"], "out\nerr");
    assert_eq!(
        (ok["status"].as_str(), ok["details"]["exitCode"].as_i64()),
        (Some("completed"), Some(0))
    );
    let seven = run("echo x; exit 7", &[]).exits(1).json();
    assert_eq!(
        (seven["status"].as_str(), seven["isError"].as_bool()),
        (Some("completed"), Some(false))
    );
    assert_eq!(seven["details"]["exitCode"], 7);
    run("exit 7", &["--propagate-exit"]).exits(7);
    let missing = run("no_such_command_zz", &[]).exits(1).json();
    assert_eq!(
        (missing["status"].as_str(), missing["code"].as_str()),
        (Some("failed"), Some("tool-failed"))
    );
}

#[test]
fn deny_denies_and_a_sandbox_is_never_replaced_by_the_host() {
    let call = r#"{"tool":"exec","args":{"command":"true"}}"#;
    let doc = Test::new(&["exec", call, "-o", "json"])
        .config("tools: {exec: {security: deny}}\n")
        .run()
        .exits(3)
        .json();
    assert_eq!(doc["code"], "security-deny");
    let doc = Test::new(&["exec", call, "-o", "json", "--sandbox"])
        .config(FULL)
        .run()
        .exits(3)
        .json();
    assert_eq!(doc["code"], "host-not-allowed");
    let mode = |mode: &str, session: &str| {
        let config = format!("{FULL}sandbox: {{mode: {mode}}}\n");
        Test::new(&["exec", call, "-o", "json", "--session", session])
            .config(config)
            .run()
    };
    assert_eq!(mode("all", "main").exits(3).json()["code"], "host-not-allowed");
    assert_eq!(
        mode("non-main", "agent:main:x").exits(3).json()["code"],
        "host-not-allowed"
    );
    mode("non-main", "main").exits(0);
    let sandbox = r#"{"tool":"exec","args":{"command":"true","host":"sandbox"}}"#;
    let doc = Test::new(&["exec", sandbox, "-o", "json"])
        .config(FULL)
        .run()
        .exits(3)
        .json();
    assert_eq!(doc["code"], "host-not-allowed");
}

#[test]
fn what_was_not_granted_asks() {
    let call = r#"{"tool":"exec","args":{"command":"/usr/bin/id"}}"#;
    let doc = Test::new(&["exec", call, "-o", "json"]).run().exits(4).json();
    assert_eq!(
        (doc["status"].as_str(), doc["code"].as_str()),
        (Some("approval-pending"), Some("allowlist-miss"))
    );
    assert_eq!(doc["isError"], false);
    let granted = Test::new(&["exec", call, "-o", "json"])
        .config("tools: {exec: {allowlist: [{pattern: /usr/bin/id}]}}\n")
        .run()
        .exits(0)
        .json();
    assert_eq!(granted["details"]["exitCode"], 0);
}
