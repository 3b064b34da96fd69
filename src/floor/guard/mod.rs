//! Looks before and after a contained run at what later programs obey: what git runs and follows, names that editors,
//! shells and agents read, and what was granted. What changed so that something could run outside the walls is put back
//! or set aside, told, and nothing more runs unasked in that session until a person has seen it.
//!
//! What was there before is written down before the run. A record that is found later belongs to a run that was
//! interrupted, or that left something running; the next call finishes what it began.

mod look;
mod mend;
mod record;

pub use mend::Finding;

use super::place;
use crate::path::Root;
use crate::state::StateFault;
use look::State;
use record::Record;
use std::path::PathBuf;

/// Whose guard it is, and what it looks at.
#[derive(Debug, Clone)]
pub struct Guard {
    state_dir: PathBuf,
    uid: u32,
    session: String,
    workspace: PathBuf,
    /// Files that were granted or are obeyed by this tool.
    granted: Vec<PathBuf>,
}

/// A run that is being guarded.
#[derive(Debug)]
pub struct Watch {
    guard: Guard,
    before: State,
    record: Record,
}

impl Guard {
    /// The guard of one session in one workspace.
    pub fn new(state_dir: PathBuf, uid: u32, session: String, root: &Root) -> Self {
        let workspace = root.workspace().to_owned();
        let inside = |path: &&PathBuf| path.starts_with(&workspace);
        Self {
            granted: root.protected_paths().iter().filter(inside).cloned().collect(),
            state_dir,
            uid,
            session,
            workspace,
        }
    }

    /// Finishes what an earlier run left open; says what it found.
    ///
    /// # Errors
    /// The records cannot be read, or what they ask for cannot be done.
    pub fn finish_earlier(&self) -> Result<Vec<Finding>, StateFault> {
        let mut findings = Vec::new();
        for (record, before) in record::left(&self.store()?)? {
            findings.extend(self.mend(&before)?);
            record.remove()?;
        }
        self.raise(&findings)?;
        Ok(findings)
    }

    /// Looks, and writes down what is there; nothing may run before.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn watch(self) -> Result<Watch, StateFault> {
        let before = look::at(&self.workspace, &self.granted);
        let record = Record::write(&self.store()?, &before)?;
        Ok(Watch {
            guard: self,
            before,
            record,
        })
    }

    /// What a person has not seen yet; none where all is well.
    ///
    /// # Errors
    /// The record of it cannot be read.
    pub fn alarm(&self) -> Result<Option<String>, StateFault> {
        record::alarm(&self.store()?)
    }

    /// A person has seen it.
    ///
    /// # Errors
    /// The record of it cannot be changed.
    pub fn seen(&self) -> Result<(), StateFault> {
        record::clear(&self.store()?)
    }

    fn store(&self) -> Result<crate::state::Store, StateFault> {
        place::store(&self.state_dir, self.uid)?
            .child("sessions")?
            .child(&self.session)
    }

    fn mend(&self, before: &State) -> Result<Vec<Finding>, StateFault> {
        let aside = self.store()?.child("aside")?;
        let mut findings = Vec::new();
        findings.extend(mend::git_moved(&self.workspace, before, aside.path())?);
        // The repository is where it was: what it holds now is looked at there.
        let after = look::at(&self.workspace, &self.granted);
        findings.extend(mend::mend(before, &after, aside.path())?);
        Ok(findings)
    }

    fn raise(&self, findings: &[Finding]) -> Result<(), StateFault> {
        if findings.is_empty() {
            return Ok(());
        }
        let told: Vec<String> = findings.iter().map(ToString::to_string).collect();
        record::raise(&self.store()?, &told.join("; "))
    }
}

impl Watch {
    /// Looks again. `lingers`: something of the run goes on; then the record stays, and the next call looks once more.
    ///
    /// # Errors
    /// What changed cannot be put back or set aside.
    pub fn end(self, lingers: bool) -> Result<Vec<Finding>, StateFault> {
        let findings = self.guard.mend(&self.before)?;
        self.guard.raise(&findings)?;
        if lingers {
            self.record.leave();
        } else {
            self.record.remove()?;
        }
        Ok(findings)
    }
}

#[cfg(test)]
mod tests;
