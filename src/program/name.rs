//! Names of programs.

/// A program name without its version, architecture prefix and Windows suffix: `python3.11` → `python`, `awk` → `awk`.
pub fn base_name(name: &str) -> &str {
    // Most names carry neither.
    if !name.contains(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_' | '+')) {
        return name;
    }
    let name = name
        .strip_suffix(".exe")
        .or_else(|| name.strip_suffix(".cmd"))
        .or_else(|| name.strip_suffix(".bat"))
        .unwrap_or(name);
    let cut = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_' | '+'));
    // `python3.11-dbg`, `python3.12t`, `ruby3.1-static`
    let tail = cut.rfind(|c: char| c.is_ascii_digit()).map_or(cut, |at| {
        let head = cut.get(..at).unwrap_or(cut);
        head.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_'))
    });
    if tail.is_empty() { name } else { tail }
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_do_not_hide_a_name() {
        for (name, base) in [
            ("python3.11", "python"),
            ("python3", "python"),
            ("python3.12t", "python"),
            ("python3.11-dbg", "python"),
            ("node20", "node"),
            ("perl5.36.0", "perl"),
            ("lua5.4", "lua"),
            ("ruby3.1", "ruby"),
            ("clang-15", "clang"),
            ("awk", "awk"),
            ("bash5", "bash"),
            ("python.exe", "python"),
            ("7z", "7z"),
            ("mytool", "mytool"),
            ("x86_64", "x"),
        ] {
            assert_eq!(base_name(name), base, "{name}");
        }
    }
}
