//! `git`, subcommand by subcommand. `git X -h` lists the options; what they do is in the manual.

family! {
"
# Options of everything that shows differences.
= @diff
& z cached staged merge-base diff-filter relative no-relative B M C D find-renames find-copies no-renames l w b ignore-all-space
& ignore-space-change R S G pickaxe-all pickaxe-regex no-ext-diff no-textconv no-color color exit-code ignore-submodules
- p|patch s|no-patch u U::|unified:: W|function-context raw patch-with-raw patch-with-stat numstat shortstat X|dirstat::
- cumulative dirstat-by-file:: check summary name-only!names name-status stat:: stat-width: stat-name-width: stat-graph-width:
- stat-count: compact-summary binary full-index color:: ws-error-highlight: z abbrev:: src-prefix: dst-prefix: line-prefix:
- no-prefix default-prefix inter-hunk-context: output-indicator-new: output-indicator-old: output-indicator-context:
- B|break-rewrites:: M|find-renames:: D|irreversible-delete C|find-copies:: find-copies-harder no-renames rename-empty follow
- l: minimal w|ignore-all-space b|ignore-space-change ignore-space-at-eol ignore-cr-at-eol ignore-blank-lines
- I|ignore-matching-lines:!text indent-heuristic patience histogram diff-algorithm: anchored: word-diff:: word-diff-regex:!text
- color-words:: color-moved:: color-moved-ws: relative:: a|text R exit-code quiet ext-diff!run textconv ignore-submodules::
- submodule:: ita-invisible-in-index ita-visible-in-index S: G: pickaxe-all pickaxe-regex O:!read rotate-to: skip-to:
- find-object: diff-filter:!text output:!write

# Options of everything that walks over commits.
= @rev
& n max-count skip since after until before author committer grep i E F P merges no-merges first-parent all branches tags
& remotes reverse follow
- n:|max-count: skip:!text since:|after: until:|before: since-as-filter:!text max-age: min-age: author:!text committer: grep:!text grep-reflog: all-match invert-grep
- i|regexp-ignore-case basic-regexp E|extended-regexp F|fixed-strings P|perl-regexp remove-empty merges no-merges min-parents::
- max-parents:: no-min-parents no-max-parents first-parent exclude-first-parent-only not all branches:: tags:: remotes:: glob: exclude:!text
- exclude-hidden:: reflog alternate-refs single-worktree ignore-missing bisect stdin cherry-mark cherry-pick left-only right-only cherry
- g|walk-reflogs merge boundary use-bitmap-index simplify-by-decoration show-pulls full-history dense sparse simplify-merges ancestry-path::
- date-order author-date-order topo-order reverse in-commit-order no-walk:: do-walk filter:: filter-provided-objects objects objects-edge
- objects-edge-aggressive unpacked missing:: exclude-promisor-objects disk-usage:: count quiet header timestamp left-right graph
- show-linear-break:: children parents full-diff c cc combined-all-paths m r t root remerge-diff diff-merges: dd no-diff-merges
- always follow base source encoding: object-names no-object-names indexed-objects bisect-vars bisect-all

# How commits are shown.
= @pretty
& no-notes no-decorate
- pretty::!heading format::!heading abbrev-commit no-abbrev-commit oneline expand-tabs:: no-expand-tabs notes:: no-notes show-notes:: standard-notes
- no-standard-notes show-notes-by-default show-signature relative-date date: raw-timestamp log-size clear-decorations decorate::
- decorate-refs: decorate-refs-exclude:!text use-mailmap mailmap z L: color:: abbrev::

= git
~ leading negatable keys obeys-git
& C no-pager P no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs
- C:!dir c:!@git-setting exec-path::!load html-path!help man-path!help info-path!help p|paginate!run P|no-pager
- git-dir:!config work-tree:!config namespace:!config super-prefix:!config bare!config no-replace-objects no-lazy-fetch
- no-optional-locks no-advice literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs list-cmds:!help
- config-env:!run attr-source: v|version!help h|help!help
> status
& u untracked-files z null ignored ignore-submodules renames no-renames M b branch
- v|verbose s|short!names b|branch show-stash ahead-behind porcelain::!names long z|null u|untracked-files:: ignored:: ignore-submodules::
- column:: no-renames renames M|find-renames::
. text*
> add
~ writes plain
- n|dry-run v|verbose i|interactive p|patch e|edit f|force u|update renormalize N|intent-to-add A|all ignore-removal refresh
- ignore-errors ignore-missing sparse chmod: pathspec-from-file:!read pathspec-file-nul
. text*
> mv
~ writes copies
- v|verbose n|dry-run f|force k sparse
. remove* write
> rm
~ writes
- n|dry-run q|quiet cached f|force r ignore-unmatch sparse pathspec-from-file:!read pathspec-file-nul
. write*
> restore
~ writes brings
- s|source: S|staged!tame W|worktree!destroys ignore-unmerged overlay q|quiet recurse-submodules:: progress m|merge conflict: 2|ours 3|theirs
- p|patch ignore-skip-worktree-bits pathspec-from-file:!read pathspec-file-nul
. @restored*
> branch
~ writes plain names settings
& a all r remotes l list show-current merged no-merged contains no-contains sort i omit-empty points-at column no-column
- v|verbose q|quiet t|track:: u|set-upstream-to: unset-upstream color:: r|remotes contains: no-contains: abbrev:: a|all d|delete
- D m|move M omit-empty c|copy C l|list show-current create-reflog edit-description f|force merged: no-merged: column::
- sort: points-at: i|ignore-case recurse-submodules format:
. text*
> reset
~ writes brings
- q|quiet no-refresh refresh mixed soft hard!destroys merge keep recurse-submodules:: p|patch N|intent-to-add
- pathspec-from-file:!read pathspec-file-nul
. text*
> switch
~ writes brings settings
- c|create: C|force-create: guess discard-changes!destroys q|quiet recurse-submodules:: progress m|merge conflict: d|detach
- t|track:: f|force!destroys orphan: overwrite-ignore ignore-other-worktrees
. text*
> tag
~ writes plain names sure
& l list merged no-merged contains no-contains sort i omit-empty points-at column no-column
- l|list n:: d|delete v|verify a|annotate m|message:!text F|file:!read trailer:!text e|edit s|sign!signs cleanup: u|local-user:!signs f|force
- create-reflog column:: contains: no-contains: merged: no-merged: omit-empty sort: points-at: format: color:: i|ignore-case
. text*
> checkout
~ writes brings settings
- b: B: l guess overlay q|quiet recurse-submodules:: progress m|merge conflict: d|detach t|track:: f|force!destroys orphan:
- overwrite-ignore ignore-other-worktrees 2|ours 3|theirs p|patch ignore-skip-worktree-bits pathspec-from-file:!read
- pathspec-file-nul
. @pathspec*
> commit
~ writes plain sure
- q|quiet v|verbose F|file:!read author:!text date: m|message:!text c|reedit-message: C|reuse-message: fixup:!text squash:!text reset-author trailer:!text
- s|signoff t|template:!ask e|edit cleanup: status S|gpg-sign::!signs a|all i|include interactive p|patch o|only n|no-verify verify
- dry-run short branch ahead-behind porcelain long z|null amend no-post-rewrite post-rewrite u|untracked-files::
- pathspec-from-file:!read pathspec-file-nul allow-empty allow-empty-message no-gpg-sign
. text*
> merge
~ writes brings states
- n stat summary log:: squash commit e|edit cleanup: ff ff-only rerere-autoupdate verify-signatures s|strategy:!{ort,recursive,resolve,octopus,ours,subtree}
- X|strategy-option: m|message:!text F|file:!read into-name: v|verbose q|quiet abort quit continue allow-unrelated-histories progress
- S|gpg-sign::!signs autostash overwrite-ignore signoff no-verify verify
. text*
> cherry-pick
~ writes brings states
- quit continue abort skip cleanup: n|no-commit commit e|edit s|signoff m|mainline: rerere-autoupdate strategy:!{ort,recursive,resolve,octopus,ours,subtree}
- X|strategy-option: S|gpg-sign::!signs x ff allow-empty allow-empty-message keep-redundant-commits empty:
. text*
> revert
~ writes brings states
- quit continue abort skip cleanup: n|no-commit commit e|edit s|signoff m|mainline: rerere-autoupdate strategy:!{ort,recursive,resolve,octopus,ours,subtree}
- X|strategy-option: S|gpg-sign::!signs reference
. text*
> am
~ writes brings states
- i|interactive!ask n|no-verify verify 3|3way q|quiet s|signoff u|utf8 k|keep keep-non-patch m|message-id keep-cr c|scissors
- quoted-cr: whitespace: ignore-space-change ignore-whitespace directory:!write exclude:!text include:!text C: p: patch-format: reject
- resolvemsg: continue r|resolved skip abort quit show-current-patch:: retry allow-empty committer-date-is-author-date
- ignore-date rerere-autoupdate S|gpg-sign::!signs empty:
. patch*
> apply
~ writes brings
- exclude:!text include:!text p: no-add add stat!preview numstat!preview summary!preview check!preview index N|intent-to-add cached
- unsafe-paths!ask apply 3|3way ours theirs union build-fake-ancestor:!write z C: whitespace: ignore-space-change
- ignore-whitespace R|reverse unidiff-zero reject allow-overlap v|verbose q|quiet inaccurate-eof recount directory:!write
- allow-empty
. patch*
> fetch
~ connects writes plain settings states
- v|verbose q|quiet all set-upstream a|append atomic upload-pack:!run f|force m|multiple t|tags n j|jobs: prefetch p|prune
- P|prune-tags recurse-submodules:: dry-run porcelain write-fetch-head k|keep u|update-head-ok progress depth: shallow-since:
- shallow-exclude:!text deepen: unshallow refetch update-shallow refmap: o|server-option: 4|ipv4 6|ipv6 negotiation-tip:
- negotiate-only filter:!text auto-maintenance auto-gc show-forced-updates write-commit-graph stdin
- a
. @git-url text*
> pull
~ connects writes brings settings states
- v|verbose q|quiet progress recurse-submodules:: r|rebase:: n stat log:: signoff:: squash commit edit cleanup: ff ff-only
- verify verify-signatures autostash s|strategy:!{ort,recursive,resolve,octopus,ours,subtree} X|strategy-option: S|gpg-sign::!signs allow-unrelated-histories all a|append
- upload-pack:!run f|force t|tags p|prune j|jobs:: dry-run k|keep depth: shallow-since: shallow-exclude:!text deepen: unshallow
- update-shallow refmap: o|server-option: 4|ipv4 6|ipv6 negotiation-tip: show-forced-updates set-upstream
. @git-url text*
> push
~ connects settings
- v|verbose q|quiet repo:!@git-url all branches mirror!publishes+destroys d|delete!destroys tags n|dry-run porcelain
- f|force|+!publishes force-with-lease::!publishes force-if-includes recurse-submodules: thin receive-pack:!run exec:!run
- u|set-upstream progress prune!destroys no-verify verify follow-tags signed:: atomic o|push-option: 4|ipv4 6|ipv6
. @git-url +>publishes :>destroys text*
> clone
~ connects writes settings
- v|verbose q|quiet progress reject-shallow n|no-checkout checkout bare mirror l|local no-hardlinks hardlinks s|shared
- recurse-submodules:: recursive:: j|jobs: template:!load reference:!read reference-if-able:!read dissociate o|origin: b|branch:
- u|upload-pack:!run depth: shallow-since: shallow-exclude:!text single-branch no-tags tags shallow-submodules
- separate-git-dir:!config ref-format: c|config:!@git-setting server-option: 4|ipv4 6|ipv6 filter:!text also-filter-submodules
- remote-submodules sparse bundle-uri:!connect
. @git-address write
> init
~ writes settings
- template:!load bare shared:: q|quiet separate-git-dir:!config b|initial-branch: object-format: ref-format:
. write
> rebase
~ writes brings states
- onto: keep-base no-verify verify q|quiet v|verbose n|no-stat stat signoff committer-date-is-author-date reset-author-date C:
- ignore-whitespace whitespace: f|force-rebase no-ff ff continue skip abort quit edit-todo!ask show-current-patch apply m|merge
- i|interactive!ask rerere-autoupdate empty: autosquash update-refs S|gpg-sign::!signs autostash x|exec:!sh r|rebase-merges::
- fork-point s|strategy:!{ort,recursive,resolve,octopus,ours,subtree} X|strategy-option: root reschedule-failed-exec reapply-cherry-picks
. text*
> grep
~ sure descends
& *
- cached no-index!recursive index untracked!recursive exclude-standard recurse-submodules v|invert-match i|ignore-case w|word-regexp a|text I
- textconv r|recursive max-depth: E|extended-regexp G|basic-regexp F|fixed-strings P|perl-regexp n|line-number column h H
- full-name l|files-with-matches!names name-only!names L|files-without-match!names z|null o|only-matching c|count color:: break heading C|context:
- B|before-context: A|after-context: threads: N p|show-function W|function-context f:!read e: and or not q|quiet all-match
- O|open-files-in-pager::!run ext-grep m|max-count:
- # no-index
. text*
> archive
- format: prefix: add-file:!read add-virtual-file: o|output:!write worktree-attributes v|verbose mtime: N l|list remote:!ask
- exec:!run
- #
. text*
> describe
~ names
& tags all long always abbrev exact-match first-parent candidates contains match exclude dirty broken
- contains debug all tags long first-parent abbrev:: exact-match candidates: match: exclude:!text always dirty:: broken::
. text*
> name-rev
~ names
& name-only tags always undefined
- name-only tags refs: exclude:!text all annotate-stdin undefined always
. text*
> merge-base
~ names
& *
- a|all octopus independent is-ancestor fork-point
. text*
> cherry
- abbrev:: v|verbose
. text*
> ls-tree
~ names
& d r t z name-only name-status object-only full-name full-tree abbrev
- d r t z l|long name-only name-status object-only full-name full-tree format: abbrev::
. text*
> show-ref
~ names
& tags branches heads head d s hash verify abbrev q
- tags branches exists verify head d|dereference s|hash:: abbrev:: q|quiet exclude-existing::
. text*
> for-each-ref
- s|shell p|perl python tcl omit-empty count: format: color:: exclude:!text sort: points-at: merged: no-merged: contains:
- no-contains: ignore-case stdin include-root-refs
. text*
> verify-pack
- v|verbose s|stat-only object-format:
. text*
> verify-commit
- v|verbose raw
. text*
> verify-tag
- v|verbose raw format:
. text*
> count-objects
- v|verbose H|human-readable
. text*
> check-attr
- a|all cached stdin z source:
. text*
> check-ignore
- q|quiet v|verbose stdin z n|non-matching no-index index
. text*
> shortlog
- output:!write
- c|committer n|numbered s|summary e|email w:: group:
- @rev @pretty
. text*
> blame annotate
- output:!write
- incremental b root show-stats progress score-debug f|show-name n|show-number p|porcelain line-porcelain c t l s e|show-email w
- ignore-rev:!text ignore-revs-file:!read color-lines color-by-age minimal S:!read contents:!read C:: M:: L: abbrev::
- @rev
. text*
> ls-files
~ names
& z c cached d deleted m modified o others i ignored s stage k t directory empty-directory no-empty-directory u unmerged x exclude exclude-per-directory exclude-standard full-name error-unmatch deduplicate
- z t v f c|cached d|deleted m|modified o|others i|ignored s|stage k|killed directory eol empty-directory u|unmerged
- resolve-undo x|exclude:!text X|exclude-from:!read exclude-per-directory:!text exclude-standard full-name recurse-submodules
- error-unmatch with-tree: abbrev:: debug deduplicate sparse format:
. text*
> ls-remote
~ connects
- q|quiet upload-pack:!run t|tags b|branches h|heads refs get-url sort: exit-code symref o|server-option:
- exec:!run
. @git-url text*
> cat-file
- e p t s allow-unknown-type use-mailmap mailmap batch:: batch-check:: Z batch-command:: batch-all-objects buffer
- follow-symlinks unordered textconv filters path
- path: filter:!text
. text*
> symbolic-ref
~ writes plain names
& q short
- q|quiet d|delete short recurse m:!text
. text*
> update-ref
~ writes plain
- m:!text d no-deref deref z stdin create-reflog
. text*
> update-index
~ writes plain
- q ignore-submodules add replace remove unmerged refresh really-refresh cacheinfo:!text chmod: assume-unchanged
- no-assume-unchanged skip-worktree no-skip-worktree ignore-skip-worktree-entries info-only force-remove z stdin index-info
- unresolve g|again ignore-missing verbose clear-resolve-undo index-version: show-index-version split-index untracked-cache
- test-untracked-cache!writes force-untracked-cache force-write-index fsmonitor fsmonitor-valid no-fsmonitor-valid
. text*
> write-tree
~ writes plain
- missing-ok prefix:
. text*
> read-tree
~ writes plain brings
- index-output:!write empty v|verbose m trivial aggressive reset!destroys prefix: u exclude-per-directory:!text i n|dry-run no-sparse-checkout
- sparse-checkout debug-unpack recurse-submodules:: q|quiet
. text*
> commit-tree
~ writes plain
- p: m:!text F:!read S|gpg-sign::!signs
. text*
> mktree
~ writes plain
- z missing batch
. text*
> mktag
~ writes plain
- strict
. text*
> hash-object
~ writes plain
- t: w stdin stdin-paths!ask no-filters filters literally path:
. read*
> fsck
~ writes plain
- v|verbose unreachable dangling tags root cache reflogs full connectivity-only strict lost-found progress name-objects
. text*
> gc
~ writes plain settings
- q|quiet prune::!destroys cruft max-cruft-size: aggressive auto detach force keep-largest-pack
. text*
> prune
~ destroys
- n|dry-run v|verbose progress expire: exclude-promisor-objects
. text*
> repack
~ writes plain settings
- a A cruft cruft-expiration: max-cruft-size: d f F n q|quiet l|local b|write-bitmap-index i|delta-islands unpack-unreachable:
- k|keep-unreachable window: window-memory: depth: threads: max-pack-size: filter:!text pack-kept-objects keep-pack: g|geometric:
- m|write-midx expire-to:!write filter-to:!write
. text*
> pack-refs
~ writes plain
- all prune auto include:!text exclude:!text
. text*
> check-mailmap
- stdin mailmap-file:!read mailmap-blob:
. text*
> clean
- q|quiet n|dry-run f|force!destroys i|interactive!ask d e|exclude:!text x X
. write*
> show-branch
- a|all r|remotes color:: more:: list no-name name current sha1-name merge-base independent topo-order topics sparse date-order
- g|reflog::
. text*
> range-diff
- creation-factor: no-dual-color dual-color notes:: left-only right-only p|patch s|no-patch u U::|unified:: W|function-context raw
- patch-with-raw patch-with-stat numstat shortstat X|dirstat:: cumulative dirstat-by-file:: check summary name-only name-status
- stat:: stat-width: stat-name-width: stat-graph-width: stat-count: compact-summary binary full-index color::
- ws-error-highlight: z abbrev:: src-prefix: dst-prefix: line-prefix: no-prefix default-prefix inter-hunk-context:
- output-indicator-new: output-indicator-old: output-indicator-context: B|break-rewrites:: M|find-renames::
- D|irreversible-delete C|find-copies:: find-copies-harder no-renames rename-empty follow l: minimal w|ignore-all-space
- b|ignore-space-change ignore-space-at-eol ignore-cr-at-eol ignore-blank-lines I|ignore-matching-lines:!text indent-heuristic
- patience histogram diff-algorithm: anchored: word-diff:: word-diff-regex:!text color-words:: color-moved:: color-moved-ws:
- relative:: a|text R exit-code quiet ext-diff!run textconv ignore-submodules:: submodule:: ita-invisible-in-index
- ita-visible-in-index S: G: pickaxe-all pickaxe-regex O:!read rotate-to: skip-to: find-object: diff-filter:!text output:!write
- @rev @pretty
. text*
> format-patch
~ writes plain more
- n|numbered N|no-numbered s|signoff stdout cover-letter numbered-files suffix:!@suffix start-number: v|reroll-count:
- filename-max-length: rfc:: cover-from-description: description-file:!read subject-prefix:!text o|output-directory:!write
- k|keep-subject no-binary binary zero-commit ignore-if-in-upstream p|no-stat add-header:!text to: cc: from:: in-reply-to:!text attach::
- inline:: thread:: signature:!text base: signature-file:!read q|quiet progress interdiff: range-diff: creation-factor:
- force-in-body-from
- @diff @rev @pretty #
. text*
> stripspace
- s|strip-comments c|comment-lines
> patch-id
- unstable stable verbatim
> column
- command: mode:: raw-mode: width: indent: nl: padding:
> fmt-merge-msg
- log:: m|message:!text into-name: F|file:!read
> merge-file
~ writes plain
- p|stdout object-id diff3 zdiff3 ours theirs union diff-algorithm: marker-size: q|quiet L:
. write read read
> merge-tree
~ writes plain
- write-tree trivial-merge messages z name-only allow-unrelated-histories stdin merge-base: X|strategy-option:
. text*
> checkout-index
~ writes brings
- a|all ignore-skip-worktree-bits f|force!destroys q|quiet n|no-create create u|index z stdin temp prefix:!ask stage:
. write*
> pack-objects
~ writes plain
- q|quiet progress all-progress all-progress-implied index-version: max-pack-size: local incremental window: window-memory:
- depth: reuse-delta reuse-object delta-base-offset threads: non-empty revs unpacked all reflog indexed-objects stdin-packs
- stdout include-tag keep-unreachable pack-loose-unreachable unpack-unreachable:: cruft cruft-expiration:: sparse thin shallow
- honor-pack-keep keep-pack: compression: keep-true-parents use-bitmap-index write-bitmap-index filter:!text missing:
- exclude-promisor-objects delta-islands uri-protocol:
. write
> show-index
- object-format:
> get-tar-commit-id

> log whatchanged
~ headed
- q|quiet source use-mailmap mailmap clear-decorations decorate-refs: decorate-refs-exclude:!text decorate:: L:
- @diff @rev @pretty #
. text*
# It shows what files and tags hold as well.
> show
~ more
- q|quiet source use-mailmap mailmap clear-decorations decorate-refs: decorate-refs-exclude:!text decorate:: L:
- @diff @rev @pretty #
. text*
> bugreport
~ writes plain
- diagnose:: o|output-directory:!write s|suffix:
> diagnose
~ writes plain
- o|output-directory:!write s|suffix: mode:
> replace
~ writes plain ask
- l|list d|delete e|edit g|graft convert-graft-file!ask f|force raw format:
. text*
> rerere
~ writes plain
- rerere-autoupdate
. text*
> prune-packed
~ writes plain
- n|dry-run q|quiet
> unpack-file
~ writes plain
. text
> interpret-trailers
- in-place!in-place trim-empty where: if-exists: if-missing: only-trailers only-input unfold parse no-divider divider
- trailer:!ask
. change*
> version
- build-options
" examples "
+ git status --short --branch
+ git log --oneline --graph --all -20
+ git log --since='2 weeks ago' --pretty=format:'%h %an %s'
+ git log -n 3 -p -- src
+ git show HEAD:src/main.rs
+ git -C sub status
+ git --no-pager diff --cached
+ git -c color.ui=never log
+ git commit -am x
+ git commit -m x --no-verify
+ git commit -F -
+ git push origin main
+ git push -u origin HEAD
+ git grep -n x
+ git grep -nE 'a|b' -- '*.rs'
+ git fetch --all --prune
+ git rebase main
+ git rebase --continue
+ git --version
+ git clone --depth 1 https://x/y
+ git tag -l 'v*' --sort=-v:refname
+ git branch --show-current
+ git branch -d x
+ git checkout -b feature/x
+ git checkout -- a.txt
+ git switch -c x
+ git blame -L 1,2 src/main.rs
+ git merge --no-ff x
+ git cherry-pick abc
+ git reset --soft HEAD~1
+ git reset -q HEAD x
+ git archive --format=tar HEAD
+ git ls-files -o --exclude-standard
+ git apply --check p.diff
+ git format-patch -1 HEAD --stdout
+ git describe --tags --always --dirty
+ git shortlog -sn
+ git add -A
+ git restore --staged a
+ git clean -n
+ git am x.patch
+ git pull --rebase
+ git pull --no-edit origin main
+ git diff --diff-filter=ACMRT --name-only
+ git commit --allow-empty -m x
+ git ls-remote --heads origin
? git -c alias.x='!y' x
? git -c core.pager=x log
? git -ccore.fsmonitor=x status
? git --config-env=alias.x=E x
? git --exec-path=/x status
? git --git-dir=/x status
? git -p log
? git ls-remote --upload-pack=x y
? git fetch --upload-pack x y
? git fetch --upload-p x y
? git clone -u x y z
? git clone -qu x y z
? git clone -qc core.fsmonitor=x y z
? git clone --conf a=b y
? git clone ext::x y
? git grep -O x y
? git grep -nO'x' hi
? git grep --open-f=x y
? git rebase --exe=$(x) y -i
? git rebase -i HEAD~1
? git archive --remote=. --exec=x HEAD
? git archive --exec x HEAD
? git unknowncommand
? git push --receive-pack=x y
? git push --exec=x y
? git init --template=d
? git init --separate-git-dir d
? git checkout-index --prefix=.git/hooks/ -a
? git apply --unsafe-paths p
? git log --odd
? git commit --odd
";
}
