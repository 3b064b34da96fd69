//! What the configuration gives a contained run: the floor under what runs unseen, a sandbox, and code that a call
//! carries in itself.

use super::exec::{Ground, World};
use super::finding::Held;
use super::plan::{Containment, DirectStage, DirectStart, DirectStep, ExecPlan, ExecRun, Need, When};
use super::planner;
use super::surroundings::Containable;
use crate::config::{Effective, EffectiveExec, EffectiveSandbox, WorkspaceAccess};
use crate::model::{Floor, Host, Input, Network, Sourced};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The floor.
pub(super) fn of_floor(settings: &EffectiveExec<'_>) -> Containment {
    let required = settings.floor.value == Floor::Require;
    Containment {
        need: if required { Need::Both } else { Need::Best },
        always: required,
        workspace: WorkspaceAccess::ReadWrite,
        caches: settings.caches.value,
        network: settings.network.value,
        writable: paths(&settings.writable),
        shown: Vec::new(),
        hidden: paths(&settings.hide),
        env: Vec::new(),
    }
}

/// The sandbox of a session. What a person allows runs in it as well.
pub(super) fn of_sandbox(settings: &EffectiveExec<'_>, sandbox: &EffectiveSandbox<'_>) -> Containment {
    let workspace = sandbox.workspace_access.value;
    let mounts = |writable: bool| {
        let mounts = sandbox
            .mounts
            .iter()
            .filter(move |mount| mount.value.writable == writable);
        mounts.map(|mount| mount.value.path.clone()).collect()
    };
    let both = settings.floor.value == Floor::Require || workspace == WorkspaceAccess::None;
    Containment {
        need: if both { Need::Both } else { Need::Files },
        always: true,
        workspace,
        caches: settings.caches.value,
        network: sandbox.network.value,
        writable: mounts(true),
        shown: mounts(false),
        hidden: paths(&settings.hide),
        env: sandbox.env.to_vec(),
    }
}

/// The same for a command of which something is held by walls: both of them; and for code that it carries, no network.
pub(super) fn holding(given: Option<Containment>, held: Held, settings: &EffectiveExec<'_>) -> Containment {
    let mut containment = given.unwrap_or_else(|| of_floor(settings));
    containment.need = Need::Both;
    if held.code {
        containment.network = Network::None;
    }
    containment
}

/// Why the sandbox that is configured cannot be had here; none where it can.
pub fn no_sandbox(
    settings: &EffectiveExec<'_>,
    sandbox: &EffectiveSandbox<'_>,
    kernel: impl FnOnce() -> Result<Containable, String>,
) -> Option<String> {
    unavailable(sandbox).or_else(|| match kernel() {
        Ok(kernel) => kernel.lacks(of_sandbox(settings, sandbox).need),
        Err(why) => Some(why),
    })
}

/// What is asked for and cannot be had, whatever the kernel can do.
fn unavailable(sandbox: &EffectiveSandbox<'_>) -> Option<String> {
    let backend = sandbox.backend;
    if !matches!(backend.value.as_str(), "auto" | "landlock") {
        return Some(format!(
            "`sandbox.backend: {}` ({}) is not available here; set it to `auto` or `landlock`",
            backend.value, backend.origin
        ));
    }
    if let Some(image) = sandbox.image {
        return Some(format!(
            "`sandbox.image` ({}) needs a container, and no backend with containers is available here; remove it",
            image.origin
        ));
    }
    sandbox.limits.map(|origin| {
        format!("`sandbox.limits` ({origin}) cannot be enforced by the backend `landlock`; remove it, or set limits around toolctl itself")
    })
}

/// One command of a person in the sandbox of a context: no tool, no rule and no shell has a say in it.
///
/// # Errors
/// Its program is not found, or the working directory is gone.
pub fn plan_in_sandbox(
    effective: &Effective<'_>,
    ground: &Ground,
    world: &dyn World,
    workspace: &Path,
    argv: &[String],
) -> Result<ExecPlan, String> {
    let name = argv.first().ok_or("there is no command")?;
    let program = ground.child_finder.find(world, name, Some(workspace));
    let program = program.ok_or_else(|| format!("`{name}` is not found on PATH"))?;
    let facts = world.facts(workspace).ok_or("the workspace is gone")?;
    let pinned = planner::pin(&program);
    let stage = DirectStage {
        start: DirectStart::Program(pinned.clone()),
        path: program.invoked.to_string_lossy().into_owned(),
        argv: argv.to_vec(),
        assignments: Vec::new(),
        redirects: Vec::new(),
        pipe_stderr: false,
        line: 1,
    };
    Ok(ExecPlan {
        host: Host::Sandbox,
        run: ExecRun::Direct(vec![DirectStep {
            when: When::Always,
            negated: false,
            stages: vec![stage],
        }]),
        pinned: vec![pinned],
        env: Arc::clone(&ground.inherited),
        cwd: workspace.to_owned(),
        cwd_identity: facts.identity(),
        timeout: None,
        stays_after: None,
        terminal: false,
        input: Input::Code,
        reads_lines: None,
        input_seen: false,
        guards_git: false,
        may_gain_privileges: false,
        containment: Some(of_sandbox(&effective.exec, &effective.sandbox)),
        max_output_chars: usize::MAX,
    })
}

fn paths(list: &[&Sourced<PathBuf>]) -> Vec<PathBuf> {
    list.iter().map(|path| path.value.clone()).collect()
}
