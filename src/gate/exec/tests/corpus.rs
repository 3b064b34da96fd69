//! Attacks must not run unasked; what a developer granted should.

use super::bench::{Bench, Case, Judgement, rows};
use crate::model::Verdict;
use serde_json::{Value, json};

/// Judges one row of a corpus; `None` where the row needs more than a judgement. `sandbox`: whether the kernel has one.
fn judged(row: &Value, sandbox: bool) -> Option<Result<Judgement, String>> {
    let bench = Bench::new(&["ws", "home", "tools/bin", "outside"]);
    let input = bench.subst(row.get("input").unwrap_or(row));
    bench.put_all(&input["files"]);
    for step in input["steps"].as_array().into_iter().flatten() {
        match step["op"].as_str() {
            Some("rm") => {
                let path = bench.root.join(step["path"].as_str().unwrap());
                let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
            }
            Some("fs") => bench.put(step),
            // What a call of another tool must not do before is that tool's matter.
            _ => return None,
        }
    }
    if input["call"]["tool"] != "exec" {
        return None;
    }
    let mut config = match &input["config"] {
        Value::Object(o) => Value::Object(o.clone()),
        _ => json!({}),
    };
    let exec = &mut config["tools"]["exec"];
    if exec["security"].is_null() {
        exec["security"] = json!("allowlist");
    }
    if exec["ask"].is_null() {
        exec["ask"] = json!("on-miss");
    }
    if let Value::Array(list) = &input["allowlist"] {
        exec["allowlist"] = json!(list);
    }
    let mut args = input["call"]["args"].clone();
    if let Value::Object(env) = &input["env"]
        && !env.is_empty()
    {
        args["env"] = json!(env);
    }
    let path = format!(
        "{0}/tools/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        bench.text()
    );
    let mut case = Case::new(&bench, config, "")
        .env(&json!({ "PATH": path }))
        .env(&input["procEnv"]);
    case.args = args;
    case.workspace = bench.root.join("ws");
    if sandbox && case.config["tools"]["exec"]["floor"].is_null() {
        case = case.sandboxed();
    }
    Some(case.judge())
}

fn command(row: &Value) -> String {
    let input = row.get("input").unwrap_or(row);
    input["call"]["args"]["command"]
        .as_str()
        .unwrap_or("")
        .chars()
        .take(160)
        .collect()
}

fn attacks(file: &str) -> (usize, Vec<String>) {
    let mut judged_count = 0;
    let mut allowed = Vec::new();
    for row in rows(file) {
        let input = row.get("input").unwrap_or(&row);
        if input.get("state").is_some_and(|s| !s.is_null()) && input["state"].as_object().is_some_and(|o| !o.is_empty())
        {
            continue;
        }
        let Some(answer) = judged(&row, false) else { continue };
        judged_count += 1;
        if let Ok(judgement) = answer
            && judgement.verdict == Verdict::Allow
            && row["okIf"].is_null()
            && input["okIf"].is_null()
        {
            allowed.push(format!(
                "{} {:?} — {}",
                row["id"].as_str().unwrap(),
                command(&row),
                judgement.reason
            ));
        }
    }
    (judged_count, allowed)
}

#[test]
fn no_attack_runs_unasked() {
    let (count, allowed) = attacks("corpus/attacks.jsonl");
    assert!(count > 250, "only {count} judged");
    assert!(
        allowed.is_empty(),
        "{} of {count} allowed:\n{}",
        allowed.len(),
        allowed.join("\n")
    );
}

/// Attacks that need more than a judgement to be told from everyday work; the list only shrinks.
const STILL_ALLOWED: [&str; 0] = [];

#[test]
fn no_attack_that_needs_program_knowledge_runs_unasked_but_those_that_are_named() {
    let (count, allowed) = attacks("corpus/attacks-strict.jsonl");
    assert!(count > 50, "only {count} judged");
    assert_eq!(ids(&allowed), STILL_ALLOWED, "of {count}:\n{}", allowed.join("\n"));
}

/// The ids that lines begin with.
fn ids(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.split(' ').next()).collect()
}

fn benign(file: &str) -> (usize, Vec<String>) {
    let mut count = 0;
    let mut asked = Vec::new();
    for row in rows(file) {
        let Some(answer) = judged(&row, true) else { continue };
        count += 1;
        let judgement = answer.unwrap_or_else(|e| panic!("{}: {e}", row["id"]));
        if judgement.verdict != Verdict::Allow {
            asked.push(format!(
                "{} {:?} — {} {}",
                row["id"].as_str().unwrap(),
                command(&row),
                judgement.code.as_str(),
                judgement.reason
            ));
        }
    }
    (count, asked)
}

/// What is granted and asked about all the same; the lists only shrink.
const STILL_ASKED: [&str; 0] = [];
// A login shell reads start-up files, which may be anything.
const STILL_ASKED_BY_POLICY: [&str; 1] = ["ben-336"];

#[test]
fn what_a_developer_granted_runs_unasked() {
    let (count, asked) = benign("corpus/benign.jsonl");
    assert!(count > 100, "only {count} judged");
    assert_eq!(ids(&asked), STILL_ASKED, "of {count}:\n{}", asked.join("\n"));
}

#[test]
fn most_of_what_is_a_matter_of_policy_runs_unasked() {
    let (count, asked) = benign("corpus/benign-extended.jsonl");
    assert!(count > 10, "only {count} judged");
    assert_eq!(ids(&asked), STILL_ASKED_BY_POLICY, "of {count}:\n{}", asked.join("\n"));
}
