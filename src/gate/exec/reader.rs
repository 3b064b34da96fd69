//! The shell that runs a text which needs one: exactly the one whose language the text was read in.

use crate::shell::Dialect;

/// How a shell is started for a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reader {
    /// Its name on PATH, and `$0` of the text.
    pub name: &'static str,
    /// Its arguments before the text. The last ends the options, so that a text may begin with a dash.
    pub flags: &'static [&'static str],
}

/// The reader of a dialect.
pub fn reader(dialect: Dialect) -> Reader {
    match dialect {
        Dialect::Bash => Reader {
            name: "bash",
            flags: &["--noprofile", "--norc", "-c", "--"],
        },
        Dialect::Posix => Reader {
            name: "sh",
            flags: &["-c", "--"],
        },
    }
}
