use super::super::{Piece, Shape, Span, Unknown};
use super::*;

fn args(line: &str) -> Vec<Arg> {
    shell_words::split(line).unwrap().into_iter().map(Arg::exact).collect()
}

/// Examples that do not hold.
fn wrong(accepts: &[&str], refuses: &[&str]) -> Vec<String> {
    let hit = |line: &&str| inspect(&args(line), Stdin::Nothing);
    let broken = accepts
        .iter()
        .filter_map(|line| Some(format!("{line}: {}", hit(line)?.describe())));
    let passed = refuses
        .iter()
        .filter(|line| hit(line).is_none())
        .map(|line| format!("{line}: no hit"));
    broken.chain(passed).collect()
}

#[test]
fn every_row_holds_its_examples() {
    let mut all = Vec::new();
    for row in rows() {
        assert!(!row.refuses.is_empty() && !row.accepts.is_empty(), "{:?}", row.names);
        all.extend(wrong(row.accepts, row.refuses));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn a_wrong_example_is_noticed() {
    for row in rows() {
        let all = row.accepts.len() + row.refuses.len();
        assert_eq!(wrong(row.refuses, row.accepts).len(), all, "{:?}", row.names);
    }
}

#[test]
fn every_option_of_a_row_is_read_in_one_way() {
    for row in rows() {
        let mut seen = std::collections::BTreeMap::new();
        for spec in row.spec.split_ascii_whitespace().map(OptionSpec::parse) {
            for name in spec.names() {
                let meaning = (spec.arity, spec.effect);
                if let Some(before) = seen.insert(name, meaning) {
                    assert_eq!(before, meaning, "`{name}` of {:?}", row.names);
                }
            }
        }
    }
}

#[test]
fn what_takes_commands_from_its_input_is_a_hit_with_one() {
    for line in [
        "sqlite3 x.db",
        "psql x",
        "mysql x",
        "ed f",
        "vim -es f",
        "gdb x",
        "sftp h",
        "ftp h",
        "irb",
        "crontab",
        "tclsh",
        "redis-cli",
    ] {
        assert!(inspect(&args(line), Stdin::Data).is_some(), "{line}");
    }
}

#[test]
fn a_letter_that_is_not_known_hides_none_that_is() {
    for line in [
        "make -mf x.mk",
        "curl -Zo f http://x",
        "tar -cf o -?I x y",
        "sort -Zo f g",
        "ssh -Zo ProxyCommand=x h",
    ] {
        assert!(inspect(&args(line), Stdin::Nothing).is_some(), "{line}");
    }
}

#[test]
fn every_name_belongs_to_one_row() {
    let mut seen = std::collections::BTreeSet::new();
    for name in rows().flat_map(|r| r.names) {
        assert!(seen.insert(*name), "{name} twice");
    }
}

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
    for name in [
        "python3.11",
        "bash",
        "busybox",
        "env",
        "perl5",
        "awk",
        "xargs",
        "find",
        "node18",
        "make",
        "ld-linux-x86-64.so.2",
        "sudo",
    ] {
        assert!(is_interpreter_like(name), "{name}");
    }
    for name in ["git", "cargo", "rg", "touch", "ls", "mytool", "jq"] {
        assert!(!is_interpreter_like(name), "{name}");
    }
}

#[test]
fn a_program_on_standard_input_is_a_hit_for_languages_only() {
    for line in [
        "python3",
        "python3 -u",
        "node",
        "perl",
        "ruby",
        "php",
        "lua",
        "tclsh",
        "deno",
    ] {
        assert!(inspect(&args(line), Stdin::Data).is_some(), "{line}");
        assert!(inspect(&args(line), Stdin::Nothing).is_none(), "{line}");
    }
    for line in [
        "python3 x.py",
        "cat",
        "git commit -F -",
        "jq .a",
        "awk '{print $1}'",
        "sed s/a/b/",
        "python3 --version",
    ] {
        assert!(inspect(&args(line), Stdin::Data).is_none(), "{line}");
    }
}

#[test]
fn an_unknown_first_argument_of_a_language_is_a_hit() {
    let unknown = Arg {
        shape: Shape::Dynamic {
            pieces: vec![Piece::Unknown(Unknown::Variable("x".into()))],
            many: false,
        },
        span: Span::default(),
    };
    for name in ["python3", "node", "make", "tar xf x", "awk", "sed"] {
        let mut list = args(name);
        list.push(unknown.clone());
        assert!(inspect(&list, Stdin::Nothing).is_some(), "{name}");
    }
    // Some of their options run or write something, and the argument may be one of them.
    for line in ["rg -n TODO", "sort -r", "curl -s"] {
        let mut list = args(line);
        list.push(unknown.clone());
        let hit = inspect(&list, Stdin::Nothing).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(hit.why, Why::Unclear, "{line}");
        list.insert(list.len() - 1, Arg::exact("--"));
        assert_eq!(inspect(&list, Stdin::Nothing), None, "{line} --");
    }
    for line in ["cargo test", "cat", "npm test"] {
        let mut list = args(line);
        list.push(unknown.clone());
        assert_eq!(inspect(&list, Stdin::Nothing), None, "{line}");
    }
}
