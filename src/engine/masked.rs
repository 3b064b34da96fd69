//! Keeps masks out of files: a mask stands for a secret that was not shown, and must never take its place. And says which
//! files are read as they are.

use crate::result::redact::mask_in;
use crate::tool::ToolError;
use serde_json::{Map, Value};

/// Refuses arguments of a tool that hold a mask of ours anywhere but in a path.
///
/// # Errors
/// When one is there; it names the mask and the way out.
pub(super) fn refuse(tool: &str, args: &Map<String, Value>) -> Result<(), ToolError> {
    let mut texts = args.iter().filter(|(key, _)| *key != "path").map(|(_, value)| value);
    match texts.find_map(|value| find(value, 0)) {
        Some(mask) => Err(ToolError::params(format!(
            "{tool}: the text holds `{mask}`, a mask for a secret that was not shown; written to a file it would take the \
             secret's place. Leave that part of the file out of the change, or give the value itself"
        ))),
        None => Ok(()),
    }
}

fn find(value: &Value, depth: usize) -> Option<&str> {
    match value {
        Value::String(text) => mask_in(text),
        Value::Array(items) if depth < 8 => items.iter().find_map(|item| find(item, depth + 1)),
        Value::Object(map) if depth < 8 => map.values().find_map(|item| find(item, depth + 1)),
        Value::Array(_) | Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// What the sources of programs are called, after the last dot of their name.
const SOURCES: &[&str] = &[
    "rs", "py", "pyi", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "go", "java", "kt", "kts", "scala", "c",
    "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "m", "mm", "swift", "rb", "php", "cs", "fs", "fsx", "vb", "lua", "pl",
    "pm", "r", "jl", "ex", "exs", "erl", "hrl", "hs", "lhs", "ml", "mli", "clj", "cljs", "cljc", "edn", "lisp", "el",
    "scm", "rkt", "dart", "zig", "nim", "d", "v", "sv", "vhd", "vhdl", "asm", "s", "f", "f90", "f95", "ada", "adb",
    "ads", "pas", "sol", "move", "vue", "svelte", "astro", "css", "scss", "sass", "less", "html", "htm", "xhtml",
    "jinja", "j2", "hbs", "ejs", "proto", "thrift", "graphql", "gql", "wat", "cu", "cuh", "cl", "glsl", "hlsl", "wgsl",
    "tcl", "groovy", "gradle", "cmake", "mk", "bzl", "star", "nix", "dhall", "coffee", "elm", "purs", "idr", "agda",
    "lean", "cr", "hx", "gd", "pyx", "pxd", "rst", "tex",
];

/// Whether a `read` with these arguments shows the source of a program.
pub(super) fn reads_source(args: &Map<String, Value>) -> bool {
    args.get("path").and_then(Value::as_str).is_some_and(is_source)
}

/// Whether a path names the source of a program, where names that claim a secret are everywhere and say nothing.
fn is_source(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.')
        .is_some_and(|(stem, end)| !stem.is_empty() && SOURCES.iter().any(|s| end.eq_ignore_ascii_case(s)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(args: &Value) -> bool {
        refuse("edit", args.as_object().unwrap()).is_err()
    }

    #[test]
    fn masks_are_refused_wherever_they_stand() {
        assert!(refused(&json!({"path": "a", "content": "x [redacted:password] y"})));
        assert!(refused(
            &json!({"path": "a", "edits": [{"oldText": "a", "newText": "k=[redacted:api-key…wxyz]"}]})
        ));
        assert!(refused(&json!({"input": "*** Begin Patch\n+[redacted:token]\n"})));
        assert!(!refused(
            &json!({"path": "[redacted:password]", "content": "[redacted] *** …"})
        ));
    }

    #[test]
    fn sources_are_told_by_their_names() {
        for path in ["src/main.rs", "a/b.PY", "x.test.ts", "Makefile.mk"] {
            assert!(is_source(path), "{path}");
        }
        for path in [
            ".env",
            "config.yaml",
            "a.json",
            ".rs",
            "src.rs/data",
            "id_rsa",
            "notes.md",
            "run.sh",
        ] {
            assert!(!is_source(path), "{path}");
        }
    }
}
