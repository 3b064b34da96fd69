//! Within the sandbox: make up lines, ask the analyser, have bash run them, compare.

use super::dice::Dice;
use super::generator::{Generator, HOSTILE, PRODUCTIONS, mutate};
use super::sandbox::WORK;
use super::{matcher, sequence, stub};
use std::collections::BTreeMap;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use toolctl::shell::{Analysis, Dialect, World, analyse, render};

/// Longest a line may run.
const PATIENCE: Duration = Duration::from_millis(1500);
/// Variables of the lines' environment.
pub(crate) const VARIABLES: &[(&str, &str)] = &[
    ("V", "v w"),
    ("D", "-d"),
    ("S", "*"),
    ("E", ""),
    ("P", "plain"),
    ("M", "7"),
];
const FILES: &[&str] = &["a.txt", "b.txt", "-dash", "]x", "[y", "sp ace", "{z}", "c.rs", "1"];

#[derive(Default)]
struct Tally {
    lines: usize,
    mutated: usize,
    analysable: usize,
    mutated_analysable: usize,
    runs: usize,
    calls: usize,
    sequences: usize,
    rebuilt: usize,
    timeouts: usize,
    mismatches: usize,
    productions: BTreeMap<&'static str, usize>,
    brush_agrees: usize,
}

pub(crate) fn run(lines: usize, seed: u64) {
    let mut dice = Dice::new(seed);
    let mut tally = Tally::default();
    let begun = Instant::now();
    let variables: BTreeMap<String, String> = VARIABLES
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let positionals = ["bash".to_owned()];
    while tally.lines < lines {
        let mut generator = Generator::new(&mut dice);
        let mut line = generator.script();
        let used = generator.used();
        tally.lines += 1;
        let bad: Vec<_> = HOSTILE.iter().filter(|(name, _)| used.contains(name)).collect();
        let mutated = bad.is_empty() && dice.one_in(2);
        if mutated {
            tally.mutated += 1;
            line = mutate(&mut dice, &line);
        }
        let world = if dice.one_in(2) {
            World::default()
        } else {
            World {
                home: Some("/home/u"),
                variables: &variables,
                positionals: Some(&positionals),
                files: None,
            }
        };
        let Ok(analysis) = analyse(&line, Dialect::Bash, &world) else {
            for (name, _) in bad {
                *tally.productions.entry(name).or_default() += 1;
            }
            continue;
        };
        if let Some((name, _)) = bad.first() {
            tally.mismatches += 1;
            eprintln!("MISMATCH {name} was taken for understood\n  line: {line:?}");
            continue;
        }
        tally.analysable += 1;
        if mutated {
            tally.mutated_analysable += 1;
        } else {
            for production in used {
                *tally.productions.entry(production).or_default() += 1;
            }
        }
        if let Err(why) = check(&line, &analysis, &mut tally) {
            tally.mismatches += 1;
            eprintln!("MISMATCH {why}\n  line: {line:?}");
            for command in &analysis.commands {
                eprintln!(
                    "  predicted: {:?}",
                    command.argv.iter().map(|a| &a.shape).collect::<Vec<_>>()
                );
            }
        }
        if tally.mismatches > 40 {
            break;
        }
        if tally.lines % 2000 == 0 {
            eprintln!(
                "{} lines, {} analysable, {:?}",
                tally.lines,
                tally.analysable,
                begun.elapsed()
            );
        }
    }
    report(&tally, begun);
    let rare = PRODUCTIONS
        .iter()
        .chain(HOSTILE.iter().map(|(name, _)| name))
        .filter(|p| tally.productions.get(**p).copied().unwrap_or_default() < 100)
        .collect::<Vec<_>>();
    let thorough = lines >= 20_000;
    if thorough && (!rare.is_empty() || tally.analysable < 5000) {
        eprintln!("too few: {rare:?}");
        std::process::exit(1);
    }
    if tally.mismatches > 0 || tally.analysable * 10 < lines {
        std::process::exit(1);
    }
}

fn report(tally: &Tally, begun: Instant) {
    println!(
        "{} lines ({} mutated), {} analysable ({} of the mutated), {} runs of bash, {} calls seen, {} sequences equal, {} rebuilt texts equal, {} stopped, {} mismatches, brush agrees on {}, {:?}",
        tally.lines,
        tally.mutated,
        tally.analysable,
        tally.mutated_analysable,
        tally.runs,
        tally.calls,
        tally.sequences,
        tally.rebuilt,
        tally.timeouts,
        tally.mismatches,
        tally.brush_agrees,
        begun.elapsed()
    );
    if tally.lines >= 20_000 {
        for (production, count) in &tally.productions {
            print!("{production} {count}, ");
        }
        println!();
    }
}

