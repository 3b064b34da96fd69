//! `sandbox` and `tools.sandbox` for one caller.

use super::{Scopes, required};
use crate::config::{
    AgentSettings, KubernetesSettings, NameList, SandboxMode, SandboxMount, SandboxSettings, Settings, WorkspaceAccess,
};
use crate::model::{Network, ResourceLimits, Sourced};

/// `sandbox` and `tools.sandbox`
#[derive(Debug, Clone)]
pub struct EffectiveSandbox<'c> {
    /// `mode`
    pub mode: &'c Sourced<SandboxMode>,
    /// `backend`
    pub backend: &'c Sourced<String>,
    /// `workspaceAccess`
    pub workspace_access: &'c Sourced<WorkspaceAccess>,
    /// `network`
    pub network: &'c Sourced<Network>,
    /// `image`
    pub image: Option<&'c Sourced<String>>,
    /// `kubernetes`
    pub kubernetes: Option<&'c KubernetesSettings>,
    /// `mounts`
    pub mounts: &'c [Sourced<SandboxMount>],
    /// `env`
    pub env: &'c [(String, String)],
    /// `limits`
    pub limits: Option<&'c Sourced<ResourceLimits>>,
    /// `tools.sandbox.tools.allow`
    pub allow: Option<&'c NameList>,
    /// `tools.sandbox.tools.alsoAllow`
    pub also_allow: Option<&'c NameList>,
    /// `tools.sandbox.tools.deny`
    pub deny: Option<&'c NameList>,
}

pub(super) fn sandbox<'c>(scopes: &Scopes<'c>, base: &'c Settings) -> EffectiveSandbox<'c> {
    let agent = scopes.agent;
    EffectiveSandbox {
        mode: mode(base, agent),
        backend: value(base, agent, |s| s.backend.as_ref()),
        workspace_access: value(base, agent, |s| s.workspace_access.as_ref()),
        network: value(base, agent, |s| s.network.as_ref()),
        image: given(base, agent, |s| s.image.as_ref()),
        kubernetes: given(base, agent, |s| s.kubernetes.as_ref()),
        mounts: given(base, agent, |s| s.mounts.as_ref()).map_or(&[], Vec::as_slice),
        env: given(base, agent, |s| s.env.as_ref()).map_or(&[], Vec::as_slice),
        limits: given(base, agent, |s| s.limits.as_ref()),
        allow: scopes.given(|t| t.sandbox.allow.as_ref()),
        also_allow: scopes.given(|t| t.sandbox.also_allow.as_ref()),
        deny: scopes.given(|t| t.sandbox.deny.as_ref()),
    }
}

/// `sandbox.mode` of an agent.
pub(super) fn mode<'c>(base: &'c Settings, agent: Option<&'c AgentSettings>) -> &'c Sourced<SandboxMode> {
    value(base, agent, |s| s.mode.as_ref())
}

/// The agent's setting, else that of all agents, else the global one.
fn given<'c, T>(
    base: &'c Settings,
    agent: Option<&'c AgentSettings>,
    of: impl Fn(&'c SandboxSettings) -> Option<&'c T>,
) -> Option<&'c T> {
    let scopes = [
        agent.map(|a| &a.sandbox),
        Some(&base.agents.sandbox),
        Some(&base.sandbox),
    ];
    scopes.into_iter().flatten().find_map(of)
}

fn value<'c, T>(
    base: &'c Settings,
    agent: Option<&'c AgentSettings>,
    of: impl Fn(&'c SandboxSettings) -> Option<&'c T>,
) -> &'c T {
    given(base, agent, &of).unwrap_or_else(|| required(base, |s| of(&s.sandbox)))
}
