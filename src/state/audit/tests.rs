use super::super::chain::{Flaw, Known};
use super::*;
use std::fs;

fn noted_elsewhere(hashes: &[String]) -> Known {
    Known {
        expected: hashes.to_vec(),
        ..Known::default()
    }
}

fn uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn log(dir: &Path) -> Audit {
    let state = Store::create(&dir.join("state"), uid()).unwrap();
    Audit::open(&state, Durability::None).unwrap()
}

/// What a check from outside finds.
fn verdict(path: &Path) -> Verdict {
    AuditReader::open(path, uid())
        .unwrap()
        .verify(&Known::default())
        .unwrap()
        .unwrap()
}

fn head_of(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.head", path.display()))
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
        approval: None,
        code: Code::Ok,
        reason: Some("because API_KEY=abc"),
        plan_digest: None,
        machine_digest: None,
        outcome: (kind == RecordKind::End).then_some((Status::Completed, 12)),
        exit_code: None,
        connections: None,
        kept: None,
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
    let (_, path) = filled(temp.path(), 5);
    let verdict = verdict(&path);
    assert!(verdict.is_sound(), "{verdict:?}");
    assert_eq!(verdict.records, 5);
    assert_eq!(verdict.head.unwrap().seq, 5);
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("abc") && text.contains("API_KEY=[redacted:key]"));
    assert!(self::verdict(&path).is_sound());
    let none = temp.path().join("empty/audit.jsonl");
    assert_eq!(
        AuditReader::open(&none, uid())
            .unwrap()
            .verify(&Known::default())
            .unwrap(),
        None
    );
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
        assert_eq!(verdict(&path).flaws, want, "{name}");
        // What comes after does not cover it up.
        audit.append(&record("later", RecordKind::Decision)).unwrap();
        assert!(!verdict(&path).is_sound(), "{name}, and one more record");
    }
}

#[test]
fn a_chain_made_anew_is_found() {
    let temp = tempfile::tempdir().unwrap();
    let (_, path) = filled(temp.path(), 3);
    let other = tempfile::tempdir().unwrap();
    let mut forged = log(other.path());
    for _ in 0..3 {
        forged.append(&record("forged", RecordKind::Decision)).unwrap();
    }
    fs::copy(forged.lines.path(), &path).unwrap();
    assert_eq!(verdict(&path).flaws, [Flaw::Replaced]);
}

#[test]
fn a_torn_last_line_is_mended_and_told() {
    let temp = tempfile::tempdir().unwrap();
    let (mut audit, path) = filled(temp.path(), 2);
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"v\":1,\"seq\":3,\"ki");
    fs::write(&path, &text).unwrap();
    let verdict = verdict(&path);
    assert!(verdict.is_sound());
    assert_eq!(verdict.repair, Some(Repair::Dropped(18)));
    assert_eq!(verdict.records, 2);
    audit.append(&record("next", RecordKind::Decision)).unwrap();
    assert!(self::verdict(&path).is_sound());
}

#[test]
fn a_note_that_lags_behind_is_no_flaw() {
    let temp = tempfile::tempdir().unwrap();
    let (mut audit, path) = filled(temp.path(), 3);
    let note = fs::read(head_of(&path)).unwrap();
    audit.append(&record("c", RecordKind::Decision)).unwrap();
    fs::write(head_of(&path), note).unwrap();
    assert!(verdict(&path).is_sound());
    assert_eq!(audit.append(&record("d", RecordKind::Decision)).unwrap().seq, 5);
}

#[test]
fn a_note_that_is_gone_is_a_flaw_and_nothing_is_added() {
    let temp = tempfile::tempdir().unwrap();
    let (mut audit, path) = filled(temp.path(), 3);
    fs::write(head_of(&path), "").unwrap();
    assert_eq!(verdict(&path).flaws, [Flaw::NoNote]);
    assert!(audit.append(&record("d", RecordKind::Decision)).is_err());
    fs::remove_file(head_of(&path)).unwrap();
    rewrite(&path, |lines| lines.truncate(2));
    assert_eq!(verdict(&path).flaws, [Flaw::NoNote]);
    let state = Store::create(&temp.path().join("state"), uid()).unwrap();
    assert!(Audit::open(&state, Durability::None).is_err());
    assert!(!head_of(&path).exists());
}

