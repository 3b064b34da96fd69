//! Real programs, driven through a terminal.

use super::sshd::Server;
use crate::world::*;
use serde_json::{Value, json};

/// Starts a program in a terminal, sends keys when it shows something, and waits for what it shows then.
fn drive(program: &str, steps: &[(&str, Value, &str)], end: &Value) {
    let name = program.split(' ').next().unwrap();
    if !installed(name) {
        return;
    }
    let world = World::new(OPEN);
    std::fs::write(
        world.path("work/page.txt"),
        "first\n".repeat(100) + "needle\n" + &"rest\n".repeat(100),
    )
    .unwrap();
    let id = world.start(program, true);
    for (before, keys, after) in steps {
        world.until(&id, before, |log| log.contains(before));
        let sent = world.process("send-keys", &id, keys.clone());
        assert_eq!(sent["details"]["status"], "running", "{program}: {sent}");
        world.until(&id, after, |log| log.contains(after));
    }
    let sent = world.process("send-keys", &id, end.clone());
    assert_eq!(sent["details"]["status"], "running", "{program}: {sent}");
    let ended = world.until_ended(&id);
    assert_eq!(ended["details"]["exitCode"], 0, "{program}: {ended}");
}

#[test]
fn bash_is_driven_through_a_terminal() {
    drive(
        "bash --norc --noprofile -i",
        &[
            ("bash-", json!({"literal": "echo $((6*7))", "keys": ["Enter"]}), "\r42"),
            ("\r42", json!({"literal": "stty size", "keys": ["Enter"]}), "30 120"),
        ],
        &json!({"keys": ["C-d"]}),
    );
}

#[test]
fn python_is_driven_through_a_terminal() {
    drive(
        "python3 -q -i",
        &[(">>>", json!({"literal": "print(6*7)", "keys": ["Enter"]}), "\n42")],
        &json!({"literal": "exit()", "keys": ["Enter"]}),
    );
}

#[test]
fn less_is_driven_through_a_terminal() {
    drive(
        "less page.txt",
        &[("first", json!({"literal": "/needle", "keys": ["Enter"]}), "[7mneedle")],
        &json!({"literal": "q"}),
    );
}

#[test]
fn vim_is_driven_through_a_terminal() {
    drive(
        "vim -u NONE -N page.txt",
        &[("first", json!({"keys": ["i"], "literal": ""}), "INSERT")],
        &json!({"keys": ["Escape", ":", "q", "!", "Enter"]}),
    );
}

#[test]
fn top_is_driven_through_a_terminal() {
    drive(
        "top",
        &[("PID", json!({"literal": "1"}), "%Cpu0")],
        &json!({"literal": "q"}),
    );
}

#[test]
fn keys_that_are_signals_reach_the_program_in_the_terminal_whatever_the_starter_ignores() {
    for deaf in ["", "trap '' INT QUIT HUP; "] {
        let world = World::new(OPEN);
        let text = "trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.05; done";
        let call = json!({"tool": "exec", "args": {"command": text, "background": true, "pty": true}}).to_string();
        let plain = world.command(&["exec", "-o", "json", "--session", "s1", &call]);
        let given = plain.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let mut started = std::process::Command::new("sh");
        started
            .args(["-c", &format!("{deaf}exec \"$@\""), "sh"])
            .arg(plain.get_program())
            .args(plain.get_args())
            .env_clear()
            .envs(given)
            .current_dir(plain.get_current_dir().unwrap())
            .stdin(std::process::Stdio::null());
        let got: Value = serde_json::from_slice(&started.output().unwrap().stdout).unwrap();
        let id = got["details"]["sessionId"].as_str().unwrap();
        world.until(id, "ready", |log| log.contains("ready"));
        world.process("send-keys", id, json!({"keys": ["C-c"]}));
        let end = world.until_ended(id);
        assert_eq!(end["details"]["exitCode"], 5, "{deaf}{end}");
    }
}

#[test]
fn ssh_is_driven_through_a_terminal() {
    let Some(server) = Server::start() else { return };
    drive(
        &server.terminal_client(),
        &[
            (
                "",
                json!({"literal": "echo over-$((6*7))", "keys": ["Enter"]}),
                "over-42",
            ),
            ("over-42", json!({"literal": "stty size", "keys": ["Enter"]}), "30 120"),
        ],
        &json!({"literal": "exit", "keys": ["Enter"]}),
    );
}
