//! A person's own terminal becomes that of a command, and is theirs again whatever happens.

use crate::world::*;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Where a person sits.
struct Seat {
    person: File,
    /// The other side, as the programs of the person find it.
    tty: File,
    before: Termios,
    seen: Arc<Mutex<Vec<u8>>>,
    attach: Child,
}

impl Seat {
    /// Sits down before a terminal of this size and attaches to a command.
    fn take(world: &World, id: &str, columns: u16, rows: u16) -> Self {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
        let mut options = File::options();
        let options = options.read(true).write(true).custom_flags(nix::libc::O_NOCTTY);
        let tty = options.open(name).unwrap();
        let person = File::from(person);
        size(&person, columns, rows);
        let before = tcgetattr(&tty).unwrap();
        let toolctl = world.command(&["process", "attach", id, "--session", "s1"]);
        let mut command = Command::new("setsid");
        command
            .args(["--ctty", "--wait"])
            .arg(toolctl.get_program())
            .args(toolctl.get_args());
        command
            .env_clear()
            .envs(toolctl.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.current_dir(world.path("work"));
        command.stdin(tty.try_clone().unwrap()).stdout(tty.try_clone().unwrap());
        let attach = command.stderr(Stdio::from(tty.try_clone().unwrap())).spawn().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (mut from, into) = (person.try_clone().unwrap(), Arc::clone(&seen));
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count) = from.read(&mut buffer) {
                into.lock().unwrap().extend_from_slice(&buffer[..count]);
            }
        });
        Self {
            person,
            tty,
            before,
            seen,
            attach,
        }
    }

    #[track_caller]
    fn sees(&self, what: &str) {
        for _ in 0..1500 {
            if String::from_utf8_lossy(&self.seen.lock().unwrap()).contains(what) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!(
            "{what} never came: {}",
            String::from_utf8_lossy(&self.seen.lock().unwrap())
        );
    }

    /// Types when the terminal is the command's: what is typed before is thrown away.
    #[track_caller]
    fn types(&mut self, keys: &str) {
        for _ in 0..1500 {
            if self.is_raw() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(self.is_raw());
        self.person.write_all(keys.as_bytes()).unwrap();
    }

    fn is_raw(&self) -> bool {
        let modes = tcgetattr(&self.tty).unwrap().local_modes;
        !modes.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Waits until the terminal is the person's again.
    #[track_caller]
    fn gives_back(mut self, code: Option<i32>) {
        assert_eq!(self.attach.wait().unwrap().code(), code);
        let after = tcgetattr(&self.tty).unwrap();
        assert_eq!(format!("{after:?}"), format!("{:?}", self.before));
    }
}

fn size(person: &File, columns: u16, rows: u16) {
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(person, size).unwrap();
}

const SHELL: &str = "bash --norc --noprofile";

#[test]
fn a_terminal_is_a_commands_until_the_key_that_leaves_it() {
    let world = World::new(OPEN);
    let id = world.start(SHELL, true);
    let mut seat = Seat::take(&world, &id, 90, 20);
    // Who started it, and what let it run.
    for told in [&id, SHELL, "session s1", "security: full", "C-] leaves it"] {
        seat.sees(told);
    }
    seat.types("stty size; echo $((6*7))\r");
    seat.sees("20 90");
    seat.sees("42\r");
    // Keys are the program's: this one ends what runs in it, and not what is attached.
    seat.types("sh -c 'echo sta''rted; exec sleep 1000'\r");
    seat.sees("started");
    seat.types("\u{3}");
    seat.sees("^C");
    seat.types("echo $((6*8))\r");
    seat.sees("48\r");
    size(&seat.person, 61, 17);
    for _ in 0..600 {
        seat.types("stty size\r");
        std::thread::sleep(Duration::from_millis(50));
        if String::from_utf8_lossy(&seat.seen.lock().unwrap()).contains("17 61") {
            break;
        }
    }
    seat.sees("17 61");
    seat.types("\u{1d}echo never\r");
    seat.sees("left; it goes on");
    seat.gives_back(Some(0));
    // It has the size again that it has where nobody is attached.
    assert_eq!(
        world.process("poll", &id, serde_json::json!({}))["details"]["status"],
        "running"
    );
    let sent = world.process("write", &id, serde_json::json!({"data": "stty size\n"}));
    assert_eq!(sent["details"]["status"], "running", "{sent}");
    let log = world.until(&id, "its usual size", |log| log.contains("30 120"));
    assert!(!log.contains("never"), "{log}");
}

#[test]
fn a_terminal_is_given_back_when_the_command_ends() {
    let world = World::new(OPEN);
    let id = world.start(SHELL, true);
    let mut seat = Seat::take(&world, &id, 80, 24);
    seat.sees("C-] leaves it");
    seat.types("printf '\\033[?1049h\\033[?25lbye-%s' $((6*7)); exit 3\r");
    seat.sees("bye-42");
    // What it drew is taken back: the main screen, and a cursor.
    seat.sees("\u{1b}[?1049l\u{1b}[?25h");
    seat.gives_back(Some(0));
    assert_eq!(world.until_ended(&id)["details"]["exitCode"], 3);
}

#[test]
fn a_terminal_is_given_back_when_who_is_attached_is_ended() {
    let world = World::new(OPEN);
    let id = world.start(SHELL, true);
    let mut seat = Seat::take(&world, &id, 80, 24);
    seat.types("echo $((6*7))\r");
    seat.sees("42\r");
    let attach = i32::try_from(seat.attach.id()).unwrap();
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(attach), nix::sys::signal::Signal::SIGTERM).unwrap();
    seat.gives_back(Some(130));
    assert_eq!(
        world.process("poll", &id, serde_json::json!({}))["details"]["status"],
        "running"
    );
}

#[test]
fn a_terminal_is_given_back_when_the_process_of_the_command_is_killed() {
    let world = World::new(OPEN);
    let id = world.start(SHELL, true);
    let supervisor = world.supervisor();
    let mut seat = Seat::take(&world, &id, 80, 24);
    seat.types("echo $((6*7))\r");
    seat.sees("42\r");
    kill(supervisor);
    seat.gives_back(Some(0));
}

#[test]
fn who_runs_below_a_call_is_not_attached() {
    let world = World::new(OPEN);
    let id = world.start(SHELL, true);
    let toolctl = env!("CARGO_BIN_EXE_toolctl");
    let config = world.path("config.yaml");
    let inside = format!(
        "{toolctl} process attach {id} --session s1 --isolated --config {}; echo status $?",
        config.display()
    );
    std::fs::write(world.path("work/inside.sh"), inside).unwrap();
    let got = world.call("exec", serde_json::json!({"command": "sh inside.sh", "pty": true}));
    assert!(
        text(&got).contains("status 3") && text(&got).contains("approve-command"),
        "{got}"
    );
}
