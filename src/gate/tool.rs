//! The stages of every tool but `exec`: arguments, paths, and who runs it.

use super::admit::Admitted;
use super::decision::{Decision, Ruling, Trace, Weight};
use super::declared::plugin_tool;
use super::document::{PlanDocument, path_text};
use super::plan::{CommandPlan, FileTool, Plan, PlanKind};
use crate::config::{ConfiguredCommand, Effective};
use crate::launch::{LaunchFault, Prepared};
use crate::model::{Code, Executor, Stage};
use crate::params::validate;
use crate::path::{Intent, Refusal, Root, Spelling, judge};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Duration;

/// How long a command tool may take where nothing is said.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(120);

/// Where these tools run.
const HOST: &str = "gateway";

/// Finds a configured command's program and holds it against what was trusted.
pub type Prepare<'a> = dyn Fn(&ConfiguredCommand, &[(String, String)]) -> Result<Prepared, LaunchFault> + 'a;

/// What the gate has to know of the world for these tools.
pub struct ToolFacts<'a> {
    /// The rules about paths.
    pub root: &'a Root,
    /// The caller's workspace.
    pub workspace: &'a Path,
    /// The call's id.
    pub id: &'a str,
    /// Finds a configured command's program and everything it gets, with variables of its own.
    pub prepare: &'a Prepare<'a>,
}

impl std::fmt::Debug for ToolFacts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolFacts")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// Checks the final arguments.
///
/// # Errors
/// The refusal, `invalid-params`.
pub(super) fn check_params(admitted: &Admitted, trace: &mut Trace) -> Result<(), (Code, String)> {
    match validate(&admitted.args, admitted.rules()) {
        Ok(()) => {
            trace.push(Stage::Params, Weight::Pass, "the arguments fit the declaration");
            Ok(())
        }
        Err(invalid) => {
            let reason = invalid.to_string();
            trace.push(Stage::Params, Weight::Deny, reason.clone());
            Err((Code::InvalidParams, reason))
        }
    }
}

/// Judges a call of any tool but `exec`.
pub fn judge_tool(effective: &Effective<'_>, admitted: Admitted, facts: &ToolFacts) -> Ruling {
    let mut trace = admitted.trace.clone();
    match stages(effective, &admitted, facts, &mut trace) {
        Ok((kind, document)) => Ruling {
            decision: Decision::Allow(Box::new(Plan::new(kind))),
            code: Code::Ok,
            reason: String::new(),
            trace,
            args: admitted.args,
            warnings: Vec::new(),
            unanswered: Weight::Deny,
            document,
        },
        Err((code, reason)) => Ruling::deny(code, reason, trace, admitted.args),
    }
}

fn stages(
    effective: &Effective<'_>,
    admitted: &Admitted,
    facts: &ToolFacts,
    trace: &mut Trace,
) -> Result<(PlanKind, PlanDocument), (Code, String)> {
    check_params(admitted, trace)?;
    let tool = admitted.tool;
    let deny = |trace: &mut Trace, stage, code, reason: String| {
        trace.push(stage, Weight::Deny, reason.clone());
        (code, reason)
    };
    match tool.executor {
        Executor::None | Executor::Mcp => {
            let reason = format!(
                "nothing here can run `{name}`: bind a program to it with `bindings: {{{name}: {{command: [PROGRAM]}}}}`",
                name = tool.name
            );
            Err(deny(trace, Stage::Host, Code::NoExecutor, reason))
        }
        Executor::Command => {
            if effective.context.sandbox {
                return Err(deny(trace, Stage::Host, Code::HostNotAllowed, no_sandbox(&tool.name)));
            }
            let plan = command_plan(effective, admitted, facts)
                .map_err(|(code, reason)| deny(trace, Stage::Host, code, reason))?;
            trace.push(
                Stage::Host,
                Weight::Pass,
                format!("runs `{}`", plan.program.program().display()),
            );
            let shown = PlanDocument::Command {
                host: HOST,
                program: path_text(plan.program.program()),
                argv: plan.program.argv().to_vec(),
                cwd: path_text(plan.program.cwd()),
            };
            Ok((PlanKind::Command(plan), shown))
        }
        Executor::Builtin => {
            let Some(file) = file_tool(&tool.key) else {
                trace.push(Stage::Host, Weight::Pass, "built in");
                return Ok((PlanKind::AgentsList, PlanDocument::BuiltIn { host: HOST }));
            };
            if effective.context.sandbox {
                return Err(deny(trace, Stage::Host, Code::HostNotAllowed, no_sandbox(&tool.name)));
            }
            judge_paths(file, &admitted.args, facts.root)
                .map_err(|refusal| deny(trace, Stage::Params, refusal.code(), refusal.to_string()))?;
            trace.push(Stage::Params, Weight::Pass, "the path may be used");
            trace.push(Stage::Host, Weight::Pass, "built in");
            let args = admitted.args.clone();
            let root = Box::new(facts.root.clone());
            Ok((
                PlanKind::File { tool: file, root, args },
                PlanDocument::BuiltIn { host: HOST },
            ))
        }
    }
}

