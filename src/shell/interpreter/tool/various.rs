//! Tools with a few options that run something.

use super::super::program::exec_operand;
use super::super::{Operand, Row, TOOL};
use crate::shell::option::{Abbreviation, Dash};

pub(super) static ROWS: &[Row] = &[
    Row {
        names: &[
            "strip",
            "install",
            "logrotate",
            "cpio",
            "7z",
            "unzip",
            "dd",
            "tcpdump",
            "openssl",
            "gpg",
            "gpg2",
            "systemctl",
            "journalctl",
            "ip",
            "apt",
            "apt-get",
            "dpkg",
            "brew",
            "gem",
            "pip",
            "easy_install",
            "terraform",
            "ansible",
            "ansible-playbook",
            "nmap",
            "busctl",
            "socat",
            "nc",
            "ncat",
            "netcat",
            "crontab",
        ],
        spec: "strip-program:!run rsh-command:!run z:!ask postrotate-command:!run to-command:!run engine:!load provider-path:!load photo-viewer:!run agent-program:!run dirmngr-program:!run pinentry-program:!run \
               o:!opt option:!opt config-file:!config pager: p: import-module: script:!run e:!run exec:!run c:!ask sh-exec:!run lua-exec:!run no-pager pre-invoke:!run plugin-dir:!load H: netns:!ask",
        dash: Dash::Word,
        abbreviation: Abbreviation::None,
        operand: Operand::Each(exec_operand),
        accepts: &[
            "unzip x.zip",
            "pip install -r requirements.txt",
            "apt list",
            "dd if=a of=b",
            "systemctl status x",
            "openssl version",
        ],
        refuses: &[
            "install --strip-program=x a b",
            "tcpdump -z x",
            "nmap --script=x y",
            "nc -e sh h 1",
            "ncat --exec sh h 1",
            "socat EXEC:sh -",
            "apt-get -o APT::Update::Pre-Invoke::=x update",
            "gpg --agent-program x",
            "openssl req -engine ./x",
        ],
        ..TOOL
    },
    Row {
        names: &[
            "pandoc", "pdflatex", "latex", "tex", "xelatex", "lualatex", "fzf", "bat", "delta", "protoc", "jq", "yq",
            "cmake", "sdiff", "gs",
        ],
        spec: "shell-escape!run enable-write18!run lua-filter:!code F:!run filter:!run diff-program:!run preview:!run bind:!run pager:!run library-path:!load L:!load \
               E:!cmake P:!run plugin:!run dNOSAFER!run arg: o: output: C: S: B: G: D:",
        dash: Dash::Word,
        abbreviation: Abbreviation::None,
        accepts: &[
            "jq -r .a f",
            "pandoc x.md",
            "cmake --build b",
            "jq .version package.json",
            "fzf -f x",
            "cmake -S . -B b",
        ],
        refuses: &[
            "pdflatex --shell-escape x",
            "pdflatex -shell-escape x",
            "pandoc --lua-filter=x y",
            "pandoc -F x y",
            "fzf --preview x",
            "bat --pager=x f",
            "protoc --plugin=x y",
            "jq -L /x y",
            "cmake -E env x",
            "cmake -P x.cmake",
            "sdiff --diff-program=x a b",
        ],
        ..TOOL
    },
];
