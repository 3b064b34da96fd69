//! The man pages come from the command line itself.

use crate::support::repository;
use std::collections::BTreeMap;

#[test]
fn the_man_pages_are_what_the_command_line_says() {
    let made = tempfile::tempdir().unwrap();
    clap_mangen::generate_to(toolctl::cli::command().disable_help_subcommand(true), made.path()).unwrap();
    let pages = |dir: &std::path::Path| -> BTreeMap<String, String> {
        let Ok(entries) = std::fs::read_dir(dir) else {
            return BTreeMap::new();
        };
        let each = entries.map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        });
        each.collect()
    };
    let (new, committed) = (pages(made.path()), repository("docs/man"));
    if std::env::var_os("TOOLCTL_BLESS").is_some() {
        let _ = std::fs::remove_dir_all(&committed);
        std::fs::create_dir_all(&committed).unwrap();
        for (name, text) in &new {
            std::fs::write(committed.join(name), text).unwrap();
        }
    }
    assert!(new.len() > 15, "{:?}", new.keys());
    assert!(
        pages(&committed) == new,
        "docs/man is out of date: run `TOOLCTL_BLESS=1 cargo test --test cli man`"
    );
}

/// Every command says what it is for, and how it is typed.
#[test]
fn every_command_has_examples_that_fit() {
    fn walk(command: &clap::Command, path: &str, wrong: &mut Vec<String>) {
        for sub in command.get_subcommands().filter(|c| c.get_name() != "help") {
            let path = format!("{path} {}", sub.get_name());
            let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
            if about.is_empty() || about.contains("Arguments of") || about.contains("who calls") {
                wrong.push(format!("{path} says of itself: {about}"));
            }
            let examples = sub.get_after_help().map(ToString::to_string).unwrap_or_default();
            if !examples.contains(&format!("{path} ").trim_end().to_owned()) {
                wrong.push(format!("{path} has no example"));
            }
            for line in examples.lines().filter(|l| l.chars().count() > 80) {
                wrong.push(format!("{path}: {line}"));
            }
            for help in [sub.clone().render_help(), sub.clone().render_long_help()] {
                for line in help.to_string().lines().filter(|l| l.chars().count() > 80) {
                    wrong.push(format!("{path}: {line}"));
                }
            }
            walk(sub, &path, wrong);
        }
    }
    let mut wrong = Vec::new();
    let mut whole = toolctl::cli::command();
    whole.build();
    walk(&whole, "toolctl", &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
