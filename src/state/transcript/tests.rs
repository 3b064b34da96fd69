use super::*;
use crate::result::Redactor;
use std::fs;
use std::path::Path;

fn state(dir: &Path) -> Store {
    Store::create(&dir.join("sessions"), rustix::process::geteuid().as_raw()).unwrap()
}

fn open(dir: &Store) -> Transcript {
    Transcript::open(dir, "agent:main:main", Durability::None, "2026-01-01T00:00:00.000Z").unwrap()
}

fn args() -> Redacted<Map<String, Value>> {
    let Value::Object(map) = json!({"command": "echo API_KEY=abc", "password": "x"}) else {
        panic!("an object")
    };
    Redactor::built_in().map(map).0
}

fn begin(transcript: &mut Transcript, id: &str) -> OpenCall {
    let args = args();
    let item_id = format!("command:{id}");
    transcript
        .begin(CallEntry {
            id,
            item_id: &item_id,
            tool: "exec",
            args: &args,
            timestamp: "2026-01-01T00:00:00.000Z",
            agent: "main",
            spawned_by: None,
        })
        .unwrap()
}

fn finish(transcript: &mut Transcript, call: &OpenCall) {
    let settings = crate::result::Settings::new();
    let done = crate::result::finish(
        vec![Block::Text("done".into())],
        Map::new(),
        &settings,
        crate::result::Kind::Tool,
        crate::result::Place::default(),
    );
    let entry = ResultEntry {
        status: Status::Completed,
        content: &done.content,
        details: &done.details,
        timestamp: "2026-01-01T00:00:01.000Z",
        recorded: None,
    };
    transcript.finish(call, entry).unwrap();
}

fn records(transcript: &Transcript) -> Vec<Value> {
    let text = fs::read_to_string(transcript.lines.path()).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn a_call_and_its_result() {
    let temp = tempfile::tempdir().unwrap();
    let mut transcript = open(&state(temp.path()));
    let call = begin(&mut transcript, "c1");
    finish(&mut transcript, &call);
    assert_eq!(
        records(&transcript),
        [
            json!({
                "type": "tool_call", "id": "c1", "itemId": "command:c1", "tool": "exec",
                "args": {"command": "echo API_KEY=[redacted:key]", "password": "[redacted:password]"}, "timestamp": "2026-01-01T00:00:00.000Z",
                "agent": "main", "session": "agent:main:main", "open": [0],
            }),
            json!({
                "type": "tool_result", "tool_call_id": "c1", "itemId": "command:c1", "status": "completed", "isError": false,
                "content": [{"type": "text", "text": "done"}], "details": {}, "timestamp": "2026-01-01T00:00:01.000Z",
            }),
        ]
    );
}

/// Opens until a lost call is found: a child that another test has just forked holds the dropped lock until it starts its
/// program.
fn when_seen_as_dead(open: impl Fn() -> Transcript) -> Transcript {
    for _ in 0..250 {
        let transcript = open();
        if transcript.lost() > 0 {
            return transcript;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    open()
}

#[test]
fn only_calls_of_the_dead_are_answered() {
    let temp = tempfile::tempdir().unwrap();
    let dir = state(temp.path());
    let mut first = open(&dir);
    let mut second = open(&dir);
    let a = begin(&mut first, "a");
    let b = begin(&mut second, "b");
    assert_eq!(open(&dir).lost(), 0, "both are at work");
    drop((first, a)); // as if the process had died
    let third = when_seen_as_dead(|| open(&dir));
    assert_eq!(third.lost(), 1);
    assert_eq!(open(&dir).lost(), 0, "answered once");
    finish(&mut second, &b);
    let records = records(&second);
    let results: Vec<(&str, bool)> = records
        .iter()
        .filter(|r| r["type"] == "tool_result")
        .map(|r| (r["tool_call_id"].as_str().unwrap(), r["isError"].as_bool().unwrap()))
        .collect();
    assert_eq!(results, [("a", true), ("b", false)]);
    assert_eq!(records[2]["details"], json!({"synthetic": true}));
    assert_eq!(records.last().unwrap().get("open"), None);
}

#[test]
fn a_torn_line_is_mended_at_opening() {
    let temp = tempfile::tempdir().unwrap();
    let dir = state(temp.path());
    let mut transcript = open(&dir);
    let call = begin(&mut transcript, "a");
    let path = transcript.lines.path().to_owned();
    drop((transcript, call));
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"type\":\"tool_result\",\"tool_call");
    let transcript = when_seen_as_dead(|| {
        fs::write(&path, &text).unwrap();
        open(&dir)
    });
    assert!(matches!(transcript.repair(), Some(Repair::Dropped(_))));
    assert_eq!(transcript.lost(), 1);
}

#[test]
fn places_that_are_no_calls_are_ignored() {
    let temp = tempfile::tempdir().unwrap();
    let dir = state(temp.path());
    let transcript = open(&dir);
    fs::write(
        transcript.lines.path(),
        "{\"type\":\"tool_call\",\"open\":[0,3,99999999]}\n",
    )
    .unwrap();
    assert_eq!(open(&dir).lost(), 0);
    fs::write(transcript.lines.path(), "not json\n").unwrap();
    let mut transcript = open(&dir);
    let call = begin(&mut transcript, "c");
    finish(&mut transcript, &call);
}
