//! Where OpenClaw errs, by its own list (rows 1 to 23 and 33), and how it is done better here. One test per row; a
//! row whose proof lives elsewhere says where.

use super::bench::{Bench, args, text_of};
use super::{Files, apply_patch, edit, points, read, write};
use crate::path::{Intent, Rule, Scope, Spelling, judge};
use crate::tool::{ToolError, ToolResult};
use serde_json::{Value, json};
use std::fs;

type Answer = Result<ToolResult, ToolError>;

fn get(files: &Files, path: &str) -> Answer {
    read(files, &args(json!({"path": path})))
}

fn put(files: &Files, path: &str, content: &str) -> Answer {
    write(files, &args(json!({"path": path, "content": content})))
}

fn swap(files: &Files, path: &str, old: &str, new: &str) -> Answer {
    edit(
        files,
        &args(json!({"path": path, "edits": [{"oldText": old, "newText": new}]})),
    )
}

fn patch(files: &Files, body: &str) -> Answer {
    apply_patch(
        files,
        &args(json!({"input": format!("*** Begin Patch\n{body}\n*** End Patch")})),
    )
}

#[track_caller]
fn refused(answer: Answer, rule: Rule) {
    let error = answer.unwrap_err();
    assert_eq!(error.code.as_str(), "path-escape", "{error}");
    assert!(error.message.contains(rule.as_str()), "{error}");
    assert!(!error.message.contains("CANARY"));
}

fn world() -> Bench {
    let bench = Bench::new();
    fs::write(bench.out("secret"), "CANARY\n").unwrap();
    bench
}

#[test]
fn row_01_spellings_that_are_guessed_are_guarded() {
    let bench = world();
    bench.link("it\u{2019}s", bench.out("secret"));
    bench.link("Shot 3\u{202f}PM.txt", bench.out("secret"));
    bench.link("cafe\u{301}", bench.top.join("out"));
    refused(get(&bench.files(), "it's"), Rule::SymlinkEscape);
    refused(get(&bench.files(), "Shot 3 PM.txt"), Rule::SymlinkEscape);
    refused(get(&bench.files(), "café/secret"), Rule::SymlinkEscape);
}

#[test]
fn row_02_an_error_shows_the_file_that_was_opened() {
    let bench = world();
    bench.put("x", "one\n");
    bench.put("a b", "one\n");
    bench.link("@x", bench.out("secret"));
    bench.link("a\u{a0}b", bench.out("secret"));
    for path in ["@x", "a\u{a0}b"] {
        refused(swap(&bench.files(), path, "nothing", "1"), Rule::SymlinkEscape);
    }
}

#[test]
fn row_03_a_second_name_is_seen_on_the_open_file() {
    let bench = world();
    fs::hard_link(bench.out("secret"), bench.at("hard")).unwrap();
    refused(get(&bench.files(), "hard"), Rule::Hardlink);
    // Added and removed around the open: the race test in `endurance` swaps hardlinks under running calls.
    let judged = {
        bench.put("f", "x");
        judge(&bench.files().root, "f", Intent::Read, Spelling::Tool).unwrap()
    };
    let open = crate::fsio::OpenFile::open(&judged).unwrap();
    fs::hard_link(bench.at("f"), bench.out("other")).unwrap();
    assert!(open.confirm().is_err());
    fs::remove_file(bench.at("f")).unwrap();
    assert!(open.confirm().is_err());
}

#[test]
fn row_04_a_swap_after_judging_leads_nowhere() {
    let bench = world();
    bench.put("d/secret", "fine\n");
    let files = bench.files();
    let judged = judge(&files.root, "d/secret", Intent::Read, Spelling::Tool).unwrap();
    let created = judge(&files.root, "d/new/deep/x", Intent::Create, Spelling::Tool).unwrap();
    fs::rename(bench.at("d"), bench.at("old")).unwrap();
    bench.link("d", bench.top.join("out"));
    assert!(crate::fsio::OpenFile::open(&judged).is_err());
    assert!(crate::fsio::Place::open(&created, crate::fsio::MakeDirs::Yes).is_err());
    assert_eq!(fs::read_dir(bench.out("")).unwrap().count(), 1);
    // A refused write leaves no directory behind.
    fs::remove_file(bench.at("d")).unwrap();
    put(&files, "./~/x", "y").unwrap();
    refused(put(&files, "made/.git/x", "y"), Rule::Protected);
    assert_eq!(bench.names(), ["old", "old/secret", "~", "~/x"]);
}

