use super::*;
use crate::model::{Block, Code};
use crate::path::Root;
use std::fs;
use std::os::unix::fs::symlink;

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn new(list: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in list {
            let path = dir.path().join("work").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir_all(dir.path().join("work")).unwrap();
        Self { dir }
    }

    fn files(&self) -> Files {
        let root = Root::new(&self.dir.path().join("work").canonicalize().unwrap()).unwrap();
        Files::new(root, self.dir.path().join("state"))
    }

    fn get(&self, args: &Value) -> Result<String, ToolError> {
        memory_get(&self.files(), args.as_object().unwrap()).map(|result| text(&result))
    }

    fn search(&self, args: &Value) -> ToolResult {
        memory_search(&self.files(), args.as_object().unwrap()).unwrap()
    }
}

fn text(result: &ToolResult) -> String {
    let Some(Block::Text(text)) = result.content.first() else {
        panic!()
    };
    text.clone()
}

fn paths(result: &ToolResult) -> Vec<&str> {
    let results = result.details["results"].as_array().unwrap();
    results.iter().map(|hit| hit["path"].as_str().unwrap()).collect()
}

#[test]
fn what_is_no_memory_is_not_read() {
    let world = World::new(&[
        ("MEMORY.md", "m\n"),
        ("README.md", "secret\n"),
        ("memory/a.txt", "secret\n"),
        ("memory.d/a.md", "secret\n"),
        ("sub/MEMORY.md", "secret\n"),
        ("sub/memory/a.md", "secret\n"),
    ]);
    let work = world.dir.path().join("work");
    fs::write(world.dir.path().join("outside.md"), "secret\n").unwrap();
    symlink("../../outside.md", work.join("memory/out.md")).unwrap();
    symlink("../README.md", work.join("memory/in.md")).unwrap();
    symlink("..", work.join("memory/up")).unwrap();
    fs::hard_link(world.dir.path().join("outside.md"), work.join("memory/hard.md")).unwrap();
    for path in [
        "README.md",
        "memory/a.txt",
        "memory",
        "memory.d/a.md",
        "sub/MEMORY.md",
        "sub/memory/a.md",
        "memory/../README.md",
        "memory/out.md",
        "memory/in.md",
        "memory/up/README.md",
        "memory/hard.md",
        "../outside.md",
        "/etc/passwd",
        "~/MEMORY.md",
    ] {
        let error = world.get(&json!({"path": path})).unwrap_err();
        assert_eq!(error.code, Code::PathEscape, "{path}: {error}");
        assert!(!error.message.contains("secret"));
    }
    let found = world.search(&json!({"query": "secret"}));
    assert_eq!(paths(&found), [""; 0], "{found:?}");
    assert!(world.get(&json!({"path": "MEMORY.md", "corpus": "wiki"})).is_err());
    assert_eq!(world.get(&json!({"path": "MEMORY.md"})).unwrap(), "m");
}

#[test]
fn bad_arguments_are_refused() {
    let world = World::new(&[("MEMORY.md", "m\n")]);
    for args in [json!({}), json!({"query": " "}), json!({"query": 5})] {
        assert!(
            memory_search(&world.files(), args.as_object().unwrap()).is_err(),
            "{args}"
        );
    }
    let error = world.get(&json!({"path": "MEMORY.md", "from": 2})).unwrap_err();
    assert!(error.message.contains("1 lines"), "{error}");
    let error = world.get(&json!({"path": "memory/none.md"})).unwrap_err();
    assert_eq!(error.code, Code::ToolFailed);
}

#[test]
fn passages_are_found_with_their_lines() {
    let world = World::new(&[
        (
            "MEMORY.md",
            "# People\nAnna likes tea\n\n# Servers\nstaging runs on port 8080\nbackups at night\n",
        ),
        (
            "memory/2026-01-02.md",
            "talked about tea ceremonies, tea pots and tea\n",
        ),
        ("memory/deep/er/x.md", "nothing of interest\n"),
    ]);
    let found = world.search(&json!({"query": "Which port does staging run on?"}));
    let first = &found.details["results"][0];
    assert_eq!(
        (&first["path"], &first["startLine"], &first["endLine"]),
        (&json!("MEMORY.md"), &json!(4), &json!(6))
    );
    assert!(text(&found).starts_with("MEMORY.md:4-6 "), "{}", text(&found));
    let found = world.search(&json!({"query": "tea"}));
    assert_eq!(paths(&found), ["memory/2026-01-02.md", "MEMORY.md"]);
    assert_eq!(paths(&world.search(&json!({"query": "tea", "maxResults": 1}))).len(), 1);
    assert_eq!(paths(&world.search(&json!({"query": "tea", "minScore": 1.0}))).len(), 0);
    assert_eq!(
        paths(&world.search(&json!({"query": "interest"}))),
        ["memory/deep/er/x.md"]
    );
    let wiki = world.search(&json!({"query": "tea", "corpus": "wiki"}));
    assert!(paths(&wiki).is_empty() && wiki.warnings.len() == 1);
}

#[test]
fn lines_are_shown_with_what_follows() {
    let text = "line 1\nline 2\nline 3\nline 4\nline 5\n".to_owned();
    let world = World::new(&[("memory/a.md", &text)]);
    let shown = world
        .get(&json!({"path": "memory/a.md", "from": 2, "lines": 2}))
        .unwrap();
    assert_eq!(shown, "line 2\nline 3\n[2 more lines; use from=4 to continue]");
    assert_eq!(
        world.get(&json!({"path": "@memory/a.md", "from": 5})).unwrap(),
        "line 5"
    );
    let long = World::new(&[
        ("MEMORY.md", &"x".repeat(90_000)),
        ("memory/big.md", &"y".repeat(2 << 20)),
    ]);
    assert_eq!(long.get(&json!({"path": "MEMORY.md"})).unwrap().len(), MOST_SHOWN);
    assert!(long.get(&json!({"path": "memory/big.md"})).is_err());
    let found = long.search(&json!({"query": "y"}));
    assert!(found.warnings[0].contains("big.md"), "{:?}", found.warnings);
}
