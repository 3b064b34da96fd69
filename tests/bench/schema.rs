//! Normalising the tools of real servers for each provider, from one file in memory. Reports CPU time; asserts nothing.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    missing_docs,
    reason = "a benchmark talks to its reader"
)]

use toolctl::provider::{ALL, OnError, Renaming, Request, declare, sources};
use toolctl::schema::{Hints, read};

fn cpu() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    #[allow(clippy::cast_precision_loss, reason = "milliseconds are enough")]
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    seconds
}

fn main() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/schema/corpus/tools.json");
    let bytes = std::fs::read(file).unwrap();
    let rounds = 20;
    for provider in ALL {
        let start = cpu();
        let mut tools = 0;
        for _ in 0..rounds {
            let document = read(&bytes).unwrap();
            let (all, problems) = sources(document);
            tools = all.len();
            let request = Request {
                provider,
                form: provider.form,
                strict: false,
                as_is: false,
                gemini_json: false,
                renaming: Renaming::Map,
                hints: Hints::Add,
                on_error: OnError::Fail,
                unsupported: &[],
                most_name: None,
                most_description: None,
            };
            let declared = declare(all, problems, &request).unwrap();
            std::hint::black_box(declared.declarations.to_string());
        }
        let each = (cpu() - start) * 1000.0 / f64::from(rounds);
        println!("{:<18} {tools} tools  {each:6.1} ms CPU", provider.name);
    }
}
