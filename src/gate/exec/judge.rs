//! Puts the stages together: one command in, one judgement out.

use super::answer::{Finding, Judgement, Verdict, nobody_asked};
use super::approve;
use super::env::{self, Environment};
use super::ground::Ground;
use super::keep;
use super::late;
use super::level::{self, Elevated, ExecPolicy, HostRefusal, Hosts, InlineEval, Level, Request};
use super::place::Places;
use super::preflight::{self, Looked, Target};
use super::reader::reader;
use super::trace;
use super::walk::{Input as Stdin, Scripted, Walk};
use super::world::World;
use crate::config::RuleDecision;
use crate::model::{Ask, Code, Host, Security, Stage};
use crate::shell::{self, Analysis, Dialect, Opaque};
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
        findings.push(finding(
            Stage::Env,
            Verdict::Deny,
            Code::EnvForbidden,
            env::message(&environment.forbidden),
        ));
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
        world: input.world,
        finder: &input.ground.finder,
        environment: &environment.variables,
        places: Places::new(input.cwd),
        segments: Vec::new(),
        findings: Vec::new(),
        scripted: Vec::new(),
        opened: Vec::new(),
        unseen: false,
        bare: true,
        in_bare: false,
    };
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
        walked.push(Finding {
            span: Some(span),
            ..finding(
                Stage::Allowlist,
                Verdict::Ask,
                Code::PathEscape,
                late::sentence(program),
            )
        });
    } else if level.security == Security::Allowlist {
        late = late::find(&opened, &segments, true).map(|(_, program)| late::sentence(program));
    }
    let guards_git =
        level.security != Security::Full && !in_bare && segments.iter().any(super::answer::Segment::is_git);
    let mut warnings = input.request.warnings.clone();
    warnings.extend_from_slice(&input.ground.warnings);

    let understood = analysis.is_ok();
    let satisfied = understood
        && !walked
            .iter()
            .any(|f| f.stage >= Stage::Env && f.verdict != Verdict::Allow);
    if let Err(opaque) = &analysis {
        opaque_findings(input, opaque, &mut walked);
    }
    preflight(input, level, &analysis, &scripted, &mut findings, &mut warnings);
    by_level(input, level, understood, unseen, &mut walked);
    findings.extend(walked);
    approval(level, satisfied, &segments, &mut findings);
    findings.sort_by_key(|f| f.stage);
    let allow_always = keep::derive(level, &findings, &segments, bare && understood, input.world);
    conclude(
        input,
        level,
        findings,
        segments,
        analysis.ok(),
        environment,
        satisfied,
        guards_git,
        late,
        allow_always,
        warnings,
    )
}

fn finding(stage: Stage, verdict: Verdict, code: Code, reason: impl Into<String>) -> Finding {
    Finding {
        stage,
        verdict,
        code,
        reason: reason.into(),
        span: None,
        is_miss: false,
    }
}

fn host_finding(refusal: HostRefusal) -> Finding {
    match refusal {
        HostRefusal::Elevated(why) => finding(Stage::Host, Verdict::Deny, Code::ElevatedUnavailable, why),
        HostRefusal::Host(why) => finding(Stage::Host, Verdict::Deny, Code::HostNotAllowed, why),
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
        findings.push(finding(
            Stage::Params,
            Verdict::Deny,
            Code::InvalidParams,
            "Provide a command to start.",
        ));
    }
    if level.security == Security::Deny {
        findings.push(finding(
            Stage::Security,
            Verdict::Deny,
            Code::SecurityDeny,
            format!("exec denied: host={} security=deny", level.host.as_str()),
        ));
    }
}

/// A text that is not understood.
fn opaque_findings(input: &Input<'_>, opaque: &Opaque, findings: &mut Vec<Finding>) {
    if approve::in_raw_text(&input.request.command) {
        findings.push(finding(
            Stage::Security,
            Verdict::Deny,
            Code::ApproveCommand,
            approve::MESSAGE,
        ));
    }
    findings.push(Finding {
        span: Some(opaque.span),
        ..finding(
            Stage::Analysis,
            Verdict::Ask,
            Code::AnalysisFailed,
            format!("the command cannot be analysed: {opaque}"),
        )
    });
}

