//! Cargo and the compiler of Rust.

family! {
"
= @cargo-common
- h|help!help v|verbose q|quiet color:!{auto,always,never} frozen locked offline
- config:!config Z:!{unstable-options,build-std,no-index-update,minimal-versions,direct-minimal-versions,mtime-on-use,checksum-freshness}

= @cargo-manifest
- manifest-path:!dir lockfile-path:!write ignore-rust-version

= @cargo-package
- p|package: workspace all exclude:!text

= @cargo-targets
- lib bins bin: examples example:!text tests test: benches bench: all-targets

= @cargo-features
- F|features: all-features no-default-features

= @cargo-compile
- @cargo-common @cargo-manifest @cargo-features
- j|jobs: keep-going r|release profile:!@name target:!@name target-dir:!write timings:: message-format: future-incompat-report unit-graph build-plan
- artifact-dir:!write out-dir:!write compile-time-deps

# The word behind the plus is a toolchain's name.
= cargo
~ writes connects whole global project cache-cargo obeys-cargo obeys-toolchain
- @cargo-common V|version!help list!help explain:!help C:!dir
. +>@name
> build b
  - @cargo-compile @cargo-package @cargo-targets
> check c
  - @cargo-compile @cargo-package @cargo-targets
> clippy
  - @cargo-compile @cargo-package @cargo-targets
  - no-deps fix!writes allow-dirty allow-staged allow-no-vcs explain: edition broken-code V|version!help
  . -A>text -W>text -D>text -F>text --cap-lints>text --allow>text --warn>text --deny>text --forbid>text --cfg>text ->ask @>ask text*
> test t
  - @cargo-compile @cargo-package @cargo-targets no-run no-fail-fast doc
  . --logfile=>write --logfile>ask text*
> bench
  - @cargo-compile @cargo-package @cargo-targets no-run no-fail-fast
  . --logfile=>write --logfile>ask text*
> run r
  ~ leading
  - @cargo-compile @cargo-package bin: example:!text
  . text*
> rustc
  - @cargo-compile @cargo-package @cargo-targets print: crate-type:
  . -A>text -W>text -D>text -F>text -Copt-level=>text -Cdebuginfo=>text -Ctarget-cpu=>text --cfg=>text ->ask ask*
> rustdoc
  - @cargo-compile @cargo-package @cargo-targets print: open!run output-format:
  . -A>text -W>text -D>text -F>text --document-private-items>text --cfg=>text ->ask ask*
> doc d
  - @cargo-compile @cargo-package @cargo-targets no-deps document-private-items open!run output-format:
> fix
  - @cargo-compile @cargo-package @cargo-targets broken-code edition edition-idioms allow-no-vcs allow-dirty allow-staged
> clean
  - @cargo-common @cargo-manifest p|package: workspace r|release profile:!@name target:!@name target-dir:!write doc n|dry-run
> fmt
  - h|help!help v|verbose q|quiet V|version!help p|package: all check manifest-path:!dir message-format:
  . --print-config>ask --config-path=>read --config-path>ask --check>text --edition>text --emit>text --config=>text --config>text -v>text -q>text -l>text --color>text --files-with-diff>text --unstable-features>text --skip-children>text --backup>text ->ask write*
> tree
  - @cargo-common @cargo-manifest @cargo-package @cargo-features
  - e|edges: i|invert: prune: depth:!number prefix: no-dedupe d|duplicates charset: f|format: target:!@name a|all-targets no-indent
  . text
> metadata
  - @cargo-common @cargo-manifest @cargo-features no-deps filter-platform: format-version:
> fetch
  - @cargo-common @cargo-manifest target:!@name
> generate-lockfile
  - @cargo-common @cargo-manifest publish-time:
> locate-project
  - @cargo-common manifest-path:!dir message-format: workspace
> pkgid
  - @cargo-common @cargo-manifest p|package:
  . text
> update
  - @cargo-common @cargo-manifest p|package: aggressive recursive precise: w|workspace dry-run breaking
  . text*
> add
  - @cargo-common @cargo-manifest p|package: dev build target: features: F: optional no-optional public no-public rename: default-features no-default-features
  - n|dry-run path:!read base: git:!ask branch:!ask tag:!ask rev:!ask registry:
  . @package*
> remove rm
  - @cargo-common @cargo-manifest p|package: dev build target: n|dry-run
  . text*
> search
  - @cargo-common limit:!number index:!ask registry:
  . text*
> info
  - @cargo-common index:!ask registry:
  . text
> init new
  - @cargo-common bin lib edition: name: vcs:!{git,none,hg,pijul,fossil} registry:
  . write
> package
  - @cargo-compile @cargo-package index:!ask registry: l|list no-verify no-metadata allow-dirty exclude-lockfile
> publish
  ~ publishes
  - @cargo-compile @cargo-package index:!ask registry: n|dry-run no-verify no-metadata allow-dirty token:
> yank
  ~ publishes
  - @cargo-common version: vers: undo index:!ask registry: token:
  . text
> owner
  ~ publishes
  - @cargo-common a|add: r|remove: l|list index:!ask registry: token:
  . text
> login logout
  ~ ask
> install
  - @cargo-compile version: vers: bins bin: examples example:!text f|force n|dry-run no-track debug strategy: index:!ask registry: list
  - path:!ask git:!ask branch:!ask tag:!ask rev:!ask root:!write
  . @package*
> uninstall
  - @cargo-common p|package: bin: root:!write
  . text*
> vendor
  - @cargo-common @cargo-manifest s|sync:!read no-delete respect-source-config versioned-dirs
  . write
> report
  - @cargo-common
  >> future-incompatibilities future-incompat
     - id: p|package:
> config
  - @cargo-common
  >> get
     - format: show-origin merged:
     . @shown-setting
> version
  - @cargo-common V
> help
  . @name*
> verify-project read-manifest
  - @cargo-common manifest-path:!dir
> nextest
  - h|help!help V|version!help
  >> run r list
     - @cargo-compile @cargo-package @cargo-targets @cargo-nextest
     . --logfile>ask text*
  >> bench
     - @cargo-compile @cargo-package @cargo-targets @cargo-nextest
     . text*
  >> archive
     - @cargo-compile @cargo-package @cargo-targets @cargo-nextest archive-file:!write archive-format: zstd-level:!number
  >> show-config
     - @cargo-common @cargo-nextest
     >>> version
     >>> test-groups
         - @cargo-nextest show-default groups:
> llvm-cov
  - @cargo-compile @cargo-package @cargo-targets @cargo-llvm-cov h|help!help V|version!help
  . text*
  >> test run
     - @cargo-compile @cargo-package @cargo-targets @cargo-llvm-cov no-run no-fail-fast doc
     . text*
  >> nextest
     - @cargo-compile @cargo-package @cargo-targets @cargo-llvm-cov @cargo-nextest
     . text*
  >> report clean show-env
     - @cargo-compile @cargo-package @cargo-llvm-cov
> audit
  - h|help!help V|version!help v|verbose q|quiet c|color: d|db:!write D|deny: f|file:!read ignore:!text ignore-source n|no-fetch stale target-arch: target-os: json format: no-local-crates u|url:!ask
  >> bin
     - d|db:!write
     . read*
  >> fix
     - dry-run file:!write
> deny
  - h|help!help V|version!help L|log-level: f|format: c|color: t|target:!@name manifest-path:!dir workspace exclude:!text all-features no-default-features features: offline locked frozen config:!read exclude-dev no-default-features
  >> check
     - A|allow: W|warn: D|deny: g|graph:!write hide-inclusion-graph d|disable-fetch s|show-stats audit-compatible-output config:!read c:!read feature-depth:!number allow-wildcard-paths
     . text*
  >> list
     - c|config:!read f|format: l|layout: t|threshold:!number
  >> fetch init
     . text*
> expand
  - @cargo-compile @cargo-package @cargo-targets ugly theme: themes no-default-features h|help!help V|version!help
  . text
> watch
  - h|help!help V|version!help c|clear q|quiet postpone why N|notify ignore-nothing no-gitignore no-ignore no-vcs-ignores no-process-group no-restart no-dot-ignores B: env: features: delay: d: i|ignore:!text w|watch:!read workdir:!dir C:!dir
  - x|exec:!@cargo-line s|shell:!sh use-shell:!run
  . argv
> miri
  >> setup test t run r nextest clean
     - @cargo-compile @cargo-package @cargo-targets no-run no-fail-fast doc
     . text*
> outdated udeps machete bloat sort hack semver-checks msrv
  - h|help!help V|version!help
  - @cargo-compile @cargo-package @cargo-targets R|root-deps-only d|depth:!number x|exit-code: w with-metadata skip-target-dir crates n: filter:!text c|check g|grouped feature-powerset each-feature at-least-one-of: mutually-exclusive-features: group-features: include-features: skip:!text optional-deps:: no-dev-deps ignore-private partition: clean-per-run keep-going rust-version version-range: clean-per-version
  . text*
> upgrade set-version
  - h|help!help V|version!help manifest-path:!dir n|dry-run incompatible: compatible: pinned: recursive: exclude:!text p|package: offline locked v|verbose workspace bump: m|metadata:
  . text

= @cargo-nextest
- color: no-pager manifest-path:!dir config-file:!config user-config-file:!config tool-config-file:!config override-version-check P|profile:!@name
- ignored include-ignored run-ignored:!text skip:!text exact nocapture no-capture build-jobs: r|release cargo-profile: target:!@name target-dir:!write cargo-message-format: cargo-quiet cargo-verbose unit-graph timings::
- partition: platform-filter:!text E|filter-expr|filterset: ignore-default-filter j|jobs|test-threads: retries: fail-fast ff max-fail: no-fail-fast nff flaky-result: no-tests: no-run
- failure-output: success-output: status-level: final-status-level: show-progress: hide-progress-bar no-output-indent no-input-handler message-format: message-format-version: T|list-type: stress-count: stress-duration: rerun: debugger:!run tracer:!run interceptor:!run
- archive-file:!load archive-format: extract-to:!write extract-overwrite persist-extract-tempdir cargo-metadata:!config workspace-remap:!config target-dir-remap:!config binaries-metadata:!config no-binaries-metadata

= @cargo-llvm-cov
- json lcov cobertura codecov text html open!run summary-only output-path:!write output-dir:!write failure-mode: ignore-filename-regex:!text disable-default-ignore-filename-regex no-report no-clean ignore-run-fail
- show-instantiations no-cfg-coverage no-cfg-coverage-nightly branch mcdc doctests no-fail-fast fail-under-functions:!number fail-under-lines:!number fail-under-regions:!number fail-under-file-lines:!number fail-uncovered-lines:!number fail-uncovered-functions:!number fail-uncovered-regions:!number
- show-missing-lines include-build-script include-ffi remap-path-prefix dep-coverage: skip-functions hide-instantiations with-pwsh-env sh profraw-only ignored include-ignored no-capture nocapture exclude-from-report:!text exclude-from-test:!text
" examples "
+ cargo build
+ cargo b -r
+ cargo build --release --locked --target x86_64-unknown-linux-musl
+ cargo check --all-targets --message-format=short
+ cargo check --workspace --all-features --tests
+ cargo clippy --all-targets --locked -- -D warnings
+ cargo clippy --fix --allow-dirty --allow-staged
+ cargo clippy -- -W clippy::pedantic -A clippy::module_name_repetitions
+ cargo test
+ cargo test --package x --lib -- foo::tests::bar --exact --nocapture
+ cargo test --no-fail-fast -- --test-threads=1
+ cargo test foo -- --skip bar
+ cargo test -p a -p b --doc
+ cargo run --bin tool -- --help
+ cargo run -q --example x arg --config y
+ cargo run --release -- -C x --config z
+ cargo +nightly fmt --all
+ cargo +1.80 check
+ cargo fmt --all -- --check
+ cargo fmt -- --check --edition 2024
+ cargo doc --no-deps
+ cargo tree -i serde -e features
+ cargo tree --depth 1 -d
+ cargo metadata --format-version 1 --no-deps
+ cargo add serde --features derive
+ cargo add tokio@1 -F full --dev
+ cargo remove serde
+ cargo update -p serde --precise 1.0.1
+ cargo new x --lib
+ cargo install ripgrep --locked
+ cargo clean -p x
+ cargo search serde --limit 5
+ cargo bench --bench x -- --save-baseline a
+ cargo --version
+ cargo -V
+ cargo nextest run -E 'test(x)' --no-fail-fast
+ cargo nextest list
+ cargo llvm-cov --lcov --output-path lcov.info
+ cargo llvm-cov nextest --workspace
+ cargo audit
+ cargo deny check licenses
+ cargo expand --lib a::b
+ cargo vendor third_party
+ cargo package --list
+ cargo outdated -R
+ cargo watch -x check -x 'test -p a'
? cargo --config build.rustc-wrapper='x' check
? cargo check --config x
? cargo check --config=x
? cargo --config=x check
? cargo +stable check --config x
? cargo +/evil/toolchain check
? cargo +./t check
? cargo b --config x
? cargo nextest list --offline --config x
? cargo nextest run --config-file x
? cargo nextest run --tool-config-file a:b
? cargo nextest run --archive-file x.tar.zst
? cargo clippy -- -C linker=./evil.sh
? cargo clippy -- -Clinker=./evil.sh
? cargo clippy -- --codegen=linker=x
? cargo clippy -- -Zcodegen-backend=x.so
? cargo clippy -- @args
? cargo rustc -- -C linker=x
? cargo rustc -- -Clinker=x
? cargo rustdoc -- --test-runtool x
? cargo test -- --logfile x
? cargo run --config x
? cargo doc --open
? cargo -Z script x.rs
? cargo -Zscript x.rs
? cargo evil
? cargo ./x.rs
? cargo check --target ./evil.json
? cargo install --path e
? cargo install --git https://x/y
? cargo install -p ./x
? cargo add x --git ext::y
? cargo login
? cargo watch -x 'check --config y'
? cargo llvm-cov --open
? cargo build --odd
? cargo fmt -- --print-config default x
? cargo fmt -- --config-path d
? cargo config get --config x
";

"
= rustc clippy-driver
~ writes whole project cache-cargo obeys-toolchain
- h|help!help V|version!help v|verbose O g test cfg: check-cfg: L:!load l:!@name crate-type: crate-name:!@name edition: emit:!@emit print:!{crate-name,file-names,sysroot,target-libdir,host-tuple,cfg,target-list,target-cpus,target-features,relocation-models,code-models,tls-models,native-static-libs,split-debuginfo,crate-root-lint-levels,deployment-target,check-cfg,stack-protector-strategies,target-spec-json,all-target-specs-json,link-args,calling-conventions}
- o:!write out-dir:!write explain:!help target:!@name A|allow: W|warn: D|deny: F|forbid: force-warn: cap-lints: C|codegen:!@rustc-codegen Z:!ask
- extern:!load sysroot:!load error-format: json: color: diagnostic-width:!number remap-path-prefix: env-set: pretty: unpretty:
. @>config read*

= rustdoc
~ writes whole project cache-cargo obeys-toolchain
- h|help!help V|version!help v|verbose w|output-format: o|output|out-dir:!write crate-name:!@name crate-type: L|library-path:!load cfg: check-cfg: extern:!load extern-html-root-url: C|codegen:!@rustc-codegen passes: plugins:!load plugin-path:!load no-defaults document-private-items document-hidden-items test test-args: test-run-directory:!dir target:!@name markdown-css: html-in-header:!read html-before-content:!read html-after-content:!read markdown-before-content:!read markdown-after-content:!read markdown-playground-url: markdown-no-toc e|extend-css:!read Z:!ask sysroot:!load playground-url: display-doctest-warnings crate-version: sort-modules-by-appearance default-theme: theme:!read check-theme:!read resource-suffix: edition: color: error-format: json: A|allow: W|warn: D|deny: F|forbid: force-warn: cap-lints: show-coverage index-page:!read enable-index-page test-runtool:!run test-runtool-arg:!run test-builder:!run test-builder-wrapper:!run persist-doctests:!write no-run show-type-layout nocapture generate-link-to-definition scrape-examples-output-path:!write with-examples:!read no-capture merge: parts-out-dir:!write include-parts-dir:!read static-root-path: disable-per-crate-search
. @>config read*

= rustfmt cargo-fmt
~ writes whole project obeys-toolchain
- h|help:: V|version check emit: backup config-path:!read edition: style-edition: color: print-config:!ask l|files-with-diff config: q|quiet v|verbose unstable-features error-on-unformatted file-lines: skip-children all p|package: manifest-path:!dir message-format:
. @>config write*

= rls cargo-miri cargo-clippy
~ run project cache-cargo obeys-toolchain
- h|help!help V|version!help

= rustup
~ writes connects whole multi-call cache-cargo obeys-toolchain
- h|help!help V|version!help v|verbose q|quiet
. +>@name
> show
  - v|verbose
  >> active-toolchain home profile
     - v|verbose
> check
  - no-self-update
> update upgrade
  - no-self-update force force-non-host
  . @name*
> toolchain
  >> list
     - v|verbose q|quiet
  >> install add update
     - profile: c|component: t|target: no-self-update force force-non-host allow-downgrade
     . @name*
  >> uninstall remove
     . @name*
  >> link
     ~ ask
> install
  - profile: c|component: t|target: no-self-update force force-non-host
  . @name*
> default
  - force-non-host
  . @name
> target component
  >> list
     - toolchain:!@name installed q|quiet
  >> add install remove uninstall
     - toolchain:!@name target:!@name
     . @name*
> override
  >> list
  >> set unset add remove
     ~ config
> which
  - toolchain:!@name
  . text
> doc man
  - path toolchain:!@name
  . text*
> run
  ~ leading
  - install
  . @name argv
> completions
  . text*
> set self
  ~ ask

= wasm-pack
~ writes connects whole
- h|help!help V|version!help v|verbose q|quiet log-level:
> build
  - t|target: s|scope: d|out-dir:!write out-name: dev debug release profiling profile: m|mode: no-typescript no-pack no-package no-opt weak-refs reference-types
  . dir text*
> test
  - node firefox chrome safari headless r|release chromedriver:!run geckodriver:!run safaridriver:!run m|mode:
  . dir text*
> new
  - template:!ask m|mode:
  . text
> pack
  - d|pkg-dir:!dir
  . dir
> publish
  ~ publishes
  - t|target: a|access: tag: d|pkg-dir:!dir
  . dir
> login
  ~ ask

= cross
~ writes connects whole global daemon
- @cargo-common V|version!help
. +>@name
> build check clippy test run bench doc rustc
  ~ run
> metadata
  - @cargo-manifest format-version: no-deps
" examples "
+ rustc x.rs
+ rustc -O -o x x.rs
+ rustc --edition=2021 --crate-type lib x.rs
+ rustc -C opt-level=3 -Ctarget-cpu=native x.rs
+ rustc --version
+ rustc -vV
+ rustc --explain E0382
+ rustc --print sysroot
+ rustc --emit=asm,llvm-ir x.rs
+ rustfmt --check src/main.rs
+ rustfmt --edition 2021 x.rs
+ rustup show
+ rustup target add wasm32-unknown-unknown
+ rustup component add clippy rustfmt
+ rustup toolchain list
+ rustup update stable
+ rustup run nightly cargo test
+ rustdoc --test x.rs
+ wasm-pack build --target web
? rustc -OC linker=x y.rs
? rustc --codegen=linker=x y.rs
? rustc --codegen linker=x y.rs
? rustc -Clinker=x y.rs
? rustc -gOClinker=x y.rs
? rustc -C link-arg=-fuse-ld=x y.rs
? rustc -C link-args=x y.rs
? rustc -C linker-plugin-lto=x y.rs
? rustc -C passes=x y.rs
? rustc -C llvm-args=x y.rs
? rustc -C ar=x y.rs
? rustc -Zcodegen-backend=x y.rs
? rustc -Z shell-argfiles @args x.rs
? rustc @args x.rs
? rustc --extern e=./libe.so y.rs
? rustc -L. y.rs
? rustc --target ./x.json y.rs
? rustc --sysroot d y.rs
? rustdoc --test-runtool x y.rs
? rustdoc --test-builder=x y.rs
? rustdoc --extern e=x y.rs
? rustup toolchain link x ./y
? rustup override set ./x
? rustup self uninstall
? rustup default ./x
? wasm-pack test --chromedriver ./x
? cross build
? rustfmt --print-config default x
";
}
