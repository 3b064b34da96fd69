//! Tools of .NET, Swift, Zig, Haskell, Erlang and PHP.

family! {
"
= dotnet
~ writes connects whole words
- h|help!help version!help info!help list-sdks!help list-runtimes!help d|diagnostics
> build restore test clean publish pack run format
  - @dotnet
  . @msbuild-word*
> new
  - n|name: o|output:!write f|framework: lang|language: dry-run force no-update-check project:!read type: tag: author:!text columns:
  >> list search
     . text*
  >> install uninstall update
     ~ run
  . text*
> add remove
  - v|version: prerelease n|no-restore f|framework: s|source:!config package-directory:!write
  . {package} @name
> list package reference
  - outdated deprecated vulnerable include-transitive framework: format:
  . text*
> sln solution
  - in-root s|solution-folder:
  . text*
> tool
  >> restore list
     - g|global local
     . text
  >> run install update uninstall search execute
     ~ run
> help
  . @name*
> nuget msbuild vstest exec watch workload dev-certs user-secrets build-server sdk script fsi store
  ~ run

= @dotnet
- h|help!help c|configuration:!@name f|framework:!@name r|runtime:!@name o|output:!write artifacts-path:!write a|arch:!{x64,x86,arm64,arm,amd64} os:!@name v|verbosity: v^!{:q,:m,:n,:d,:diag,:quiet,:minimal,:normal,:detailed,:diagnostic} m warnaserror no-restore no-build no-dependencies no-incremental no-logo nologo force self-contained no-self-contained version-suffix: disable-build-servers interactive ucr use-current-runtime sc p^!ask property:!ask
- filter:!text t|list-tests l|logger:!{trx,html,console,junit} results-directory:!write collect:!{Code,XPlat} blame blame-crash blame-hang blame-hang-timeout: e|environment:!config s|settings:!config test-adapter-path:!load d|diag:!write include-symbols include-source serviceable project:!dir launch-profile:!@name no-launch-profile
- source:!config configfile:!config packages:!write use-lock-file locked-mode lock-file-path:!write no-cache ignore-failed-sources force-evaluate verify-no-changes severity: include:!text exclude:!text include-generated report:!write binarylog:!write no-http-cache tl::

= swift
~ writes whole
- version!help help!help
> build test
  - c|configuration: filter:!text skip:!text parallel num-workers: v|verbose q|quiet target: product: j|jobs: enable-code-coverage show-bin-path list-tests xunit-output:!write very-verbose skip-build
  . text*
> package run repl
  ~ run

= zig
~ writes whole cache-home
> fmt
  - check stdin ast-check color: exclude:!read
  . write*
> version env zen targets
> ast-check
  - color: t
  . read
> build run test build-exe build-lib build-obj cc c++ init fetch ar dlltool lib ranlib objcopy rc translate-c std libc
  ~ run

= ghc stack cabal dune opam ghc-pkg kotlin-native
~ run
- help!help version!help

= mix
~ writes connects whole project
- h|help!help v|version!help
> test compile format deps.get deps.compile deps.update deps.clean deps.tree deps clean hex.audit hex.outdated credo dialyzer ecto.migrate ecto.create ecto.rollback phx.routes xref help
  - warnings-as-errors force only: exclude:!text include:!text seed:!number trace stale failed max-failures:!number cover color no-color check-formatted dry-run strict all no-compile no-deps-check no-start partitions:!number slowest:!number export-coverage: formatter: profile-require:
  . @name*

= elixirc erlc rebar3
~ run interpreter

= composer
~ writes connects abbreviated whole cache-home
: composer.json
- h|help!help V|version!help q|quiet v vv vvv verbose ansi no-ansi n|no-interaction profile no-plugins no-scripts no-cache d|working-dir:!dir
> install i
  - @composer
> update u upgrade
  - @composer
  . text*
> require r
  - @composer dev fixed
  . @composer-package*
> remove rm
  - @composer dev unused
  . text*
> show info outdated o licenses why depends why-not prohibits check-platform-reqs validate audit status diagnose fund search suggests about list help dump-autoload dumpautoload dump-autoload reinstall clear-cache clearcache cc bump
  - @composer all locked i|installed p|platform a|available s|self N|name-only P|path t|tree l|latest o|outdated ignore:!text M|major-only m|minor-only patch-only A D|direct strict f|format: no-dev r|recursive no-check-all no-check-lock no-check-publish no-check-version with-dependencies O only-name only-vendor abandoned: classmap-authoritative apcu optimize gc by-package by-suggestion dev-only no-dev-only dry-run
  . text*
> run-script run
  ~ leading
  - timeout:!number dev no-dev l|list
  . text*
> test
  . text*
> exec global create-project init config archive browse home self-update selfupdate self
  ~ run

= @composer
- h|help!help q|quiet v vv vvv verbose ansi no-ansi n|no-interaction profile no-plugins no-scripts no-cache d|working-dir:!dir prefer-source prefer-dist prefer-install: dry-run dev no-dev no-autoloader no-progress no-install no-suggest no-update no-audit audit-format: no-security-blocking o|optimize-autoloader a|classmap-authoritative apcu-autoloader apcu-autoloader-prefix: ignore-platform-req:!text ignore-platform-reqs w|with-dependencies W|with-all-dependencies update-no-dev update-with-dependencies update-with-all-dependencies lock with: root-reqs minimal-changes m prefer-stable prefer-lowest i|interactive bump-after-update:: sort-packages patch-only download-only

= phpunit
~ writes whole project
- h|help!help version!help check-version list-suites list-groups list-tests list-test-files testsuite: exclude-testsuite:!text group: exclude-group:!text covers: uses: filter:!text exclude-filter:!text test-suffix: process-isolation globals-backup static-backup strict-coverage strict-global-state disallow-test-output enforce-time-limit default-time-limit:!number dont-report-useless-tests stop-on-defect stop-on-error stop-on-failure stop-on-warning stop-on-risky stop-on-skipped stop-on-incomplete stop-on-deprecation stop-on-notice fail-on-empty-test-suite fail-on-warning fail-on-risky fail-on-deprecation fail-on-notice fail-on-skipped fail-on-incomplete fail-on-all-issues cache-result do-not-cache-result order-by: random-order-seed:!number colors:: columns: stderr no-progress no-results no-output display-incomplete display-skipped display-deprecations display-errors display-notices display-warnings display-all-issues reverse-list teamcity testdox testdox-summary debug with-telemetry log-junit:!write log-teamcity:!write testdox-html:!write testdox-text:!write log-events-text:!write coverage-clover:!write coverage-cobertura:!write coverage-crap4j:!write coverage-html:!write coverage-php:!write coverage-text:: coverage-xml:!write coverage-openclover:!write warm-coverage-cache coverage-filter:!read path-coverage disable-coverage-ignore no-coverage cache-directory:!write no-logging generate-baseline:!write use-baseline:!read ignore-baseline migrate-configuration verbose v
- c|configuration:!{phpunit.xml,phpunit.xml.dist} bootstrap:!load no-configuration no-extensions extension:!load include-path:!load d:!config printer:!load loader:!load atleast-version: prepend:!load
. read*



= maturin
~ writes connects whole cache-cargo
- h|help!help V|version!help v|verbose q|quiet
> build develop
  - r|release strip o|out:!write i|interpreter:!run f|find-interpreter F|features: all-features no-default-features p|package: sdist skip-auditwheel auditwheel: locked frozen offline E|extras: uv zig compatibility: manylinux: j|jobs:!number profile: target: m|manifest-path:!read
> sdist
  - o|out:!write m|manifest-path:!read
> list-python
> init new generate-ci upload
  ~ ask
> publish
  ~ publishes

= trunk
~ writes connects whole cache-cargo
- h|help!help V|version!help v|verbose q|quiet config:!config color:
> build
  - release d|dist:!write public-url:!text filehash: minify M|minify-output locked frozen offline features: all-features no-default-features
  . read
> clean
  - tools c|cargo
> serve watch config tools
  ~ ask

= rust-analyzer
~ run cache-cargo obeys-toolchain
- h|help!help version!help V!help

= gopls
~ run cache-go
- h|help!help version!help V!help

= staticcheck
~ words whole cache-go
- checks: f: fail: go: tests!text explain: list-checks matrix!input merge!input debug.version!help version!help help!help h!help show-ignored tags:
. @go-target*
" examples "
+ mix test
+ mix deps.get
? mix run -e x
? mix eval x
? stack exec x
? cabal exec x
? dune exec x
? opam exec -- x
+ dotnet build
+ dotnet test --filter X
+ dotnet run --project src
+ dotnet build -c Release -o out -v q
+ dotnet build -v:m -m
+ dotnet test -f net8.0 --no-build -l trx
? dotnet build -dl:X,/tmp/e.dll
? dotnet build -flp:logfile=../x
? dotnet build -o:../x
? dotnet build -targets:../x
? dotnet build -rp:RestoreSources=http://x
? dotnet test -a:/tmp
? dotnet test -r:../x
? dotnet test -a /tmp
? dotnet test -r ../x
? dotnet test --test-adapter-path x
? dotnet build -p:X=y
? dotnet build -p:CustomBeforeMicrosoftCommonTargets=x
? dotnet build @x.rsp
? dotnet exec x.dll
? dotnet x.dll
? dotnet tool install x
+ composer install --no-dev
+ composer require monolog/monolog:^3
+ composer test
? composer exec x
? composer global require x
? composer config scripts.x y
? composer create-project x/y
+ phpunit --filter x tests
? phpunit --bootstrap x
? phpunit -c x
? phpunit -d x=y
";
}
