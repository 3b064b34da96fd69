//! Managers of environments and versions of languages.

family! {
"
= pipenv
~ writes connects whole runner python-scripts
- h|help!help version!help v|verbose q|quiet python:!@python-version site-packages no-site-packages clear bare pypi-mirror:!config support!help where venv py
> install sync lock update upgrade uninstall
  - d|dev deploy ignore-pipfile skip-lock pre keep-outdated sequential e|editable!ask r|requirements:!@requirement-file categories: all all-dev i|index:!config system extra-pip-args:!ask outdated dry-run lock-only
  . @requirement*
> run
  ~ leading
  . @tool
> graph check verify requirements clean scripts
  - bare json json-tree reverse dev dev-only hash exclude-markers categories: dry-run
  . text*
> shell open
  ~ ask

= rye
~ writes connects whole runner python-scripts
- h|help!help version!help v|verbose q|quiet
> sync lock
  - f|force no-lock pre features: all-features update-all update: reset with-sources generate-hashes universal pyproject:!read
> add remove
  - dev optional: pin: pre sync no-sync v|verbose q|quiet excluded
  . @requirement*
> run
  ~ leading
  - l|list pyproject:!read
  . @task
> show list version
> test lint fmt format
  - a|all p|package: fix check v|verbose q|quiet
  . text*
> init install build publish self toolchain tools shell config fetch pin uninstall make-req
  ~ ask

= conda mamba micromamba
~ writes connects whole runner
- h|help!help V|version!help v|verbose q|quiet json y|yes no-banner
> list info search env-list
  - n|name: p|prefix:!read e|export f|full-name c|canonical explicit md5 r|revisions a|all b|base envs l|license s|system reverse no-pip show-channel-urls
  . text*
> install create update upgrade remove uninstall
  - n|name: p|prefix:!write c|channel:!config override-channels f|file:!config d|dry-run download-only offline all force-reinstall freeze-installed update-all update-deps no-deps only-deps no-pin copy strict-channel-priority clone: solver: S|satisfied-skip-solve
  . @requirement*
> env
  >> list
  >> create update remove export
     - n|name: f|file:!config p|prefix:!write no-builds from-history prune
     . text*
> run
  ~ leading
  - n|name: p|prefix:!load no-capture-output live-stream cwd:!dir
  . argv
> clean
  - a|all i|index-cache p|packages t|tarballs d|dry-run
> activate deactivate init shell config build develop package repoquery self-update
  ~ ask

= rbenv pyenv nodenv goenv
~ runner
- h|help!help version!help v!help
> versions version which whence root shims commands prefix completions version-name version-origin help local-list
  - bare skip-aliases path list l
  . text*
> local global
  ~ writes
  - unset
  . @name*
> install uninstall rehash
  ~ writes connects
  - l|list s|skip-existing f|force v|verbose
  . @name*
> exec
  ~ leading
  . argv
> shell init hooks virtualenv activate
  ~ ask

= mise asdf
~ runner global whole
- h|help!help V|version!help q|quiet v|verbose y|yes
> ls list current where which latest ls-remote doctor settings plugins plugin env bin-paths version outdated
  - i|installed c|current g|global J|json no-header all urls
  . text*
> install
  ~ writes connects
  - f|force n|dry-run
  . @package*
> exec x
  ~ leading
  . run*
> run r tasks use local global shell activate hook-env trust self-update en link reshim set unset watch generate
  ~ ask

= nix nix-build nix-shell nix-env nix-store nix-instantiate devbox
~ runner whole
- version!help help!help
> flake
  >> show metadata check
     - json no-update-lock-file all-systems
     . @name
> search
  - json
  . @name text*
> build run develop shell profile eval repl store copy bundle fmt registry hash nar key config add rm update global services generate init
  ~ ask
" examples "
+ pipenv install requests
+ pipenv run pytest -q
? pipenv run x
? pipenv install -e .
? pipenv shell
+ rye run test
? rye run bash
+ conda list
+ conda install -n x numpy
? conda run x y
? conda create -f e.yml
? conda activate x
+ pyenv versions
? pyenv exec x
? pyenv init -
+ mise ls
? mise exec x -- y
? mise run x
? nix develop
? nix run x
? nix-shell --run x
? devbox run x
";
}
