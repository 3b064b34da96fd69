//! What a person sees at a terminal: its width, its pager, its colours, and what is said on the way.

use crate::support::Test;
use std::process::Command;

/// A screen of so many rows and columns, and what the program shows there. `before` are assignments of a shell.
fn shown(size: (usize, usize), before: &str, args: &str, config: &str) -> String {
    let test = Test::new(&[]);
    std::fs::write(test.path("config.yaml"), config).unwrap();
    let (rows, columns) = size;
    let line = format!(
        "stty rows {rows} cols {columns}; {before} '{}' --isolated --state-dir '{}' --config '{}' {args}",
        env!("CARGO_BIN_EXE_toolctl"),
        test.path("state").display(),
        test.path("config.yaml").display()
    );
    // The program of util-linux gives it a terminal.
    let ran = Command::new("/usr/bin/script")
        .args(["-qefc", &line, "/dev/null"])
        .env_clear()
        .envs([("PATH", "/usr/bin:/bin"), ("TERM", "xterm"), ("LANG", "C.UTF-8")])
        .current_dir(test.work())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(ran.status.success(), "{line}: {ran:?}");
    String::from_utf8(ran.stdout).unwrap().replace('\r', "")
}

const PAGER: &str = "PAGER='sh -c \"echo PAGED; cat\"'";

#[test]
fn long_output_for_a_person_goes_through_the_pager_that_was_chosen() {
    let paged = |before: &str, args: &str| shown((10, 80), before, args, "").starts_with("PAGED\n");
    assert!(paged(PAGER, "list"));
    assert!(paged(PAGER, "config show"));
    assert!(paged(&format!("PAGER=false TOOLCTL_{PAGER}"), "list"));
    for (before, args) in [
        // What is for programs.
        (PAGER, "list -o json"),
        (PAGER, "list -o jsonl"),
        (PAGER, "list -o name"),
        (PAGER, "config show -o yaml"),
        // What fits the screen.
        (PAGER, "explain read -q"),
        (PAGER, "list --callable"),
        // What nobody reads at leisure.
        (PAGER, "check --command ls || true"),
        // No pager is wanted.
        (&format!("{PAGER} TOOLCTL_PAGER="), "list"),
        (&format!("{PAGER} TERM=dumb"), "list"),
        ("PAGER=cat", "list"),
        // It cannot be had.
        ("PAGER=/no/such/pager", "list"),
    ] {
        let rows = if args.starts_with("explain") || args.contains("callable") {
            40
        } else {
            12
        };
        let seen = shown((rows, 80), before, args, "");
        assert!(
            !seen.contains("PAGED") && seen.lines().count() >= 2,
            "{before} {args}: {seen}"
        );
    }
}

#[test]
fn colours_are_for_those_who_want_them() {
    let coloured = |before: &str, args: &str| shown((100, 80), before, args, "").contains("\u{1b}[");
    assert!(coloured("", "list"));
    assert!(!coloured("NO_COLOR=1", "list"));
    assert!(!coloured("", "list --color never"));
    assert!(coloured("NO_COLOR=1", "list --color always"));
    assert!(!coloured("", "list -o json"));
}

const ODD: &str = "tools:
  deny: [canvas, 'web_*']
plugins:
  odd:
    tools:
      - {name: 漢字漢字漢字, description: \"漢字の説明がここに続きます、とても長い説明ですから切られます。漢字の説明がここに続きます\", command: ['true']}
      - {name: turned, description: \"a\\u202Eb\\u001B[31mc\", command: ['true']}
";

#[test]
fn tables_fit_the_screen_and_keep_their_places() {
    use unicode_width::UnicodeWidthStr as _;
    for columns in [80, 100, 120] {
        for args in ["list --color never -q", "list --removed --color never -q"] {
            let seen = shown((200, columns), "", args, ODD);
            for line in seen.lines() {
                assert!(line.width() <= columns, "{args} at {columns}: {line}");
            }
            assert!(seen.contains("a⟨U+202E⟩b⟨U+001B⟩[31mc"), "{seen}");
        }
        let seen = shown((200, columns), "", "list --removed --color never -q", ODD);
        assert!(seen.contains("config.yaml:2:10"), "{columns}: {seen}");
    }
    let wide = shown((200, 80), "", "list --wide --color never -q", ODD);
    assert!(wide.contains("漢字の説明がここに続きます\n"), "{wide}");
}

#[test]
fn what_declarations_cost_is_added_up() {
    let ran = Test::new(&["list", "--tokens", "--callable"]).run().exits(0);
    let numbers: Vec<u64> = ran
        .stdout
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().find_map(|word| word.parse().ok()).unwrap())
        .collect();
    let (all, each) = numbers.split_last().unwrap();
    assert_eq!(*all, each.iter().sum::<u64>(), "{}", ran.stdout);
    assert!(
        each.len() >= 5 && each.iter().all(|tokens| *tokens > 20),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_is_done_is_said_with_its_time_where_somebody_asks() {
    let time = regex::Regex::new(r"^(info|debug): \d+\.\d ms: ").unwrap();
    let said = |args: &[&str], log: Option<&str>| {
        let mut test = Test::new(&[&["list", "-o", "name"], args].concat());
        if let Some(level) = log {
            test = test.env("TOOLCTL_LOG", level);
        }
        let ran = test.config("tools: {allow: [read]}\n").run().exits(0);
        assert_eq!(ran.stdout, "read\n", "{}", ran.stderr);
        assert!(ran.stderr.lines().all(|line| time.is_match(line)), "{}", ran.stderr);
        let count = |word: &str| ran.stderr.lines().filter(|line| line.starts_with(word)).count();
        (count("info"), count("debug"))
    };
    assert_eq!(said(&[], None), (0, 0));
    assert_eq!(said(&[], Some("warn")), (0, 0));
    let (info, none) = said(&["-v"], None);
    assert!(info >= 1 && none == 0);
    let (as_much, debug) = said(&["-vv"], None);
    assert!(as_much == info && debug >= 1);
    assert_eq!(said(&[], Some("info")), (info, 0));
    assert_eq!(said(&[], Some("debug")), (info, debug));
    // The command line says more than the environment.
    assert_eq!(said(&["-q"], Some("debug")), (0, 0));
    let ran = Test::new(&[
        "exec",
        "-v",
        "--set",
        "tools.exec.commands.allow=[echo]",
        "--",
        "echo",
        "x",
    ]);
    let ran = ran.run().exits(0);
    assert_eq!(ran.stdout, "x\n");
    assert!(ran.stderr.contains(" exec: completed (ok) in "), "{}", ran.stderr);
}
