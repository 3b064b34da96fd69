//! `toolctl sandbox`: what this machine can contain, and what was found behind contained commands.

use super::args::GlobalArgs;
use super::context::ContextArgs;
use super::output::{Format, Output};
use super::setup::{caller, setup};
use super::{Failure, Run, Surroundings};
use crate::engine::Engine;
use crate::process::Interrupts;
use clap::{Args, Subcommand};
use serde_json::Value;

/// Show what this machine can contain, and what was found behind contained commands
#[derive(Debug, Args)]
pub(super) struct SandboxArgs {
    #[command(subcommand)]
    command: SandboxCommand,
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum SandboxCommand {
    /// Show what this machine can contain, and what not
    #[command(after_help = "Examples:\n  toolctl sandbox probe\n  toolctl sandbox probe -o json")]
    Probe(ContextOnly),
    /// Say that you have seen what a contained command left behind, so that commands run unasked again
    #[command(after_help = "Examples:\n  toolctl sandbox seen")]
    Seen(ContextOnly),
}

/// What the walls of this machine are, and what was found behind them
#[derive(Debug, Args)]
struct ContextOnly {
    #[command(flatten)]
    context: ContextArgs,
}

/// Exit code of a refusal.
const REFUSED: u8 = 3;

pub(super) fn run(args: &SandboxArgs, global: &GlobalArgs, surroundings: &Surroundings, out: &mut Output) -> Run {
    let (SandboxCommand::Probe(given) | SandboxCommand::Seen(given)) = &args.command;
    let format = out.format(&[Format::Text, Format::Json])?;
    if matches!(args.command, SandboxCommand::Seen(_)) && surroundings.var_os("TOOLCTL_SHELL").is_some() {
        out.error("approve-command: a command that toolctl runs is no person (TOOLCTL_SHELL is set)");
        return Ok(REFUSED);
    }
    let loaded = setup(&given.context, global, surroundings, out)?;
    let policy = loaded.policy();
    let caller = caller(&loaded.config, global, surroundings)?;
    let interrupts = Interrupts::listen()?;
    let tools = (&policy.universe, &policy.set);
    let engine = Engine::new(&policy.effective, tools, &caller, &interrupts);
    let failed = |reason: String| Failure::usage(reason, "give another `--state-dir`");
    match &args.command {
        SandboxCommand::Probe(_) => {
            let document = engine.sandbox_probe().map_err(failed)?;
            match format {
                Format::Json => out.json(&document)?,
                _ => out.text(&sentences(&document))?,
            }
        }
        SandboxCommand::Seen(_) => match engine.sandbox_seen().map_err(failed)? {
            Some(found) => out.line(&format!("seen: {found}"))?,
            None => out.line("nothing was waiting to be seen")?,
        },
    }
    Ok(0)
}

fn sentences(document: &Value) -> String {
    let mut text = String::new();
    let backends = document.get("backends").and_then(Value::as_array);
    for backend in backends.into_iter().flatten() {
        let words = |key: &str| -> String {
            let list = backend.get(key).and_then(Value::as_array).into_iter().flatten();
            list.filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
        };
        let name = backend.get("name").and_then(Value::as_str).unwrap_or_default();
        text.push_str(&format!(
            "{name}\n  enforces: {}\n  lacks:    {}\n",
            words("enforces"),
            words("lacks")
        ));
        if let Some(why) = backend.get("why").and_then(Value::as_str) {
            text.push_str(&format!("  because:  {why}\n"));
        }
    }
    text
}