/// What the security level makes of what was found.
fn by_level(input: &Input<'_>, level: Level, understood: bool, unseen: bool, findings: &mut Vec<Finding>) {
    let free = level.elevated == Elevated::Full;
    if level.security == Security::Full {
        findings.retain(|f| match f.code {
            Code::CommandRule => !free,
            Code::InlineEval => input.policy.inline_eval == InlineEval::AlwaysAsks && !free,
            _ => f.verdict == Verdict::Deny,
        });
    }
    let rules = input.policy.rules.iter().find(|r| r.decision() != RuleDecision::Allow);
    if let Some(rule) = rules
        && !free
        && (!understood || unseen)
        && level.security == Security::Full
    {
        findings.push(finding(
            Stage::Allowlist,
            Verdict::Ask,
            Code::CommandRule,
            format!(
                "a part of the command cannot be analysed, and the command rule at {} might apply to it",
                rule.source.origin
            ),
        ));
    }
    if level.security == Security::Allowlist && level.ask == Ask::Off {
        for finding in findings.iter_mut() {
            let refuses = finding.is_miss
                || matches!(
                    finding.code,
                    Code::AllowlistMiss | Code::AnalysisFailed | Code::EnvForbidden | Code::PathEscape
                );
            if refuses && finding.verdict == Verdict::Ask {
                finding.verdict = Verdict::Deny;
                finding.reason = nobody_asked(&finding.reason);
            }
        }
    }
}

fn approval(level: Level, satisfied: bool, segments: &[super::answer::Segment], findings: &mut Vec<Finding>) {
    let asks = match level.ask {
        Ask::Always => true,
        Ask::On => {
            !(satisfied
                && segments
                    .iter()
                    .all(|s| s.durable || s.by == Some(super::answer::By::Builtin)))
        }
        Ask::Off | Ask::OnMiss => false,
    };
    if asks && level.security != Security::Deny {
        findings.push(finding(
            Stage::Approval,
            Verdict::Ask,
            Code::AskAlways,
            format!("`ask: {}` wants a person to see this command", level.ask.as_str()),
        ));
    }
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
        findings.push(finding(Stage::Preflight, Verdict::Deny, code, reason));
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

#[expect(
    clippy::too_many_arguments,
    reason = "the parts of one answer, each made by its stage"
)]
fn conclude(
    input: &Input<'_>,
    level: Level,
    findings: Vec<Finding>,
    segments: Vec<super::answer::Segment>,
    analysis: Option<Analysis>,
    environment: Environment,
    satisfied: bool,
    guards_git: bool,
    late: Option<String>,
    allow_always: Vec<crate::config::AllowEntry>,
    warnings: Vec<String>,
) -> Judgement {
    let verdict = findings.iter().map(|f| f.verdict).max().unwrap_or(Verdict::Allow);
    let decisive = findings
        .iter()
        .find(|f| f.verdict == verdict && verdict != Verdict::Allow);
    let help = decisive
        .filter(|f| f.is_miss)
        .and_then(|_| keep::suggest(&findings, &segments));
    let reason = match decisive {
        Some(f) => place(&input.request.command, f),
        None => match level.security {
            Security::Full => "security is full".to_owned(),
            Security::Deny | Security::Allowlist => "every command in it is granted".to_owned(),
        },
    };
    let reason = match &help {
        Some(line) => format!("{reason}; to allow it: {line}"),
        None => reason,
    };
    Judgement {
        verdict,
        code: decisive.map_or(Code::Ok, |f| f.code),
        reason,
        help,
        trace: trace::steps(input, level, &findings, &segments),
        findings,
        host: level.host,
        elevated: level.elevated,
        security: level.security,
        ask: level.ask,
        ask_fallback: level.ask_fallback,
        inline_eval: input.policy.inline_eval,
        cwd: input.cwd.to_owned(),
        segments,
        command: input.request.command.clone(),
        analysis,
        environment: environment.variables,
        overrides: environment.overrides,
        satisfied,
        guards_git,
        late,
        allow_always,
        warnings,
    }
}

/// The reason, with the place in the text where that helps.
fn place(command: &str, finding: &Finding) -> String {
    let Some(span) = finding.span.filter(|s| s.start > 0 && s.start < command.len()) else {
        return finding.reason.clone();
    };
    let before = command.get(..span.start).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    format!("{} (at {line}:{column} of the command)", finding.reason)
}
