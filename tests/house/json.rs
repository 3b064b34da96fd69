//! Paths are no JSON: `json!` ends the process where a name is no UTF-8. Who writes a path down
//! says how it becomes a text.

use crate::{Source, sources};
use std::collections::BTreeSet;

/// What a type that is a path, or holds one, begins with.
const PATHS: [&str; 4] = ["PathBuf", "Path", "OsString", "OsStr"];

/// The type without what is around it.
fn core(mut kind: &str) -> &str {
    loop {
        let lifetime = kind
            .strip_prefix("'")
            .and_then(|rest| rest.split_once(' '))
            .map(|(_, rest)| rest);
        let inner = ["&", "mut ", "Option<", "Vec<", "Sourced<", "Arc<", "Cow<", "["]
            .iter()
            .find_map(|around| kind.strip_prefix(around));
        match lifetime.or(inner) {
            Some(rest) => kind = rest.trim_start(),
            None => break,
        }
    }
    let end = kind
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(kind.len());
    &kind[..end]
}

/// The names that a text declares with a type, and whether that is a path.
fn declared(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let fields = text.match_indices(": ").map(|(at, sign)| (at, at + sign.len()));
    // What gives a path is one.
    let given = text.match_indices(") -> ").filter_map(|(at, sign)| {
        let open = text[..at]
            .rfind("fn ")
            .and_then(|from| text[from..].find('(').map(|open| from + open))?;
        (open < at).then_some((open, at + sign.len()))
    });
    fields.chain(given).filter_map(|(at, behind)| {
        let before = &text[..at];
        let from = before
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |i| i + 1);
        let kind = core(&text[behind..]);
        let typed = kind.starts_with(|c: char| c.is_uppercase()) || ["str", "bool", "usize", "u64"].contains(&kind);
        (from < at && typed).then(|| (&before[from..], PATHS.contains(&kind)))
    })
}

/// What stands in the brackets of each `json!`.
fn arguments(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("json!(").map(|(at, word)| {
        let rest = &text[at + word.len()..];
        let mut depth = 1;
        let end = rest.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// The names that are written as they are: nothing is called on them.
fn written(argument: &str) -> impl Iterator<Item = &str> {
    let ends = argument.match_indices([',', '}', ']']).map(|(at, _)| at);
    ends.chain([argument.len()]).filter_map(|end| {
        let before = argument[..end].trim_end();
        let before = before.strip_suffix("()").unwrap_or(before);
        let from = before
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |i| i + 1);
        (from < before.len()).then(|| &before[from..])
    })
}

/// The paths of a file that it makes JSON of.
fn wrong(source: &Source, everywhere: &BTreeSet<&str>) -> Vec<String> {
    let paths: BTreeSet<&str> = declared(&source.text).filter(|d| d.1).map(|d| d.0).collect();
    let others: BTreeSet<&str> = declared(&source.text).filter(|d| !d.1).map(|d| d.0).collect();
    let is_path = |name: &str| (paths.contains(name) || everywhere.contains(name)) && !others.contains(name);
    let names = arguments(&source.text).flat_map(written).filter(|name| is_path(name));
    names.map(|name| format!("{}: json!(… {name})", source.name)).collect()
}

#[test]
fn paths_become_texts_before_they_become_json() {
    let sources = sources();
    let mut paths = BTreeSet::new();
    let mut others = BTreeSet::new();
    for (name, is_path) in sources.iter().flat_map(|source| declared(&source.text)) {
        if is_path {
            paths.insert(name);
        } else {
            others.insert(name);
        }
    }
    let everywhere: BTreeSet<&str> = paths.difference(&others).copied().collect();
    assert!(everywhere.len() > 20, "{everywhere:?}");
    let found: Vec<String> = sources.iter().flat_map(|source| wrong(source, &everywhere)).collect();
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_path_in_json_would_be_found() {
    for (text, count) in [
        ("fn f(home: &Path) { json!({\"a\": home}) }", 1),
        (
            "fn f(home: Option<&'a Path>) { json!({\"a\": {\"b\": home}, \"c\": 1}) }",
            1,
        ),
        ("struct S { home: PathBuf }\nfn f(s: S) { json!(s.home) }", 1),
        ("fn f(home: &Path) { json!({\"a\": home.to_string_lossy()}) }", 0),
        ("fn f(home: &str) { json!({\"a\": home}) }", 0),
        (
            "fn home(&self) -> &Path {}\nfn f(s: S) { json!({\"a\": s.home(), \"b\": 1}) }",
            1,
        ),
    ] {
        let source = Source {
            name: "x.rs".to_owned(),
            text: text.to_owned(),
        };
        assert_eq!(wrong(&source, &BTreeSet::new()).len(), count, "{text}");
    }
}
