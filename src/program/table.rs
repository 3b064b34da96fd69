//! The rows of `knowledge/`, checked and sorted by `build.rs`.
#![allow(clippy::unreadable_literal, reason = "written by `build.rs`, for no reader")]

use super::family::{Entry, Family};

const fn entry(hash: u32, start: u32, end: u32, traits: u64) -> Entry {
    Entry {
        hash,
        start,
        end,
        traits,
    }
}

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// One example of a row: where it stands, the command, and whether it is without a doubt.
#[cfg(test)]
#[derive(Debug)]
pub(super) struct Example {
    pub(super) place: String,
    pub(super) passes: bool,
    pub(super) command: String,
}

/// The examples of a file of `knowledge/`, or of all files of a directory of it.
#[cfg(test)]
pub(super) fn examples(name: &str) -> Vec<Example> {
    let place = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("knowledge")
        .join(name);
    let mut files = vec![place.clone()];
    if place.is_dir() {
        files = std::fs::read_dir(place)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort_unstable();
    }
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if let Some(command) = line.strip_prefix(['+', '?']) {
                found.push(Example {
                    place: format!("{}:{}", file.file_name().unwrap().display(), number + 1),
                    passes: line.starts_with('+'),
                    command: command.trim().to_owned(),
                });
            }
        }
    }
    found
}
