//! A first configuration: a file that works as it is written, made for the project that it is written in, and says in
//! comments what each part means.

mod kinds;

use kinds::{CHECKS, KINDS, MANAGERS, READERS};
use serde_json::Value;

/// What the agent is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// Work on the project: read and edit inside it, run its checks, ask for the rest.
    Coding,
    /// The same where nobody is there to be asked.
    Ci,
    /// Read files, nothing else.
    Readonly,
    /// Talk: no files, no commands.
    Chat,
}

/// A first configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starter {
    /// The text of the file.
    pub text: String,
    /// What it allows, in a few lines.
    pub says: Vec<String>,
}

/// Makes a first configuration. `look` gives the text of a file of the project (of a directory an empty one), or nothing.
pub fn starter(template: Template, look: &dyn Fn(&str) -> Option<String>) -> Starter {
    match template {
        Template::Coding => working(look, true),
        Template::Ci => working(look, false),
        Template::Readonly => Starter {
            text: format!("{HEAD}\n{READONLY}"),
            says: vec![
                "reads files of the workspace, and lists nothing else".to_owned(),
                "changes nothing, runs nothing, asks nobody".to_owned(),
            ],
        },
        Template::Chat => Starter {
            text: format!("{HEAD}\n{CHAT}"),
            says: vec![
                "the tools of a conversation: messages and sessions, bound with `bindings` or `plugins`".to_owned(),
                "no files, no commands".to_owned(),
            ],
        },
    }
}

/// The commands that check a project, and what it is.
fn checks(look: &dyn Fn(&str) -> Option<String>) -> (Vec<&'static str>, Vec<String>) {
    let mut names: Vec<&'static str> = Vec::new();
    let mut commands: Vec<String> = Vec::new();
    for kind in KINDS.iter().filter(|k| look(k.marker).is_some()) {
        if !names.contains(&kind.name) {
            names.push(kind.name);
        }
        commands.extend(kind.commands.iter().map(|c| (*c).to_owned()));
    }
    if let Some(package) = look("package.json") {
        names.push("Node");
        let manager = MANAGERS.iter().find(|(file, _)| look(file).is_some());
        let manager = manager.map_or("npm", |(_, name)| *name);
        let package: Value = serde_json::from_str(&package).unwrap_or_default();
        let scripts = package.get("scripts");
        let is_script = |name: &str| scripts.and_then(|s| s.get(name)).is_some_and(Value::is_string);
        for script in CHECKS.iter().filter(|name| is_script(name)) {
            commands.push(match *script {
                "test" => format!("{manager} test *"),
                name => format!("{manager} run {name}"),
            });
        }
    }
    if let Some(makefile) = look("Makefile") {
        names.push("make");
        let is_target = |name: &str| {
            makefile
                .lines()
                .any(|l| l.split(':').next() == Some(name) && l.contains(':'))
        };
        commands.extend(CHECKS.iter().filter(|n| is_target(n)).map(|n| format!("make {n}")));
    }
    let mut once: Vec<String> = Vec::new();
    for command in commands {
        if !once.contains(&command) {
            once.push(command);
        }
    }
    (names, once)
}

fn working(look: &dyn Fn(&str) -> Option<String>, person: bool) -> Starter {
    let (names, commands) = checks(look);
    let mut text = format!("{HEAD}\n{TOOLS}");
    text.push_str(if person { ASK } else { NO_ASK });
    text.push_str(COMMANDS);
    for reader in READERS {
        text.push_str(&format!("        - {reader}\n"));
    }
    if commands.is_empty() {
        text.push_str("        # The checks of your project go here, for instance:  - make test\n");
    } else {
        text.push_str(&format!(
            "        # The checks of this project ({}).\n",
            names.join(", ")
        ));
        for command in &commands {
            text.push_str(&format!("        - {command}\n"));
        }
    }
    text.push_str(if person { REFUSED } else { REFUSED_CI });
    if look("Dockerfile").is_some() {
        text.push_str("        # Containers reach the whole machine.\n        - docker run --privileged *\n");
    }
    let listed = if commands.is_empty() {
        "no checks of a project were found; add them with `toolctl allow 'make test'`".to_owned()
    } else {
        format!(
            "checks ({}): {}",
            names.join(", "),
            bare(commands.iter().map(String::as_str))
        )
    };
    let rest = if person {
        "anything else: asks you (`toolctl allow 'git push *'` allows more)"
    } else {
        "anything else: refused, since nobody is there to ask"
    };
    Starter {
        text,
        says: vec![
            "files: read and edit, inside the workspace".to_owned(),
            format!("look: {}", bare(READERS.iter().copied())),
            listed,
            "never: sudo, git push --force".to_owned(),
            rest.to_owned(),
        ],
    }
}

