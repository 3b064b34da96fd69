//! The conformance vectors, judged as the acceptance runner judges them: what OpenClaw asks about may not run,
//! and what it runs should, where no deliberate difference says otherwise.

use super::bench::{Bench, Case, Judgement, rows};
use crate::config::{AgentSettings, AllowEntry, Config, ExecSettings, NameList, SafeBinProfile, effective};
use crate::divergences::divergences;
use crate::environment;
use crate::model::{Code, Context, Origin, Sourced, Verdict};
use crate::shell::Arg;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// Collects what differs; ids that may differ are left out.
pub(super) struct Differences {
    may: BTreeSet<String>,
    /// Of those that may differ: which were compared, and which do.
    compared: BTreeSet<String>,
    differ: BTreeSet<String>,
    found: Vec<String>,
    pub(super) count: usize,
}

impl Differences {
    pub(super) fn new() -> Self {
        Self {
            may: divergences(),
            compared: BTreeSet::new(),
            differ: BTreeSet::new(),
            found: Vec::new(),
            count: 0,
        }
    }

    pub(super) fn decided(&mut self, row: &Value, judgement: &Judgement, allow: bool) {
        self.count += 1;
        let id = row["id"].as_str().unwrap();
        if row.get("deliberate").is_some_and(|d| !d.is_null()) {
            return;
        }
        let have = judgement.verdict == Verdict::Allow;
        if self.may.contains(id) {
            self.compared.insert(id.to_owned());
            if have != allow {
                self.differ.insert(id.to_owned());
            }
        } else if have != allow {
            let kind = if have { "LOOSER" } else { "stricter" };
            self.found.push(format!(
                "{id} {kind}: {:?} — {} {}",
                judgement.command.chars().take(120).collect::<String>(),
                judgement.code.as_str(),
                judgement.reason.lines().next().unwrap_or("")
            ));
        }
    }

    pub(super) fn note(&mut self, row: &Value, text: &str) {
        let id = row["id"].as_str().unwrap();
        if self.may.contains(id) {
            self.differ.insert(id.to_owned());
        } else {
            self.found.push(format!("{id} {text}"));
        }
    }

    pub(super) fn end(self) {
        assert!(self.count > 10, "only {} judged", self.count);
        let agree: Vec<&String> = self.compared.difference(&self.differ).collect();
        assert!(agree.is_empty(), "listed as differences, but agree: {agree:?}");
        assert!(
            self.found.is_empty(),
            "{} of {}:\n{}",
            self.found.len(),
            self.count,
            self.found.join("\n")
        );
    }
}

pub(super) fn weak(row: &Value) -> bool {
    row.get("weak").is_some_and(|w| !w.is_null())
}

#[test]
fn allowlist() {
    let mut out = Differences::new();
    for row in rows("conformance/allowlist.jsonl") {
        let want = &row["expect"];
        let by = want["satisfiedBy"].as_array().unwrap();
        if by.iter().any(|b| b == "skills" || b == "skillPrelude") {
            continue;
        }
        let bench = Bench::new(&["work", "home", "state", "bin"]);
        let input = bench.subst(&row["input"]);
        bench.put_all(&input["files"]);
        let mut exec =
            json!({"security": "allowlist", "ask": "on-miss", "strictInlineEval": input["strictInlineEval"] == true});
        if let Value::Array(list) = &input["allowlist"] {
            let entries: Vec<Value> = list
                .iter()
                .map(|e| {
                    let kept: Map<String, Value> = e
                        .as_object()
                        .unwrap()
                        .iter()
                        .filter(|(k, _)| *k == "pattern" || *k == "argPattern")
                        .map(|(k, v)| (k.clone(), v.clone()))
                        .collect();
                    Value::Object(kept)
                })
                .collect();
            exec["allowlist"] = json!(entries);
        }
        for (from, to) in [
            ("safeBins", "safeBins"),
            ("safeBinProfiles", "safeBinProfiles"),
            ("trustedDirs", "safeBinTrustedDirs"),
        ] {
            if !input[from].is_null() {
                exec[to] = input[from].clone();
            }
        }
        let mut case = Case::new(
            &bench,
            json!({"tools": {"exec": exec}}),
            input["command"].as_str().unwrap(),
        )
        .env(&input["env"]);
        if let Some(cwd) = input["cwd"].as_str() {
            fs::create_dir_all(cwd).unwrap();
            case.workspace = PathBuf::from(cwd);
        }
        let auto = want["analysisOk"] == true
            && want["allowlistSatisfied"] == true
            && want["inlineEval"].is_null()
            && want["heredoc"] != true;
        let judgement = match case.judge() {
            Ok(judgement) => judgement,
            Err(e) => {
                out.note(&row, &format!("does not load: {e}"));
                continue;
            }
        };
        if !weak(&row) && want["enforcedCommand"].as_str().is_some_and(|c| c.contains("'<<")) {
            continue;
        }
        out.decided(&row, &judgement, auto && !weak(&row));
    }
    out.end();
}

