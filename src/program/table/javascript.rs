//! Package managers and runtimes of JavaScript.

family! {
"
# Any setting may be an option of any command; a setting that is not listed reaches scripts by the environment.
= @npm
- h|H|help|usage|?!help v|version!help y|yes n no-yes no s|silent quiet q d dd ddd verbose loglevel: json p|parseable porcelain l|long a|all color no-color progress no-progress timing no-timing unicode no-unicode
- f|force g|global!writes no-global workspaces|ws no-workspaces no-ws w|workspace: include-workspace-root|iwr no-include-workspace-root depth:!number dry-run if-present no-if-present ignore-scripts no-ignore-scripts foreground-scripts
- S|save no-save P|save-prod D|save-dev O|save-optional B|save-bundle E|save-exact no-save-exact save-peer save-prefix: production omit: include: only: also: optional no-optional prod dev
- audit no-audit audit-level: fund no-fund package-lock no-package-lock package-lock-only legacy-peer-deps no-legacy-peer-deps strict-peer-deps legacy-bundling global-style install-strategy: prefer-dedupe prefer-offline prefer-online offline install-links bin-links no-bin-links
- engine-strict update-notifier no-update-notifier fetch-retries:!number fetch-timeout:!number fetch-retry-factor:!number fetch-retry-maxtimeout:!number fetch-retry-mintimeout:!number maxsockets:!number tag: before: min-release-age: description no-description searchlimit:!number searchopts: searchexclude: searchstaleness:!number
- libc: os: cpu: which: lock-file-version lockfile-version:!number preid: message|m: git-tag-version no-git-tag-version commit-hooks no-commit-hooks sign-git-commit!config sign-git-tag!config allow-same-version init-license: init-version: init-author-name: init-author-email: init-type: init-private tag-version-prefix:
- expect-results no-expect-results expect-result-count:!number diff: diff-name-only diff-no-prefix diff-unified:!number diff-ignore-all-space diff-text diff-src-prefix: diff-dst-prefix: sbom-format: sbom-type: package-spec: access: otp: auth-type: provenance heading: rebuild-bundle save-bundle
- pack-destination:!write cache:!write logs-dir:!write logs-max:!number registry:!config r|reg:!config prefix:!config C:!config userconfig:!config globalconfig:!config location:!config L:!config init-module:!run script-shell:!run shell:!run editor:!run browser::!run no-browser viewer:!run git:!run call:!code c:!code node-options:!load
- cafile:!config ca:!config cert:!config key:!config proxy:!config https-proxy:!config noproxy: strict-ssl no-strict-ssl!config local-address:!config user-agent: scope: omit-lockfile-registry-resolved replace-registry-host: scripts-prepend-node-path workspaces-update no-workspaces-update

= npm
~ writes connects global abbreviated words node-scripts cache-npm
- @npm
> run run-script rum urn
  . text*
> test tst t
  . text*
> start stop restart
  . text*
> install i add in ins inst insta instal isnt isnta isntal isntall install-test it
  . @package*
> ci clean-install ic install-clean isntall-clean install-ci-test cit clean-install-test sit
> uninstall unlink remove rm r un
  . @package*
> update up upgrade udpate
  . @package*
> ls list la ll
  . text*
> outdated
  . text*
> view info show v
  . text*
> search s se find
  . text*
> audit
  . {fix,signatures}
> fund explain why query
  . text*
> doctor ping root bin whoami completion help-search sbom
  . text*
> help hlep
  . text*
> pack
  . @package*
> version
  . {major,minor,patch,premajor,preminor,prepatch,prerelease,from-git}
> publish
  ~ publishes
  . text
> unpublish deprecate undeprecate owner author team access org profile star unstar stars token trust hook
  ~ publishes
  . text*
> dist-tag dist-tags
  >> ls list
     . text
  >> add rm
     ~ publishes
     . text*
> exec x exe
  ~ leading
  - package:!@package
  . @task
> init create innit
> dedupe ddp find-dupes prune shrinkwrap
> rebuild rb
  . @package*
> cache
  >> clean clear rm verify ls
     . text*
  >> npx
     >>> ls rm info
         . text*
> config c
  >> get list ls
     . text*
  >> set delete rm edit fix
     ~ config
> get
  . text*
> pkg
  >> get set delete rm fix
     . text*
> diff
  . text*
> set edit explore link ln login logout adduser add-user install-scripts repo bugs issues docs home
  ~ ask

= npx
~ writes connects whole leading node-scripts cache-npm cache-pnpm cache-home
- y|yes n no no-install q|quiet s|silent h|help!help v|version!help p|package:!@package w|workspace: workspaces ws include-workspace-root prefer-offline prefer-online offline ignore-existing loglevel:
- c|call:!code shell:!run script-shell:!run node-arg:!load node-options:!load userconfig:!config globalconfig:!config cache:!write registry:!config prefix:!config always-spawn
. @task

= @pnpm
- h|help!help v|version!help r|recursive F|filter: filter-prod: C|dir:!dir w|workspace-root s|silent reporter: loglevel: color no-color parallel stream aggregate-output no-bail bail sort no-sort reverse workspace-concurrency:!number if-present report-summary resume-from: fail-if-no-match changed-files-ignore-pattern: test-pattern: y|yes
- P|prod D|dev no-optional offline prefer-offline frozen-lockfile no-frozen-lockfile ignore-scripts lockfile-only fix-lockfile shamefully-hoist use-stderr ignore-workspace include-workspace-root
- script-shell:!run shell-emulator config:!config store-dir:!write virtual-store-dir:!write modules-dir:!write lockfile-dir:!write global-dir:!write registry:!config node-options:!load userconfig:!config pnpmfile:!load global-pnpmfile:!load ignore-pnpmfile hook-pnpmfile:!load use-node-version:!@name npmrc-auth-file:!config

= pnpm
~ writes connects whole global node-scripts cache-npm cache-pnpm
- @pnpm
. @task
> run run-script
  ~ leading
  . text*
> install i
  - strict-peer-dependencies no-strict-peer-dependencies no-lockfile lockfile force hoist no-hoist merge-git-branch-lockfiles optimistic-repeat-install resolution-only network-concurrency:!number child-concurrency:!number package-import-method: side-effects-cache no-verify-store-integrity dangerously-allow-all-builds!ask
> ci
> add
  - save-prod save-dev save-optional save-peer O E|save-exact g|global save-catalog save-catalog-name: workspace save-workspace-protocol allow-build:!ask
  . @package*
> remove rm uninstall un
  - save-dev save-optional save-prod g|global O
  . @package*
> update up upgrade
  - L|latest i|interactive E|save-exact no-save depth:!number g|global workspace
  . text*
> list ls la ll why outdated licenses audit
  - depth:!number json long parseable g|global only-projects only-dev lockfile-only compatible audit-level: fix ignore-registry-errors no-optional format: sort-by: exclude-peers find-by:
  . text*
> exec
  ~ leading
  - c|shell-mode!code
  . @task
> dlx
  ~ leading
  - package:!@package c|shell-mode!code allow-build:!ask s|silent
  . @task
> create init
  - init-type: init-package-manager bare
  . @package*
> dedupe prune import fetch rebuild rb root bin
  - check pending
  . text*
> pack
  - pack-destination:!write out:!write json pack-gzip-level:!number
> publish
  ~ publishes
  - tag: access: no-git-checks publish-branch: dry-run force json otp: provenance
  . text
> deploy
  - legacy
  . write
> patch patch-commit patch-remove
  - edit-dir:!write ignore-existing patches-dir:!write
  . text*
> store
  >> path status prune add
     . text*
> config c
  >> get list
     - location: json
     . text*
  >> set delete
     ~ config
> env
  ~ ask
> setup link ln unlink self-update server doctor approve-builds
  ~ ask
> help
  . text*

= yarn yarnpkg
~ writes connects whole node-scripts cache-npm cache-home
- h|help!help v|version!help cwd:!dir s|silent verbose json no-color offline prefer-offline frozen-lockfile pure-lockfile no-lockfile force production prod ignore-scripts ignore-engines ignore-optional ignore-platform non-interactive no-progress no-default-rc check-files check-cache har flat link-duplicates
- immutable immutable-cache inline-builds mode: network-timeout:!number network-concurrency:!number mutex: emoji: update-checksums skip-integrity-check disable-pnp enable-pnp no-bin-links
- use-yarnrc:!config rc-file:!config script-shell:!run registry:!config cache-folder:!write modules-folder:!write global-folder:!write preferred-cache-folder:!write link-folder:!write proxy:!config https-proxy:!config no-node-version-check scripts-prepend-node-path::
. @task
> run run-script
  ~ leading
  - T|top-level B|binaries-only silent s json inspect::!ask inspect-brk::!ask require:!load
  . @task
> install
  - json immutable immutable-cache check-cache check-resolutions refresh-lockfile inline-builds mode: frozen-lockfile force ignore-scripts silent s production prod offline prefer-offline non-interactive ignore-engines pure-lockfile network-timeout:!number no-lockfile A|audit flat har no-progress check-files ignore-optional
> add
  - D|dev P|peer O|optional E|exact T|tilde C|caret prefer-dev i|interactive cached json F fixed mode: W|ignore-workspace-root-check A|audit silent s ignore-scripts no-lockfile ignore-engines
  . @package*
> remove
  - A|all json mode: W|ignore-workspace-root-check
  . @package*
> up upgrade upgrade-interactive
  - i|interactive E|exact T|tilde C|caret R|recursive mode: L|latest P pattern: S|scope: fixed F
  . text*
> dlx
  ~ leading
  - p|package:!@package q|quiet
  . @task
> exec
  ~ leading
  . @tool
> node
  ~ leading run
> workspace
  ~ leading
  . @package @task
> workspaces
  >> foreach
     ~ leading
     - from: A|all R|recursive W|worktree v|verbose p|parallel i|interlaced j|jobs: t|topological topological-dev include: exclude: no-private since:: n|dry-run
     >>> run
         ~ leading
         . @task
     >>> exec
         ~ leading
         . @tool
     >>> npm pack version
         ~ publishes
         . text*
  >> list info
     - since:: R|recursive no-private v|verbose json
  >> run
     ~ leading
     . text*
  >> focus
     - json production A|all
     . text*
> why info list outdated licenses audit
  - R|recursive peers json A|all X|extra: cache dependents manifest name-only virtuals depth:!number pattern: level: groups: environment: severity: no-deprecations exclude: ignore: production prod
  . text*
> cache
  >> clean list dir
     - mirror all pattern:
     . text*
> dedupe
  - s|strategy: c|check json mode:
  . text*
> init
  - y|yes p|private w|workspace n: name:
> pack
  - n|dry-run json o|out:!write install-if-needed f|filename:!write
> npm
  >> publish tag
     ~ publishes
     - access: tag: otp: tolerate-republish
     . text*
  >> audit info whoami
     - A|all R|recursive environment: json no-deprecations severity: exclude: ignore: fields: f:
     . text*
  >> login logout
     ~ ask
> publish
  ~ publishes
  - tag: access: new-version: patch minor major otp:
  . text
> version
  - new-version: patch minor major i|interactive d|deferred immediate no-git-tag-version no-commit-hooks
  . text*
> config
  >> get list
     - json v|verbose why
     . text*
  >> set delete unset
     ~ config
> bin
  . text
> create plugin set link unlink login logout policies self-update patch patch-commit rebuild unplug owner tag team import stage sdks
  ~ ask
> help
  . text*

= pnpx
~ writes connects whole leading
- package:!@package c|shell-mode!code h|help!help v|version!help s|silent allow-build:!ask
. @task

= bunx
~ writes connects whole leading node-scripts
- bun p|package:!@package no-install verbose silent y h|help!help
. @task

= @bun-run
- silent if-present b|bun shell:!run F|filter: elide-lines: v|version!help revision!help h|help!help watch hot no-clear-screen smol r:!load preload:!load require:!load import:!load inspect:: inspect-wait:: inspect-brk:: e:!code eval:!code p:!code print:!code install: no-install i prefer-offline prefer-latest port:!number conditions: fetch-preconnect: max-http-header-size:!number dns-result-order: expose-gc no-deprecation throw-deprecation title: zero-fill-buffers c::!config config::!config cwd:!dir env-file:!config tsconfig-override:!config main-fields: extension-order: jsx-factory: jsx-fragment: jsx-import-source: jsx-runtime: d:|define: l:|loader: ignore-dce-annotations preserve-symlinks cpu-prof user-agent: unhandled-rejections: console-depth:!number parallel sequential workspaces

= @bun-install
- c::!config config::!config y|yarn p|production no-save save dry-run frozen-lockfile f|force no-verify silent quiet verbose no-progress no-summary no-cache cache-dir:!write ca:!config cafile:!config g|global cwd:!dir backend: registry:!config concurrent-scripts:!number network-concurrency:!number save-text-lockfile omit: lockfile-only linker: minimum-release-age:!number h|help!help d|dev D|development optional peer E|exact F|filter: a|analyze only-missing ignore-scripts trust!ask latest recursive r i|interactive

= bun
~ writes connects whole interpreter leading project node-scripts cache-npm
- @bun-run
. script
> run
  ~ leading
  - @bun-run
  . script
> test
  - @bun-run timeout:!number u|update-snapshots rerun-each:!number todo only pass-with-no-tests concurrent max-concurrency:!number randomize seed:!number coverage coverage-reporter: coverage-dir:!write bail:: t:|test-name-pattern: reporter: reporter-outfile:!write dots only-failures
  . text*
> install i ci
  - @bun-install
  . @package*
> add a remove rm update outdated audit why
  - @bun-install
  . @package*
> build
  - @bun-run production compile compile-exec-argv:!ask bytecode target: outdir:!write outfile:!write metafile::!write sourcemap:: format: root:!read splitting public-path: external: packages: entry-naming: chunk-naming: asset-naming: react-fast-refresh no-bundle emit-dce-annotations minify minify-syntax minify-whitespace minify-identifiers keep-names css-chunking banner: footer: env: app server-components
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
  - @deno-run no-run doc fail-fast:: trace-leaks permit-no-files filter: shuffle:: coverage-raw-data-only clean parallel junit-path:!write reporter: hide-stacktraces json ignore: allow-none
  . read*
> check cache
  - @deno-run all doc doc-only check-js
  . read*
> fmt
  - @deno-run check ignore: use-tabs line-width:!number indent-width:!number single-quote prose-wrap: no-semicolons unstable-component unstable-sql unstable-yaml
  . tree*
> lint
  - @deno-run fix json compact rules rules-tags: rules-include: rules-exclude: ignore:
  . tree*
> doc
  - @deno-run json html name: output:!write private filter: lint category-docs: symbol-redirect-map: default-symbol-map: strip-trailing-html
  . text*
> info
  - @deno-run json
  . text
> types
> task
  ~ leading
  - cwd:!dir r|recursive f|filter: q|quiet eval!code
  . text*
> install i add
  - @deno-run D|dev e|entrypoint lockfile-only npm jsr save-exact prod
  . npm:>@package jsr:>@package @package*
> remove uninstall outdated update audit
  - @deno-run g|global!ask i|interactive latest recursive r compatible u|update level:
  . text*
> compile
  - @deno-run o|output:!write target: include: exclude: no-terminal icon:!read self-extracting
  . read text*
> bundle
  - @deno-run o|output:!write outdir:!write minify format: platform: sourcemap:: packages: code-splitting inline-imports:: external:
  . read*
> coverage
  - @deno-run include: exclude: lcov output:!write html detailed ignore:
  . read*
> init
  - lib serve npm!ask empty
  . write
> clean
  - dry-run e|except-paths
> completions
  . text*
> help
  . text*
> eval repl upgrade jupyter lsp x publish deploy sandbox create approve-scripts
  ~ run

# A word behind one dash is an option of its own.
= node nodejs
~ writes whole words interpreter project node-scripts cache-npm
- network-family-autoselection-attempt-timeout:: enable-network-family-autoselection trace-sigint trace-tls trace-promises trace-atomics-wait trace-require-module:: disable-wasm-trap-handler disallow-code-generation-from-strings use-largepages: debug-port: no-extra-info-on-fatal-exception no-force-async-hooks-checks no-experimental-global-customevent no-experimental-global-webcrypto no-experimental-repl-await prof-process huge-max-old-generation-size enable-etw-stack-walking
- v|version!help h|help!help v8-options!help completion-bash!help
- c|check test test-only test-name-pattern: test-skip-pattern: test-concurrency: test-timeout: test-shard: test-force-exit test-update-snapshots test-isolation: experimental-test-isolation: test-coverage-include: test-coverage-exclude: test-coverage-branches: test-coverage-functions: test-coverage-lines: test-reporter:!{spec,tap,dot,junit,lcov} test-reporter-destination:!write test-random-seed:!number test-rerun-failures:!write
- watch watch-path: watch-preserve-output watch-kill-signal: inspect:: inspect-brk:: inspect-wait:: inspect-port: inspect-publish-uid: C|conditions: max-old-space-size:: max-old-space-size-percentage: max-semi-space-size:: max_old_space_size:: stack-size: stack-trace-limit:: enable-source-maps no-warnings no-deprecation throw-deprecation trace-deprecation trace-warnings trace-uncaught trace-exit trace-sync-io trace-env unhandled-rejections:
- preserve-symlinks preserve-symlinks-main experimental-vm-modules experimental-strip-types strip-types no-strip-types experimental-transform-types experimental-modules experimental-test-coverage experimental-test-module-mocks experimental-json-modules experimental-wasm-modules experimental-import-meta-resolve experimental-sqlite experimental-websocket experimental-permission permission experimental-worker experimental-require-module experimental-detect-module experimental-default-type: experimental-specifier-resolution: experimental-network-inspection experimental-webstorage experimental-eventsource experimental-print-required-tla experimental-repl-await experimental-global-webcrypto experimental-abortcontroller experimental-fetch no-experimental-fetch no-experimental-strip-types no-experimental-require-module no-experimental-websocket no-experimental-webstorage no-experimental-detect-module no-experimental-global-navigator no-experimental-sqlite
- allow-fs-read:: allow-fs-write:: allow-addons allow-child-process allow-worker allow-wasi allow-net allow-inspector expose-gc expose_gc gc-interval: input-type: prof cpu-prof cpu-prof-dir:!write cpu-prof-name:!@name cpu-prof-interval: heap-prof heap-prof-dir:!write heap-prof-name:!@name heap-prof-interval: heapsnapshot-signal: heapsnapshot-near-heap-limit: diagnostic-dir:!write redirect-warnings:!write report-on-fatalerror report-on-signal report-uncaught-exception report-signal: report-compact report-exclude-network report-exclude-env report-dir:!write report-directory:!write report-filename:!write trace-event-categories: trace-events-enabled trace-event-file-pattern:!write tls-keylog:!write
- frozen-intrinsics abort-on-uncaught-exception track-heap-objects title: http-parser: insecure-http-parser max-http-header-size: dns-result-order: network-family-autoselection no-network-family-autoselection pending-deprecation zero-fill-buffers no-addons no-global-search-paths force-context-aware jitless interpreted-frames-native-stack perf-basic-prof perf-prof verify-base-objects node-memory-debug tls-min-v1.0 tls-min-v1.1 tls-min-v1.2 tls-min-v1.3 tls-max-v1.2 tls-max-v1.3 tls-cipher-list: use-bundled-ca use-openssl-ca use-system-ca enable-fips force-fips disable-proto: disable-warning: entry-url!ask force-node-api-uncaught-exceptions-policy harmony harmony-temporal no-opt max-lazy trace-gc trace_gc trace-opt trace-deopt localstorage-file:!write secure-heap: secure-heap-min: v8-pool-size: no-network-family-autoselection-attempt-timeout build-sea:!config experimental-sea-config:!config
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
+ npm ci
+ npm install
+ npm i
+ npm i -D typescript @types/node@^20 --save-exact
+ npm install lodash@4.17.21 --no-audit --no-fund
+ npm i --ignore-scripts --legacy-peer-deps
+ npm test
+ npm t
+ npm run build
+ npm run lint -- --fix
+ npm run test:unit -- --grep x -c y
+ npm run build --workspace=packages/a
+ npm run -s build
+ npm ls --json
+ npm ls --depth=0
+ npm ls --depth 0 -g
+ npm outdated
+ npm view react version
+ npm audit --audit-level=high
+ npm audit fix
+ npm uninstall lodash
+ npm init -y
+ npm pack --dry-run
+ npm version patch --no-git-tag-version
+ npm config get registry
+ npm cache clean --force
+ npm pkg get version
+ npm --version
+ npm -v
+ npm start
+ npm exec tsc -- --noEmit
+ npm exec -- eslint src
+ npm root -g
+ npm why x
+ npm prune --omit=dev
? npm --script-shell=x run test
? npm -script-shell=x run test
? npm -shell=x run test
? npm --script-sh x run test
? npm --prefix x run test
? npm -prefix x run test
? npm run test --script-shell x
? npm run test --userconfig=x
? npm view x --userconfig y
? npm --userc=x view y
? npm --node-options=x test
? npm test --node-op=x
? npm exec -c x
? npm exe -c x
? npm x --call=x
? npm --cache .c exec -c x
? npm exec --package=./x -- y
? npm exec -- node -e x
? npm exec ./evil
? npm init evil
? npm init -y evil
? npm create vite
? npm innit evil
? npm config set script-shell x
? npm c set script-shell x
? npm conf set script-shell x
? npm config edit
? npm set script-shell=x
? npm edit x
? npm explore x
? npm i ./x
? npm i git+ssh://x/y
? npm i x/y
? npm i github:x/y
? npm i a@file:./x
? npm i a@npm:b
? npm i https://x/y.tgz
? npm i x.tgz
? npm add ../x
? npm version patch --git=./x
? npm version patch --sign-git-tag
? npm run x --shell ./y
? npm run x --odd
? npm i --python=./x
? npm --global-config x ls
? npm docs x
? npm link ../x
? npm ls --viewer x
? npm help --viewer=x
? npm login
? npm true exec x
+ npx tsc --noEmit
+ npx tsc -p tsconfig.json --noEmit
+ npx eslint src --ext .ts
+ npx prettier --check .
+ npx --yes create-react-app x
+ npx -y create-vite@latest my-app --template react
+ npx jest path/to/x.test.ts -t name
+ npx playwright test
+ npx @biomejs/biome check .
+ npx tsx src/x.ts
+ npx --no-install vitest run
? npx -c x
? npx -yc x
? npx --call=x
? npx -p x -c y
? npx ./evil
? npx ../x
? npx github:x/y
? npx x/y
? npx https://x/y
? npx -p ./x y
? npx node -e x
? npx tsx -e x
? npx ts-node -e x
? npx --node-arg=x y
? npx -n ./x
? npx --shell ./x tsc
? npx --script-shell ./x tsc
? npx eslint -c x src
? npx --odd x
+ pnpm install --frozen-lockfile
+ pnpm i
+ pnpm build
+ pnpm --filter @app/core build
+ pnpm -r test
+ pnpm -F a run build --watch
+ pnpm test -- --run
+ pnpm add -D vitest
+ pnpm exec tsc --noEmit
+ pnpm dlx create-vite x
+ pnpm eslint .
+ pnpm list --depth 0
+ pnpm why react
? pnpm exec -c x
? pnpm node -e x
? pnpm exec node -e x
? pnpm dlx -c x
? pnpm --script-shell x build
? pnpm --config.script-shell=x run y
? pnpm --config.node-options=x run y
? pnpm add ./x
? pnpm config set script-shell x
? pnpm --pnpmfile x i
? pnpm env use 20
? pnpm --odd x
? pnpm -F x env
? pnpm ./x
+ yarn
+ yarn build
+ yarn install --frozen-lockfile
+ yarn install --immutable
+ yarn test --watch=false
+ yarn tsc --noEmit
+ yarn run lint --fix
+ yarn add -D typescript
+ yarn workspace @a/b build
+ yarn why x
+ yarn --version
? yarn node x
? yarn exec touch x
? yarn node -e x
? yarn run node -e x
? yarn --use-yarnrc x build
? yarn --script-shell x build
? yarn config set yarnPath x
? yarn set version ./x
? yarn plugin import ./x
? yarn add x@link:./y
? yarn add ./x
? yarn create x
? yarn dlx ./x
? yarn --rc-file x
? yarn workspaces foreach exec touch x
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
