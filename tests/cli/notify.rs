//! The examples that tell a person of a request, each against a stand-in for what it tells it to.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const HOSTILE: &str = "git status\u{1b}[2K <b>x</b> `@all` &amp; \u{202e}dne\n";

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/notify").join(name)
}

/// A request as toolctl gives it.
fn request() -> Value {
    json!({
        "id": "0123456789abcdef0123456789abcdef", "slug": "01234567", "state": "pending", "tool": "exec", "agent": "main",
        "command": HOSTILE, "cwd": "/work", "reason": "nothing grants it", "expiresAt": "2026-01-01T00:00:00.000Z",
    })
}

/// Runs an example; `path` is where it finds programs.
fn tell(name: &str, args: &[&str], path: &str) {
    let mut child = Command::new("/usr/bin/env")
        .arg("python3")
        .arg("-B")
        .arg(example(name))
        .args(args)
        .env_clear()
        .env("PATH", format!("{path}:/usr/local/bin:/usr/bin:/bin"))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(request().to_string().as_bytes()).unwrap();
    drop(input);
    assert!(child.wait().unwrap().success(), "{name}");
}

/// Takes one post; its headers and its body.
fn post(listener: &TcpListener) -> (String, String) {
    let (mut stream, _) = listener.accept().unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        reader.read_line(&mut head).unwrap();
    }
    let lower = head.to_ascii_lowercase();
    let length = lower
        .split("content-length: ")
        .nth(1)
        .unwrap()
        .split("\r\n")
        .next()
        .unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    stream
        .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        .unwrap();
    (head, String::from_utf8(body).unwrap())
}

#[test]
fn the_desktop_is_told_without_markup_of_the_command() {
    let dir = tempfile::tempdir().unwrap();
    let stub = dir.path().join("notify-send");
    std::fs::write(
        &stub,
        format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > {}/told\n", dir.path().display()),
    )
    .unwrap();
    std::fs::set_permissions(&stub, std::fs::Permissions::from_mode(0o755)).unwrap();
    tell("desktop.py", &[], dir.path().to_str().unwrap());
    let told = std::fs::read_to_string(dir.path().join("told")).unwrap();
    assert!(told.contains("--\ntoolctl: main asks to run exec\n"), "{told}");
    assert!(
        told.contains("git status&lt;U+001B&gt;[2K &lt;b&gt;x&lt;/b&gt;"),
        "{told}"
    );
    assert!(told.contains("toolctl approvals show 01234567"), "{told}");
}

#[test]
fn a_chat_is_told_without_mentions_and_links_of_the_command() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let url = dir.path().join("url");
    std::fs::write(&url, format!("http://{}/hook\n", listener.local_addr().unwrap())).unwrap();
    let server = std::thread::spawn(move || post(&listener));
    tell("chat.py", &[url.to_str().unwrap()], "/nowhere");
    let (head, body) = server.join().unwrap();
    assert!(head.starts_with("POST /hook "), "{head}");
    let body: Value = serde_json::from_str(&body).unwrap();
    let text = body["text"].as_str().unwrap();
    assert!(
        text.contains("git status&lt;U+001B&gt;[2K &lt;b&gt;x&lt;/b&gt; '@all' &amp;amp;"),
        "{text}"
    );
    assert_eq!(text.matches("```").count(), 2, "{text}");
}

#[test]
fn a_webhook_gets_the_whole_request_signed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let key = dir.path().join("key");
    std::fs::write(&key, "secret\n").unwrap();
    let url = format!("http://{}/asked", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || post(&listener));
    tell("webhook.py", &[&url, key.to_str().unwrap()], "/nowhere");
    let (head, body) = server.join().unwrap();
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), request());
    let check = "import hmac,sys;print(hmac.new(b'secret',sys.stdin.buffer.read(),'sha256').hexdigest())";
    let mut child = Command::new("/usr/bin/env")
        .args(["python3", "-c", check])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(body.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    let signature = String::from_utf8(out.stdout).unwrap();
    assert!(
        head.to_ascii_lowercase()
            .contains(&format!("x-toolctl-signature: {}", signature.trim())),
        "{head}"
    );
}