/// Whether combined flags that OpenClaw refuses can name no file (the acceptance runner's rule).
fn harmless_flags(name: &str, args: &[String]) -> bool {
    let risky = match name {
        "sort" => "oTS",
        "grep" => "frRdPz",
        "jq" => "LfnR",
        "tail" => "fF",
        "uniq" | "cut" | "tr" | "wc" | "head" => "",
        _ => return false,
    };
    let harmless = regex::Regex::new(r"^(?:-{1,2}[A-Za-z0-9][A-Za-z-]*(=[0-9,-]*)?|-[0-9]+|[0-9,-]+)$").unwrap();
    let letters: String = args
        .iter()
        .filter(|a| a.len() > 1 && a.starts_with('-') && a[1..].bytes().all(|b| b.is_ascii_alphabetic()))
        .map(|a| &a[1..])
        .collect();
    let flags = args.iter().all(|a| harmless.is_match(a))
        && !letters.chars().any(|c| risky.contains(c))
        && !args.iter().any(|a| a.starts_with("--"));
    let set = |a: &String| !a.starts_with('-') || (a.len() > 1 && a[1..].chars().all(|c| "cCdst".contains(c)));
    let tr = name == "tr" && args.iter().all(set) && args.len() <= 3;
    let cut_flag = |a: &String| {
        a == "-s" || a == "--complement" || (a.len() > 1 && a.starts_with('-') && "bcfd".contains(&a[1..2]))
    };
    let cut = name == "cut" && args.iter().all(cut_flag) && !args.iter().any(|a| a.contains('/') && a.len() > 3);
    flags || tr || cut
}

