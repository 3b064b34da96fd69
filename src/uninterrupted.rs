//! System calls of files that a signal may interrupt, made again until they were not. The standard library does the same;
//! these are what it has no words for.

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{Dir, FlockOperation, Mode, OFlags, ResolveFlags};
use rustix::io::{Result, retry_on_intr};
use rustix::path::Arg;
use std::path::Path;

/// Opens a name beneath a directory.
///
/// # Errors
/// What the system says, but that it was interrupted.
#[allow(clippy::disallowed_methods, reason = "this is where it is made again")]
pub(crate) fn openat(base: impl AsFd, name: impl Arg + Copy, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    retry_on_intr(|| rustix::fs::openat(&base, name, flags, mode))
}

/// The same with a word on how the name is followed.
///
/// # Errors
/// What the system says, but that it was interrupted.
#[allow(clippy::disallowed_methods, reason = "this is where it is made again")]
pub(crate) fn openat2(
    base: impl AsFd,
    name: impl Arg + Copy,
    flags: OFlags,
    mode: Mode,
    resolve: ResolveFlags,
) -> Result<OwnedFd> {
    retry_on_intr(|| rustix::fs::openat2(&base, name, flags, mode, resolve))
}

/// Has what was written put on the disk.
///
/// # Errors
/// What the system says, but that it was interrupted.
#[allow(clippy::disallowed_methods, reason = "this is where it is made again")]
pub(crate) fn fsync(file: impl AsFd) -> Result<()> {
    retry_on_intr(|| rustix::fs::fsync(&file))
}

/// Cuts a file to a length in bytes.
///
/// # Errors
/// What the system says, but that it was interrupted.
#[allow(clippy::disallowed_methods, reason = "this is where it is made again")]
pub(crate) fn ftruncate(file: impl AsFd, length: u64) -> Result<()> {
    retry_on_intr(|| rustix::fs::ftruncate(&file, length))
}

/// Takes, or gives back, the lock of a file.
///
/// # Errors
/// What the system says, but that it was interrupted.
#[allow(clippy::disallowed_methods, reason = "this is where it is made again")]
pub(crate) fn flock(file: impl AsFd, operation: FlockOperation) -> Result<()> {
    retry_on_intr(|| rustix::fs::flock(&file, operation))
}

/// Lists the directory at a path.
///
/// # Errors
/// What the system says, but that it was interrupted.
pub(crate) fn read_dir(path: impl AsRef<Path>) -> std::io::Result<std::fs::ReadDir> {
    loop {
        match std::fs::read_dir(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Lists an open directory from its beginning.
///
/// # Errors
/// What the system says, but that it was interrupted.
#[allow(clippy::disallowed_methods, reason = "this is where it is made again")]
pub(crate) fn entries(directory: impl AsFd) -> Result<Dir> {
    retry_on_intr(|| Dir::read_from(&directory))
}

/// Reads what there is, no more than has room. No bytes are the end.
///
/// # Errors
/// What the system says, but that it was interrupted.
pub(crate) fn read(from: &mut impl std::io::Read, room: &mut [u8]) -> std::io::Result<usize> {
    loop {
        match from.read(room) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
