//! Making, copying, moving, changing and removing files.

family! {
"
= @gnu-files
- help!help version!help

= cp
~ writes copies
- a|archive!recursive attributes-only backup:: b copy-contents d f|force i|interactive H l|link L|dereference!follows n|no-clobber P|no-dereference p
- preserve:: no-preserve: parents q r|R|recursive!recursive reflink:: remove-destination sparse: strip-trailing-slashes s|symbolic-link
- S|suffix:!@suffix t|target-directory:!target T|no-target-directory u update:: v|verbose x|one-file-system Z context:: debug keep-directory-symlink
- help!help version!help
. read* write

= mv
~ writes copies
- backup:: b f|force i|interactive n|no-clobber strip-trailing-slashes S|suffix:!@suffix T|no-target-directory u update:: v|verbose Z|context debug exchange no-copy
- t|target-directory:!target
- @gnu-files
. remove* write

= ln
~ writes copies links
- backup:: b f|force i|interactive L|logical n|no-dereference P|physical r|relative s|symbolic S|suffix:!@suffix T|no-target-directory v|verbose
- t|target-directory:!target
- @gnu-files
. read* write

= rm
~ writes plain
- f|force i I interactive:: one-file-system preserve-root:: r|R|recursive d|dir v|verbose
- @gnu-files
. remove*

= unlink rmdir
~ writes plain
- ignore-fail-on-non-empty p|parents v|verbose
- @gnu-files
. remove*

= trash trash-put gio-trash
~ writes plain
- f r R v i h|help!help version!help
. remove*

= mkdir
~ writes plain
- m|mode: p|parents v|verbose Z context::
- @gnu-files
. write*

= mktemp
~ writes plain names
& d u q suffix p t
- d|directory u|dry-run q|quiet suffix:!@suffix p|tmpdir:!write t
- @gnu-files
. write

= mkfifo
~ writes plain
- m|mode: Z context::
- @gnu-files
. write*

= touch
~ writes plain
- a c|no-create d|date: f h|no-dereference m r|reference:!read t: time:
- @gnu-files
. write*

= chmod
~ writes plain
- c|changes f|silent|quiet v|verbose preserve-root R|recursive dereference h|no-dereference H L P
- @gnu-files
. text write*

= chown chgrp
~ writes plain
- c|changes f|silent|quiet v|verbose dereference h|no-dereference from: preserve-root R|recursive H L P
- @gnu-files
. text write*

= truncate
~ writes plain
- c|no-create o|io-blocks r|reference:!read s|size:
- @gnu-files
. write*

= fallocate
~ writes plain
- c|collapse-range d|dig-holes i|insert-range l|length: n|keep-size o|offset: p|punch-hole v|verbose x|posix z|zero-range h|help!help V|version!help
. write

= link
~ writes copies links
- @gnu-files
. read write

= install ginstall
~ writes copies
- backup:: b c C|compare d|directory!in-place D g|group: m|mode: o|owner: p|preserve-timestamps s|strip S|suffix:!@suffix T|no-target-directory v|verbose preserve-context
- Z context:: debug t|target-directory:!target strip-program:!run
- @gnu-files
. change* write

= shred
~ writes destroys plain
- f|force n|iterations: random-source:!read s|size: u remove:: v|verbose x|exact z|zero
- @gnu-files
. write*

= split gsplit
~ writes plain
- a|suffix-length: additional-suffix:!@suffix b|bytes: C|line-bytes: d numeric-suffixes:: x hex-suffixes:: e|elide-empty-files l|lines: n|number: t|separator:!text
- u|unbuffered verbose filter:!sh #
- @gnu-files
. read write+@prefix

= csplit
~ writes plain
- b|suffix-format:!write f|prefix:!write+@prefix k|keep-files suppress-matched n|digits: s|quiet|silent z|elide-empty-files
- @gnu-files
. read text*

= tee
~ writes plain data names
& a i p
- a|append i|ignore-interrupts p output-error::
- @gnu-files
. write*

= dd
~ writes plain
- @gnu-files
. if=>read of=>write bs=>text ibs=>text obs=>text cbs=>text count=>text skip=>text seek=>text iseek=>text oseek=>text conv=>text iflag=>text oflag=>text status=>text

= rename prename file-rename
~ writes ask

= dos2unix unix2dos
~ writes plain
- b|keep-bom f|force k|keepdate l|newline q|quiet s|safe n|newfile m|add-bom r|remove-bom i|info:: e|add-eol u|keep-utf16 v|verbose h|help!help V|version!help
. write*

= iconv
~ plain
- f|from-code: t|to-code: c s|silent l|list verbose o|output:!write+writes ?|help!help usage!help V|version!help
. read*

= lsattr
- R a d l p v V
. text*

= getfacl
- a|access d|default c|omit-header e|all-effective E|no-effective s|skip-base R|recursive L|logical P|physical t|tabular p|absolute-names n|numeric h|help!help
- v|version!help
. text*

= open xdg-open
~ daemon ask runner
" examples "
+ cp a b
+ cp -r a b c/
+ cp -at d a b
+ cp --update=older a b
? cp --odd a b
? cp -rO a b
+ mv a b
+ mv -f a b c/
+ mv -t d a b
+ ln -s a b
+ ln -sfn a b
+ rm -rf build
+ rm -f a
+ rm -- -x
+ mkdir -p a/b
+ mkdir -m 755 a
+ mktemp -d
+ touch a b
+ touch -d yesterday a
+ chmod +x a
+ chmod -R u+w a
+ chmod 755 a b
+ chown me:me a
+ truncate -s 0 log
+ install -m 755 a b/c
+ split -l 100 a part-
+ tee -a log
+ dd if=/dev/zero of=x bs=1M count=1
+ iconv -f latin1 -t utf-8 a
? rm --no-preserve-root x
? chmod --reference=x y
? install -s --strip-program=./x a b
? install -st d --strip-prog ./x a
? dd in=x
? csplit -z --odd x
? mktemp a b
? rename 's/a/b/' x
? mv --odd a b
";
}
