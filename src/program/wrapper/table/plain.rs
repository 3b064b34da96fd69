//! Wrappers that run the command as it is, perhaps later, slower or several times.

use super::{BASE, Tail, Wrapper};

pub(super) static ROWS: &[Wrapper] = &[
    Wrapper {
        names: &["env"],
        spec: "i|ignore-environment!clear 0|null v|debug!ask u:|unset:!unset C:|chdir:!dir S:|split-string:!split \
               default-signal:: ignore-signal:: block-signal:: list-signal-handling a:|argv0:!name help!help version!help",
        tail: Tail::Assignments,
        accepts: &[
            "env x",
            "env A=1 x -y",
            "env -i A=1 x",
            "env -u A -- x",
            "env -uA x",
            "env - x",
            "env --unset=A x",
            "env -S 'x y'",
        ],
        refuses: &[
            "env -C /d x",
            "env --argv0=z x",
            "env -v x",
            "env --wrong x",
            "env -S 'x $HOME'",
            "env -vS 'x y'",
        ],
        ..BASE
    },
    Wrapper {
        names: &["nice"],
        spec: "n:|adjustment: priority: # help!help version!help",
        accepts: &[
            "nice x",
            "nice -n 5 x",
            "nice -n5 x",
            "nice -5 x",
            "nice --adjustment=5 x",
            "nice -n -5 x",
        ],
        refuses: &["nice --weird x", "nice"],
        ..BASE
    },
    Wrapper {
        names: &["nohup"],
        spec: "help!help version!help",
        // Without a terminal nothing is written but what the command prints; with one, `nohup.out`.
        accepts: &["nohup x", "nohup -- x y"],
        refuses: &["nohup -x y", "nohup"],
        ..BASE
    },
    Wrapper {
        names: &["timeout"],
        spec: "foreground preserve-status v|verbose p k:|kill-after: s:|signal: f help!help version!help",
        operands: 1,
        numbers: true,
        accepts: &[
            "timeout 5 x",
            "timeout -k1 5 x",
            "timeout -s KILL --foreground 5s x y",
            "timeout --kill-after=1 5 x",
            "timeout -vk 1 5 x",
        ],
        refuses: &[
            "timeout x y",
            "timeout -v x y",
            "timeout 5",
            "timeout --odd 5 x",
            "timeout",
        ],
        ..BASE
    },
    Wrapper {
        names: &["stdbuf"],
        spec: "i:|input: o:|output: e:|error: help!help version!help",
        accepts: &["stdbuf -oL x", "stdbuf -o L -e 0 x", "stdbuf --output=L x"],
        refuses: &["stdbuf --odd x", "stdbuf -oL"],
        ..BASE
    },
    Wrapper {
        names: &["time", "gtime"],
        spec: "p|portability v|verbose q|quiet l a|append h f:|format: o:|output:!write V|version!help help!help",
        accepts: &["time x", "time -p x", "time -f %e x", "time -v x"],
        refuses: &["time -o f x", "time --output=f x", "time -of x", "time -Z x"],
        ..BASE
    },
    Wrapper {
        names: &["setsid"],
        spec: "c|ctty!ask f|fork w|wait h|help!help V|version!help",
        accepts: &["setsid x", "setsid -w x", "setsid --fork x"],
        refuses: &["setsid -c x", "setsid --odd x", "setsid"],
        ..BASE
    },
    Wrapper {
        names: &["ionice"],
        spec: "c:|class: n:|classdata: t|ignore p:|pid:!alone P:|pgid:!alone u:|uid:!alone h|help!help V|version!help",
        accepts: &["ionice -c 3 x", "ionice -c3 -n7 -t x", "ionice x"],
        refuses: &["ionice -p 1", "ionice --odd x"],
        ..BASE
    },
    Wrapper {
        names: &["chrt"],
        spec: "b|batch d|deadline f|fifo i|idle o|other r|rr R|reset-on-fork v|verbose a|all-tasks m|max!help \
               T:|sched-runtime: P:|sched-period: D:|sched-deadline: p|pid!alone h|help!help V|version!help",
        operands: 1,
        numbers: true,
        accepts: &["chrt -b 0 x", "chrt -f 1 x", "chrt --idle 0 x y"],
        refuses: &["chrt -o x y", "chrt -p 1 2", "chrt --odd 0 x", "chrt -o 0"],
        ..BASE
    },
    Wrapper {
        names: &["taskset"],
        spec: "a|all-tasks c|cpu-list p|pid!alone h|help!help V|version!help",
        operands: 1,
        numbers: true,
        accepts: &["taskset 1 x", "taskset -c 0,1 x", "taskset 0x3 x y"],
        refuses: &["taskset x y", "taskset -p 1", "taskset --odd 1 x", "taskset 1"],
        ..BASE
    },
    Wrapper {
        names: &["choom"],
        spec: "n:|adjust: p:|pid:!alone h|help!help V|version!help",
        accepts: &["choom -n 0 -- x", "choom -n 100 x"],
        refuses: &["choom -p 1", "choom --odd x"],
        ..BASE
    },
    Wrapper {
        names: &["prlimit"],
        spec: "p:|pid:!alone o:|output: noheadings raw verbose h|help!help V|version!help c::|core:: d::|data:: e::|nice:: \
               f::|fsize:: i::|sigpending:: l::|memlock:: m::|rss:: n::|nofile:: q::|msgqueue:: r::|rtprio:: s::|stack:: \
               t::|cpu:: u::|nproc:: v::|as:: x::|locks:: y::|rttime::",
        accepts: &["prlimit -n64 x", "prlimit --nofile=64 x y"],
        refuses: &["prlimit --pid 1", "prlimit --odd x"],
        ..BASE
    },
    Wrapper {
        names: &[
            "catchsegv",
            "dbus-run-session",
            "fakeroot",
            "eatmydata",
            "unbuffer",
            "ccache",
            "sccache",
            "distcc",
            "chronic",
            "ifne",
            "proot",
        ],
        spec: "",
        accepts: &["catchsegv x y", "eatmydata x"],
        refuses: &["fakeroot -l lib x", "unbuffer -p x", "ccache -c", "chronic"],
        ..BASE
    },
    Wrapper {
        names: &["caffeinate"],
        spec: "d i m s u t: w:",
        accepts: &["caffeinate -i x", "caffeinate -t 5 x"],
        refuses: &["caffeinate -z x", "caffeinate"],
        ..BASE
    },
    Wrapper {
        names: &["flock"],
        spec: "s|shared x|e|exclusive u|unlock n|nb|nonblock F|no-fork o|close w:|wait:|timeout: E:|conflict-exit-code: \
               verbose c:|command:!shell h|help!help V|version!help",
        operands: 1,
        always: "write",
        refuses: &[
            "flock /l x",
            "flock -n /l x",
            "flock /l -c 'x y'",
            "flock 9",
            "flock --odd /l x",
        ],
        ..BASE
    },
    Wrapper {
        names: &["xargs", "gxargs"],
        spec: "0|null a:|arg-file:!read d:|delimiter: E: e::|eof:: I: i::|replace:: L: l::|max-lines:: n:|max-args: P:|max-procs: \
               o|open-tty p|interactive r|no-run-if-empty s:|max-chars: show-limits t|verbose x|exit process-slot-var:!ask help!help version!help",
        tail: Tail::Fed,
        accepts: &[
            "xargs -I{} -n1 x {}",
            "xargs x",
            "xargs -0 -n 1 x y",
            "xargs -I{} x {}",
            "xargs -P4 -r x",
            "xargs",
        ],
        refuses: &[
            "xargs -I{} -n2 sh -c",
            "xargs -I{} -L1 sh",
            "xargs -I{} {} y",
            "xargs --process-slot-var=PATH x",
            "xargs --odd x",
            "xargs -I{} sh -c {}",
            "xargs sh -c",
        ],
        ..BASE
    },
    Wrapper {
        names: &["find", "gfind"],
        spec: "",
        tail: Tail::Expression,
        accepts: &[
            "find . -name x",
            "find a b -type f",
            "find . -exec x {} +",
            "find . -exec x {} ';'",
            "find",
            "find . ! -name x -print0",
        ],
        refuses: &[
            "find . -delete",
            "find . -fprint f",
            "find . -fls f",
            "find . -fprintf f x",
            "find . -exec x",
            "find . -execdir x ';'",
            "find . -ok x ';'",
            "find -files0-from f",
            "find . -exec {} ';'",
        ],
        ..BASE
    },
    Wrapper {
        names: &["watch"],
        spec: "b|beep c|color C|no-color d::|differences:: e|errexit g|chgexit n:|interval: p|precise q:|equexit: r|no-rerun s:|shotsdir:!write \
               t|no-title w|no-wrap x|exec!ask h|help!help v|version!help",
        tail: Tail::Joined,
        accepts: &["watch x y", "watch -n1 -t 'x y'", "watch -d x"],
        refuses: &["watch -x x", "watch --odd x", "watch"],
        ..BASE
    },
    Wrapper {
        names: &["busybox", "toybox"],
        tail: Tail::Applet,
        accepts: &["busybox env x", "toybox -- nice x", "busybox"],
        refuses: &["busybox --install", "busybox -x"],
        ..BASE
    },
    Wrapper {
        names: &[
            "ld.so",
            "ld-linux.so.2",
            "ld-linux-x86-64.so.2",
            "ld-linux-aarch64.so.1",
            "ld-linux-armhf.so.3",
            "ld-musl-x86_64.so.1",
            "ld-musl-aarch64.so.1",
            "ld64.so.2",
            "ld64.so.1",
        ],
        spec: "list!help verify inhibit-cache!ask library-path:!ask glibc-hwcaps-prepend:!ask glibc-hwcaps-mask:!ask inhibit-rpath:!ask \
               audit:!ask preload:!ask argv0:!name list-tunables!help list-diagnostics!help help!help version!help",
        tail: Tail::File,
        accepts: &["ld.so /usr/bin/x y"],
        refuses: &[
            "ld.so --preload p /usr/bin/x",
            "ld.so --argv0 z /bin/x",
            "ld.so --library-path d /bin/x",
            "ld.so --odd x",
        ],
        ..BASE
    },
    Wrapper {
        names: &[
            "uv",
            "pipx",
            "poetry",
            "pipenv",
            "pdm",
            "rye",
            "conda",
            "mamba",
            "micromamba",
            "bundle",
            "bundler",
            "mise",
            "asdf",
            "rbenv",
            "pyenv",
            "nix",
            "devbox",
        ],
        spec: "q|quiet v|verbose n|no-interaction C:|directory:!dir project:!dir config-file:!ask help!help version!help",
        tail: Tail::Runner,
        accepts: &[
            "uv run pytest -q",
            "poetry install",
            "uv sync",
            "bundle exec rake",
            "pipenv run x",
            "uv",
        ],
        refuses: &[
            "uv run --with z x",
            "poetry -C d run x",
            "nix develop",
            "poetry shell",
            "uv tool run x",
        ],
        ..BASE
    },
    Wrapper {
        names: &["command"],
        spec: "p!name v!help V!help",
        builtin: true,
        accepts: &["command x y", "command -- x", "command -v x", "command -V x"],
        refuses: &["command -p x", "command -q x"],
        ..BASE
    },
    Wrapper {
        names: &["exec"],
        spec: "c!clear l!startup a:!name",
        builtin: true,
        accepts: &["exec x y", "exec -- x", "exec -c x"],
        refuses: &["exec -a z x", "exec -l x", "exec -q x"],
        ..BASE
    },
    Wrapper {
        names: &["builtin"],
        builtin: true,
        accepts: &["builtin echo x", "builtin -- cd d"],
        refuses: &["builtin -x y"],
        ..BASE
    },
    Wrapper {
        names: &["noglob", "nocorrect"],
        builtin: true,
        tail: Tail::Opaque,
        always: "ask",
        refuses: &["noglob x", "nocorrect x"],
        ..BASE
    },
];
