//! Compilers, linters, bundlers and test runners of JavaScript.

family! {
"
= tsc
~ writes whole words project
- p|project:!read b|build v|version!help V h|?!help help!help all init listFilesOnly showConfig w|watch noEmit:: noEmitOnError:: noEmitHelpers pretty:: incremental:: composite:: declaration:: d:: declarationMap:: declarationDir:!write emitDeclarationOnly:: outDir:!write outFile:!write out:!write rootDir:!read rootDirs: tsBuildInfoFile:!write
- t: target: m: module: lib: jsx: jsxFactory: jsxFragmentFactory: jsxImportSource: moduleResolution: baseUrl:!read paths: types: typeRoots:!read allowJs:: checkJs:: strict:: strictNullChecks:: noImplicitAny:: noImplicitThis:: noImplicitReturns:: noImplicitOverride:: noUnusedLocals:: noUnusedParameters:: noFallthroughCasesInSwitch:: noUncheckedIndexedAccess:: noPropertyAccessFromIndexSignature:: exactOptionalPropertyTypes:: strictFunctionTypes:: strictBindCallApply:: strictPropertyInitialization:: useUnknownInCatchVariables:: alwaysStrict::
- skipLibCheck:: skipDefaultLibCheck:: esModuleInterop:: allowSyntheticDefaultImports:: resolveJsonModule:: isolatedModules:: isolatedDeclarations:: verbatimModuleSyntax:: forceConsistentCasingInFileNames:: sourceMap:: inlineSourceMap:: inlineSources:: sourceRoot: mapRoot: removeComments:: importHelpers:: downlevelIteration:: preserveConstEnums:: preserveSymlinks:: preserveWatchOutput:: experimentalDecorators:: emitDecoratorMetadata:: useDefineForClassFields:: allowImportingTsExtensions:: rewriteRelativeImportExtensions:: allowArbitraryExtensions:: allowUmdGlobalAccess:: allowUnreachableCode:: allowUnusedLabels:: moduleSuffixes: moduleDetection: customConditions: resolvePackageJsonExports:: resolvePackageJsonImports:: erasableSyntaxOnly:: noCheck:: noLib:: noResolve:: libReplacement:: maxNodeModuleJsDepth:!number newLine: charset: locale: assumeChangesOnlyAffectDirectDependencies:: ignoreConfig ignoreDeprecations:!text stableTypeOrdering
- listFiles:: listEmittedFiles:: explainFiles:: traceResolution:: diagnostics:: extendedDiagnostics:: generateTrace:!write generateCpuProfile:!write noErrorTruncation:: disableSizeLimit:: f|force dry clean verbose stopBuildOnErrors watchFile: watchDirectory: fallbackPolling: synchronousWatchDirectory excludeDirectories:!text excludeFiles:!text plugins:!load
. @>config read*

= ts-node tsx
~ writes whole interpreter leading project node-scripts
- h|help!help v|version!help
- T|transpile-only S swc esm P|project:!read cwd-mode script-mode files pretty typecheck type-check H|compiler-host skip-project skip-ignore prefer-ts-exts log-error emit scope tsconfig:!read no-cache watch clear-screen no-warnings inspect:: inspect-brk:: test enable-source-maps conditions: C:!load
- e:!code eval:!code p:!code print:!code pe:!code i!input interactive!input r:!load require:!load import:!load loader:!load compiler:!load O|compiler-options:!config I|ignore:!text D|ignore-diagnostics:!text cwd:!dir dir:!dir scopeDir:!dir env-file:!config showConfig experimental-specifier-resolution:
. script
> watch
  ~ leading
  - include:!text exclude:!text ignore:!text clear-screen no-cache tsconfig:!read
  . script

= eslint
~ writes whole project
- h|help!help v|version!help env-info
- ext: fix fix-dry-run fix-type: quiet max-warnings:!number no-warn-ignored no-error-on-unmatched-pattern pass-on-no-patterns exit-on-fatal-error no-inline-config report-unused-disable-directives report-unused-disable-directives-severity: report-unused-inline-configs: rule: global: env: parser-options: ignore-pattern:!text no-ignore ignore-path:!read color no-color cache cache-strategy: cache-file:!write cache-location:!write o|output-file:!write stdin stdin-filename: debug no-eslintrc no-config-lookup stats flag: concurrency: prune-suppressions suppress-all suppress-rule: suppressions-location:!write pass-on-unpruned-suppressions mcp!daemon
- f|format:!{stylish,json,html,compact,unix,checkstyle,json-with-metadata,junit,tap,visualstudio,codeframe,table,jslint-xml}
- print-config:!read inspect-config!run init!run c|config:!{eslint.config.js,eslint.config.mjs,eslint.config.cjs,eslint.config.ts,.eslintrc.js,.eslintrc.cjs,.eslintrc.json,.eslintrc.yml,.eslintrc} rulesdir:!load plugin:!load parser:!load resolve-plugins-relative-to:!load
. tree*

= prettier
~ writes whole project
- h|help::!help v|version!help w|write in-place c|check l|list-different u|ignore-unknown config-precedence: no-config no-editorconfig ignore-path:!read with-node-modules stdin-filepath: log-level: loglevel: cache cache-location:!write cache-strategy: color no-color error-on-unmatched-pattern no-error-on-unmatched-pattern file-info: find-config-path: support-info insert-pragma require-pragma check-ignore-pragma no-plugin-search
- print-width:!number tab-width:!number use-tabs no-semi semi single-quote jsx-single-quote quote-props: trailing-comma: no-bracket-spacing bracket-spacing bracket-same-line jsx-bracket-same-line arrow-parens: prose-wrap: html-whitespace-sensitivity: vue-indent-script-and-style end-of-line: embedded-language-formatting: single-attribute-per-line object-wrap: experimental-ternaries experimental-operator-position: experimental-cli range-start:!number range-end:!number debug-check
- parser:!{babel,babel-flow,babel-ts,flow,typescript,acorn,espree,meriyah,css,less,scss,json,json5,jsonc,json-stringify,graphql,markdown,mdx,vue,yaml,html,angular,lwc,glimmer,mjml,oxc,oxc-ts}
- config:!{.prettierrc,.prettierrc.json,.prettierrc.yml,.prettierrc.yaml,.prettierrc.js,.prettierrc.cjs,.prettierrc.mjs,prettier.config.js,prettier.config.mjs,prettier.config.cjs,prettier.config.ts} plugin:!load plugin-search-dir:!load
. tree*

= jest
~ writes project
- h|help!help v|version!help
- all automock b|bail:: cacheDirectory:!write cache:: no-cache changedFilesWithAncestor changedSince: ci:: no-ci clearCache clearMocks collectCoverage collectCoverageFrom:!text collect-coverage-from: color no-color colors coverage:: no-coverage coverageDirectory:!write coverage-directory:!write coveragePathIgnorePatterns:!text coverageProvider: coverageReporters:!{text,text-summary,lcov,html,json,json-summary,clover,cobertura,lcovonly,none,teamcity} coverageThreshold: debug detectLeaks detectOpenHandles detect-open-handles env:!{node,jsdom} errorOnDeprecated e|expand findRelatedTests find-related-tests forceExit force-exit forceCoverageMatch: i|runInBand:: run-in-band ignoreProjects:!text injectGlobals json:: lastCommit last-commit listTests list-tests logHeapUsage maxConcurrency: w|maxWorkers: max-workers: moduleFileExtensions: modulePathIgnorePatterns:!text noStackTrace no-stack-trace notify o|onlyChanged only-changed f|onlyFailures only-failures openHandlesTimeout: outputFile:!write passWithNoTests pass-with-no-tests randomize resetMocks reset-mocks resetModules restoreMocks roots: rootDir:!dir runTestsByPath run-tests-by-path seed: selectProjects: shard: showConfig show-config showSeed silent:: skipFilter t|testNamePattern:!text test-name-pattern:!text testLocationInResults testMatch:!text testPathIgnorePatterns:!text test-path-ignore-patterns:!text testPathPattern:!text testPathPatterns:!text testRegex:!text testTimeout: test-timeout: timers: u|updateSnapshot update-snapshot useStderr verbose:: no-verbose waitForUnhandledErrors watch:: no-watch watchAll:: watch-all no-watchAll watchman no-watchman watchPathIgnorePatterns:!text workerThreads workerIdleMemoryLimit:
- c|config:!{jest.config.js,jest.config.ts,jest.config.mjs,jest.config.cjs,jest.config.json,jest.e2e.config.js,jest.unit.config.js,jest.integration.config.js,jest.e2e.config.ts,jest.unit.config.ts,jest.integration.config.ts,package.json} reporters:!{default,summary,github-actions,agent}
- filter:!load globals: globalSetup:!load globalTeardown:!load globalsConfig:!config haste:!config moduleDirectories:!load moduleNameMapper:!load modulePaths:!load preset:!load prettierPath:!load projects:!read resolver:!load runner:!load runtime:!load setupFiles:!load setupFilesAfterEnv:!load snapshotSerializers:!load testEnvironment:!{node,jsdom} testEnvironmentOptions: testResultsProcessor:!load testRunner:!load testSequencer:!load transform:!load transformIgnorePatterns:!text unmockedModulePathPatterns:!text watchPlugins:!load init!run
. text*

= @vitest
- h|help!help v|version!help r|root:!dir u|update:: w|watch:: run t|testNamePattern:!text dir:!read ui!daemon open!run api:: silent:: hideSkippedTests reporter:!{default,verbose,dot,json,junit,tap,tap-flat,html,basic,hanging-process,github-actions,tree,blob,agent} outputFile:!write outputFile.json:!write outputFile.junit:!write coverage:: coverage.enabled:: coverage.provider: coverage.reporter: coverage.reportsDirectory:!write coverage.include: coverage.exclude:!text coverage.all:: coverage.clean:: coverage.thresholds.lines: coverage.thresholds.functions: coverage.thresholds.branches: coverage.thresholds.statements: coverage.thresholds.100 coverage.reportOnFailure:: coverage.skipFull
- mode: isolate no-isolate globals dom environment:!{node,jsdom,happy-dom,edge-runtime} passWithNoTests allowOnly no-allowOnly logHeapUsage changed:: shard: testTimeout: test-timeout: hookTimeout: teardownTimeout: bail: retry: maxWorkers: minWorkers: pool:!{threads,forks,vmThreads,vmForks,typescript} poolOptions.threads.singleThread poolOptions.forks.singleFork fileParallelism no-file-parallelism no-fileParallelism no-threads threads maxConcurrency: sequence.shuffle sequence.shuffle.tests sequence.shuffle.files sequence.concurrent sequence.seed: expandSnapshotDiff disableConsoleIntercept diff:!load exclude:!text project: slowTestThreshold: inspect:: inspectBrk:: inspect-brk:: typecheck typecheck.enabled typecheck.only typecheck.tsconfig:!read typecheck.checker:!run printConsoleTrace clearScreen no-color color standalone includeTaskLocation attachmentsDir:!write mergeReports::!read expand-snapshot-diff segfaultRetry: cache clearCache staged experimental json::!write filesOnly
- browser:: browser.name: browser.headless browser.enabled browser.provider:!load related
- c|config:!{vitest.config.ts,vitest.config.js,vitest.config.mts,vitest.config.mjs,vitest.workspace.ts,vite.config.ts,vite.config.js,vite.config.mts,vite.config.mjs,vitest.e2e.config.ts,vitest.unit.config.ts,vitest.integration.config.ts} workspace:!load globalSetup:!load configLoader: execArgv:!load vmMemoryLimit:

= vitest
~ writes whole project
- @vitest
. text*
> run watch dev related bench list
  - @vitest
  . text*
> init
  ~ run

= mocha
~ writes whole project
- h|help!help V|version!help allow-uncaught A|async-only b|bail check-leaks delay dry-run exit no-exit fail-zero forbid-only forbid-pending global|globals: j|jobs: p|parallel retries: s|slow: t|timeout|timeouts: u|ui:!{bdd,tdd,qunit,exports} c|color|colors C no-color no-colors diff no-diff full-trace inline-diffs G|growl R|reporter:!{spec,dot,nyan,tap,json,json-stream,list,min,landing,progress,doc,html,markdown,xunit} O|reporter-option|reporter-options:!ask no-package extension: ignore|exclude:!text recursive S|sort w|watch watch-files: watch-ignore:!text f|fgrep:!text g|grep:!text i|invert list-interfaces list-reporters pass-on-failing-test-suite fail-hook-affected-tests posix-exit-codes enable-source-maps
- config:!config no-config package:!config opts:!config file:!load r|require:!load spec:!read n|node-option:!load inspect:: inspect-brk:: import:!load loader:!load experimental-loader:!load
. read*

= @vite
- h|help!help v|version!help base: l|logLevel: clearScreen no-clearScreen configLoader: d|debug:: f|filter:!text m|mode: app
- c|config:!{vite.config.ts,vite.config.js,vite.config.mts,vite.config.mjs,vite.lib.config.ts}

= vite
~ writes whole project daemon
- @vite host:: port: open::!run cors strictPort force outDir:!write
. dir
> dev serve
  - @vite host:: port: open::!run cors strictPort force
  . dir
> build
  - @vite target: outDir:!write assetsDir: assetsInlineLimit: ssr:: sourcemap:: minify:: manifest:: ssrManifest:: emptyOutDir w|watch profile
  . dir
> optimize
  - @vite force
  . dir
> preview
  - @vite host:: port: strictPort open::!run outDir:!dir
  . dir

= webpack
~ writes whole project
- h|help::!help v|version!help mode: watch w no-watch d|devtool: no-devtool o|output-path:!write entry:!read t|target: name: color no-color progress:: json::!write j::!write stats:: no-stats analyze nodeEnv: node-env: fail-on-warnings disable-interpret env: watch-options-stdin hot no-hot config-name: bail no-bail cache no-cache profile
- c|config:!{webpack.config.js,webpack.config.ts,webpack.config.cjs,webpack.config.mjs,webpack.prod.js,webpack.dev.js,webpack.config.prod.js,webpack.config.dev.js,webpack.common.js} merge m extends:!load e:!load
. read*
> build bundle b watch w info i version v help
  - mode: d|devtool: o|output-path:!write env: json::!write j::!write stats:: progress:: nodeEnv: node-env: watch w c|config:!{webpack.config.js,webpack.config.ts,webpack.prod.js,webpack.dev.js,webpack.config.prod.js,webpack.config.dev.js} fail-on-warnings output: config-name: merge m
  . read*
> serve server s
  ~ daemon
  - mode: d|devtool: env: port: host: hot:: no-hot https live-reload c|config:!{webpack.config.js,webpack.config.ts,webpack.prod.js,webpack.dev.js,webpack.config.prod.js,webpack.config.dev.js} history-api-fallback open::!run
  . read*

= rollup
~ writes whole project
- h|help!help v|version!help d|dir:!write o|file:!write f|format: i|input:!read m|sourcemap:: n|name: w|watch e|external: g|globals: no-conflict silent environment: no-strict exports: footer:!text banner:!text intro:!text outro:!text extend compact minifyInternalExports no-treeshake treeshake preserveModules preserveEntrySignatures: failAfterWarnings bundleConfigAsCjs context: filterLogs: forceExit generatedCode: logLevel: no-clearScreen no-esModule validate waitForBundleInput assetFileNames: chunkFileNames: entryFileNames: stdin: inlineDynamicImports no-stdin
- c::!{rollup.config.js,rollup.config.mjs,rollup.config.ts,rollup.config.cjs} config::!{rollup.config.js,rollup.config.mjs,rollup.config.ts,rollup.config.cjs} configImportAttributesKey: configPlugin:!load p:!load plugin:!load watch.onStart:!sh watch.onBundleStart:!sh watch.onBundleEnd:!sh watch.onEnd:!sh watch.onError:!sh watch.skipWrite watch.exclude:!text watch.include: watch.buildDelay: watch.clearScreen
# What follows `-c` may be its file.
. {rollup.config.js,rollup.config.mjs,rollup.config.ts,rollup.config.cjs}

= esbuild
~ writes whole project
- h|help!help version!help bundle minify minify-whitespace minify-syntax minify-identifiers keep-names sourcemap:: splitting watch:: serve::!daemon servedir:!dir allow-overwrite analyze:: color: ignore-annotations preserve-symlinks charset: platform: target: format: global-name: outdir:!write outfile:!write outbase:!read metafile:!write mangle-cache:!write tsconfig:!read tsconfig-raw: main-fields: conditions: resolve-extensions: packages: public-path:!text legal-comments: line-limit: log-level: log-limit: tree-shaking: source-root: sourcefile: sources-content: jsx: jsx-dev jsx-factory: jsx-fragment: jsx-import-source: jsx-side-effects mangle-props: mangle-quoted: reserve-props: drop-labels: entry-names: chunk-names: asset-names: cors-origin: certfile:!read keyfile:!read serve-fallback:!read abs-paths: ignore-annotations
- external:^ define:^ loader:^ alias:^ inject:^ drop:^ footer:^ banner:^ pure:^ supported:^ out-extension:^ log-override:^ loader:
. read*

= next
~ writes connects whole project
- h|help!help v|version!help
. dir
> build
  - d|debug profile no-lint no-mangling experimental-app-only experimental-build-mode: turbo turbopack webpack debug-prerender experimental-analyze
  . dir
> dev start
  ~ daemon
  - turbo turbopack webpack p|port: H|hostname: experimental-https experimental-https-key:!read experimental-https-cert:!read keepAliveTimeout: disable-source-maps experimental-upload-trace:!ask inspect::
  . dir
> lint
  - d|dir:!read file:!read ext: fix fix-type: strict quiet max-warnings: ignore-path:!read no-ignore no-cache cache-location:!write cache-strategy: no-inline-config report-unused-disable-directives-severity: f|format:!{stylish,json,html,compact,unix,checkstyle,junit,tap} o|output-file:!write error-on-unmatched-pattern
  . dir
> info typegen
  - verbose
  . dir
> telemetry
  . {status,enable,disable}

= playwright
~ writes connects whole project
- h|help!help V|version!help
> test
  - headed ui!daemon ui-host: ui-port: debug::!run browser: c|config:!{playwright.config.ts,playwright.config.js,playwright.config.mts,playwright.config.mjs} fail-on-flaky-tests forbid-only fully-parallel global-timeout: g|grep:!text gv|grep-invert:!text ignore-snapshots last-failed list max-failures: no-deps only-changed:: output:!write pass-with-no-tests project: quiet repeat-each: reporter:!{list,line,dot,html,json,junit,null,github,blob} retries: shard: test-list:!read test-list-invert:!read timeout: trace: tsconfig:!read u|update-snapshots:: update-source-method: workers: j: x
  . text*
> install install-deps uninstall
  - with-deps dry-run list force only-shell no-shell all
  . @name*
> show-report show-trace
  ~ daemon
  - host: port: b|browser: stdin!input
  . read
> merge-reports
  - c|config:!{playwright.config.ts,playwright.config.js} reporter:!{list,line,dot,html,json,junit,null,github,blob}
  . read
> clear-cache
> screenshot pdf
  - b|browser: color-scheme: device: full-page timeout: wait-for-selector: wait-for-timeout: viewport-size: lang: timezone: paper-format:
  . connect write
> codegen open run-server cr ff wk launch-server
  ~ daemon run

= cypress
~ writes connects whole project
- h|help!help v|version!help
> run
  - b|browser:!{chrome,chromium,edge,electron,firefox,webkit} e|env: headed headless s|spec: project:!dir P:!dir q|quiet record!publishes parallel group: tag: k|key: p|port: component e2e no-exit ci-build-id: no-runner-ui runner-ui reporter:!{spec,dot,junit,json,mochawesome,list,min,nyan,tap} o|reporter-options: C|config-file:!{cypress.config.js,cypress.config.ts,cypress.config.mjs,cypress.config.cjs} c|config:!config auto-cancel-after-failures: posix-exit-codes
> open
  ~ daemon run
> verify info version install cache
  - f|force size
  . text*

= biome
~ writes whole project
- h|help!help V|version!help
> check lint format ci
  - write fix unsafe apply apply-unsafe staged changed since: colors: use-server verbose config-path:!read max-diagnostics: skip-parse-errors error-on-warnings no-errors-on-unmatched reporter: reporter-file:!write log-level: log-kind: log-file:!write log-prefix-name: log-path:!write diagnostic-level: stdin-file-path: only: skip:!text suppress reason:!text formatter-enabled: linter-enabled: assist-enabled: organize-imports-enabled: enforce-assist: indent-style: indent-width: indent-size: line-ending: line-width: quote-style: jsx-quote-style: semicolons: trailing-commas: trailing-comma: arrow-parentheses: arrow-parens: bracket-spacing: bracket-same-line: attribute-position: quote-properties: use-editorconfig: vcs-enabled: vcs-client-kind: vcs-use-ignore-file:!text vcs-root: vcs-default-branch: files-max-size: files-ignore-unknown:!text json-parse-allow-comments: json-parse-allow-trailing-commas: css-parse-css-modules: threads: format-with-errors: profile-rules
  . tree*
> explain version rage
  - daemon-logs formatter linter
  . text
> init
  - jsonc
> migrate
  - write include-inspired config-path:!read
  . {eslint,prettier}
> search
  - config-path:!read
  . text read*
> start stop lsp-proxy clean
  ~ daemon

= turbo
~ writes connects whole project
- h|help!help version!help v skip-infer no-update-notifier cwd:!dir color no-color verbosity: heap:!write cpu-profile:!write trace:!write anon-profile:!write preflight api:!config token:!config team:!config login:!config no-telemetry
- F|filter:!text affected force:: cache: cache-dir:!write cache-workers: concurrency: continue:: dry::  dry-run:: env-mode: framework-inference: global-deps: graph::!write include-dependencies no-deps no-cache no-daemon daemon output-logs: log-order: log-prefix: only parallel profile:!write remote-only remote-cache-read-only:: remote-cache-timeout: scope: since: ignore:!text single-package summarize:: tui ui: dangerously-disable-package-manager-check root-turbo-json:!config ui
. @name*
> run r
  - F|filter:!text affected force:: cache: cache-dir:!write concurrency: continue:: dry:: dry-run:: env-mode: global-deps: graph::!write no-cache no-daemon output-logs: log-order: log-prefix: only parallel profile:!write remote-only scope: since: ignore:!text single-package summarize:: ui: include-dependencies no-deps
  . @name*
> ls query info bin prune boundaries
  - F|filter:!text affected output: scope: docker out-dir:!write use-gitignore:: production
  . text*
> watch dev
  ~ daemon
  - F|filter:!text
  . @name*
> login logout link unlink daemon telemetry generate gen scan clone devtools
  ~ ask

= nx
~ writes connects whole global project
- h|help!help version!help verbose skip-nx-cache skipNxCache skip-remote-cache p|projects:!text t|target|targets: c|configuration: prod exclude:!text parallel:: maxParallel: all base: head: uncommitted untracked files: nxBail nxIgnoreCycles graph::!write outputStyle: output-style: batch tuiAutoExit: tui
. text
> run
  - c|configuration: prod watch
  . text*
> run-many affected
  - a
  . text*
> build test lint serve e2e typecheck
  - watch fix ci coverage codeCoverage testFile: t: u|updateSnapshot
  . text*
> show
  . text*
> format:check format:write format
  - libs-and-apps sort-root-tsconfig-paths
  . text*
> graph
  - file:!write focus: view: host: port: open!run watch affected print groupByFolder
> reset report list sync sync:check
  - onlyCache onlyDaemon
  . text
> daemon
  - start stop
> exec
  ~ leading
  . @tool
> generate g add import init migrate repair release connect watch create release:publish login logout
  ~ run

= lerna
~ writes connects whole global project
- h|help!help v|version!help loglevel: concurrency: no-progress no-sort reject-cycles max-buffer: scope: ignore:!text no-private since:: exclude-dependents include-dependents include-dependencies include-merged-tags stream parallel no-bail no-prefix npm-client:!{npm,yarn,pnpm,bun} profile continue-if-no-match
> run
  - profile profile-location:!write skip-nx-cache verbose load-env-files use-nx
  . text*
> exec
  ~ leading
  . @tool
> list ls la ll changed diff info
  - json ndjson a|all l|long p|parseable toposort graph
  . text*
> bootstrap clean repair
  - y|yes force-local hoist:: nohoist: ignore-scripts ci
  . text*
> version
  - y|yes no-push no-git-tag-version conventional-commits exact amend message:!text m: force-publish:: preid: allow-branch: no-changelog
  . text
> publish
  ~ publishes
  - y|yes canary from-git:: from-package dist-tag: preid: no-push no-git-tag-version force-publish:: exact
  . text
> create add link import init watch
  ~ ask

= nodemon
~ writes whole interpreter leading project
- h|help::!help v|version!help w|watch: i|ignore:!text e|ext: V|verbose q|quiet d|delay: L|legacy-watch polling-interval: C|on-change-only I|no-stdin s|signal: dump spawn no-colors no-update-notifier no-cold inspect:: inspect-brk:: harmony
- x|exec:!sh config:!config r:!load require:!load import:!load loader:!load node-args:!load cwd:!dir scriptPosition:!number env-file:!config
. script

= pm2
~ daemon whole
- h|help!help v|version!help s|silent m|mini-list
> list ls l status prettylist jlist describe show info desc monit id pid
  . text*
> logs
  - lines: raw err out nostream json format timestamp:: highlight::
  . text*
> start restart reload stop delete del flush save resurrect kill startup deploy serve install set conf eject trigger update scale reset dump ecosystem init unstartup reloadLogs
  ~ run

= serve
~ daemon whole project
- help!help v|version!help l|listen: p: s|single d|debug c|config:!config C|cors n|no-clipboard u|no-compression no-etag S|symlinks L|no-request-logging no-port-switching no-color ssl-cert:!read ssl-key:!read ssl-pass:!read
. read

= http-server
~ daemon whole project
- h|help!help v|version!help p|port: a: d: i: g|gzip b|brotli e|ext: s|silent cors:: c: U|utc t: r|robots log-ip no-dotfiles S|tls|ssl C|cert:!read K|key:!read mimetypes:!read base-dir: coop
. read
" examples "
+ tsc
+ tsc --noEmit
+ tsc -p tsconfig.json --noEmit
+ tsc -b
+ tsc --noEmit --watch false
+ tsc --strict --target es2022 x.ts
+ tsc --outDir dist src/x.ts
? tsc @args
? tsc --odd
? tsc --plugins x
+ tsx x.ts
+ ts-node src/x.ts
+ tsx watch src/x.ts
+ ts-node -T x.ts
+ ts-node --project tsconfig.json x.ts
? tsx -e x
? ts-node -e x
? ts-node -pe x
? ts-node -r ./x y.ts
? tsx --import ./x y.ts
? tsx -
? ts-node --compiler ./evil x.ts
? tsx --env-file=x y.ts
? tsx watch -
+ eslint .
+ eslint src --ext .ts,.tsx
+ eslint --fix src/x.ts
+ eslint --max-warnings 0 .
+ eslint -f json -o report.json .
+ eslint --config eslint.config.mjs .
? eslint -c evil.js .
? eslint --rulesdir d .
? eslint --plugin x .
? eslint --parser ./x .
? eslint -f ./evil.js .
? eslint --format=./evil.js .
? eslint --resolve-plugins-relative-to d .
? eslint --init
+ prettier --check .
+ prettier --write src/**/*.ts
+ prettier -w x.ts
+ prettier -l src
? prettier --plugin=./x .
? prettier --plugin ./x .
? prettier --plugin-search-dir=d .
? prettier --config ./evil.js .
? prettier --parser ./x .
+ jest
+ jest src/x.test.ts -t name
+ jest --coverage --ci
+ jest --runInBand --watchAll=false
+ jest -u
? jest --config evil.js
? jest -c evil.js
? jest --conf evil.js
? jest --setupFiles ./x
? jest --globalSetup=./x
? jest --testRunner=./x
? jest --reporters=./x
? jest --transform x
? jest --resolver ./x
? jest --testEnvironment ./x
? jest --runner ./x
+ vitest run
+ vitest run src/x.test.ts -t name
+ vitest --coverage
+ vitest --run --reporter=verbose
+ vitest run --pool=forks --no-file-parallelism
? vitest --config evil.ts
? vitest --reporter ./x
? vitest --environment ./x
? vitest --globalSetup ./x
? vitest --execArgv=x
? vitest --typecheck.checker ./x
? vitest init
+ mocha
+ mocha test/x.spec.js -g name --timeout 5000
+ mocha --recursive
? mocha -r ./x
? mocha --require=./x
? mocha --config x
? mocha -R ./x
? mocha --ui ./x
? mocha --file ./x
? mocha -n require=./x
+ vite build
+ vite build --mode production --outDir dist
? vite --config ./evil.ts build
? vite build --open
? vite --open
+ webpack --mode production
+ webpack --config webpack.prod.js
? webpack --config evil.js
? webpack -c evil.js
? webpack --extends ./x
+ rollup -c
+ rollup -i src/x.js -o dist/x.js -f cjs
+ rollup -c rollup.config.mjs
? rollup -c evil.js
? rollup -p ./x y.js
? rollup --plugin=./x y.js
? rollup --config=evil.js
? rollup --watch.onStart x -w
? rollup --configPlugin ./x
+ esbuild src/x.ts --bundle --outfile=dist/x.js --platform=node --external:react
+ esbuild x.ts --loader:.png=file --define:A=1
? esbuild --odd x.ts
+ next build
+ next lint --fix
+ next dev -p 3001
? next lint --format ./evil.js
+ playwright test
+ playwright test tests/x.spec.ts --project=chromium -g name
+ playwright install chromium
? playwright test -c evil.ts
? playwright test --reporter ./x
? playwright codegen
+ cypress run --spec cypress/e2e/x.cy.js
? cypress run --config-file evil.js
? cypress run --reporter ./x
? cypress run --browser ./evil
+ biome check --write .
+ biome ci
+ turbo run build --filter=web
+ turbo build
? turbo --root-turbo-json x build
? turbo gen
+ nx run-many -t build
+ nx test app
+ nx affected --target=test --base=main
? nx exec -- sh -c x
? nx g evil:x
+ lerna run build --scope=a
? lerna exec touch x
+ nodemon src/x.js
+ nodemon --watch src -e ts,js x.js
? nodemon -r ./x y.js
? nodemon --config x
? nodemon -
+ pm2 ls
+ pm2 logs x --lines 50 --nostream
? pm2 start x
+ serve -s build -l 3000
? serve -c x
";
}
