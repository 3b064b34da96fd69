//! The throw-away root: bash, this program under several names, and an empty directory to work in.

use super::stub;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

/// Set within the sandbox.
pub(crate) const INSIDE: &str = "TOOLCTL_DIFFERENTIAL_INSIDE";
/// The directory the lines run in.
pub(crate) const WORK: &str = "/home/u/w";

pub(crate) enum Outcome {
    Passed,
    Failed,
    Impossible(String),
}

/// Runs this program in a sandbox.
pub(crate) fn enter(lines: usize, seed: u64) -> Outcome {
    let root = tempfile::tempdir().unwrap();
    if let Err(why) = furnish(root.path()) {
        return Outcome::Impossible(why);
    }
    let privileged = nix::unistd::geteuid().is_root();
    let mut command = Command::new("prlimit");
    command.args(["--nproc=400", "--fsize=10000000", "--core=0", "unshare"]);
    if privileged {
        command.args(["-S", "65534", "-G", "65534"]);
    } else {
        command.arg("-r");
    }
    command
        .args([
            "-n",
            "-p",
            "-i",
            "-m",
            "-u",
            "--fork",
            "--kill-child",
            "--mount-proc=/proc",
            "-w",
            WORK,
            "-R",
        ])
        .arg(root.path());
    // A first start tells whether this machine lets us do so.
    let mut probe = clone(&command);
    let possible = probe.arg("/bin/bash").args(["-c", "exit 7"]).output();
    match possible {
        Ok(output) if output.status.code() == Some(7) => {}
        Ok(output) => return Outcome::Impossible(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => return Outcome::Impossible(error.to_string()),
    }
    let status = command
        .arg("/self")
        .env_clear()
        .env(INSIDE, "1")
        .env("TOOLCTL_DIFFERENTIAL", lines.to_string())
        .env("TOOLCTL_DIFFERENTIAL_SEED", seed.to_string())
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .status()
        .unwrap();
    if status.success() {
        Outcome::Passed
    } else {
        Outcome::Failed
    }
}

fn clone(command: &Command) -> Command {
    let mut copy = Command::new(command.get_program());
    copy.args(command.get_args());
    copy
}

/// A null device; a plain file where none can be made, which is near enough.
fn null(path: &Path) {
    use nix::sys::stat::{Mode, SFlag, makedev, mknod};
    let made = mknod(path, SFlag::S_IFCHR, Mode::from_bits_truncate(0o666), makedev(1, 3));
    if made.is_ok() && std::fs::write(path, "x").is_ok() {
        return;
    }
    let _ = std::fs::remove_file(path);
    std::fs::write(path, "").unwrap();
}

fn furnish(root: &Path) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    for dir in ["bin", "stubs", "dev", "proc", "log", "tmp", "home/u/w"] {
        std::fs::create_dir_all(root.join(dir)).unwrap();
        std::fs::set_permissions(root.join(dir), PermissionsExt::from_mode(0o777)).unwrap();
    }
    std::fs::set_permissions(root, PermissionsExt::from_mode(0o755)).unwrap();
    null(&root.join("dev/null"));
    std::fs::set_permissions(root.join("dev/null"), PermissionsExt::from_mode(0o666)).unwrap();
    symlink("/proc/self/fd", root.join("dev/fd")).unwrap();
    std::fs::copy("/bin/bash", root.join("bin/bash")).map_err(|e| format!("no bash: {e}"))?;
    std::fs::copy(&own, root.join("self")).unwrap();
    for name in stub::NAMES {
        symlink("/self", root.join("stubs").join(name)).unwrap();
    }
    for program in [Path::new("/bin/bash"), &own] {
        let output = Command::new("ldd")
            .arg(program)
            .output()
            .map_err(|e| format!("no ldd: {e}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        for library in text.split_whitespace().filter(|word| word.starts_with('/')) {
            let to = root.join(library.trim_start_matches('/'));
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(library, to).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}
