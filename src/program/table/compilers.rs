//! Compilers, linkers and what looks into their files.

family! {
"
# A word behind one dash is an option; what loads a plugin, takes other programs or takes options from a file asks.
= @cc-common
- help!text target-help version!text dumpversion dumpfullversion dumpmachine dumpspecs v verbose ### c S E P C CC o:!target o^!target pipe save-temps:: save-temps time x:!@name x^!@name pass-exit-codes fsyntax-only pedantic pedantic-errors ansi w Wall Wextra Werror Wpedantic
- I^!read I:!read L^!@link-script L:!@link-script l^ l: D^ D: U^ U: include:!read imacros:!read isystem:!read iquote:!read idirafter:!read isystem^!read iquote^!read iprefix:!read iwithprefix:!read sysroot:!read isysroot:!read nostdinc nostdinc++ undef M MM MG MP MD MMD MF:!write MF^!write MT: MT^ MQ: MQ^ H dM dD dN dI dU
- O O0 O1 O2 O3 Os Oz Og Ofast O4 g g0 g1 g2 g3 ggdb ggdb3 ggdb2 gdwarf gdwarf-2 gdwarf-3 gdwarf-4 gdwarf-5 gsplit-dwarf gline-tables-only gcolumn-info gz gz:: gno-column-info gstrict-dwarf p pg
- std: std:: stdlib: static static-libgcc static-libstdc++ static-pie shared shared-libgcc pie no-pie nopie r s rdynamic symbolic nostdlib nostartfiles nodefaultlibs nolibc pthread u: z: T:!@link-script e: entry: coverage print-search-dirs print-libgcc-file-name print-file-name: print-prog-name: print-multi-lib print-multi-directory print-multi-os-directory print-multiarch print-sysroot print-target-triple print-resource-dir print-supported-cpus print-effective-triple
- m32 m64 mx32 m16 m^!@compiler-word f^!@compiler-word W^!@compiler-word Xlinker:!@linker-word param: A^ dumpbase:!write dumpbase-ext: dumpdir:!write aux-info:!write Q

= gcc g++ cc c++ gfortran tcc
~ writes whole words project cache-home
- @cc-common specs:!config wrapper:!run B:!run B^!run fplugin:!load plugin:!load Xassembler:!ask Xpreprocessor:!ask no-canonical-prefixes J:!write J^!write ffree-form ffixed-form bench
. @>config @link-input*

= clang clang++ clang-cl
~ writes whole words project cache-home
- @cc-common target: target^ arch: Xclang:!ask Xassembler:!ask Xpreprocessor:!ask Xopenmp-target:!ask Xarch_host:!ask Xarch_device:!ask mllvm:!ask fplugin:!load load:!load config:!config config-system-dir:!config config-user-dir:!config no-default-config B:!run B^!run fuse-ld:!{lld,ld,gold,bfd,mold} ld-path:!run gcc-toolchain:!run gcc-install-dir:!run resource-dir:!load analyze analyzer-output: emit-llvm emit-ast emit-pch flto:: rtlib: unwindlib: cxx-isystem:!read serialize-diagnostics:!write time-report ftime-report Weverything Qunused-arguments F^!read F:!read framework: miphoneos-version-min: mmacosx-version-min: print-targets cc1!ask cc1as!ask fembed-bitcode cuda-path:!run offload-arch: sysroot:
. @>config @link-input*

= @ld
- help!help V version v o|output:!target L|library-path:!@link-script L^!@link-script l|library: l^ e|entry: e^ E|export-dynamic no-export-dynamic r i|relocatable Ur s|strip-all S|strip-debug x|discard-all X|discard-locals t|trace static Bstatic dn non_shared dynamic Bdynamic dy call_shared Bsymbolic Bsymbolic-functions shared pie pic-executable no-pie whole-archive no-whole-archive as-needed no-as-needed start-group end-group gc-sections no-gc-sections print-gc-sections soname: h: h^ rpath: R: R^ rpath-link: Map:!write M|print-map cref no-undefined defsym: undefined: u: u^ wrap: y: Y: Ttext: Tdata: Tbss: Ttext-segment: T|script:!@link-script T^!@link-script dT:!@link-script version-script:!read dynamic-list:!read retain-symbols-file:!read m: m^ A: b|format: oformat: z: z^ build-id:: hash-style: eh-frame-hdr no-eh-frame-hdr warn-common warn-once warn-unresolved-symbols no-warn-mismatch fatal-warnings no-fatal-warnings sysroot:!read demangle:: no-demangle stats verbose:: no-keep-memory relax no-relax sort-common:: sort-section: strip-lto-sections emit-relocs q error-limit: icf: threads:: O^ O0 O1 O2 nostdlib init: fini: F: f: G: c:!ask I|dynamic-linker: I^ no-dynamic-linker allow-multiple-definition allow-shlib-undefined no-allow-shlib-undefined unresolved-symbols: copy-dt-needed-entries no-copy-dt-needed-entries push-state pop-state color-diagnostics:: noinhibit-exec N|omagic n|nmagic d dc dp print-memory-usage orphan-handling: no-warn-rwx-segments no-warn-execstack section-start: image-base: split-sections target-help dependency-file:!write undefined-version no-undefined-version
- plugin:!load plugin-opt:!load P:!load a:!ask mri-script:!ask lto-O: thinlto-jobs: mllvm:!ask load-pass-plugin:!load dlopen:!load

= ld gold ld.gold ld.bfd ld.lld lld mold
~ writes whole words
- @ld run!run
. @>config @link-script*

= as gas
~ writes
- help!help version!help target-help a::!listed D f g|gen-debug gstabs gstabs+ gdwarf-2 gdwarf-3 gdwarf-4 gdwarf-5 I:!read J K L|keep-locals MD:!write M|mri o:!write R reduce-memory-overheads s|strip-local-absolute statistics v W|no-warn warn fatal-warnings Z 32 64 x32 march: mtune: defsym: hash-size: compress-debug-sections:: noexecstack execstack listing-lhs-width:!number listing-rhs-width:!number
. @>config read*

= nasm yasm
~ writes words whole
- h!help v!help f: f^ o:!write o^!write l:!write l^!write E e g g^ F: I:!read I^!read i^!read p:!read p^!read P:!read d: D: d^ D^ u: u^ O^ O: w^ w: W^ W: X: X^ s t a M MG MP MD:!write MF:!write MT: MQ: Z:!write a: felf64 felf32 fbin fmacho64 fwin64
. @>config read*

# The library plugins of the binary tools.
= @binutils
- help|H!help V|version!help v plugin:!load target: target-help

= ar gcc-ar llvm-ar
~ writes bare whole
- help|h!help V|version!help d m p q r s t x!unpack N a b c D f i l:!text o O P S T u U v thin output:!write record-libdeps: target: rsp-quoting: format: M!ask
- plugin:!load
. @>config write read*

= ranlib gcc-ranlib llvm-ranlib
~ writes
- help|h!help V|version|v!help D U t plugin:!load
. @>config write*

= nm gcc-nm llvm-nm
- @binutils a|debug-syms A|o|print-file-name B C demangle:: no-demangle recurse-limit no-recurse-limit recursion-limit no-recursion-limit D|dynamic e f|format: g|extern-only h i j l|line-numbers n|numeric-sort p|no-sort P|portability r|reverse-sort S|print-size s|print-armap size-sort special-syms synthetic t|radix: u|undefined-only U|defined-only unicode: ifunc-chars: quiet with-symbol-versions without-symbol-versions W|no-weak X: just-symbols export-symbols print-armap no-llvm-bc
. @>config read*

= objdump llvm-objdump
- @binutils a|archive-headers f|file-headers p|private-headers P|private: h|headers|section-headers x|all-headers d disassemble:: D|disassemble-all S|source!listed source-comment::!listed s|full-contents g|debugging e|debugging-tags G|stabs W:: dwarf:: L|process-links ctf: ctf-parent: sframe:: t|syms T|dynamic-syms r|reloc R|dynamic-reloc i|info b: m|architecture: j|section: M|disassembler-options: EB EL endian: file-start-context I|include:!read l|line-numbers F|file-offsets C demangle:: no-demangle recurse-limit no-recurse-limit w|wide z|disassemble-zeroes start-address: stop-address: no-addresses prefix-addresses show-raw-insn no-show-raw-insn insn-width: adjust-vma: show-all-symbols special-syms inlines prefix: prefix-strip: dwarf-depth: dwarf-start: dwarf-check no-follow-links K follow-links ctf-child: visualize-jumps:: disassembler-color: unicode: Z|decompress U: no-leading-addr no-leading-headers triple: mattr: mcpu: x86-asm-syntax: disassemble-symbols: symbolize-operands macho
. @>config read*

= readelf llvm-readelf
- H|help!help v|version!help a|all h|file-header l|program-headers|segments S|section-headers|sections g|section-groups t|section-details e|headers s|syms|symbols dyn-syms lto-syms sym-base: C demangle:: no-demangle recurse-limit no-recurse-limit n|notes r|relocs u|unwind d|dynamic V|version-info A|arch-specific c|archive-index D|use-dynamic L|lint|enable-checks x|hex-dump: p|string-dump: R|relocated-dump: z|decompress w:: debug-dump:: P|process-links dwarf-depth: dwarf-start: ctf: ctf-parent: ctf-symbols: ctf-strings: sframe:: I|histogram W|wide T|silent-truncation unicode: U: X|extra-sym-info no-extra-sym-info got-contents j|display-section:
. @>config read*

= size llvm-size
- @binutils A B G d o x format: radix: t|totals common f
. @>config read*

= addr2line llvm-addr2line
- @binutils a|addresses b: e|exe:!read i|inlines j|section: p|pretty-print s|basenames f|functions C demangle:: R|recurse-limit r|no-recurse-limit
. @>config text*

= c++filt llvm-cxxfilt
- @binutils _|strip-underscore n|no-strip-underscore p|no-params t|types i|no-verbose r|no-recurse-limit R|recurse-limit s|format:
. @>config text*

= objcopy llvm-objcopy strip llvm-strip
~ writes
- @binutils h!help I|input-target: O|output-target: B|binary-architecture: F|target: debugging p|preserve-dates D|enable-deterministic-archives U|disable-deterministic-archives j|only-section: add-gnu-debuglink:!read R|remove-section: remove-relocations: strip-section-headers S|strip-all g|strip-debug strip-dwo d strip-unneeded N|strip-symbol: strip-unneeded-symbol: only-keep-debug extract-dwo extract-symbol keep-section: K|keep-symbol: keep-section-symbols keep-file-symbols localize-hidden L|localize-symbol: globalize-symbol: G|keep-global-symbol: W|weaken-symbol: weaken w|wildcard x|discard-all X|discard-locals i: interleave:: interleave-width: b|byte: gap-fill: pad-to: set-start: change-start: adjust-start: change-addresses: adjust-vma: change-section-address: adjust-section-vma: change-section-lma: change-section-vma: change-warnings no-change-warnings set-section-flags: set-section-alignment: rename-section: long-section-names: change-leading-char remove-leading-char reverse-bytes: redefine-sym: srec-len: srec-forceS3 writable-text readonly-text pure impure prefix-symbols: prefix-sections: prefix-alloc-sections: file-alignment: heap: image-base: section-alignment: stack: subsystem: compress-debug-sections:: decompress-debug-sections elf-stt-common: verilog-data-width: M|merge-notes no-merge-notes info s o:!write output-format: input-format:
- add-section:!@section-read update-section:!@section-read dump-section:!@section-write add-symbol: redefine-syms:!read weaken-symbols:!read strip-symbols:!read strip-unneeded-symbols:!read keep-symbols:!read localize-symbols:!read globalize-symbols:!read keep-global-symbols:!read alt-machine-code:
. @>config write write

= clang-format
~ writes whole words project
- h!help help!help help-list!help version!help assume-filename: cursor: dry-run n dump-config fail-on-incomplete-format fallback-style: ferror-limit: files:!ask i length: lines: offset: output-replacements-xml qualifier-alignment: sort-includes sort-includes:: style:!@clang-style verbose Werror Wno-error: Wclang-format-violations
. @>config write*

= git-clang-format
~ writes
. ask*

= clang-tidy
~ writes whole words project
- h!help help!help version!help p:!read checks: enable-check-profile enable-module-headers-parsing errors-only explain-config export-fixes:!write fix fix-errors fix-notes format-style:!@clang-style header-filter:!text exclude-header-filter:!text line-filter:!text list-checks quiet store-check-profile:!write system-headers use-color warnings-as-errors: dump-config verify-config allow-no-checks
- config:!config config-file:!{.clang-tidy} extra-arg:!ask extra-arg-before:!ask load:!load vfsoverlay:!config allow-enabling-analyzer-alpha-checkers
. @>config -std>text -I>read -D>text -W>text ->ask write*

= cpp
~ words whole
- @cc-common specs:!config wrapper:!run B:!run B^!run fplugin:!load
. @>config read write

= gdb lldb gdb-multiarch gdbserver lldb-server cgdb
~ input run interpreter

= rust-gdb rust-lldb rust-gdbgui
~ input run interpreter obeys-toolchain

= valgrind
~ writes whole leading runner
- alignment: avg-transtab-entry-size: error-markers: freelist-big-blocks: fullpath-after: ignore-ranges:!text num-transtab-sectors: partial-loads-ok: resync-filter:!text run-cxx-freeres: run-libc-freeres: show-emwarns: show-mismatched-frees: show-possibly-lost: unw-stack-scan-frames:
- h|help!help version!help help-debug!help help-dyn-options!help tool:!{memcheck,cachegrind,callgrind,helgrind,drd,massif,dhat,lackey,none,exp-bbv} q|quiet v|verbose d leak-check: show-leak-kinds: show-reachable: track-origins: undef-value-errors: error-exitcode:!number exit-on-first-error: num-callers:!number trace-children: trace-children-skip: trace-children-skip-by-arg: child-silent-after-fork: time-stamp: track-fds: suppressions:!read gen-suppressions:!{no,all} log-fd:!number log-file:!write log-socket:!connect xml: xml-fd:!number xml-file:!write xml-socket:!connect xml-user-comment: demangle: errors-for-leak-kinds: leak-resolution: leak-check-heuristics: keep-stacktraces: freelist-vol: fair-sched: vgdb:!{no} show-below-main: main-stacksize: max-stackframe: max-threads: read-var-info: read-inline-info: merge-recursive-frames: smc-check: sigill-diagnostics: show-error-list: error-limit: s keep-debuginfo: redzone-size: xtree-memory: xtree-memory-file:!write xtree-leak: xtree-leak-file:!write stats: default-suppressions: sim-hints: kernel-variant: soname-synonyms: workaround-gcc296-bugs: ignore-range-below-sp:!text malloc-fill: free-fill: expensive-definedness-checks: cachegrind-out-file:!write cache-sim: branch-sim: I1: D1: LL: instr-at-start: callgrind-out-file:!write dump-line: dump-instr: dump-before: dump-after: zero-before: toggle-collect: collect-atstart: collect-jumps: separate-threads: compress-strings: compress-pos: combine-dumps: simulate-cache: dump-every-bb: massif-out-file:!write heap: heap-admin: stacks: depth: alloc-fn: ignore-fn:!text threshold: peak-inaccuracy: time-unit: detailed-freq: max-snapshots: pages-as-heap: dhat-out-file:!write history-level: conflict-cache-size: track-lockorders: check-stack-refs: check-stack-var: first-race-only: free-is-write: report-signal-unlocked: segment-merging: shared-threshold: show-confl-seg: trace-alloc: trace-mutex: trace-barrier: progress-interval: show-leak: possibly-lost: unw-stack-scan-thresh: allow-mismatched-debuginfo: extra-debuginfo-path:!read debuginfo-server:!ask require-text-symbol: aspace-minaddr: valgrind-stacksize: dsymutil: px-default: db-attach:!run db-command:!run
. argv

= ctags etags
~ writes
- help!help version!help list-languages:: list-kinds:: R!follows recurse::!follows a append:: e f|o:!write n N u V verbose:: x exclude:!text fields: extras: extra: kinds-all: languages: langmap: map-all: sort: tag-relative: totals: h: I: L:!read links: excmd: format: output-format: quiet: with-list-header: machinable: file-scope: line-directives: etags-include: if0:
- options:!config options-maybe:!config optlib-dir:!config filter!input filter-terminator: data-dir:!config langdef:!ask regex-all:!ask mline-regex-all:!ask
. read*
" examples "
+ gcc -O2 -c x.c
+ gcc -o x x.c
+ gcc -Wall -Wextra -Werror -std=c11 -g -o x src/x.c -lm -lpthread
+ gcc -shared -fPIC -o x.so x.c
+ gcc -Iinclude -DX=1 -MMD -MP -c src/x.c -o x.o
+ gcc -march=native -fsanitize=address,undefined x.c
+ g++ -std=c++20 -O3 x.cpp -o x
+ gcc --version
+ gcc -Wl,-rpath,lib -Wl,--as-needed x.c
+ gcc -fsyntax-only x.c
+ gcc -dumpmachine
+ gcc -print-search-dirs
+ gcc -E -dM x.c
+ cc x.c
+ clang -O2 -o x x.c
+ clang++ -std=c++17 -stdlib=libc++ x.cc
+ clang -fsyntax-only -Weverything x.c
+ clang -S -emit-llvm x.c
? gcc -wrapper x y.c
? gcc -wrapper=x y.c
? gcc -v --help -wrapper x y.c
? gcc -fplugin=x y.c
? gcc -fplugin-arg-x-y=z y.c
? gcc -specs=f y.c
? gcc -specs f y.c
? gcc --specs=f y.c
? gcc -B./d/ y.c
? gcc -B ./d/ y.c
? gcc --prefix=./d/ y.c
? gcc @args
? gcc -Wl,-O1,-plugin,./e.so y.c
? gcc -Wl,--plugin=./e.so y.c
? gcc -Wl,@f y.c
? gcc -Xlinker -plugin -Xlinker ./e y.c
? gcc -Wa,@f y.c
? gcc -Wp,@f y.c
? gcc -fuse-ld=./x y.c
? gcc -iplugindir=d y.c
? gcc -fdump-tree-all=../x y.c
? gcc -Wp,-MD,../x y.c
? gcc -odd y.c -wrapper z
? gcc -x none -wrapper z y.c
? gcc -Xassembler @f y.c
? gcc --param x -specs=y z.c
? clang -fplugin=x y.c
? clang -Xclang -load -Xclang x y.c
? clang -fpass-plugin=x y.c
? clang -mllvm -load=x y.c
? clang -fuse-ld=./x y.c
? clang --ld-path=./x y.c
? clang --config x y.c
? clang --gcc-toolchain=./x y.c
? clang @f
? clang -cc1 -load x
? clang -Wl,-plugin,x y.c
? clang -fprofile-list=x -B d y.c
+ ld -o x a.o b.o -lc
+ ld --version
? ld -plugin ./x a.o
? ld --plugin=./x a.o
? ld -plugin=./x a.o
? ld @f
? ld -run ./x
? mold -run ./x
+ ar rcs lib.a a.o
+ ar t lib.a
+ ar -x lib.a
+ ar rcs libx.a a.o b.o c.o
? ar --plugin ./evil.so rcs o.a x
? ar --plugin=./evil.so t o.a
? ar -M
? ar @f
? ar rcs --plugin ./evil.so o.a x
+ nm -C x.o
+ nm -D --defined-only lib.so
+ nm -gU x
? nm --plugin ./e x
? nm --plugin=./e x
? nm --plug ./e x
? nm @f
+ objdump -d x
+ objdump -drwC -Mintel x
+ objdump -h --section=.text x
? objdump --plugin=x y
? objdump @f
+ readelf -a x
+ readelf -hW x
+ readelf -p .comment x
? readelf @f
+ size x
? size --plugin x y
+ addr2line -e x 0x1234
+ strip x
+ strip --strip-unneeded -o y x
? strip --plugin=x y
+ objcopy --only-keep-debug x x.debug
? objcopy @f
+ clang-format -i src/x.cpp
+ clang-format --dry-run -Werror src/x.cpp
+ clang-format --style=Google x.c
? clang-format --style=file:/tmp/x y.c
+ clang-tidy -p build src/x.cpp
+ clang-tidy --checks=-*,bugprone-* x.cpp -- -std=c++17
? clang-tidy -load=x y.cpp
? clang-tidy --load x y.cpp
? clang-tidy --extra-arg=-fplugin=x y.cpp
? clang-tidy x.cpp -- -fplugin=e.so
? clang-tidy --config-file=x y.cpp
? gdb -ex x y
? gdb -batch -x f y
? gdb x
? lldb -o x y
+ valgrind --leak-check=full ls
? valgrind --db-attach=yes ls
? ctags --options=x .
";
}
