//! What this machine can contain, and what a person has seen of it.

use super::Engine;
use crate::confine::Report;
use crate::model::Network;
use serde_json::{Value, json};

impl Engine<'_> {
    /// What the walls of this machine enforce, as a document.
    ///
    /// # Errors
    /// It cannot be tried.
    pub fn sandbox_probe(&self) -> Result<Value, String> {
        let kernel = self.floor().kernel().map_err(|fault| fault.to_string())?;
        let Report { enforces, lacks } = kernel.report(Network::Host);
        let available = kernel.landlock > 0;
        let why = match (available, kernel.why_no_mounts()) {
            (false, _) => Some("this kernel has no Landlock, or it is switched off".to_owned()),
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

    /// A person has seen what a command of this session left behind; gives back what that was.
    ///
    /// # Errors
    /// The record of it cannot be read or changed.
    pub fn sandbox_seen(&self) -> Result<Option<String>, String> {
        let root = self.root().map_err(|error| error.to_string())?;
        let guard = self.floor().guard(root);
        let found = guard.alarm().map_err(|fault| fault.to_string())?;
        if found.is_some() {
            guard.seen().map_err(|fault| fault.to_string())?;
        }
        Ok(found)
    }
}
