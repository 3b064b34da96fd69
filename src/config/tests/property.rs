//! Properties: no input panics, restricting layers only take away, spelling does not matter.
//!
//! `TOOLCTL_PROPERTY_CASES` sets the number of mutated configurations (default 400).

use super::World;
use crate::config::{Config, view};
use crate::model::Strictest;
use proptest::prelude::*;
use proptest::test_runner::{Config as RunnerConfig, TestRunner};

const EXAMPLE: &str = include_str!("../../../fixtures/config/example.yaml");

fn cases() -> u32 {
    std::env::var("TOOLCTL_PROPERTY_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(400)
}

/// What a mutation puts into a text.
const PIECES: [&str; 44] = [
    "\t",
    "\n",
    "  ",
    ":",
    "- ",
    "? ",
    "[",
    "]",
    "{",
    "}",
    "&a ",
    "*a",
    "!t ",
    "!!str ",
    "<<: ",
    "| ",
    "> ",
    "'",
    "\"",
    "#",
    "%YAML 1.1\n",
    "---\n",
    "...\n",
    "~",
    "null",
    "true",
    "1e999",
    "-0",
    ",",
    "\u{0}",
    "\u{feff}",
    "\u{85}",
    "é",
    "${",
    "${X}",
    "}",
    "\\u",
    "\\ud800",
    "tools:",
    "agents:",
    "exec:",
    "deny:",
    "\r",
    "🙂",
];

#[derive(Debug, Clone)]
enum Mutation {
    Insert(usize, usize),
    Delete(usize, usize),
    Double(usize, usize),
    Move(usize, usize, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = 0..EXAMPLE.len();
    prop_oneof![
        (at.clone(), 0..PIECES.len()).prop_map(|(a, p)| Mutation::Insert(a, p)),
        (at.clone(), 1..60usize).prop_map(|(a, n)| Mutation::Delete(a, n)),
        (at.clone(), 1..200usize).prop_map(|(a, n)| Mutation::Double(a, n)),
        (at.clone(), 1..80usize, at).prop_map(|(a, n, to)| Mutation::Move(a, n, to)),
    ]
}

fn apply(mut text: Vec<u8>, mutation: &Mutation) -> Vec<u8> {
    let part = |text: &Vec<u8>, at: usize, n: usize| -> std::ops::Range<usize> {
        let at = at.min(text.len());
        at..(at + n).min(text.len())
    };
    match *mutation {
        Mutation::Insert(at, piece) => {
            let at = at.min(text.len());
            text.splice(at..at, PIECES[piece].bytes());
        }
        Mutation::Delete(at, n) => {
            let range = part(&text, at, n);
            text.drain(range);
        }
        Mutation::Double(at, n) => {
            let range = part(&text, at, n);
            let copy = text[range.clone()].to_vec();
            text.splice(range.end..range.end, copy);
        }
        Mutation::Move(at, n, to) => {
            let range = part(&text, at, n);
            let piece: Vec<u8> = text.drain(range).collect();
            let to = to.min(text.len());
            text.splice(to..to, piece);
        }
    }
    text
}

#[test]
fn mutated_configurations_never_panic() {
    let mut runner = TestRunner::new(RunnerConfig {
        cases: cases(),
        failure_persistence: None,
        ..RunnerConfig::default()
    });
    let (base, project) = (World::new().explicit(""), World::new().project(""));
    let files = (base.path("work/explicit0.yaml"), project.path("work/.toolctl.yaml"));
    let worlds = [(base, files.0), (project, files.1)];
    runner
        .run(&prop::collection::vec(mutation(), 1..5), |mutations| {
            let text = mutations.iter().fold(EXAMPLE.as_bytes().to_vec(), apply);
            // As a base layer and as a restricting one.
            for (world, file) in &worlds {
                std::fs::write(file, &text).unwrap();
                if let Err(errors) = world.load() {
                    prop_assert!(!errors.is_empty());
                    for error in &errors {
                        prop_assert!(!error.to_string().is_empty());
                    }
                }
            }
            Ok(())
        })
        .unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_set_is_answered(text in "\\PC{0,40}|(tools|agents)(\\.[a-zA-Z\"']{1,9}){0,4}=\\PC{0,20}") {
        let _ = World::new().set(&text).load();
    }

    /// A restricting layer leaves the base as it is and adds only to the list of restrictions.
    #[test]
    fn a_restricting_layer_never_changes_the_base(text in restriction()) {
        let base = "tools: {profile: coding, deny: [a], exec: {security: full, ask: off, safeBins: [cut]}}\nagents: {list: [{id: w}]}\n";
        let without = World::new().user(base).config();
        let with = World::new().user(base).project(&text).config();
        prop_assert_eq!(settled(&without), settled(&with));
        prop_assert_eq!(with.restricting.len(), 1);
        // The stricter of both is never looser than the base alone.
        let exec = &with.base.tools.exec;
        let limits = &with.restricting[0].tools.exec;
        let security = exec.security.as_ref().unwrap().value;
        let ask = exec.ask.as_ref().unwrap().value;
        prop_assert!(limits.security.as_ref().map_or(security, |s| security.strictest(s.value)) <= security);
        prop_assert!(limits.ask.as_ref().map_or(ask, |a| ask.strictest(a.value)) >= ask);
        prop_assert!(limits.rules.iter().all(|r| r.value.decision != crate::model::Verdict::Allow));
    }

    /// Refusals of lower layers survive whatever a later base layer says, unless it says null.
    #[test]
    fn refusals_only_grow(low in names(), high in names()) {
        let text = |list: &[String]| format!("tools: {{deny: [{}]}}\n", list.join(", "));
        let config = World::new().user(&text(&low)).explicit(text(&high)).config();
        let deny: Vec<String> = config.base.tools.policy.deny.unwrap().entries.into_iter().map(|e| e.value).collect();
        prop_assert_eq!(deny, [low, high].concat());
    }
}

/// What must not change under a restricting layer: everything typed, but for places.
fn settled(config: &Config) -> String {
    format!("{:?}", config.base)
        .split("file: \"")
        .map(|part| part.split_once('"').map_or(part, |(_, rest)| rest))
        .collect()
}

fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-z]{1,6}", 0..5)
}

