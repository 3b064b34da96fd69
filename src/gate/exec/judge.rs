//! Puts the stages together: one command in, one judgement out.

use super::answer::{By, Judgement, Segment};
use super::approve;
use super::env;
use super::ground::Ground;
use super::keep;
use super::late;
use super::level::{self, Elevated, ExecPolicy, HostRefusal, Hosts, Level, Request};
use super::place::Places;
use super::preflight::{self, Looked, Target};
use super::reader::reader;
use super::rules::Rule;
use super::walk::{Input as Stdin, Scripted, Walk};
use super::world::World;
use crate::gate::finding::{Finding, Kind};
use crate::model::{Ask, Code, Host, Security, Stage, Verdict};
use crate::shell::{self, Analysis, Dialect, Opaque, Span};
use std::collections::BTreeSet;
use std::path::Path;

/// Everything that a judgement depends on.
pub struct Input<'a> {
    /// The call.
    pub request: &'a Request,
    /// The policy of its context.
    pub policy: &'a ExecPolicy,
    /// What there is to run on.
    pub hosts: Hosts,
    /// What the command starts from.
    pub ground: &'a Ground,
    /// The working directory, without symlinks; judged before.
    pub cwd: &'a Path,
    /// The machine.
    pub world: &'a dyn World,
    /// In whose language the text is read; the same shell runs it where one is needed.
    pub dialect: Dialect,
}

/// Judges one command.
pub fn judge(input: &Input<'_>) -> Judgement {
    let mut findings = Vec::new();
    let level = match level::decide(input.policy, input.request, input.hosts) {
        Ok(level) => level,
        Err(refusal) => {
            findings.push(host_finding(refusal));
            refused_level(input)
        }
    };
    let overrides = input.request.env.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    let environment = env::overlay(&input.ground.inherited, overrides);

    security(input, level, &mut findings);
    if !environment.forbidden.is_empty() {
        let reason = env::message(&environment.forbidden);
        findings.push(forbidden(Stage::Env, Code::EnvForbidden, reason));
    }
    let positionals = [reader(input.dialect).name.to_owned()];
    let known = shell::World {
        home: environment.variables.get("HOME").map(String::as_str),
        variables: &*environment.variables,
        positionals: Some(&positionals),
    };
    let analysis = shell::analyse(&input.request.command, input.dialect, &known);
    let mut walk = Walk {
        policy: input.policy,
        rules: if level.is_free() { &[] } else { &input.policy.rules },
        inline: input.policy.inline_eval.kind(&level),
        world: input.world,
        finder: &input.ground.finder,
        environment: &environment.variables,
        exported: BTreeSet::new(),
        places: Places::new(input.cwd),
        segments: Vec::new(),
        findings: Vec::new(),
        scripted: Vec::new(),
        opened: Vec::new(),
        unseen: false,
        bare: true,
        in_bare: false,
    };
    for (name, value) in &environment.overrides {
        let values = [value.clone()];
        walk.variable(name, Some(&values), env::Reach::Programs, Span::default());
    }
    if let Ok(analysis) = &analysis {
        walk.text(analysis, 0, &[], Stdin::Nothing);
    }
    let Walk {
        segments,
        findings: mut walked,
        scripted,
        opened,
        unseen,
        bare,
        in_bare,
        ..
    } = walk;
    // What wrappers' texts open is opened by a shell in any case; what the text itself opens, only where it needs one.
    let mut late = None;
    if let Some((span, program)) = late::find(&opened, &segments, false) {
        walked.push(doubt(Stage::Allowlist, Code::PathEscape, late::sentence(program)).at(span));
    } else {
        late = late::find(&opened, &segments, true).map(|(_, program)| late::sentence(program));
    }
    let guards_git = level.security != Security::Full && !in_bare && segments.iter().any(Segment::is_git);
    let mut warnings = input.request.warnings.clone();
    warnings.extend_from_slice(&input.ground.warnings);

    let understood = analysis.is_ok();
    let satisfied = understood && walked.iter().all(|f| f.stage < Stage::Env);
    if let Err(opaque) = &analysis {
        opaque_findings(input, opaque, &mut walked);
    }
    preflight(input, level, &analysis, &scripted, &mut findings, &mut warnings);
    findings.extend(walked);
    findings.extend(rules_unseen(input, level, !understood || unseen));
    findings.extend(approval(level, satisfied, &segments));
    let allow_always = keep::derive(level, &findings, &segments, bare && understood, input.world);
    let mut judgement = Judgement {
        verdict: Verdict::Deny,
        code: Code::AnalysisFailed,
        reason: String::new(),
        help: None,
        trace: Vec::new(),
        findings,
        level,
        cwd: input.cwd.to_owned(),
        segments,
        command: input.request.command.clone(),
        analysis: analysis.ok(),
        environment: environment.variables,
        overrides: environment.overrides,
        given: input.request.env.len(),
        guards_git,
        late,
        allow_always,
        warnings,
    };
    judgement.conclude();
    judgement
}

fn forbidden(stage: Stage, code: Code, reason: impl Into<String>) -> Finding {
    Finding::new(stage, Kind::Forbidden, code, reason)
}

fn doubt(stage: Stage, code: Code, reason: impl Into<String>) -> Finding {
    Finding::new(stage, Kind::Doubt, code, reason)
}

