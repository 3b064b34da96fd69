//! What every command begins with: load the configuration, know the caller, resolve the tools.

use super::args::GlobalArgs;
use super::context::ContextArgs;
use super::output::Output;
use super::{Failure, Surroundings};
use crate::catalog::{Universe, universe};
use crate::config::Config;
use crate::model::{Context, Origin};
use crate::policy::{ToolSet, resolve};
use serde_json::{Value, json};

/// A loaded configuration and what it means for the caller.
#[derive(Debug)]
pub(super) struct Policy {
    pub(super) config: Config,
    pub(super) context: Context,
    pub(super) universe: Universe,
    pub(super) set: ToolSet,
}

/// Loads the configuration and resolves the caller's tools. Findings of loading are said at once.
pub(super) fn setup(
    args: &ContextArgs,
    global: &GlobalArgs,
    surroundings: &Surroundings,
    out: &Output,
) -> Result<Policy, Failure> {
    let config = load(args, global, surroundings, out)?;
    let context = args.context(&config, surroundings)?;
    let universe = universe(&config);
    let set = resolve(&config, &context, &universe);
    Ok(Policy { config, context, universe, set })
}

pub(super) fn origin_json(origin: &Origin) -> Value {
    json!({
        "layer": origin.layer.as_str(),
        "file": &*origin.file,
        "line": origin.line,
        "column": origin.column,
    })
}