/// A project file of some of the keys there are, widening ones among them.
fn restriction() -> impl Strategy<Value = String> {
    let exec = prop::sample::subsequence(
        vec![
            "security: deny",
            "ask: always",
            "askFallback: allowlist",
            "allowlist: []",
            "safeBins: [cut]",
            "host: gateway",
            "rules: [{program: '*', decision: allow}, {program: x, decision: deny}]",
            "strictInlineEval: false",
            "timeoutSec: 3",
            "pathPrepend: [/tmp]",
        ],
        0..8,
    );
    let tools = prop::sample::subsequence(
        vec![
            "profile: full",
            "allow: ['*']",
            "alsoAllow: [exec]",
            "deny: [z]",
            "fs: {workspaceOnly: false}",
            "elevated: {enabled: true}",
            "actions: {exec: {x: true, y: false}}",
            "sandbox: {tools: {allow: ['*'], deny: [q]}}",
        ],
        0..8,
    );
    let top = prop::sample::subsequence(
        vec![
            "hooks: {afterToolCall: [{command: [x]}]}",
            "plugins: {p: {}}",
            "approvals: {defaults: {ask: off}}",
            "agents: {list: [{id: w, tools: {alsoAllow: [x]}}]}",
            "audit: {enabled: false}",
            "state: {dir: /x}",
        ],
        0..6,
    );
    (exec, tools, top).prop_map(|(exec, tools, top)| {
        let mut tools: Vec<String> = tools.into_iter().map(str::to_owned).collect();
        tools.push(format!("exec: {{{}}}", exec.join(", ")));
        format!("tools: {{{}}}\n{}\n", tools.join(", "), top.join("\n"))
    })
}

#[test]
fn the_example_loads_without_a_warning() {
    let config = super::one(EXAMPLE);
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);
    assert!(config.base.agents.list.len() >= 2);
}

#[test]
fn the_view_has_every_value_and_no_secret() {
    let world = World::new()
        .env("TOKEN", "s3cr3t")
        .user("tools: {deny: [a]}\n")
        .explicit("tools: {deny: [b]}\nplugins: {p.q: {tools: [{name: t, command: [x, '${TOKEN}'], env: {K: '${TOKEN}', L: plain}}]}}\n");
    let shown = world.with_inputs(|inputs| view(inputs, crate::config::Secrets::Masked).unwrap());
    let text = format!("{} {:?}", shown.base, shown.rows);
    assert!(!text.contains("s3cr3t") && !text.contains("plain"), "{text}");
    let row = |key: &str| {
        shown
            .rows
            .iter()
            .find(|r| r.key == key)
            .unwrap_or_else(|| panic!("no {key} in {:#?}", shown.rows))
    };
    assert_eq!(row("tools.deny.0").value, "a");
    assert_eq!(row("tools.deny.1").value, "b");
    assert!(row("tools.deny.1").origin.file.ends_with("explicit0.yaml"));
    assert_eq!(row("tools.exec.security").origin.file.as_ref(), "built-in");
    assert_eq!(row("plugins.\"p.q\".tools.0.env.K").value, "***");
    let open = world.with_inputs(|inputs| view(inputs, crate::config::Secrets::Shown).unwrap());
    assert!(open.base.to_string().contains("s3cr3t"));
}
