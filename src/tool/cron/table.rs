//! The table of jobs in the state directory. A job that is due is claimed before it runs: whoever else looks at the same time
//! finds it claimed, and one whose process is killed does not run a second time for the same moment.

use super::schedule::Schedule;
use crate::state::{Document, Durability, StateFault, Store};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::Path;

const ROOM: &str = "cron";
const JOBS: Document = Document {
    name: "jobs",
    version: 1,
    limit: 8 << 20,
};
const RUNS: &str = "runs.jsonl";
/// Jobs of a table.
const MOST_JOBS: usize = 500;

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// Whether it runs.
    pub enabled: bool,
    /// When, as it was written.
    pub schedule: Value,
    /// What it does, as it was written.
    pub payload: Value,
    /// The agent that runs it.
    pub agent_id: String,
    /// The session that it runs in, or speaks to.
    pub session: String,
    /// The workspace that it was made in.
    pub workspace: String,
    /// Whether it goes once it has run.
    pub delete_after_run: bool,
    /// When it was made, milliseconds since 1970.
    pub created_at_ms: i64,
    /// When it runs next.
    pub next_run_at_ms: Option<i64>,
    /// When it ran last, and what came of it.
    pub last_run_at_ms: Option<i64>,
    /// What came of that.
    pub last_status: Option<String>,
}

impl Job {
    /// The next time after another; a schedule that cannot be read has none.
    pub(super) fn after(&self, ms: i64) -> Option<i64> {
        Schedule::read(&self.schedule, self.created_at_ms)
            .ok()?
            .next(ms, &self.id)
    }
}

/// The table.
#[derive(Debug)]
pub struct Table {
    store: Store,
}

impl Table {
    /// The table of a state directory.
    ///
    /// # Errors
    /// The state directory cannot be used.
    pub fn open(state_dir: &Path, uid: u32) -> Result<Self, StateFault> {
        let store = Store::create(state_dir, uid)?.child(ROOM)?;
        Ok(Self { store })
    }

    /// The jobs, in the order in which they were made.
    ///
    /// # Errors
    /// The table cannot be read.
    pub fn jobs(&self) -> Result<Vec<Job>, StateFault> {
        self.read(JOBS.read(&self.store)?)
    }

    fn read(&self, content: Option<Map<String, Value>>) -> Result<Vec<Job>, StateFault> {
        let jobs = content
            .and_then(|mut content| content.shift_remove("jobs"))
            .unwrap_or_else(|| json!([]));
        serde_json::from_value(jobs)
            .map_err(|error| StateFault::new(&self.store.path().join("jobs.json"), format!("is damaged: {error}")))
    }

    /// Changes the jobs; what the change answers.
    pub(super) fn change<T, E: From<StateFault>>(
        &self,
        change: impl FnOnce(&mut Vec<Job>) -> Result<T, E>,
    ) -> Result<T, E> {
        JOBS.update(&self.store, |content| {
            let mut jobs = self.read(content)?;
            let answer = change(&mut jobs)?;
            if jobs.len() > MOST_JOBS {
                let why = format!("holds more than {MOST_JOBS} jobs; remove some");
                return Err(StateFault::new(&self.store.path().join("jobs.json"), why).into());
            }
            Ok((Some(Map::from_iter([("jobs".to_owned(), json!(jobs))])), answer))
        })
    }

    /// Claims the job that is due first at a time; none where none is. From now on it is due at its next time.
    ///
    /// # Errors
    /// The table cannot be read or written.
    pub fn claim(&self, now: i64) -> Result<Option<Job>, StateFault> {
        self.change(|jobs| {
            let due = jobs
                .iter_mut()
                .filter(|job| job.enabled && job.next_run_at_ms.is_some_and(|at| at <= now));
            let Some(job) = due.min_by_key(|job| job.next_run_at_ms) else {
                return Ok::<_, StateFault>(None);
            };
            job.last_run_at_ms = Some(now);
            job.last_status = Some("running".to_owned());
            job.next_run_at_ms = job.after(now);
            let claimed = job.clone();
            if claimed.delete_after_run {
                jobs.retain(|job| job.id != claimed.id);
            }
            Ok(Some(claimed))
        })
    }

    /// Notes what came of a job.
    ///
    /// # Errors
    /// The table cannot be written.
    pub fn done(&self, id: &str, at: &str, status: &str, said: &str) -> Result<(), StateFault> {
        self.change(|jobs| {
            if let Some(job) = jobs.iter_mut().find(|job| job.id == id) {
                job.last_status = Some(status.to_owned());
            }
            Ok::<_, StateFault>(())
        })?;
        let said: String = said.chars().take(500).collect();
        let line = json!({"jobId": id, "at": at, "status": status, "summary": said}).to_string();
        self.store
            .lines(RUNS, Durability::Fsync)?
            .lock()?
            .append(line.as_bytes())
            .map(|_| ())
    }

    /// The last runs, of one job or of all, the newest last.
    pub(super) fn runs(&self, id: Option<&str>, most: usize) -> Result<Vec<Value>, StateFault> {
        let Some(mut lines) = self.store.existing(RUNS, Durability::None)? else {
            return Ok(Vec::new());
        };
        let lines = lines.lock()?.tail(1000)?;
        let runs = lines
            .iter()
            .filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        let runs: Vec<Value> = runs
            .filter(|run| id.is_none_or(|id| run.get("jobId").and_then(Value::as_str) == Some(id)))
            .collect();
        Ok(runs.iter().skip(runs.len().saturating_sub(most)).cloned().collect())
    }
}
