//! How many system calls a call of toolctl takes, against what is recorded: no change makes it slower unseen. The counts
//! are upper bounds: a machine that has less to look at needs fewer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that meets the unexpected should stop there"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

const BIN: &str = env!("CARGO_BIN_EXE_toolctl");
const RECORD: &str = "fixtures/system-calls.txt";
/// How much more than recorded is no finding, in percent: when processes meet differs from run to run.
const TOLERANCE: usize = 5;

#[test]
fn calls_take_no_more_system_calls_than_recorded() {
    let traced = Command::new("strace").args(["-o", "/dev/null", "true"]).output();
    if !traced.is_ok_and(|traced| traced.status.success()) {
        println!("skipped: strace is not installed, or may not trace");
        return;
    }
    // Not below /tmp: there a sandbox has a directory of its own.
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (project, home) = (place.path().join("project"), place.path().join("home"));
    fs::create_dir(&project).unwrap();
    fs::create_dir(&home).unwrap();
    let run = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).current_dir(&project).env_clear();
        let out = command
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", &home)
            .output()
            .unwrap();
        assert!(out.status.success(), "{program} {args:?}: {out:?}");
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    run("git", &["init", "-q"]);
    run(BIN, &["config", "init", "--yes"]);
    if !run(BIN, &["exec", "-o", "json", "--command", "ls"]).contains("\"mount\"") {
        println!("skipped: this machine cannot make the sandbox that was counted");
        return;
    }
    let record = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(RECORD)).unwrap();
    let mut wrong = Vec::new();
    for line in record.lines().filter(|line| !line.starts_with('#')) {
        let (count, words) = line.split_once(' ').unwrap();
        let recorded: usize = count.parse().unwrap();
        let words: Vec<&str> = words.split(' ').collect();
        // What is made once is there from now on.
        run(BIN, &words);
        let counts = (0..3).map(|_| {
            let list = place.path().join("calls");
            run(
                "strace",
                &[&["-f", "-o", list.to_str().unwrap(), BIN], words.as_slice()].concat(),
            );
            let calls = fs::read_to_string(&list).unwrap();
            // Only builds with checks ask whether a descriptor is open before they close it.
            let counts = |line: &&str| !line.contains("F_GETFD") && !line.contains("resumed>") && !line.contains("+++");
            calls.lines().filter(counts).count()
        });
        let counted = counts.min().unwrap();
        println!("{counted} {}", words.join(" "));
        if counted > recorded + recorded * TOLERANCE / 100 {
            wrong.push(format!(
                "{}: {counted} system calls, {recorded} are recorded",
                words.join(" ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}; what needs them is recorded in {RECORD}");
}
