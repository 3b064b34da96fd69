//! Programs that run another program.

family! { wrapping
"
= env
~ leading cache-any
- i|ignore-environment!clear 0|null v|debug!ask u:!unset unset:!unset C|chdir:!dir S|split-string:!split default-signal:: ignore-signal:: block-signal:: list-signal-handling a|argv0:!rename help!help version!help
. assignments argv?

= nice
~ leading
- n|adjustment: priority: # help!help version!help
. argv

# Without a terminal nothing is written but what the command prints; with one, `nohup.out`.
= nohup
~ leading
- help!help version!help
. argv

# Some versions take no number: what is none may be the command.
= timeout
~ leading
- foreground preserve-status v|verbose p k|kill-after: s|signal: f help!help version!help
. number argv

= stdbuf
~ leading
- i|input: o|output: e|error: help!help version!help
. argv

= time gtime
~ leading
- p|portability v|verbose q|quiet l a|append h f|format: o|output:!write V|version!help help!help
. argv

= setsid
~ leading
- c|ctty!ask f|fork w|wait h|help!help V|version!help
. argv

= ionice
~ leading
- c|class: n|classdata: t|ignore p|pid:!alone P|pgid:!alone u|uid:!alone h|help!help V|version!help
. argv?

= chrt
~ leading
- b|batch d|deadline f|fifo i|idle o|other r|rr R|reset-on-fork v|verbose a|all-tasks m|max!help T|sched-runtime: P|sched-period: D|sched-deadline: p|pid!alone h|help!help V|version!help
. number argv

= taskset
~ leading
- a|all-tasks c|cpu-list p|pid!alone h|help!help V|version!help
. number argv

= choom
~ leading
- n|adjust: p|pid:!alone h|help!help V|version!help
. argv

= prlimit
~ leading
- p|pid:!alone o|output: noheadings raw verbose h|help!help V|version!help c|core:: d|data:: e|nice:: f|fsize:: i|sigpending:: l|memlock:: m|rss:: n|nofile:: q|msgqueue:: r|rtprio:: s|stack:: t|cpu:: u|nproc:: v|as:: x|locks:: y|rttime::
. argv

= catchsegv dbus-run-session fakeroot eatmydata unbuffer ccache sccache distcc chronic ifne proot
~ leading cache-home
. argv

= caffeinate
~ leading
- d i m s u t: w:
. argv

= flock
~ leading
- s|shared x|e|exclusive u|unlock n|nb|nonblock F|no-fork o|close w|wait|timeout: E|conflict-exit-code: verbose c|command:!sh h|help!help V|version!help
. write locked

= xargs gxargs
~ leading cache-any
- 0|null a|arg-file:!read d|delimiter: E: e|eof:: I:!placeholder i|replace::!placeholder L:!lines l|max-lines::!lines n|max-args:!batch P|max-procs: o|open-tty p|interactive r|no-run-if-empty s|max-chars: show-limits t|verbose x|exit process-slot-var:!ask help!help version!help
. fed

# Words of the expression stand where options do; `-exec` and its kin are read by themselves.
= find gfind
~ works words whole names cache-any
& H L P depth d mount xdev warn nowarn noleaf empty executable false nogroup nouser readable true writable print print0 prune quit a and o or not follow maxdepth mindepth regextype amin anewer atime cmin cnewer ctime fstype gid group ilname iname inum ipath iregex iwholename links lname mmin mtime name newer path perm regex samefile size type uid used user wholename xtype
- H L P daystart depth d help ignore_readdir_race mount noignore_readdir_race noleaf version xdev warn nowarn empty executable false nogroup nouser readable true writable print print0 prune quit ls a and o or not follow sparse
- D: maxdepth:!number mindepth:!number regextype: amin:!number anewer: atime:!number cmin:!number cnewer: context: ctime:!number fstype: gid:!number group: ilname: iname: inum:!number ipath: iregex: iwholename: links:!number lname: mmin:!number mtime:!number name: newer: path: perm: regex: samefile: size:!number type: uid:!number used:!number user: wholename: xtype: printf:
- fprint:!write fprint0:!write fls:!write fprintf:2!write delete!remove files0-from:!ask exec!argv execdir!argv ok!argv okdir!argv
. expression

= watch
~ leading
- b|beep c|color C|no-color d|differences:: e|errexit g|chgexit n|interval: p|precise q|equexit: r|no-rerun s|shotsdir:!write t|no-title w|no-wrap x|exec!ask h|help!help v|version!help
. joined

= busybox toybox
~ multi-call
. applet

= ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld64.so.2 ld64.so.1
~ leading
- list!help verify inhibit-cache!ask library-path:!ask glibc-hwcaps-prepend:!ask glibc-hwcaps-mask:!ask inhibit-rpath:!ask audit:!ask preload:!ask argv0:!rename list-tunables!help list-diagnostics!help help!help version!help
. argv

= command
~ builtin leading
- p!rename v!help V!help
. argv?

= exec
~ builtin leading
- c!clear l!startup a:!rename
. argv?

= builtin
~ builtin leading
. builtin?

= noglob nocorrect
~ builtin ask
. untold

# What follows changes who the command is, what it can reach, or cannot be told from the arguments.
= sandbox-exec
~ leading identity
- f:!ask n:!ask p:!ask D:!ask
. argv

= arch setarch linux32 linux64 xcrun i386 x86_64 uname26
. untold

= script
- a|append c|command:!sh e|return f|flush F force q|quiet E|echo: I|log-in:!write O|log-out:!write B|log-io:!write T|log-timing:!write t|timing::!write m|logging-format: o|output-limit: h|help!help V|version!help
. session

= strace ltrace
~ leading ask
- c C d f ff F h|help!help i k n q|qq|qqq r t T tt ttt v V!help w x xx y yy z Z A a|columns: b: D DD DDD e|trace: E:!ask I: L o|output:!write O: p|attach:!alone P: s|string-limit: S: u|user:!identity U: X: l:!ask
. argv

= unshare nsenter
~ leading identity
- i|ipc:: m|mount:: n|net:: p|pid:: u|uts:: U|user:: C|cgroup:: T|time:: f|fork r|map-root-user c|map-current-user R|root: w|wd:: S|setuid: G|setgid: t|target: a|all F|no-fork mount-proc:: kill-child:: keep-caps map-user: map-group: map-users: map-groups: map-auto propagation: setgroups: monotonic: boottime: preserve-credentials e|env Z|follow-context h|help!help V|version!help
. argv

= chroot
~ leading identity
- groups: userspec: skip-chdir help!help version!help
. text argv

= sudo
~ leading identity
- A|askpass!ask b|background B|bell C|close-from: D|chdir: E|preserve-env:: e|edit!alone g|group: H|set-home h|host: i|login!startup K|remove-timestamp!alone k|reset-timestamp l|list!alone n|non-interactive P|preserve-groups p|prompt: R|chroot: r|role: S|stdin s|shell!startup T|command-timeout: t|type: U|other-user: u|user: V|version!help v|validate!alone help!help
. assignments argv

= doas runuser setpriv gosu su-exec capsh pkexec start-stop-daemon systemd-run firejail bwrap runcon newgrp sg su at batch dtach daemonize cgexec numactl schroot
~ identity
. untold

= run-parts parallel entr watchexec xvfb-run perf rlwrap hyperfine multitime cpulimit trickle torsocks torify proxychains proxychains4 tsocks s6-setuidgid chpst softlimit setlock setuidgid envdir envuidgid pgrphack dumb-init tini direnv ssh-agent systemd-inhibit systemd-cat systemd-nspawn machinectl pee mispipe zrun vipe lckdo run-one run-this-one keep-one-running apptainer singularity toolbox distrobox wine uftrace heaptrack coresched pipesz uclampset rtcwake timelimit faketime fakechroot aa-exec lxc lxc-attach lxc-execute incus runc crun mpirun mpiexec srun sbatch pssh pdsh xinit dbus-launch gio asciinema ttyrec aws-vault doppler dotenv dotenvx foreman honcho concurrently npm-run-all cross-env env-cmd
~ ask
. untold
" examples "
+ env x
+ env A=1 x -y
+ env -i A=1 x
+ env -u A -- x
+ env -uA x
+ env - x
+ env --unset=A x
+ env -S 'x y'
? env -C /d x
? env --argv0=z x
? env -v x
? env --wrong x
? env -S 'x $HOME'
? env -vS 'x y'
+ nice x
+ nice -n 5 x
+ nice -n5 x
+ nice -5 x
+ nice --adjustment=5 x
+ nice -n -5 x
? nice --weird x
? nice
+ nohup x
+ nohup -- x y
? nohup -x y
? nohup
+ timeout 5 x
+ timeout -k1 5 x
+ timeout -s KILL --foreground 5s x y
+ timeout --kill-after=1 5 x
+ timeout -vk 1 5 x
? timeout x y
? timeout -v x y
? timeout 5
? timeout --odd 5 x
? timeout
+ stdbuf -oL x
+ stdbuf -o L -e 0 x
+ stdbuf --output=L x
? stdbuf --odd x
? stdbuf -oL
+ time x
+ time -p x
+ time -f %e x
+ time -v x
+ time -o f x
+ time --output=f x
+ time -of x
? time -Z x
+ setsid x
+ setsid -w x
+ setsid --fork x
? setsid -c x
? setsid --odd x
? setsid
+ ionice -c 3 x
+ ionice -c3 -n7 -t x
+ ionice x
? ionice -p 1
? ionice --odd x
+ chrt -b 0 x
+ chrt -f 1 x
+ chrt --idle 0 x y
? chrt -o x y
? chrt -p 1 2
? chrt --odd 0 x
? chrt -o 0
+ taskset 1 x
+ taskset -c 0,1 x
+ taskset 0x3 x y
? taskset x y
? taskset -p 1
? taskset --odd 1 x
? taskset 1
+ choom -n 0 -- x
+ choom -n 100 x
? choom -p 1
? choom --odd x
+ prlimit -n64 x
+ prlimit --nofile=64 x y
? prlimit --pid 1
? prlimit --odd x
+ catchsegv x y
+ eatmydata x
? fakeroot -l lib x
? unbuffer -p x
? ccache -c
? chronic
+ caffeinate -i x
+ caffeinate -t 5 x
? caffeinate -z x
? caffeinate
+ flock /l x
+ flock -n /l x
+ flock /l -c 'x y'
+ flock 9
? flock --odd /l x
+ xargs -I{} -n1 x {}
+ xargs x
+ xargs -0 -n 1 x y
+ xargs -I{} x {}
+ xargs -P4 -r x
+ xargs
? xargs -I{} -n2 sh -c
? xargs -I{} -L1 sh
? xargs -I{} {} y
? xargs --process-slot-var=PATH x
? xargs --odd x
? xargs -I{} sh -c {}
? xargs sh -c
+ find . -name x
+ find a b -type f
+ find . -exec x {} +
+ find . -exec x {} ';'
+ find
+ find . ! -name x -print0
+ find -O3 . -newerct x
+ find . -delete
? find -L . -delete
? find . -follow -name x -delete
? script a b
+ find . -fprint f
+ find . -fls f
+ find . -fprintf f x
? find . -exec x
? find . -execdir x ';'
? find . -ok x ';'
? find -files0-from f
? find . -exec {} ';'
? find . -Odd
? find . -maxdepth x
? find . -unknown
+ watch x y
+ watch -n1 -t 'x y'
+ watch -d x
? watch -x x
? watch --odd x
? watch
+ busybox env x
+ toybox -- nice x
+ busybox
? busybox --install
? busybox -x
+ ld.so /usr/bin/x y
? ld.so --preload p /usr/bin/x
? ld.so --argv0 z /bin/x
? ld.so --library-path d /bin/x
? ld.so --odd x
+ command x y
+ command -- x
+ command -v x
+ command -V x
? command -p x
? command -q x
+ exec x y
+ exec -- x
+ exec -c x
? exec -a z x
? exec -l x
? exec -q x
+ builtin echo x
+ builtin -- cd d
? builtin -x y
? noglob x
? nocorrect x
? sandbox-exec -f p x
? sandbox-exec -p p x
? sandbox-exec x
? arch -x86_64 x
? setarch i686 x
? xcrun x
+ script -qec 'x' /dev/null
+ script -c x
? script -q /dev/null x
? script
? strace x
? strace -o f x
? strace -f -e trace=open x
? ltrace -l lib x
? strace -p 1
? unshare -r x
? unshare --map-root-user x y
? nsenter -t 1 -m x
? unshare --odd x
? chroot /d x
? chroot --userspec=u /d x y
? chroot /d
? sudo x
? sudo -u root x y
? sudo -n A=1 x
? sudo -i
? sudo -l
? doas x
? su -c x
? setpriv --reuid 1 x
? pkexec x
? systemd-run x
? run-parts d
? parallel x ::: a
? entr x
? chpst -u u x
? hyperfine x
? direnv exec ls x
? ssh-agent x
? uclampset x
? cross-env A=1 x
"; }
