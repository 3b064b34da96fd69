//! What only shows under pressure: names that are swapped while calls run, calls that are killed, calls that meet.
//!
//! The other processes are this test binary again, told their role through the environment. The usual run is short;
//! `TOOLCTL_TEST_RACE_SECONDS`, `TOOLCTL_TEST_KILLS` and `TOOLCTL_TEST_MEETINGS` make it long.
#![expect(clippy::print_stdout, reason = "a long run tells its figures")]

use super::bench::{Bench, args, text_of};
use super::{Files, apply_patch, edit, journal, read, write};
use crate::fsio::Durability;
use crate::path::Root;
use crate::uninterrupted::openat;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags, renameat, renameat_with, unlinkat};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ROLE: &str = "TOOLCTL_TEST_ROLE";
const PLACE: &str = "TOOLCTL_TEST_PLACE";
const CANARY: &str = "S3CR3T-CANARY";

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(usual)
}

fn random(below: u64) -> u64 {
    let mut bytes = [0u8; 8];
    getrandom::fill(&mut bytes).unwrap();
    u64::from_ne_bytes(bytes) % below
}

fn spawn(role: &str, place: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tool::file::endurance::other_process", "--test-threads=1"])
        .env(ROLE, role)
        .env(PLACE, place)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills its process when the test ends, however it ends.
struct Rival(Child);

impl Drop for Rival {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn files_at(top: &Path) -> Files {
    let root = Root::new(&top.join("root")).unwrap().home(Some(top.join("home")));
    let mut files = Files::new(root, top.join("state"));
    files.durability = Durability::None;
    files
}

/// The body of the other processes; nothing when it runs as an ordinary test.
#[test]
fn other_process() {
    let (Ok(role), Ok(top)) = (std::env::var(ROLE), std::env::var(PLACE)) else {
        return;
    };
    let top = PathBuf::from(top);
    match role.as_str() {
        "swap-directories" => swap_directories(&top),
        "swap-files" => swap_files(&top),
        "patch-forever" => patch_forever(&top),
        "count-by-edit" => count(&top, "a", by_edit),
        "count-by-patch" => count(&top, "b", by_patch),
        other => panic!("no role {other}"),
    }
}

/// Until the parent is gone.
fn orphaned() -> bool {
    std::os::unix::process::parent_id() == 1
}

// ---- names that are swapped

fn swap_directories(top: &Path) {
    let root = top.join("root");
    let swap = |a: &str, b: &str| {
        let _ = renameat_with(CWD, root.join(a), CWD, root.join(b), RenameFlags::EXCHANGE);
    };
    while !orphaned() {
        // A link that leads out, and another directory inside, take the place of `d`.
        swap("d", "link-out");
        swap("d", "link-out");
        swap("d", "e");
        let _ = fs::rename(root.join("d"), root.join("moved"));
        let _ = fs::rename(root.join("moved"), root.join("d"));
    }
}

fn swap_files(top: &Path) {
    let (root, secret) = (top.join("root"), top.join("out/secret"));
    let scratch = root.join("scratch");
    // Held open, so that this process never reaches outside itself when `d` is a link.
    let hold = |path: PathBuf| {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY;
        openat(CWD, &path, flags, Mode::empty()).unwrap()
    };
    let homes = [hold(root.clone()), hold(root.join("d")), hold(root.join("e"))];
    fs::write(top.join("ready"), "").unwrap();
    while !orphaned() {
        for home in &homes {
            // A rename onto another name of the same file leaves the source; so it is removed each time.
            let put = || {
                let _ = renameat(CWD, &scratch, home, "f");
                let _ = fs::remove_file(&scratch);
            };
            if symlink(&secret, &scratch).is_ok() {
                put();
            }
            let _ = unlinkat(home, "f", AtFlags::empty());
            if fs::hard_link(&secret, &scratch).is_ok() {
                put();
            }
            let _ = unlinkat(home, "f", AtFlags::empty());
            if let Ok(mut file) = fs::File::create_new(&scratch) {
                let _ = file.write_all(b"harmless\n");
                put();
            }
        }
    }
}

/// Runs every tool against swapped names; how many calls ran, and how many reached outside.
fn race(unconfined: bool, length: Duration) -> (u64, u64) {
    let bench = Bench::new();
    fs::write(bench.out("secret"), CANARY).unwrap();
    fs::write(bench.out("f"), CANARY).unwrap();
    for name in ["d", "e"] {
        bench.put(&format!("{name}/f"), "harmless\n");
    }
    bench.put("f", "harmless\n");
    bench.link("link-out", bench.top.join("out"));
    let mut files = bench.files();
    files.root.unconfined = unconfined;
    let swapper = Rival(spawn("swap-files", &bench.top));
    while !bench.top.join("ready").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let rivals = [swapper, Rival(spawn("swap-directories", &bench.top))];
    let begin = Instant::now();
    let (mut calls, mut escapes) = (0u64, 0u64);
    let patch = |body: &str| json!({"input": format!("*** Begin Patch\n{body}\n*** End Patch")});
    while begin.elapsed() < length {
        let mut shown = String::new();
        for name in ["f", "d/f"] {
            let edits = json!([{"oldText": "harmless", "newText": "changed"}]);
            let update = patch(&format!("*** Update File: {name}\n@@\n-harmless\n+patched"));
            let secret = patch(&format!("*** Update File: {name}\n@@\n-{CANARY}\n+stolen"));
            let results = [
                read(&files, &args(json!({"path": name}))),
                write(&files, &args(json!({"path": name, "content": "written\n"}))),
                edit(&files, &args(json!({"path": name, "edits": edits}))),
                apply_patch(&files, &args(update)),
                apply_patch(&files, &args(secret)),
                apply_patch(&files, &args(patch(&format!("*** Delete File: {name}")))),
            ];
            calls += results.len() as u64;
            for result in results {
                match result {
                    Ok(result) => shown += &(text_of(&result) + &Value::from(result.details).to_string()),
                    Err(error) => shown += &error.message,
                }
            }
        }
        // A message may repeat what the call itself said, which is the pattern; content is more than that.
        let leaked = shown.replace(&format!("expected lines in f:\n{CANARY}"), "");
        let leaked = leaked.replace(&format!("expected lines in d/f:\n{CANARY}"), "");
        let outside = |name: &str| fs::read_to_string(bench.out(name)).is_ok_and(|text| text == CANARY);
        let listed = fs::read_dir(bench.out("")).unwrap().count();
        if leaked.contains(CANARY) || !outside("secret") || !outside("f") || listed != 2 {
            escapes += 1;
            let from = leaked.find(CANARY).map_or(0, |at| at.saturating_sub(200));
            let shown: String = leaked.chars().skip(from).take(400).collect();
            println!("escape: {} {} {listed}: {shown}", outside("secret"), outside("f"));
            for entry in fs::read_dir(bench.out("")).unwrap() {
                let _ = fs::remove_file(entry.unwrap().path());
            }
            fs::write(bench.out("secret"), CANARY).unwrap();
            fs::write(bench.out("f"), CANARY).unwrap();
        }
        if !bench.at("d").exists() {
            let _ = fs::create_dir(bench.at("d"));
        }
    }
    drop(rivals);
    (calls, escapes)
}

#[test]
fn swapped_names_lead_nowhere() {
    let seconds = setting("TOOLCTL_TEST_RACE_SECONDS", 2);
    let (calls, escapes) = race(false, Duration::from_secs(seconds));
    println!("confined: {calls} calls, {escapes} escapes in {seconds} s");
    assert!(calls > 0);
    assert_eq!(escapes, 0);
}

#[test]
fn the_race_would_be_seen_without_confinement() {
    let begin = Instant::now();
    let limit = Duration::from_secs(setting("TOOLCTL_TEST_RACE_SECONDS", 20).max(20));
    let (mut calls, mut escapes) = (0, 0);
    while escapes == 0 && begin.elapsed() < limit {
        let (c, e) = race(true, Duration::from_secs(1));
        calls += c;
        escapes += e;
    }
    println!("unconfined: {calls} calls, {escapes} escapes in {:?}", begin.elapsed());
    assert!(escapes > 0, "the race test sees nothing");
}

// ---- calls that are killed

const PARTS: [&str; 8] = ["a", "x/b", "x/y/c", "x/y/z/d", "e", "f", "g", "h"];

fn body(version: u64, part: &str) -> String {
    format!("version {version}\n{}", format!("{part} filler line\n").repeat(200))
}

/// The version of a part that is whole.
fn version_of(top: &Path, part: &str) -> Option<u64> {
    let text = fs::read_to_string(top.join("root").join(part)).ok()?;
    let version = text.lines().next()?.strip_prefix("version ")?.parse().ok()?;
    (text == body(version, part)).then_some(version)
}

fn patch_forever(top: &Path) {
    let files = files_at(top);
    while !orphaned() {
        // The first call repairs what the last process left.
        read(&files, &args(json!({"path": "a", "limit": 1}))).unwrap();
        let now = version_of(top, "a").unwrap();
        let next = now + 1;
        let mut patch = String::from("*** Begin Patch\n");
        for part in PARTS {
            patch += &format!("*** Update File: {part}\n@@\n-version {now}\n+version {next}\n");
        }
        patch += &format!("*** Add File: new{next}/mark\n+{next}\n*** Delete File: new{now}/mark\n*** End Patch\n");
        apply_patch(&files, &args(json!({"input": patch}))).unwrap();
        let _ = fs::remove_dir(top.join(format!("root/new{now}")));
    }
}

#[test]
fn killed_patches_leave_all_or_nothing() {
    let bench = Bench::new();
    for part in PARTS {
        bench.put(part, body(0, part));
    }
    bench.put("new0/mark", "0\n");
    let files = bench.files();
    let kills = setting("TOOLCTL_TEST_KILLS", 50);
    let (mut pending, mut mixed) = (0u64, 0u64);
    for round in 0..kills {
        let mut child = spawn("patch-forever", &bench.top);
        // Late enough to be at work, at any moment of it.
        let started = version_of(&bench.top, "h").unwrap_or(0);
        let limit = Instant::now() + Duration::from_secs(10);
        while round % 4 != 0 && version_of(&bench.top, "h").is_none_or(|v| v == started) && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(1));
        }
        if round % 4 == 1 {
            std::thread::sleep(Duration::from_micros(random(20_000)));
        } else {
            // From the journal on it is at its most delicate.
            while journal::pending(&files).is_empty() && Instant::now() < limit {
                std::thread::sleep(Duration::from_micros(50));
            }
            let begin = Instant::now();
            let wait = Duration::from_micros(random(2500));
            while begin.elapsed() < wait {
                std::hint::spin_loop();
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();

        pending += u64::from(!journal::pending(&files).is_empty());
        let raw: Vec<Option<u64>> = PARTS.iter().map(|part| version_of(&bench.top, part)).collect();
        assert!(raw.iter().all(Option::is_some), "round {round}: a torn file: {raw:?}");
        mixed += u64::from(raw.iter().any(|v| *v != raw[0]));

        let result = read(&files, &args(json!({"path": "a", "limit": 1}))).unwrap();
        assert!(result.warnings.is_empty(), "{:?}", result.warnings);
        let after: Vec<Option<u64>> = PARTS.iter().map(|part| version_of(&bench.top, part)).collect();
        let version = after[0].unwrap();
        assert!(
            after.iter().all(|v| *v == Some(version)),
            "round {round}: {raw:?} -> {after:?}"
        );
        assert_eq!(bench.text(&format!("new{version}/mark")), format!("{version}\n"));
        let names = bench.names();
        let extra: Vec<&String> = names
            .iter()
            .filter(|n| n.contains(".toolctl") || (n.starts_with("new") && n.ends_with("mark")))
            .collect();
        assert_eq!(extra, [&format!("new{version}/mark")], "round {round}");
        assert!(journal::pending(&files).is_empty());
    }
    println!(
        "{kills} kills, {pending} in the middle of a patch, {mixed} with old and new files side by side before repair"
    );
    assert!(kills < 50 || pending > 0, "no kill hit a patch");
}

// ---- calls that meet

fn by_edit(files: &Files, old: &str, new: &str) -> bool {
    edit(
        files,
        &args(json!({"path": "f", "edits": [{"oldText": old, "newText": new}]})),
    )
    .is_ok()
}

fn by_patch(files: &Files, old: &str, new: &str) -> bool {
    let patch = format!("*** Begin Patch\n*** Update File: f\n@@\n-{old}\n+{new}\n*** End Patch");
    apply_patch(files, &args(json!({"input": patch}))).is_ok()
}

/// Counts upwards in one line of a file that another process also counts in.
fn count(top: &Path, letter: &str, step: fn(&Files, &str, &str) -> bool) {
    let files = files_at(top);
    let meetings = setting("TOOLCTL_TEST_MEETINGS", 50);
    while !top.join("start").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let (mut done, mut refused) = (0u64, 0u64);
    while done < meetings && refused < meetings * 10 {
        let (old, new) = (format!("{letter}: {done};"), format!("{letter}: {};", done + 1));
        if step(&files, &old, &new) {
            done += 1;
        } else {
            refused += 1;
        }
    }
    fs::write(top.join(format!("done-{letter}")), format!("{done} {refused}")).unwrap();
}

#[test]
fn calls_that_meet_lose_nothing() {
    let bench = Bench::new();
    bench.put("f", "a: 0;\nmiddle\nb: 0;\n");
    let rivals = [spawn("count-by-edit", &bench.top), spawn("count-by-patch", &bench.top)];
    std::thread::sleep(Duration::from_millis(100));
    fs::write(bench.top.join("start"), "").unwrap();
    for rival in rivals {
        let mut rival = Rival(rival);
        assert!(rival.0.wait().unwrap().success());
    }
    let report = |letter: &str| fs::read_to_string(bench.top.join(format!("done-{letter}"))).unwrap();
    let (a, b) = (report("a"), report("b"));
    println!("edits done and refused: {a}; patches: {b}");
    let done = |report: &str| report.split(' ').next().unwrap().to_owned();
    assert_eq!(bench.text("f"), format!("a: {};\nmiddle\nb: {};\n", done(&a), done(&b)));
    let meetings = setting("TOOLCTL_TEST_MEETINGS", 50).to_string();
    assert_eq!((done(&a), done(&b)), (meetings.clone(), meetings));
    assert_eq!(bench.names(), ["f"]);
}
