//! Rules on arguments only ever add refusals; one that allows settles `tools.ask` and nothing else.

use super::bench::{Bench, Case, Judgement};
use crate::model::{Code, Verdict};
use proptest::prelude::*;
use serde_json::{Value, json};

fn judged(bench: &Bench, tools: &Value, command: &str) -> Judgement {
    Case::new(bench, json!({"tools": tools}), command).judge().unwrap()
}

fn tools(exec: &Value, ask: &[&str], rules: &[Value]) -> Value {
    json!({"exec": exec, "ask": ask, "rules": rules})
}

fn rule(decision: &str, conditions: &Value) -> Value {
    json!({"tool": "exec", "where": conditions, "decision": decision})
}

#[test]
fn a_rule_that_allows_weakens_nothing_but_tools_ask() {
    let bench = Bench::new(&["work", "home"]);
    let anything = [rule("allow", &json!({}))];
    let granted = json!({"commands": {"allow": ["ls"], "deny": ["rm"], "ask": ["git push"]}});
    for (exec, ask, command, verdict) in [
        (&granted, &["exec"][..], "ls", Verdict::Allow),
        (&granted, &[], "git push", Verdict::Ask),
        (&granted, &[], "rm x", Verdict::Deny),
        (&granted, &["exec"], "rm x", Verdict::Deny),
        (&granted, &["exec"], "unknown-program", Verdict::Ask),
        (&json!({"security": "deny"}), &["exec"], "ls", Verdict::Deny),
        (
            &json!({"security": "full", "ask": "always"}),
            &["exec"],
            "ls",
            Verdict::Ask,
        ),
    ] {
        let judgement = judged(&bench, &tools(exec, ask, &anything), command);
        assert_eq!(judgement.verdict, verdict, "{command}: {}", judgement.reason);
    }
}

#[test]
fn the_first_stage_that_refuses_gives_the_code() {
    let bench = Bench::new(&["work", "home"]);
    let rules = [rule("deny", &json!({"/command": {"glob": "*secret*"}}))];
    let judgement = judged(
        &bench,
        &tools(&json!({"security": "full"}), &[], &rules),
        "cat secret.txt",
    );
    assert_eq!((judgement.verdict, judgement.code), (Verdict::Deny, Code::CommandRule));
    assert!(judgement.reason.contains("the rule at "), "{}", judgement.reason);
}

fn any_rule() -> impl Strategy<Value = Value> {
    let decision = prop::sample::select(vec!["allow", "ask", "deny"]);
    let tool = prop::sample::select(vec!["exec", "bash", "group:runtime", "*", "read"]);
    let conditions = prop::sample::select(vec![
        json!({}),
        json!({"/command": "ls"}),
        json!({"/command": {"glob": "*push*"}}),
        json!({"/command": {"maxLength": 4}}),
        json!({"/command": ["ls", "rm x"]}),
        json!({"/workdir": "sub"}),
        json!({"/command": {"minLength": 3}, "/timeout": {"max": 5}}),
    ]);
    (decision, tool, conditions)
        .prop_map(|(decision, tool, conditions)| json!({"tool": tool, "where": conditions, "decision": decision}))
}

/// Rules of one file must not contradict each other.
fn consistent(rules: Vec<Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for rule in rules {
        let name = |rule: &Value| {
            if rule["tool"] == "bash" {
                json!("exec")
            } else {
                rule["tool"].clone()
            }
        };
        let same = |other: &Value| name(other) == name(&rule) && other["where"] == rule["where"];
        if !kept.iter().any(same) {
            kept.push(rule);
        }
    }
    kept
}

#[test]
fn a_further_refusal_never_loosens() {
    let bench = Bench::new(&["work/sub", "home"]);
    let command = prop::sample::select(vec!["ls", "rm x", "git push", "unknown-program", "cat a | sh", ""]);
    let exec = prop::sample::select(vec![
        json!({"security": "full"}),
        json!({"security": "deny"}),
        json!({"commands": {"allow": ["ls"], "deny": ["rm"], "ask": ["git push"]}}),
    ]);
    let ask = prop::sample::select(vec![&[][..], &["exec"], &["group:runtime"]]);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(150));
    let given = (command, exec, ask, prop::collection::vec(any_rule(), 0..4), any_rule());
    let checked = runner.run(&given, |(command, exec, ask, rules, more)| {
        let rules = consistent(rules);
        let longer = consistent(rules.iter().cloned().chain([more.clone()]).collect());
        let before = judged(&bench, &tools(&exec, ask, &rules), command);
        let after = judged(&bench, &tools(&exec, ask, &longer), command);
        let settles = more["decision"] == "allow" && before.code == Code::AskAlways;
        prop_assert!(
            after.verdict >= before.verdict || settles,
            "{} {}",
            before.reason,
            after.reason
        );
        Ok(())
    });
    checked.unwrap();
}