#[test]
fn a_log_that_is_gone_is_a_flaw_also_after_the_next_record() {
    let temp = tempfile::tempdir().unwrap();
    let (_, path) = filled(temp.path(), 3);
    fs::remove_file(&path).unwrap();
    assert_eq!(verdict(&path).flaws, [Flaw::Gone { count: 3 }]);
    log(temp.path()).append(&record("d", RecordKind::Decision)).unwrap();
    assert_eq!(verdict(&path).flaws, [Flaw::Missing { line: 1, count: 3 }]);
}

#[test]
fn a_record_that_was_noted_elsewhere_must_be_there() {
    let temp = tempfile::tempdir().unwrap();
    let (mut audit, path) = filled(temp.path(), 3);
    let noted = audit.append(&record("c", RecordKind::Decision)).unwrap().hash;
    audit.append(&record("d", RecordKind::Decision)).unwrap();
    let expecting = |hash: &str| {
        AuditReader::open(&path, uid())
            .unwrap()
            .verify(&noted_elsewhere(&[hash.to_owned()]))
            .unwrap()
            .unwrap()
    };
    assert!(expecting(&noted).is_sound() && expecting(&noted.to_uppercase()).is_sound());
    assert_eq!(expecting(&"0".repeat(64)).flaws, [Flaw::NotThere]);
    // Log and note removed together leave nothing behind here; what is noted elsewhere tells.
    fs::remove_file(&path).unwrap();
    fs::remove_file(head_of(&path)).unwrap();
    assert_eq!(expecting(&noted).flaws, [Flaw::NotThere]);
}

#[test]
fn a_check_changes_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let (_, path) = filled(temp.path(), 2);
    for torn in ["", "{\"v\":1,\"seq\":3,\"ki"] {
        let text = format!("{}{torn}", fs::read_to_string(&path).unwrap());
        fs::write(&path, &text).unwrap();
        assert!(verdict(&path).is_sound());
        AuditReader::open(&path, uid()).unwrap().tail(5).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
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
    assert_eq!(verdict(audit.lines.path()).unfinished, 1);
}

