//! Package managers, tests, linters and servers of Python.

family! {
"
# Options that every command of pip has.
= @pip
- h|help!help V|version!help v|verbose q|quiet debug isolated require-virtualenv no-input no-cache-dir disable-pip-version-check no-color no-python-version-warning retries:!number timeout:!number exists-action: resume-retries:!number use-deprecated: use-feature:
- python:!run log:!write proxy:!config keyring-provider:!run trusted-host:!config cert:!config client-cert:!config cache-dir:!write

= @pip-index
- i|index-url|pypi-url:!config extra-index-url:!config no-index f|find-links:!config process-dependency-links

= @pip-package
- c|constraint:!@requirement-file build-constraint:!@requirement-file requirements-from-script:!@requirement-file r|requirement:!@requirement-file no-deps pre only-binary: no-binary: prefer-binary require-hashes progress-bar: no-clean group: platform: python-version: implementation: abi: e|editable:!@requirement no-build-isolation!ask build-isolation use-pep517 no-use-pep517 check-build-dependencies config-settings:!config C:!config global-option:!config ignore-requires-python uploaded-prior-to: all-releases:

= pip
~ writes connects cache-home
- @pip
> install
  - @pip @pip-index @pip-package dry-run t|target:!write user root:!write prefix:!write src:!write U|upgrade upgrade-strategy: force-reinstall I|ignore-installed break-system-packages compile no-compile no-warn-script-location no-warn-conflicts report:!write
  . @requirement*
> uninstall
  - @pip y|yes r|requirement:!@requirement-file root-user-action: break-system-packages
  . text*
> download wheel
  - @pip @pip-index @pip-package d|dest:!write w|wheel-dir:!write src:!write no-verify build-option:!config
  . @requirement*
> list
  - @pip @pip-index o|outdated u|uptodate e|editable l|local user path:!read pre format: not-required exclude-editable include-editable exclude:!text
> freeze
  - @pip r|requirement:!read l|local user path:!read all exclude-editable exclude:!text
> show
  - @pip f|files
  . text*
> check inspect
  - @pip local user path:!read
> index
  - @pip @pip-index pre json platform: python-version: implementation: abi: ignore-requires-python only-binary: no-binary:
  >> versions
     . text
> cache
  - @pip format:
  >> dir info list purge remove
     . text*
> config
  - @pip user global site editor:!run
  >> get
     . @shown-setting
  >> list debug
     ~ shows
     . text
  >> set unset edit
     ~ config
> hash
  - @pip a|algorithm:
  . read*
> search debug help completion
  - @pip bash zsh fish
  . text*
> lock
  - @pip @pip-index @pip-package o|output:!write
  . @requirement*

= pipx
~ writes connects whole runner cache-home
- h|help!help version!help q|quiet v|verbose global
> list environment
  - json short include-injected skip-maintenance pinned V|value:
> install inject upgrade reinstall
  - f|force include-deps include-apps suffix: preinstall:!@requirement system-site-packages pip-args:!ask i|index-url:!config python:!run fetch-missing-python e|editable!ask r|requirement:!ask
  . @requirement*
> uninstall uninject
  - leave-deps
  . text*
> upgrade-all uninstall-all reinstall-all
  - include-injected skip:!text f|force
> run runpip
  ~ run
> ensurepath
  - prepend f|force all-shells
> completions help
  . text*

= @uv
- h|help!help V|version!help q|quiet v|verbose color: no-progress offline no-cache n refresh refresh-package: no-config native-tls system-certs preview no-preview preview-features: managed-python no-managed-python python-preference: python-fetch: no-python-downloads allow-python-downloads
- config-file:!config cache-dir:!write directory:!dir project:!dir allow-insecure-host:!config no-system

= @uv-index
- index:!config default-index:!config i|index-url:!config extra-index-url:!config f|find-links:!config no-index index-strategy: keyring-provider: resolution: prerelease: fork-strategy: exclude-newer:!text exclude-newer-package:!text link-mode: no-sources no-sources-package: no-build no-build-package: no-binary no-binary-package: reinstall reinstall-package: U|upgrade P|upgrade-package: upgrade-group: compile-bytecode no-build-isolation!ask no-build-isolation-package:!ask C|config-setting:!config config-settings-package:!config torch-backend:

= @uv-sync
- extra: all-extras no-extra: no-dev dev only-dev group: no-group: no-default-groups only-group: all-groups no-editable inexact exact active locked frozen no-sync isolated all-packages package: no-env-file p|python:!@python-version no-install-project no-install-workspace no-install-package: no-install-local only-install-project dry-run check output-format: no-project python-platform: script:!read

= uv
~ writes connects whole runner python-scripts cache-home
- @uv
> run
  ~ leading
  - @uv @uv-index @uv-sync s|script gui-script m|module:!@python-module with:!@requirement with-editable:!ask with-requirements:!@requirement-file env-file:!config
  . @tool
> sync
  - @uv @uv-index @uv-sync
> lock
  - @uv @uv-index @uv-sync check-exists
> add
  - @uv @uv-index @uv-sync r|requirements:!@requirement-file c|constraints:!@requirement-file m|marker: optional: editable rev:!ask tag:!ask branch:!ask lfs raw bounds: workspace no-workspace
  . @requirement*
> remove
  - @uv @uv-index @uv-sync optional:
  . text*
> tree export
  - @uv @uv-index @uv-sync universal d|depth:!number prune: invert no-dedupe outdated show-sizes format: o|output-file:!write no-header no-annotate no-hashes no-emit-project no-emit-workspace no-emit-package: emit-index-url emit-find-links python-version:
> version
  - @uv @uv-index @uv-sync bump: short
  . text
> init
  - @uv name: package no-package app lib script!write description:!text no-description bare vcs: build-backend: no-readme author-from: no-pin-python pin-python no-workspace p|python:!@python-version
  . write
> venv
  - @uv @uv-index p|python:!@python-version seed c|clear allow-existing prompt: system-site-packages relocatable no-project
  . write
> build
  - @uv @uv-index package: all-packages o|out-dir:!write sdist wheel list build-logs no-build-logs force-pep517 clear b|build-constraints:!@requirement-file require-hashes p|python:!@python-version verify-hashes
  . dir
> format
  - @uv check diff version:
  . write*
> python
  >> list install uninstall find pin upgrade dir update-shell
     - @uv all-versions all-platforms all-arches only-installed only-downloads show-urls output-format: r|reinstall f|force default no-bin upgrade compile-bytecode resolved rm global!ask system show-version no-project bin i|install-dir:!write mirror:!config pypy-mirror:!config
     . @python-version*
> pip
  >> install sync
     - @uv @uv-index c|constraints:!@requirement-file r|requirements:!@requirement-file e|editable:!@requirement extra: all-extras group: no-deps require-hashes strict exact dry-run break-system-packages b|build-constraints:!@requirement-file overrides:!@requirement-file t|target:!write prefix:!write p|python:!@python-version system python-version: python-platform: allow-empty-requirements no-verify-hashes verify-hashes user
     . @requirement*
  >> uninstall
     - @uv r|requirements:!@requirement-file p|python:!@python-version system break-system-packages dry-run
     . text*
  >> list show freeze check tree
     - @uv @uv-index e|editable exclude-editable exclude:!text format: outdated strict p|python:!@python-version system files d|depth:!number prune: invert no-dedupe
     . text*
  >> compile
     - @uv @uv-index c|constraints:!@requirement-file overrides:!@requirement-file extra: all-extras group: no-deps o|output-file:!write no-strip-extras no-strip-markers no-annotate no-header annotation-style: custom-compile-command: universal p|python:!@python-version python-version: python-platform: generate-hashes emit-index-url emit-find-links emit-build-options emit-index-annotation no-emit-package: system
     . read*
> tool
  >> run
     ~ leading
     - @uv @uv-index from:!@requirement with:!@requirement with-requirements:!@requirement-file with-editable:!ask isolated p|python:!@python-version env-file:!config
     . @task
  >> install upgrade
     - @uv @uv-index from:!@requirement with:!@requirement with-executables-from:!@requirement force p|python:!@python-version all e|editable!ask
     . @requirement*
  >> list dir uninstall
     - @uv show-paths show-version-specifiers show-with show-extras show-python bin all
     . text*
> cache
  >> clean prune dir size
     - @uv ci force
     . text*
> help
  . @name*
> publish
  ~ publishes
  - @uv index:!config u|username: p|password: t|token: trusted-publishing: publish-url:!config check-url:!config
  . read*
> self auth
  ~ ask

= uvx
~ writes connects whole leading python-scripts cache-home
- @uv @uv-index from:!@requirement with:!@requirement with-requirements:!@requirement-file with-editable:!ask isolated p|python:!@python-version env-file:!config
. @task

= poetry
~ writes connects whole global runner python-scripts cache-home
- h|help!help V|version!help q|quiet v vv vvv verbose ansi no-ansi n|no-interaction no-plugins no-cache C|directory:!dir P|project:!dir
> install sync
  - without: with: only: no-root no-dev sync dry-run E|extras: all-extras all-groups only-root compile remove-untracked no-directory
> add
  - G|group: D|dev e|editable!ask E|extras: optional:: python: platform: source:!config allow-prereleases dry-run lock markers:
  . @requirement*
> remove
  - G|group: D|dev dry-run lock
  . text*
> update
  - without: with: only: no-dev sync dry-run lock
  . text*
> lock check
  - no-update check regenerate lock strict
> run
  ~ leading
  . @tool
> show
  - without: with: only: why t|tree l|latest o|outdated a|all T|top-level no-truncate f|format: with-info
  . text*
> build
  - f|format: clean local-version: o|output:!write config-settings:!config
> version
  - s|short dry-run next-phase
  . text
> export
  - f|format: o|output:!write without-hashes without-urls with: without: only: E|extras: all-extras dev with-credentials all-groups
> new init
  - name: src flat readme: description:!text author:!text python: dependency: dev-dependency: l|license: interactive
  . write
> env
  >> info list activate
     - p|path e|executable full-path
  >> remove
     - all
     . text*
  >> use
     ~ run
> cache
  >> clear list
     - all
     . text
> search about list
  . text*
> config
  - list!shows local
  . @shown-setting
> publish
  ~ publishes
  - r|repository: u|username: p|password: cert:!config client-cert:!config dist-dir:!read build dry-run skip-existing
> self shell source debug
  ~ ask
> help
  . @name*

= pdm
~ writes connects whole runner python-scripts
- h|help!help V|version!help v|verbose q|quiet c|config:!config I|ignore-python n|non-interactive no-cache project:!dir p:!dir
> install sync
  - v|verbose q|quiet L|lockfile:!read G|group: without: with: d|dev prod production no-default no-self no-editable no-lock check frozen-lockfile dry-run clean clean-unselected reinstall no-isolation!ask p|project:!dir x|fail-fast
> add
  - v|verbose q|quiet d|dev G|group: no-sync save-exact save-compatible save-wildcard save-minimum u|unconstrained dry-run e|editable!ask no-self p|project:!dir pre|prerelease stable frozen-lockfile update-reuse update-eager update-all no-isolation!ask
  . @requirement*
> remove update outdated list show
  - v|verbose q|quiet d|dev G|group: no-sync dry-run u|unconstrained t|top no-self p|project:!dir graph tree r|reverse json csv markdown freeze resolve fields: sort: include:!text exclude:!text name summary license platform keywords
  . text*
> lock
  - v|verbose q|quiet refresh check no-cross-platform update-reuse S|strategy: G|group: without: d|dev prod no-default p|project:!dir L|lockfile:!write exclude-newer:!text platform: python: implementation: append
> run
  ~ leading
  - v|verbose q|quiet l|list j|json s|site-packages p|project:!dir recreate
  . @task
> build
  - v|verbose q|quiet no-sdist no-wheel d|dest:!write no-clean no-isolation!ask p|project:!dir C|config-setting:!config quiet-build
> export
  - v|verbose f|format: G|group: without: d|dev prod o|output:!write no-hashes without-hashes self editable-self expandvars no-markers no-extras pyproject L|lockfile:!read p|project:!dir
> info venv cache
  - python where packages env json
  . text*
> publish
  ~ publishes
  - r|repository: u|username: P|password: S|sign i|identity: c|comment:!text no-build skip-existing d|dest:!read no-very-ssl ca-certs:!config
> init new config use self plugin fix import python completion
  ~ ask

= hatch
~ writes connects whole runner python-scripts
- h|help!help version!help e|env: p|project: v|verbose q|quiet color no-color interactive no-interactive data-dir:!write cache-dir:!write config:!config
> run
  ~ leading
  . @task
> test
  - r|randomize p|parallel retries:!number retry-delay:!number c|cover cover-quiet a|all py|python: i|include:!text x|exclude:!text s|show
  . text*
> fmt
  - check l|linter f|formatter preview config-path:!read sync
  . text*
> build
  - t|target: hooks-only no-hooks ext c|clean clean-hooks-after clean-only
  . write
> version clean
  - t|target: hooks-only no-hooks ext f|force
  . text
> env
  >> show find create remove prune
     - ascii json p
     . text*
  >> run
     ~ leading
     - e|env: i|include:!text x|exclude:!text filter:!text force-continue ignore-compat
     . @task
> dep
  >> hash show
     . text*
> project
  >> metadata
     . text
> status
> new
  - i|interactive cli init
  . text write
> publish
  ~ publishes
  - r|repo: u|user: a|auth: ca-cert:!config client-cert:!config client-key:!config no-prompt initialize-auth p|publisher: o|option: y|yes
  . read*
> shell config python self
  ~ ask

# What runs Python from a project.
= @pytest
- h|help!help V|version!help v|verbose q|quiet s x exitfirst maxfail:!number k: m: n|numprocesses: dist: maxprocesses:!number max-worker-restart: tx:!ask d f|looponfail l|showlocals no-showlocals r: tb: capture: show-capture: full-trace color: code-highlight: no-header no-summary no-fold-skipped force-short-summary xfail-tb runxfail strict-markers strict-config strict markers fixtures funcargs fixtures-per-test setup-only setup-show setup-plan co|collect-only collectonly pyargs ignore:!read ignore-glob:!text deselect: keep-duplicates import-mode: doctest-modules doctest-report: doctest-glob: doctest-ignore-import-errors doctest-continue-on-failure
- lf|last-failed ff|failed-first nf|new-first sw|stepwise sw-skip|stepwise-skip sw-reset|stepwise-reset lfnf|last-failed-no-failures: cache-show:: cache-clear durations:!number durations-min:!number verbosity:!number W|pythonwarnings:!@python-warning disable-warnings disable-pytest-warnings noconftest trace-config assert: cov:: cov-report:!@report no-cov no-cov-on-fail cov-append cov-branch cov-fail-under:!number cov-context: cov-reset timeout:!number timeout-method: session-timeout:!number reruns:!number reruns-delay:!number only-rerun: rerun-except: asyncio-mode: asyncio-debug benchmark-only benchmark-skip benchmark-disable benchmark-enable benchmark-min-rounds:!number benchmark-json:!write benchmark-autosave benchmark-compare:: benchmark-sort: benchmark-columns: benchmark-group-by: benchmark-save:!@name randomly-seed: randomly-dont-reorganize random-order random-order-seed: count:!number snapshot-update snapshot-warn-unused snapshot-details inline-snapshot: instafail picked:: testmon headed headless browser: video: tracing: screenshot: slowmo: html:!write self-contained-html reuse-db create-db nomigrations no-migrations migrations ds:!load dc:!load block-network record-mode: hypothesis-show-statistics hypothesis-seed: hypothesis-profile: forked run-slow runslow
- log-level: log-format: log-date-format: log-cli-level: log-cli-format: log-cli-date-format: log-file:!write log-file-mode: log-file-level: log-file-format: log-file-date-format: log-auto-indent: log-disable: junit-xml|junitxml:!write junit-prefix:!@name junitprefix: resultlog:!write report-log:!write basetemp:!write pastebin:!publishes debug::!write override-ini:!config o:!config c|config-file:!config cov-config:!{.coveragerc,pyproject.toml,setup.cfg,tox.ini} rootdir:!config confcutdir:!config p:!@pytest-plugin pdb!code pdbcls:!code trace!code rsyncdir:!ask rsyncignore:!text testrunuid: disable-plugin-autoload disable-socket allow-hosts:

= pytest py.test
~ writes project cache-home
- @pytest
. @>config text*
" examples "
? poetry shell
+ uv run pytest -q
+ poetry install
+ uv sync
? uv run x
? poetry -C /d run x
+ pip install -r requirements.txt
+ pip install requests==2.31
+ pip install -U pip setuptools wheel
+ pip install 'requests[socks]>=2,<3'
+ pip install .
+ pip install -e .
+ pip install -e '.[dev]'
+ pip install -e .[dev,test] -q
+ pip list --outdated
+ pip freeze
+ pip show requests
+ pip uninstall -y requests
+ pip check
+ pip --version
+ pip3 install numpy --upgrade --quiet
+ pip cache purge
+ pip index versions requests
+ pip download -d wheels requests
? pip --python x list
? pip --pyth x list
? pip install -i http://x y
? pip install --extra-index-url=x y
? pip install --extra-ind=x y
? pip install ./e
? pip install --no-build-isolation --no-index ./e --dry-run
? pip install e/
? pip install ext::x
? pip install git+https://x/y
? pip install https://x/y.whl
? pip install x.whl
? pip install 'x @ file:///tmp/x'
? pip install -e ./e
? pip install -e git+https://x/y
? pip install -r http://x/y
? pip install -r /tmp/r.txt
? pip install -qr /tmp/r.txt
? pip install -f d x
? pip install -C x=y z
? pip install --global-option=x y
? pip config edit --editor x
? pip config set global.index-url x
? pip wheel ./x
+ uv run pytest -q
+ uv run python x.py
+ uv run x.py
+ uv run ruff check --fix .
+ uv run --with rich python x.py
+ uv run -m pytest
+ uv sync
+ uv sync --frozen --all-extras
+ uv add requests 'httpx>=0.27'
+ uv add --dev pytest
+ uv pip install -r requirements.txt
+ uv pip install -e .
+ uv venv
+ uv venv --python 3.12 .venv
+ uv lock
+ uv tree
+ uv python install 3.12
+ uvx ruff check
+ uvx black@24 .
+ uv tool run ruff check .
+ uv --version
? uv run python -c x
? uv run sh -c x
? uv run bash x
? uv run touch x
? uv run -
? uv run --with ./x y
? uv run --python ./x y
? uv run --env-file x y
? uv --config-file x run y
? uv run https://x/y.py
? uv pip install ./x
? uv pip install --index-url x y
? uv pip install -p ./x y
? uvx --from ./x y
? uvx --from git+https://x y
? uv run pytest -p evil
? uv run --directory /tmp/x -c y
+ poetry install --no-root
+ poetry run pytest -q
+ poetry add requests@^2 --group dev
+ poetry run python x.py
+ poetry show --tree
+ poetry build
+ poetry lock
? poetry run python -c x
? poetry run touch x
? poetry run bash -c x
? poetry add ./x
? poetry config repositories.x http://y
? poetry self add x
? poetry env use ./x
+ pdm install
+ pdm run test
+ pdm run pytest
+ hatch run test
+ hatch build
? pipx run x
+ pipx list
+ pytest -q
+ pytest -x tests/test_a.py::test_b
+ pytest -k 'a and b'
+ pytest -n 4 -q
+ pytest -p no:cacheprovider
+ pytest -xvs
+ pytest --cov=src --cov-report=term-missing
+ pytest tests/ -q --tb=short --maxfail=1
+ pytest --lf
+ pytest -m 'not slow' --durations=10
+ pytest -W error
+ pytest -rA --co -q
? pytest -p evil
? pytest -pevil
? pytest -qp evil
? pytest -c f
? pytest -qc f
? pytest --rootdir=/x
? pytest --rootd /x
? pytest -o python_files=x
? pytest --pdb
? pytest --pdbcls=a:b
? pytest --override-ini=x=y
? pytest --overr=x=y
? pytest --confcutdir=x
? pytest -W error::a.b
? pytest --ds=x
? pytest --odd
? pytest --trace
? pytest --tx popen//python=./x -d
+ pytest --cov-config=.coveragerc
? pytest --cov-config=x
? pytest @args
";
}