#[test]
fn row_05_a_working_directory_is_judged_like_any_path() {
    let bench = world();
    bench.link("link", bench.top.join("out"));
    let root = bench.files().root;
    for given in ["..", "../out", "link", "/tmp"] {
        assert!(judge(&root, given, Intent::Cwd, Spelling::Tool).is_err(), "{given}");
    }
    assert!(judge(&root, ".", Intent::Cwd, Spelling::Tool).is_ok());
}

#[test]
fn row_06_beyond_the_workspace_links_are_resolved_and_never_create() {
    let bench = world();
    let open = bench.open_files();
    bench.link("link", bench.out("secret"));
    bench.link("dangling", bench.out("new"));
    fs::hard_link(bench.out("secret"), bench.out("hard")).unwrap();
    refused(put(&open, "dangling", "x"), Rule::Symlink);
    refused(put(&open, "../out/hard", "x"), Rule::Hardlink);
    assert!(!bench.out("new").exists());
    fs::remove_file(bench.out("hard")).unwrap();
    put(&open, "link", "x").unwrap();
    assert!(bench.at("link").is_symlink());
    assert_eq!(fs::read_to_string(bench.out("secret")).unwrap(), "x");
    // What is protected stays so under its real name.
    bench.put(".git/config", "");
    bench.link("config", bench.at(".git/config"));
    refused(put(&open, "config", "x"), Rule::Protected);
}

#[test]
fn row_07_a_patch_that_fails_changes_nothing() {
    let bench = world();
    bench.put("a", "one\n");
    bench.put("b", "two\n");
    let files = bench.files();
    for bad in [
        "*** Update File: b\n@@\n-missing\n+x",
        "*** Delete File: nope",
        "*** Add File: ../x\n+x",
        "*** Add File: .git/x\n+x",
    ] {
        let error = patch(
            &files,
            &format!("*** Add File: n/m\n+n\n*** Update File: a\n@@\n-one\n+ONE\n{bad}"),
        );
        assert!(error.is_err());
        assert_eq!(bench.names(), ["a", "b"]);
        assert_eq!(bench.text("a"), "one\n");
    }
}

#[test]
fn row_08_a_move_keeps_what_it_should() {
    let bench = world();
    bench.put("a", "one\n");
    bench.put("b", "kept\n");
    bench.chmod("a", 0o755);
    let files = bench.files();
    assert!(patch(&files, "*** Update File: a\n*** Move to: b\n@@\n one").is_err());
    assert_eq!(bench.text("b"), "kept\n");
    patch(&files, "*** Update File: a\n*** Move to: a\n@@\n-one\n+ONE").unwrap();
    assert_eq!(bench.text("a"), "ONE\n");
    patch(&files, "*** Update File: a\n*** Move to: c\n@@\n ONE").unwrap();
    assert_eq!((bench.text("c"), bench.mode("c")), ("ONE\n".into(), 0o755));
}

#[test]
fn row_09_a_replaced_file_is_reported_as_modified() {
    let bench = world();
    bench.put("a", "one\n");
    let result = patch(&bench.files(), "*** Add File: a\n+new").unwrap();
    assert!(text_of(&result).ends_with("\nM a"));
    assert_eq!(result.details["summary"]["added"], json!([]));
}

#[test]
fn row_10_the_end_of_a_file_stays() {
    let bench = world();
    let files = bench.files();
    for (old, body, new) in [
        ("one\ntwo\n\n\n", "@@\n-one\n+ONE", "ONE\ntwo\n\n\n"),
        ("one\n\n", "@@\n+x", "one\nx\n\n"),
        ("one\ntwo", "@@\n-one\n+ONE", "ONE\ntwo"),
    ] {
        bench.put("f", old);
        patch(&files, &format!("*** Update File: f\n{body}")).unwrap();
        assert_eq!(bench.text("f"), new);
    }
}

#[test]
fn row_11_line_endings_stay() {
    let bench = world();
    bench.put("f", "one\r\ntwo\r\nthree\r\n");
    patch(&bench.files(), "*** Update File: f\n@@\n one\n-two\n+TWO").unwrap();
    assert_eq!(bench.text("f"), "one\r\nTWO\r\nthree\r\n");
}

