//! The README is true: its transcript is what the binary prints, and its commands are the ones that are run.

use crate::support::{Test, repository};

/// Every `$ toolctl …` of the transcript with what the README shows below it.
fn transcript(readme: &str) -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
            continue;
        }
        if !inside {
            continue;
        }
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push((command.to_owned(), String::new()));
        } else if let Some((_, shown)) = steps.last_mut() {
            shown.push_str(line);
            shown.push('\n');
        }
    }
    steps
}

#[test]
fn the_transcript_is_what_happens() {
    let path = repository("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let steps = transcript(&readme);
    assert!(steps.len() >= 4, "the transcript has list, explain, check and exec");
    let mut truth = readme.clone();
    for (command, shown) in steps {
        let words = shell_words::split(&command).unwrap();
        assert_eq!(words[0], "toolctl", "{command}");
        let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let example = std::fs::read_to_string(repository("fixtures/config/example.yaml")).unwrap();
        let ran = Test::new(&args).file("fixtures/config/example.yaml", example).run();
        let printed = format!("{}{}", ran.stdout, ran.stderr);
        let printed = printed.trim_end();
        truth = truth.replace(
            &format!("$ {command}\n{}", shown.trim_end()),
            &format!("$ {command}\n{printed}"),
        );
    }
    if truth != readme && std::env::var_os("TOOLCTL_BLESS").is_some() {
        std::fs::write(&path, &truth).unwrap();
        return;
    }
    assert!(
        truth == readme,
        "the transcript is out of date; `TOOLCTL_BLESS=1 cargo test --test cli readme` writes:\n{truth}"
    );
}

#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let readme = std::fs::read_to_string(repository("README.md")).unwrap();
    let ci = std::fs::read_to_string(repository(".ci/run")).unwrap();
    let test_command = readme
        .lines()
        .find(|l| l.starts_with("cargo test"))
        .expect("the README names its test command");
    assert!(
        ci.lines().any(|l| l == test_command),
        "`.ci/run` does not run `{test_command}`"
    );
}
