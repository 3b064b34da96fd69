//! What the model is told of containment.

use std::path::{Path, PathBuf};

/// Texts with which programs tell that the system refused something.
const REFUSALS: [&str; 4] = [
    "Read-only file system",
    "Permission denied",
    "Operation not permitted",
    "Device or resource busy",
];
/// The same where programs print names of errors.
const NAMES: [&str; 4] = ["EROFS", "EACCES", "EPERM", "EBUSY"];

/// What a run was refused by its walls, as far as it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedByWalls {
    /// The path that stands beside it.
    pub path: Option<PathBuf>,
}

/// Whether a run that has failed says that something was refused, and what: the path that stands beside it.
pub fn refused_by_walls(output: &str) -> Option<RefusedByWalls> {
    let told = |line: &&str| REFUSALS.iter().chain(&NAMES).any(|text| line.contains(text));
    let line = output.lines().rev().find(told)?;
    // What stands before the first colon is who says it.
    let said = line.split_once(": ").map_or(line, |(_, said)| said);
    let path = said
        .split([' ', '\'', '"', '`', ',', '(', ')', '\u{2018}', '\u{2019}'])
        .map(|word| word.trim_end_matches([':', '.', ';']))
        .rfind(|word| word.len() > 1 && word.starts_with('/'));
    Some(RefusedByWalls {
        path: path.map(PathBuf::from),
    })
}

/// The sentences for a run that was refused something.
pub fn told(path: Option<&Path>, writable: &[PathBuf], workspace: &Path) -> String {
    let mut places: Vec<String> = Vec::new();
    for place in [workspace, Path::new("/tmp")] {
        if writable.iter().any(|w| w == place) {
            places.push(place.display().to_string());
        }
    }
    let outside = path.is_some_and(|path| !writable.iter().any(|place| path.starts_with(place)));
    let what = match path {
        Some(path) if outside => format!(
            "`{}` was refused by containment, not by file permissions.",
            path.display()
        ),
        Some(path) => format!(
            "What was refused at `{}` may have been refused by containment.",
            path.display()
        ),
        None => "What was refused may have been refused by containment, not by file permissions.".to_owned(),
    };
    format!(
        "(This ran contained; it may write in {} only. {what} Do not retry, chmod or sudo; call again with `contained: false` \
         to ask a person.)",
        places.join(", ")
    )
}

/// The sentences for a run that left something behind, or brought something from its repository.
pub fn told_found(found: &[String], told: &[String]) -> String {
    let mut text = String::new();
    if !told.is_empty() {
        text.push_str(&format!(
            "\n\n(Other programs obey what this command brought: {}.)",
            told.join("; ")
        ));
    }
    if found.is_empty() {
        return text;
    }
    text + &format!(
        "\n\n(What this command left behind would have run outside containment: {}. Nothing more runs unasked in this session \
         until a person has seen it.)",
        found.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_recognised_by_the_words_of_the_system() {
        for (output, path) in [
            (
                "x\ntouch: cannot touch '/etc/x': Read-only file system\n",
                Some("/etc/x"),
            ),
            ("bash: /home/u/.bashrc: Permission denied", Some("/home/u/.bashrc")),
            (
                "npm error code EACCES\nnpm error path /usr/lib/node_modules EACCES",
                Some("/usr/lib/node_modules"),
            ),
            ("kill: (1) - Operation not permitted", None),
        ] {
            let path = path.map(PathBuf::from);
            assert_eq!(refused_by_walls(output), Some(RefusedByWalls { path }), "{output}");
        }
        assert_eq!(refused_by_walls("error: no such file"), None);
    }

    #[test]
    fn the_cause_is_claimed_only_where_it_is_known() {
        let writable = [PathBuf::from("/w"), PathBuf::from("/tmp")];
        let told = |path: Option<&str>| told(path.map(Path::new), &writable, Path::new("/w"));
        assert!(told(Some("/etc/x")).contains("`/etc/x` was refused by containment"));
        assert!(told(Some("/w/x")).contains("may have been"));
        assert!(told(None).contains("may have been") && told(None).contains("/w, /tmp only"));
    }
}
