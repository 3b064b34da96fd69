//! Findings in SARIF 2.1.0, which code hosts show beside the line.

use super::{CHECKS, Finding};
use serde_json::{Value, json};

/// The document.
pub fn sarif(findings: &[Finding]) -> Value {
    let rules = CHECKS.iter().map(|check| {
        json!({
            "id": check.id,
            "shortDescription": {"text": check.about},
            "defaultConfiguration": {"level": "warning"},
        })
    });
    let results = findings.iter().map(|finding| {
        let mut result = json!({
            "ruleId": finding.id,
            "level": "warning",
            "message": {"text": format!("{}. To fix it: {}", finding.message, finding.help)},
        });
        if let Some(origin) = finding.origin.as_ref().filter(|origin| origin.line > 0) {
            let place = json!([{
                "physicalLocation": {
                    "artifactLocation": {"uri": uri(&origin.file)},
                    "region": {"startLine": origin.line, "startColumn": origin.column.max(1)},
                },
            }]);
            if let Some(map) = result.as_object_mut() {
                map.insert("locations".to_owned(), place);
            }
        }
        result
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "toolctl",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

/// A path as a reference.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.trim_start_matches("./").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/+,:@".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    if path.starts_with('/') {
        format!("file://{out}")
    } else {
        out
    }
}
