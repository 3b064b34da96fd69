//! Wrappers that do more: another identity, another root, files of their own, or a command that cannot be told.

use super::{BASE, Tail, Wrapper};
use crate::shell::option::Order;

pub(super) static ROWS: &[Wrapper] = &[
    Wrapper {
        names: &["sandbox-exec"],
        spec: "f:!ask n:!ask p:!ask D:!ask",
        always: "identity",
        refuses: &["sandbox-exec -f p x", "sandbox-exec -p p x", "sandbox-exec x"],
        ..BASE
    },
    Wrapper {
        names: &[
            "arch", "setarch", "linux32", "linux64", "xcrun", "i386", "x86_64", "uname26",
        ],
        spec: "",
        tail: Tail::Opaque,
        refuses: &["arch -x86_64 x", "setarch i686 x", "xcrun x"],
        ..BASE
    },
    Wrapper {
        names: &["script"],
        spec: "a|append c:|command:!shell e|return f|flush F force q|quiet E:|echo: I:|log-in:!write O:|log-out:!write \
               B:|log-io:!write T:|log-timing:!write t::|timing::!write m:|logging-format: o:|output-limit: h|help!help V|version!help",
        tail: Tail::OptionOnly,
        order: Order::Mixed,
        always: "write",
        refuses: &[
            "script -qec 'x' /dev/null",
            "script -c x",
            "script -q /dev/null x",
            "script",
        ],
        ..BASE
    },
    Wrapper {
        names: &["strace", "ltrace"],
        spec: "c C d f ff F h|help!help i k n q|qq|qqq r t T tt ttt v V!help w x xx y yy z Z A A: a:|columns: b: D DD DDD e:|trace: E:!ask \
               I: L o:|output:!write O: p:|attach:!alone P: s:|string-limit: S: u:|user:!identity U: X: l:!ask",
        always: "ask",
        refuses: &[
            "strace x",
            "strace -o f x",
            "strace -f -e trace=open x",
            "ltrace -l lib x",
            "strace -p 1",
        ],
        ..BASE
    },
    Wrapper {
        names: &["unshare", "nsenter"],
        spec: "i::|ipc:: m::|mount:: n::|net:: p::|pid:: u::|uts:: U::|user:: C::|cgroup:: T::|time:: f|fork r|map-root-user c|map-current-user \
               R:|root: w::|wd:: S:|setuid: G:|setgid: t:|target: a|all F|no-fork mount-proc:: kill-child:: keep-caps map-user: map-group: \
               map-users: map-groups: map-auto propagation: setgroups: monotonic: boottime: preserve-credentials e|env Z|follow-context h|help!help V|version!help",
        always: "identity",
        refuses: &[
            "unshare -r x",
            "unshare --map-root-user x y",
            "nsenter -t 1 -m x",
            "unshare --odd x",
        ],
        ..BASE
    },
    Wrapper {
        names: &["chroot"],
        spec: "groups: userspec: skip-chdir help!help version!help",
        operands: 1,
        always: "identity",
        refuses: &["chroot /d x", "chroot --userspec=u /d x y", "chroot /d"],
        ..BASE
    },
    Wrapper {
        names: &["sudo"],
        spec: "A|askpass!ask b|background B|bell C:|close-from: D:|chdir: E|preserve-env:: e|edit!alone g:|group: H|set-home h:|host: i|login!startup \
               K|remove-timestamp!alone k|reset-timestamp l|list!alone n|non-interactive P|preserve-groups p:|prompt: R:|chroot: r:|role: \
               S|stdin s|shell!startup T:|command-timeout: t:|type: U:|other-user: u:|user: V|version!help v|validate!alone help!help",
        tail: Tail::Assignments,
        always: "identity",
        refuses: &["sudo x", "sudo -u root x y", "sudo -n A=1 x", "sudo -i", "sudo -l"],
        ..BASE
    },
    Wrapper {
        names: &[
            "doas",
            "runuser",
            "setpriv",
            "gosu",
            "su-exec",
            "capsh",
            "pkexec",
            "start-stop-daemon",
            "systemd-run",
            "firejail",
            "bwrap",
            "runcon",
            "newgrp",
            "sg",
            "su",
            "at",
            "batch",
            "dtach",
            "tmux",
            "screen",
            "daemonize",
            "cgexec",
            "numactl",
            "schroot",
        ],
        spec: "",
        tail: Tail::Opaque,
        always: "identity",
        refuses: &[
            "doas x",
            "su -c x",
            "setpriv --reuid 1 x",
            "pkexec x",
            "systemd-run x",
            "tmux new x",
        ],
        ..BASE
    },
    Wrapper {
        names: &[
            "run-parts",
            "parallel",
            "entr",
            "watchexec",
            "xvfb-run",
            "valgrind",
            "perf",
            "rlwrap",
            "hyperfine",
            "multitime",
            "cpulimit",
            "trickle",
            "torsocks",
            "torify",
            "proxychains",
            "proxychains4",
            "tsocks",
            "s6-setuidgid",
            "chpst",
            "softlimit",
            "setlock",
            "setuidgid",
            "envdir",
            "envuidgid",
            "pgrphack",
            "dumb-init",
            "tini",
            "expect",
        ],
        spec: "",
        tail: Tail::Opaque,
        always: "ask",
        refuses: &[
            "run-parts d",
            "parallel x ::: a",
            "entr x",
            "valgrind x",
            "chpst -u u x",
            "hyperfine x",
        ],
        ..BASE
    },
];
