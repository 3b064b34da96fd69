//! `source FILE`, where the file can be read: its content takes the place of the command.
//!
//! What is put in is what runs, so that it does not matter what becomes of the file afterwards. It must be what the shell
//! would have read: nothing before it may write, and the directory must be known. So only assignments and a few builtins may
//! stand before it; everything else is left as it is, and not followed.

use super::function::literal;
use super::{MAX_LENGTH, Parser};
use crate::shell::Files;
use crate::shell::tree::{
    Action, Assign, AssignValue, Command, Compound, CompoundKind, Expansion, Join, List, Operation, Part, Pipeline,
    Redirect, Simple, Sourced, TestToken, Timed, Word,
};

/// How deep files that run files are followed.
const MAX_FILES_DEEP: usize = 4;

/// Builtins that write no file and start nothing.
const QUIET: &[&str] = &[
    ":", "[", "cd", "echo", "exit", "export", "false", "pwd", "readonly", "set", "test", "true", "unset",
];

/// Variables that say where `cd` and `source` lead.
const LEADING: &[&str] = &["CDPATH", "HOME", "OLDPWD", "PATH", "POSIXLY_CORRECT", "PWD"];

/// Puts the content of files in.
pub(super) fn put_in(parser: &mut Parser<'_>, files: &dyn Files, body: &mut List) {
    let mut reading = Reading {
        parser,
        files,
        dir: Some(String::new()),
        moves: 0,
        quiet: true,
        left: MAX_LENGTH,
        depth: 0,
    };
    reading.list(body);
}

struct Reading<'r, 't> {
    parser: &'r mut Parser<'t>,
    files: &'r dyn Files,
    /// The working directory, counted from that in which the text starts; none where it is not known.
    dir: Option<String>,
    /// How often the directory was changed.
    moves: usize,
    /// Whether nothing that may write a file stands before.
    quiet: bool,
    /// Bytes that may still be read.
    left: usize,
    depth: usize,
}

impl Reading<'_, '_> {
    fn list(&mut self, list: &mut List) {
        for item in &mut list.items {
            if item.background {
                self.quiet = false;
            }
            if !self.quiet {
                return;
            }
            self.pipeline(&mut item.chain.first);
            // Where this one did not get to its directory, no file could be read by that path.
            let settled = self.dir.clone();
            let moves = self.moves;
            for (join, pipeline) in &mut item.chain.rest {
                if *join == Join::Or {
                    self.dir = None;
                }
                self.pipeline(pipeline);
            }
            self.dir = settled.filter(|_| self.moves == moves);
        }
    }

    fn pipeline(&mut self, pipeline: &mut Pipeline) {
        let ([stage], Timed::No, true) = (pipeline.stages.as_mut_slice(), pipeline.timed, self.quiet) else {
            self.quiet = false;
            return;
        };
        match &mut stage.command {
            Command::Simple(simple) => {
                if let Some(sourced) = self.simple(simple) {
                    stage.command = Command::Sourced(Box::new(sourced));
                }
            }
            Command::Compound(compound) => self.compound(compound),
            // It does nothing before it is called.
            Command::Function(_) => {}
            Command::Trap(_) | Command::Sourced(_) => self.quiet = false,
        }
    }

    fn compound(&mut self, compound: &mut Compound) {
        if !compound.redirects.is_empty() {
            self.quiet = false;
            return;
        }
        match &mut compound.kind {
            CompoundKind::Group(list) => self.list(list),
            CompoundKind::Subshell(list) => {
                let before = self.dir.clone();
                self.list(list);
                self.dir = before;
            }
            CompoundKind::If { branches, otherwise } => {
                let (before, moves) = (self.dir.clone(), self.moves);
                for (condition, body) in branches {
                    self.dir = before.clone().filter(|_| self.moves == moves);
                    self.list(condition);
                    self.list(body);
                }
                self.dir = before.clone().filter(|_| self.moves == moves);
                if let Some(body) = otherwise {
                    self.list(body);
                }
                self.dir = before.filter(|_| self.moves == moves);
            }
            CompoundKind::Test(tokens) => {
                self.quiet = tokens.iter().all(|token| match token {
                    TestToken::Operand(word) => is_quiet(word),
                    TestToken::Sign(_) | TestToken::Unary(_) | TestToken::Binary(_) => true,
                });
            }
            _ => self.quiet = false,
        }
    }

