//! Files of a directory that name the toolchain which a program becomes there.
//!
//! `cargo` and its kin are often small programs of rustup, which start the toolchain that `rust-toolchain.toml` names; by
//! `path` that may be a directory of the workspace, whatever the program's grant says.

use crate::gate::exec::world::World;
use crate::path::visible;
use std::path::{Path, PathBuf};

/// Largest file that is read, bytes.
const LIMIT: u64 = 64 * 1024;

/// The programs that obey such a file.
const PROGRAMS: &[&str] = &[
    "cargo",
    "cargo-clippy",
    "cargo-fmt",
    "cargo-miri",
    "clippy-driver",
    "rls",
    "rust-analyzer",
    "rust-gdb",
    "rust-gdbgui",
    "rust-lldb",
    "rustc",
    "rustdoc",
    "rustfmt",
    "rustup",
];

/// The names of such files.
pub const FILES: [&str; 2] = ["rust-toolchain.toml", "rust-toolchain"];

/// Why a call of a program needs a person: a file of a directory in which it may run, or of one above as far as the
/// workspace reaches, names a toolchain by its path. Where the directories are not known, one may.
pub(in crate::gate::exec) fn doubt(
    program: &str,
    cwds: Option<&[PathBuf]>,
    workspace: &Path,
    world: &dyn World,
) -> Option<String> {
    if !PROGRAMS.contains(&program) {
        return None;
    }
    let Some(cwds) = cwds else {
        return Some(format!(
            "`{program}` becomes the toolchain that a file of its directory names, and which that is, is not known before it runs"
        ));
    };
    let around = cwds.iter().flat_map(|cwd| cwd.ancestors());
    let inside = around.filter(|dir| dir.starts_with(workspace));
    inside
        .flat_map(|dir| FILES.map(|name| dir.join(name)))
        .find_map(|file| {
            world.facts(&file)?;
            let text = world.small_text(&file, LIMIT);
            text.is_none_or(|text| names_path(&text)).then(|| {
                let shown = file.strip_prefix(workspace).unwrap_or(&file).to_string_lossy();
                format!(
                    "`{program}` becomes the toolchain that `{}` names by its path; name one by its channel there",
                    visible(&shown, 120)
                )
            })
        })
}

/// Whether a text names a toolchain by its path, or may do so: channels, components and targets hold no such characters.
pub fn names_path(text: &str) -> bool {
    text.lines().any(|line| {
        // Where quotes are plain, what stands outside them behind a mark is a remark.
        let outside = |head: &&str| !head.contains(['\'', '\\']) && head.matches('"').count().is_multiple_of(2);
        let head = line.split_once('#').map(|(head, _)| head).filter(outside);
        let told = head.unwrap_or(line);
        told.contains(['/', '\\']) || told.contains("path")
    })
}

#[cfg(test)]
mod tests {
    use super::names_path;

    #[test]
    fn only_channels_are_plain() {
        for plain in [
            "stable\n",
            "[toolchain]\nchannel = \"1.88.0\"\ncomponents = [\"rustfmt\", \"clippy\"]\n",
            "[toolchain] # see a/path\nchannel = \"nightly-2026-01-01\"\ntargets = [\"wasm32-unknown-unknown\"]\nprofile = \"minimal\"\n",
        ] {
            assert!(!names_path(plain), "{plain}");
        }
        for text in [
            "[toolchain]\npath = \"tc\"\n",
            "toolchain.path = 'tc'\n",
            "toolchain = { \"path\" = \"tc\" }\n",
            "[toolchain]\n\"\\u0070ath\" = \"tc\"\n",
            "toolchain = { channel = \"#\", path = \"tc\" }\n",
            "toolchain = { channel = '\"', profile = \"#\", path = \"tc\" }\n",
            "/tmp/tc\n",
        ] {
            assert!(names_path(text), "{text}");
        }
    }
}
