//! The catalogue's own tools beside commands and files, through the whole pipeline.

use super::support::{Ran, Test};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};

fn exec(args: &Value, tool: &str) -> Test {
    let call = json!({"tool": tool, "args": args}).to_string();
    Test::new(&["exec", &call, "-o", "json"])
}

#[test]
fn a_plan_that_is_none_is_refused() {
    let step = |status: &str| json!({"step": "x", "status": status});
    for plan in [
        json!([]),
        json!("x"),
        json!([{"step": "x"}]),
        json!([{"step": " ", "status": "pending"}]),
        json!([step("done")]),
        json!([step("in_progress"), step("in_progress")]),
        json!(vec![step("pending"); 101]),
    ] {
        let doc = exec(&json!({"plan": plan}), "update_plan").run().exits(2).json();
        assert_eq!(doc["code"], "invalid-params", "{plan}");
    }
    let plan = json!([{"step": "read", "status": "completed"}, {"step": "write", "status": "in_progress"}]);
    let args = json!({"plan": plan, "explanation": "new facts"});
    let doc = exec(&args, "update_plan").run().exits(0).json();
    assert_eq!(doc["content"][0]["text"], "[x] read\n[>] write\n1 of 2 steps completed");
    assert_eq!(doc["details"]["plan"], plan);
    assert_eq!(doc["details"]["explanation"], "new facts");
}

#[test]
fn memory_is_read_as_files_are() {
    let world = |args: Value, tool: &str, config: &str| {
        exec(&args, tool)
            .file("MEMORY.md", "the port of staging is 8080\n")
            .file("memory/private/a.md", "the port of the vault is 99\n")
            .file("notes.md", "the port is secret\n")
            .config(config)
    };
    let check = json!({"tool": "memory_get", "args": {"path": "notes.md"}}).to_string();
    let doc = Test::new(&["check", &check, "-o", "json"])
        .file("notes.md", "x\n")
        .run()
        .exits(3)
        .json();
    assert_eq!(doc["code"], "path-escape");
    let doc = world(json!({"path": "notes.md"}), "memory_get", "")
        .run()
        .exits(3)
        .json();
    assert_eq!(doc["code"], "path-escape");

    let closed = "tools: {paths: {deny: [memory/private]}}\n";
    let path = json!({"path": "memory/private/a.md"});
    assert_eq!(
        world(path.clone(), "memory_get", "").run().exits(0).json()["status"],
        "completed"
    );
    let doc = world(path, "memory_get", closed).run().exits(3).json();
    assert_eq!(doc["code"], "path-escape");
    let found = world(json!({"query": "port"}), "memory_search", closed)
        .run()
        .exits(0)
        .json();
    let found = found["details"]["results"].as_array().unwrap().clone();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["path"], "MEMORY.md");
}

#[test]
fn memory_is_not_there_where_the_workspace_is_not() {
    for (tool, args) in [
        ("memory_search", json!({"query": "x"})),
        ("memory_get", json!({"path": "MEMORY.md"})),
    ] {
        let doc = exec(&args, tool)
            .file("MEMORY.md", "x\n")
            .config("sandbox: {mode: all, workspaceAccess: none}\ntools: {sandbox: {tools: {allow: [\"*\"]}}}\n")
            .run()
            .exits(3)
            .json();
        assert!(doc["status"] == "denied", "{doc}");
    }
}

/// What a tool of the catalog does on a machine without any binding.
enum Here {
    /// It runs, and its answer holds this.
    Runs(&'static str),
    /// Nothing runs it; the line that would make it run.
    Needs(&'static str),
}

/// The address of a server that shows a page once.
fn page(html: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]);
        let length = html.len();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n");
        let _ = stream.write_all(format!("{head}{html}").as_bytes());
    });
    address
}

/// Every tool of the catalog, with a call.
#[rustfmt::skip]
fn table(page: &str) -> Vec<(&'static str, Value, Here)> {
    use Here::{Needs, Runs};
    let bind = "`bindings: {TOOL: {command: [PROGRAM]}}`";
    let patch = "*** Begin Patch\n*** Add File: p.txt\n+p\n*** End Patch\n";
    let plan = json!([{"step": "x", "status": "pending"}]);
    let edits = json!([{"oldText": "note", "newText": "word"}]);
    let job = json!({"name": "n", "schedule": {"kind": "every", "everyMs": 3_600_000}, "payload": {"kind": "systemEvent", "text": "x"}});
    vec![
        ("read", json!({"path": "note.txt"}), Runs("a note")),
        ("write", json!({"path": "w.txt", "content": "w"}), Runs("Successfully wrote")),
        ("edit", json!({"path": "note.txt", "edits": edits}), Runs("Successfully replaced")),
        ("apply_patch", json!({"input": patch}), Runs("A p.txt")),
        ("exec", json!({"command": "head -n 1 MEMORY.md"}), Runs("harbour")),
        ("process", json!({"action": "list"}), Runs("No running or recent sessions")),
        ("code_execution", json!({"task": "print(6 * 7)"}), Runs("42")),
        ("web_search", json!({"query": "x"}), Needs(bind)),
        ("web_fetch", json!({"url": page}), Runs("a page of the web")),
        ("x_search", json!({"query": "x"}), Needs(bind)),
        ("memory_search", json!({"query": "harbour"}), Runs("MEMORY.md")),
        ("memory_get", json!({"path": "MEMORY.md"}), Runs("harbour")),
        ("sessions_list", json!({}), Runs("agent:main:main")),
        ("sessions_history", json!({"sessionKey": "main"}), Runs("tool calls")),
        ("sessions_send", json!({"sessionKey": "main", "message": "x"}), Runs("session")),
        ("sessions_spawn", json!({"task": "x"}), Needs("`agents: {defaults: {command: [PROGRAM]}}`")),
        ("sessions_yield", json!({}), Runs("message")),
        ("subagents", json!({"action": "list"}), Runs("sub-agents")),
        ("session_status", json!({}), Runs("session: agent:main:main")),
        ("browser", json!({"action": "status"}), Needs(bind)),
        ("canvas", json!({"action": "hide"}), Needs(bind)),
        ("message", json!({"action": "send", "message": "x"}), Needs(bind)),
        ("cron", json!({"action": "add", "job": job}), Runs("n")),
        ("gateway", json!({"action": "restart"}), Needs(bind)),
        ("nodes", json!({"action": "status"}), Needs("`nodes: {NAME: {ssh: {host: HOST}}}`")),
        ("agents_list", json!({}), Runs("main")),
        ("update_plan", json!({"plan": plan}), Runs("0 of 1 steps completed")),
        ("image", json!({"image": "note.txt"}), Needs(bind)),
        ("image_generate", json!({"prompt": "x"}), Needs(bind)),
        ("music_generate", json!({"prompt": "x"}), Needs(bind)),
        ("video_generate", json!({"prompt": "x"}), Needs(bind)),
        ("tts", json!({"text": "x"}), Needs(bind)),
    ]
}

