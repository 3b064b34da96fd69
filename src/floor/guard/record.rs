//! What is written down of a run before it begins, and of what was found.

use super::look::{Entry, Role, State};
use crate::state::{Document, StateFault, Store};
use crate::text::base64;
use rustix::fs::{FlockOperation, flock};
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const ALARM: Document = Document {
    name: "alarm",
    version: 1,
    limit: 1 << 20,
};
/// Bytes of a record.
const MOST: u64 = 64 << 20;

/// What was there before a run, on the disk. It is locked while the run goes on.
#[derive(Debug)]
pub(super) struct Record {
    path: PathBuf,
    file: File,
}

impl Record {
    pub(super) fn write(store: &Store, before: &State) -> Result<Self, StateFault> {
        let directory = store.child("runs")?;
        let name = crate::fsio::random_name();
        let name = name.map_err(|e| StateFault::io(directory.path(), "name the record", e))?;
        let path = directory.path().join(name);
        let fault = |error| StateFault::io(&path, "write down what is there before a run", error);
        let mut options = fs::OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .map_err(fault)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|e| fault(e.into()))?;
        file.write_all(written(before).to_string().as_bytes()).map_err(fault)?;
        file.sync_all().map_err(fault)?;
        Ok(Self { path, file })
    }

    /// The run is over, and all is as it should be.
    pub(super) fn remove(self) -> Result<(), StateFault> {
        fs::remove_file(&self.path).map_err(|e| StateFault::io(&self.path, "remove the record", e))
    }

    /// Something goes on: whoever comes next looks again.
    pub(super) fn leave(self) {
        drop(self.file);
    }
}

/// Records that nobody holds.
pub(super) fn left(store: &Store) -> Result<Vec<(Record, State)>, StateFault> {
    let directory = store.child("runs")?;
    let entries = fs::read_dir(directory.path());
    let entries = entries.map_err(|e| StateFault::io(directory.path(), "look for earlier runs", e))?;
    let mut left = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        // One that is gone meanwhile has been finished.
        let Ok(file) = fs::OpenOptions::new().read(true).write(true).open(&path) else {
            continue;
        };
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            continue;
        }
        let mut bytes = Vec::new();
        (&file)
            .take(MOST)
            .read_to_end(&mut bytes)
            .map_err(|e| StateFault::io(&path, "read what was there before a run", e))?;
        let record = Record { path, file };
        match serde_json::from_slice::<Value>(&bytes).ok().as_ref().and_then(read) {
            Some(state) => left.push((record, state)),
            // Cut off while it was written: nothing had run yet.
            None => record.remove()?,
        }
    }
    Ok(left)
}

pub(super) fn alarm(store: &Store) -> Result<Option<String>, StateFault> {
    let content = ALARM.read(store)?;
    Ok(content.and_then(|content| Some(content.get("found")?.as_str()?.to_owned())))
}

pub(super) fn raise(store: &Store, found: &str) -> Result<(), StateFault> {
    ALARM.update(store, |before| {
        let mut content = before.unwrap_or_default();
        let earlier = content.get("found").and_then(Value::as_str);
        let all = earlier.map_or_else(|| found.to_owned(), |earlier| format!("{earlier}; {found}"));
        content.insert("found".to_owned(), json!(all));
        Ok::<_, StateFault>((Some(content), ()))
    })
}

pub(super) fn clear(store: &Store) -> Result<(), StateFault> {
    ALARM.update(store, |_| Ok::<_, StateFault>((Some(Map::new()), ())))
}

fn text(path: &Path) -> String {
    base64::encode(path.as_os_str().as_bytes())
}

fn path(text: &Value) -> Option<PathBuf> {
    let bytes = base64::decode(text.as_str()?.as_bytes())?;
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

const ROLES: [(Role, &str); 7] = [
    (Role::Pointer, "pointer"),
    (Role::Head, "head"),
    (Role::Settings, "settings"),
    (Role::Leads, "leads"),
    (Role::Hook, "hook"),
    (Role::Obeyed, "obeyed"),
    (Role::Granted, "granted"),
];

fn written(state: &State) -> Value {
    let entry = |(at, (role, entry)): (&PathBuf, &(Role, Entry))| {
        let role = ROLES.iter().find(|(r, _)| r == role).map_or("", |(_, word)| word);
        let what = match entry {
            Entry::File(mode, content) => json!(["file", mode, base64::encode(content)]),
            Entry::Large(size, time) => json!(["large", size, time]),
            Entry::Directory => json!(["directory"]),
            Entry::Link(target) => json!(["link", text(target)]),
            Entry::Other => json!(["other"]),
        };
        json!([text(at), role, what])
    };
    json!({
        "entries": state.entries.iter().map(entry).collect::<Vec<_>>(),
        "repositories": state.repositories.iter().map(|path| text(path)).collect::<Vec<_>>(),
        "git": state.git,
    })
}

fn read(value: &Value) -> Option<State> {
    let mut state = State::default();
    for item in value.get("entries")?.as_array()? {
        let role = item.get(1)?.as_str()?;
        let role = ROLES.iter().find(|(_, word)| *word == role)?.0;
        let what = item.get(2)?;
        let entry = match what.get(0)?.as_str()? {
            "file" => Entry::File(
                u32::try_from(what.get(1)?.as_u64()?).ok()?,
                base64::decode(what.get(2)?.as_str()?.as_bytes())?,
            ),
            "large" => Entry::Large(what.get(1)?.as_u64()?, what.get(2)?.as_i64()?),
            "directory" => Entry::Directory,
            "link" => Entry::Link(path(what.get(1)?)?),
            "other" => Entry::Other,
            _ => return None,
        };
        state.entries.insert(path(item.get(0)?)?, (role, entry));
    }
    for item in value.get("repositories")?.as_array()? {
        state.repositories.insert(path(item)?);
    }
    let git = value.get("git")?;
    state.git = git
        .get(0)
        .and_then(Value::as_u64)
        .zip(git.get(1).and_then(Value::as_u64));
    Some(state)
}
