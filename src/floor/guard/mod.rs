//! Looks before and after a contained run at what later programs obey: what git runs and follows, names that editors,
//! shells and agents read, and what was granted. What changed so that something could run outside the walls is put back
//! or set aside, told, and nothing more runs unasked in that session until a person has seen it.
//!
//! What was there before is written down before the run. A record that is found later belongs to a run that was
//! interrupted, or that left something running; the next call finishes what it began.

mod look;
mod mend;
mod origin;
mod record;

pub use mend::Finding;

use super::git::repository;
use super::place;
use crate::path::Root;
use crate::state::{StateFault, Store};
use look::State;
use record::Record;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// Whose guard it is, and what it looks at.
#[derive(Debug, Clone)]
pub struct Guard {
    state_dir: PathBuf,
    uid: u32,
    session: String,
    workspace: PathBuf,
    /// Files that were granted or are obeyed by this tool.
    granted: Vec<PathBuf>,
    /// Whether something of an earlier run went on until now.
    lingered: bool,
    /// The session's own directory, once it was opened.
    store: OnceCell<Store>,
    /// This tool's directory by its real name.
    own: OnceCell<PathBuf>,
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
            lingered: false,
            store: OnceCell::new(),
            own: OnceCell::new(),
        }
    }

    /// Finishes what an earlier run left open; says what it found.
    ///
    /// # Errors
    /// The records cannot be read, or what they ask for cannot be done.
    pub fn finish_earlier(&mut self) -> Result<Vec<Finding>, StateFault> {
        let mut findings = Vec::new();
        for (record, before) in record::left(self.store()?)? {
            self.lingered = true;
            findings.extend(self.mend(&before, record.since())?);
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
        let repository = repository(&self.workspace);
        let before = look::at(&self.workspace, repository.as_ref(), &self.granted, self.own());
        let store = self.store()?;
        let lingers = self.lingered || record::any(store)?;
        origin::remember(store, repository.as_ref(), lingers)?;
        let record = Record::write(store, &before, &self.workspace)?;
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
        record::alarm(self.store()?)
    }

    /// A person has seen it.
    ///
    /// # Errors
    /// The record of it cannot be changed.
    pub fn seen(&self) -> Result<(), StateFault> {
        record::clear(self.store()?)
    }

    /// This tool's directory by its real name.
    fn own(&self) -> &Path {
        let real = || self.state_dir.canonicalize().unwrap_or_else(|_| self.state_dir.clone());
        self.own.get_or_init(real)
    }

    fn store(&self) -> Result<&Store, StateFault> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let all = place::store(&self.state_dir, self.uid)?.child("sessions")?;
        let store = all.child(&self.session)?;
        Ok(self.store.get_or_init(|| store))
    }

    fn mend(&self, before: &State, since: (i64, i64)) -> Result<Vec<Finding>, StateFault> {
        let store = self.store()?;
        let mut findings = Vec::new();
        findings.extend(mend::git_moved(&self.workspace, before, store.child("aside")?.path())?);
        // The repository is where it was: what it holds now is looked at there.
        let repository = repository(&self.workspace);
        let after = look::at(&self.workspace, repository.as_ref(), &self.granted, self.own());
        let wrong = mend::mend(before, &after, since, (store, &self.workspace))?;
        // What was put back may be the repository's.
        let repository = if wrong.is_empty() {
            repository
        } else {
            self::repository(&self.workspace)
        };
        findings.extend(wrong);
        origin::after(store, repository.as_ref())?;
        Ok(findings)
    }

    fn raise(&self, findings: &[Finding]) -> Result<(), StateFault> {
        let wrong = findings.iter().filter(|finding| !finding.only_told);
        let told: Vec<String> = wrong.map(ToString::to_string).collect();
        if told.is_empty() {
            return Ok(());
        }
        record::raise(self.store()?, &told.join("; "))
    }
}

impl Watch {
    /// Whether the workspace has more directories than are looked into.
    pub fn is_partial(&self) -> bool {
        self.before.partial
    }

    /// Looks again. `lingers`: something of the run goes on; then the record stays, and the next call looks once more.
    ///
    /// # Errors
    /// What changed cannot be put back or set aside.
    pub fn end(self, lingers: bool) -> Result<Vec<Finding>, StateFault> {
        let findings = self.guard.mend(&self.before, self.record.since())?;
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
