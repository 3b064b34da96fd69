//! Many processes write one session and one audit log, and some of them are killed while they do.
//!
//! `TOOLCTL_STRESS_PROCESSES` sets how many (8); each makes [`CALLS`] calls, every second one is killed on the way.

use super::*;
use crate::model::{Block, Code, Context, Status};
use crate::result::{Kind, Redactor, Settings, finish};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const CALLS: usize = 40;
const DIR: &str = "TOOLCTL_STRESS_DIR";
const NOW: &str = "2026-01-01T00:00:00.000Z";
const SESSION: &str = "agent:main:main";

fn state(dir: &Path) -> Store {
    Store::create(dir, rustix::process::geteuid().as_raw()).unwrap()
}

fn who() -> Context {
    Context {
        session: Some(SESSION.into()),
        workspace: PathBuf::from("/w"),
        ..Context::default()
    }
}

/// One process: makes its calls as the engine does, and says each id once it is answered.
#[test]
#[ignore = "run by the test below, in processes of its own"]
fn worker() {
    let Some(dir) = std::env::var_os(DIR).map(PathBuf::from) else {
        panic!("run by the test below")
    };
    let (dir, pid, who, redactor) = (state(&dir), std::process::id(), who(), Redactor::built_in());
    let sessions = dir.child("sessions").unwrap();
    // Set aside now and then, by whoever comes to it.
    let mut audit = Audit::open(&dir, Durability::None).unwrap().limited(Some(20_000));
    let mut history = dir.lines("loop.jsonl", Durability::None).unwrap();
    for i in 0..CALLS {
        let id = format!("{pid}-{i}");
        let mut transcript = Transcript::open(&sessions, SESSION, Durability::None, NOW).unwrap();
        history
            .lock()
            .unwrap()
            .append(json!({"id": id}).to_string().as_bytes())
            .unwrap();
        let args = redactor
            .map(Map::from_iter([("command".to_owned(), json!("x".repeat(i * 200)))]))
            .0;
        let call = CallEntry {
            id: &id,
            item_id: &id,
            tool: "exec",
            args: &args,
            timestamp: NOW,
            agent: "main",
            spawned_by: None,
        };
        let open = transcript.begin(call).unwrap();
        let mut entry = Entry {
            kind: RecordKind::Start,
            time: NOW,
            run: "r",
            call: &id,
            item: &id,
            tool: "exec",
            who: &who,
            call_digest: "d",
            policy_hash: None,
            decision: "allow",
            approval: None,
            code: Code::Ok,
            reason: None,
            plan_digest: None,
            machine_digest: None,
            outcome: None,
            exit_code: None,
            connections: None,
            kept: None,
        };
        audit.append(&entry.seal(&redactor)).unwrap();
        let done = finish(
            vec![Block::Text(id.clone())],
            Map::new(),
            &Settings::new(),
            Kind::Tool,
            crate::result::Place::default(),
        );
        let result = ResultEntry {
            status: Status::Completed,
            content: &done.content,
            details: &done.details,
            timestamp: NOW,
            recorded: None,
        };
        transcript.finish(&open, result).unwrap();
        entry.kind = RecordKind::End;
        entry.outcome = Some((Status::Completed, 1));
        audit.append(&entry.seal(&redactor)).unwrap();
        let mut out = std::io::stdout();
        out.write_all(format!("answered {id}\n").as_bytes()).unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn nothing_that_was_answered_is_lost() {
    let processes: usize = std::env::var("TOOLCTL_STRESS_PROCESSES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(8);
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("state");
    let mut children: Vec<_> = (0..processes)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["state::stress::worker", "--exact", "--ignored", "--nocapture"])
                .env(DIR, &path)
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut killed = 0;
    let mut seed = u64::from(std::process::id()) ^ 0x9e37_79b9_7f4a_7c15;
    for child in children.iter_mut().step_by(2) {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(Duration::from_micros(seed >> 33 & 0x3fff));
        child.kill().unwrap();
        killed += 1;
    }
    let mut answered = BTreeSet::new();
    for (i, mut child) in children.into_iter().enumerate() {
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        let status = child.wait().unwrap();
        assert!(i % 2 == 0 || status.success(), "process {i} failed: {text}");
        let whole = text
            .lines()
            .filter_map(|l| l.split_once("answered "))
            .map(|(_, id)| id.to_owned());
        answered.extend(whole.filter(|_| text.ends_with('\n')));
    }
    assert!(answered.len() >= processes / 2 * CALLS);

    let dir = state(&path);
    let reader = AuditReader::open(&Audit::default_path(dir.path()), rustix::process::geteuid().as_raw());
    let verdict = reader.unwrap().verify(&Known::default()).unwrap().unwrap();
    assert!(verdict.is_sound(), "{verdict:?}");
    assert!(verdict.unfinished <= killed);

    let sessions = dir.child("sessions").unwrap();
    drop(Transcript::open(&sessions, SESSION, Durability::None, NOW).unwrap());
    let file = sessions.path().join(format!("{}.jsonl", file_stem(SESSION)));
    let mut calls = BTreeSet::new();
    let mut results: BTreeMap<String, (usize, bool)> = BTreeMap::new();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let record: Value = serde_json::from_str(line).expect("every line is whole");
        if record["type"] == "tool_call" {
            assert!(calls.insert(record["id"].as_str().unwrap().to_owned()));
        } else {
            let entry = results
                .entry(record["tool_call_id"].as_str().unwrap().to_owned())
                .or_default();
            entry.0 += 1;
            entry.1 |= record["isError"] == true;
        }
    }
    assert!(
        results.values().all(|(count, _)| *count == 1),
        "each call has one result"
    );
    assert_eq!(calls, results.keys().cloned().collect(), "and each result a call");
    for id in &answered {
        assert_eq!(results.get(id), Some(&(1, false)), "{id}");
    }
    assert!(results.values().filter(|(_, lost)| *lost).count() as u64 <= killed);

    let mut history = dir.lines("loop.jsonl", Durability::None).unwrap();
    let recorded = history.lock().unwrap().tail(usize::MAX).unwrap().len() as u64;
    let least = answered.len() as u64;
    assert!(
        (least..=least + killed).contains(&recorded),
        "{recorded} recorded, {least} answered, {killed} killed"
    );
}
