//! `toolctl config validate`: what loading checks, and what only shows when the lists meet the tools there are.

use super::super::args::GlobalArgs;
use super::super::context::ContextArgs;
use super::super::output::{Format, Output};
use super::super::setup::{origin_json, with_inputs};
use super::super::{Failure, Run, Surroundings};
use super::{FORMATS, document};
use crate::catalog::universe;
use crate::config::{self, AllowEntry, Config, effective};
use crate::model::Sourced;
use crate::policy::resolve;
use serde_json::json;

pub(super) fn run(global: &GlobalArgs, surroundings: &Surroundings, out: &mut Output) -> Run {
    let format = out.format(&FORMATS)?;
    let config = with_inputs(None, global, surroundings, |inputs| {
        config::load(inputs).map_err(Failure::Input)
    })?;
    let mut warnings = config.warnings.clone();
    for key in &config.unsupported {
        warnings.push(format!(
            "{}: `{}` is not supported yet: `exec` refuses until it is",
            key.origin, key.value
        ));
    }
    warnings.extend(patterns(&config));
    for warning in resolved(&config, surroundings) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    if format != Format::Table {
        let unsupported: Vec<_> = config
            .unsupported
            .iter()
            .map(|k| json!({"key": k.value, "origin": origin_json(&k.origin)}))
            .collect();
        let value = json!({
            "schemaVersion": 1,
            "policyHash": config.policy_hash,
            "valid": true,
            "unsupported": unsupported,
            "warnings": warnings,
        });
        document(format, &value, out)?;
        return Ok(0);
    }
    for warning in &warnings {
        out.warn(warning);
    }
    out.line(&match warnings.len() {
        0 => "the configuration is valid".to_owned(),
        1 => "the configuration is valid, with 1 warning".to_owned(),
        n => format!("the configuration is valid, with {n} warnings"),
    })?;
    Ok(0)
}

/// Argument patterns that are no regular expressions: they match nothing, so the entry grants nothing.
fn patterns(config: &Config) -> Vec<String> {
    let scopes = config
        .base
        .agents
        .list
        .iter()
        .map(|a| &a.tools)
        .chain([&config.base.tools]);
    let approvals = config.base.approvals.agents.values();
    let restricting = config
        .restricting
        .iter()
        .flat_map(|r| r.agents.values().chain([&r.tools]));
    let entries = scopes
        .flat_map(|t| t.exec.allowlist.iter().flatten())
        .chain(approvals.flat_map(|a| &a.allowlist))
        .chain(restricting.flat_map(|t| t.exec.allowlist.iter().flatten()));
    entries.filter_map(bad_pattern).collect()
}

fn bad_pattern(entry: &Sourced<AllowEntry>) -> Option<String> {
    let pattern = entry.value.arg_pattern.as_deref()?;
    let error = regex::Regex::new(pattern).err()?;
    let reason = error.to_string();
    let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
    Some(format!(
        "{}: `argPattern` is not a regular expression, so this entry grants nothing: {reason}",
        entry.origin
    ))
}

/// What resolving the tools of every agent has to say.
fn resolved(config: &Config, surroundings: &Surroundings) -> Vec<String> {
    let universe = universe(config);
    let listed = config.base.agents.list.iter().map(|a| a.id.clone());
    let mut agents: Vec<String> = listed.collect();
    if !agents.iter().any(|a| a == "main") {
        agents.insert(0, "main".to_owned());
    }
    let mut warnings: Vec<String> = Vec::new();
    for agent in agents {
        let args = ContextArgs {
            agent: Some(agent.clone()),
            ..ContextArgs::default()
        };
        match args.context(config, surroundings) {
            Ok(context) => warnings.extend(resolve(&effective(config, &context), &universe).warnings),
            Err(Failure::Input(findings)) => {
                warnings.extend(findings.into_iter().map(|f| format!("agent `{agent}`: {}", f.message)));
            }
            Err(Failure::Other(_) | Failure::BrokenPipe) => {}
        }
    }
    let mut once = Vec::new();
    for warning in warnings {
        if !once.contains(&warning) {
            once.push(warning);
        }
    }
    once
}