#[test]
fn safebin() {
    let mut out = Differences::new();
    for row in rows("conformance/safebin.jsonl") {
        let bench = Bench::new(&["work", "home", "bin"]);
        let input = bench.subst(&row["input"]);
        let name = input["bin"].as_str().unwrap();
        let args: Vec<String> = input["args"]
            .as_array()
            .unwrap()
            .iter()
            .map(|a| a.as_str().unwrap().to_owned())
            .collect();
        if args.iter().any(|a| a.contains(['\n', '\r', '\0'])) {
            continue;
        }
        let bad_limit = |p: &Value| {
            p.as_object()
                .unwrap()
                .iter()
                .any(|(k, v)| k.ends_with("Positional") && v.as_u64().is_none())
        };
        let profiles = input["profiles"].as_object().filter(|p| !p.is_empty());
        if profiles.is_some_and(|p| p.values().any(bad_limit)) {
            continue;
        }
        let path = bench.root.join("bin").join(name);
        fs::write(&path, "#!/bin/sh\nexit 0\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let mut exec = json!({"security": "allowlist", "ask": "on-miss", "safeBins": [name], "safeBinTrustedDirs": [bench.root.join("bin")]});
        if let Some(profiles) = profiles {
            exec["safeBinProfiles"] = json!(profiles);
        }
        let quoted: Vec<String> = args.iter().map(|a| format!("'{}'", a.replace('\'', "'\\''"))).collect();
        let command = format!("{name} {}", quoted.join(" "));
        let path = format!("{}/bin:/usr/bin:/bin", bench.text());
        let judgement = Case::new(&bench, json!({"tools": {"exec": exec}}), &command)
            .env(&json!({ "PATH": path }))
            .judge()
            .unwrap();
        let ok = row["expect"]["ok"] == true;
        let allowed = judgement.verdict == Verdict::Allow;
        if !ok && allowed && profiles.is_none() && harmless_flags(name, &args) {
            continue;
        }
        if ok && !allowed && (name == "jq" || args.iter().any(|a| a.contains('/') || a.contains(".."))) {
            continue;
        }
        out.decided(&row, &judgement, ok && !weak(&row));
    }
    out.end();
}

#[test]
fn safebin_policy() {
    use crate::gate::exec::policy::safe_bin::SafeBins;
    let settings = |value: &Value| {
        let mut exec = ExecSettings::default();
        if let Value::Array(list) = &value["safeBins"] {
            exec.safe_bins = Some(NameList {
                entries: list
                    .iter()
                    .map(|v| Sourced::built_in(v.as_str().unwrap_or("").to_owned()))
                    .collect(),
                origin: Origin::built_in(),
            });
        }
        for (name, profile) in value["safeBinProfiles"].as_object().into_iter().flatten() {
            let flags = |key: &str| -> Vec<String> {
                let list = profile[key].as_array();
                list.into_iter()
                    .flatten()
                    .filter_map(|v| v.as_str().map(str::to_owned))
                    .collect()
            };
            let profile = SafeBinProfile {
                min_positional: profile["minPositional"].as_u64(),
                max_positional: profile["maxPositional"].as_u64(),
                allowed_value_flags: flags("allowedValueFlags"),
                allowed_flags: Vec::new(),
                denied_flags: flags("deniedFlags"),
            };
            exec.safe_bin_profiles.push((name.clone(), profile));
        }
        for dir in value["safeBinTrustedDirs"].as_array().into_iter().flatten() {
            exec.safe_bin_trusted_dirs
                .push(Sourced::built_in(dir.as_str().unwrap_or("").to_owned()));
        }
        exec
    };
    let mut out = Differences::new();
    for row in rows("conformance/safebin-policy.jsonl") {
        let bench = Bench::new(&["work", "home", "bin"]);
        let input = bench.subst(&row["input"]);
        let want = bench.subst(&row["expect"]);
        bench.put_all(&input["files"]);
        let mut config = Config::default();
        config.base.tools.exec = settings(&input["global"]);
        let mut agent = AgentSettings::named("main");
        agent.tools.exec = settings(&input["local"]);
        config.base.agents.list.push(agent);
        let bins = SafeBins::new(&effective(&config, &Context::default()).exec);
        let root = crate::path::Root::new(&bench.root.join("work")).unwrap();
        let world = crate::world::LiveWorld::new(root, None);
        let report = bins.report(&world);
        let strings = |list: &[PathBuf]| -> Vec<String> { list.iter().map(|p| p.display().to_string()).collect() };
        out.count += 1;
        for (what, have) in [
            ("safeBins", bins.names().to_vec()),
            ("unprofiledSafeBins", report.unprofiled.clone()),
            ("unprofiledInterpreterSafeBins", report.unprofiled_interpreters.clone()),
            ("writableTrustedSafeBinDirs", strings(&report.writable)),
            ("risky", report.risky.clone()),
        ] {
            let wanted: Vec<String> = want[what]
                .as_array()
                .into_iter()
                .flatten()
                .map(|v| v.as_str().or(v["dir"].as_str()).unwrap().to_owned())
                .collect();
            if wanted != have {
                out.note(&row, &format!("{what}: want {wanted:?} have {have:?}"));
            }
        }
        for warning in want["warnings"].as_array().into_iter().flatten() {
            if !report.warnings.iter().any(|w| w == warning.as_str().unwrap()) {
                out.note(&row, &format!("no warning {warning}"));
            }
        }
    }
    out.end();
}

#[test]
fn environment() {
    let secretish = regex::Regex::new(
        "(?i)TOKEN|KEY|SECRET|PASSW|CRED|AUTH|_PAT$|OPTIONS|OPTS|FLAGS|WRAPPER|RUNNER|LINKER|PAGER|EDITOR|CONFIG|PRELOAD|_PATH|_HOME|PROXY|CERT|^GIT_|^CARGO_|^PYTHON|^NODE_|^NPM_",
    )
    .unwrap();
    let mut out = Differences::new();
    for row in rows("conformance/env.jsonl") {
        let want = &row["expect"];
        let pairs = |key: &str| -> Vec<(String, String)> {
            let map = row["input"][key].as_object();
            map.into_iter()
                .flatten()
                .filter_map(|(k, v)| Some((k.clone(), v.as_str()?.to_owned())))
                .collect()
        };
        let (base, overrides) = (pairs("base"), pairs("overrides"));
        let borrow = |list: &[(String, String)]| -> Vec<(String, String)> { list.to_vec() };
        let (b, o) = (borrow(&base), borrow(&overrides));
        let inherited = environment::inherit(b.iter().map(|(k, v)| (k.as_str(), v.as_str())), &[]);
        let built = environment::overlay(
            &std::sync::Arc::new(inherited),
            o.iter().map(|(k, v)| (k.as_str(), v.as_str())),
        );
        out.count += 1;
        let names = |key: &str| -> Vec<String> {
            want[key]
                .as_array()
                .into_iter()
                .flatten()
                .map(|v| v.as_str().unwrap().to_owned())
                .collect()
        };
        let (blocked, invalid) = (names("rejectedBlocked"), names("rejectedInvalid"));
        if !blocked.is_empty() || !invalid.is_empty() {
            let message = environment::message(&built.forbidden);
            for name in blocked.iter().chain(&invalid).filter(|n| !n.trim().is_empty()) {
                if !message.contains(name.as_str()) {
                    out.note(&row, &format!("{name} is not refused: {message}"));
                }
            }
            if built.forbidden.is_empty() {
                out.note(&row, "nothing is refused");
            }
            continue;
        }
        if !built.forbidden.is_empty() {
            if !overrides.iter().any(|(k, _)| secretish.is_match(k)) {
                out.note(&row, &format!("refused: {}", environment::message(&built.forbidden)));
            }
            continue;
        }
        for (name, value) in want["env"].as_object().unwrap() {
            let have = built.variables.get(name).map(String::as_str);
            if have != value.as_str() && !(have.is_none() && secretish.is_match(name)) {
                out.note(&row, &format!("{name}: want {value} have {have:?}"));
            }
        }
        for (name, _) in &base {
            if want["env"].get(name).is_none() && built.variables.contains_key(name) && name != "OPENCLAW_CLI" {
                out.note(&row, &format!("{name} should have been scrubbed"));
            }
        }
    }
    out.end();
}

#[test]
fn preflight() {
    let mut out = Differences::new();
    let shell_name = regex::Regex::new(r"\$[A-Z_]{2,}").unwrap();
    for row in rows("conformance/preflight.jsonl") {
        let bench = Bench::new(&["work", "home", "bin"]);
        let input = bench.subst(&row["input"]);
        let command = input["command"].as_str().unwrap();
        if command.trim().is_empty() {
            continue;
        }
        bench.put_all(&input["files"]);
        for name in ["python", "python3", "node"] {
            let path = bench.root.join("bin").join(name);
            fs::write(&path, "#!/bin/sh\nexit 0\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let config = json!({"tools": {"exec": {"security": "full", "ask": "on-miss", "strictInlineEval": false}},
                            "approvals": {"defaults": {"security": "full", "ask": "on-miss"}}});
        let path = format!("{}/bin:/usr/bin:/bin", bench.text());
        let mut case = Case::new(&bench, config, command).env(&json!({ "PATH": path }));
        if let Some(cwd) = input["cwd"].as_str() {
            fs::create_dir_all(cwd).unwrap();
            case.workspace = PathBuf::from(cwd);
        }
        let judgement = case.judge().unwrap();
        let refused = matches!(judgement.code, Code::PreflightShellBleed | Code::PreflightComplex);
        let bad = row["expect"].get("error").is_some();
        let more = input["files"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|f| shell_name.is_match(f["content"].as_str().unwrap_or("")));
        out.count += 1;
        if bad && !refused && judgement.verdict == Verdict::Allow {
            out.note(&row, &format!("LOOSER: {command:?}"));
        } else if !(bad || refused && more) && judgement.verdict != Verdict::Allow {
            out.note(
                &row,
                &format!("stricter: {command:?} {} {}", judgement.code.as_str(), judgement.reason),
            );
        }
    }
    out.end();
}

#[test]
fn approve_reject() {
    let mut out = Differences::new();
    for row in rows("conformance/approve-reject.jsonl") {
        let bench = Bench::new(&["work", "home"]);
        let input = bench.subst(&row["input"]);
        let config = json!({"tools": {"exec": {"security": "full", "ask": "off"}}, "approvals": {"defaults": {"security": "full", "ask": "off"}}});
        let judgement = Case::new(&bench, config, input["command"].as_str().unwrap())
            .judge()
            .unwrap();
        out.count += 1;
        if (row["expect"]["rejected"] == true) != (judgement.code == Code::ApproveCommand) {
            out.note(&row, &format!("{:?} {}", judgement.command, judgement.code.as_str()));
        }
    }
    out.end();
}

#[test]
fn allow_always() {
    let mut out = Differences::new();
    for row in rows("conformance/allow-always.jsonl") {
        let bench = Bench::new(&["work", "home", "state", "bin"]);
        let input = bench.subst(&row["input"]);
        let want = bench.subst(&row["expect"]);
        bench.put_all(&input["files"]);
        let strict = input["strictInlineEval"] == true;
        let config = json!({"tools": {"exec": {"security": "allowlist", "ask": "on-miss", "safeBins": [], "strictInlineEval": strict}}});
        let mut case = Case::new(&bench, config, input["command"].as_str().unwrap()).env(&input["env"]);
        if let Some(cwd) = input["cwd"].as_str() {
            fs::create_dir_all(cwd).unwrap();
            case.workspace = PathBuf::from(cwd);
        }
        let judgement = case.judge().unwrap();
        out.count += 1;
        if judgement.verdict != Verdict::Ask {
            continue;
        }
        let have: Vec<&str> = judgement
            .allow_always
            .iter()
            .map(|e: &AllowEntry| e.pattern.as_str())
            .collect();
        let wanted: Vec<&str> = if want["analysisOk"] == false {
            Vec::new()
        } else {
            want["patterns"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect()
        };
        let real: Vec<PathBuf> = wanted.iter().filter_map(|p| fs::canonicalize(p).ok()).collect();
        let extra: Vec<&&str> = have
            .iter()
            .filter(|p| !wanted.contains(p) && !real.iter().any(|r| r.to_str() == Some(**p)))
            .collect();
        if !extra.is_empty() {
            out.note(
                &row,
                &format!("LOOSER: {:?} would keep {extra:?}, want {wanted:?}", judgement.command),
            );
        } else if !wanted.is_empty() && have.is_empty() && row["deliberate"].is_null() {
            out.note(
                &row,
                &format!(
                    "stricter: {:?} keeps nothing, want {wanted:?}: {}",
                    judgement.command, judgement.reason
                ),
            );
        }
    }
    out.end();
}

#[test]
fn every_argument_list_of_a_safe_bin_is_judged_without_a_panic() {
    let config = Config::default();
    let bins = crate::gate::exec::policy::safe_bin::SafeBins::new(&effective(&config, &Context::default()).exec);
    for words in [&["-", "--", "-5c", "é"][..], &["", "-n"][..], &["--lines="][..]] {
        let args: Vec<Arg> = words.iter().map(|w| Arg::exact(*w)).collect();
        for name in ["head", "grep", "sort", "tr", "none"] {
            let _ = bins.judge(name, &args);
        }
    }
}
