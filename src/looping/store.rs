//! Histories on disk: one small append-only file per session, changed only under its lock.
//!
//! Every change is one append, so a killed process leaves at most one torn line, which the next one cuts off. When a
//! file has grown it is written anew beside itself and renamed; whoever waited for the old file's lock notices.

use super::attempt::{Attempt, Seen, digest};
use super::history::{History, Judged, Record};
use super::limits::LoopLimits;
use super::record::Change;
use rustix::fs::{FlockOperation, Mode, OFlags, flock, fstat, ftruncate, open, unlink};
use rustix::io::Errno;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long another process may hold a session's lock.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of a file that are read; a longer one is not one of ours.
const MAX_FILE: u64 = 8 * 1024 * 1024;
/// Lines that a file may have beyond twice what its history needs, before it is written anew.
const SLACK: usize = 64;
/// From so many session files on, the least used ones are removed when another is made.
const MANY_SESSIONS: usize = 2048;

/// Where the histories of all sessions are kept.
#[derive(Debug, Clone)]
pub struct LoopStore {
    dir: PathBuf,
}

/// Why a history cannot be read or written.
#[derive(Debug)]
pub struct StoreFault {
    path: PathBuf,
    error: io::Error,
}

impl fmt::Display for StoreFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the loop history `{}` is not usable: {}",
            self.path.display(),
            self.error
        )
    }
}

impl std::error::Error for StoreFault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl LoopStore {
    /// The store in a state directory; nothing is made before it is needed.
    pub fn new(state_dir: &Path) -> Self {
        Self {
            dir: state_dir.join("loops-v1"),
        }
    }

    /// Judges a call of a session and, unless it is blocked, remembers it, as one step among all processes.
    ///
    /// # Errors
    /// The history cannot be read or written.
    pub fn begin(&self, session: &str, attempt: &Attempt, limits: &LoopLimits) -> Result<Judged, StoreFault> {
        if !limits.enabled {
            return Ok(Judged::Clear);
        }
        self.change(session, limits, |history| {
            let judged = history.begin(attempt, limits);
            let call = Change::Call(Record::of(attempt));
            let changes = match &judged {
                Judged::Block(_) => Vec::new(),
                Judged::Warn(finding) => vec![call, Change::Warned(finding.key.clone(), finding.bucket())],
                Judged::Clear | Judged::Quiet(_) => vec![call],
            };
            (judged, changes)
        })
    }

    /// Remembers what came of a call that [`Self::begin`] let pass while detection was on.
    ///
    /// # Errors
    /// The history cannot be read or written.
    pub fn end(&self, session: &str, attempt: &Attempt, seen: Seen) -> Result<(), StoreFault> {
        let ended = Record {
            result: Some(seen.result),
            unknown: seen.unknown,
            ..Record::of(attempt)
        };
        let path = self.path(session);
        // What is remembered now does not depend on what was: the line is added without reading the rest.
        let at = |error| StoreFault {
            path: path.clone(),
            error,
        };
        let mut file = self.locked(&path).map_err(at)?;
        cut_torn_line(&mut file).map_err(at)?;
        append(&mut file, &Change::Outcome(ended).line()).map_err(at)?;
        Ok(())
    }

    /// Judges a call and changes nothing, not even on disk.
    ///
    /// # Errors
    /// The history is there and cannot be read.
    pub fn peek(&self, session: &str, attempt: &Attempt, limits: &LoopLimits) -> Result<Judged, StoreFault> {
        if !limits.enabled {
            return Ok(Judged::Clear);
        }
        let path = self.path(session);
        let history = match open(
            &path,
            OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW,
            Mode::empty(),
        ) {
            Ok(fd) => {
                let mut file = File::from(fd);
                lock(&file, FlockOperation::NonBlockingLockShared)
                    .and_then(|()| read(&mut file, limits))
                    .map_err(|error| StoreFault { path, error })?
                    .history
            }
            Err(Errno::NOENT | Errno::NOTDIR) => History::default(),
            Err(error) => {
                return Err(StoreFault {
                    path,
                    error: error.into(),
                });
            }
        };
        Ok(history.judge(attempt, limits))
    }

    /// How many calls of a session are remembered now.
    ///
    /// # Errors
    /// The history is there and cannot be read.
    #[cfg(test)]
    pub(super) fn history(&self, session: &str, limits: &LoopLimits) -> Result<History, StoreFault> {
        let path = self.path(session);
        let at = |error| StoreFault {
            path: path.clone(),
            error,
        };
        let mut file = File::open(&path).map_err(at)?;
        Ok(read(&mut file, limits).map_err(at)?.history)
    }

    /// The file of a session; its name tells nothing about the key.
    pub(super) fn path(&self, session: &str) -> PathBuf {
        self.dir.join(format!("{}.jsonl", digest(session)))
    }

