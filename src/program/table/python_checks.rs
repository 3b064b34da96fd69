//! Linters, type checkers, task runners and servers of Python.

family! {
"
= ruff
~ writes whole global project cache-home
- h|help!help V|version!help v|verbose q|quiet s|silent isolated color: config:!{pyproject.toml,ruff.toml,.ruff.toml}
> check
  - fix no-fix unsafe-fixes no-unsafe-fixes show-fixes no-show-fixes diff w|watch fix-only no-fix-only ignore-noqa output-format: o|output-file:!write target-version: preview no-preview select: ignore:!text extend-select: extend-ignore:!text per-file-ignores:!text extend-per-file-ignores:!text fixable: unfixable: extend-fixable: exclude:!text extend-exclude:!text respect-gitignore no-respect-gitignore force-exclude no-force-exclude line-length:!number dummy-variable-rgx:!text no-cache n cache-dir:!write stdin-filename: extension: e|exit-zero exit-non-zero-on-fix statistics add-noqa show-files show-settings
  . tree*
> format
  - check diff n|no-cache cache-dir:!write respect-gitignore no-respect-gitignore force-exclude no-force-exclude exclude:!text line-length:!number stdin-filename: extension: target-version: preview no-preview range: exit-non-zero-on-format output-format:
  . tree*
> rule linter config help version
  - all output-format:
  . text*
> clean
> analyze
  >> graph
     - direction: detect-string-imports min-dots:!number target-version: preview python:!run type-checking-imports no-type-checking-imports
     . read*
> server
  ~ daemon

= black
~ writes whole project
- h|help!help version!help c:!code l|line-length:!number t|target-version: pyi ipynb python-cell-magics: x|skip-source-first-line S|skip-string-normalization C|skip-magic-trailing-comma preview unstable enable-unstable-feature: check diff color no-color line-ranges: fast safe required-version: exclude:!text extend-exclude:!text force-exclude:!text stdin-filename: include:!text W|workers:!number q|quiet v|verbose no-cache
- code:!code config:!{pyproject.toml}
. tree*

= isort
~ writes project
- h|help!help V|version vn|version-number v|verbose only-modified dedup-headers q|quiet d|stdout overwrite-in-place show-config show-files df|diff c|check|check-only ws|ignore-whitespace filter-files s|skip:!text extend-skip:!text sg|skip-glob:!text extend-skip-glob: gitignore skip-gitignore ext|extension|supported-extension: blocked-extension: dont-follow-links filename: allow-root a|add-import: append|append-only af|force-adds rm|remove-import: float-to-top dont-float-to-top ca|combine-as cs|combine-star e|balanced ff|from-first fgw|force-grid-wrap:: i|indent: lbi|lines-before-imports:!number lai|lines-after-imports:!number lbt|lines-between-types:!number le|line-ending: ls|length-sort lss|length-sort-straight m|multi-line: n|ensure-newline-before-comments nis|no-inline-sort ot|order-by-type dt|dont-order-by-type rr|reverse-relative reverse-sort sort-order: sl|force-single-line-imports nsl|single-line-exclusions: tc|trailing-comma up|use-parentheses l|w|line-length|line-width:!number wl|wrap-length:!number case-sensitive remove-redundant-aliases honor-noqa treat-comment-as-code: treat-all-comment-as-code only-sections sections: fas|force-alphabetical-sort fss|force-sort-within-sections hcss sd|section-default: ds|no-sections p|project: o|thirdparty: b|builtin: known-local-folder: known-first-party: known-third-party: py|python-version: profile:!{black,django,pycharm,google,open_stack,plone,attrs,hug,wemake,appnexus} color atomic interactive j|jobs:: ac dont-order-by-type star-first split-on-trailing-comma
- sp|settings-path|settings-file|settings:!config cr|config-root:!config resolve-all-configs virtual-env:!load conda-env:!load formatter:!load src|src-path:!read old-finders magic-placement
. tree*

= flake8
~ writes project
- h|help!help version!help v|verbose o|output-file:!write q|quiet color: count exclude:!text extend-exclude:!text filename: stdin-display-name: format: hang-closing ignore:!text extend-ignore:!text per-file-ignores:!text max-line-length:!number max-doc-length:!number indent-size:!number select: extend-select: disable-noqa show-source no-show-source statistics exit-zero j|jobs: tee benchmark bug-report max-complexity:!number doctests include-in-doctest: exclude-from-doctest:!text builtins: import-order-style: application-import-names: docstring-convention: max-cognitive-complexity:!number
- append-config:!config config:!config isolated enable-extensions: require-plugins:
. read*

= pycodestyle pydocstyle
~ writes project
- h|help!help version!help v|verbose q|quiet r|repeat first exclude:!text filename: select: ignore:!text show-source show-pep8 statistics count max-line-length:!number max-doc-length:!number indent-size:!number hang-closing format: diff benchmark add-select: add-ignore:!text convention: match: match-dir: ignore-decorators:!text e|explain s|source d|debug
- config:!config testsuite:!ask doctest!ask
. read*

= bandit
~ writes project
- h|help!help version!help r|recursive a|aggregate: n|number:!number p|profile: t|tests: s|skip:!text l|level severity-level: i|confidence confidence-level: f|format:!{csv,custom,html,json,screen,txt,xml,yaml,sarif} msg-template: o|output:!write v|verbose d|debug q|quiet|silent ignore-nosec x|exclude:!text b|baseline:!read exit-zero
- c|configfile:!config ini:!config
. read*

= pylint
~ writes project
- h|help!help version!help long-help!help verbose v errors-only E recursive: jobs:!number j:!number output-format:!{text,colorized,json,json2,msvs,parseable,github,pylint-reports} f:!{text,colorized,json,json2,msvs,parseable,github,pylint-reports} reports: r: score: s: disable: d: enable: e: ignore:!text ignore-patterns:!text ignore-paths:!text max-line-length:!number fail-under:!number fail-on: exit-zero msg-template: persistent: py-version: confidence: evaluation:!code list-msgs list-msgs-enabled list-groups list-conf-levels list-extensions full-documentation generate-rcfile generate-toml-config help-msg: indent-string: good-names: bad-names: max-args:!number max-locals:!number max-branches:!number max-statements:!number max-returns:!number max-attributes:!number max-public-methods:!number min-public-methods:!number max-module-lines:!number min-similarity-lines:!number extension-pkg-allow-list:!load extension-pkg-whitelist:!load unsafe-load-any-extension:!load ignored-modules:!text ignored-classes:!text generated-members: from-stdin clear-cache-post-run: limit-inference-results:!number source-roots: prefer-stubs: analyse-fallback-blocks: suggestion-mode: notes: ignore-imports:!text ignore-comments:!text ignore-docstrings:!text ignore-signatures:!text spelling-dict: spelling-private-dict-file:!write output:!write errors-only
- init-hook:!code load-plugins:!load rcfile:!config import-graph:!write ext-import-graph:!write int-import-graph:!write
. read*

= mypy dmypy
~ writes project cache-home
- h|help!help V|version!help v|verbose O|output: no-namespace-packages namespace-packages ignore-missing-imports follow-imports: follow-untyped-imports no-site-packages no-silence-site-packages junit-xml:!write junit-format: python-version: platform: always-true: always-false: disallow-any-unimported disallow-any-expr disallow-any-decorated disallow-any-explicit disallow-any-generics allow-any-generics disallow-subclassing-any disallow-untyped-calls untyped-calls-exclude:!text disallow-untyped-defs disallow-incomplete-defs check-untyped-defs no-check-untyped-defs disallow-untyped-decorators implicit-optional no-implicit-optional no-strict-optional strict-optional warn-redundant-casts warn-unused-ignores no-warn-unused-ignores no-warn-no-return warn-return-any warn-unreachable allow-untyped-globals allow-redefinition allow-redefinition-new no-implicit-reexport implicit-reexport strict-equality no-strict-equality strict-bytes extra-checks strict disable-error-code: enable-error-code: show-error-context hide-error-context show-column-numbers show-error-end hide-error-codes show-error-codes show-error-code-links pretty no-pretty no-color-output no-error-summary error-summary show-absolute-path no-incremental incremental cache-dir:!write sqlite-cache cache-fine-grained skip-version-check skip-cache-mtime-checks dump-build-stats any-exprs-report:!write cobertura-xml-report:!write html-report:!write linecount-report:!write linecoverage-report:!write lineprecision-report:!write txt-report:!write xml-report:!write xslt-html-report:!write xslt-txt-report:!write scripts-are-modules install-types!load non-interactive explicit-package-bases exclude:!text exclude-gitignore m|module: p|package: warn-unused-configs warn-incomplete-stub pdb!code tb|show-traceback raise-exceptions enable-incomplete-feature: local-partial-types bazel no-warn-unreachable deprecated-calls-exclude:!text report-deprecated-as-note soft-error-limit:!number fast-exit fast-module-lookup n|num-workers:!number fixed-format-cache stats inferstats timing-stats:!write line-checking-stats:!write
- config-file:!{pyproject.toml,mypy.ini,setup.cfg,.mypy.ini,} python-executable:!run custom-typeshed-dir:!load custom-typing-module:!load shadow-file:!ask c:!text command:!text package-root: quickstart-file:!read find-occurrences: cache-map:!ask
. @>config read*

= pyright basedpyright
~ writes whole project
- h|help!help version!help verbose p|project:!read t|typeshedpath:!read typeshed-path:!read threads:: level: outputjson stats w|watch warnings dependencies ignoreexternal skipunannotated pythonplatform: pythonversion: createstub: verifytypes: writebaseline baselinefile:!write gitlabcodequality:!write
- pythonpath:!run v|venvpath:!load venv-path:!load
. read*

= tox
~ writes connects whole global project cache-home cache-any
: tox.ini pyproject.toml setup.cfg
- h|help!help version!help v|verbose q|quiet colored: exit-and-dump-after: e: m: f: p|parallel: parallel-no-spinner parallel-live r|recreate no-recreate-pkg skip-pkg-install notest skip-missing-interpreters:: s:: develop installpkg:!ask result-json:!write stderr-color: hashseed: discover:!run sdistonly b|pkg-only no-list-dependencies alwayscopy sitepackages skip-env: no-recreate-provision no-provision:: list-dependencies fail-fast a l|listenvs listenvs-all showconfig o
- c|conf:!config root:!dir workdir:!dir work-dir:!dir workdir:!dir x|override:!ask force-dep:!ask pre runner: index-url:!config i:!config devenv:!write
. text*
> run r run-parallel p
  - e: m: f: p|parallel: parallel-live s:: notest skip-pkg-install r|recreate result-json:!write fail-fast
  . text*
> list l config c
  - d k: e: m: no-desc core
> exec e
  ~ run
> devenv d legacy le quickstart q schema depends de man
  ~ ask

= nox
~ writes connects project cache-home cache-any
- h|help!help version!help l|list|list-sessions json s|session|sessions|e: p|python|pythons: k|keywords: t|tags: v|verbose ts|add-timestamp db|default-venv-backend: fb|force-venv-backend: no-venv r|reuse-existing-virtualenvs R reuse-venv: N no-reuse-existing-virtualenvs x|stop-on-first-error no-stop-on-first-error error-on-missing-interpreters no-error-on-missing-interpreters error-on-external-run no-error-on-external-run install-only no-install report:!write non-interactive nocolor no-color forcecolor force-color envdir:!write download-python: verbose
- f|noxfile:!config extra-pythons:!ask force-pythons:!ask P:!ask script-mode: pdb!ask
. text*

= pre-commit pre_commit
~ writes connects whole project cache-home
- h|help!help V|version!help
> run
  - a|all-files color: v|verbose files: show-diff-on-failure hook-stage: from-ref:!ask to-ref:!ask s:!ask o:!ask source:!ask origin:!ask remote-branch: local-branch: prepare-commit-message-source: commit-object-name: remote-name: remote-url:!text checkout-type: is-squash-merge rewrite-command: fail-fast no-stash
  - c|config:!{.pre-commit-config.yaml}
  . text
> install
  - f|overwrite install-hooks t|hook-type: allow-missing-config color: c|config:!{.pre-commit-config.yaml}
> uninstall install-hooks
  - t|hook-type: color: c|config:!{.pre-commit-config.yaml}
> autoupdate
  - bleeding-edge freeze repo:!ask j|jobs: color: c|config:!{.pre-commit-config.yaml}
> clean gc sample-config
  - color:
> validate-config validate-manifest
  . read*
> migrate-config
  - color:
> try-repo hook-impl hazmat init-templatedir
  ~ run
> help
  . @name

= coverage
~ writes whole project
- h|help!help version!help
> run
  ~ leading
  - a|append branch concurrency: context: data-file:!write include:!text omit:!text L|pylib p|parallel-mode save-signal: source: timid rcfile:!{.coveragerc,pyproject.toml,setup.cfg,tox.ini} debug: m|module:!@python-module h|help!help
  . script
> report
  - contexts: data-file:!read fail-under:!number format: i|ignore-errors include:!text omit:!text precision:!number m|show-missing sort: skip-covered no-skip-covered skip-empty rcfile:!{.coveragerc,pyproject.toml,setup.cfg,tox.ini} debug:
  . read*
> html xml json lcov annotate
  - d|directory:!write o:!write title:!text contexts: data-file:!read fail-under:!number i|ignore-errors include:!text omit:!text precision:!number pretty-print show-contexts skip-covered no-skip-covered skip-empty q|quiet rcfile:!{.coveragerc,pyproject.toml,setup.cfg,tox.ini} debug:
  . read*
> combine
  - a|append data-file:!write keep q|quiet rcfile:!{.coveragerc,pyproject.toml,setup.cfg,tox.ini} debug:
  . read*
> erase debug help
  - data-file:!write rcfile:!{.coveragerc,pyproject.toml,setup.cfg,tox.ini}
  . text*

= virtualenv
~ writes connects whole project
- h|help!help version!help v|verbose q|quiet p|python:!@python-version clear no-vcs-ignore system-site-packages symlinks copies always-copy download no-download seeder: no-seed without-pip prompt: activators: pip: setuptools: wheel: no-pip no-setuptools no-wheel no-periodic-update symlink-app-data reset-app-data upgrade-embed-wheels with-traceback
- app-data:!write extra-search-dir:!config creator:!ask discovery:!ask try-first-with:!run read-only-app-data
. write

= twine
~ whole connects
- h|help!help version!help no-color
> check
  - strict
  . read*
> upload register
  ~ publishes
  - r|repository: repository-url:!config attestations s|sign sign-with:!run i|identity: u|username: p|password: non-interactive c|comment:!text config-file:!config skip-existing cert:!config client-cert:!config verbose disable-progress-bar
  . read*

= mkdocs
~ writes whole project
- h|help!help V|version!help q|quiet v|verbose color no-color
> build
  - c|clean dirty s|strict no-strict t|theme: use-directory-urls no-directory-urls d|site-dir:!write q|quiet v|verbose f|config-file:!{mkdocs.yml,mkdocs.yaml}
> serve
  ~ daemon
  - a|dev-addr: o|open!run no-livereload livereload dirtyreload dirty c|clean s|strict t|theme: w|watch:!read watch-theme q|quiet v|verbose f|config-file:!{mkdocs.yml,mkdocs.yaml}
> gh-deploy
  ~ publishes
  - c|clean dirty m|message:!text b|remote-branch: r|remote-name: force no-history ignore-version shell s|strict t|theme: d|site-dir:!write q|quiet v|verbose f|config-file:!{mkdocs.yml,mkdocs.yaml}
> new
  . write
> get-deps
  - f|config-file:!{mkdocs.yml,mkdocs.yaml}

= sphinx-build
~ writes project
- h|help!help version!help M: b|builder: a|write-all E|fresh-env d|doctree-dir:!write j|jobs: t|tag: n|nitpicky v|verbose q|quiet Q|silent color no-color N w|warning-file:!write W|fail-on-warning keep-going T|show-traceback exception-on-warning A|html-define: P|pdb!code
- c|conf-dir:!load C|isolated D|define:!load
. read write read*

= @django
- h|help!help version!help v|verbosity:!number traceback no-color force-color skip-checks settings:!load pythonpath:!load

= django-admin
~ writes whole project
- @django
> startproject startapp
  - @django template:!load e|extension: n|name: x|exclude:!text
  . text write
> check migrate makemigrations showmigrations test collectstatic sqlmigrate compilemessages makemessages diffsettings inspectdb createcachetable
  - @django no-input noinput fake fake-initial plan database: run-syncdb check prune dry-run merge empty n|name: no-header update deploy tag: t: list-tags fail-level: failfast interactive parallel:: keepdb k|exclude-tag:!text pattern:!text p: r|reverse debug-mode d debug-sql pdb!code buffer b timing shuffle:: c|clear l|link ignore:!text i: no-default-ignore no-post-process locale: all a l
  . text*
> runserver testserver
  ~ daemon
  - @django noreload nothreading insecure 6|ipv6 nostatic noinput addrport:
  . text*
> shell dbshell loaddata dumpdata flush sqlflush createsuperuser changepassword sendtestemail
  ~ ask

= flask
~ writes whole project
- h|help!help version!help debug no-debug A|app:!load e|env-file:!config
> run
  ~ daemon
  - debug no-debug h|host: p|port: cert:!read key:!read reload no-reload debugger no-debugger with-threads without-threads extra-files: exclude-patterns:!text
> routes
  - s|sort: all-methods
> db
  >> upgrade migrate current history downgrade revision heads stamp init check show merge branches
     - m|message:!text autogenerate sql head: splice branch-label: version-path: rev-id: d|directory:!load x|x-arg: multidb r|rev-range: v|verbose i|indicate-current tag: t:
     . text*
> shell
  ~ input code

= uvicorn hypercorn
~ daemon whole
- help!help version!help host: port:!number uds:!write fd:!number reload no-reload reload-dir:!read reload-include:!text reload-exclude:!text reload-delay:!number workers:!number loop:!{auto,asyncio,uvloop,none} http:!{auto,h11,httptools} ws:!{auto,none,websockets,websockets-sansio,wsproto} ws-max-size:!number ws-max-queue:!number ws-ping-interval:!number ws-ping-timeout:!number ws-per-message-deflate: lifespan: interface: log-level: access-log no-access-log use-colors no-use-colors proxy-headers no-proxy-headers server-header no-server-header date-header no-date-header forwarded-allow-ips: root-path:!text limit-concurrency:!number backlog:!number limit-max-requests:!number timeout-keep-alive:!number timeout-graceful-shutdown:!number timeout-worker-healthcheck:!number ssl-keyfile:!read ssl-certfile:!read ssl-keyfile-password: ssl-version: ssl-cert-reqs: ssl-ca-certs:!read ssl-ciphers: header:!text h11-max-incomplete-event-size:!number factory b|bind: w:!number
- log-config:!load env-file:!config app-dir:!load c|config:!load
. @python-app

= gunicorn
~ daemon
- h|help!help v|version!help b|bind: w|workers:!number threads:!number k|worker-class:!{sync,gthread,gevent,eventlet,tornado,uvicorn.workers.UvicornWorker} t|timeout:!number graceful-timeout:!number keep-alive:!number backlog:!number worker-connections:!number max-requests:!number max-requests-jitter:!number limit-request-line:!number limit-request-fields:!number limit-request-field_size:!number reload reload-engine: reload-extra-file:!read preload no-sendfile reuse-port R|enable-stdio-inheritance log-level: access-logfile:!write error-logfile|log-file:!write access-logformat: capture-output n|name: proxy-protocol forwarded-allow-ips: proxy-allow-from: certfile:!read keyfile:!read ca-certs:!read cert-reqs: ssl-version: ciphers: do-handshake-on-connect suppress-ragged-eofs disable-redirect-access-to-syslog log-syslog check-config print-config initgroups m|umask: u|user: g|group: worker-tmp-dir:!write spew statsd-host: statsd-prefix: dogstatsd-tags: strip-header-spaces
- c|config:!load D|daemon!ask p|pid:!write e|env:!config chdir:!dir pythonpath:!load paste|paster:!load paste-global: logger-class:!load log-config:!load log-config-json:!load log-config-dict:!load
. @python-app

= alembic
~ writes connects whole project
- h|help!help V|version!help raiseerr q|quiet n|name: x: c|config:!{alembic.ini}
> upgrade downgrade stamp current history heads branches show check revision merge ensure_version list_templates
  - sql tag: m|message:!text autogenerate head: splice branch-label: version-path: rev-id: depends-on: v|verbose resolve-dependencies i|indicate-current r|rev-range: purge
  . text*
> init
  - t|template: package
  . write
> edit
  ~ run

= jupyter jupyter-lab jupyter-notebook
~ daemon whole
- h|help!help version!help paths config-dir data-dir runtime-dir json debug
> nbconvert execute run trust console qtconsole server lab notebook
  ~ run
> kernelspec
  >> list
     - json

= jupytext nbqa nbstripout
~ writes whole
- h|help!help version!help
. ask
" examples "
+ ruff check .
+ ruff check --fix src tests
+ ruff format --check .
+ ruff check --select I --fix x.py
+ ruff --version
? ruff check --config evil.toml .
? ruff --config=evil.toml check .
+ black .
+ black --check --diff src
+ black -l 100 x.py
+ isort .
+ isort -c --profile black .
+ flake8 x.py
+ flake8 --max-line-length=100 src
? flake8 --config=f x
? flake8 --append-conf=f x
? isort --settings-path f x
? isort --sp=f x
? isort --formatter x y
? isort --profile evil x
? black --config x y
+ pylint src
+ pylint -f json src
+ pylint --disable=C0114,C0115 src/x.py
+ pylint -E src
? pylint --init-hook=x y
? pylint --init-h x y
? pylint --load-plugins x y
? pylint --rcfile=x y
? pylint -f evil.Reporter y
? pylint --output-format=x.Y y
? pylint --evaluation=x y
? pylint --unsafe-load-any-extension=y x
+ mypy --strict src
+ mypy .
+ mypy -p pkg --ignore-missing-imports
? mypy --config-file f x
? mypy --config-fil f x
? mypy --python-executable x y
? mypy --python-exec=x y
? mypy --shadow-file a b c
? mypy @args
? mypy --pdb x
+ pyright
+ pyright src --outputjson
+ pyright -p pyrightconfig.json
? pyright --pythonpath x y
? pyright -v d y
+ tox
+ tox -e py311
+ tox run -e lint
+ tox -e py -- -k x
? tox -c f
? tox -x testenv.commands=y
? tox --override=testenv.commands=y
? tox exec -e py -- sh
? tox e -- sh
? tox --discover ./x
? tox --installpkg x
+ nox -s lint
+ nox
? nox -f f
? nox --noxfile=f
? nox --nox f
+ pre-commit run --all-files
+ pre-commit install
? pre-commit run -c f
? pre-commit run --config=f
? pre-commit try-repo x
+ coverage run x.py
+ coverage report -m
+ coverage html -d htmlcov
+ coverage run -m pytest -q
+ coverage run --source=src -m pytest
? coverage run -
? coverage run --rcfile=evil x.py
? coverage run -m evil
? coverage run -m pytest -p evil
+ twine check dist/*
? twine upload --sign-with x y
? twine upload --config-file x y
+ mkdocs build
? mkdocs build -qf f
? mkdocs build --config-file=f
? mkdocs serve --open
+ sphinx-build -b html docs docs/_build
? sphinx-build -D extensions=x a b
? sphinx-build -c d a b
? sphinx-build -nD x=y a b
? sphinx-build -P a b
+ django-admin check
+ django-admin migrate
? django-admin shell -c x
? django-admin check --settings=x
? django-admin test --pythonpath=/tmp/x
? django-admin startproject --template=http://x y
? django-admin --sett x check
+ flask routes
+ flask run -p 5001 --debug
+ flask db upgrade
? flask --app /tmp/x run
? flask -A x routes
? flask shell
? flask -e x run
+ uvicorn app.main:app --reload
? uvicorn --app-dir /tmp x:y
? uvicorn --log-config x y:z
? uvicorn --env-file x y:z
? uvicorn --loop x:y z:a
+ gunicorn -w 4 -b 0.0.0.0:8000 app:app
? gunicorn -c x y
? gunicorn --config=x y
? gunicorn --conf x y
? gunicorn -k x:Y y
? gunicorn --pythonpath d y
? gunicorn --logger-class x y
? gunicorn --chdir / y -c z
? gunicorn 'x:__import__(1)'
+ alembic upgrade head
+ alembic revision --autogenerate -m x
? alembic -c x upgrade head
? alembic edit x
? jupyter nbconvert --execute x.ipynb
? jupyter run x
+ virtualenv .venv
+ virtualenv -p python3.12 .venv
? virtualenv -p ./x .venv
? virtualenv --python=./x .venv
";
}
