//! What may be typed: the commands.

use super::context::ContextArgs;
use super::global::GlobalArgs;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;

/// The tool firewall and tool runner for AI agents.
#[derive(Debug, Parser)]
#[command(
    name = "toolctl",
    version,
    about,
    long_about = "toolctl stands between an AI agent and the machine: it says which tools an agent gets, declares them to the \
                  model's provider, and runs each call through policy, hooks, loop detection, exec security and approvals.",
    after_help = "Examples:\n  toolctl list --agent research            which tools, here\n  toolctl explain exec --agent research    why, step by step\n  \
                  toolctl check '{\"tool\":\"exec\",\"args\":{\"command\":\"git status\"}}'\n  toolctl exec  '{\"tool\":\"read\",\"args\":{\"path\":\"README.md\"}}'",
    max_term_width = 80
)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: GlobalArgs,
    #[command(flatten)]
    pub(super) before: ContextArgs,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The whole command line as clap knows it, for completions and documentation.
pub fn command() -> clap::Command {
    // What may stand before a command is told with the commands that take it.
    Cli::command().mut_args(|arg| match arg.get_help_heading() {
        Some(super::context::HEADING) => arg.hide(true),
        _ => arg,
    })
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Show the tools that are effective for a context
    List(super::list::ListArgs),
    /// Print tool declarations that a provider's API accepts
    Schema(super::schema::SchemaArgs),
    /// Say why a tool is in or out, step by step
    Explain(super::explain::ExplainArgs),
    /// Run tool calls through the whole pipeline
    Exec(super::exec::ExecArgs),
    /// Decide tool calls without running them
    Check(super::check::CheckArgs),
    /// Decide the tool calls of Claude Code, Codex or Gemini CLI
    Hook(super::hook::HookArgs),
    /// Show, check and trust the configuration
    Config(super::config::ConfigArgs),
    /// Let a command run without a question, by a line of your configuration
    Allow(super::allow::AllowArgs),
    /// Decide what waits for a person, and take back what was granted
    Approvals(super::approvals::ApprovalsArgs),
    /// Read the audit log, and check that nobody has changed it
    Audit(super::audit::AuditArgs),
    /// Follow, use and end what goes on in the background
    Process(super::process::ProcessArgs),
    /// Run jobs that agents have scheduled
    Cron(super::cron::CronArgs),
    /// Show what this machine can contain, and what was found behind contained commands
    Sandbox(super::sandbox::SandboxArgs),
    /// Print a completion script for a shell
    Completions(super::completions::CompletionsArgs),
}

impl Command {
    /// Whether its output is read at leisure: it neither asks anything nor goes on printing.
    pub(super) fn is_read(&self) -> bool {
        match self {
            Self::List(_) | Self::Schema(_) | Self::Explain(_) | Self::Audit(_) => true,
            Self::Config(args) => args.is_read(),
            Self::Exec(_)
            | Self::Check(_)
            | Self::Hook(_)
            | Self::Allow(_)
            | Self::Approvals(_)
            | Self::Process(_)
            | Self::Cron(_)
            | Self::Sandbox(_)
            | Self::Completions(_) => false,
        }
    }
}

/// What `--color` says, looked up before the whole is understood: errors in it follow the wish as well.
pub(super) fn wished_color(args: &[OsString]) -> clap::ColorChoice {
    let options = args.iter().take_while(|arg| *arg != "--");
    let texts: Vec<&str> = options.filter_map(|arg| arg.to_str()).collect();
    let pairs = texts.iter().zip(texts.iter().skip(1).map(Some).chain([None]));
    let given = pairs.filter_map(|(arg, next)| match *arg {
        "--color" => next.copied(),
        other => other.strip_prefix("--color="),
    });
    match given.last() {
        Some("always") => clap::ColorChoice::Always,
        Some("never") => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wish_for_colour_is_found_before_the_rest_is_understood() {
        use clap::ColorChoice::{Always, Auto, Never};
        for (line, want) in [
            ("toolctl list", Auto),
            ("toolctl --color never lsit", Never),
            ("toolctl lsit --color=always", Always),
            ("toolctl --color=always x --color never", Never),
            ("toolctl --color purple", Auto),
            ("toolctl --color", Auto),
            ("toolctl exec -- ls --color=always", Auto),
        ] {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(wished_color(&args), want, "{line}");
        }
    }
}
