//! Which file a configured command names: found on PATH, never in the workspace.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Why a command names no program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramFault {
    /// The command is empty.
    Empty,
    /// Nothing of that name on PATH, outside the workspace.
    NotFound(String),
    /// A path that is not absolute.
    Relative(String),
    /// No executable file.
    NotExecutable(String),
}

impl fmt::Display for ProgramFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the command is empty"),
            Self::NotFound(name) => write!(f, "`{name}` is not on PATH (the workspace is not searched)"),
            Self::Relative(name) => write!(f, "`{name}` is not an absolute path"),
            Self::NotExecutable(name) => write!(f, "`{name}` is not an executable file"),
        }
    }
}

impl std::error::Error for ProgramFault {}

/// The program of a command: a bare name from PATH's absolute directories outside the workspace, or an absolute path.
///
/// # Errors
/// There is no such executable file.
pub fn find_program(name: &str, path: Option<&OsStr>, workspace: &Path) -> Result<PathBuf, ProgramFault> {
    if name.is_empty() {
        return Err(ProgramFault::Empty);
    }
    if name.contains('/') {
        let program = PathBuf::from(name);
        return match (program.is_absolute(), is_executable(&program)) {
            (true, true) => Ok(program),
            (true, false) => Err(ProgramFault::NotExecutable(name.to_owned())),
            (false, _) => Err(ProgramFault::Relative(name.to_owned())),
        };
    }
    let real_workspace = workspace.canonicalize().unwrap_or_else(|_| workspace.to_owned());
    let inside = |dir: &Path| {
        let real = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
        real.starts_with(&real_workspace) || dir.starts_with(workspace)
    };
    std::env::split_paths(path.unwrap_or(OsStr::new("/usr/local/bin:/usr/bin:/bin")))
        .filter(|dir| dir.is_absolute())
        .map(|dir| (dir.join(name), dir))
        .find(|(program, dir)| is_executable(program) && !inside(dir))
        .map(|(program, _)| program)
        .ok_or_else(|| ProgramFault::NotFound(name.to_owned()))
}

fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn executable(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn the_workspace_is_never_searched() {
        let dir = tempfile::tempdir().unwrap();
        let ws = dir.path().join("ws");
        executable(&ws.join("bin/guard"));
        executable(&dir.path().join("good/guard"));
        symlink(ws.join("bin"), dir.path().join("link")).unwrap();
        fs::write(dir.path().join("plain"), "").unwrap();
        let path = |dirs: &[&str]| {
            let dirs = dirs.iter().map(|d| {
                if d.is_empty() {
                    PathBuf::new()
                } else {
                    dir.path().join(d)
                }
            });
            std::env::join_paths(dirs).unwrap()
        };
        let find = |name: &str, dirs: &[&str]| find_program(name, Some(&path(dirs)), &ws);
        assert_eq!(
            find("guard", &["", "ws/bin", "link", "good"]),
            Ok(dir.path().join("good/guard"))
        );
        assert_eq!(
            find("guard", &["ws/bin", "link"]),
            Err(ProgramFault::NotFound("guard".to_owned()))
        );
        assert_eq!(find("plain", &["."]), Err(ProgramFault::NotFound("plain".to_owned())));
        assert_eq!(
            find("bin/guard", &["ws"]),
            Err(ProgramFault::Relative("bin/guard".to_owned()))
        );
        let plain = dir.path().join("plain").display().to_string();
        assert_eq!(find(&plain, &[]), Err(ProgramFault::NotExecutable(plain.clone())));
        assert_eq!(find("", &["good"]), Err(ProgramFault::Empty));
    }
}