#[test]
fn tail_and_show() {
    let temp = tempfile::tempdir().unwrap();
    let (_, path) = filled(temp.path(), 5);
    let mut audit = AuditReader::open(&path, uid()).unwrap();
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

/// A log that is set aside after about so many records, with `count` of them.
fn in_parts(dir: &Path, count: usize) -> (Audit, PathBuf) {
    let (audit, path) = filled(dir, 0);
    let mut audit = audit.limited(Some(2000));
    for i in 0..count {
        audit.append(&record(&format!("c{i}"), RecordKind::Decision)).unwrap();
    }
    (audit, path)
}

fn parts_of(path: &Path) -> Vec<PathBuf> {
    let dir = PathBuf::from(format!("{}.parts", path.display()));
    let mut all: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

#[test]
fn a_full_log_goes_on_in_another_file_without_a_gap() {
    let temp = tempfile::tempdir().unwrap();
    let (_, path) = in_parts(temp.path(), 40);
    assert!(parts_of(&path).len() >= 3, "{:?}", parts_of(&path));
    assert!(fs::metadata(&path).unwrap().len() < 4000);
    let found = verdict(&path);
    assert!(found.is_sound(), "{found:?}");
    assert_eq!((found.records, found.head.unwrap().seq), (40, 40));
    let mut reader = AuditReader::open(&path, uid()).unwrap();
    let calls: Vec<Value> = reader.tail(40).unwrap().iter().map(|r| r["call"].clone()).collect();
    assert_eq!(calls, (0..40).map(|i| json!(format!("c{i}"))).collect::<Vec<_>>());
    assert_eq!(reader.tail(3).unwrap().len(), 3);
    assert_eq!(reader.show("c0").unwrap().len(), 1);
    assert_eq!(reader.show("c39").unwrap().len(), 1);
}

#[test]
fn what_is_taken_from_a_log_in_parts_is_found() {
    type Change = fn(&Path, &[PathBuf]);
    let changes: [(&str, Change); 7] = [
        ("the first part", |_, parts| fs::remove_file(&parts[0]).unwrap()),
        ("one in between", |_, parts| fs::remove_file(&parts[1]).unwrap()),
        ("the last part", |_, parts| {
            fs::remove_file(parts.last().unwrap()).unwrap();
        }),
        ("the newest file", |path, _| fs::remove_file(path).unwrap()),
        ("the end of a part", |_, parts| {
            let text = fs::read_to_string(&parts[1]).unwrap();
            let cut = text.trim_end().rfind('\n').unwrap() + 1;
            fs::write(&parts[1], &text[..cut]).unwrap();
        }),
        ("all parts", |_, parts| {
            for part in parts {
                fs::remove_file(part).unwrap();
            }
        }),
        ("a part in the place of another", |_, parts| {
            fs::copy(&parts[0], &parts[1]).unwrap();
        }),
    ];
    for (what, change) in changes {
        let temp = tempfile::tempdir().unwrap();
        let (mut audit, path) = in_parts(temp.path(), 30);
        change(&path, &parts_of(&path));
        assert!(!verdict(&path).is_sound(), "{what}");
        // It stays found when the log goes on.
        audit.append(&record("later", RecordKind::Decision)).unwrap();
        assert!(!verdict(&path).is_sound(), "{what}, later");
        log(temp.path()).append(&record("again", RecordKind::Decision)).unwrap();
        assert!(!verdict(&path).is_sound(), "{what}, again");
    }
}

#[test]
fn a_process_that_died_between_two_files_leaves_no_gap() {
    let temp = tempfile::tempdir().unwrap();
    let (audit, path) = in_parts(temp.path(), 30);
    drop(audit);
    // Set aside, and nothing written since.
    let last = verdict(&path).head.unwrap().seq;
    let aside = PathBuf::from(format!("{}.parts/{last:020}", path.display()));
    fs::rename(&path, aside).unwrap();
    assert!(verdict(&path).is_sound());
    log(temp.path()).append(&record("d", RecordKind::Decision)).unwrap();
    let found = verdict(&path);
    assert!(found.is_sound() && found.records == 31, "{found:?}");
}

#[test]
fn heads_that_were_noted_elsewhere_are_in_the_chain() {
    use crate::state::AnchorFile;
    let temp = tempfile::tempdir().unwrap();
    let (mut audit, path) = in_parts(temp.path(), 10);
    let elsewhere = temp.path().join("elsewhere/heads");
    let anchor = AnchorFile::new(&elsewhere, uid());
    assert_eq!(anchor.noted().unwrap(), None);
    for i in 0..20 {
        let receipt = audit.append(&record(&format!("d{i}"), RecordKind::Decision)).unwrap();
        anchor
            .note(&receipt, "2026-01-01T00:00:00.000Z", Durability::None)
            .unwrap();
    }
    let noted = anchor.noted().unwrap().unwrap();
    assert_eq!(noted.len(), 20);
    let check = || {
        AuditReader::open(&path, uid())
            .unwrap()
            .verify(&noted_elsewhere(&noted))
            .unwrap()
            .unwrap()
    };
    assert!(check().is_sound());
    // The whole log made anew, as if nothing had been.
    fs::remove_dir_all(temp.path().join("state")).unwrap();
    in_parts(temp.path(), 30);
    assert!(verdict(&path).is_sound());
    assert_eq!(check().flaws, [Flaw::NotThere]);
    fs::write(&elsewhere, "1 nothing\n").unwrap();
    assert!(anchor.noted().is_err());
}