    /// The file that a command runs, with what it holds.
    fn simple(&mut self, simple: &Simple) -> Option<Sourced> {
        let name = simple.words.first().map(named);
        if matches!(name, Some(Some("source" | "."))) {
            let sourced = self.sourced(simple);
            self.quiet &= sourced.is_some();
            return sourced;
        }
        self.quiet = simple.lists.is_empty()
            && name.is_none_or(|name| name.is_some_and(|name| QUIET.contains(&name)))
            && simple.redirects.iter().all(opens_nothing)
            && simple.assignments.iter().all(assigns_quietly)
            && simple.words.iter().all(|word| is_quiet(word) && !leads(word));
        if name == Some(Some("cd")) {
            self.moves += 1;
            self.dir = match simple.words.as_slice() {
                [_, target] => literal(target)
                    .filter(|t| !t.starts_with('-'))
                    .and_then(|t| self.at(&t)),
                _ => None,
            };
        }
        None
    }

    fn sourced(&mut self, simple: &Simple) -> Option<Sourced> {
        let [_, file] = simple.words.as_slice() else {
            return None;
        };
        let as_written = simple.assignments.is_empty() && simple.redirects.is_empty() && simple.lists.is_empty();
        let name = literal(file).filter(|name| as_written && !name.starts_with('-'))?;
        let path = self.at(&name)?;
        if self.depth >= MAX_FILES_DEEP {
            return None;
        }
        let text = self.files.content(&path, !name.contains('/'))?;
        self.left = self.left.checked_sub(text.len())?;
        let mut body = self.parser.embedded(&text, simple.span).ok()?;
        if body.items.is_empty() {
            return None;
        }
        self.depth += 1;
        self.list(&mut body);
        self.depth -= 1;
        Some(Sourced {
            call: simple.clone(),
            body,
        })
    }

    /// Where a path leads from the working directory; none where that is not certain.
    fn at(&self, path: &str) -> Option<String> {
        if path.is_empty() || path.split('/').any(|part| part == "..") {
            return None;
        }
        if path.starts_with('/') {
            return Some(path.to_owned());
        }
        match self.dir.as_deref()? {
            "" => Some(path.to_owned()),
            dir => Some(format!("{dir}/{path}")),
        }
    }
}

/// A command word as it is written. The bracket of a test is no pattern there.
fn named(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Pattern('[')] => Some("["),
        _ => word.plain(),
    }
}

/// Whether a word runs nothing and sets nothing.
fn is_quiet(word: &Word) -> bool {
    word.parts.iter().all(|part| match part {
        Part::Plain(_) | Part::Quoted(_) | Part::Pattern(_) | Part::Tilde(_) => true,
        Part::Expansion { what, .. } => match &**what {
            Expansion::Parameter(parameter) if parameter.subscript.is_none() => match &parameter.action {
                Action::Value | Action::Length => true,
                Action::Default(sign, word) => !sign.contains('=') && is_quiet(word),
                _ => false,
            },
            _ => false,
        },
    })
}

/// Whether a word may set one of the variables that say where things lie.
fn leads(word: &Word) -> bool {
    let text = match word.parts.first() {
        Some(Part::Plain(text) | Part::Quoted(text)) => text.as_str(),
        _ => return false,
    };
    let name = text.split(['=', '+']).next().unwrap_or_default();
    LEADING.contains(&name)
}

fn assigns_quietly(assign: &Assign) -> bool {
    let quiet = matches!(&assign.value, AssignValue::Word(word) if is_quiet(word));
    quiet && assign.subscript.is_none() && !LEADING.contains(&assign.name.as_str())
}