/// Commands without their rests; those of one program together.
fn bare<'c>(commands: impl Iterator<Item = &'c str>) -> String {
    let mut text = String::new();
    let mut before = "";
    for command in commands.map(|c| c.trim_end_matches(" *")) {
        match command.split_once(' ') {
            Some((program, rest)) if program == before => text.push_str(&format!("/{rest}")),
            found => {
                let comma = if text.is_empty() { "" } else { ", " };
                text.push_str(&format!("{comma}{command}"));
                before = found.map_or("", |(program, _)| program);
            }
        }
    }
    text
}

const HEAD: &str = "\
# What an AI agent may do here, as toolctl enforces it. Every key: `toolctl config show --all`.
# For an editor that completes and checks: toolctl config schema > .toolctl.schema.json
# yaml-language-server: $schema=.toolctl.schema.json
";

const TOOLS: &str = "\
tools:
  # Named sets of tools: minimal, coding, messaging, full. `coding` reads, writes and edits files, and runs commands.
  profile: coding

  fs:
    # File tools stay in the workspace, whatever links and `..` say.
    workspaceOnly: true

  exec:
    # allowlist: what is allowed below runs, the rest is a question.
    security: allowlist
";

const ASK: &str = "    # on-miss: a person is asked about the rest. off: it is refused.\n    ask: on-miss\n";
const NO_ASK: &str =
    "    # off: nobody is there to be asked, so the rest is refused. on-miss asks a person.\n    ask: off\n";

const COMMANDS: &str = "
    # A command is a program, its first arguments and, with a last ` *`, any rest that does no more than the command says:
    # what would run other programs, delete files or write elsewhere is a question all the same.
    commands:
      allow:
        # Looking. These read files outside the workspace too (not those that hold secrets, such as ~/.ssh).
";

const REFUSED: &str = "
      # A question even where something above allows it.
      ask:
        - git push *

      # Never, whoever asks.
      deny:
        - sudo *
        - git push --force *
";

const REFUSED_CI: &str = "
      # Never.
      deny:
        - sudo *
        - git push *
";

const READONLY: &str = "\
tools:
  # Only these tools. `exec` is not among them: a command can write.
  allow: [read]

  fs:
    # File tools stay in the workspace, whatever links and `..` say.
    workspaceOnly: true
";

const CHAT: &str = "\
tools:
  # The tools of a conversation. Nothing here runs them by itself: bind each to a program of yours with `bindings`, or bring
  # your own with `plugins` (`toolctl list` says which tools can run).
  profile: messaging

  # No files and no commands, whatever later files say.
  deny: [group:fs, group:runtime]
";

#[cfg(test)]
mod tests {
    use super::*;

    fn project(files: &'static [(&'static str, &'static str)]) -> impl Fn(&str) -> Option<String> {
        |name| {
            files
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, text)| (*text).to_owned())
        }
    }

    #[test]
    fn the_checks_of_a_project_are_found() {
        let look = project(&[
            ("Cargo.toml", ""),
            (
                "package.json",
                r#"{"scripts": {"test": "x", "lint": "y", "deploy": "z", "build": 3}}"#,
            ),
            ("pnpm-lock.yaml", ""),
            ("Makefile", "VAR := 1\ntest: a\n\tgo\ndeploy:\n"),
        ]);
        let (names, commands) = checks(&look);
        assert_eq!(names, ["Rust", "Node", "make"]);
        let expected = ["pnpm test *", "pnpm run lint", "make test"];
        assert_eq!(commands[5..], expected);
        let made = starter(Template::Coding, &look);
        assert!(made.text.contains("        - cargo test *\n"));
        assert_eq!(made.says.len(), 5);
        let look = "look: ls, cat, head, tail, wc, grep, rg, find, git status/diff/log/show/blame";
        assert_eq!(made.says[1], look);
        // With the two blanks before it, it fits 80 columns.
        assert!(look.len() <= 78);
    }

    #[test]
    fn what_is_no_package_file_is_no_reason_to_stop() {
        let look = project(&[("package.json", "{"), ("Makefile", "")]);
        assert_eq!(checks(&look).1, Vec::<String>::new());
    }
}