fn host_finding(refusal: HostRefusal) -> Finding {
    match refusal {
        HostRefusal::Elevated(why) => forbidden(Stage::Host, Code::ElevatedUnavailable, why),
        HostRefusal::Host(why) => forbidden(Stage::Host, Code::HostNotAllowed, why),
    }
}

fn refused_level(input: &Input<'_>) -> Level {
    Level {
        host: Host::Gateway,
        elevated: Elevated::Off,
        security: input.policy.security,
        ask: input.policy.ask,
        ask_fallback: input.policy.ask_fallback,
    }
}

fn security(input: &Input<'_>, level: Level, findings: &mut Vec<Finding>) {
    if input.request.command.trim().is_empty() {
        let reason = "Provide a command to start.";
        findings.push(forbidden(Stage::Params, Code::InvalidParams, reason));
    }
    if level.security == Security::Deny {
        let reason = format!("exec denied: host={} security=deny", level.host.as_str());
        findings.push(forbidden(Stage::Security, Code::SecurityDeny, reason));
    }
}

/// A text that is not understood.
fn opaque_findings(input: &Input<'_>, opaque: &Opaque, findings: &mut Vec<Finding>) {
    if approve::in_raw_text(&input.request.command) {
        findings.push(forbidden(Stage::Security, Code::ApproveCommand, approve::MESSAGE));
    }
    let reason = format!("the command cannot be analysed: {opaque}");
    findings.push(doubt(Stage::Analysis, Code::AnalysisFailed, reason).at(opaque.span));
}

/// Under `security: full` nothing needs a grant, but a refusing rule may speak about a part that was not understood.
fn rules_unseen(input: &Input<'_>, level: Level, unseen: bool) -> Option<Finding> {
    let applies = unseen && level.security == Security::Full && !level.is_free();
    let refusing = |r: &&Rule| r.decision() != Verdict::Allow;
    let rule = input.policy.rules.iter().find(refusing).filter(|_| applies)?;
    let origin = &rule.source.origin;
    let reason =
        format!("a part of the command cannot be analysed, and the command rule at {origin} might apply to it");
    Some(Finding::new(Stage::Allowlist, Kind::Rule, Code::CommandRule, reason).from(origin))
}

/// What `ask` wants a person to see.
fn approval(level: Level, satisfied: bool, segments: &[Segment]) -> Option<Finding> {
    let kept = |s: &Segment| s.durable || s.by == Some(By::Builtin);
    let asks = match level.ask {
        Ask::Always => true,
        Ask::On => !(satisfied && segments.iter().all(kept)),
        Ask::Off | Ask::OnMiss => false,
    };
    let reason = format!("`ask: {}` wants a person to see this command", level.ask.as_str());
    (asks && level.security != Security::Deny)
        .then(|| Finding::new(Stage::Approval, Kind::Wish, Code::AskAlways, reason))
}

/// Scripts of Python and Node.
fn preflight(
    input: &Input<'_>,
    level: Level,
    analysis: &Result<Analysis, Opaque>,
    scripted: &[Scripted],
    findings: &mut Vec<Finding>,
    warnings: &mut Vec<String>,
) {
    if level.host == Host::Gateway && level.security == Security::Full && level.ask == Ask::Off {
        return;
    }
    let mut found = Vec::new();
    if analysis.is_err() && preflight::suspicious_text(&input.request.command) {
        found.push(preflight::complex("the text cannot be analysed"));
    }
    for script in scripted {
        for target in preflight::targets(script.language, &script.args) {
            if let Err(finding) = look(input, script, &target, warnings) {
                found.push(finding);
            }
        }
    }
    for one in found {
        let (code, reason) = match one {
            preflight::Finding::ShellBleed(reason) => (Code::PreflightShellBleed, reason),
            preflight::Finding::Complex(reason) => (Code::PreflightComplex, reason),
        };
        findings.push(forbidden(Stage::Preflight, code, reason));
    }
}

fn look(
    input: &Input<'_>,
    script: &Scripted,
    target: &Target,
    warnings: &mut Vec<String>,
) -> Result<(), preflight::Finding> {
    match target {
        Target::File(file) => {
            let absolute = [std::path::PathBuf::from("/")];
            let cwds = if file.starts_with('/') {
                Some(&absolute[..])
            } else {
                script.cwds.as_deref()
            };
            let checked = match cwds {
                Some(cwds) => preflight::check(script.language, file, cwds, input.world)?,
                None => Looked::Unread("the directory is not known".to_owned()),
            };
            match checked {
                Looked::Clean => Ok(()),
                Looked::Absent if script.direct => Ok(()),
                Looked::Unread(why) if script.direct => {
                    warnings.push(format!(
                        "script preflight: {} was not checked ({why})",
                        crate::path::visible(file, 120)
                    ));
                    Ok(())
                }
                Looked::Absent => Err(preflight::complex(&format!(
                    "{} is not there",
                    crate::path::visible(file, 120)
                ))),
                Looked::Unread(why) => Err(preflight::complex(&format!(
                    "{}: {why}",
                    crate::path::visible(file, 120)
                ))),
            }
        }
        Target::Unknown if preflight::suspicious_text(&input.request.command) => {
            Err(preflight::complex("which script it runs is not known"))
        }
        Target::Input if script.fed && !script.direct && preflight::suspicious_text(&input.request.command) => {
            Err(preflight::complex("the program comes from standard input"))
        }
        Target::Unknown | Target::Input => Ok(()),
    }
}
