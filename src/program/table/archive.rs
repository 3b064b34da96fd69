//! Packing and unpacking.

family! {
"
= @compress
- a|ascii d|decompress|uncompress f|force h|help!help k|keep L|license!help n|no-name N|name!unpack q|quiet r|recursive!unpack v|verbose V|version!help
- 1|fast 2 3 4 5 6 7 8 9|best z|compress e|extreme T|threads: p|processes: 0 s|small rsyncable synchronous m i D:!read o|output:!write S|suffix:!@suffix b: rm ultra #
- long:: adapt no-progress no-sparse sparse F|format: C|check: M|memlimit: memlimit-compress: memlimit-decompress: block-size: single-stream ignore-check
- w|lgwin: j robot info-memory no-warn output-dir-flat:!write output-dir-mirror:!write

= gzip gunzip pigz unpigz bzip2 bunzip2 pbzip2 xz unxz lzma unlzma lz4 unlz4 lzip lzop compress uncompress brotli unbrotli zstd unzstd zstdmt
~ writes plain
- @compress
- c|stdout|to-stdout!target l|list!target t|test!target
. write+@packed*

= zcat gzcat bzcat xzcat lzcat lz4cat zstdcat
~ plain
- @compress
- c|stdout|to-stdout l|list t|test
. read*

# They hand their options on to `less` and `more`.
= zless zmore xzless
~ plain
- h|help!help V|version!help
. read*

= tar gtar
~ bare writes
- exclude-tag-all:!text group-map:!read owner-map:!read keep-directory-symlink ignore-command-error no-ignore-command-error quote-chars: no-quote-chars: verbatim-files-from no-verbatim-files-from restrict xattrs-include: xattrs-exclude:!text show-snapshot-field-ranges!help
- A|catenate|concatenate c|create delete d|diff|compare r|append test-label t|list u|update x|extract|get!unpack
- check-device G|incremental hole-detection: ignore-failed-read level: no-check-device no-seek n|seek occurrence:: sparse-version: S|sparse add-file:!read
- C|directory:!dir exclude:!text exclude-backups exclude-caches exclude-caches-all exclude-caches-under exclude-ignore:!text exclude-ignore-recursive:!text exclude-tag:!text
- exclude-tag-under:!text exclude-vcs exclude-vcs-ignores no-null no-recursion no-unquote null recursion unquote X|exclude-from:!read anchored ignore-case no-anchored
- no-ignore-case no-wildcards no-wildcards-match-slash wildcards wildcards-match-slash keep-newer-files k|keep-old-files no-overwrite-dir one-top-level::!write
- overwrite overwrite-dir remove-files!in-place skip-old-files U|unlink-first W|verify O|to-stdout atime-preserve:: clamp-mtime delay-directory-restore group: mode:
- mtime: m|touch no-delay-directory-restore no-same-owner no-same-permissions numeric-owner owner: p|preserve-permissions|same-permissions same-owner sort:
- s|preserve-order|same-order acls no-acls no-selinux no-xattrs selinux xattrs force-local f|file:!@archive L|tape-length:!input M|multi-volume!input b|blocking-factor:
- B|read-full-records i|ignore-zeros record-size: H|format: old-archive|portability posix V|label: a|auto-compress j|bzip2 J|xz lzip lzma lzop
- no-auto-compress zstd z|gzip|gunzip|ungzip Z|compress|uncompress backup:: hard-dereference h|dereference!follows K|starting-file: newer-mtime:
- N|newer|after-date: one-file-system suffix:!@suffix strip-components: checkpoint:: full-time l|check-links quoting-style: R|block-number show-defaults!help
- show-omitted-dirs show-transformed-names|show-stored-names totals:: utc v|verbose warning: w|interactive|confirmation o ?|help!help usage!help version!help
- I|use-compress-program:!@compressor T|files-from:!config g|listed-incremental:!write index-file:!write volno-file:!write transform|xform:!ask P|absolute-names!ask
- F|info-script|new-volume-script:!run to-command:!run checkpoint-action:!run rmt-command:!run rsh-command:!run
. change*

= bsdtar star cpio pax
~ writes ask

= zip
~ writes plain pairs
- r|recurse-paths!follows R|recurse-patterns!follows q|quiet v|verbose j|junk-paths J|junk-sfx m|move!in-place d|delete u|update f|freshen U|copy-entries 0|store 1|compress-1 2|compress-2
- 3|compress-3 4|compress-4 5|compress-5 6|compress-6 7|compress-7 8|compress-8 9|compress-9 e|encrypt P|password:!text D|no-dir-entries X|strip-extra|no-extra y|symlinks
- x|exclude:!text i|include:!text n|suffixes: t|from-date: tt|before-date: o|latest-time l|to-crlf ll|from-crlf A|adjust-sfx g|grow k|DOS-names s|split-size: sf|show-files
- db|display-bytes dc|display-counts dd|display-dots dg|display-globaldots ds|dot-size: du|display-usize dv|display-volume DF|difference-archive fd|force-descriptors
- fz|force-zip64 FI|fifo MM|must-match nw|no-wild p|paths RE|regex sv|split-verbose sb|split-bell sc|show-command sd|show-debug su|show-unicode sU|show-just-unicode
- UN|unicode: ws|wild-stop-dirs Z|compression-method: la|log-append li|log-info so|show-options!help h2|more-help!help H!help ?!help version!help
- b|temp-path:!write O|output-file:!write lf|logfile-path:!write FS|filesync F|fix FF|fixfix h|help!help L|license!help z|archive-comment c|entry-comments
- T|test!run TT|unzip-command:!run
. write change*

= unzip
~ unpack writes
- l t v z Z p c q qq n o f u j a aa b C L M s V X K W x: P: d:!write h!help
. read text*

= zipinfo
- 1 2 s m l v h t T z
. read text*

= funzip
. read

= zipgrep
- i n c l h v E F e:
. text read text*

= unrar unar lsar
~ writes ask

= 7z 7za 7zr
~ writes ask
> l
  - slt y ba r scs: bd
  . read text*
> t
  - y bd r
  . read text*
> i
> h
  . read*

= zipdetails
. read

= zipnote zipsplit
- h!help v!help L!help
. read
" examples "
? zipnote -w x.zip
+ gzip -k a
+ gunzip -c a.gz
+ zcat a.gz
+ xz -dk a.xz
+ zstd -19 a -o a.zst
+ zipinfo -1 a.zip
? gzip --odd
+ unzip -l a.zip
+ unzip -q a.zip -d out
+ tar czf x.tgz src
+ tar -xzf x.tgz
+ tar -czf x.tgz -C d .
+ tar tf x.tar
+ tar --zstd -cf x y
+ tar -I zstd -cf x y
+ tar xf x --strip-components=1
+ zip -r x.zip y
+ zip -qr9 x.zip y
? tar cf /dev/null x --checkpoint=1 --checkpoint-action=exec=y
? tar xf x --to-command=y
? tar -cIx f y
? tar -I ./x -cf y z
? tar cf o --use-comp=./x y
? tar -F x -cf y z
? tar -T list -cf x
? tar cf h:x y --rsh-command=z
? tar --checkpoint-act=exec=x cf y z
? tar -cf o --rmt-command x y
? tar cIf x o y
? tar cfI o x y
? tar xFf x o
? tar cf h:x y
? tar cfT o list
? tar xPf a
? tar xf a -P
? zip -rTT z x y
? zip -qT x y
? zip x.zip y -T -TT z
? zip x.zip --unzip-command=z y
? zip x -@
+ zip x.zip a -lf log
+ zip -rlf log x.zip y
? unzip -: a.zip
? cpio -i
";
}
