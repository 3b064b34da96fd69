//! The caller's commands in the background: whose they are, and the tool that follows them.

use super::Engine;
use crate::background::{Owner, Shelf};
use crate::gate::Taker;
use crate::model::Input;
use crate::state::StateFault;
use crate::tool::process::{Process, process};
use crate::tool::{ToolError, ToolResult};
use serde_json::{Map, Value};

impl Engine<'_> {
    /// Whose a command is that this caller starts, and whose commands it sees.
    pub(super) fn owner(&self) -> Owner {
        let agent = self.context.agent.clone();
        Owner {
            session: self.session().unwrap_or_else(|| format!("agent:{agent}:main")),
            agent,
        }
    }

    /// The caller's commands in the background; none where there never was one.
    pub(super) fn shelf(&self) -> Result<Option<Shelf>, StateFault> {
        Shelf::existing(&self.caller.state_dir, self.caller.uid, &self.owner())
    }

    /// What one of them makes of input.
    pub(super) fn taker(&self, id: &str) -> Result<Option<Taker>, StateFault> {
        let Some(shelf) = self.shelf()? else { return Ok(None) };
        let kept = shelf.find(id.trim())?;
        Ok(kept.map(|kept| Taker {
            // A word that nobody knows is no permission.
            input: Input::parse(&kept.record.input).unwrap_or(Input::Code),
            command: kept.record.command,
        }))
    }

    /// The same, or those of everybody.
    ///
    /// # Errors
    /// The state directory cannot be used.
    pub fn shelf_of(&self, everybody: bool) -> Result<Option<Shelf>, StateFault> {
        if everybody {
            Shelf::everybody(&self.caller.state_dir, self.caller.uid)
        } else {
            self.shelf()
        }
    }

    /// Runs the tool `process` for a call.
    pub(super) fn run_process(&self, args: &Map<String, Value>) -> Result<ToolResult, ToolError> {
        self.process_of(args, false)
    }

    /// Does what the tool `process` does, for a person: nothing is judged. `everybody`: on the commands of all.
    ///
    /// # Errors
    /// As for the tool.
    pub fn process_of(&self, args: &Map<String, Value>, everybody: bool) -> Result<ToolResult, ToolError> {
        let on = Process {
            shelf: self.shelf_of(everybody)?,
            wake: self.interrupts.ends().to_vec(),
            now_ms: self.now_ms(),
        };
        process(&on, args)
    }
}
