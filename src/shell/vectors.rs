//! The recorded text analyses. Where this analyser differs on purpose the id stands among the divergences, with a
//! sentence; an id that stands there and does not differ is an error as well.

use super::*;
use serde_json::Value;

/// What an analysis comes to: the argv of all commands, or none where the text is refused.
fn outcome(text: &str) -> Option<Vec<Vec<String>>> {
    let analysis = analyse(text, Dialect::Bash, &World::default()).ok()?;
    let argv = |command: &SimpleCommand| -> Vec<String> {
        command
            .argv
            .iter()
            .map(|arg| arg.literal().unwrap_or("<dynamic>").to_owned())
            .collect()
    };
    Some(analysis.commands.iter().map(argv).collect())
}

fn recorded(expect: &Value) -> Option<Vec<Vec<String>>> {
    expect["ok"].as_bool().unwrap().then(|| {
        expect["segments"]
            .as_array()
            .unwrap()
            .iter()
            .map(|segment| serde_json::from_value(segment["argv"].clone()).unwrap())
            .collect()
    })
}

#[test]
fn recorded_analyses() {
    let divergences = crate::divergences::divergences();
    let mut wrong = Vec::new();
    for line in include_str!("../../fixtures/conformance/analysis.jsonl").lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let id = vector["id"].as_str().unwrap();
        let text = vector["input"]["command"].as_str().unwrap();
        let differs = outcome(text) != recorded(&vector["expect"]);
        let deliberate = divergences.contains(id);
        if differs != deliberate {
            wrong.push(format!("{id} {text:?}: {:?}", outcome(text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