#[test]
fn every_tool_runs_or_says_what_would_make_it_run() {
    let page = page("<p>a page of the web</p>");
    let host = page.trim_matches('/').split('/').next_back().unwrap();
    let who = ["--session", "main", "--owner", "--provider", "openai"];
    let world = Test::new(&["list", "-o", "json", "--owner", "--provider", "openai"])
        .file("note.txt", "a note\n")
        .file("MEMORY.md", "the harbour\n")
        .config(format!(
            "tools: {{profile: full, exec: {{allowlist: [head]}}, web: {{fetch: {{allowPrivate: true, allowHosts: ['{host}']}}}}}}\n"
        ));
    let config = world.path("config.yaml").display().to_string();
    let mut ran = world.run().exits(0);
    let listed = ran.json();
    let listed = listed["tools"].as_array().unwrap();
    let table = table(&page);
    let names: Vec<&Value> = listed.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, table.iter().map(|(tool, ..)| *tool).collect::<Vec<_>>());
    let ask = |ran: Ran, args: &[&str]| {
        let more = ["--config", &config];
        let all: Vec<&str> = args.iter().chain(&who).chain(&more).copied().collect();
        ran.again(&all)
    };
    for ((tool, args, here), row) in table.iter().zip(listed) {
        let call = json!({"tool": tool, "args": args}).to_string();
        ran = ask(ran, &["exec", &call, "-o", "json"]);
        let doc = ran.json();
        let runs = row["executor"] != "none";
        match here {
            Here::Runs(says) => {
                assert!(runs && doc["code"] != "no-executor", "{doc}");
                assert!(doc.to_string().contains(says), "{tool}: `{says}` is missing in {doc}");
            }
            Here::Needs(line) => {
                assert!(!runs, "{tool}");
                assert_eq!((ran.code, &doc["code"]), (2, &json!("no-executor")), "{doc}");
                let line = line.replace("TOOL", tool);
                assert!(doc["reason"].as_str().unwrap().contains(&line), "{line}: {doc}");
            }
        }
        // What is listed as callable is what is declared, and what is not is told with the same line.
        ran = ask(ran, &["schema", "--tool", tool]);
        assert_eq!(ran.code == 0, runs, "{tool}: {}", ran.stderr);
        if let Here::Needs(line) = here {
            assert!(ran.stderr.contains(&line.replace("TOOL", tool)), "{}", ran.stderr);
        }
    }
    ran = ask(ran, &["schema"]).exits(0);
    let declared = ran.json().as_array().unwrap().len();
    assert_eq!(declared, listed.iter().filter(|row| row["executor"] != "none").count());
    let needed = table.iter().filter(|(.., here)| matches!(here, Here::Needs(_))).count();
    let says = format!("{needed} tools left out");
    assert!(ran.stderr.contains(&says), "{says}: {}", ran.stderr);
    let all = ask(ran, &["schema", "--all"]).exits(0).json();
    assert_eq!(all.as_array().unwrap().len(), 32);
}

#[test]
fn nodes_are_named_and_run_nothing_by_themselves() {
    let run = |args: Value| {
        let call = json!({"tool": "nodes", "args": args}).to_string();
        Test::new(&["exec", &call, "-o", "json", "--owner"])
            .config("tools: {profile: full}\nnodes: {build: {ssh: {host: build.example.org, user: agent}, workdir: /srv/work}}\n")
            .run()
    };
    let doc = run(json!({"action": "status"})).exits(0).json();
    let shown = json!([{"name": "build", "workdir": "/srv/work", "commands": "exec"}]);
    assert_eq!(doc["details"]["nodes"], shown);
    assert!(!doc.to_string().contains("example.org"), "{doc}");
    let doc = run(json!({"action": "describe", "node": "other"})).exits(1).json();
    assert_eq!(doc["code"], "tool-failed");
    for action in ["invoke", "camera_snap", "approve"] {
        let doc = run(json!({"action": action, "node": "build"})).exits(2).json();
        assert_eq!(doc["code"], "no-executor");
        let line = "`bindings: {nodes: {command: [PROGRAM]}}`";
        assert!(doc["reason"].as_str().unwrap().contains(line), "{doc}");
    }
}
