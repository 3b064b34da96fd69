//! What the file tools cost: `edit` on a large file beside `sed -i`, and the memory of `read` on a huge one.
//!
//! Prints figures; asserts nothing. `cargo bench --bench files`
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops where it cannot go on"
)]

use serde_json::{Map, Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use toolctl::fsio::Durability;
use toolctl::path::Root;
use toolctl::tool::file::{Files, edit, read};

/// Size of the edited file, and of the read one.
const EDITED: usize = 100 << 20;
const READ: u64 = 5 << 30;
const ROUNDS: usize = 7;

fn files(top: &Path) -> Files {
    let mut files = Files::new(Root::new(&top.join("ws")).unwrap(), top.join("state"));
    files.durability = Durability::None;
    files
}

fn args(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// The middle of some times.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn large(path: &Path) {
    let mut out = std::io::BufWriter::new(fs::File::create(path).unwrap());
    let mut written = 0;
    for n in 0.. {
        let line = format!("line {n} of a file that is large, with words as in any other\n");
        out.write_all(line.as_bytes()).unwrap();
        written += line.len();
        if written >= EDITED {
            break;
        }
    }
    out.flush().unwrap();
}

fn edits(top: &Path) {
    let file = top.join("ws/large");
    large(&file);
    let (mut ours, mut sed) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let (old, new) = (format!("line {} of", 800_000 + round), format!("LINE {round} of"));
        let begin = Instant::now();
        let edits = json!([{"oldText": old, "newText": new}]);
        edit(&files(top), &args(&json!({"path": "large", "edits": edits}))).unwrap();
        ours.push(begin.elapsed());
        let (old, new) = (format!("line {} of", 900_000 + round), format!("LINE {round} of"));
        let begin = Instant::now();
        let done = Command::new("sed")
            .arg("-i")
            .arg(format!("s/{old}/{new}/"))
            .arg(&file)
            .status();
        assert!(done.unwrap().success());
        sed.push(begin.elapsed());
    }
    let (ours, sed) = (median(ours), median(sed));
    println!(
        "edit 100 MB: {ours:?}; sed -i: {sed:?}; ratio {:.2}",
        ours.as_secs_f64() / sed.as_secs_f64()
    );
}

/// Reads far into a huge file, in a process of its own, so that its memory can be told.
fn reads(top: &Path) {
    let out = Command::new(std::env::current_exe().unwrap())
        .arg("--read-huge")
        .arg(top)
        .output()
        .unwrap();
    print!("{}", String::from_utf8_lossy(&out.stdout));
}

fn read_huge(top: &Path) {
    let begin = Instant::now();
    let result = read(
        &files(top),
        &args(&json!({"path": "huge", "offset": 30_000_000, "limit": 500})),
    )
    .unwrap();
    let time = begin.elapsed();
    assert!(!result.content.is_empty());
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find(|l| l.starts_with("VmHWM"))
        .unwrap_or("VmHWM unknown");
    println!("read 5 GB at line 30,000,000, 500 lines: {time:?}; {peak}");
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("--read-huge") {
        read_huge(Path::new(&arguments.next().unwrap()));
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("ws")).unwrap();
    edits(dir.path());
    let mut huge = fs::File::create(dir.path().join("ws/huge")).unwrap();
    let block = "some text on a line\n".repeat(1 << 16);
    // Text for two gigabytes, then a hole: what lies behind the wanted lines must not be touched.
    for _ in 0..((2u64 << 30) / block.len() as u64) {
        huge.write_all(block.as_bytes()).unwrap();
    }
    huge.set_len(READ).unwrap();
    reads(dir.path());
}
