use crate::tool::file::bench::{Bench, args};
use crate::tool::file::edit;
use crate::tool::{ToolError, ToolResult};
use serde_json::json;

fn run(bench: &Bench, path: &str, edits: &[(&str, &str)]) -> Result<ToolResult, ToolError> {
    let list: Vec<_> = edits.iter().map(|(o, n)| json!({"oldText": o, "newText": n})).collect();
    edit(&bench.files(), &args(json!({"path": path, "edits": list})))
}

/// One edit of a file with the given bytes; the bytes afterwards.
#[track_caller]
fn after(content: impl AsRef<[u8]>, old: &str, new: &str) -> Vec<u8> {
    let bench = Bench::new();
    bench.put("f", content);
    run(&bench, "f", &[(old, new)]).unwrap();
    std::fs::read(bench.at("f")).unwrap()
}

#[track_caller]
fn fails(content: &str, edits: &[(&str, &str)]) -> String {
    let bench = Bench::new();
    bench.put("f", content);
    let error = run(&bench, "f", edits).unwrap_err();
    assert_eq!(bench.text("f"), content, "a failed edit changes nothing");
    assert_eq!(bench.names(), ["f"]);
    error.message
}

#[test]
fn bytes_outside_the_edit_stay() {
    assert_eq!(
        after("x\u{b2} ﬁ  \nsay “hi”\nkeep “this”  \n", "say \"hi\"", "said"),
        "x\u{b2} ﬁ  \nsaid\nkeep “this”  \n".as_bytes()
    );
    assert_eq!(after(b"one \xff\xfe two\n", "two", "2"), b"one \xff\xfe 2\n");
    assert_eq!(
        after("one\r\ntwo\nthree\r\n", "two", "2\nb"),
        b"one\r\n2\r\nb\nthree\r\n"
    );
    assert_eq!(after("one\rtwo\nthree\n", "three", "3"), b"one\rtwo\n3\n");
    assert_eq!(
        after("\u{feff}one\r\ntwo\r\n", "one\ntwo", "1\n2"),
        "\u{feff}1\r\n2\r\n".as_bytes()
    );
    assert_eq!(after("one\ntwo", "two", "2"), b"one\n2");
}

#[test]
fn blank_text_can_be_edited() {
    assert_eq!(after("a  b\n", "  ", " "), b"a b\n");
    assert_eq!(after("a\n\n\nb\n", "\n\n\n", "\n"), b"a\nb\n");
}

#[test]
fn an_exact_text_wins_over_look_alikes() {
    assert_eq!(after("a-b\na–b\n", "a-b", "x"), "x\na–b\n".as_bytes());
    let message = fails("a–b\na—b\n", &[("a-b", "x")]);
    assert!(message.contains("Found 2 occurrences"), "{message}");
}

#[test]
fn ambiguity_shows_the_places() {
    let message = fails("x = 1\ny\nx = 1\n", &[("x = 1", "z")]);
    assert!(
        message.contains("line 1: x = 1") && message.contains("line 3: x = 1"),
        "{message}"
    );
    assert!(fails("aaa\n", &[("aa", "b")]).contains("2 occurrences"));
}

#[test]
fn a_miss_shows_the_likely_place() {
    let content: String = (0..500).fold(String::new(), |text, n| text + &n.to_string() + " line of text\n");
    let message = fails(&content, &[("\t400 line of text", "x")]);
    assert!(message.contains("from line 39"), "{message}");
    assert!(message.contains("400 line of text"));
    let message = fails("one\ntwo\n", &[("three", "3")]);
    assert!(message.ends_with("Current file contents:\none\ntwo\n"), "{message}");
}

#[test]
fn the_snippet_comes_from_the_edited_file() {
    let bench = Bench::new();
    std::fs::write(bench.out("secret"), "CANARY").unwrap();
    bench.put("x.txt", "one\n");
    bench.link("@x.txt", bench.out("secret"));
    let message = run(&bench, "@x.txt", &[("nothing", "1")]).unwrap_err().message;
    assert!(!message.contains("CANARY"), "{message}");
    assert_eq!(bench.text("x.txt"), "one\n");
}

#[test]
fn wide_text_is_refused() {
    let bench = Bench::new();
    bench.put("f", b"\xff\xfea\0\n\0");
    assert!(run(&bench, "f", &[("a", "b")]).unwrap_err().message.contains("UTF-16"));
}

#[test]
fn the_diff_shows_what_changed_on_disk() {
    let bench = Bench::new();
    bench.put("f", "say “hi”\nkeep “this”\n");
    let result = run(&bench, "f", &[("say \"hi\"", "said")]).unwrap();
    assert_eq!(result.details["diff"], "-1 say “hi”\n+1 said\n 2 keep “this”");
    assert_eq!(result.details["firstChangedLine"], 1);
    assert_eq!(result.details["fuzzyMatches"], 1);
    assert!(
        result.details["unified"]
            .as_str()
            .unwrap()
            .starts_with("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n")
    );
}

#[test]
fn modes_stay() {
    let bench = Bench::new();
    bench.put("run.sh", "one\n");
    bench.chmod("run.sh", 0o751);
    run(&bench, "run.sh", &[("one", "1")]).unwrap();
    assert_eq!(bench.mode("run.sh"), 0o751);
}

#[test]
fn a_file_that_is_not_there_or_no_file() {
    let bench = Bench::new();
    std::fs::create_dir(bench.at("d")).unwrap();
    for path in ["nope", "d"] {
        let error = run(&bench, path, &[("a", "b")]).unwrap_err();
        assert!(error.message.starts_with("File not found"), "{error}");
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn an_edit_replaces_one_place_and_nothing_else(head in "([a-c“\u{a0} ]|\r\n|\n){0,12}", tail in "([a-c“\u{a0} ]|\r\n|\n){0,12}", new in "[xyz\n]{0,4}") {
            let content = format!("{head}MARK{tail}");
            let ending = if content.contains("\r\n") || content.contains('\n') { None } else { Some("\n") };
            let out = String::from_utf8(after(&content, "MARK", &format!("N{new}"))).unwrap();
            prop_assert!(out.starts_with(&head) && out.ends_with(&tail));
            let middle = &out[head.len()..out.len() - tail.len()];
            prop_assert_eq!(middle.replace("\r\n", "\n"), format!("N{}", new));
            if ending.is_some() {
                prop_assert!(!middle.contains('\r'));
            }
        }
    }
}
