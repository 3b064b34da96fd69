//! Runtimes of JavaScript, and what manages them.

family! {
"
= bunx
~ writes connects whole leading node-scripts
: package.json
- bun p|package:!@package no-install verbose silent y h|help!help
. @task

= @bun-run
- silent if-present b|bun shell:!run F|filter:!text elide-lines: v|version!help revision!help h|help!help watch hot no-clear-screen smol r:!load preload:!load require:!load import:!load inspect:: inspect-wait:: inspect-brk:: e:!code eval:!code p:!code print:!code install: no-install i prefer-offline prefer-latest port:!number conditions: fetch-preconnect: max-http-header-size:!number dns-result-order: expose-gc no-deprecation throw-deprecation title:!text zero-fill-buffers c::!config config::!config cwd:!dir env-file:!config tsconfig-override:!config main-fields: extension-order: jsx-factory: jsx-fragment: jsx-import-source: jsx-runtime: d:|define: l:|loader: ignore-dce-annotations preserve-symlinks cpu-prof user-agent:!text unhandled-rejections: console-depth:!number parallel sequential workspaces

= @bun-install
- c::!config config::!config y|yarn p|production no-save save dry-run frozen-lockfile f|force no-verify silent quiet verbose no-progress no-summary no-cache cache-dir:!write ca:!config cafile:!config g|global cwd:!dir backend: registry:!config concurrent-scripts:!number network-concurrency:!number save-text-lockfile omit:!text lockfile-only linker: minimum-release-age:!number h|help!help d|dev D|development optional peer E|exact F|filter:!text a|analyze only-missing ignore-scripts trust!ask latest recursive r i|interactive

= bun
~ writes connects whole interpreter leading project node-scripts cache-npm
: package.json
- @bun-run
. script
> run
  ~ leading
  - @bun-run
  . script
> test
  - @bun-run timeout:!number u|update-snapshots rerun-each:!number todo only pass-with-no-tests concurrent max-concurrency:!number randomize seed:!number coverage coverage-reporter: coverage-dir:!write bail:: t:|test-name-pattern:!text reporter: reporter-outfile:!write dots only-failures
  . text*
> install i ci
  - @bun-install
  . @package*
> add a remove rm update outdated audit why
  - @bun-install
  . @package*
> build
  - @bun-run production compile compile-exec-argv:!ask bytecode target: outdir:!write outfile:!write metafile::!write sourcemap:: format: root:!read splitting public-path:!text external: packages: entry-naming: chunk-naming: asset-naming: react-fast-refresh no-bundle emit-dce-annotations minify minify-syntax minify-whitespace minify-identifiers keep-names css-chunking banner:!text footer:!text env: app server-components
  . read*
> x
  ~ leading
  - bun p|package:!@package no-install verbose silent
  . @task
> pm
  - @bun-install all
  >> ls list bin hash hash-string hash-print cache whoami version view why migrate untrusted default-trusted pack pkg
     - all rm
     . text*
  >> trust
     ~ ask
> init
  - y|yes m|minimal r|react::
  . write
> info
  . text*
> publish
  ~ publishes
  - @bun-install access: tag: otp: auth-type: gzip-level:!number tolerate-republish
  . text
> exec repl create c link unlink patch patch-commit upgrade feedback completions getcompletes
  ~ run

= @deno-run
- q|quiet L:|log-level: unstable no-check:: check:: no-remote no-npm r|reload:: no-lock frozen:: lock::!write node-modules-dir:: vendor:: cached-only seed:!number v8-flags:!ask location:!connect watch:: watch-hmr:: watch-exclude:: no-clear-screen strace-ops:: inspect:: inspect-brk:: inspect-wait:: unstable-sloppy-imports unstable-kv unstable-temporal unstable-worker-options unstable-bare-node-builtins unstable-byonm unstable-cron unstable-ffi unstable-webgpu unstable-detect-cjs unstable-node-globals
- A|allow-all P|permission-set:: R|allow-read:: W|allow-write:: N|allow-net:: E|allow-env:: S|allow-sys:: allow-run:: allow-ffi:: I|allow-import:: allow-hrtime no-prompt deny-read:: deny-write:: deny-net:: deny-env:: deny-sys:: deny-run:: deny-ffi:: deny-import:: ignore-read:: ignore-env:: allow-scripts::!ask
- c:|config:!config no-config import-map:!config preload:!load require:!load import:!load env-file::!config cert:!config ext: h|help::!help cpu-prof coverage::!write tunnel t

= deno
~ writes connects whole interpreter global project node-scripts
: deno.json deno.jsonc
- @deno-run V|version!help
. script
> run
  ~ leading
  - @deno-run
  . script
> serve
  ~ leading
  - @deno-run port:!number host: parallel open!run
  . script
> test bench
  - @deno-run no-run doc fail-fast:: trace-leaks permit-no-files filter:!text shuffle:: coverage-raw-data-only clean parallel junit-path:!write reporter: hide-stacktraces json ignore:!text allow-none
  . read*
> check cache
  - @deno-run all doc doc-only check-js
  . read*
> fmt
  - @deno-run check ignore:!text use-tabs line-width:!number indent-width:!number single-quote prose-wrap: no-semicolons unstable-component unstable-sql unstable-yaml
  . tree*
> lint
  - @deno-run fix json compact rules rules-tags: rules-include: rules-exclude:!text ignore:!text
  . tree*
> doc
  - @deno-run json html name: output:!write private filter:!text lint category-docs: symbol-redirect-map: default-symbol-map: strip-trailing-html
  . text*
> info
  - @deno-run json
  . text
> types
> task
  ~ leading
  - cwd:!dir r|recursive f|filter:!text q|quiet eval!code
  . text*
> install i add
  - @deno-run D|dev e|entrypoint lockfile-only npm jsr save-exact prod
  . npm:>@package jsr:>@package @package*
> remove uninstall outdated update audit
  - @deno-run g|global!ask i|interactive latest recursive r compatible u|update level:
  . text*
> compile
  - @deno-run o|output:!write target: include:!text exclude:!text no-terminal icon:!read self-extracting
  . read text*
> bundle
  - @deno-run o|output:!write outdir:!write minify format: platform: sourcemap:: packages: code-splitting inline-imports:: external:
  . read*
> coverage
  - @deno-run include:!text exclude:!text lcov output:!write html detailed ignore:!text
  . read*
> init
  - lib serve npm!ask empty
  . write
> clean
  - dry-run e|except-paths
> completions
  . text*
> help
  . @name*
> eval repl upgrade jupyter lsp x publish deploy sandbox create approve-scripts
  ~ run

# A word behind one dash is an option of its own.
= node nodejs
~ writes whole words interpreter project node-scripts own-scripts cache-npm
- network-family-autoselection-attempt-timeout:: enable-network-family-autoselection trace-sigint trace-tls trace-promises trace-atomics-wait trace-require-module:: disable-wasm-trap-handler disallow-code-generation-from-strings use-largepages: debug-port: no-extra-info-on-fatal-exception no-force-async-hooks-checks no-experimental-global-customevent no-experimental-global-webcrypto no-experimental-repl-await prof-process huge-max-old-generation-size enable-etw-stack-walking
- v|version!help h|help!help v8-options!help completion-bash!help
- c|check test test-only test-name-pattern:!text test-skip-pattern:!text test-concurrency: test-timeout: test-shard: test-force-exit test-update-snapshots test-isolation: experimental-test-isolation: test-coverage-include: test-coverage-exclude:!text test-coverage-branches: test-coverage-functions: test-coverage-lines: test-reporter:!{spec,tap,dot,junit,lcov} test-reporter-destination:!write test-random-seed:!number test-rerun-failures:!write
- watch watch-path: watch-preserve-output watch-kill-signal: inspect:: inspect-brk:: inspect-wait:: inspect-port: inspect-publish-uid: C|conditions: max-old-space-size:: max-old-space-size-percentage: max-semi-space-size:: max_old_space_size:: stack-size: stack-trace-limit:: enable-source-maps no-warnings no-deprecation throw-deprecation trace-deprecation trace-warnings trace-uncaught trace-exit trace-sync-io trace-env unhandled-rejections:
- preserve-symlinks preserve-symlinks-main experimental-vm-modules experimental-strip-types strip-types no-strip-types experimental-transform-types experimental-modules experimental-test-coverage experimental-test-module-mocks experimental-json-modules experimental-wasm-modules experimental-import-meta-resolve experimental-sqlite experimental-websocket experimental-permission permission experimental-worker experimental-require-module experimental-detect-module experimental-default-type: experimental-specifier-resolution: experimental-network-inspection experimental-webstorage experimental-eventsource experimental-print-required-tla experimental-repl-await experimental-global-webcrypto experimental-abortcontroller experimental-fetch no-experimental-fetch no-experimental-strip-types no-experimental-require-module no-experimental-websocket no-experimental-webstorage no-experimental-detect-module no-experimental-global-navigator no-experimental-sqlite
- allow-fs-read:: allow-fs-write:: allow-addons allow-child-process allow-worker allow-wasi allow-net allow-inspector expose-gc expose_gc gc-interval: input-type: prof cpu-prof cpu-prof-dir:!write cpu-prof-name:!@name cpu-prof-interval: heap-prof heap-prof-dir:!write heap-prof-name:!@name heap-prof-interval: heapsnapshot-signal: heapsnapshot-near-heap-limit: diagnostic-dir:!write redirect-warnings:!write report-on-fatalerror report-on-signal report-uncaught-exception report-signal: report-compact report-exclude-network report-exclude-env report-dir:!write report-directory:!write report-filename:!write trace-event-categories: trace-events-enabled trace-event-file-pattern:!write tls-keylog:!write
- frozen-intrinsics abort-on-uncaught-exception track-heap-objects title:!text http-parser: insecure-http-parser max-http-header-size: dns-result-order: network-family-autoselection no-network-family-autoselection pending-deprecation zero-fill-buffers no-addons no-global-search-paths force-context-aware jitless interpreted-frames-native-stack perf-basic-prof perf-prof verify-base-objects node-memory-debug tls-min-v1.0 tls-min-v1.1 tls-min-v1.2 tls-min-v1.3 tls-max-v1.2 tls-max-v1.3 tls-cipher-list: use-bundled-ca use-openssl-ca use-system-ca enable-fips force-fips disable-proto: disable-warning: entry-url!ask force-node-api-uncaught-exceptions-policy harmony harmony-temporal no-opt max-lazy trace-gc trace_gc trace-opt trace-deopt localstorage-file:!write secure-heap: secure-heap-min: v8-pool-size: no-network-family-autoselection-attempt-timeout build-sea:!config experimental-sea-config:!config
- e:!code eval:!code p:!code print::!code pe:!code r:!load require:!load import:!load loader:!load experimental-loader:!load i!input interactive!input env-file:!config env-file-if-exists:!config env-file-config:!config experimental-config-file::!config experimental-default-config-file!config run:!run icu-data-dir:!load openssl-config:!config openssl-legacy-provider openssl-shared-config!config experimental-policy:!config policy-integrity: experimental-shadow-realm snapshot-blob:!load build-snapshot!ask build-snapshot-config:!config
. script

= corepack
~ writes connects whole cache-npm cache-pnpm
- h|help!help v|version!help
> enable disable
  - install-directory:!write
  . {npm,pnpm,yarn,yarnpkg,pnpx}
> prepare use
  - activate all
  . @package*
> install up
  - g|global!ask
> cache
  . {clean,clear}
> pnpm npm yarn
  ~ run
" examples "
+ bun x.ts
+ bun run build
+ bun test
+ bun test --coverage src
+ bun install
+ bun add zod
+ bun --version
+ bun build src/x.ts --outdir dist
+ bunx tsc --noEmit
+ bun x tsc
? bun -e x
? bun --eval x
? bun --print x
? bun -r ./p x.ts
? bun run -
? bun -
? bun exec x
? bun --odd x.ts
? bun -c=x run y
? bun run --shell=x y
? bun --preload=x y
? bunx ./x
? bun repl
? bun install --registry x
? bun test --preload x
+ deno run x.ts
+ deno run -A x.ts --flag
+ deno run --allow-net --allow-read=. x.ts
+ deno test
+ deno test -A --coverage
+ deno fmt --check
+ deno fmt
+ deno lint src
+ deno check x.ts
+ deno task build --x
+ deno --version
? deno eval x
? deno repl
? deno run -
? deno run https://x/y.ts
? deno run --import-map=x y.ts
? deno run --preload p y.ts
? deno run -c x y.ts
? deno -A -
? deno task --eval x
? deno x npm:y
? deno run -A npm:y
? deno run jsr:@x/y
? deno run file:///tmp/x.ts
? deno install -g x
? deno run data:text/javascript,x
? deno run --env-file=x y.ts
? deno jupyter
? deno run --cert x y.ts
? deno run --v8-flags=x y.ts
+ node x.js
+ node --test
+ node --test --test-name-pattern=x src/
+ node --version
+ node -v
+ node --max-old-space-size=4096 x.js -e y
+ node --check x.js
+ node -c x.js
+ node --inspect x.js
+ node --experimental-strip-types x.ts
+ node --watch x.js
+ node --no-warnings --enable-source-maps dist/x.js --config y
+ node
? node -e x
? node -pe x
? node -p x
? node --eval=x
? node --eval x
? node --print x
? node --print=x
? node --import data:x y
? node --import ./x y.js
? node -r ./x y.js
? node --require=./x y
? node --env-file=.e x.js
? node -
? node /dev/stdin
? node --odd x.js
? node --loader ./l x.js
? node --experimental-loader=./l x.js
? node18 -e x
? node -i
? node --run x
? node --openssl-config=x y.js
? node --snapshot-blob x y.js
? node --test-reporter ./x --test
? node --icu-data-dir=x y.js
? node --experimental-config-file=x y.js
? node --experimental-default-config-file y.js
? node --build-snapshot x.js
? node --experimental-policy=x y.js
? node --check -e x
? corepack pnpm dlx x
? corepack install -g ./x
+ corepack enable
+ corepack prepare pnpm@9 --activate
";
}
