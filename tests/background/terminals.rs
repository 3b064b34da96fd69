//! Real programs, driven through a terminal.

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

/// A server for this user alone, on a port of its own.
struct Server {
    dir: tempfile::TempDir,
    process: std::process::Child,
    port: u16,
}

impl Server {
    fn start() -> Option<Self> {
        if !installed("ssh") || !std::path::Path::new("/usr/sbin/sshd").exists() {
            eprintln!("skipped: no ssh server is installed");
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        for name in ["host", "key"] {
            let made = std::process::Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f", &at(name)])
                .status()
                .unwrap();
            assert!(made.success());
        }
        std::fs::copy(at("key.pub"), at("authorized")).unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let public = std::fs::read_to_string(at("host.pub")).unwrap();
        std::fs::write(at("known"), format!("[127.0.0.1]:{port} {public}")).unwrap();
        let settings = [
            format!("Port {port}"),
            "ListenAddress 127.0.0.1".to_owned(),
            format!("HostKey {}", at("host")),
            format!("AuthorizedKeysFile {}", at("authorized")),
            format!("PidFile {}", at("pid")),
            "StrictModes no".to_owned(),
            "UsePAM no".to_owned(),
            "PasswordAuthentication no".to_owned(),
            "PermitRootLogin yes".to_owned(),
        ];
        std::fs::write(at("config"), settings.join("\n") + "\n").unwrap();
        // Where it separates its privileges, it wants this directory.
        let _ = std::fs::create_dir_all("/run/sshd");
        let process = std::process::Command::new("/usr/sbin/sshd")
            .args(["-D", "-e", "-f", &at("config")])
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let server = Self { dir, process, port };
        for _ in 0..600 {
            if std::net::TcpStream::connect(("127.0.0.1", server.port)).is_ok() {
                return Some(server);
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        panic!("the server does not listen");
    }

    fn client(&self) -> String {
        let at = |name: &str| self.dir.path().join(name).to_str().unwrap().to_owned();
        format!(
            "ssh -F none -tt -p {} -i {} -o UserKnownHostsFile={} -o IdentitiesOnly=yes 127.0.0.1 sh",
            self.port,
            at("key"),
            at("known")
        )
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn ssh_is_driven_through_a_terminal() {
    let Some(server) = Server::start() else { return };
    drive(
        &server.client(),
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
