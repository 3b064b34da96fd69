use super::super::chain::Flaw;
use super::*;
use std::fs;

fn uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn log(dir: &Path) -> Audit {
    let state = Store::create(&dir.join("state"), uid()).unwrap();
    Audit::open(&state, Durability::None).unwrap()
}

fn who() -> Context {
    Context {
        agent: "main".into(),
        provider: Some("openai".into()),
        model: None,
        owner: false,
        sandbox: false,
        session: Some("agent:main:main".into()),
        spawned_by: None,
        subagent_depth: 0,
        channel: None,
        account: None,
        group: None,
        group_channel: None,
        sender: crate::model::Sender::default(),
        message_provider: None,
        workspace: PathBuf::from("/w"),
    }
}

fn record(call: &str, kind: RecordKind) -> Redacted<Map<String, Value>> {
    let who = who();
    let entry = Entry {
        kind,
        time: "2026-01-01T00:00:00.000Z",
        run: "r1",
        call,
        item: call,
        tool: "exec",
        who: &who,
        call_digest: "d1",
        policy_hash: Some("p1"),
        decision: "allow",
        code: Code::Ok,
        reason: Some("because API_KEY=abc"),
        plan_digest: None,
        outcome: (kind == RecordKind::End).then_some((Status::Completed, 12)),
        exit_code: None,
    };
    entry.seal(&Redactor::built_in())
}

/// A log of `count` records, and the path of its file.
fn filled(dir: &Path, count: usize) -> (Audit, PathBuf) {
    let mut audit = log(dir);
    for i in 0..count {
        audit.append(&record(&format!("c{i}"), RecordKind::Decision)).unwrap();
    }
    let path = audit.lines.path().to_owned();
    (audit, path)
}

fn rewrite(path: &Path, change: impl FnOnce(&mut Vec<String>)) {
    let mut lines: Vec<String> = fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect();
    change(&mut lines);
    lines.push(String::new());
    fs::write(
        path,
        lines.join(
            "
",
        ),
    )
    .unwrap();
}

#[test]
fn an_untouched_log_is_sound() {
    let temp = tempfile::tempdir().unwrap();
    let (mut audit, path) = filled(temp.path(), 5);
    let verdict = audit.verify().unwrap();
    assert!(verdict.is_sound(), "{verdict:?}");
    assert_eq!(verdict.records, 5);
    assert_eq!(verdict.head.unwrap().seq, 5);
    let text = fs::read_to_string(path).unwrap();
    assert!(!text.contains("abc") && text.contains("API_KEY=[redacted:key]"));
    assert!(log(temp.path()).verify().unwrap().is_sound());
    assert!(log(&temp.path().join("empty")).verify().unwrap().is_sound());
}

#[test]
fn every_change_is_found() {
    type Change = fn(&mut Vec<String>);
    let cases: [(&str, Change, &[Flaw]); 9] = [
        (
            "edited",
            |l| l[2] = l[2].replace("\"allow\"", "\"deny\""),
            &[Flaw::Edited { line: 3 }],
        ),
        (
            "edited last",
            |l| l[4] = l[4].replace("\"allow\"", "\"deny\""),
            &[Flaw::Edited { line: 5 }],
        ),
        (
            "missing one",
            |l| drop(l.remove(2)),
            &[Flaw::Missing { line: 3, count: 1 }],
        ),
        (
            "missing first two",
            |l| drop(l.drain(..2)),
            &[Flaw::Missing { line: 1, count: 2 }],
        ),
        ("cut off", |l| l.truncate(3), &[Flaw::CutOff { count: 2 }]),
        ("emptied", Vec::clear, &[Flaw::CutOff { count: 5 }]),
        ("twice", |l| l.insert(3, l[2].clone()), &[Flaw::Moved { line: 4 }]),
        (
            "swapped",
            |l| l.swap(1, 2),
            &[Flaw::Missing { line: 2, count: 1 }, Flaw::Moved { line: 3 }],
        ),
        ("garbage", |l| l.insert(1, "{}".into()), &[Flaw::Edited { line: 2 }]),
    ];
    for (name, change, want) in cases {
        let temp = tempfile::tempdir().unwrap();
        let (mut audit, path) = filled(temp.path(), 5);
        rewrite(&path, change);
        let verdict = audit.verify().unwrap();
        assert_eq!(verdict.flaws, want, "{name}");
        // What comes after does not cover it up.
        audit.append(&record("later", RecordKind::Decision)).unwrap();
        assert!(!audit.verify().unwrap().is_sound(), "{name}, and one more record");
    }
}

