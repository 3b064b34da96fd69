//! What every command begins with: load the configuration, know the caller, resolve the tools.

use super::args::GlobalArgs;
use super::context::ContextArgs;
use super::output::Output;
use super::{Failure, Surroundings};
use crate::catalog::{Universe, universe};
use crate::config::{self, Config, Effective, Inputs, SourceRole, TrustList, effective};
use crate::diag::Diagnostic;
use crate::engine::Caller;
use crate::model::{Context, Origin};
use crate::policy::{ToolSet, resolve};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A loaded configuration and the caller.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) config: Config,
    pub(super) context: Context,
}

/// What the configuration means for the caller.
#[derive(Debug)]
pub(super) struct Policy<'c> {
    pub(super) effective: Effective<'c>,
    pub(super) universe: Universe,
    pub(super) set: ToolSet,
}

impl Loaded {
    /// Lays the settings over each other and resolves the caller's tools.
    pub(super) fn policy(&self) -> Policy<'_> {
        let effective = effective(&self.config, &self.context);
        let universe = universe(&self.config);
        let set = resolve(&effective, &universe);
        Policy {
            effective,
            universe,
            set,
        }
    }
}

/// Loads the configuration and learns who calls. Findings of loading are said at once.
pub(super) fn setup(
    args: &ContextArgs,
    global: &GlobalArgs,
    surroundings: &Surroundings,
    out: &Output,
) -> Result<Loaded, Failure> {
    let config = load(args, global, surroundings, out)?;
    let context = args.context(&config, surroundings)?;
    if let Some(name) = &args.provider
        && crate::provider::lookup(name).1 == crate::provider::Match::Fallback
        && let meant = super::schema::did_you_mean(name)
        && !meant.is_empty()
    {
        out.warn(&format!(
            "`{}` is no provider that is known by that name{meant}",
            crate::approval::one_line(name)
        ));
    }
    let loaded = Loaded { config, context };
    if global.strict {
        let warnings = loaded.policy().set.warnings;
        if !warnings.is_empty() {
            return Err(strictly(&warnings));
        }
    }
    Ok(loaded)
}

pub(super) fn origin_json(origin: &Origin) -> Value {
    json!({
        "layer": origin.layer.as_str(),
        "file": &*origin.file,
        "line": origin.line,
        "column": origin.column,
    })
}

/// Loads the configuration for these options; its warnings are said at once.
pub(super) fn load(
    args: &ContextArgs,
    global: &GlobalArgs,
    surroundings: &Surroundings,
    out: &Output,
) -> Result<Config, Failure> {
    let config = with_inputs(args.workspace.clone(), global, surroundings, |inputs| {
        config::load(inputs).map_err(Failure::Input)
    })?;
    let mut warnings = config.warnings.clone();
    warnings.extend(config.unsupported.iter().map(|key| {
        format!(
            "`{}` is not supported yet: `exec` refuses until it is ({})",
            key.value, key.origin
        )
    }));
    if global.strict && !warnings.is_empty() {
        return Err(strictly(&warnings));
    }
    for warning in &warnings {
        out.warn(warning);
    }
    for source in &config.sources {
        let note = source.note.as_deref().map(|n| format!(", {n}")).unwrap_or_default();
        out.debug(|| format!("layer {}: {} ({:?}{note})", source.layer, source.name, source.role).to_lowercase());
    }
    out.info(|| {
        let used = config
            .sources
            .iter()
            .filter(|s| s.role == SourceRole::Base || s.role == SourceRole::Restrict);
        let hash = config.policy_hash.get(..12).unwrap_or_default();
        format!("configuration of {} files loaded, policy {hash}", used.count())
    });
    Ok(config)
}

/// Warnings about the configuration, where they are to be errors.
pub(super) fn strictly(warnings: &[String]) -> Failure {
    let errors = warnings.iter().map(|w| Diagnostic::error(w.clone(), None));
    Failure::Input(errors.collect())
}

/// Where state is kept under `config`.
pub(super) fn state_dir(config: &Config, global: &GlobalArgs, surroundings: &Surroundings) -> Option<PathBuf> {
    let configured = config.base.state_dir.as_ref().map(|dir| dir.value.as_path());
    with_inputs(None, global, surroundings, |inputs| {
        config::state_dir(inputs, configured)
    })
}

/// Everything that the configuration takes from outside, for as long as `use_it` runs.
pub(super) fn with_inputs<T>(
    workspace: Option<PathBuf>,
    global: &GlobalArgs,
    surroundings: &Surroundings,
    use_it: impl FnOnce(&Inputs<'_>) -> T,
) -> T {
    let env = |name: &str| surroundings.var_os(name).cloned();
    let inputs = Inputs {
        env: &env,
        cwd: surroundings.cwd.clone().unwrap_or_else(|| PathBuf::from("/")),
        workspace,
        config: global.config.clone(),
        set: global.set.clone(),
        isolated: global.isolated,
        state_dir: global.state_dir.clone(),
        uid: surroundings.uid,
        system_dir: PathBuf::from(config::SYSTEM_DIR),
        trust: &|directory| TrustList::read(directory, surroundings.uid),
    };
    use_it(&inputs)
}

/// What the engine needs of the surroundings.
pub(super) fn caller(config: &Config, global: &GlobalArgs, surroundings: &Surroundings) -> Result<Caller, Failure> {
    let state_dir = state_dir(config, global, surroundings).ok_or_else(|| {
        Failure::usage(
            "there is no place for toolctl's state: neither HOME nor XDG_STATE_HOME is set",
            "give `--state-dir DIR`, or set TOOLCTL_STATE_DIR",
        )
    })?;
    Ok(Caller {
        env: surroundings.vars().to_vec(),
        home: surroundings.home().map(std::path::Path::to_owned),
        state_dir,
        own: surroundings.own.clone(),
        uid: surroundings.uid,
        run: super::call::make_id().replacen("call_", "run_", 1),
        clock: std::time::SystemTime::now,
        fsync: surroundings.var("TOOLCTL_FSYNC") != Some("off"),
    })
}
