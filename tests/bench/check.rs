//! Deciding a stream of typical commands, and what one decision costs as a process. Reports; asserts nothing.
//!
//! The commands are those of `fixtures/corpus/benign.jsonl`, over and over; every figure is of this process's children.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    missing_docs,
    reason = "a benchmark talks to its reader"
)]

use nix::sys::resource::{UsageWho, getrusage};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const BINARY: &str = env!("CARGO_BIN_EXE_toolctl");
/// How often a process is started for one figure.
const ROUNDS: usize = 200;

/// CPU seconds of all children so far, and the peak memory of the largest, KiB.
fn children() -> (f64, i64) {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6;
    (
        seconds(usage.user_time()) + seconds(usage.system_time()),
        usage.max_rss(),
    )
}

/// Puts the corpus's files there; gives its calls.
fn workspace(root: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/corpus/benign.jsonl"));
    let mut calls = Vec::new();
    for line in text.unwrap().lines() {
        let row: Value = serde_json::from_str(&line.replace("${ROOT}", root.to_str().unwrap())).unwrap();
        for file in row.get("files").and_then(Value::as_array).into_iter().flatten() {
            if let (Some(path), Some(content)) = (
                file.get("path").and_then(Value::as_str),
                file.get("content").and_then(Value::as_str),
            ) {
                std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
                std::fs::write(root.join(path), content).unwrap();
            }
        }
        calls.extend(row.get("call").cloned());
    }
    let grants = json!({"tools": {"exec": {"host": "gateway", "allowlist": [{"pattern": "**/bin/*"}]}}});
    std::fs::write(root.join("config.json"), grants.to_string()).unwrap();
    calls
}

fn check(root: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command
        .args(["check", "--isolated", "--config"])
        .arg(root.join("config.json"));
    command
        .arg("--workspace")
        .arg(root.join("ws"))
        .arg("--state-dir")
        .arg(root.join("state"));
    command.args(more).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn stream(root: &Path, calls: &[Value], count: usize) {
    // Written piece by piece: what this process holds counts as its children's peak.
    let path = root.join("stream.jsonl");
    let mut file = BufWriter::new(File::create(&path).unwrap());
    for call in calls.iter().cycle().take(count) {
        writeln!(file, "{call}").unwrap();
    }
    file.flush().unwrap();
    let before = children().0;
    check(root, &["--jsonl", "-"])
        .stdin(File::open(&path).unwrap())
        .status()
        .unwrap();
    let (after, peak) = children();
    println!(
        "check --jsonl, {count} commands: {:.0} decided in a second of CPU, {:.1} us each; largest process so far {peak} KiB",
        count as f64 / (after - before),
        (after - before) / count as f64 * 1e6,
    );
}

/// The medians of whole processes, started in turn: microseconds.
fn medians(root: &Path) -> Vec<(&'static str, f64)> {
    let call = |text: &str| json!({"tool": "exec", "args": {"command": text}}).to_string();
    let (status, nothing) = (call("git status"), call("true"));
    let exec = || {
        let mut command = check(root, &[&nothing]);
        let args: Vec<_> = command.get_args().skip(1).map(ToOwned::to_owned).collect();
        command = Command::new(BINARY);
        command
            .arg("exec")
            .args(args)
            .env("TOOLCTL_FSYNC", "off")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    };
    let shell = || {
        let mut command = Command::new("sh");
        command.args(["-c", "true"]);
        command
    };
    let makers: [(&str, &dyn Fn() -> Command); 4] = [
        ("/bin/true", &|| Command::new("/bin/true")),
        ("sh -c true", &shell),
        ("check", &|| check(root, &[&status])),
        ("exec true", &exec),
    ];
    let mut times = vec![Vec::new(); makers.len()];
    for _ in 0..ROUNDS {
        for ((_, make), times) in makers.iter().zip(&mut times) {
            let mut command = make();
            let begin = Instant::now();
            command.status().unwrap();
            times.push(begin.elapsed().as_secs_f64() * 1e6);
        }
    }
    let median = |mut list: Vec<f64>| {
        list.sort_by(f64::total_cmp);
        list.get(list.len() / 2).copied().unwrap_or_default()
    };
    makers
        .iter()
        .zip(times)
        .map(|((name, _), list)| (*name, median(list)))
        .collect()
}

fn main() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let calls = workspace(&root);
    for count in [3_000, 30_000, 300_000] {
        stream(&root, &calls, count);
    }
    let all = medians(&root);
    let base = all.first().map_or(1.0, |(_, us)| *us);
    for (name, us) in all {
        println!("{name:<12} {us:>7.0} us  {:.2} times /bin/true", us / base);
    }
}
