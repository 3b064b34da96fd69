//! Which variables reach a hook.

use crate::config::HookProtocol;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// What native hooks inherit, besides `TOOLCTL_*` and `LC_*`.
const INHERITED: [&str; 8] = ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "USER", "LOGNAME", "SHELL"];

/// The environment of a hook.
///
/// A native hook gets the few variables that programs need. A Claude Code hook gets what it would get there: everything
/// but `OTEL_*`, and the project directory.
pub(super) fn environment(
    protocol: HookProtocol,
    env: &[(OsString, OsString)],
    workspace: &Path,
) -> Vec<(OsString, OsString)> {
    let begins = |name: &OsStr, prefix: &str| name.as_encoded_bytes().starts_with(prefix.as_bytes());
    match protocol {
        HookProtocol::Native => env
            .iter()
            .filter(|(name, _)| {
                INHERITED.iter().any(|known| name == known) || begins(name, "TOOLCTL_") || begins(name, "LC_")
            })
            .cloned()
            .collect(),
        HookProtocol::ClaudeCode => env
            .iter()
            .filter(|(name, _)| !begins(name, "OTEL_") && name != "CLAUDE_PROJECT_DIR")
            .cloned()
            .chain([("CLAUDE_PROJECT_DIR".into(), workspace.as_os_str().to_owned())])
            .collect(),
    }
}

/// A variable's value; of several the last, as programs see it.
pub(super) fn variable<'a>(env: &'a [(OsString, OsString)], name: &str) -> Option<&'a OsStr> {
    env.iter()
        .rev()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.as_os_str())
}