#[test]
fn row_12_context_is_not_rewritten_and_indentation_does_not_choose() {
    let bench = world();
    let files = bench.files();
    bench.put("f", "def f():\n\tif “x”:\n\t\treturn 1\n");
    patch(
        &files,
        "*** Update File: f\n@@\n     if \"x\":\n-        return 1\n+        return 2",
    )
    .unwrap();
    assert_eq!(bench.text("f"), "def f():\n\tif “x”:\n\t\treturn 2\n");
    bench.put("f", "if a:\n    go()\nif b:\n        go()\n");
    let error = patch(&files, "*** Update File: f\n@@\n-go()\n+stop()").unwrap_err();
    assert!(error.message.contains("lines 2, 4"), "{error}");
}

#[test]
fn row_13_an_insertion_follows_its_anchor() {
    let bench = world();
    bench.put("f", "one\ntwo\n");
    patch(&bench.files(), "*** Update File: f\n@@ one\n+between").unwrap();
    assert_eq!(bench.text("f"), "one\nbetween\ntwo\n");
}

#[test]
fn row_14_a_loose_match_changes_its_region_only_and_the_diff_is_honest() {
    let bench = world();
    bench.put("f", "x² ﬁ  \nsay “hi”\nkeep “this”\n");
    let result = swap(&bench.files(), "f", "say \"hi\"", "said").unwrap();
    assert_eq!(bench.text("f"), "x² ﬁ  \nsaid\nkeep “this”\n");
    assert_eq!(
        result.details["diff"],
        " 1 x² ﬁ  \n-2 say “hi”\n+2 said\n 3 keep “this”"
    );
}

#[test]
fn row_15_endings_and_look_alikes_are_left_alone() {
    let bench = world();
    let files = bench.files();
    bench.put("f", "one\ntwo\r\nthree\rfour\n");
    swap(&files, "f", "two", "2").unwrap();
    assert_eq!(bench.text("f"), "one\n2\r\nthree\rfour\n");
    bench.put("f", "a-b\na–b\n");
    swap(&files, "f", "a-b", "x").unwrap();
    assert_eq!(bench.text("f"), "x\na–b\n");
    bench.put("f", "aaa\n");
    assert!(
        swap(&files, "f", "aa", "b")
            .unwrap_err()
            .message
            .contains("2 occurrences")
    );
}

#[test]
fn row_16_bytes_that_are_no_text_stay() {
    let bench = world();
    let files = bench.files();
    bench.put("f", b"one \xff\xfe\ntwo\n");
    swap(&files, "f", "two", "2").unwrap();
    patch(&files, "*** Update File: f\n@@\n-2\n+zwei").unwrap();
    assert_eq!(fs::read(bench.at("f")).unwrap(), b"one \xff\xfe\nzwei\n");
}

#[test]
fn row_17_empty_and_blank_texts_are_texts() {
    let bench = world();
    let files = bench.files();
    bench.put("f", "old");
    put(&files, "f", "").unwrap();
    assert_eq!(bench.text("f"), "");
    put(&files, "g", " \n").unwrap();
    assert_eq!(bench.text("g"), " \n");
    bench.put("f", "a  b\n");
    swap(&files, "f", "  ", " ").unwrap();
    assert_eq!(bench.text("f"), "a b\n");
    assert!(swap(&files, "f", "", "x").is_err());
}

#[test]
fn row_18_bytes_are_bytes() {
    let bench = world();
    let result = put(&bench.files(), "u", "你好 🚀").unwrap();
    assert_eq!(text_of(&result), "Successfully wrote 11 bytes to u");
}

#[test]
fn row_19_a_write_is_whole_and_leaves_nothing_lying_about() {
    let bench = world();
    let files = bench.files();
    put(&files, "new", "x").unwrap();
    // What the umask leaves, as any program would make it.
    fs::write(bench.at("plain"), "x").unwrap();
    assert_eq!(bench.mode("new"), bench.mode("plain"));
    bench.chmod("new", 0o640);
    put(&files, "new", "y").unwrap();
    assert_eq!(bench.mode("new"), 0o640);
    // A file is replaced, never emptied first: whoever has it open keeps the old one whole.
    let mut held = fs::File::open(bench.at("new")).unwrap();
    put(&bench.open_files(), "new", "longer content").unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut held, &mut text).unwrap();
    assert_eq!(text, "y");
    assert_eq!(bench.names(), ["new", "plain"]);
    // What a killed call leaves is swept by the next: see `endurance` and `recover`.
}

