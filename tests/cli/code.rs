//! `code_execution`: a program of the model's own behind all walls.

use super::contained::mounts;
use super::support::{Ran, Test};
use serde_json::{Value, json};

fn run(task: &str, config: &str) -> Ran {
    let call = json!({"tool": "code_execution", "args": {"task": task}}).to_string();
    let test = Test::new(&["exec", &call, "-o", "json"])
        .file("secret.txt", "of the workspace\n")
        .config(config);
    std::fs::create_dir_all(test.path("home/.ssh")).unwrap();
    std::fs::write(test.path("home/.ssh/id_ed25519"), "of the home\n").unwrap();
    test.run()
}

fn text(doc: &Value) -> &str {
    doc["content"][0]["text"].as_str().unwrap()
}

#[test]
fn what_is_no_code_is_refused() {
    for task in ["", "  ", "```\n\n```", "```ruby\nputs 1\n```", "```sh\nid\n```"] {
        let doc = run(task, "").exits(2).json();
        assert_eq!(doc["code"], "invalid-params", "{task}: {doc}");
    }
    let doc = run("print(1)", "tools: {exec: {security: deny}}\n").exits(3).json();
    assert_eq!(doc["code"], "security-deny");
    let call = json!({"tool": "code_execution", "args": {"task": "print(1)"}}).to_string();
    let doc = Test::new(&["exec", &call, "-o", "json"]).env("PATH", "/nowhere").run();
    assert!([2, 3].contains(&doc.code), "{}", doc.stdout);
    let ask = run("print(1)", "tools: {ask: [code_execution]}\n").exits(4).json();
    assert_eq!(ask["code"], "ask-always");
}

#[test]
fn it_reaches_nothing_of_the_machine() {
    if !mounts() {
        return;
    }
    let escapes = r#"
import os, socket, subprocess
def tried(what):
    try:
        print("DONE", what())
    except BaseException as error:
        print("held", type(error).__name__)
tried(lambda: open("SECRET").read())
tried(lambda: open("HOME/.ssh/id_ed25519").read())
tried(lambda: open("BESIDE").read())
tried(lambda: os.listdir("/var/lib")[0])
tried(lambda: open("WORK/made", "w").write("x"))
tried(lambda: open("/etc/toolctl-was-here", "w").write("x"))
tried(lambda: socket.create_connection(("127.0.0.1", 22), 2))
tried(lambda: socket.create_connection(("1.1.1.1", 53), 2))
tried(lambda: socket.getaddrinfo("example.org", 80))
tried(lambda: os.kill(1, 0))
tried(lambda: os.kill(os.getppid(), 9))
tried(lambda: open("/proc/1/environ").read())
tried(lambda: subprocess.check_output(["unshare", "-m", "true"]))
open("own", "w").write("of its own")
print(open("own").read())
"#;
    let call = |task: &str| json!({"tool": "code_execution", "args": {"task": task}}).to_string();
    let test = Test::new(&[]).file("secret.txt", "of the workspace\n");
    let (work, home) = (test.work(), test.path("home"));
    std::fs::create_dir_all(home.join(".ssh")).unwrap();
    std::fs::write(home.join(".ssh/id_ed25519"), "of the home\n").unwrap();
    let beside = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(beside.path(), "of another\n").unwrap();
    let task = escapes
        .replace("SECRET", &work.join("secret.txt").display().to_string())
        .replace("WORK", &work.display().to_string())
        .replace("HOME/", &format!("{}/", home.display()))
        .replace("BESIDE", &beside.path().display().to_string());
    let ran = test.run().again(&["exec", &call(&task), "-o", "json"]).exits(0);
    let doc = ran.json();
    let said = text(&doc);
    assert!(said.ends_with("of its own"), "{said}");
    assert_eq!(said.matches("held").count(), 13, "{said}");
    assert!(!ran.work().join("made").exists());
    assert_eq!(doc["details"]["cwd"], "/tmp");
    for word in [
        "fs-write", "net-tcp", "net-udp", "signals", "ptrace", "proc", "mount", "users",
    ] {
        assert!(
            doc["details"]["floor"]["enforces"].to_string().contains(word),
            "{word}: {doc}"
        );
    }
}

#[test]
fn what_it_prints_comes_back() {
    if !mounts() {
        return;
    }
    let open = "tools: {exec: {network: host, floor: \"off\", security: full}}\n";
    for (task, said) in [
        ("print(6 * 7)", "42"),
        ("```python\nfor i in range(3):\n    print(i)\n```", "0\n1\n2"),
        ("import statistics as s\nprint(s.mean([1, 2, 6]))", "3"),
    ] {
        // Whatever holds for commands, these walls stand.
        for config in ["", open] {
            let doc = run(task, config).exits(0).json();
            assert_eq!(text(&doc), said, "{doc}");
            assert!(
                doc["details"]["floor"]["enforces"].to_string().contains("net-tcp"),
                "{doc}"
            );
        }
    }
    let doc = run("print(1)\nraise SystemExit(3)", "").exits(1).json();
    assert_eq!(
        (&doc["code"], &doc["details"]["exitCode"]),
        (&json!("tool-failed"), &json!(3))
    );
    let doc = run("add two and two", "").exits(1).json();
    assert!(
        text(&doc).contains("SyntaxError") && !text(&doc).contains("contained: false"),
        "{doc}"
    );
}