    fn change<T>(
        &self,
        session: &str,
        limits: &LoopLimits,
        decide: impl FnOnce(&mut History) -> (T, Vec<Change>),
    ) -> Result<T, StoreFault> {
        let path = self.path(session);
        let at = |error| StoreFault {
            path: path.clone(),
            error,
        };
        let mut file = self.locked(&path).map_err(at)?;
        let mut held = read(&mut file, limits).map_err(at)?;
        if held.torn {
            ftruncate(&file, held.whole).map_err(|error| at(error.into()))?;
        }
        let (answer, changes) = decide(&mut held.history);
        if changes.is_empty() {
            return Ok(answer);
        }
        if held.lines > 2 * held.history.size() + SLACK {
            replace(&path, &held.history.text()).map_err(at)?;
        } else {
            let lines: String = changes.iter().map(Change::line).collect();
            append(&mut file, &lines).map_err(at)?;
        }
        Ok(answer)
    }

    /// Opens a session's file and takes its lock.
    fn locked(&self, path: &Path) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        loop {
            let file = match open(path, flags, Mode::empty()) {
                Ok(fd) => File::from(fd),
                Err(Errno::NOENT) => self.make(path, flags)?,
                Err(error) => return Err(error.into()),
            };
            lock(&file, FlockOperation::NonBlockingLockExclusive)?;
            // Another process may have replaced or removed the file while this one waited.
            if fstat(&file)?.st_nlink > 0 {
                return Ok(file);
            }
        }
    }

    fn make(&self, path: &Path, flags: OFlags) -> io::Result<File> {
        let create = flags | OFlags::CREATE;
        let mode = Mode::RUSR | Mode::WUSR;
        let fd = match open(path, create, mode) {
            Err(Errno::NOENT) => {
                std::fs::DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(&self.dir)?;
                open(path, create, mode)?
            }
            other => other?,
        };
        // Best effort: a session's start does not depend on others' left-overs.
        let _ = self.prune();
        Ok(File::from(fd))
    }

    /// Removes the least used half of the session files when there are very many.
    fn prune(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.dir)? {
            files.push(entry?.path());
        }
        if files.len() < MANY_SESSIONS {
            return Ok(());
        }
        let mut aged: Vec<_> = files
            .into_iter()
            .filter_map(|path| Some((std::fs::metadata(&path).and_then(|m| m.modified()).ok()?, path)))
            .collect();
        aged.sort();
        for (_, path) in aged.into_iter().take(MANY_SESSIONS / 2) {
            let Ok(file) = File::open(&path) else { continue };
            // One that is in use stays.
            if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
                let _ = unlink(&path);
            }
        }
        Ok(())
    }
}

/// Takes a lock, waiting for a bounded time.
fn lock(file: &File, operation: FlockOperation) -> io::Result<()> {
    let mut pause = Duration::from_micros(200);
    let mut since: Option<Instant> = None;
    loop {
        match flock(file, operation) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK | Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if since.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "another process holds its lock for too long",
            ));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// A file's content.
struct Held {
    history: History,
    lines: usize,
    /// Bytes up to the end of the last whole line.
    whole: u64,
    torn: bool,
}

fn read(file: &mut File, limits: &LoopLimits) -> io::Result<Held> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    Read::by_ref(file).take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(io::Error::other("it is too large"));
    }
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut history = History::default();
    let mut lines = 0;
    for line in bytes.get(..whole).unwrap_or_default().split(|byte| *byte == b'\n') {
        lines += 1;
        // A line that is not ours says nothing; the others still count.
        let change = std::str::from_utf8(line).ok().and_then(Change::parse);
        if let Some(change) = change {
            history.apply(change, limits.history);
        }
    }
    Ok(Held {
        history,
        lines,
        whole: whole as u64,
        torn: whole < bytes.len(),
    })
}

/// Removes what a killed process left of a line.
fn cut_torn_line(file: &mut File) -> io::Result<()> {
    let size = file.seek(SeekFrom::End(0))?;
    if size == 0 {
        return Ok(());
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    if last == *b"\n" {
        return Ok(());
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    Read::by_ref(file).take(MAX_FILE).read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    ftruncate(&*file, whole as u64)?;
    Ok(())
}

/// Adds whole lines; after a failed write the file is as it was.
fn append(file: &mut File, lines: &str) -> io::Result<()> {
    let before = file.seek(SeekFrom::End(0))?;
    file.write_all(lines.as_bytes()).inspect_err(|_| {
        // If this fails too, the torn line is cut off by the next reader.
        let _ = ftruncate(&*file, before);
    })
}

/// Puts a new file in the place of a session's, in one step.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension("new");
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    // Only the holder of the session's lock comes here, so the name is free or a left-over.
    let mut file = File::from(open(&beside, flags, Mode::RUSR | Mode::WUSR)?);
    file.write_all(text.as_bytes())?;
    std::fs::rename(&beside, path)
}
