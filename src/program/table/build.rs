//! What builds projects in C and other languages: `make`, CMake, Ninja, Meson, autotools, Bazel, task runners.

family! {
"
= make gmake mingw32-make
~ writes project runner cache-any
: GNUmakefile makefile Makefile
- f|file|makefile:!config E|eval:!config C|directory:!dir I|include-dir:!config o|old-file|assume-old: W|what-if|new-file|assume-new: j::|jobs:: l::|load-average::|max-load:: O::|output-sync:: n|just-print|dry-run|recon s|silent|quiet no-silent k|keep-going S|no-keep-going|stop B|always-make b m d debug:: e|environment-overrides!config i|ignore-errors L|check-symlink-times p|print-data-base q|question r|no-builtin-rules R|no-builtin-variables t|touch v|version h|help w|print-directory no-print-directory trace warn-undefined-variables shuffle:: jobserver-style:
. @make*

= cmake
~ writes whole cache-any
- help-commands!help help-modules!help help-policies!help help-properties!help help-variables!help usage!help
- h|help!help help-full!help version!help V!help help-command:!help help-module:!help help-variable:!help help-property:!help help-policy:!help help-command-list!help help-module-list!help help-variable-list!help help-property-list!help help-policy-list!help help-manual:!help help-manual-list!help
- S:!dir B:!write G: A: T: W^ N L LA LAH LH fresh list-presets:: preset:!@name install-prefix:!write log-level: log-context trace trace-expand trace-format: trace-source:!read trace-redirect:!write warn-uninitialized no-warn-unused-cli check-system-vars debug-output debug-find debug-find-pkg: debug-find-var: debug-trycompile compile-no-warning-as-error link-no-warning-as-error graphviz:!write profiling-output:!write profiling-format: system-information::!write
- D:!@cmake-define U: C:!load toolchain:!load P:!load E!run open!run find-package!ask debugger!ask debugger-pipe:!ask workflow
- build:!dir install:!dir t|target: j|parallel:: config: clean-first v|verbose resolve-package-references: component: prefix:!write strip default-directory-permissions: use-stderr
. -j>text -k>text ->ask @project*

= ctest
~ writes whole words
- fixture-exclude-any:!text fixture-exclude-setup:!text fixture-exclude-cleanup:!text test-timeout: test-output-size-passed: test-output-size-failed: test-output-truncation: list-presets:: resource-spec-file:!read help-command:!help help-command-list!help help-commands!help help-full!help help-manual:!help help-manual-list!help help-module:!help help-module-list!help help-modules!help help-policies!help help-policy:!help help-policy-list!help help-properties!help help-property:!help help-property-list!help help-variable:!help help-variable-list!help help-variables!help usage!help
- h!help help!help version!help preset: N show-only:: R: E: L: LE: tests-regex:!text exclude-regex:!text label-regex:!text label-exclude:!text I: tests-information: V VV verbose extra-verbose Q quiet O:!write output-log:!write output-on-failure output-junit:!write F stop-on-failure j: j^ parallel: test-load: rerun-failed repeat: repeat-until-fail: timeout: stop-time: schedule-random no-label-summary no-subproject-summary progress debug C: build-config: U print-labels no-tests: max-width: interactive-debug-mode: no-compress-output test-dir:!dir U:
- S:!load SP:!load script:!load script-new-process:!load D:!publishes M: T: dashboard:!publishes build-and-test!run build-makeprogram:!run build-generator:!run build-options!run test-command!run build-exe-dir:!run overwrite:!ask A:!publishes add-notes:!publishes extra-submit:!publishes http1.0
. text*

= ninja samu
~ writes leading cache-any
- C:!dir f:!config j: k: l: n v|verbose quiet d: w: h|help!help version!help t:!{targets,commands,query,graph,rules,deps,missingdeps,inputs,compdb,list}
. text*

= meson
~ writes whole cache-any
- h|help!help v|version!help
> setup configure
  - prefix:!write bindir: datadir: includedir: infodir: libdir: libexecdir: localedir: localstatedir: mandir: sbindir: sharedstatedir: sysconfdir: licensedir: auto-features: backend: genvslite: buildtype: debug default-library: default-both-libraries: errorlogs install-umask: layout: optimization: stdsplit strip unity: unity-size: warnlevel: werror wrap-mode: force-fallback-for: vsenv D:!@build-setting U: reconfigure wipe clearcache fatal-meson-warnings no-pager!text
  - native-file:!config cross-file:!config pkg-config-path:!config build.pkg-config-path:!config cmake-prefix-path:!config build.cmake-prefix-path:!config python.platlibdir: pkgconfig.relocatable
  . write read
> compile
  - C:!dir clean j|jobs:!number l|load-average:!number v|verbose ninja-args:!ask vs-args:!ask xcode-args:!ask
  . text*
> test
  - C:!dir h|help!help maxfail:!number repeat:!number no-rebuild list no-stdsplit print-errorlogs benchmark logbase: j|num-processes:!number v|verbose q|quiet t|timeout-multiplier: setup: suite: no-suite: max-lines:!number slice: test-args:
  - gdb!run gdb-path:!run wrapper:!run wrap:!run interactive!input i!input
  . text*
> install
  - C:!dir no-rebuild only-changed quiet destdir:!write n|dry-run skip-subprojects:: tags: strip
> introspect
  - ast benchmarks buildoptions buildsystem-files compilers dependencies scan-dependencies installed install-plan machines projectinfo targets tests backend: a|all i|indent f|force-object-output
  . read
> init
  - C:!dir n|name: e|executable: d|deps: l|language: b|build builddir:!write f|force type: version: list-languages
  . read*
> wrap subprojects dist devenv rewrite format fmt env2mfile reprotest
  ~ run
> help
  . @name

= autoconf autoreconf autoheader automake aclocal libtoolize autoupdate autoscan
~ writes whole
- h|help!help V|version!help v|verbose d|debug f|force i|install s|symlink m|make no-recursive W|warnings: o|output:!write a|add-missing c|copy gnu foreign cygnus i|ignore-deps include-deps strict no-force install dry-run diff print-ac-dir
- I|include:!load B|prepend-include:!load libdir:!load t|trace:!ask acdir:!load automake-acdir:!load system-acdir:!load
. read*

= autom4te ifnames
~ run

= bazel bazelisk buck2
~ writes connects words whole cache-home
- bazelrc:!config output_base:!write output_user_root:!write batch nohome_rc noworkspace_rc nosystem_rc host_jvm_args:!ask server_javabase:!run
> build test
  - c: compilation_mode: config:!@name k keep_going jobs: j: test_output: test_filter: test_arg: test_timeout: runs_per_test: nocache_test_results cache_test_results: test_tag_filters: build_tag_filters: verbose_failures s subcommands sandbox_debug copt:!@c-flag cxxopt:!@c-flag conlyopt:!@c-flag linkopt:!@c-flag platforms: color: curses: noshow_progress show_progress announce_rc nobuild ui_event_filters: define:!@build-setting test_env:!@variable action_env:!@variable host_action_env:!@variable local_test_jobs: flaky_test_attempts:
  . text*
> query cquery aquery
  - output: keep_going noimplicit_deps notool_deps order_output:
  . text*
> info version help clean
  - expunge
  . text*
> run coverage fetch sync mod shutdown dump
  ~ run

= bmake nmake remake
~ writes project
- k s n q t i j:!number h!help help!help version!help
. @make*

= just
~ writes project whole cache-any
: justfile Justfile .justfile
- l|list s|show: n|dry-run q|quiet v|verbose summary variables evaluate dump fmt check unsorted u color: highlight no-highlight yes no-deps one timestamp explain usage groups man list-heading: list-prefix: list-submodules no-aliases h|help!help V|version!help changelog!help completions:!{bash,zsh,fish,elvish,powershell}
- choose!run chooser:!run c|command:!run shell:!run shell-arg:!run shell-command!run clear-shell-args set:2!ask f|justfile:!config d|working-directory:!dir dotenv-filename:!config dotenv-path:!config E:!config e|edit!run init!ask g|global-justfile!config tempdir:!ask unstable
. @make*

= task go-task
~ writes project whole cache-any
: Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml
- l|list a|list-all j|json sort: status summary s|silent f|force n|dry p|parallel w|watch C|concurrency:!number c|color o|output: output-group-begin: output-group-end: output-group-error-only v|verbose y|yes x|exit-code I|interval: no-status d|dir:!dir offline download h|help!help version!help
- t|taskfile:!config g|global!config init!ask i!ask experiments insecure!ask
. exe>code rc.>config rc:>config @make*

= grunt
~ writes project whole
- no-color f|force v|verbose d|debug stack h|help!help V|version!help
- b|base:!config gruntfile:!config tasks:!load npm:!load no-write
. @make*

= gulp
~ writes project whole
- T|tasks tasks-simple tasks-json depth:!number L|silent S|series color no-color continue log-level: h|help!help v|version!help
- f|gulpfile:!config cwd:!config r|require:!load preload:!load
. @make*

= invoke inv fab
~ writes project whole
- l|list:: F|list-format: D|list-depth: e|echo d|debug R|dry w|warn-only hide: p|pty no-dedupe V|version!help h|help!help T|command-timeout:!number
- c|collection:!load r|search-root:!load f|config:!config prompt-for-sudo-password!ask complete!ask print-completion-script:
. @make*

= scons waf
~ writes project whole
- j:!number c|clean k|keep-going i|ignore-errors n|no-exec|just-print|dry-run q|question s|silent|quiet Q u|up U D tree: debug: max-drift: implicit-cache random no-cache p progress: v h|help!help H|help-options!help version!help
- f|file:!config C|directory:!dir site-dir:!load I|include-dir:!load Y|repository:!load e!config b!ask
. @make*

= cpack
~ ask
- h|help!help version!help
" examples "
+ just build
+ just -l
+ task test
? task execute x
? task rc.hooks.location=x list
? task rc:x list
+ scons -j4
+ grunt test
? just --shell x build
? just -f x build
? just --command x
? just build 'a; x'
? make 'X!=touch y'
? make 'x$(y)'
? gulp --gulpfile x
? grunt --gruntfile=x
? grunt --tasks x
? invoke --search-root=/x y
? scons --site-dir=x
? cpack
? remake -x
+ make
+ make test
+ make -j4 all
+ make -j 4
+ make -C sub test
+ make V=1 x
+ make -n
+ make -sk
? make -f x.mk
? make -fx.mk
? make -sf x.mk
? make --file=x
? make --eva=x
? make --eval=x
? make SHELL=x
? make -E x
? make CC=x
? make X='$(shell y)'
? make -I d
+ cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
+ cmake -B build -G Ninja
+ cmake -G 'Unix Makefiles' .
+ cmake --build build -j 8
+ cmake --build build --target x
+ cmake ..
+ cmake --install build --prefix out
+ cmake --version
+ cmake --build build -- -j8
? cmake --build build -- SHELL=x
? cmake -E touch x
? cmake -P x.cmake
? cmake -C x .
? cmake -DCMAKE_C_COMPILER=./x .
? cmake -DCMAKE_TOOLCHAIN_FILE=x .
? cmake -D CMAKE_C_COMPILER_LAUNCHER=./x .
? cmake -DCMAKE_PROJECT_INCLUDE=x .
? cmake --toolchain x .
? cmake --build build -- -f x
+ ctest --test-dir build --output-on-failure
+ ctest -j8 -R name
? ctest -S x
? ctest --build-and-test a b --test-command x
? ctest -D Nightly --overwrite a=b
+ ninja
+ ninja -C build test
+ ninja -j8 -v
? ninja -f x
? ninja -vf x
? ninja -t browse
+ meson setup build
+ meson compile -C build
+ meson test -C build
? meson test --wrapper x
? meson setup --native-file x build
+ bazel test //x
? bazel --bazelrc=x build
? bazel test --run_under=x //y
? bazel run //x
";
}
