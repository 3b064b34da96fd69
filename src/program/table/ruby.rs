//! What builds and tests Ruby.

family! {
"
= bundle bundler
~ writes connects abbreviated runner
- h|help!help v|version!help V|verbose no-color retry:!number
> install i
  - jobs:!number j:!number quiet local deployment frozen no-cache path:!write without: with: retry:!number redownload full-index clean system standalone::!write binstubs::!ask shebang:!run gemfile:!config trust-policy: no-prune prefer-local force target-rbconfig:!config
> exec e
  ~ leading
  - keep-file-descriptors no-keep-file-descriptors gemfile:!config
  . @tool
> check
  - dry-run path:!read gemfile:!config
> update
  - all group:!text g: local conservative strict patch minor major jobs:!number j:!number quiet redownload pre ruby bundler:: source: gemfile:!config
  . text*
> add
  - version:!text v: group: g: skip-install optimistic strict require: r:
  . @package*
> remove
  - install
  . text*
> list ls show info outdated licenses platform doctor
  - name-only paths without-group: only-group: parseable porcelain strict filter-major filter-minor filter-patch groups group: local pre source: only-explicit path version
  . text*
> lock cache package pack clean
  - update:: local print lockfile:!write full-index add-platform: remove-platform: patch minor major strict conservative all dry-run force no-prune all-platforms path:!write gemfile:!config no-install quiet normalize-platforms add-checksums
  . text*
> config
  >> get
     - parseable
     . @shown-setting
  >> list
     ~ shows
     - parseable
     . text
  >> set unset
     ~ config
> version env help
  . text*
> open console gem init inject binstubs plugin viz fund issue
  ~ run

= gem
~ writes connects abbreviated
- h|help!help v|version!help V|verbose q|quiet silent norc backtrace debug config-file:!config
> list search query outdated info specification contents dependency environment which sources stale lock check help
  - l|local r|remote b|both i|installed I version: d|details versions a|all e|exact prerelease no-prerelease no-versions u p s:!ask source:!ask add:!ask
  . text*
> install update
  - v|version: N|no-document document: f|force user-install no-user-install conservative minimal-deps prerelease pre no-prerelease l|local r|remote no-verbose quiet b|both platform: system:: without: default env-shebang lockfile ignore-dependencies development
  - i|install-dir:!write n|bindir:!write build-root:!write P|trust-policy: w g::!config file::!config p|http-proxy:!config s|source:!config clear-sources!config B|bulk-threshold:
  . @name*
> uninstall cleanup pristine
  - a|all I|ignore-dependencies x|executables force v|version: n|dry-run user-install d
  . text*
> build
  - force strict o|output:!write C:!dir platform:
  . @name
> push yank owner signin signout
  ~ publishes ask
> open exec server cert unpack fetch generate_index rdoc mirror
  ~ run

= rake
~ writes project cache-any
: rakefile Rakefile rakefile.rb Rakefile.rb
- f|rakefile:!config r|require:!load I|libdir:!load R|rakelibdir:!load e|execute:!code E|execute-continue:!code p|execute-print:!code g|system!config G|no-system N|no-search|nosearch C|directory:!dir j::|jobs:: T::|tasks:: D::|describe:: W::|where:: t::|trace:: backtrace:: P|prereqs q|quiet s|silent v|verbose n|dry-run A|all m|multitask B|build-all suppress-backtrace: X|no-deprecation-warnings rules h|help!help H!help V|version!help
. @make*

= rails
~ writes connects project whole
- h|help!help v|version!help
> test t
  - v|verbose n|name: f|fail-fast s|seed: b|backtrace d|defer-output c|color e|environment: i|include:!text x|exclude:!text profile:: p|pride no-plugins
  . text*
> routes stats about notes middleware initializers
  - c|controller: g|grep:!text E|expanded unused a|annotations:
  . text*
> server s
  ~ daemon
  - p|port:!number b|binding: e|environment: d|daemon P|pid:!write C|dev-caching no-dev-caching log-to-stdout early-hints u|using:!@name restart no-log-to-stdout
> generate g destroy d
  - f|force s|skip p|pretend q|quiet skip-namespace skip-collision-check
  . text*
> db:migrate db:rollback db:seed db:setup db:create db:prepare db:version db:migrate:status db:schema:load db:schema:dump assets:precompile assets:clobber zeitwerk:check tmp:clear log:clear
  . @make*
> db:drop db:reset
  ~ destroys
> runner r console c dbconsole new plugin app:template credentials:edit
  ~ run

= rspec
~ writes project
- h|help!help v|version!help b|backtrace c|color colour force-color no-color force-colour e|example:!text E|example-matches:!text t|tag: P|pattern:!text exclude-pattern:!text n|next-failure only-failures fail-fast:: no-fail-fast dry-run order: seed:!number bisect:: w|warnings p|profile:: no-profile failure-exit-code:!number error-exit-code:!number fail-if-no-examples f|format:!{progress,p,documentation,d,doc,html,h,json,j,failures,f} out:!write o:!write deprecation-out:!write
- r|require:!load I:!load O|options:!config default-path:!read init X|drb!connects drb-port: default_path:
. read*

= rubocop
~ writes project
- h|help!help v|version!help V|verbose-version a|autocorrect A|autocorrect-all auto-correct auto-correct-all x|fix-layout l|lint only: except: only-guide-cops fail-level: F|fail-fast D|display-cop-names no-display-cop-names E|extra-details S|display-style-guide display-only-failed display-only-fail-level-offenses display-only-correctable display-only-safe-correctable disable-uncorrectable disable-pending-cops enable-pending-cops enable-all-cops disable-all-cops ignore-disable-comments ignore-parent-exclusion ignore-unrecognized-cops force-exclusion force-default-config parallel P no-parallel cache: cache-root:!write safe safe-auto-correct debug d color no-color s|stdin: list-target-files L show-cops:: show-docs-url:: auto-gen-config regenerate-todo exclude-limit:!number no-exclude-limit auto-gen-only-exclude no-auto-gen-timestamp no-offense-counts auto-gen-enforced-style o|out:!write profile memory editor-mode start-server!daemon stop-server!daemon restart-server!daemon server-status no-server server!daemon stdout stderr
- f|format:!{progress,p,simple,s,quiet,q,clang,c,fuubar,fu,emacs,e,html,h,json,j,junit,ju,worst,w,offenses,o,files,fi,tap,t,github,g,markdown,m,pacman,p,autogenconf} c|config:!{.rubocop.yml} r|require:!load plugin:!load init lsp!daemon raise-cop-error
. write*
" examples "
+ bundle install
+ bundle exec rspec
+ bundle exec rake test
? bundle exec sh -c x
? bundle exec ruby -e x
? bundle config set path x
? bundle open x
? bundle install --shebang x
+ gem list
+ gem install rails -v 7.1.0
+ gem install minitest:5.14.2
? gem open -e x y
? gem install ./x.gem
? gem install x --source http://y
? gem exec x
+ gem build x.gemspec
? gem build /x/y.gemspec
+ rake test
+ rake -T
+ rake -j4 build
? rake -f x
? rake -qf x
? rake -e x
? rake -r ./x
? rake --rakef x
+ rails test
+ rails db:migrate
? rails runner x
? rails r x
? rails console
+ rspec spec/x_spec.rb:12
+ rspec -f d
? rspec -r ./x
? rspec -I d
? rspec -O f
? rspec -f ./x
+ rubocop -a
? rubocop -r ./x
? rubocop -c x
? rubocop --format X::Y
";
}
