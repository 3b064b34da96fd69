//! Filters: programs that read standard input and write standard output, with the options under which they do nothing else.
//!
//! What is not listed is refused: other letters, abbreviations, operands. `-` is no operand.

family! {
"
= safe/cut
~ whole
- b|bytes:!@ranges c|characters:!@ranges f|fields:!@ranges d|delimiter:!@character s|only-delimited complement output-delimiter:!@plain
- z|zero-terminated n

= safe/grep
~ whole
- e|regexp:!@pattern+needed m|max-count:!@integer A|after-context:!@digits B|before-context:!@digits C|context:!@digits # i|y|ignore-case
- v|invert-match n|line-number c|count o|only-matching q|quiet|silent w|word-regexp x|line-regexp E|extended-regexp F|fixed-strings G|basic-regexp
- h|no-filename H|with-filename s|no-messages a|text b|byte-offset T|initial-tab Z|null U|binary L|files-without-match l|files-with-matches
- line-buffered no-ignore-case label:!@plain color|colour::!{always,never,auto} binary-files:!{binary,text,without-match} D|devices:!{read,skip}
- exclude:!@plain include:!@plain

= safe/head
~ whole
- n|lines:!@size c|bytes:!@size q|quiet|silent v|verbose z|zero-terminated #

= safe/sort
~ whole
- b|ignore-leading-blanks d|dictionary-order f|ignore-case g|general-numeric-sort i|ignore-nonprinting M|month-sort h|human-numeric-sort n|numeric-sort
- R|random-sort r|reverse s|stable u|unique V|version-sort z|zero-terminated c C m|merge debug k|key:!@sort-key t|field-separator:!@mark
- S|buffer-size:!@size parallel:!@digits batch-size:!@digits check::!{quiet,silent,diagnose-first}
- sort:!{general-numeric,human-numeric,month,numeric,random,version}

= safe/tail
~ whole
- n|lines:!@size c|bytes:!@size q|quiet|silent v|verbose z|zero-terminated s|sleep-interval:!@decimal pid:!@digits max-unchanged-stats:!@digits #

= safe/tr
~ whole
- c|C|complement d|delete s|squeeze-repeats t|truncate-set1
. text text?

= safe/uniq
~ whole
- c|count d|repeated D i|ignore-case u|unique z|zero-terminated f|skip-fields:!@digits s|skip-chars:!@digits w|check-chars:!@digits
- group::!{separate,prepend,append,both} all-repeated::!{none,prepend,separate}

= safe/wc
~ whole
- c|bytes m|chars l|lines w|words L|max-line-length total:!{auto,always,only,never}

# What takes a program as argument is never one, whatever a profile of the configuration says.
= safe/awk safe/gawk safe/mawk safe/nawk safe/sed safe/gsed
~ code

# Never one either, though its standard input is data.
= safe/jq
~ code data
" examples "
+ safe/cut -d : -f 1
+ safe/cut -d: -f1,2
+ safe/cut -d/ -f2
+ safe/cut -d ' ' -f2-
+ safe/cut -s -f1
+ safe/cut -sf1
+ safe/cut --complement -f1
+ safe/cut --fields=1 --delimiter=,
+ safe/cut -c1-3
+ safe/cut -d '' -f1
+ safe/cut -f1 -
? safe/cut -f1 x
? safe/cut -f1 -- x
? safe/cut -f
? safe/cut -b ./x
? safe/cut -f a
? safe/cut -d.. -f1
? safe/cut --output-delimiter=/x -f1
? safe/cut --delim=, -f1
? safe/cut -q
? safe/cut -5b 1
? safe/cut -f1 /x
+ safe/grep -e foo
+ safe/grep -i -e foo
+ safe/grep -ie x
+ safe/grep -m1 -e x
+ safe/grep --regexp=a
+ safe/grep -C 3 -e x
+ safe/grep -e '^a.*b'
+ safe/grep -c -e x -e y
+ safe/grep -nvE -e a
+ safe/grep -5 -e x
+ safe/grep --color=never -e x
? safe/grep foo
? safe/grep -r -e x
? safe/grep -f x
? safe/grep -fx
? safe/grep -vf x
? safe/grep --file=x
? safe/grep --fil=x
? safe/grep --binary x --binary y
? safe/grep --exclude-from=x -e y
? safe/grep -e x y
? safe/grep -e x -- y
? safe/grep -R -e x
? safe/grep -d recurse -e x
? safe/grep --directories=recurse -e x
? safe/grep -he
? safe/grep --ex x -e y
? safe/grep -P -e x
? safe/grep --regexp=/a/../b
? safe/grep -5e x
? safe/grep -z -e x
? safe/grep --regex x
+ safe/head
+ safe/head -n 3
+ safe/head -5
+ safe/head -20
+ safe/head --lines=3
+ safe/head -c 10
+ safe/head -qn3
+ safe/head -q -n 3
+ safe/head -n -5
+ safe/head -c 1K
+ safe/head -
+ safe/head -n1 -
? safe/head x
? safe/head -5c x
? safe/head -9999c x
? safe/head -- x
? safe/head -n ''
? safe/head -n /x
? safe/head -n a/../../x
? safe/head --lines x
? safe/head --byte 3
? safe/head -n1 x
? safe/head -n x
? safe/head /dev/fd/3
? safe/head -f
+ safe/sort
+ safe/sort -r
+ safe/sort -rn
+ safe/sort -u
+ safe/sort -n -k 2
+ safe/sort -k 2,2n
+ safe/sort -rk1
+ safe/sort -t, -k2
+ safe/sort --parallel=4
+ safe/sort --reverse
+ safe/sort -S 1M
+ safe/sort -t ' ' -k 1
? safe/sort x
? safe/sort -o x
? safe/sort -ox
? safe/sort -uo x
? safe/sort -ro x
? safe/sort --output=x
? safe/sort --out=x
? safe/sort --outp x
? safe/sort -yk x
? safe/sort -yt x
? safe/sort -T x
? safe/sort --compress-program=sh
? safe/sort --compress-prog=sh
? safe/sort --files0-from=x
? safe/sort --files0-from=-
? safe/sort --random-source=x
? safe/sort -t /x
? safe/sort -t /
? safe/sort --r
? safe/sort -k x/y
+ safe/tail
+ safe/tail -n 3
+ safe/tail -5
+ safe/tail -n +5
+ safe/tail --lines 1
+ safe/tail -c 10
+ safe/tail --pid=1
+ safe/tail -qn1
? safe/tail x
? safe/tail -f
? safe/tail -F
? safe/tail --follow
? safe/tail --follow=name
? safe/tail --retry
? safe/tail -fn1
? safe/tail -5c x
? safe/tail -s0xc x
? safe/tail -5f
? safe/tail +5
? safe/tail -c+1 x
? safe/tail --sleep-interval x
? safe/tail -- x
+ safe/tr a b
+ safe/tr a
+ safe/tr -d x
+ safe/tr -s a
+ safe/tr -cd 0-9
+ safe/tr '[:upper:]' '[:lower:]'
+ safe/tr / _
+ safe/tr -- a b
+ safe/tr -d '\\n'
+ safe/tr -d '\"'
? safe/tr
? safe/tr a b c
? safe/tr -
? safe/tr -x a
? safe/tr --unknown
? safe/tr --del a
? safe/tr -d
+ safe/uniq
+ safe/uniq -c
+ safe/uniq -d
+ safe/uniq -cd
+ safe/uniq -f1
+ safe/uniq -w 3
+ safe/uniq --group=both
+ safe/uniq --count
+ safe/uniq -
? safe/uniq a
? safe/uniq a b
? safe/uniq --group in.txt
? safe/uniq --group x --group y
? safe/uniq --gr x
? safe/uniq - x
? safe/uniq -f x
? safe/uniq --group=../x
? safe/uniq -s:
? safe/uniq -cz9
+ safe/wc
+ safe/wc -l
+ safe/wc -c
+ safe/wc -w
+ safe/wc -lw
+ safe/wc --lines
+ safe/wc -
? safe/wc x
? safe/wc -l x
? safe/wc --files0-from=x
? safe/wc --files0-from=-
? safe/wc --files0-fr=x
? safe/wc --files0 x
? safe/wc -lx
? safe/wc -- x
? safe/wc --li
? safe/jq .
? safe/sed p
"; }
