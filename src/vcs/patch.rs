//! The names of the files that a patch changes, as git and patch read them: quoted as in C, and cut at any number of slashes.

/// Most names that are looked at.
const MOST: usize = 20_000;

/// Every name that a line of a patch may mean; none where the patch is packed, so that nobody sees its lines, or has too many.
pub(crate) fn names(patch: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for line in patch.lines() {
        if is_packed(line) {
            return None;
        }
        for name in of_line(line) {
            // How many parts of it are cut off is for options and settings to say.
            let parts: Vec<&str> = name.split('/').collect();
            let kept = (0..parts.len()).filter_map(|cut| parts.get(cut..));
            names.extend(kept.map(|rest| rest.join("/")).filter(|rest| !rest.is_empty()));
        }
        if names.len() > MOST {
            return None;
        }
    }
    names.sort_unstable();
    names.dedup();
    Some(names)
}

/// Whether a line of a mail says that what follows is no plain text.
fn is_packed(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let how = line.strip_prefix("content-transfer-encoding:").map(str::trim);
    how.is_some_and(|how| !matches!(how, "7bit" | "8bit" | "binary"))
}

fn of_line(line: &str) -> Vec<String> {
    if let Some(both) = line.strip_prefix("diff --git ") {
        return of_both(both);
    }
    let marks = [
        "+++ ",
        "--- ",
        "*** ",
        "Index: ",
        "rename to ",
        "rename from ",
        "copy to ",
        "copy from ",
    ];
    let Some(name) = marks.iter().find_map(|mark| line.strip_prefix(mark)) else {
        return Vec::new();
    };
    let name = match quoted(name) {
        Some((name, _)) => name,
        None => name.split('\t').next().unwrap_or("").trim_end().to_owned(),
    };
    if name == "/dev/null" { Vec::new() } else { vec![name] }
}

/// The two names of `diff --git`, between which nothing but a blank stands: where that is, only the names tell.
fn of_both(both: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = both;
    if let Some((name, behind)) = quoted(both) {
        names.push(name);
        rest = behind.trim_start();
        names.push(rest.to_owned());
    }
    names.extend(quoted(rest).map(|(name, _)| name));
    let blanks = rest.match_indices(' ').map(|(at, _)| at);
    for behind in blanks.filter_map(|at| rest.get(at + 1..)) {
        names.push(quoted(behind).map_or_else(|| behind.to_owned(), |(name, _)| name));
    }
    names
}

/// A name in quotes, its escapes resolved, and what stands behind it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let body = text.strip_prefix('"')?;
    let bytes = body.as_bytes();
    let mut name = Vec::new();
    let mut at = 0;
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        if byte == b'"' {
            let behind = body.get(at..)?;
            return Some((String::from_utf8_lossy(&name).into_owned(), behind));
        }
        if byte != b'\\' {
            name.push(byte);
            continue;
        }
        let escaped = *bytes.get(at)?;
        at += 1;
        name.push(match escaped {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            b'0'..=b'3' => {
                let digits = body.get(at - 1..at + 2)?;
                at += 2;
                u8::from_str_radix(digits, 8).ok()?
            }
            other => other,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_git_reads_them() {
        for (patch, wanted) in [
            ("+++ b/.envrc", ".envrc"),
            ("+++ \"b/\\056envrc\"", ".envrc"),
            ("+++ \"b/x\\t\\\"y\"\t2020", "x\t\"y"),
            ("copy to \"\\056npmrc\"", ".npmrc"),
            ("--- .envrc\t2020-01-01", ".envrc"),
            ("*** x/y/.envrc\t2020", ".envrc"),
            ("Index: .envrc", ".envrc"),
            ("+++ p/q/r/src/a.c", "src/a.c"),
            ("diff --git a/.npmrc b/.npmrc", ".npmrc"),
            ("diff --git a/x y b/x y", "x y"),
            ("diff --git \"a/\\056npmrc\" \"b/\\056npmrc\"", ".npmrc"),
            ("diff --git a/x \"b/\\056npmrc\"", ".npmrc"),
            ("diff --git \"a/\\303\\251\" b/.npmrc", ".npmrc"),
        ] {
            let names = names(patch).unwrap();
            assert!(names.iter().any(|name| name == wanted), "{patch}: {names:?}");
        }
        for patch in ["+++ /dev/null", "+x", "@@ -1 +1 @@", "+++"] {
            assert_eq!(names(patch), Some(Vec::new()), "{patch}");
        }
        // What no quotes close is a name as it stands.
        assert!(names("+++ \"b/x").unwrap().contains(&"x".to_owned()));
    }

    #[test]
    fn what_nobody_can_see_is_not_told() {
        assert_eq!(names("Content-Transfer-Encoding: base64\n\nKysrIGI="), None);
        assert_eq!(names("content-transfer-encoding:Quoted-Printable\n"), None);
        assert!(names("Content-Transfer-Encoding: 8bit\n").is_some());
        assert_eq!(names(&"+++ a/b/c/d/e/f/g\n".repeat(MOST)), None);
    }
}