fn opens_nothing(redirect: &Redirect) -> bool {
    match &redirect.operation {
        Operation::Duplicate(_) | Operation::Close => true,
        Operation::File(_, word) => word.plain() == Some("/dev/null"),
        Operation::Both { .. } | Operation::HereDoc(_) | Operation::HereString(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{Dialect, World, analyse, render};
    use std::collections::BTreeMap;

    struct Held(BTreeMap<&'static str, &'static str>);

    impl Files for Held {
        fn content(&self, path: &str, searched: bool) -> Option<String> {
            assert_eq!(searched, !path.contains('/') || path == "sub/bare", "{path}");
            self.0.get(path).map(|text| (*text).to_owned())
        }
    }

    fn run(text: &str) -> Result<String, String> {
        let files = Held(BTreeMap::from([
            ("./env", "# settings\nexport A=1\nB='x\ny'\n"),
            ("sub/./env", "C=2"),
            ("/w/env", "D=4"),
            ("bare", "E=5"),
            ("sub/bare", "F=6"),
            ("./moves", "cd sub"),
            ("./runs", "make all"),
            ("./ends", "[ -n \"$X\" ] || return 0\nG=1"),
            ("./defines", "f() { ls \"$1\"; return 1; }\nf a"),
            ("./asks", "H=${BASH_SOURCE[0]}"),
            ("./broken", "if true"),
            ("./empty", "# nothing\n"),
            ("./more", ". ./env"),
            ("./itself", "source ./itself"),
            ("./kept", "trap 'ls' EXIT"),
            ("./brace", "I=1; }; ls; {"),
        ]));
        let world = World {
            files: Some(&files),
            ..World::default()
        };
        analyse(text, Dialect::Bash, &world)
            .map(|analysis| render(&analysis.script, &|_| None))
            .map_err(|opaque| opaque.to_string())
    }

    #[test]
    fn what_a_file_holds_stands_in_its_place() {
        let env = "{ export A=1; B='x\ny'; }";
        for (text, want) in [
            ("source ./env && ls", format!("{env} && ls")),
            (". ./env; ls", format!("{env}; ls")),
            ("set -a; source ./env; set +a; ls", format!("set -a; {env}; set +a; ls")),
            ("[ -f ./env ] && . ./env", format!("[ -f ./env ] && {env}")),
            (
                "if [ -f ./env ]; then . ./env; fi",
                format!("if [ -f ./env ]; then {env}; fi"),
            ),
            ("( . ./env; ls )", format!("( {env}; ls )")),
            ("(cd sub && . ./env); ls", "( cd sub && { C=2; } ); ls".to_owned()),
            (". ./moves; . ./env", "{ cd sub; }; { C=2; }".to_owned()),
            ("source /w/env", "{ D=4; }".to_owned()),
            ("source bare", "{ E=5; }".to_owned()),
            ("cd sub && . bare", "cd sub && { F=6; }".to_owned()),
            (". ./more", format!("{{ {env}; }}")),
            (
                ". ./defines; f b",
                "{ f() { ls \"${1}\"; return 1; }; f a; }; f b".to_owned(),
            ),
        ] {
            assert_eq!(run(text), Ok(want), "{text}");
        }
    }

    #[test]
    fn what_is_not_certain_is_not_put_in() {
        for text in [
            "ls; source ./env",
            "ls && source ./env",
            "echo A=2 > ./env; source ./env",
            "x=$(make) ; . ./env",
            "for i in 1; do . ./env; done",
            "f() { . ./env; }; f",
            "f() { make; }; f; . ./env",
            "trap 'ls' EXIT; . ./env",
            ". ./env | cat",
            ". ./env & wait",
            ". ./env a b",
            ". ./env > out",
            "A=1 . ./env",
            "command . ./env",
            "builtin source ./env",
            ". ../env",
            ". ./absent",
            ". \"$X\"",
            ". -- ./env",
            "cd \"$X\"; . ./env",
            "cd; . ./env",
            "cd -; . ./env",
            "true && cd sub; . ./env",
            "cd sub || . ./env",
            "CDPATH=/x; cd sub; . ./env",
            "export PATH=/x; . bare",
            ". ./moves && true; make; . ./env",
            ". ./runs; . ./env",
            ". ./ends",
            ". ./asks",
            ". ./env; echo $LINENO",
            ". ./broken",
            ". ./empty",
            ". ./itself",
            ". ./kept",
            ". ./brace",
        ] {
            assert!(run(text).is_err(), "{text}: {:?}", run(text));
        }
        assert!(analyse(". ./env", Dialect::Bash, &World::default()).is_err());
    }
}
