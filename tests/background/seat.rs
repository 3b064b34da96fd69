//! Where a person sits: a terminal with a program of ours in it.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Where a person sits.
pub(crate) struct Seat {
    person: File,
    /// The other side, as the programs of the person find it.
    tty: File,
    before: Termios,
    seen: Arc<Mutex<Vec<u8>>>,
    pub(crate) program: Child,
}

impl Seat {
    /// Sits down before a terminal of this size in which this command runs.
    pub(crate) fn take(ours: &Command, columns: u16, rows: u16) -> Self {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
        let mut options = File::options();
        let options = options.read(true).write(true).custom_flags(nix::libc::O_NOCTTY);
        let tty = options.open(name).unwrap();
        let person = File::from(person);
        let before = tcgetattr(&tty).unwrap();
        // Whoever starts the tests in the background ignores the keys of a terminal; a person at one does not.
        let mut command = Command::new("env");
        command
            .args(["--default-signal=INT,QUIT", "setsid", "--ctty", "--wait"])
            .arg(ours.get_program())
            .args(ours.get_args());
        command
            .env_clear()
            .envs(ours.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(dir) = ours.get_current_dir() {
            command.current_dir(dir);
        }
        let stream = || Stdio::from(tty.try_clone().unwrap());
        command.stdin(stream()).stdout(stream()).stderr(stream());
        size(&person, columns, rows);
        let program = command.spawn().unwrap();
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
            program,
        }
    }

    /// All that was shown so far.
    pub(crate) fn shown(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap()).into_owned()
    }

    /// Waits until this was shown.
    #[track_caller]
    pub(crate) fn sees(&self, what: &str) {
        self.until(what, |shown| shown.contains(what));
    }

    /// Waits until what was shown is so.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, is_so: impl Fn(&str) -> bool) {
        for _ in 0..1500 {
            if is_so(&self.shown()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("{what} never came: {}", self.shown());
    }

    /// Presses a key that answers, and again every other moment, until it is so: a key that comes too soon behind a question
    /// or behind another key answers nothing.
    #[track_caller]
    pub(crate) fn presses_until(&mut self, key: &str, what: &str, is_so: impl FnMut(&Self) -> bool) {
        self.repeats(key, 100, what, is_so);
    }

    /// Presses a key that turns what is shown, until it is so.
    #[track_caller]
    pub(crate) fn turns_until(&mut self, key: &str, what: &str, is_so: impl FnMut(&Self) -> bool) {
        self.repeats(key, 10, what, is_so);
    }

    #[track_caller]
    fn repeats(&mut self, key: &str, looks: usize, what: &str, mut is_so: impl FnMut(&Self) -> bool) {
        for _ in 0..6000 / looks {
            self.person.write_all(key.as_bytes()).unwrap();
            for _ in 0..looks {
                if is_so(self) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        panic!("{what} never came of {key:?}: {}", self.shown());
    }

    /// Types when the terminal is the command's: what is typed before is thrown away.
    #[track_caller]
    pub(crate) fn types(&mut self, keys: &str) {
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

    /// Gives the terminal another size.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        size(&self.person, columns, rows);
    }

    /// Waits until the program has ended so, and the terminal is the person's again.
    #[track_caller]
    pub(crate) fn gives_back(&mut self, code: Option<i32>) {
        assert_eq!(self.program.wait().unwrap().code(), code, "{}", self.shown());
        let after = tcgetattr(&self.tty).unwrap();
        assert_eq!(format!("{after:?}"), format!("{:?}", self.before));
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // One that has ended needs no end.
        let _ = self.program.kill();
        let _ = self.program.wait();
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