#[test]
fn a_chain_made_anew_is_found() {
    let temp = tempfile::tempdir().unwrap();
    let (mut audit, path) = filled(temp.path(), 3);
    let other = tempfile::tempdir().unwrap();
    let mut forged = log(other.path());
    for _ in 0..3 {
        forged.append(&record("forged", RecordKind::Decision)).unwrap();
    }
    fs::copy(forged.lines.path(), &path).unwrap();
    assert_eq!(audit.verify().unwrap().flaws, [Flaw::Replaced]);
}

#[test]
fn a_torn_last_line_is_mended_and_told() {
    let temp = tempfile::tempdir().unwrap();
    let (mut audit, path) = filled(temp.path(), 2);
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"v\":1,\"seq\":3,\"ki");
    fs::write(&path, &text).unwrap();
    let verdict = audit.verify().unwrap();
    assert!(verdict.is_sound());
    assert_eq!(verdict.repair, Some(Repair::Dropped(18)));
    assert_eq!(verdict.records, 2);
    audit.append(&record("next", RecordKind::Decision)).unwrap();
    assert!(log(temp.path()).verify().unwrap().is_sound());
}

#[test]
fn a_note_that_lags_behind_or_is_gone_is_no_flaw() {
    let temp = tempfile::tempdir().unwrap();
    let (mut audit, path) = filled(temp.path(), 3);
    let head = PathBuf::from(format!("{}.head", path.display()));
    let note = fs::read(&head).unwrap();
    audit.append(&record("c", RecordKind::Decision)).unwrap();
    fs::write(&head, note).unwrap();
    assert!(audit.verify().unwrap().is_sound());
    fs::write(&head, "").unwrap();
    assert!(audit.verify().unwrap().is_sound());
    assert_eq!(audit.append(&record("d", RecordKind::Decision)).unwrap().seq, 5);
    assert!(audit.verify().unwrap().is_sound());
}

#[test]
fn runs_without_end_are_counted() {
    let temp = tempfile::tempdir().unwrap();
    let mut audit = log(temp.path());
    for (call, kind) in [
        ("a", RecordKind::Start),
        ("b", RecordKind::Start),
        ("a", RecordKind::End),
    ] {
        audit.append(&record(call, kind)).unwrap();
    }
    assert_eq!(audit.verify().unwrap().unfinished, 1);
}

#[test]
fn tail_and_show() {
    let temp = tempfile::tempdir().unwrap();
    let (mut audit, _) = filled(temp.path(), 5);
    let tail = audit.tail(2).unwrap();
    assert_eq!(
        tail.iter().map(|r| r["call"].as_str().unwrap()).collect::<Vec<_>>(),
        ["c3", "c4"]
    );
    assert_eq!(audit.tail(99).unwrap().len(), 5);
    assert_eq!(audit.show("c1").unwrap()[0]["seq"], 2);
    assert_eq!(audit.show("2").unwrap()[0]["call"], "c1");
    assert_eq!(audit.show("r1").unwrap().len(), 5);
    let hash = tail[0]["hash"].as_str().unwrap();
    assert_eq!(audit.show(&hash[..12]).unwrap().len(), 1);
    assert!(audit.show("nothing").unwrap().is_empty());
}

#[test]
fn a_log_that_cannot_be_written_is_an_error() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("file"), "").unwrap();
    assert!(Audit::at(&temp.path().join("file/audit.jsonl"), uid(), Durability::None).is_err());
    assert!(Audit::at(&temp.path().join("new/audit.jsonl"), uid(), Durability::Fsync).is_ok());
    std::os::unix::fs::symlink("/dev/null", temp.path().join("new/x.jsonl")).unwrap();
    assert!(Audit::at(&temp.path().join("new/x.jsonl"), uid(), Durability::None).is_err());
}
