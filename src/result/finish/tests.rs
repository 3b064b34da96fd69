use super::*;
use serde_json::json;

impl Settings {
    /// Settings that cut late and hide what they can, for tests of this and other rooms.
    pub(crate) fn new() -> Self {
        Self {
            max_chars: 16_000,
            context_window_tokens: None,
            format: Format::Auto,
            redactor: Redactor::built_in(),
            max_image_bytes: 5 << 20,
        }
    }
}

fn run(content: Vec<Block>, details: Value, settings: &Settings) -> Finished {
    let Value::Object(details) = details else {
        panic!("an object")
    };
    finish(content, details, settings, Kind::Tool, Place::default())
}

fn texts(finished: &Finished) -> Vec<&str> {
    finished
        .content
        .get()
        .iter()
        .filter_map(|b| match b {
            Block::Text(t) => Some(t.as_str()),
            _ => None,
        })
        .collect()
}

#[test]
fn a_clean_result_passes_unchanged() {
    let content = vec![
        Block::Text("hello\n".into()),
        Block::Other(json!({"type": "resource", "uri": "file:///a"})),
    ];
    let finished = run(content.clone(), json!({"exitCode": 0, "cwd": "/w"}), &Settings::new());
    assert_eq!(finished.content.get(), &content);
    assert_eq!(
        Value::Object(finished.details.into_inner()),
        json!({"exitCode": 0, "cwd": "/w"})
    );
    assert_eq!(finished.report, Report::default());
}

#[test]
fn secrets_go_before_the_cut() {
    let secret = "sk-abcdEFGH12345678ijklMNOP";
    for pad in 150..260 {
        let settings = Settings {
            max_chars: 200,
            ..Settings::new()
        };
        let text = format!("{} {secret} {}", "x".repeat(pad), "y".repeat(300));
        let finished = run(vec![Block::Text(text)], json!({}), &settings);
        let shown = texts(&finished).concat();
        assert!(!shown.contains("sk-abcd") && !shown.contains("EFGH"), "{pad}: {shown}");
        assert!(shown.chars().count() <= 200);
    }
}

#[test]
fn secrets_that_escapes_or_marks_would_hide_are_seen() {
    let text = "key sk-\u{1b}[1mabcdEFGH12345678\u{1b}[0mijklMNOP";
    assert!(
        !texts(&run(vec![Block::Text(text.into())], json!({}), &Settings::new()))
            .concat()
            .contains("EFGH")
    );
    let settings = Settings {
        format: Format::Plain,
        ..Settings::new()
    };
    let text = "key **sk-abcdEFGH12345678ijklMNOP**";
    let prose = finish(
        vec![Block::Text(text.into())],
        Map::new(),
        &settings,
        Kind::Prose,
        Place::default(),
    );
    assert_eq!(texts(&prose), ["key [redacted:api-key…MNOP]"]);
}

#[test]
fn details_are_redacted_and_bounded() {
    let details = json!({
        "aggregated": format!("API_KEY=abcdefghijklmnopqrstuvwxyz {}", "z".repeat(300_000)),
        "env": {"MY_TOKEN": "tok", "PATH": "/bin"},
        "headers": [{"name": "X-Api-Key", "value": "shh"}],
        "exitCode": 3,
        "many": (0..20_000).collect::<Vec<_>>(),
    });
    let settings = Settings {
        max_chars: 1000,
        ..Settings::new()
    };
    let finished = run(vec![], details, &settings);
    let details = finished.details.get();
    let text = serde_json::to_string(details).unwrap();
    assert!(text.len() < 17_000, "{}", text.len());
    assert!(!text.contains("mnopqr") && !text.contains("\"tok\"") && !text.contains("shh"));
    assert_eq!(details["exitCode"], 3);
    assert_eq!(details["env"]["PATH"], "/bin");
    assert!(details["many"].as_str().unwrap().contains("characters omitted"));
}

