//! Where calls come from and how their answers leave: what `exec` and `check` share.

use super::output::Output;
use super::{Failure, Surroundings};
use crate::model::CallForm;
use crate::wire::{Document, Incoming, Malformed, ReplyTo, Shape, call_id, parse_calls};
use anyhow::Context as _;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// How much of a stream is read at once, bytes.
const READ_AHEAD: usize = 64 << 10;
/// Longest call document, bytes.
const CALL_LIMIT: u64 = 16 << 20;

/// Reads the text of CALL: JSON itself, `-` for standard input, or `@FILE`.
pub(super) fn call_text(call: &str, surroundings: &Surroundings) -> Result<String, Failure> {
    let (source, bytes) = if call == "-" {
        (
            "standard input".to_owned(),
            read_all(std::io::stdin().lock()).context("standard input cannot be read")?,
        )
    } else if let Some(path) = call.strip_prefix('@') {
        let full = surroundings.absolute(Path::new(path));
        let file = std::fs::File::open(full).with_context(|| format!("the call file `{path}` cannot be read"))?;
        (
            format!("`{path}`"),
            read_all(file).with_context(|| format!("the call file `{path}` cannot be read"))?,
        )
    } else {
        return Ok(call.to_owned());
    };
    if bytes.len() as u64 > CALL_LIMIT {
        return Err(Failure::usage(
            format!("the call from {source} is longer than {} MiB", CALL_LIMIT >> 20),
            "send fewer calls at once, or use `--jsonl`",
        ));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Failure::usage(
            format!("the call from {source} is not UTF-8 (byte {at})"),
            "JSON text is UTF-8",
        )
    })
}

fn read_all(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(CALL_LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes call ids.
pub(super) fn make_id() -> String {
    let mut random = [0; 12];
    // Without randomness the ids are not unique, which costs nothing but a clash in a log.
    let _ = getrandom::fill(&mut random);
    call_id(random)
}

/// Reads the calls of a text; a text that is none becomes one malformed call, so that it is answered like any other.
pub(super) fn document(text: &str) -> Document {
    match parse_calls(text, &mut make_id) {
        Ok(document) => document,
        Err(mut fault) => {
            // A file's name is easily given without its sign.
            if !text.trim_start().starts_with(['{', '[']) && Path::new(text.trim()).is_file() {
                fault.message = format!("{}; `{text}` is a file: write `@{text}`", fault.message);
            }
            Document {
                calls: vec![malformed(fault)],
                shape: Shape::One,
            }
        }
    }
}

fn malformed(fault: Malformed) -> Incoming {
    Incoming {
        reply: ReplyTo {
            form: CallForm::Native,
            id: make_id(),
            given_id: None,
            name: String::new(),
            free_text: false,
        },
        call: Err(fault),
    }
}

/// When answers to a stream of calls are handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// Each before the next call is looked at: calls do things, and may take long.
    Each,
    /// When no further call waits to be read.
    Idle,
}

/// Answers each line of a stream of calls as it comes; blank lines are passed over. Returns whether all were proper calls.
pub(super) fn each_line(
    call: &str,
    surroundings: &Surroundings,
    out: &mut Output,
    pace: Pace,
    mut answer: impl FnMut(Document, &mut Output) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let mut proper = true;
    let mut one = |line: &[u8], out: &mut Output| {
        let document = if line.len() as u64 > CALL_LIMIT {
            let message = format!("the line is longer than {} MiB", CALL_LIMIT >> 20);
            Document {
                calls: vec![malformed(Malformed {
                    pointer: String::new(),
                    message,
                })],
                shape: Shape::One,
            }
        } else {
            document(&String::from_utf8_lossy(line))
        };
        proper &= document.calls.iter().all(|c| c.call.is_ok());
        answer(document, out)?;
        if pace == Pace::Each { out.flush() } else { Ok(()) }
    };
    if call == "-" {
        let mut reader = BufReader::with_capacity(READ_AHEAD, std::io::stdin().lock());
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = reader.by_ref().take(CALL_LIMIT + 1).read_until(b'\n', &mut line)?;
            if read == 0 {
                break;
            }
            if line.len() as u64 > CALL_LIMIT && !line.ends_with(b"\n") {
                skip_line(&mut reader)?;
            }
            if !line.trim_ascii().is_empty() {
                one(line.trim_ascii(), out)?;
            }
            if pace == Pace::Idle && !reader.buffer().contains(&b'\n') {
                out.flush()?;
            }
        }
    } else {
        let text = call_text(call, surroundings)?;
        for line in text.lines().filter(|l| !l.trim().is_empty()) {
            one(line.as_bytes(), out)?;
        }
    }
    Ok(proper)
}

/// Passes over the rest of a line that is too long.
fn skip_line(reader: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let (used, done) = {
            let buffer = reader.fill_buf()?;
            match buffer.iter().position(|b| *b == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            }
        };
        reader.consume(used);
        if done {
            return Ok(());
        }
    }
}

/// The exit code of several calls: the first that occurs of these (cli.md, "Outcomes").
pub(super) fn worst(codes: impl IntoIterator<Item = u8>) -> u8 {
    const ORDER: [u8; 8] = [70, 130, 124, 3, 4, 2, 1, 0];
    let codes: Vec<u8> = codes.into_iter().collect();
    let known = ORDER.into_iter().find(|c| codes.contains(c) && *c != 0);
    known.or_else(|| codes.iter().copied().find(|c| *c != 0)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_exit_code_wins() {
        assert_eq!(worst([0, 1, 4, 3]), 3);
        assert_eq!(worst([0, 2, 124]), 124);
        assert_eq!(worst([0, 42]), 42);
        assert_eq!(worst([]), 0);
    }
}
