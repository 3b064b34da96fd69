//! The names of the files that a patch changes, as git and patch read them: quoted as in C, and cut at any number of slashes.

/// Most names that are looked at.
const MOST: usize = 20_000;

/// Every name that a line of a patch may mean; none where the patch is packed, so that nobody sees its lines, where what a
/// file's header says is not understood, or where there are too many.
pub(crate) fn names(patch: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut in_header = false;
    let mut lines = patch.lines().peekable();
    while let Some(line) = lines.next() {
        if of_mail(line) {
            let mut header = line.to_owned();
            while let Some(more) = lines.next_if(|line| line.starts_with([' ', '\t'])) {
                header.push_str(more);
            }
            if is_packed(&header) {
                return None;
            }
            continue;
        }
        if line.starts_with("diff --git ") {
            in_header = true;
        } else if line.is_empty() || AFTER_HEADER.iter().any(|mark| line.starts_with(mark)) {
            in_header = false;
        }
        if in_header && !line.starts_with("diff --git ") && names_something(line) && !is_named(line) {
            return None;
        }
        // `patch` takes a patch that is indented, too.
        let line = line.trim_start_matches([' ', '\t', 'X']);
        for name in of_line(line.strip_prefix("- ").unwrap_or(line)) {
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

/// What ends a file's header.
const AFTER_HEADER: &[&str] = &["--- ", "@@ ", "GIT binary patch", "Binary files ", "From ", "-- "];

/// Lines of a file's header that name no file.
const NAMELESS: &[&str] = &[
    "old mode ",
    "new mode ",
    "deleted file mode ",
    "new file mode ",
    "similarity index ",
    "dissimilarity index ",
    "index ",
];

/// What stands before a name, at the beginning of a line.
const MARKS: &[&str] = &[
    "+++ ",
    "--- ",
    "*** ",
    "Index: ",
    "rename to ",
    "rename from ",
    "rename old ",
    "rename new ",
    "copy to ",
    "copy from ",
];

/// Whether a line of a file's header says anything that is not known to name no file.
fn names_something(line: &str) -> bool {
    let digits = |rest: &str| {
        !rest.is_empty()
            && rest
                .bytes()
                .all(|byte| byte.is_ascii_hexdigit() || b". %".contains(&byte))
    };
    let nameless = NAMELESS
        .iter()
        .any(|mark| line.strip_prefix(mark).is_some_and(|rest| digits(rest.trim_end())));
    !nameless
}

fn is_named(line: &str) -> bool {
    MARKS.iter().any(|mark| line.starts_with(mark))
}

/// Whether a line of a mail says how what follows is written.
fn of_mail(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    line.starts_with("content-transfer-encoding") || line.starts_with("content-type")
}

/// Whether a header of a mail, in one line, says that what follows is no plain text.
fn is_packed(header: &str) -> bool {
    let header = header.to_ascii_lowercase();
    if let Some(how) = header.strip_prefix("content-transfer-encoding") {
        let how = how.trim_start().strip_prefix(':').map(str::trim);
        return !how.is_some_and(|how| matches!(how, "7bit" | "8bit" | "binary"));
    }
    let mut sets = header.split("charset").skip(1);
    sets.any(|set| {
        let set = set.trim_start_matches([' ', '\t', '=', '"', '\'']);
        let set = set.split([';', '"', '\'', ' ', '\t']).next().unwrap_or("");
        !matches!(
            set,
            "utf-8" | "utf8" | "us-ascii" | "ascii" | "iso-8859-1" | "iso-8859-15"
        )
    })
}

fn of_line(line: &str) -> Vec<String> {
    if let Some(both) = line.strip_prefix("diff --git ") {
        return of_both(both);
    }
    let Some(name) = MARKS.iter().find_map(|mark| line.strip_prefix(mark)) else {
        return Vec::new();
    };
    let name = name.trim_start_matches([' ', '\t']);
    let mut names = Vec::new();
    if let Some((name, _)) = quoted(name) {
        names.push(name);
    }
    // A date may stand behind it, after a tab or a blank: the name ends where git thinks that one begins.
    let ends = name.match_indices([' ', '\t']).map(|(at, _)| at);
    names.extend(ends.filter_map(|at| name.get(..at)).map(str::to_owned));
    names.push(name.trim_end().to_owned());
    names.dedup();
    names.retain(|name| name != "/dev/null");
    names
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
        for (patch, wanted) in [
            ("rename old x\nrename new .envrc", ".envrc"),
            ("+++ .envrc 2020-01-01 00:00:00.000000000 +0000", ".envrc"),
            ("+++ b/my file 2020-01-01 00:00:00 +0000", "my file"),
            ("  +++ .envrc", ".envrc"),
            ("- +++ .envrc x", ".envrc"),
            ("+++ .envrc  ", ".envrc"),
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
        for packed in [
            "Content-Transfer-Encoding: 7bit\n base64\n",
            "Content-Transfer-Encoding:\n\tbase64\n",
            "Content-Transfer-Encoding : base64\n",
            "Content-Type: text/plain; charset=utf-7\n",
            "Content-Type: text/plain;\n charset=\"UTF-16\"\n",
            "diff --git a/x b/x\nrename newer .envrc\n",
            "diff --git a/x b/x\nindex 1..2 .envrc\n",
        ] {
            assert_eq!(names(packed), None, "{packed}");
        }
        for plain in [
            "Content-Transfer-Encoding: 8bit\n",
            "Content-Type: text/plain; charset=UTF-8\n",
            "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
            "diff --git a/x b/y\nsimilarity index 96%\nrename from x\nrename to y\nindex 12ab..34cd 100644\n--- a/x\n+++ b/y\n",
            "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\ndiff --git a/z b/z\ndeleted file mode 100644\n-- \n2.40\n",
        ] {
            assert!(names(plain).is_some(), "{plain}");
        }
        assert_eq!(names(&"+++ a/b/c/d/e/f/g\n".repeat(MOST)), None);
    }
}
