//! Other systems of version control than git.

family! {
"
= hg
~ writes whole abbreviated global keys obeys-hg
- q|quiet v|verbose debug y|noninteractive color: pager:!{never,off,no} traceback time hidden h|help!help version!help encoding:
- config:!config R|repository:!config repo:!config cwd:!config profile!ask debugger!ask
> status st
  - A|all m|modified a|added r|removed d|deleted c|clean u|unknown i|ignored n|no-status t|terse: C|copies 0|print0 rev: change: I|include:!text X|exclude:!text S|subrepos T|template:!ask
  . read*
> diff
  - r|rev: from: to: c|change: a|text g|git nodates noprefix p|show-function reverse w|ignore-all-space b|ignore-space-change B|ignore-blank-lines U|unified:!number stat root: I|include:!text X|exclude:!text S|subrepos
  . read*
> log history
  - f|follow d|date: C|copies k|keyword: r|rev: L|line-range: removed m|only-merges u|user: b|branch: B|bookmark: P|prune: p|patch g|git l|limit:!number M|no-merges stat G|graph I|include:!text X|exclude:!text T|template:!{compact,default,phases,show,status,xml,json}
  . read*
> annotate blame
  - r|rev: f|file u|user d|date n|number c|changeset l|line-number w b B Z
  . read*
> cat files manifest
  - r|rev: 0|print0 I|include:!text X|exclude:!text S|subrepos all
  . read*
> branch branches tags bookmarks heads parents id identify summary root paths config phase tip showconfig
  - r|rev: n|num i|id b|branch t|tags B|bookmarks a|active c|closed l|list
> branch
  . text
> add addremove forget
  - I|include:!text X|exclude:!text n|dry-run s|similarity: S|subrepos
  . read*
> commit ci
  - m|message:!text A|addremove close-branch amend s|secret d|date: u|user: I|include:!text X|exclude:!text l|logfile:!read
  . read*
> update up checkout co
  ~ brings
  - r|rev: c|check d|date: m|merge C|clean!destroys
  . text
> pull
  ~ connects brings
  - u|update r|rev: B|bookmark: b|branch: f|force
> push
  ~ publishes connects
  - r|rev: B|bookmark: b|branch: f|force new-branch
> strip purge
  ~ destroys
  . text*

= chg rhg
~ run obeys-hg
- h|help!help version!help

= bzr fossil darcs cvs svnadmin svnserve
~ run
- h|help!help version!help

= svn
~ whole global
- v|verbose q|quiet r|revision: c|change: N|non-recursive R|recursive depth: force non-interactive username: password: password-from-stdin no-auth-cache trust-server-cert trust-server-cert-failures: summarize g|use-merge-history l|limit:!number stop-on-copy xml incremental ignore-externals u|show-updates no-ignore t|transaction: show-item: no-newline diff notice-ancestry ignore-properties properties-only git internal-diff patch-compatible h|help!help version!help changelist: cl: auto-props no-auto-props parents ignore-whitespace force-log encoding:
- config-dir:!config config-option:!config diff-cmd:!run diff3-cmd:!run editor-cmd:!run x|extensions:!ask F|file:!read m|message:!text accept:!{postpone,working,base,mine-conflict,theirs-conflict,mine-full,theirs-full,mc,tc,mf,tf,p}
> status stat st info log ls list cat blame praise annotate diff di proplist pl propget pg
  ~ connects
  . @remote-read*
> add cleanup mkdir
  ~ writes connects
  . write*
> revert resolve resolved update up
  ~ writes connects brings
  . write*
> checkout co export
  ~ writes connects brings
  . @remote write
> delete del remove rm
  ~ writes
  . write*
> commit ci
  ~ publishes connects
  . read*
> help

= jj
~ writes whole global keys obeys-jj
- r|revisions|revision: no-pager color: q|quiet ignore-working-copy ignore-immutable at-operation: at-op: debug h|help!help V|version!help n|limit:!number reversed G|no-graph T|template:!ask p|patch s|summary stat types name-only git color-words context:!number f|from: t|to: m|message:!text no-edit
- R|repository:!config config:!config config-toml:!config config-file:!config tool:!run
> log l show evolog obslog
  . text*
> status st
  . read*
> diff
  . read*
> describe desc commit ci
  . text*
> new edit
  ~ brings
  . text*
" examples "
+ hg status
+ hg log -r tip
+ hg diff -r 1
+ svn diff
+ svn status
+ jj log
? hg --config alias.x='!y' x
? hg --config=extensions.x=y.py status
? hg status --conf a.b=c
? hg --cwd /x status
? hg -R x status
? hg clone --ssh x y
? hg log -T '{x}'
? svn diff --diff-cmd x
? svn diff --config-option a:b:c=d
? svn update --config-dir x
? svn diff -x -w
? jj --config-toml x log
? jj --config=x log
? jj util exec -- x
? fossil x
";
}
