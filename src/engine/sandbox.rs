//! What this machine can contain, the sandbox of a context, and what a person has seen of what contained commands left.

use super::BACKEND;
use super::Engine;
use crate::confine::{Namespaces, Report};
use crate::floor;
use crate::gate::{Containable, ExecPlan, no_sandbox, plan_in_sandbox};
use crate::model::{Code, HeldLimits, Host, Network, Origin};
use crate::process::held_limits;
use serde_json::{Value, json};

/// What this machine can contain. Changes nothing.
///
/// # Errors
/// It cannot be tried.
pub fn containable() -> Result<Containable, String> {
    let namespaces = Namespaces::probe().map_err(|error| format!("cannot test what the kernel enforces: {error}"))?;
    Ok(floor::containable(&crate::confine::Kernel::with(namespaces)))
}

fn place(origin: &Origin) -> Value {
    json!({"layer": origin.layer.as_str(), "file": &*origin.file, "line": origin.line, "column": origin.column})
}

impl Engine<'_> {
    /// What the walls of this machine enforce, as a document.
    ///
    /// # Errors
    /// It cannot be tried.
    pub fn sandbox_probe(&self) -> Result<Value, String> {
        let kernel = self.floor().kernel().map_err(|fault| fault.to_string())?;
        let Report { enforces, lacks } = kernel.report(&Network::None, HeldLimits::default(), true);
        let available = kernel.landlock > 0;
        let why = match (available, kernel.why_no_mounts()) {
            (false, _) => Some("this kernel does not support Landlock, or it is disabled".to_owned()),
            (true, why) => why,
        };
        Ok(json!({
            "schemaVersion": 1,
            "auto": available.then_some("landlock"),
            "backends": [{
                "name": "landlock",
                "available": available,
                "why": why,
                "version": kernel.landlock,
                "enforces": enforces,
                "lacks": lacks,
            }],
        }))
    }

    /// The sandbox of this context, as a document. `asked`: which option of the command line decides, if one does.
    ///
    /// # Errors
    /// It cannot be tried what the kernel enforces.
    pub fn sandbox_explain(&self, asked: Option<&str>) -> Result<Value, String> {
        let (exec, sandbox) = (&self.effective.exec, &self.effective.sandbox);
        let kernel = self.floor().look().map_err(|fault| fault.to_string())?;
        let missing = no_sandbox(exec, sandbox, || Ok(floor::containable(&kernel)));
        let limits = sandbox
            .limits
            .or(exec.limits)
            .map(|limits| limits.value)
            .unwrap_or_default();
        let held = held_limits(&limits);
        let Report { enforces, lacks } = kernel.report(&sandbox.network.value, held, true);
        let why = if let Some(option) = asked {
            json!({"text": format!("`{option}` was given"), "origin": null})
        } else {
            let mode = format!("`sandbox.mode: {}`", sandbox.mode.value.as_str());
            json!({"text": mode, "origin": place(&sandbox.mode.origin)})
        };
        let mounts = sandbox.mounts.iter().map(|mount| {
            let access = if mount.value.writable { "rw" } else { "ro" };
            json!({"path": mount.value.path, "access": access, "origin": place(&mount.origin)})
        });
        let hidden = exec.hide.iter().map(|path| path.value.as_path());
        let home = self.caller.home.as_ref().and_then(|home| home.canonicalize().ok());
        // Without mounts of its own it sees the root of the machine.
        let root = kernel.mounts().then(|| {
            let listed = floor::listing(home.as_deref(), &self.context.workspace, sandbox);
            let listed = listed
                .into_iter()
                .map(|(path, access)| json!({"path": path, "access": access}));
            listed.collect::<Vec<_>>()
        });
        Ok(json!({
            "schemaVersion": 1,
            "active": self.context.sandbox,
            "why": why,
            "backend": missing.is_none().then_some(BACKEND),
            "unavailable": missing,
            "workspaceAccess": sandbox.workspace_access.value.as_str(),
            "network": sandbox.network.value.shown(),
            "read": exec.read.value.as_str(),
            "readable": exec.readable.iter().map(|path| path.value.as_path()).collect::<Vec<_>>(),
            "limits": (!limits.is_empty()).then(|| limits.to_string()),
            "mounts": mounts.collect::<Vec<_>>(),
            "root": root,
            "hidden": hidden.collect::<Vec<_>>(),
            "enforces": enforces,
            "lacks": lacks,
        }))
    }

    /// Runs one command of a person in the sandbox of this context, with the streams of this process. Gives its status
    /// and what was set right behind it.
    ///
    /// # Errors
    /// The sandbox cannot be had, or the command cannot be started; nothing ran.
    pub fn sandbox_run(&self, argv: &[String]) -> Result<(i32, Vec<String>), (Code, String)> {
        let floor = self.floor();
        let kernel = || {
            floor
                .look()
                .map(|kernel| floor::containable(&kernel))
                .map_err(|e| e.to_string())
        };
        if let Some(why) = no_sandbox(&self.effective.exec, &self.effective.sandbox, kernel) {
            return Err((Code::SandboxUnavailable, format!("{why}; nothing ran")));
        }
        let plan = self.plan_of_person(argv).map_err(|why| (Code::InvalidParams, why))?;
        let local = self
            .local()
            .map_err(|error| (Code::PathEscape, format!("cannot open the workspace: {error}")))?;
        let (status, found) = local.attach(&plan).map_err(|stopped| (stopped.code, stopped.reason))?;
        Ok((status, found.iter().map(ToString::to_string).collect()))
    }

    fn plan_of_person(&self, argv: &[String]) -> Result<ExecPlan, String> {
        let unusable = |error: std::io::Error| format!("cannot open the workspace: {error}");
        let workspace = self.root().map_err(unusable)?.workspace();
        let exec_context = self.exec_context(Host::Sandbox.into(), workspace).map_err(unusable)?;
        let world = self.world(Host::Sandbox.into()).map_err(unusable)?;
        plan_in_sandbox(self.effective, &exec_context, world, workspace, argv)
    }

    /// A person has seen what a command of this session left behind; gives back what that was, or else what waits in other
    /// sessions.
    ///
    /// # Errors
    /// The record of it cannot be read or changed.
    pub fn sandbox_seen(&self) -> Result<Result<String, Vec<String>>, String> {
        let root = self.root().map_err(|error| error.to_string())?;
        let guard = self.floor().guard(root);
        let found = guard.alarm().map_err(|fault| fault.to_string())?;
        let Some(found) = found else {
            return guard.elsewhere().map(Err).map_err(|fault| fault.to_string());
        };
        guard.seen().map_err(|fault| fault.to_string())?;
        Ok(Ok(found))
    }
}