#[test]
fn row_20_names_are_names() {
    let bench = world();
    let files = bench.files();
    for path in ["..hidden", ".../x", "./~/x", "./@at"] {
        put(&files, path, path).unwrap();
        assert_eq!(text_of(&get(&files, path).unwrap()), path);
    }
    bench.put("@odd", "at");
    bench.put("a\u{a0}b", "blank");
    assert_eq!(text_of(&get(&files, "@odd").unwrap()), "at");
    assert_eq!(text_of(&get(&files, "a\u{a0}b").unwrap()), "blank");
    assert_eq!(bench.text("./~/x"), "./~/x");
}

#[test]
fn row_21_calls_that_meet_are_serialised() {
    // Across processes: `endurance::calls_that_meet_lose_nothing`. Here: a call waits for another one's lock, or says so.
    let bench = world();
    bench.put("f", "one\n");
    let mut files = bench.files();
    files.patience = std::time::Duration::from_millis(20);
    let lock = super::lock::Lock::take(&files).unwrap();
    for answer in [
        swap(&files, "f", "one", "1"),
        put(&files, "f", "1"),
        patch(&files, "*** Update File: f\n@@\n-one\n+1"),
    ] {
        assert!(answer.unwrap_err().message.contains("another call"));
    }
    drop(lock);
    swap(&files, "f", "one", "1").unwrap();
}

#[test]
fn row_22_changes_of_others_are_never_overwritten() {
    let rival: fn(&Files) -> [Answer; 3] = |files| {
        [
            swap(files, "f", "one", "1"),
            patch(files, "*** Update File: f\n@@\n-one\n+1"),
            patch(files, "*** Delete File: f"),
        ]
    };
    let bench = world();
    let files = bench.files();
    bench.put("f", "one\n");
    let path = bench.at("f");
    points::set(move |point| {
        if point == "apply" {
            fs::write(&path, "one and theirs\n").unwrap();
        }
    });
    let answers = rival(&files);
    points::clear();
    for answer in answers {
        // The first one saw the file before it was changed; the others as it was changed.
        if let Err(error) = answer {
            assert!(
                error.message.contains("another program") || error.message.contains("expected lines"),
                "{error}"
            );
        }
    }
    assert_eq!(bench.text("f"), "one and theirs\n");
}

#[test]
fn row_23_what_is_there_is_reported_as_done() {
    // A change that someone else made meanwhile is never taken for the own one, even when it looks the same.
    let bench = world();
    bench.put("f", "old\n");
    let path = bench.at("f");
    points::set(move |point| {
        if point == "apply" {
            fs::write(&path, "new\n").unwrap();
        }
    });
    let answer = swap(&bench.files(), "f", "old", "new");
    points::clear();
    assert!(answer.unwrap_err().message.contains("another program"));
    assert_eq!(bench.text("f"), "new\n");
    // From the last rename on nothing fails: with the journal gone the change is still reported as done.
    let journals = super::journal::directory(&bench.files());
    points::set(move |point| {
        if point == "finish" {
            fs::remove_dir_all(&journals).unwrap();
        }
    });
    let answer = swap(&bench.files(), "f", "new", "newer");
    points::clear();
    answer.unwrap();
    assert_eq!(bench.text("f"), "newer\n");
}

#[test]
fn row_33_a_read_shows_what_is_there() {
    let bench = world();
    let files = bench.files();
    let content = (1..=5000).fold(String::new(), |text, n| text + &n.to_string() + "\n");
    bench.put("f", &content);
    assert_eq!(text_of(&get(&files, "f").unwrap()), content, "no gaps between pages");
    bench.put("long", format!("a\n{}\nz\n", "b".repeat(60_000)));
    assert!(text_of(&get(&files, "long").unwrap()).contains("offset=3"));
    let numbers = |value: Value| read(&files, &args(value));
    assert!(numbers(json!({"path": "f", "limit": -1})).is_err());
    assert!(text_of(&numbers(json!({"path": "f", "limit": 0})).unwrap()).contains("offset=1"));
    assert!(text_of(&numbers(json!({"path": "f", "offset": 2.9, "limit": 1.5})).unwrap()).starts_with("2\n\n["));
}

#[test]
fn one_switch_opens_what_it_names() {
    let bench = world();
    let mut files = bench.files();
    files.root = files.root.scope(Scope::Anywhere);
    assert_eq!(text_of(&get(&files, "../out/secret").unwrap()), "CANARY\n");
    refused(
        put(&files, bench.top.join("state/x").to_str().unwrap(), "x"),
        Rule::Protected,
    );
}
