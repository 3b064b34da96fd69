//! Packing and unpacking.

family! {
"
= @compress
- a|ascii d|decompress|uncompress f|force h|help!help k|keep L|license!help n|no-name N|name q|quiet r|recursive v|verbose V|version!help
- 1|fast 2 3 4 5 6 7 8 9|best z|compress e|extreme T|threads: p|processes: 0 s|small rsyncable synchronous m i D:!read o|output:!write S|suffix: b: rm ultra #
- long:: adapt no-progress no-sparse sparse F|format: C|check: M|memlimit: memlimit-compress: memlimit-decompress: block-size: single-stream ignore-check
- w|lgwin: j robot info-memory no-warn output-dir-flat:!write output-dir-mirror:!write

= gzip gunzip pigz unpigz bzip2 bunzip2 pbzip2 xz unxz lzma unlzma lz4 unlz4 lzip lzop compress uncompress brotli unbrotli zstd unzstd zstdmt
~ writes plain
- @compress
- c|stdout|to-stdout!target l|list!target t|test!target
. write*

= zcat gzcat bzcat xzcat lzcat lz4cat zstdcat zless zmore xzless
~ plain
- @compress
- c|stdout|to-stdout l|list t|test
. read*

= unzip
~ plain writes ask
- l|list Z v t p z h|help!help

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
" examples "
+ gzip -k a
+ gunzip -c a.gz
+ zcat a.gz
+ xz -dk a.xz
+ zstd -19 a -o a.zst
+ zipinfo -1 a.zip
? gzip --odd
? unzip a.zip
";
}
