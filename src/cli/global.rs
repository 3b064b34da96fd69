//! The options that every command takes.

use clap::{ArgAction, Args, ValueEnum};
use std::path::PathBuf;

/// When to use colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorChoice {
    #[default]
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Options every command takes.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Options every command takes")]
pub(super) struct GlobalArgs {
    /// A configuration file; may be given several times, the last wins
    #[arg(short, long, global = true, value_name = "FILE", allow_hyphen_values = true)]
    pub(super) config: Vec<PathBuf>,
    /// Ignore system, user and project configuration and TOOLCTL_CONFIG
    #[arg(long, global = true)]
    pub(super) isolated: bool,
    /// Set one configuration value: a dotted key and a YAML value
    #[arg(long, global = true, value_name = "KEY=VALUE", allow_hyphen_values = true)]
    pub(super) set: Vec<String>,
    /// Take warnings about the configuration for errors
    #[arg(long, global = true)]
    pub(super) strict: bool,
    /// Where toolctl keeps its state
    #[arg(long, global = true, value_name = "DIR", allow_hyphen_values = true)]
    pub(super) state_dir: Option<PathBuf>,
    /// Output format: text, table, json, jsonl, yaml or name, by command
    #[arg(short, long, global = true, value_name = "FORMAT", allow_hyphen_values = true)]
    pub(super) output: Option<String>,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColorChoice,
    /// Say more (-v info, -vv debug)
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(super) verbose: u8,
    /// Say nothing but errors
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
}