#[test]
fn several_blocks_keep_to_one_budget() {
    let settings = Settings {
        max_chars: 1000,
        ..Settings::new()
    };
    for count in [2, 5, 31, 33, 500] {
        let content = (0..count)
            .map(|i| Block::Text(format!("{i} {}", "w".repeat(900))))
            .collect();
        let finished = run(content, json!({}), &settings);
        let total: usize = texts(&finished).iter().map(|t| t.chars().count()).sum();
        assert!(total <= 1000 && total > 300, "{count}: {total}");
    }
}

#[test]
fn images_are_checked() {
    let png = base64(b"\x89PNG\r\n\x1a\nrest");
    let image = |data: &str| Block::Image {
        data: data.into(),
        mime_type: "image/png".into(),
    };
    let finished = run(vec![image(&png), image("AAAA")], json!({}), &Settings::new());
    assert_eq!(finished.content.get()[0], image(&png));
    assert!(texts(&finished)[0].contains("image omitted"));
    assert_eq!(finished.report.images, 1);
    let many = run((0..25).map(|_| image(&png)).collect(), json!({}), &Settings::new());
    assert_eq!(many.report.images, 5);
}

fn base64(bytes: &[u8]) -> String {
    crate::text::base64::encode(bytes)
}

#[test]
fn other_blocks_are_bounded() {
    let finished = run(
        vec![
            Block::Other(json!({"type": "x", "items": vec!["y"; 20_000]})),
            Block::Other(json!({"type": "link", "token": "abc"})),
        ],
        json!({}),
        &Settings::new(),
    );
    assert!(texts(&finished)[0].starts_with("[x block omitted"));
    assert_eq!(
        finished.content.get()[1],
        Block::Other(json!({"type": "link", "token": "[redacted:token]"}))
    );
}

#[test]
fn files_are_not_reformatted() {
    let settings = Settings {
        format: Format::Plain,
        ..Settings::new()
    };
    let text = "**not** a link [a](b)\u{200d}\u{feff}";
    let finished = finish(
        vec![Block::Text(text.into())],
        Map::new(),
        &settings,
        Kind::File,
        Place::default(),
    );
    assert_eq!(texts(&finished), [text]);
}

/// The text of a vector: literal, repeated, or put together.
fn expand(text: &Value) -> String {
    if let Some(parts) = text.get("concat").and_then(Value::as_array) {
        return parts.iter().map(expand).collect();
    }
    if let Some(piece) = text.get("repeat").and_then(Value::as_str) {
        return piece.repeat(usize::try_from(text["count"].as_u64().unwrap()).unwrap());
    }
    text.as_str().unwrap().to_owned()
}

