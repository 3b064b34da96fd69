//! Looks once more at what was judged, and holds it by descriptor while it starts.

use super::Stopped;
use crate::gate::PinnedProgram;
use crate::model::Code;
use crate::process::Program;
use rustix::fs::{CWD, Mode, OFlags, Stat, fstat, openat};
use std::io::Read;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// A directory that was judged, held open.
#[derive(Debug)]
pub(super) struct Directory {
    fd: OwnedFd,
}

impl Directory {
    /// Opens it, if it is still the one that was judged.
    pub(super) fn open(path: &Path, identity: (u64, u64)) -> Result<Self, Stopped> {
        let flags = OFlags::DIRECTORY | OFlags::PATH | OFlags::CLOEXEC;
        let changed = |why: String| {
            let reason = format!(
                "the working directory `{}` is not what was judged: {why}",
                path.display()
            );
            Stopped::new(Code::ApprovalChanged, reason)
        };
        let fd = openat(CWD, path, flags, Mode::empty()).map_err(|e| changed(e.to_string()))?;
        let stat = fstat(&fd).map_err(|e| changed(e.to_string()))?;
        if device_and_inode(&stat) == identity {
            Ok(Self { fd })
        } else {
            Err(changed("it was replaced meanwhile".to_owned()))
        }
    }

    /// A path that leads to this directory whatever its name leads to now.
    pub(super) fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.fd.as_raw_fd()))
    }
}

/// Whether a program is still the file that was judged.
pub(super) fn check(program: &PinnedProgram) -> Result<(), Stopped> {
    let stat = rustix::fs::stat(&program.path).map_err(|e| changed(program, &e.to_string()))?;
    same(program, &stat)
}

/// Opens a program for its start; a binary is started from the descriptor, a script by its path.
pub(super) fn open(program: &PinnedProgram) -> Result<Program, Stopped> {
    let by_path = |path: &Path| Program {
        path: path.to_owned(),
        file: None,
    };
    let Ok(fd) = openat(
        CWD,
        &program.path,
        OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY,
        Mode::empty(),
    ) else {
        // Executable but not readable: the identity was checked, the path is all there is.
        check(program)?;
        return Ok(by_path(&program.path));
    };
    let stat = fstat(fd.as_fd()).map_err(|e| changed(program, &e.to_string()))?;
    same(program, &stat)?;
    let mut file = std::fs::File::from(fd);
    let mut magic = [0; 4];
    let binary = file.read_exact(&mut magic).is_ok() && magic == *b"\x7fELF";
    Ok(Program {
        path: program.path.clone(),
        file: binary.then(|| OwnedFd::from(file)),
    })
}

fn same(program: &PinnedProgram, stat: &Stat) -> Result<(), Stopped> {
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    let modified = i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec);
    let now = (device_and_inode(stat), size, modified);
    if now == ((program.device, program.inode), program.size, program.modified) {
        Ok(())
    } else {
        Err(changed(program, "the file was replaced or written meanwhile"))
    }
}

fn changed(program: &PinnedProgram, why: &str) -> Stopped {
    let reason = format!(
        "`{}` is not what was judged: {why}; nothing was run",
        program.path.display()
    );
    Stopped::new(Code::ApprovalChanged, reason)
}

#[expect(clippy::unnecessary_cast, reason = "the field widths differ between systems")]
fn device_and_inode(stat: &Stat) -> (u64, u64) {
    (stat.st_dev as u64, stat.st_ino as u64)
}
