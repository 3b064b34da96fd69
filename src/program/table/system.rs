//! Processes, services, packages and the machine.

family! {
"
= ps
~ words
- a A d e f F g j l L m M N p: q: r s: t: T u: U: v V!help w x X y Z c C: G: H h k: n: o:!@ps-format O:!@ps-format aux auxf auxww ax axo:!@ps-format ef eo: efl ely pid: ppid: sort: forest headers
- no-headers no-heading cols: columns: rows: lines: width: format:!@ps-format user: User: group: Group: tty: sid: quick-pid: cumulative context deselect info version!help
- help::!help
. @ps-word*

= pgrep pidof
~ names
& f full n newest o oldest P parent u U x exact i ignore-case
- d|delimiter: l|list-name a|list-full v|inverse w|lightweight c|count f|full g|pgroup: G|group: i|ignore-case n|newest o|oldest O|older: P|parent: s|session:
- t|terminal: u|euid: U|uid: x|exact F|pidfile:!read L|logpidfile r|runstates: A|ignore-ancestors cgroup: ns: nslist: S|separator:!text q z h|help!help V|version!help
. text*

= pkill
~ whole words
- signal: q|queue: e|echo c|count f|full g|pgroup: G|group: i|ignore-case n|newest o|oldest O|older: P|parent: s|session: t|terminal: u|euid: U|uid: x|exact
- F|pidfile:!read L|logpidfile r|runstates: A|ignore-ancestors cgroup: ns: nslist: h|help!help V|version!help
- HUP INT QUIT KILL TERM USR1 USR2 STOP CONT SIGHUP SIGINT SIGQUIT SIGKILL SIGTERM SIGUSR1 SIGUSR2 SIGSTOP SIGCONT #
. text*

= killall
~ whole words
- e|exact I|ignore-case g|process-group y|younger-than: o|older-than: i|interactive l|list q|quiet r|regexp s|signal: u|user: v|verbose V|version!help w|wait n|ns:
- HUP INT QUIT KILL TERM USR1 USR2 STOP CONT SIGHUP SIGINT SIGQUIT SIGKILL SIGTERM SIGUSR1 SIGUSR2 SIGSTOP SIGCONT #
. text*

= kill
~ whole words
- s|signal: q|queue: l|list:: L|table n: h|help!help V|version!help # 0
- HUP INT QUIT KILL TERM USR1 USR2 STOP CONT SIGHUP SIGINT SIGQUIT SIGKILL SIGTERM SIGUSR1 SIGUSR2 SIGSTOP SIGCONT
. text*

= pstree
- a|arguments A|ascii c|compact-not C|color: g|show-pgids G|vt100 h|highlight-all H|highlight-pid: l|long n|numeric-sort N|ns-sort: p|show-pids s|show-parents
- S|ns-changes t|thread-names T|hide-threads u|uid-changes U|unicode V|version!help Z|security-context
. text

= top htop
- b|batch-mode c|cmdline-toggle d|delay: E|scale-summary-mem: e|scale-task-mem: H|threads-show i|idle-toggle n|iterations: O|list-fields o|sort-override:
- p|pid: S|accum-time-toggle s|secure-mode U|filter-any-user: u|filter-only-euser: w|width:: 1|single-cpu-toggle h|help!help V|version!help

= lsof
- a b C h!help K l n N P R t U v V X ?!help c: d: F:: g:: i:: L:: o:: p: r:: s:: S:: T:: u: w x: Q
- A:!load D:!ask k:!load m:!load z:: Z:: E f:: e:
. text*

= fuser
- a|all i|interactive I|inode l|list-signals m|mount: M|ismountpoint n|namespace: s|silent u|user v|verbose V|version!help 4|ipv4 6|ipv6 w k|kill!destroys
. text*

= vmstat iostat mpstat pidstat sar
- a|active f|forks n|one-header s|stats d|disk D|disk-sum p|partition: S|unit: w|wide t|timestamp y|no-first m|slabs
- a f m n s d D p: S: t w y x h c k z N u: r b P: V|version!help help!help
. text text

= lscpu lsblk lsusb lspci lsmem lshw blkid findmnt lsmod lsns lsipc lslocks
- hex B|bytes online
- a|all b|bytes c|offline C|caches:: d|nodeps D|discard e|exclude:!text f|fs i|ascii j|J|json l|list m|perms n|noheadings o|output:: O|output-all p|parse:: P|pairs r|raw s|sysroot:
- S|scsi t|topology T|tree:: x|extended:: y|physical z|zoned k v q short quiet h|help!help V|version!help
. text*

= mount
- l|show-labels t|types: h|help!help V|version!help

= dmesg
- c|read-clear!ask C|clear!ask D|console-off!ask E|console-on!ask n|console-level:!ask f|facility: H|human J|json k|kernel L|color:: l|level: P|nopager p|force-prefix r|raw
- S|syslog s|buffer-size: u|userspace w|follow W|follow-new x|decode d|show-delta e|reltime T|ctime t|notime time-format: since: until: h|help!help V|version!help F:!read

= journalctl
- after-cursor: dump-catalog interval:
- a|all all b|boot:: c|cursor: D|directory:!read e|pager-end f|follow F|field: g|grep:!text case-sensitive:: h|help!help i|file:!read k|dmesg l|full m|merge M|machine: n|lines::
- N|fields no-full no-hostname no-pager no-tail o|output: output-fields: p|priority: facility: q|quiet r|reverse root: S|since: U|until: t|identifier: T|exclude-identifier:!text
- u|unit: user-unit: utc user system x|catalog show-cursor list-boots disk-usage list-catalog verify header version!help no-hostname namespace: truncate-newline
- vacuum-size:!destroys vacuum-time:!destroys vacuum-files:!destroys rotate!ask flush!ask sync!ask cursor-file:!write update-catalog!ask setup-keys!ask
. text*

= systemctl
~ whole global
- job-mode: legend: no-reload no-wall preset-mode: show-transaction T what: check-inhibitors: i marked
- a|all all now no-pager l|full t|type: state: p|property: P: q|quiet n|lines: o|output: user system failed no-legend plain value r|recursive reverse after before show-types
- s|signal: kill-who: kill-whom: no-block wait dry-run h|help!help version!help with-dependencies no-ask-password timestamp:
- H|host:!ask M|machine:!ask root:!ask runtime!ask f|force!ask image:!ask
> status show cat is-active is-enabled is-failed list-units list-unit-files list-timers list-sockets list-dependencies list-jobs list-machines list-paths help get-default
  . text*
> show-environment is-system-running
> start stop restart reload try-restart reload-or-restart kill reset-failed isolate
  ~ daemon ask
> enable disable mask unmask edit set-property link preset daemon-reload daemon-reexec set-environment unset-environment import-environment switch-root
  ~ daemon ask
> reboot poweroff halt suspend hibernate rescue emergency default exit kexec soft-reboot
  ~ daemon destroys ask

= service
> --status-all
. @name {status}

= timedatectl hostnamectl localectl loginctl
> status show list-timezones list-sessions list-users list-locales
  - no-pager
  . text*

= crontab fcrontab incrontab
- l u:

= apt apt-cache
~ whole global
- q|quiet:: no-pager a|all-versions n|names-only f|full installed upgradable manual-installed v|verbose i|important V|version!help h|help!help
> list search show policy showsrc depends rdepends pkgnames madison dotty stats unmet dump
  . text*
> install remove purge autoremove update upgrade full-upgrade dist-upgrade edit-sources satisfy source download changelog build-dep clean autoclean reinstall
  ~ writes connects ask

= apt-get aptitude
~ writes connects ask

= apt-file apt-mark
> search list show find showmanual showauto showhold
  . text*

= dpkg dpkg-query
- l|list L|listfiles s|status S|search p|print-avail W|show f|showformat: get-selections C|audit V|verify print-architecture print-foreign-architectures
- compare-versions no-pager help!help version!help admindir:!read root:!ask
. text*

= dpkg-deb
- I|info c|contents f|field W|show
. read text*

= rpm rpmdb rpmquery
~ ask

= brew
> list ls info home search desc deps uses outdated config doctor leaves --version --prefix --cellar
  - formula cask versions full-name 1 json:: installed v|verbose q|quiet pinned tree
  . text*
> install uninstall upgrade update services tap untap link unlink cleanup reinstall bundle edit create
  ~ writes connects ask

= snap flatpak
~ runner
> list info find search version
  . text*

= pacman dnf dnf5 yum microdnf zypper emerge xbps-install eopkg nala pkg port tdnf
~ ask

= apk
> info list search version policy dot
  - a|all v|verbose q|quiet installed I|installed e|exact d|description w s W|who-owns L|contents R|depends
  . text*
> add del update upgrade fix cache
  ~ writes connects ask

= ulimit
- a S H c d e f i l m n p q r s t u v x
. text

= last lastlog
- p|present: s|since: t|until: d|dns f|file:!read F|fulltimes i|ip n|limit: R|nohostname a|hostlast w|fullnames time-format: x|system
- # a d F i w x R n: t: u: h|help!help V|version!help
. text*

= lsb_release
- i|id d|description r|release c|codename a|all s|short v|version h|help!help

= locale
- a|all-locales m|charmaps c|category-name k|keyword-name v|verbose help!help V|version!help
. text*

= nvidia-smi
- L|list-gpus q|query i|id: d|display: l|loop:: query-gpu: query-compute-apps: format: h|help!help x|xml-format f|filename:!write+writes
. {topo,nvlink,pmon,dmon} text*

= ldconfig
- p|print-cache V|version!help help!help

= sysctl
- d|deprecated dry-run A X x o
- a|all n|values e|ignore N|names q|quiet r|pattern:!text b|binary h|help!help V|version!help w|write!ask p|load::!ask system!ask
. @name*

= getent
- i|no-idn s|service: A|no-addrconfig ?|help!help V|version!help
. {passwd,group,hosts,ahosts,ahostsv4,ahostsv6,services,protocols,networks,netgroup,rpc,ethers,aliases,initgroups} text*

= openssl
~ words
> version
  - a b c d e f m o p r s v
> rand
  - hex base64 out:!write+writes rand:!read
  . number
> dgst md5 sha1 sha224 sha256 sha384 sha512
  - md5 sha1 sha224 sha256 sha384 sha512 sha3-256 sha3-512 blake2b512 blake2s256 r c hex binary d list hmac: mac: macopt: verify:!read prverify:!read signature:!read sign:!read
  - out:!write+writes keyform: sigopt: xoflen: passin:
  . read*
> x509
  - in:!read out:!write+writes noout text subject issuer dates startdate enddate serial fingerprint sha1 sha256 md5 pubkey modulus hash subject_hash issuer_hash email purpose
  - checkend: checkhost: checkip: inform: outform: nameopt: certopt: ext: ocsp_uri alias nocert trustout
> verify
  - CAfile:!read CApath:!read untrusted:!read trusted:!read crl_check crl_check_all verbose show_chain partial_chain no-CApath no-CAfile x509_strict verify_hostname: purpose: CRLfile:!read
  . read*
> asn1parse
  - in:!read inform: i offset: length: dump dlimit: strparse: noout out:!write+writes
> ciphers
  - v V s tls1 tls1_1 tls1_2 tls1_3 stdname convert: ciphersuites: psk srp
  . text
> s_client
  ~ connects
  - connect:!connect host: port: servername: noservername showcerts CAfile:!read CApath:!read tls1 tls1_1 tls1_2 tls1_3 brief quiet verify: verify_return_error status alpn: starttls:
  - prexit ign_eof no_ign_eof verify_hostname: cipher: ciphersuites: proxy: debug msg state nbio crlf 4 6 timeout xmpphost: name:
> base64
  - in:!read out:!write+writes d e a A
> passwd
  - 1 5 6 apr1 salt: stdin noverify quiet table
  . text*
> prime
  - hex generate bits: safe checks:
  . text*
> list
  - commands digest-commands cipher-commands digest-algorithms cipher-algorithms public-key-algorithms disabled objects select: 1 verbose
> genrsa
  ~ writes
  - out:!write F4 3 f4 traditional verbose primes: rand:!read aes128 aes256 passout:
  . number
> genpkey
  ~ writes
  - out:!write algorithm: pkeyopt: outform: aes256 quiet text pass:
> rsa pkey ec
  - in:!read out:!write+writes pubin pubout noout text modulus check inform: outform: passin: passout: aes256 conv_form: param_out
> crl
  - in:!read noout text inform: outform: issuer lastupdate nextupdate hash fingerprint CAfile:!read out:!write+writes
> enc
  - in:!read out:!write+writes e d a base64 A p P salt nosalt S: K: iv: k: pass: md: pbkdf2 iter: nopad none v debug aes-256-cbc aes-128-cbc aes-256-ctr chacha20 list ciphers
> speed req ca ts cms smime pkcs7 pkcs8 pkcs12 pkeyutl rsautl engine s_server ocsp srp storeutl sess_id spkac crl2pkcs7 nseq dhparam dsa dsaparam ecparam gendsa pkeyparam rehash fipsinstall mac kdf info cmp
  ~ ask
> help
  . @name*

= gpg gpg2
~ whole keys
- verify!target list-keys!target k!target list-public-keys!target K!target list-secret-keys!target list-sigs!target list-signatures!target check-sigs!target check-signatures!target print-md|print-mds|fingerprint|verify-files!target version!help help!help h!help
- dump-options show-keys!target list-packets!target with-colons with-fingerprint with-subkey-fingerprint with-keygrip fixed-list-mode keyid-format: list-options: verify-options: batch
- no-tty q|quiet v|verbose status-fd: logger-fd: no-default-keyring no-auto-check-trustdb trust-model: utc no-greeting no-secmem-warning with-key-data
- homedir:!config options:!config keyring:!read
. @moded*

= gpgv
- keyring:!read q|quiet v|verbose status-fd: logger-fd: homedir:!config o|output:!write+writes
. read*

= pass op bw vault
~ ask runner

= tmux screen
~ runner
> ls list-sessions
  - F:!@tmux-format f:!@tmux-format
> list-windows lsw list-panes lsp
  - a s t: F:!@tmux-format f:!@tmux-format
> has-session has
  - t:
> capture-pane capturep
  - p t: e S: E: J
> attach attach-session a new new-session send-keys send run run-shell if if-shell pipe-pane source source-file respawn-pane respawn-window split-window new-window neww set-option set bind kill-server kill-session
  ~ daemon ask
" examples "
+ ps aux
+ ps -ef
+ ps -eo pid,cmd --sort=-%cpu
+ pgrep -fa node
+ pkill -f 'node server'
+ pkill -9 node
+ kill -9 123
+ kill -TERM 123
+ kill 123 456
+ lsof -i :8080
+ lsof -nP -iTCP -sTCP:LISTEN
+ journalctl -u nginx -n 50 --no-pager
+ systemctl status nginx
+ systemctl --user list-units
+ apt list --installed
+ apt-cache policy git
+ dpkg -l
+ brew list
+ openssl version
+ openssl rand -hex 16
+ openssl x509 -in c.pem -noout -text
+ openssl dgst -sha256 a
+ openssl s_client -connect example.org:443 -servername example.org
+ gpg --list-keys
+ gpg --verify a.sig a
+ free -h
+ tmux ls
+ crontab -l
? apt install x
? apt-get install x
? systemctl restart nginx
? systemctl edit x
? systemctl -H h status
? journalctl --setup-keys
? crontab f
? crontab -e
? lsof -A x
? openssl pkeyutl -engine ./e
? openssl dgst -engine ./e a
? openssl s_server -accept 1
? openssl pkcs8 -out x
? openssl rand -writerand x 1
? openssl x509 -in a -provider-path . -provider x
? gpg --decrypt a
? gpg a.gpg
? gpg .envrc.gpg
? gpg --edit-key a
? gpg --homedir d -k
? gpg --import a
? tmux new-session id
? tmux run-shell id
? tmux ls -F '#(id)'
? tmux ls -F '#{E:@x}'
+ tmux list-panes -F '#{pane_id}'
? sysctl kernel/core_pattern=x
? sysctl kernel.modprobe=x
? service ../x status
+ sysctl vm.swappiness
? sysctl -w kernel.core_pattern=x
? sysctl kernel.core_pattern=x
? dpkg -i x.deb
? dpkg --root=x -l
? mount /dev/x /mnt
? service ../x start
? dmesg -C
? pass show x
? rpm --eval x
? rpm -i x
? brew install x
";
}