fn vectors(suite: &str) -> Vec<Value> {
    let path = format!("{}/fixtures/conformance/{suite}.jsonl", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

fn emit(text: &str, settings: &Settings) -> String {
    texts(&run(vec![Block::Text(text.to_owned())], json!({}), settings)).concat()
}

#[test]
fn truncation_conforms() {
    let mut ran = 0;
    for case in vectors("truncate") {
        let (id, input) = (&case["id"], &case["input"]);
        let max = usize::try_from(input["maxChars"].as_u64().unwrap_or(0)).unwrap();
        if input["op"] != "text" || input.get("suffix").is_some() || input.get("minKeepChars").is_some() || max < 200 {
            continue;
        }
        let text = expand(&input["text"]);
        let total = text.chars().count();
        if total <= max && max < text.encode_utf16().count() {
            continue;
        }
        ran += 1;
        let settings = Settings {
            max_chars: max,
            redactor: Redactor::new(crate::result::Redaction::Off, &[]),
            ..Settings::new()
        };
        let have = emit(&text, &settings);
        if total <= max {
            assert_eq!(have, text, "{id}");
            continue;
        }
        assert!(have.chars().count() <= max, "{id}");
        assert!(
            have.encode_utf16().count() * 10 >= max * 6,
            "{id}: too little of the budget is used"
        );
        assert!(
            text.starts_with(&have.chars().take(max * 2 / 5).collect::<String>()),
            "{id}: the head is not kept"
        );
        let notice = have.split("[... ").nth(1).unwrap_or_else(|| panic!("{id}: no notice"));
        assert!(
            notice.starts_with(|c: char| c.is_ascii_digit()),
            "{id}: the notice does not count"
        );
    }
    assert!(ran > 20, "{ran}");
}

/// Vectors that hide what only looks like a secret; what is hidden here is told by the tests of the redactor.
const PROSE_VECTORS: [&str; 2] = ["redact-p-023", "redact-p-024"];

#[test]
fn redaction_conforms() {
    let mut ran = 0;
    for case in vectors("redact") {
        let (id, input, want) = (case["id"].as_str().unwrap(), &case["input"], &case["expect"]);
        let weak = case["tags"]
            .as_array()
            .is_some_and(|t| t.iter().any(|t| t == "weak" || t == "unsafe"));
        if weak || input.get("fn").is_some() || input.get("mode").is_some() || PROSE_VECTORS.contains(&id) {
            continue;
        }
        ran += 1;
        let patterns: Vec<String> = input["patterns"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|p| p.as_str().unwrap().to_owned())
            .collect();
        let settings = Settings {
            max_chars: 1_000_000,
            redactor: Redactor::new(crate::result::Redaction::On, &patterns),
            ..Settings::new()
        };
        let text = expand(&input["text"]);
        let have = emit(&text, &settings);
        if want["changed"] == false {
            if !case["note"].as_str().unwrap_or_default().contains("not covered") {
                assert_eq!(have, text, "{id}");
            }
            continue;
        }
        assert_ne!(have, text, "{id}: the secret is still there");
        let Some(masked) = want["text"].as_str() else { continue };
        // What stands between the parts that the vector shows is secret.
        let mut at = 0;
        for part in masked.split("***").flat_map(|p| p.split('…')).filter(|p| !p.is_empty()) {
            let Some(found) = text[at..].find(part) else { continue };
            let hidden = &text[at..at + found];
            assert!(hidden.len() < 6 || !have.contains(hidden), "{id}: still shows {hidden}");
            at += found + part.len();
        }
    }
    assert!(ran > 50, "{ran}");
}

#[test]
fn whatever_is_cut_is_told_with_what_cut_it_and_where_the_rest_is() {
    let settings = Settings {
        max_chars: 100,
        ..Settings::new()
    };
    let cut = |kind: Kind, details: Value, remaining_tokens: Option<u64>, text: &str| {
        let Value::Object(details) = details else { panic!() };
        let place = Place {
            remaining_tokens,
            ..Place::default()
        };
        let done = finish(vec![Block::Text(text.to_owned())], details, &settings, kind, place);
        Value::Object(done.details.into_inner())
    };
    let long = "x".repeat(300);
    assert_eq!(cut(Kind::Tool, json!({}), None, "short"), json!({}));
    let by_limit = cut(Kind::Tool, json!({}), None, &long);
    assert_eq!(
        (&by_limit["truncated"], &by_limit["cut"]["by"]),
        (&json!(true), &json!(["maxChars"]))
    );
    assert!(by_limit["cut"]["characters"].as_u64().unwrap() >= 200, "{by_limit}");
    let by_context = cut(Kind::Tool, json!({}), Some(50), &long);
    assert_eq!(by_context["cut"]["by"], json!(["context"]));
    let by_lines = cut(
        Kind::File,
        json!({"truncation": {"truncated": true, "truncatedBy": "lines"}}),
        None,
        "a",
    );
    assert_eq!(
        (&by_lines["truncated"], &by_lines["cut"]["by"]),
        (&json!(true), &json!(["lines"]))
    );
    assert!(by_lines["cut"]["rest"].as_str().unwrap().contains("`offset`"));
    let by_output = cut(Kind::Command, json!({"truncated": true}), None, &long);
    assert_eq!(by_output["cut"]["by"], json!(["output", "maxChars"]));
    assert_eq!(
        cut(Kind::Command, json!({"truncated": false}), None, "a"),
        json!({"truncated": false})
    );
}