fn check(line: &str, analysis: &Analysis, tally: &mut Tally) -> Result<(), String> {
    well_formed(line, tally)?;
    let (ended, calls, files) = execute(line, tally);
    tally.calls += calls.len();
    for call in &calls {
        if !matcher::predicted(analysis, call) {
            return Err(format!("bash ran {call:?}, which was not predicted"));
        }
    }
    for file in &files {
        if !matcher::written(analysis, file) {
            return Err(format!("bash made the file {file:?}, which was not predicted"));
        }
    }
    if !ended {
        tally.timeouts += 1;
        return Ok(());
    }
    if let Some(expected) = sequence::expected(analysis) {
        if !sequence::agrees(&expected, &calls) {
            return Err(format!("bash ran {calls:?}, expected was the sequence {expected:?}"));
        }
        tally.sequences += 1;
    }
    let rebuilt = render(&analysis.script, &|_| None);
    if let Err(why) = analyse(&rebuilt, Dialect::Bash, &World::default())
        && analyse(line, Dialect::Bash, &World::default()).is_ok()
    {
        return Err(format!("the rebuilt text {rebuilt:?} is not understood: {why}"));
    }
    let racing = [
        "<(", ">(", "$$", "RANDOM", "& ", "$_", "$!", "${$}", "${!", "sleep", "$0",
    ];
    if calls.len() < stub::STEADY && !racing.iter().any(|text| line.contains(text)) {
        same_calls(line, &rebuilt, calls, tally)?;
        tally.rebuilt += 1;
    }
    Ok(())
}

/// A rebuilt text must run what the original ran. Stages of a pipeline run side by side and may see each other's files, so
/// a difference counts only if it stays.
fn same_calls(line: &str, rebuilt: &str, first: Vec<stub::Call>, tally: &mut Tally) -> Result<(), String> {
    let mut calls = first;
    for _ in 0..4 {
        let (ended, mut again, _) = execute(rebuilt, tally);
        calls.sort();
        again.sort();
        if ended && calls == again {
            return Ok(());
        }
        calls = execute(line, tally).1;
    }
    Err(format!(
        "the rebuilt text {rebuilt:?} does not run {calls:?} as the original does"
    ))
}

/// bash and another reader of its language must find no fault in what was understood.
fn well_formed(line: &str, tally: &mut Tally) -> Result<(), String> {
    let output = Command::new("/bin/bash")
        .args(["--noprofile", "--norc", "-n", "-c", "--", line])
        .env_clear()
        .output()
        .unwrap();
    if !output.status.success() {
        return Err(format!("bash -n: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let heredoc_inside = line.contains("<<") && line.contains("$(") || signs_in_expansion(line);
    if !heredoc_inside && !BRUSH_GAPS.iter().any(|gap| line.contains(gap)) {
        let options = brush_parser::ParserOptions {
            enable_extended_globbing: false,
            ..Default::default()
        };
        let mut parser = brush_parser::Parser::new(line.as_bytes(), &options);
        if let Err(error) = parser.parse_program() {
            return Err(format!("brush-parser: {error}"));
        }
        tally.brush_agrees += 1;
    }
    Ok(())
}

/// Whether something like a heredoc stands within `${…}`, where brush-parser takes it for one.
fn signs_in_expansion(line: &str) -> bool {
    line.split("${")
        .skip(1)
        .any(|behind| behind.split('}').next().is_some_and(|operand| operand.contains("<<")))
}

/// What brush-parser does not read although bash does.
const BRUSH_GAPS: &[&str] = &["select", "<(", ">(", "time", "case", "! <", "! >", "$$"];

/// Runs a text; tells whether it ended, and gives the calls and the files that were made.
fn execute(line: &str, tally: &mut Tally) -> (bool, Vec<stub::Call>, Vec<String>) {
    tally.runs += 1;
    clean();
    let log = format!("/log/{}", tally.runs);
    std::fs::write(&log, "").unwrap();
    let mut command = Command::new("/bin/bash");
    command
        .args(["--noprofile", "--norc", "-c", "--", line])
        .env_clear()
        .env("PATH", "/stubs")
        .env("HOME", "/home/u")
        .env(stub::LOG, &log)
        .envs(VARIABLES.iter().copied())
        .current_dir(WORK)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.process_group(0).arg0("bash");
    let mut child = command.spawn().unwrap();
    let group = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    let deadline = Instant::now() + PATIENCE;
    let ended = loop {
        if child.try_wait().unwrap().is_some() {
            break true;
        }
        if Instant::now() > deadline {
            break false;
        }
        std::thread::sleep(Duration::from_micros(200));
    };
    let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
    let _ = child.wait();
    // Whatever was left behind, in whichever group, is handed to the first process of the sandbox, which is this one: it would
    // count against the limit of the lines to come.
    if std::process::id() == 1 {
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(-1), nix::sys::signal::Signal::SIGKILL);
    }
    while let Ok(status) = nix::sys::wait::waitpid(None, Some(nix::sys::wait::WaitPidFlag::WNOHANG)) {
        if status == nix::sys::wait::WaitStatus::StillAlive {
            break;
        }
    }
    let bytes = std::fs::read(&log).unwrap();
    let _ = std::fs::remove_file(&log);
    let calls = stub::calls(&bytes);
    (ended, calls, new_files())
}

fn clean() {
    for entry in std::fs::read_dir(WORK).unwrap() {
        let entry = entry.unwrap();
        if !FILES.contains(&entry.file_name().to_string_lossy().as_ref()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    for name in FILES {
        std::fs::write(Path::new(WORK).join(name), "").unwrap();
    }
}

fn new_files() -> Vec<String> {
    std::fs::read_dir(WORK)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| !FILES.contains(&name.as_str()))
        .collect()
}
