//! Searching, comparing and patching files, and paging through them.

family! {
"
= grep egrep fgrep zgrep bzgrep xzgrep zstdgrep ggrep
~ data sure descends
& *
- E|extended-regexp F|fixed-strings G|basic-regexp P|perl-regexp e|regexp:!text f|file:!read i|ignore-case y no-ignore-case w|word-regexp x|line-regexp
- z|null-data s|no-messages v|invert-match m|max-count: b|byte-offset n|line-number line-buffered H|with-filename h|no-filename label: o|only-matching
- q|quiet|silent binary-files: a|text I d|directories:!recursive D|devices: r|recursive!recursive R|dereference-recursive!recursive+follows include:!text exclude:!text exclude-from:!read exclude-dir:!text
- L|files-without-match!names l|files-with-matches!names c|count T|initial-tab Z|null B|before-context: A|after-context: C|context: group-separator: no-group-separator
- color:: colour:: U|binary # help!help V|version!help
. read*

= rg ripgrep
~ whole data sure searches
& s S i w x F v U P e f g glob iglob t T hidden no-hidden . no-ignore no-ignore-vcs u L follow d max-depth j 0 sort sortr color no-messages no-config m max-filesize z a
- A|after-context: auto-hybrid-regex no-auto-hybrid-regex B|before-context: binary no-binary block-buffered no-block-buffered b|byte-offset no-byte-offset
- s|case-sensitive color: colors: column no-column C|context: context-separator: no-context-separator c|count count-matches crlf no-crlf debug dfa-size-limit:
- E|encoding: no-encoding engine:: field-context-separator: field-match-separator: f|file:!read files!names l|files-with-matches!names files-without-match!names F|fixed-strings
- no-fixed-strings L|follow!follows no-follow generate:!{man,complete-bash,complete-zsh,complete-fish,complete-powershell} g|glob: glob-case-insensitive
- no-glob-case-insensitive heading no-heading .|hidden no-hidden hyperlink-format: iglob: i|ignore-case ignore-file:!read ignore-file-case-insensitive
- no-ignore-file-case-insensitive include-zero no-include-zero v|invert-match no-invert-match json no-json line-buffered no-line-buffered n|line-number
- N|no-line-number x|line-regexp M|max-columns: max-columns-preview no-max-columns-preview m|max-count: d|max-depth|maxdepth: max-filesize: mmap no-mmap U|multiline
- no-multiline multiline-dotall no-multiline-dotall no-config no-ignore ignore no-ignore-dot ignore-dot no-ignore-exclude ignore-exclude no-ignore-files
- ignore-files no-ignore-global ignore-global no-ignore-messages ignore-messages no-ignore-parent ignore-parent no-ignore-vcs ignore-vcs no-messages messages
- no-require-git require-git no-unicode unicode 0|null null-data one-file-system no-one-file-system o|only-matching passthru|passthrough path-separator:
- P|pcre2 no-pcre2 pcre2-version p|pretty q|quiet regex-size-limit:!text e|regexp:!text r|replace:!text z|search-zip no-search-zip S|smart-case sort: sortr: sort-files
- stats no-stats stop-on-nonmatch a|text no-text j|threads: trace trim no-trim t|type: T|type-not: type-add: type-clear: type-list u|unrestricted vimgrep
- H|with-filename I|no-filename w|word-regexp no-pcre2-unicode pcre2-unicode pre-glob: pre:!run hostname-bin:!run h|help!help V|version!help
. read*

= ag ack ack-grep
~ whole searches
& i Q s w hidden G
- ackmate A|after: B|before: c|count color nocolor color-line-number: color-match: color-path: C|context: column filename nofilename H|heading noheading
- l|files-with-matches!names L|files-without-matches!names print-all-files 0|null|print0 numbers nonumbers o|only-matching print-long-lines passthrough silent stats
- stats-only vimgrep a|all-types D|debug depth: f|follow!follows nofollow F|fixed-strings g: G|file-search-regex:!text hidden i|ignore-case ignore:!text ignore-dir:!text
- literal m|max-count: Q n|norecurse one-device p|path-to-ignore:!read s|case-sensitive S|smart-case search-binary t|all-text u|unrestricted U|skip-vcs-ignores
- v|invert-match w|word-regexp W|width: z|search-zip k|known-types type: help!help version!help js py rust go html css json yaml md ruby java cpp cc ts
. read*

= fd fdfind
~ whole lists names searches
& H hidden no-hidden I no-ignore no-ignore-vcs u s i g glob F fixed-strings a absolute-path L follow p 0 d max-depth min-depth exact-depth E exclude t type e extension S changed-within changed-before o j max-results 1
- H|hidden no-hidden I|no-ignore ignore no-ignore-vcs ignore-vcs no-ignore-parent no-global-ignore-file no-require-git u|unrestricted s|case-sensitive
- i|ignore-case g|glob regex F|fixed-strings and: a|absolute-path l|list-details L|follow!follows p|full-path 0|print0 d|max-depth: min-depth: exact-depth: E|exclude:!text
- prune t|type: e|extension: S|size: changed-within|newer: changed-before|older: o|owner: format: batch-size: ignore-file:!read c|color: hyperlink:: j|threads:
- max-results: 1 q|quiet show-errors base-directory:!dir path-separator: search-path: strip-cwd-prefix:: one-file-system|mount|xdev ignore-contain:!text
- x|exec:!run X|exec-batch:!run gen-completions:: h|help!help V|version!help
. text*

= locate plocate mlocate
~ lists
- A|all b|basename c|count d|database:!read e|existing i|ignore-case l|limit|n: N|literal 0|null r|regexp regex w|wholename h|help!help V|version!help
. text*

= which
~ lists names
& a s
- a s all
. text*

= whereis
~ lists
- b m s u l h|help!help V|version!help
. text*

= file
- d|debug p|preserve-date
- b|brief c|checking-printout e|exclude:!text exclude-quiet:!text f|files-from:!read+listed F|separator:!text i|mime apple extension mime-type mime-encoding k|keep-going l|list
- L|dereference h|no-dereference n|no-buffer N|no-pad 0|print0 P|parameter: r|raw s|special-files m|magic-file:!config z!run Z!run help!help v|version!help
. read*

= diff gdiff
~ data
- normal q|brief s|report-identical-files c C|context:: u U|unified:: e|ed n|rcs y|side-by-side W|width: left-column suppress-common-lines p|show-c-function
- F|show-function-line: L|label: t|expand-tabs T|initial-tab tabsize: suppress-blank-empty r|recursive!follows no-dereference N|new-file unidirectional-new-file
- P ignore-file-name-case no-ignore-file-name-case x|exclude:!text X|exclude-from:!read S|starting-file: from-file:!read to-file:!read i|ignore-case
- E|ignore-tab-expansion Z|ignore-trailing-space b|ignore-space-change w|ignore-all-space B|ignore-blank-lines I|ignore-matching-lines:!text a|text
- strip-trailing-cr D|ifdef: line-format: old-line-format: new-line-format: unchanged-line-format: old-group-format: new-group-format: unchanged-group-format:
- changed-group-format: d|minimal horizon-lines: speed-large-files color:: palette: # help!help v|version!help
. read*

= colordiff
- q|brief s|report-identical-files c u U|unified:: y|side-by-side W|width: r|recursive N|new-file i|ignore-case b|ignore-space-change w|ignore-all-space
- B|ignore-blank-lines color: fakeexitcode help!help v|version!help
. read*

= cmp
- b|print-bytes i|ignore-initial:!text l|verbose n|bytes: s|quiet|silent help!help v|version!help
. read read text text

= diff3
- A|show-all e|ed E|show-overlap 3|easy-only x|overlap-only X i m|merge a|text strip-trailing-cr T|initial-tab L|label: diff-program:!run help!help v|version!help
. read read read

= sdiff
- o|output:!write+writes i|ignore-case E|ignore-tab-expansion Z|ignore-trailing-space b|ignore-space-change W|ignore-all-space B|ignore-blank-lines
- I|ignore-matching-lines:!text strip-trailing-cr a|text w|width: l|left-column s|suppress-common-lines t|expand-tabs tabsize: d|minimal H|speed-large-files
- diff-program:!run help!help v|version!help
. read read

= diffstat
- C c e: E: f: F: h i: k K l m n: N: o:!write+writes O: p: P q r: R s S: t T u v w: V!help
. read*

= jq gojq jaq
~ whole data
- c|compact-output n|null-input e|exit-status s|slurp r|raw-output j|join-output raw-output0 R|raw-input C|color-output M|monochrome-output S|sort-keys tab
- a|ascii-output indent: unbuffered stream stream-errors seq binary b arg:2 argjson:2 slurpfile:2!read rawfile:2!read args jsonargs f|from-file!load L|library-path:!load
- build-configuration h|help!help V|version!help
. @jq read*

= yq
~ whole plain
- a|arrays b|binary c|compact-output C|colors color-output M|no-colors monochrome-output e|exit-status expression:!@yq from-file:!load f!load front-matter:!{extract,process} header-preprocess
- i|inplace|in-place!in-place+writes I|indent: p|input-format: o|output-format: P|prettyPrint n|null-input N|no-doc s!ask slurp r|unwrapScalar:: S|sort-keys v|verbose
- j|tojson y|yaml-output Y|yaml-roundtrip w|width: x|xml-output t|toml-output xml-root: raw-output tab arg:2 argjson:2 string-interpolation:: nul-output 0
- h|help!help V|version!help
. change+@yq*

= xmllint
~ words
- noout format pretty: xpath: schema:!read relaxng:!read html valid!load noblanks nowarning recover c14n encode: dropdtd nonet huge noent!ask version!help
- output:!write+writes o:!write+writes
. read*

= tidy
~ words
- errors e q quiet i indent utf8 raw xml asxml asxhtml version!help help!help
. read*

= less more most pg
- file-size follow-name incsearch line-num-width: mouse MOUSE no-keypad rscroll: save-marks status-col-width: use-backslash wheel-lines:
- a|search-skip-screen A|SEARCH-SKIP-SCREEN b: B c d e|quit-at-eof E|QUIT-AT-EOF f|force F|quit-if-one-screen g G h: i|ignore-case I|IGNORE-CASE j: J K L
- m|long-prompt M|LONG-PROMPT n|line-numbers N|LINE-NUMBERS p|pattern:!@line q|quiet Q|QUIET r|raw-control-chars R|RAW-CONTROL-CHARS s|squeeze-blank-lines
- S|chop-long-lines u U V|version!help w W x: X|no-init y: z: use-color no-histdups # help!help ?!help
. +/>@line +G>{} +F>{} +>@digits read*

= wdiff dwdiff
- 1 2 3 n|no-common a s|statistics i|ignore-case h|help!help v|version!help
. read read

= patch
~ writes ask
- posix quoting-style: read-only: reject-format:
- p|strip: i|input:!read o|output:!write d|directory:!dir R|reverse N|forward n|normal c|context u|unified E|remove-empty-files f|force t|batch s|quiet|silent
- dry-run verbose b|backup z|suffix:!@suffix F|fuzz: l|ignore-whitespace T Z r|reject-file:!write binary no-backup-if-mismatch backup-if-mismatch merge:: v|version!help help!help
. write read
" examples "
+ grep -rn 'TODO' src
+ grep -E 'a|b' x --include='*.rs'
+ grep -rniE --color=auto x .
+ grep -A3 -B2 x f
+ grep -5 x f
+ rg -n x src -g '*.rs' --type rust
+ rg --files -g '*.rs'
+ rg -e x --pre-glob '*'
+ rg -uu -l x
+ fd -e rs -t f
+ fdfind . src -d 2
+ which git cargo
+ file -b --mime-type a
+ diff -u a b
+ diff -rq a b
+ diff -y -W 80 a b
+ diff -U3 a b
+ diff --color=always a b
+ cmp a b
+ jq -r '.a | .[]' x.json
+ jq -c --arg a b .x f
+ jq -n --argjson a 1 x
+ yq '.a' x.yaml
+ yq -o=json . x.yaml
+ yq eval '.a' x.yaml
+ yq e -i '.a = 1' x.yaml
+ less -R a
+ diffstat -p1
+ xmllint --noout --format a.xml
? grep --odd x
? rg --pre x y
? rg --pre=./x y
? rg --hostname-bin=x y
? rg --pr x y
? fd -x touch y
? fd -Hx touch
? fd --exec y
? fd x -X rm
? file -m magic x
? file -z a.gz
? file -C
? diff -l a b
? diff --pag a b
? diff3 --diff-program=./x a b c
? diff3 --diff-prog=./x a b c
? sdiff --diff-program=./x a b
? jq -L lib . x
+ jq .import f
+ jq '.a | import_it' f
+ jq -n '[inputs]' k.json
+ jq -n env
+ jq -r .
? jq -n 'import \"config\" as $d {search:\"/x\"}; $d'
? jq -n 'include \"m\"; f'
? jq -n '  include \"m\"; f'
? jq -n 'module {a:1}; import \"c\" as $d; $d'
? jq -n '\"c\" | modulemeta'
? jq -n -f p.jq
? jq --from-file p.jq f
? jq -nf p.jq
? gojq -n 'import \"c\" as $d; $d'
? yq 'eval(\"lo\" + \"ad(1)\")' f
? yq --expression 'load(\"/x\")' f
? yq --from-file p f
? xmllint --valid x.xml
? jq -nL lib 'import \"a\" as a; 1'
? less '+!id' x
? less '+s/x' f
? less '+|^id' f
? less +v f
? less +Gv f
+ less +G f
+ less +/x f
? xmllint --noent x.xml
? yq -s .a f
? yq -n 'load_str(\"/x\")'
? less -k f x
? less -o f x
? ag --pager ./x y
? patch -e -p1
? patch --ed
? patch -p1
? locate --odd
";
}