fn no_sandbox(tool: &str) -> String {
    format!(
        "`{tool}` would have to run in the sandbox of this session, and no sandbox is available here; it never runs on the host instead"
    )
}

/// The built-in file tool of a name.
fn file_tool(key: &str) -> Option<FileTool> {
    match key {
        "read" => Some(FileTool::Read),
        "write" => Some(FileTool::Write),
        "edit" => Some(FileTool::Edit),
        "apply_patch" => Some(FileTool::ApplyPatch),
        _ => None,
    }
}

/// Judges every path that a file tool would touch, without opening anything.
fn judge_paths(tool: FileTool, args: &Map<String, Value>, root: &Root) -> Result<(), Refusal> {
    let path = args.get("path").and_then(Value::as_str).unwrap_or("");
    let one = |intent| judge(root, path, intent, Spelling::Tool).map(|_| ());
    match tool {
        FileTool::Read => one(Intent::Read),
        FileTool::Write => one(Intent::Create),
        FileTool::Edit => one(Intent::Write),
        // A patch names its paths inside; the tool judges each before the first byte changes.
        FileTool::ApplyPatch => Ok(()),
    }
}

fn command_plan(
    effective: &Effective<'_>,
    admitted: &Admitted,
    facts: &ToolFacts,
) -> Result<CommandPlan, (Code, String)> {
    let (config, context) = (effective.config, effective.context);
    let tool = admitted.tool;
    let bound = config
        .base
        .bindings
        .iter()
        .find(|(name, _)| **name == *tool.key)
        .map(|(_, b)| b);
    let (command, timeout, own_env) = match (bound, plugin_tool(config, tool)) {
        (Some(binding), _) => (&binding.command, None, [].as_slice()),
        (None, Some(plugin)) => (&plugin.command, plugin.timeout_sec, plugin.env.as_slice()),
        (None, None) => return Err((Code::NoExecutor, format!("`{}` has no command", tool.name))),
    };
    let program = (facts.prepare)(command, own_env).map_err(|fault| {
        let code = match fault {
            LaunchFault::Untrusted { .. } => Code::UntrustedConfig,
            LaunchFault::Empty
            | LaunchFault::NotFound(_)
            | LaunchFault::Relative(_)
            | LaunchFault::NotExecutable(_)
            | LaunchFault::System(_) => Code::NoExecutor,
        };
        (code, format!("`{}` cannot be run: {fault}", tool.name))
    })?;
    Ok(CommandPlan {
        program,
        input: json!({
            "tool": &*tool.key,
            "args": admitted.args,
            "id": facts.id,
            "agent": context.agent,
            "session": context.session,
            "workspace": facts.workspace,
        }),
        timeout: timeout.map_or(COMMAND_TIMEOUT, Duration::from_secs),
    })
}
