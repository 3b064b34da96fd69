//! The file part of the attack corpus: none may succeed, and none may have its effect.

use super::Files;
use super::bench::{args, text_of};
use crate::fsio::Durability;
use crate::path::Root;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Instant;

fn put(top: &Path, file: &Value) {
    let path = top.join(file["path"].as_str().unwrap());
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    if let Some(target) = file["symlink"].as_str() {
        let _ = fs::remove_file(&path);
        symlink(target, path).unwrap();
    } else if let Some(source) = file["hardlink"].as_str() {
        fs::hard_link(top.join(source), path).unwrap();
    } else if file["dir"] == true {
        fs::create_dir_all(path).unwrap();
    } else if file["fifo"] == true {
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
    } else {
        fs::write(path, file["content"].as_str().unwrap_or("")).unwrap();
    }
}

/// What the attack did, if it did anything.
fn happened(case: &Value, files: &Files, before: &[(String, Option<Vec<u8>>)]) -> Option<String> {
    let call = &case["call"];
    let run = match call["tool"].as_str().unwrap() {
        "read" => super::read,
        "write" => super::write,
        "edit" => super::edit,
        _ => super::apply_patch,
    };
    let begin = Instant::now();
    let result = run(files, &args(call["args"].clone()));
    if let Some(limit) = case["check"]["maxSeconds"].as_u64()
        && begin.elapsed().as_secs() > limit
    {
        return Some("it took too long".to_owned());
    }
    let shown = match &result {
        Ok(result) => format!(
            "{} {}",
            text_of(result),
            serde_json::to_string(&result.details).unwrap()
        ),
        Err(error) => error.message.clone(),
    };
    if let Some(canary) = case["check"]["noOutput"].as_str()
        && shown.contains(canary)
    {
        return Some("the canary was shown".to_owned());
    }
    for (path, content) in before {
        if fs::read(path).ok() != *content {
            return Some(format!("{path} changed"));
        }
    }
    result.is_ok().then(|| "the call succeeded".to_owned())
}

#[test]
fn no_attack_on_files_succeeds() {
    let mut wrong = Vec::new();
    for line in include_str!("../../../fixtures/corpus/attacks-files.jsonl").lines() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let case: Value = serde_json::from_str(&line.replace("${ROOT}", top.to_str().unwrap())).unwrap();
        for name in ["ws", "home", "outside"] {
            fs::create_dir_all(top.join(name)).unwrap();
        }
        for file in case["files"].as_array().unwrap() {
            put(&top, file);
        }
        // A race is won here before the call: the names are already swapped.
        for step in case["state"]["race"].as_array().cloned().unwrap_or_default() {
            if step["op"] == "rm" {
                let _ = fs::remove_dir_all(top.join(step["path"].as_str().unwrap()));
            } else {
                put(&top, &step);
            }
        }
        let root = Root::new(&top.join("ws")).unwrap().home(Some(top.join("home")));
        let mut files = Files::new(root, top.join("state"));
        files.durability = Durability::None;
        let watched: Vec<(String, Option<Vec<u8>>)> = ["absent", "unchanged", "unchangedOrAbsent"]
            .iter()
            .filter_map(|key| case["check"][key].as_str())
            .map(|path| (path.to_owned(), fs::read(path).ok()))
            .collect();
        if let Some(what) = happened(&case, &files, &watched) {
            wrong.push(format!("{} {}: {what}", case["id"], case["effect"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
