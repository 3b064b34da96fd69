//! The GNU core utilities that read and print, and their kin of the util-linux and BSD packages.

family! {
"
= @gnu
- help!help version!help

# Called by its own name, it runs any of them.
= coreutils
~ multi-call run

= ls dir vdir
~ lists names here
& a all A almost-all 1 c d directory f u t S X U v r reverse R recursive color group-directories-first sort time H L dereference h human-readable I ignore hide B ignore-backups
- a|all A|almost-all author b|escape block-size: B|ignore-backups c C color:: d|directory D|dired f F classify:: file-type format: full-time g
- group-directories-first G|no-group h|human-readable si H|dereference-command-line dereference-command-line-symlink-to-dir hide: hyperlink::
- indicator-style: i|inode I|ignore:!text k|kibibytes l L|dereference m n|numeric-uid-gid N|literal o p q|hide-control-chars show-control-chars
- Q|quote-name quoting-style: r|reverse R|recursive s|size S sort: time: time-style: t T|tabsize: u U v w|width: x X Z|context zero 1
- @gnu
. read*

= cat
~ data
- A|show-all b|number-nonblank e E|show-ends n|number s|squeeze-blank t T|show-tabs u v|show-nonprinting
- @gnu
. read*

= tac
~ data
- b|before r|regex s|separator:!text
- @gnu
. read*

= head
~ data names
& n lines q quiet z zero-terminated #
- c|bytes: n|lines: q|quiet|silent v|verbose z|zero-terminated #
- @gnu
. read*

= tail
~ data names
& n lines q quiet z zero-terminated #
- c|bytes: f follow:: F n|lines: max-unchanged-stats: pid: q|quiet|silent retry s|sleep-interval: v|verbose z|zero-terminated debug #
- @gnu
. read*

= wc
~ data names
& c bytes m chars l lines L max-line-length w words
- c|bytes m|chars l|lines files0-from:!read+listed L|max-line-length w|words total: debug
- @gnu
. read*

= nl
~ data
- b|body-numbering: d|section-delimiter: f|footer-numbering: h|header-numbering: i|line-increment: l|join-blank-lines: n|number-format:
- p|no-renumber s|number-separator: v|starting-line-number: w|number-width:
- @gnu
. read*

= sort gsort
~ plain data names
& b d f g i h k key m M n R r reverse s stable t field-separator u unique V z zero-terminated
- b|ignore-leading-blanks d|dictionary-order f|ignore-case g|general-numeric-sort i|ignore-nonprinting M|month-sort h|human-numeric-sort
- n|numeric-sort R|random-sort random-source:!read r|reverse sort: V|version-sort batch-size: c check:: C debug files0-from:!config k|key: m|merge
- s|stable S|buffer-size: t|field-separator: parallel: u|unique z|zero-terminated
- o|output:!write+writes T|temporary-directory:!write+writes compress-program:!run
- @gnu
. read*

= uniq
~ plain data names
& c count d repeated D f i ignore-case s u unique w z
- c|count d|repeated D all-repeated:: f|skip-fields: group:: i|ignore-case s|skip-chars: u|unique z|zero-terminated w|check-chars: #
- @gnu
. read write+writes

= cut
~ data
- b|bytes: c|characters: d|delimiter: f|fields: n complement s|only-delimited output-delimiter: z|zero-terminated
- @gnu
. read*

= tr
~ data
- c|C|complement d|delete s|squeeze-repeats t|truncate-set1
- @gnu
. text text

= paste
~ data
- d|delimiters: s|serial z|zero-terminated
- @gnu
. read*

= join
- a: e: i|ignore-case j: o: t: v: 1: 2: check-order nocheck-order header z|zero-terminated
- @gnu
. read read

= comm
- 1 2 3 check-order nocheck-order output-delimiter: total z|zero-terminated
- @gnu
. read read

= fold
~ data
- b|bytes s|spaces w|width: c|characters #
- @gnu
. read*

= fmt
~ data
- c|crown-margin p|prefix: s|split-only t|tagged-paragraph u|uniform-spacing w|width: g|goal: #
- @gnu
. read*

= expand unexpand
- i|initial a|all first-only t|tabs: #
- @gnu
. read*

= od
~ data
- traditional
- A|address-radix: endian: j|skip-bytes: N|read-bytes: S|strings:: t|format: v|output-duplicates w|width:: a b c d f i l o s x
- @gnu
. read*

= pr
- a|across c|show-control-chars d|double-space D|date-format: F|f|form-feed h|header:!text J|join-lines l|length: m|merge N|first-line-number:
- o|indent: r|no-file-warnings s|separator:: S|sep-string:: t|omit-header T|omit-pagination v|show-nonprinting w|width: W|page-width:
- columns: pages: e:: i:: n:: #
- @gnu
. read*

= sha256sum sha1sum sha224sum sha384sum sha512sum md5sum b2sum
~ data
- a|algorithm: b|binary c|check l|length: tag t|text z|zero ignore-missing quiet status strict w|warn
- @gnu
. read*

= cksum sum
~ data
- a|algorithm: b|base64 c|check l|length: raw r s|sysv tag untagged z|zero ignore-missing quiet status strict w|warn debug
- @gnu
. read*

= shasum
~ whole
- a|algorithm: b|binary c|check 0|01 t|text U|UNIVERSAL s|status ignore-missing q|quiet strict w|warn tag h|help!help v|version!help
. read*

= base64 base32
~ data
- d|D|decode i|ignore-garbage w|wrap: 
- @gnu
. read

= basenc
- base64 base64url base58 base32 base32hex base16 base2msbf base2lsbf d|decode i|ignore-garbage w|wrap: z85
- @gnu
. read

= basename
~ lists names
& a s z
- a|multiple s|suffix: z|zero
- @gnu
. text*

= dirname
~ lists names
& z
- z|zero
- @gnu
. text*

= realpath
~ lists names
& e E m L P q s z relative-to
- e|canonicalize-existing E|canonicalize m|canonicalize-missing L|logical P|physical q|quiet relative-to: relative-base: s|strip|no-symlinks z|zero
- @gnu
. text*

= readlink
~ lists
& n z
- f|canonicalize!names e|canonicalize-existing!names m|canonicalize-missing n|no-newline q|quiet s|silent v|verbose z|zero
- @gnu
. text*

= pathchk
~ lists
- p P portability
- @gnu
. text*

= stat
~ lists
- L|dereference f|file-system cached: c|format: printf: t|terse
- @gnu
. text*

= du
~ lists names here
& a b c d h k m s max-depth summarize
- 0|null a|all apparent-size B|block-size: b|bytes c|total D|dereference-args d|max-depth: files0-from:!read H h|human-readable inodes k L|dereference
- l|count-links m P|no-dereference S|separate-dirs si s|summarize t|threshold: time:: time-style: X|exclude-from:!read exclude:!text x|one-file-system A
- @gnu
. text*

= df
~ lists
- a|all B|block-size: h|human-readable H|si i|inodes k l|local no-sync output:: P|portability sync total t|type: T|print-type x|exclude-type:!text v
- @gnu
. text*

= seq
~ names
& s w #
- f|format: s|separator:!text w|equal-width #
- @gnu
. text text text

= date gdate
~ silent names
& u I R
- d|date: debug f|file:!config I|iso-8601:: resolution R|rfc-email|rfc-822|rfc-2822 rfc-3339: r|reference:!read s|set:!ask u|utc|universal|uct
- @gnu
. +>text

= factor
- h|exponents
- @gnu
. text*

= numfmt
- debug d|delimiter: field: format: from: from-unit: grouping header:: invalid: padding: round: suffix: to: to-unit: unit-separator: z|zero-terminated
- @gnu
. text*

= tsort
- @gnu
. read

= shuf
~ plain
- e|echo i|input-range: n|head-count: o|output:!write+writes random-source:!read r|repeat z|zero-terminated
- @gnu
. read*

= ptx
- G|traditional
- A|auto-reference F|flag-truncation: M|macro-name: O|format: R|right-side-refs S|sentence-regexp:!text T W|word-regexp:!text b|break-file:!read f|ignore-case
- g|gap-size: i|ignore-file:!read o|only-file:!read r|references t|typeset-mode w|width:
- @gnu
. read*

= yes echo printf true false test [ expr
~ texts silent

= sleep
~ silent
- @gnu
. text*

= id
~ names
& g G n r u
- a Z|context g|group G|groups n|name r|real u|user z|zero
- @gnu
. text*

= groups whoami users logname hostid nproc tty
- all ignore:!text s|silent|quiet
- @gnu
. text

= who
- a|all b|boot d|dead H|heading ips l|login lookup m p|process q|count r|runlevel s|short t|time T|w|mesg u|users message writable
- @gnu
. read text

= w
- h|no-header u|no-current s|short f|from o|old-style i|ip-addr p|pids t|terminal help!help V|version!help
. text

= uname
~ names
& *
- a|all s|kernel-name n|nodename r|kernel-release v|kernel-version m|machine p|processor i|hardware-platform o|operating-system
- @gnu

= hostname
~ whole names
& d f i I s
- a|alias A|all-fqdns d|domain f|fqdn|long i|ip-address I|all-ip-addresses s|short y|yp|nis h|help!help V|version!help

= uptime
- p|pretty h|help!help s|since r|raw V|version!help c|container

= printenv
~ silent
- 0|null
- @gnu
. text*

= pwd
~ silent names
& *
- L|logical P|physical
- @gnu

= sync
- d|data f|file-system
- @gnu
. text*

= column
~ data
- t|table n|table-name: O|table-order: N|table-columns: l|table-columns-limit: E|table-noextreme: d|table-noheadings e|table-header-repeat
- H|table-hide: R|table-right: T|table-truncate: W|table-wrap: C|table-column: L|keep-empty-lines J|json r|tree: i|tree-id: p|tree-parent: m|table-maxout
- c|output-width: o|output-separator: s|separator:!text x|fillrows S|use-spaces: K|table-header-as-columns color:: wrap-separator: h|help!help V|version!help
. read*

= rev
~ data
- 0|zero h|help!help V|version!help
. read*

= hexdump hd
- b|one-byte-octal X|one-byte-hex c|one-byte-char C|canonical d|two-bytes-decimal o|two-bytes-octal x|two-bytes-hex L|color:: e|format: f|format-file:!read
- n|length: s|skip:!text v|no-squeezing h|help!help V|version!help
. read*

= xxd
~ plain words data
- a|autoskip b|bits C|capitalize c|cols: E|EBCDIC e g|groupsize: h|help!help i|include l|len: n|name: o|offset: p|ps|postscript|plain r|revert R: d s|seek:
- u|uppercase v|version!help
. read write+writes

= strings
- a|all d|data f|print-file-name n|bytes: t|radix: w|include-all-whitespace o T|target: e|encoding: U|unicode: s|output-separator: # h|help!help v|V|version!help
. @>config read*

= look
- a|alternative d|alphanum f|ignore-case t|terminate: h|help!help V|version!help
. text read

= cal ncal
~ words
- 1 3 # A: B: h j J m: N y b C d: e M o p s: w S H: n|months: monday sunday julian year week:: color::
. text text text

= free
- b|bytes kilo mega giga tera peta k|kibi m|mebi g|gibi tebi pebi h|human si l|lohi L|line t|total v|committed s|seconds: c|count: w|wide help!help V|version!help

= bc
- h|help!help i|interactive l|mathlib q|quiet s|standard w|warn v|version!help e|expression: f|file:!read S|scale:
. read*

= dc
~ commands
- e|expression:!code f|file:!code h|help!help V|version!help

= tree
~ whole lists here
- a d f l x L: R P: I: gitignore gitfile:!read ignore-case matchdirs metafirst prune info infofile:!read noreport charset: filelimit: q N Q p u g s h si du D
- timefmt: F inodes device v t c U r dirsfirst filesfirst sort:: i A S n C X J H: T: nolinks hintro:!read houtro:!read fromfile fromtabfile fflinks
- o:!write+writes help!help version
. text*

= mountpoint
~ lists
- d|fs-devno q|quiet nofollow x|devno h|help!help V|version!help
. text

= namei
~ lists
- h|help!help V|version!help x|mountpoints m|modes o|owners l|long n|nosymlinks v|vertical Z|context
. text*

= getconf
- a v:
. text text

= ts
- r s i m
. text

= sponge
~ writes
- a
. write

= pv
~ whole
- p|progress t|timer e|eta I|fineta r|rate a|average-rate b|bytes T|buffer-percent A|last-written: F|format: n|numeric q|quiet W|wait D|delay-start: s|size: l|line-mode
- 0|null i|interval: w|width: H|height: N|name: f|force c|cursor L|rate-limit: B|buffer-size: C|no-splice E|skip-errors S|stop-at-size h|help!help V|version!help
. read*
" examples "
+ ls -la --color=auto src
+ ls -1 -t | head
+ cat -n a.txt b.txt
+ head -20 a
+ head -n -3 a
+ tail -n +5 -f log
+ tail -5 log
+ wc -l a b
+ sort -rnk2 -t, a
+ sort -o out in
+ uniq -c
+ uniq in out
+ cut -d: -f1,3- x
+ tr -d '\\r'
+ tr a-z A-Z
+ paste -sd, -
+ sha256sum -c sums
+ base64 -d x
+ basename a/b.txt .txt
+ stat -c %s a
+ du -sh .
+ df -h /
+ seq 1 10
+ seq -w 1 2 9
+ date +%s
+ date -u -d yesterday '+%F %T'
+ printf '%s\\n' a b
+ hostname -f
+ echo --odd -n
+ test -f a
+ [ -f a ]
+ expr 1 + 2
+ uname -a
+ tree -L 2 -I node_modules
+ xxd -l 16 a
+ column -t -s,
+ od -An -tx1 a
? sort --compress-program=./x a
? sort --compress-prog=./x a
? uniq in out more
? date -s tomorrow
? date 010100002026
? hostname evil
? hostname -F f
? tail --odd
? ls --odd
? cut --odd
? dc -e '!id'
? dc -f x
? tree --odd
? comm a b c
? tr a b c
? base64 a b
";
}
