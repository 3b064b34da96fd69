//! Package managers and runtimes of JavaScript.

family! {
"
# Any setting may be an option of any command; a setting that is not listed reaches scripts by the environment.
= @npm
- h|H|help|usage|?!help v|version!help y|yes n no-yes no s|silent quiet q d dd ddd verbose loglevel: json p|parseable porcelain l|long a|all color no-color progress no-progress timing no-timing unicode no-unicode
- f|force g|global!writes no-global workspaces|ws no-workspaces no-ws w|workspace: include-workspace-root|iwr no-include-workspace-root depth:!number dry-run if-present no-if-present ignore-scripts no-ignore-scripts foreground-scripts
- S|save no-save P|save-prod D|save-dev O|save-optional B|save-bundle E|save-exact no-save-exact save-peer save-prefix: production omit:!text include:!text only: also: optional no-optional prod dev
- audit no-audit audit-level: fund no-fund package-lock no-package-lock package-lock-only legacy-peer-deps no-legacy-peer-deps strict-peer-deps legacy-bundling global-style install-strategy: prefer-dedupe prefer-offline prefer-online offline install-links bin-links no-bin-links
- engine-strict update-notifier no-update-notifier fetch-retries:!number fetch-timeout:!number fetch-retry-factor:!number fetch-retry-maxtimeout:!number fetch-retry-mintimeout:!number maxsockets:!number tag: before: min-release-age: description no-description searchlimit:!number searchopts: searchexclude:!text searchstaleness:!number
- libc: os: cpu: which: lock-file-version lockfile-version:!number preid: message|m:!text git-tag-version no-git-tag-version commit-hooks no-commit-hooks sign-git-commit!config sign-git-tag!config allow-same-version init-license: init-version: init-author-name: init-author-email: init-type: init-private tag-version-prefix:
- expect-results no-expect-results expect-result-count:!number diff: diff-name-only diff-no-prefix diff-unified:!number diff-ignore-all-space diff-text diff-src-prefix: diff-dst-prefix: sbom-format: sbom-type: package-spec: access: otp: auth-type: provenance heading: rebuild-bundle save-bundle
- pack-destination:!write cache:!write logs-dir:!write logs-max:!number registry:!config r|reg:!config prefix:!config C:!config userconfig:!config globalconfig:!config location:!config L:!config init-module:!run script-shell:!run shell:!run editor:!run browser::!run no-browser viewer:!run git:!run call:!code c:!code node-options:!load
- cafile:!config ca:!config cert:!config key:!config proxy:!config https-proxy:!config noproxy: strict-ssl no-strict-ssl!config local-address:!config user-agent:!text scope: omit-lockfile-registry-resolved replace-registry-host: scripts-prepend-node-path workspaces-update no-workspaces-update

= npm
~ writes connects global abbreviated words node-scripts cache-npm
: package.json
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
  >> get
     . @shown-setting*
  >> list ls
     ~ shows
     . text*
  >> set delete rm edit fix
     ~ config
> get
  . @shown-setting*
> pkg
  >> get set delete rm fix
     . text*
> diff
  . text*
> set edit explore link ln login logout adduser add-user install-scripts repo bugs issues docs home
  ~ ask

= npx
~ writes connects whole leading node-scripts cache-npm cache-pnpm cache-home
: package.json
- y|yes n no no-install q|quiet s|silent h|help!help v|version!help p|package:!@package w|workspace: workspaces ws include-workspace-root prefer-offline prefer-online offline ignore-existing loglevel:
- c|call:!code shell:!run script-shell:!run node-arg:!load node-options:!load userconfig:!config globalconfig:!config cache:!write registry:!config prefix:!config always-spawn
. @task

= @pnpm
- h|help!help v|version!help r|recursive F|filter:!text filter-prod: C|dir:!dir w|workspace-root s|silent reporter: loglevel: color no-color parallel stream aggregate-output no-bail bail sort no-sort reverse workspace-concurrency:!number if-present report-summary resume-from: fail-if-no-match changed-files-ignore-pattern:!text test-pattern:!text y|yes
- P|prod D|dev no-optional offline prefer-offline frozen-lockfile no-frozen-lockfile ignore-scripts lockfile-only fix-lockfile shamefully-hoist use-stderr ignore-workspace include-workspace-root
- script-shell:!run shell-emulator config:!config store-dir:!write virtual-store-dir:!write modules-dir:!write lockfile-dir:!write global-dir:!write registry:!config node-options:!load userconfig:!config pnpmfile:!load global-pnpmfile:!load ignore-pnpmfile hook-pnpmfile:!load use-node-version:!@name npmrc-auth-file:!config
- prefix:!config cwd:!dir workspace-dir:!config global-bin-dir:!write cache-dir:!write state-dir:!write config-dir:!config patches-dir:!write npm-path:!run globalconfig:!config proxy:!config https-proxy:!config http-proxy:!config cafile:!config local-address:!config strict-ssl:!config init-module:!run execution-env.node-version:!ask extra-bin-paths:!load

= pnpm
~ writes connects whole global node-scripts cache-npm cache-pnpm
: package.json
- @pnpm
. @task
> run run-script
  ~ leading
  . text*
> install i
  - strict-peer-dependencies no-strict-peer-dependencies no-lockfile lockfile force hoist no-hoist merge-git-branch-lockfiles optimistic-repeat-install resolution-only network-concurrency:!number child-concurrency:!number package-import-method: side-effects-cache no-verify-store-integrity dangerously-allow-all-builds!ask save-prod save-dev save-optional save-peer O E|save-exact g|global
  . @package*
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
> create
  ~ leading
  . @package text*
> init
  - init-type: init-package-manager bare
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
  >> get
     - location: json
     . @shown-setting*
  >> list
     ~ shows
     - location: json
     . text*
  >> set delete
     ~ config
> env
  ~ ask
> setup link ln unlink self-update server doctor approve-builds
  ~ ask
> help
  . @name*

= yarn yarnpkg
~ writes connects whole node-scripts cache-npm cache-home
: package.json
- h|help!help v|version!help cwd:!dir s|silent verbose json no-color offline prefer-offline frozen-lockfile pure-lockfile no-lockfile force production prod ignore-scripts ignore-engines ignore-optional ignore-platform non-interactive no-progress no-default-rc check-files check-cache har flat link-duplicates
- immutable immutable-cache inline-builds mode: network-timeout:!number network-concurrency:!number mutex: emoji: update-checksums skip-integrity-check disable-pnp enable-pnp no-bin-links
- use-yarnrc:!config rc-file:!config script-shell:!run registry:!config cache-folder:!write modules-folder:!write global-folder:!write preferred-cache-folder:!write link-folder:!write proxy:!config https-proxy:!config no-node-version-check scripts-prepend-node-path::
. @task
> run run-script
  ~ leading
  - T|top-level B|binaries-only silent s json inspect::!ask inspect-brk::!ask require:!load
  . @task
> install
  - json immutable no-immutable immutable-cache check-cache check-resolutions refresh-lockfile inline-builds mode: frozen-lockfile force ignore-scripts silent s production prod offline prefer-offline non-interactive ignore-engines pure-lockfile network-timeout:!number no-lockfile A|audit flat har no-progress check-files ignore-optional
> add
  - D|dev P|peer O|optional E|exact T|tilde C|caret prefer-dev i|interactive cached json F fixed mode: W|ignore-workspace-root-check A|audit silent s ignore-scripts no-lockfile ignore-engines
  . @package*
> remove
  - A|all json mode: W|ignore-workspace-root-check
  . @package*
> up upgrade upgrade-interactive
  - i|interactive E|exact T|tilde C|caret R|recursive mode: L|latest P pattern:!text S|scope: fixed F
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
     - from: A|all R|recursive W|worktree v|verbose p|parallel i|interlaced j|jobs: t|topological topological-dev include:!text exclude:!text no-private since:: n|dry-run
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
  - R|recursive peers json A|all X|extra: cache dependents manifest name-only virtuals depth:!number pattern:!text level: groups: environment: severity: no-deprecations exclude:!text ignore:!text production prod
  . text*
> cache
  >> clean list dir
     - mirror all pattern:!text
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
     - A|all R|recursive environment: json no-deprecations severity: exclude:!text ignore:!text fields: f:
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
  >> get
     - json v|verbose why
     . @shown-setting*
  >> list
     ~ shows
     - json v|verbose why
     . text*
  >> set delete unset
     ~ config
> bin
  . text
> create
  ~ leading
  . @package text*
> plugin set link unlink login logout policies self-update patch patch-commit rebuild unplug owner tag team import stage sdks
  ~ ask
> help
  . @name*

= pnpx
~ writes connects whole leading
- package:!@package c|shell-mode!code h|help!help v|version!help s|silent allow-build:!ask
. @task

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
+ pnpm test --watch -- --dir x
? pnpm test --config.script-shell=/x
? pnpm test -C /tmp
? pnpm test --dir /tmp
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
+ pnpm create vite my-app --template react-ts
+ pnpm install -D vitest
? pnpm create ./x
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
+ yarn create vite my-app --template react-ts
? yarn create ./x
? yarn dlx ./x
? yarn --rc-file x
? yarn workspaces foreach exec touch x
";
}
