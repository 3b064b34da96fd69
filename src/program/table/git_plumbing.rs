//! Further subcommands of git: comparing, plumbing, repositories and what goes with them.

family! {
"
= git/diff
- cached staged merge-base no-index 0|base 1 2|theirs 3|ours c cc combined-all-paths S G R @diff
. @compared*

= git/diff-files git/diff-index git/diff-tree
& r t root no-commit-id q
- cached merge-base m c cc combined-all-paths r t root stdin v no-commit-id always 0 1 2 3 base ours theirs q @diff @rev @pretty
. text*

= git/rev-list
- output:!write
- @rev @pretty
. text*

= git/rev-parse
- parseopt!ask sq-quote!ask keep-dashdash stop-at-non-option stuck-long revs-only no-revs flags no-flags default: prefix: verify q|quiet sq
- short:: not abbrev-ref:: symbolic symbolic-full-name output-object-format: all branches:: tags:: remotes:: glob: exclude:!text exclude-hidden:!text
- disambiguate: local-env-vars path-format: git-dir git-common-dir resolve-git-dir: git-path: show-toplevel show-superproject-working-tree
- shared-index-path absolute-git-dir is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository show-cdup
- show-prefix show-object-format:: show-ref-format since: after: until: before:
. text*

= git/check-ref-format
- branch normalize allow-onelevel no-allow-onelevel refspec-pattern print
. text*

= git/stash
~ writes brings
- k|keep-index no-keep-index S|staged p|patch q|quiet u|include-untracked a|all m|message:!text pathspec-from-file:!read pathspec-file-nul
> push save
~ brings
- k|keep-index no-keep-index S|staged p|patch q|quiet u|include-untracked a|all m|message:!text pathspec-from-file:!read pathspec-file-nul
. text*
> list
~ more
- @diff @rev @pretty #
> show
- u|include-untracked only-untracked no-include-untracked @diff
. text
> pop apply
~ brings
- index q|quiet
. text
> drop
~ destroys
- q|quiet
. text
> clear
~ destroys
> branch
~ brings
. text text
> create store
- m|message:!text q|quiet
. text*

= git/worktree
~ writes settings
> add
~ brings
- f|force b: B: orphan d|detach checkout lock reason:!text q|quiet track guess-remote relative-paths
. write text
> list
- v|verbose porcelain z expire:
> prune
- n|dry-run v|verbose expire:
> remove
- f|force
. write
> move
~ brings
- f|force relative-paths
. write write
> lock unlock repair
- reason:!text relative-paths
. text*

= git/reflog
~ more
- @diff @rev @pretty #
. text*
> show
~ more
- @diff @rev @pretty #
. text*
> list
> exists
. text
> expire delete
~ destroys
- all single-worktree expire: expire-unreachable: updateref rewrite stale-fix n|dry-run verbose
. text*

= git/notes
~ writes plain states
- ref:
> list show get-ref
. text*
> add append copy
- f|force allow-empty F|file:!read m|message:!text C|reuse-message: c|reedit-message: separator:: stripspace no-stripspace stdin for-rewrite:
. text*
> merge
- v q s|strategy:!{ort,recursive,resolve,octopus,ours,subtree} commit abort
. text
> remove prune
- ignore-missing stdin n|dry-run v|verbose
. text*

= git/bundle
~ writes plain
> create
- q|quiet progress all-progress all-progress-implied version: all branches tags since: until:
. write text*
> verify list-heads unbundle
- q|quiet progress
. read text*

= git/sparse-checkout
~ writes settings
> list check-rules
- cone no-cone z rules-file:!read
. text*
> init set add reapply disable
~ brings
- cone no-cone sparse-index no-sparse-index stdin skip-checks end-of-options z rules-file:!read
. text*

= git/bisect
~ writes states
> start
~ brings
- term-new: term-bad: term-old: term-good: no-checkout first-parent
. text*
> good bad new old skip reset next
~ brings
. text*
> log terms
- term-good term-bad term-old term-new
. text*
> run
~ leading brings
. argv
> replay
~ brings
. read

= git/submodule
~ writes connects settings states
- quiet cached
> status summary
- q|quiet cached recursive files n|summary-limit: for-status
. text*
> init sync
- q|quiet recursive
. text*
> deinit
~ brings
- q|quiet f|force all
. text*
> update
~ brings
- q|quiet init no-fetch f|force checkout merge rebase N remote recommend-shallow no-recommend-shallow reference:!read dissociate recursive
- j|jobs: single-branch no-single-branch progress no-progress depth: require-init filter:!text
. text*
> absorbgitdirs
- q|quiet
. text*
> add
~ brings
- q|quiet b|branch: f|force name: reference:!read ref-format: depth: progress dissociate
. @git-address write
> set-branch
- q|quiet b|branch: d|default
. text
> set-url
- q|quiet
. text @git-address
> foreach
~ run

= git/remote
~ writes plain settings
- v|verbose
> add
- f!connects t: m: mirror:: tags no-tags
. text @git-address
> rename remove rm
- progress no-progress
. text*
> set-head
- a|auto!connects d|delete
. text*
> set-branches
- add
. text*
> get-url
- push all
. text
> set-url
- push add delete
. text @git-address*
> show prune
~ connects
- n v|verbose n|dry-run
. text*
> update
~ connects
- p|prune v|verbose
. text*

= git/config
~ writes plain settings
- global system local worktree bool int bool-or-int bool-or-str path expiry-date type: no-type z|null name-only show-origin show-scope
- includes no-includes default: fixed-value all value: url: regexp comment:!text show-names no-show-names
- get!preview get-all!preview get-regexp!preview+shows get-urlmatch!preview+shows get-color!preview get-colorbool!preview l|list!preview+shows
- unset!preview unset-all!preview add replace-all append
- f|file:!config blob:!config e|edit!run rename-section!config remove-section!config
. text @git-pair text
> list
~ shows
- global system local worktree z|null name-only show-origin show-scope includes no-includes f|file:!config blob:!config
> get
- global system local worktree bool int path type: no-type z|null name-only show-origin show-scope show-names includes no-includes
- all regexp!shows value: fixed-value url:!shows default: f|file:!config blob:!config
. text*
> set
- global system local worktree bool int path type: no-type all value: fixed-value comment:!text append f|file:!config
. text @git-pair text
> unset
- global system local worktree all value: fixed-value f|file:!config
. text*
> edit
~ run
> rename-section remove-section
~ config

= git/help
- a|all g|guides c|config no-external-commands no-verbose verbose w|web!run m|man!run i|info!run
. @name*

= git/var
- l!shows
. text

= git/mktag git/unpack-objects git/index-pack
~ writes plain
- n q r strict max-input-size: no-strict v o:!write keep:: threads: stdin fix-thin index-version: verify verify-stat verify-stat-only check-self-contained-and-connected fsck-objects progress-title: promisor:: object-format: rev-index no-rev-index
. write

= git/difftool git/mergetool git/filter-branch git/send-email git/instaweb git/web--browse git/daemon git/upload-pack git/upload-archive git/receive-pack git/shell git/credential git/credential-store git/credential-cache git/remote-ext git/remote-fd git/remote-http git/remote-https git/remote-ftp git/hook git/for-each-repo git/gui git/citool git/gitk git/svn git/p4 git/cvsimport git/cvsserver git/cvsexportcommit git/archimport git/quiltimport git/imap-send git/http-backend git/http-fetch git/http-push git/fsmonitor--daemon git/maintenance git/scalar git/lfs git/annex git/fast-import git/filter-repo git/subtree git/send-pack git/fetch-pack git/merge-index git/merge-one-file
~ run
" examples "
+ git diff --name-only main...HEAD
+ git diff -U5 --stat
+ git config --get user.name
+ git config user.name x
+ git config get user.name
+ git config list
+ git config --list --show-origin
+ git config user.name
+ git config --global user.email a@b
+ git config set pull.rebase true
+ git stash
+ git stash push -m wip -- src/main.rs
+ git stash pop
+ git submodule update --init --recursive
+ git bisect start HEAD HEAD~1
+ git remote -v
+ git remote add o https://x/y
+ git rev-parse --abbrev-ref HEAD
+ git rev-list -n1 --before=yesterday main
+ git worktree add ../x
+ git reflog -5
+ git notes add -m x
? git bisect visualize
? git config --global alias.st '!x'
? git config core.hooksPath x
? git config core.fsmonitor x get
? git config --global core.fsmonitor x list
? git config -f f core.editor x
? git config --edit
? git config --rename-section color core
? git config set core.fsmonitor x
? git difftool -x y
? git submodule foreach x
? git filter-branch --tree-filter x
? git help -w x
+ git help
+ git help log
+ git help -a
? git help /../../../../home/.aws/credentials
? git help ../p.1
? git help x/p.1
? git send-email --to-cmd x
? git hook run x
? git diff --ext-diff
? git instaweb -d x
? git merge-index ./x -a
";
}
