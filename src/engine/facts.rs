//! What a run needs to know, and the way of one call through the house.

use crate::catalog::Universe;
use crate::config::Config;
use crate::gate::{Decision, Plan, PlanKind, ToolFacts, Verdict, admit, judge_tool};
use crate::model::{Block, Call, Code, Context, Outcome, Status};
use crate::path::{Root, Scope};
use crate::policy::ToolSet;
use crate::process::Interrupts;
use crate::tool::{ToolError, ToolResult};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What the command line knows of the process's surroundings.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The environment of toolctl itself.
    pub env: Vec<(OsString, OsString)>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// Where state is kept.
    pub state_dir: PathBuf,
}

type Taker = Box<dyn FnMut(&[u8])>;

/// Takes a command's output while it runs. What it is given has not been redacted.
pub struct Live {
    take: RefCell<Taker>,
}

impl Live {
    /// Hands each piece to `take`.
    pub fn new(take: impl FnMut(&[u8]) + 'static) -> Self {
        Self {
            take: RefCell::new(Box::new(take)),
        }
    }

    pub(super) fn push(&self, bytes: &[u8]) {
        if let Ok(mut take) = self.take.try_borrow_mut() {
            take(bytes);
        }
    }
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Live")
    }
}

/// Everything that calls of one context have in common.
#[derive(Debug)]
pub struct Engine<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// The caller.
    pub context: &'a Context,
    /// Every tool there is.
    pub universe: &'a Universe,
    /// The tools that are effective.
    pub set: &'a ToolSet,
    /// The surroundings.
    pub caller: &'a Caller,
    /// What ends a run from outside.
    pub interrupts: &'a Interrupts,
    /// Where a command's output goes while it runs, if somebody looks.
    pub live: Option<Live>,
}

impl Engine<'_> {
    /// Decides a call without running it.
    pub fn check(&self, call: &Call) -> Verdict {
        let admitted = match admit(self.config, self.context, self.universe, self.set, call) {
            Ok(admitted) => admitted,
            Err(refusal) => return *refusal,
        };
        let root = match self.root() {
            Ok(root) => root,
            Err(error) => {
                let reason = format!("the workspace cannot be used: {error}");
                return Verdict::deny(Code::PathEscape, reason, admitted.trace, admitted.args);
            }
        };
        let facts = ToolFacts {
            root: &root,
            workspace: &self.context.workspace,
            id: &call.id,
            env: self.command_env(),
            find_program: &|name| self.find_program(name),
        };
        judge_tool(self.config, self.context, admitted, &facts)
    }

    /// Decides a call and, if it may, runs it.
    pub fn execute(&self, call: &Call) -> Outcome {
        let begin = Instant::now();
        let verdict = self.check(call);
        let mut outcome = Outcome {
            id: call.id.clone(),
            tool: call.tool.clone(),
            status: verdict.code.status(),
            code: verdict.code,
            reason: None,
            content: Vec::new(),
            details: Map::new(),
            warnings: verdict.warnings,
            duration_ms: 0,
        };
        match verdict.decision {
            Decision::Allow(plan) => self.run(*plan, &mut outcome),
            Decision::Ask(_) => {
                outcome.status = Status::ApprovalPending;
                outcome.reason = Some(verdict.reason);
            }
            Decision::Deny => outcome.reason = Some(verdict.reason),
        }
        if let Some(reason) = outcome.reason.as_ref().filter(|_| outcome.content.is_empty()) {
            outcome.content.push(Block::Text(reason.clone()));
        }
        outcome.duration_ms = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
        outcome
    }

    fn run(&self, plan: Plan, outcome: &mut Outcome) {
        let result = match plan.into_kind() {
            PlanKind::File { tool, root, args } => self.run_file(tool, *root, &args),
            PlanKind::AgentsList => Ok(self.agents_list()),
            PlanKind::Command(plan) => return self.run_command(plan, outcome),
            PlanKind::Exec(plan) => return self.run_exec(&plan, outcome),
        };
        settle(result, outcome);
    }

    /// The rules about paths for this context.
    pub(super) fn root(&self) -> std::io::Result<Root> {
        let agent = self.config.base.agents.list.iter().find(|a| a.id == self.context.agent);
        let only =
            agent
                .and_then(|a| a.tools.workspace_only.as_ref())
                .or(self.config.base.tools.workspace_only.as_ref());
        let restricted = self.config.restricting.iter().any(|layer| {
            let own = layer.agents.get(&self.context.agent);
            layer.tools.workspace_only.is_some() || own.is_some_and(|a| a.workspace_only.is_some())
        });
        let anywhere = only.is_some_and(|o| !o.value) && !restricted;
        let mut protected: Vec<PathBuf> = vec![self.caller.state_dir.clone()];
        protected.extend(
            self.config
                .sources
                .iter()
                .map(|s| PathBuf::from(&*s.name))
                .filter(|p| p.is_absolute()),
        );
        Ok(Root::new(&self.context.workspace)?
            .scope(if anywhere { Scope::Anywhere } else { Scope::Workspace })
            .home(self.caller.home.clone())
            .protecting(protected))
    }

    /// The environment that every command tool and hook starts from (config.md, "Command tools").
    fn command_env(&self) -> Vec<(OsString, OsString)> {
        let passes = |name: &str| matches!(name, "PATH" | "HOME" | "LANG") || name.starts_with("TOOLCTL_");
        self.caller
            .env
            .iter()
            .filter(|(name, _)| name.to_str().is_some_and(passes))
            .cloned()
            .collect()
    }

    /// Finds a program on PATH: absolute directories outside the workspace only.
    fn find_program(&self, name: &str) -> Option<PathBuf> {
        let path = self
            .caller
            .env
            .iter()
            .find(|(key, _)| key == "PATH")
            .map(|(_, value)| value)?;
        let workspace = self.context.workspace.canonicalize().ok()?;
        std::env::split_paths(path)
            .filter(|dir| dir.is_absolute())
            .map(|dir| dir.join(name))
            .find(|file| is_executable(file) && file.canonicalize().is_ok_and(|real| !real.starts_with(&workspace)))
    }
}

fn is_executable(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

/// Puts a tool's own answer into the outcome.
fn settle(result: Result<ToolResult, ToolError>, outcome: &mut Outcome) {
    match result {
        Ok(result) => {
            outcome.content = result.content;
            outcome.details = result.details;
            outcome.warnings.extend(result.warnings);
        }
        Err(error) => {
            outcome.code = error.code;
            outcome.status = error.code.status();
            outcome.warnings.extend(error.warnings);
            outcome
                .details
                .insert("error".to_owned(), Value::from(error.message.clone()));
            outcome.reason = Some(error.message);
        }
    }
}
