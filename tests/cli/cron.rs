//! `cron`: a table of jobs, and `toolctl cron run`, which runs what is due as calls through the whole pipeline.

use super::support::{Ran, Test, repository};
use serde_json::{Value, json};

/// A world whose runner says what its task was.
fn world() -> Ran {
    let test = Test::new(&["list", "-q", "-o", "name"]);
    let runner = test.path("home/runner");
    std::fs::write(&runner, "#!/bin/sh\ncat > \"$HOME/task.json\"\necho done\n").unwrap();
    std::fs::set_permissions(&runner, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let yaml = format!(
        "agents: {{defaults: {{command: [{}]}}, list: [{{id: main}}, {{id: work}}]}}\n",
        runner.display()
    );
    test.config(yaml).run()
}

fn config(ran: &Ran) -> String {
    ran.work().with_file_name("config.yaml").display().to_string()
}

fn cron(ran: Ran, args: &Value) -> (Ran, i32, Value) {
    let call = json!({"tool": "cron", "args": args}).to_string();
    let config = config(&ran);
    let ran = ran.again(&[
        "exec",
        &call,
        "--owner",
        "--session",
        "main",
        "--config",
        &config,
        "-o",
        "json",
    ]);
    let (code, doc) = (ran.code, ran.json());
    (ran, code, doc)
}

fn start(ran: Ran) -> Ran {
    let config = config(&ran);
    ran.again(&["cron", "run", "--config", &config])
}

fn job(kind: &str, text: &str, schedule: Value) -> Value {
    let key = if kind == "systemEvent" { "text" } else { "message" };
    json!({"action": "add", "job": {"name": "job one", "schedule": schedule, "payload": {"kind": kind, key: text}}})
}

/// A time that is over, which a job can only have by being made due.
fn soon() -> Value {
    json!({"kind": "every", "everyMs": 3_600_000})
}

#[test]
fn what_is_no_job_is_refused() {
    let mut ran = world();
    let event = |change: &dyn Fn(&mut Value)| {
        let mut args = job("systemEvent", "wake up", soon());
        change(&mut args["job"]);
        args
    };
    let bad = [
        event(&|job| job["schedule"] = json!({"kind": "cron", "expr": "99 * * * *"})),
        event(&|job| job["schedule"] = json!({"kind": "at", "at": "2020-01-01T00:00:00Z"})),
        event(&|job| job["payload"] = json!({"kind": "systemEvent", "text": " "})),
        event(&|job| job["payload"] = json!({"kind": "agentTurn", "message": "x", "toolsAllow": ["read"]})),
        event(&|job| job["delivery"] = json!({"mode": "webhook", "to": "http://x"})),
        event(&|job| job["agentId"] = json!("nobody")),
        event(&|job| job["sessionTarget"] = json!("elsewhere")),
        json!({"action": "add"}),
        json!({"action": "remove"}),
        json!({"action": "update", "jobId": "x"}),
    ];
    for args in bad {
        let (back, code, doc) = cron(ran, &args);
        ran = back;
        assert_eq!((code, &doc["code"]), (2, &json!("invalid-params")), "{args}: {doc}");
    }
    let (ran, code, _) = cron(ran, &json!({"action": "remove", "jobId": "x"}));
    assert_eq!(code, 1);
    // The table is the owner's.
    let call = json!({"tool": "cron", "args": {"action": "list"}}).to_string();
    let ran = ran.again(&["exec", &call, "-o", "json"]).exits(3);
    assert_eq!(ran.json()["code"], "owner-only");
    let ran = start(ran).exits(0);
    assert_eq!(ran.stdout, "");
}

#[test]
fn a_turn_of_an_agent_is_a_call_through_the_whole_pipeline() {
    let (ran, code, doc) = cron(world(), &job("agentTurn", "water the plants", soon()));
    assert_eq!(code, 0, "{doc}");
    let id = doc["content"][0]["text"]
        .as_str()
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .to_owned();
    // It is not due yet.
    let ran = start(ran).exits(0);
    assert_eq!(ran.stdout, "");
    let (ran, _, doc) = cron(ran, &json!({"action": "run", "jobId": id, "runMode": "force"}));
    assert_eq!(doc["details"]["due"], true, "{doc}");
    // What the policy of its agent takes away, no job does.
    let config_path = config(&ran);
    let ran = ran.again(&[
        "cron",
        "run",
        "--config",
        &config_path,
        "--set",
        "tools.deny=[sessions_spawn]",
    ]);
    assert_eq!((ran.code, ran.stdout.contains("denied")), (3, true), "{}", ran.stdout);
    let (ran, _, _) = cron(ran, &json!({"action": "run", "jobId": id, "runMode": "force"}));
    let ran = start(ran).exits(0);
    assert!(
        ran.stdout.contains(&format!(
            "{id} job one: completed: Started sub-agent agent:main:subagent:"
        )),
        "{}",
        ran.stdout
    );
    // Once is once.
    let ran = start(ran).exits(0);
    assert_eq!(ran.stdout, "");
    let session = format!("agent:main:cron:{id}");
    let call = json!({"tool": "sessions_yield", "args": {}}).to_string();
    let ran = ran.again(&["exec", &call, "--session", &session]).exits(0);
    assert!(
        ran.stdout.contains("job one is done") && ran.stdout.contains("done"),
        "{}",
        ran.stdout
    );
    let task = std::fs::read_to_string(ran.work().with_file_name("home").join("task.json")).unwrap();
    assert!(task.contains("water the plants") && task.contains(&session), "{task}");
    let (ran, _, doc) = cron(ran, &json!({"action": "runs", "jobId": id}));
    assert_eq!(doc["details"]["runs"].as_array().unwrap().len(), 2, "{doc}");
    let (ran, _, _) = cron(
        ran,
        &json!({"action": "update", "jobId": id, "patch": {"enabled": false}}),
    );
    let (_, _, doc) = cron(ran, &json!({"action": "run", "jobId": id, "runMode": "force"}));
    assert_eq!(doc["details"]["due"], false, "{doc}");
}

#[test]
fn an_event_is_left_for_the_session() {
    let mut args = job("systemEvent", "the kettle boils", soon());
    args["job"]["deleteAfterRun"] = json!(true);
    let (ran, _, doc) = cron(world(), &args);
    let id = doc["content"][0]["text"]
        .as_str()
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .to_owned();
    let (ran, _, _) = cron(ran, &json!({"action": "run", "jobId": id, "runMode": "force"}));
    let ran = start(ran).exits(0);
    assert!(ran.stdout.contains("left the event"), "{}", ran.stdout);
    let call = json!({"tool": "sessions_yield", "args": {}}).to_string();
    let ran = ran.again(&["exec", &call, "--session", "main"]).exits(0);
    assert!(ran.stdout.contains("the kettle boils"), "{}", ran.stdout);
    let (ran, _, doc) = cron(ran, &json!({"action": "list", "includeDisabled": true}));
    assert_eq!(doc["content"][0]["text"], "There are no jobs.");
    let (ran, code, _) = cron(ran, &json!({"action": "wake", "text": "look up"}));
    assert_eq!(code, 0);
    let ran = ran.again(&["exec", &call, "--session", "main"]).exits(0);
    assert!(ran.stdout.contains("look up"), "{}", ran.stdout);
}

#[test]
fn the_commands_of_the_examples_run() {
    let read = |file: &str| std::fs::read_to_string(repository("examples/cron").join(file)).unwrap();
    let (service, table) = (read("toolctl-cron.service"), read("crontab"));
    let of_service = service
        .lines()
        .find_map(|line| line.strip_prefix("ExecStart=toolctl "))
        .unwrap();
    let of_table = table
        .lines()
        .find_map(|line| line.strip_prefix("* * * * * toolctl "))
        .unwrap();
    for line in [of_service, of_table] {
        let args: Vec<&str> = line
            .split_whitespace()
            .take_while(|word| !word.starts_with('>'))
            .collect();
        assert_eq!(
            args.iter().rev().take(2).rev().copied().collect::<Vec<_>>(),
            ["cron", "run"],
            "{line}"
        );
        Test::new(&args).run().exits(0);
    }
    // Sub-agents outlive the service only where it lets them.
    assert!(service.lines().any(|line| line == "KillMode=process"), "{service}");
}
