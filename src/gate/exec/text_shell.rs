//! The shell that runs a text which needs one: exactly the one whose language the text was read in.

use crate::shell::Dialect;

/// How a shell is started for a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextShell {
    /// Its name on PATH, and `$0` of the text.
    pub name: &'static str,
    /// Its arguments before the text. The last ends the options, so that a text may begin with a dash.
    pub flags: &'static [&'static str],
}

/// The shell of a dialect.
pub fn text_shell(dialect: Dialect) -> TextShell {
    match dialect {
        Dialect::Bash => TextShell {
            name: "bash",
            flags: &["--noprofile", "--norc", "-c", "--"],
        },
        Dialect::Posix => TextShell {
            name: "sh",
            flags: &["-c", "--"],
        },
    }
}
