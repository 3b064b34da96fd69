//! What parsing and meaning of a command line cost, over the commands that coding agents write and over the attacks.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a benchmark reports on the terminal"
)]

use std::hint::black_box;
use std::time::Instant;
use toolctl::shell::{Dialect, World, analyse, parse};

/// How often each text is read, unless `TOOLCTL_BENCH_ROUNDS` says otherwise.
const ROUNDS: usize = 2000;

fn main() {
    let rounds = std::env::var("TOOLCTL_BENCH_ROUNDS").map_or(ROUNDS, |text| text.parse().unwrap());
    for (name, fixture) in [
        ("benign", include_str!("../../fixtures/shell/benign.jsonl")),
        (
            "benign-extended",
            include_str!("../../fixtures/shell/benign-extended.jsonl"),
        ),
        ("attacks", include_str!("../../fixtures/shell/attacks.jsonl")),
    ] {
        let texts: Vec<String> = fixture
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .filter(|text: &String| text.len() < 2000)
            .collect();
        let world = World::default();
        let parsing = time(&texts, rounds, |text| {
            let _ = black_box(parse(black_box(text), Dialect::Bash));
        });
        let whole = time(&texts, rounds, |text| {
            let _ = black_box(analyse(black_box(text), Dialect::Bash, &world));
        });
        let bytes: usize = texts.iter().map(String::len).sum();
        println!(
            "{name}: {} texts of {} bytes on average; parse {:.2} us, parse and meaning {:.2} us, slowest text {:.2} us",
            texts.len(),
            bytes / texts.len(),
            parsing.0,
            whole.0,
            whole.1
        );
    }
}

/// Microseconds per text: the mean, and the most that one text takes on average.
fn time(texts: &[String], rounds: usize, work: impl Fn(&str)) -> (f64, f64) {
    let mut worst: f64 = 0.0;
    let mut total = 0.0;
    for text in texts {
        for _ in 0..rounds / 10 {
            work(text);
        }
        let start = Instant::now();
        for _ in 0..rounds {
            work(text);
        }
        let each = start.elapsed().as_secs_f64() * 1e6 / rounds as f64;
        worst = worst.max(each);
        total += each;
    }
    (total / texts.len() as f64, worst)
}
