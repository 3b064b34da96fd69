//! A stream of calls: what an earlier command changed is seen when a later one is judged.

use crate::support::Test;
use serde_json::{Value, json};

#[test]
fn a_later_call_is_judged_by_what_an_earlier_one_left() {
    let test = Test::new(&["exec", "-", "--jsonl", "-o", "json"])
        .file("a.txt", "alpha\n")
        .file("ok.sh", "#!/bin/sh\necho ok\n")
        .config("tools: {exec: {ask: 'off', allowlist: [{pattern: '/**'}]}}\n");
    let outside = test.path("elsewhere");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret"), "hidden\n").unwrap();
    let link = format!("mv d e; ln -s {} d", outside.display());
    let calls = [
        ("mkdir d", "ok"),
        ("cd d && ls", "ok"),
        (link.as_str(), "ok"),
        ("cd d && cat secret", "allowlist-miss"),
        ("cat a.txt > d/x", "path-escape"),
        ("cd d && echo x > secret", "allowlist-miss"),
        ("rm d", "ok"),
        ("mv e d", "ok"),
        ("cd d && ls", "ok"),
    ];
    let lines: Vec<String> = calls
        .iter()
        .map(|(command, _)| json!({"tool": "exec", "args": {"command": command}}).to_string())
        .collect();
    let ran = test.stdin(lines.join("\n") + "\n").run();
    let codes: Vec<String> = ran
        .stdout
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["code"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    let wanted: Vec<&str> = calls.iter().map(|(_, code)| *code).collect();
    assert_eq!(codes, wanted, "{}", ran.stdout);
}
