//! `toolctl completions`: scripts generated from the same definition as the command line itself.

use super::output::Output;
use super::{Failure, Run};
use clap::{Args, ValueEnum};

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  toolctl completions bash > ~/.local/share/bash-completion/completions/toolctl")]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// The shells there are scripts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// GNU Bash
    Bash,
    /// Z shell
    Zsh,
    /// Fish
    Fish,
}

/// The completion script for a shell.
pub fn script(shell: Shell) -> String {
    let generator = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    let mut bytes = Vec::new();
    clap_complete::generate(generator, &mut super::command(), "toolctl", &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(super) fn run(args: &CompletionsArgs, out: &mut Output) -> Run {
    out.text(&script(args.shell))?;
    Ok(0)
}

impl From<std::fmt::Error> for Failure {
    fn from(error: std::fmt::Error) -> Self {
        Self::Other(error.into())
    }
}
