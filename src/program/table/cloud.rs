//! Clouds, code forges and infrastructure.

family! {
"
= @gh-pr
- a|assignee: B|base: b|body: F|body-file:!read d|draft dry-run f|fill fill-first fill-verbose H|head: l|label: m|milestone: no-maintainer-edit p|project: r|reviewer:
- t|title: add-label: remove-label: add-assignee: remove-assignee: add-reviewer: remove-reviewer: admin author-email: auto d|delete-branch disable-auto match-head-commit:
- merge squash rebase s subject: approve comment request-changes c delete-last edit-last undo rebase yes recover:!read
- e|editor!run w|web!run T|template:!read

= @gh-issue
- a|assignee: b|body: F|body-file:!read l|label: m|milestone: p|project: t|title: T|template: r|reason: c|comment: add-label: remove-label: add-assignee: remove-assignee:
- yes edit-last delete-last e|editor!run w|web!run recover:!read

= gh
~ connects whole global
- R|repo: help!help version!help
> pr
  >> list ls
     - a|app: A|assignee: author: B|base: d|draft H|head: q|jq: json: l|label: L|limit: S|search: s|state: t|template: w|web!run
  >> view
     - c|comments q|jq: json: t|template: w|web!run
     . text
  >> diff
     - color: name-only patch w|web!run e|exclude:
     . text
  >> checks
     - fail-fast i|interval: q|jq: json: required t|template: watch w|web!run
     . text
  >> status
     - c|conflict-status q|jq: json: t|template:
  >> checkout co
     ~ writes
     - b|branch: detach f|force recurse-submodules
     . text
  >> create new edit reopen comment review ready
     - @gh-pr
     . text
  >> merge close lock unlock update-branch revert
     ~ publishes
     - @gh-pr
     . text
> issue
  >> list ls
     - app: a|assignee: A|author: q|jq: json: l|label: L|limit: mention: m|milestone: S|search: s|state: t|template: w|web!run
  >> view
     - c|comments q|jq: json: t|template: w|web!run
     . text
  >> status
     - q|jq: json: t|template:
  >> create new edit reopen comment
     - @gh-issue
     . text text
  >> close delete lock unlock pin unpin transfer develop
     ~ publishes
     - @gh-issue
     . text text
> run
  >> list ls
     - a|all b|branch: c|commit: created: e|event: q|jq: json: L|limit: s|status: t|template: u|user: w|workflow:
  >> view
     - a|attempt: exit-status j|job: q|jq: json: log log-failed t|template: v|verbose w|web!run
     . text
  >> watch
     - compact exit-status i|interval:
     . text
  >> download
     ~ writes
     - D|dir:!write n|name: p|pattern:
     . text
  >> rerun cancel delete
     ~ publishes
     - d|debug failed j|job:
     . text
> workflow
  >> list ls view
     - a|all q|jq: json: L|limit: t|template: y|yaml r|ref: w|web!run
     . text
  >> run enable disable
     ~ publishes
     - F|field: f|raw-field: json r|ref:
     . text
> repo
  >> list ls
     - archived fork q|jq: json: language: L|limit: no-archived source t|template: topic: visibility:
     . text
  >> view
     - b|branch: q|jq: json: t|template: w|web!run
     . text
  >> create fork delete rename edit archive unarchive sync set-default deploy-key autolink license gitignore clone
     ~ ask
> release
  >> list ls
     - exclude-drafts exclude-pre-releases q|jq: json: L|limit: O|order: t|template:
  >> view
     - q|jq: json: t|template: w|web!run
     . text
  >> download
     ~ writes
     - A|archive: clobber D|dir:!write O|output:!write p|pattern: skip-existing
     . text
  >> create edit upload delete delete-asset
     ~ publishes
     - d|draft discussion-category: generate-notes latest:: n|notes: F|notes-file:!read notes-from-tag notes-start-tag: p|prerelease target: t|title: verify-tag clobber cleanup-tag
     - yes tag:
     . text read*
> gist
  >> list ls view
     - L|limit: public secret f|filename: files r|raw w|web!run include-content filter:
     . text
  >> create edit delete clone rename
     ~ publishes ask
> search
  >> prs issues repos commits code
     - L|limit: json: q|jq: t|template: state: author: repo: owner: label: sort: order: language: extension: filename: size: match: assignee: created: updated: merged
     - archived visibility: stars: forks: topic: w|web!run
     . text*
> label milestone
  >> list ls
     - q|jq: json: L|limit: order: S|search: sort: t|template: w|web!run
  >> create edit delete clone
     ~ publishes
     - c|color: d|description: f|force n|name: yes
     . text
> auth
  >> status
     - h|hostname: a|active t|show-token!ask json: q|jq:
  >> login logout refresh setup-git switch token
     ~ ask
> api
  - cache: H|header: hostname: i|include q|jq: p|preview: paginate slurp silent t|template: verbose
  - X|method:!@http-method F|field:!publishes f|raw-field:!publishes input:!read+publishes
  . text
> status
  - e|exclude: o|org:
> version
> browse codespace co extension ext alias config secret variable ssh-key gpg-key org project ruleset attestation cache copilot preview
  ~ ask

= glab
~ connects ask

= terraform tofu
~ words connects
- version!help help!help chdir:!dir
> version
  - json
> fmt
  ~ writes
  - check diff list:: write:: recursive no-color
  . write*
> validate
  - json no-color test-directory: no-tests
> show
  - json no-color
  . read
> output
  - json raw no-color state:!read
  . text
> providers
  - test-directory:
  . {schema,lock,mirror} text
> graph
  - plan: draw-cycles type: module-depth:
> state
  >> list show pull
     - state:!read id: no-color json
     . text*
  >> rm mv push replace-provider
     ~ destroys
     - state:!read lock:: lock-timeout: dry-run backup:!write force ignore-remote-version no-color
     . text text
> workspace
  >> list show
     . text
  >> select new delete
     ~ writes
     - force lock:: lock-timeout: or-create::
     . text
> init
  ~ writes
  - backend:: backend-config:!ask force-copy from-module:!ask get:: input:: lock:: lock-timeout: no-color plugin-dir:!load reconfigure migrate-state upgrade lockfile: json
  - ignore-remote-version test-directory:
> get
  ~ writes
  - update no-color
> plan
  ~ writes
  - compact-warnings destroy detailed-exitcode input:: lock:: lock-timeout: no-color out:!write parallelism: refresh:: refresh-only replace: target: var: var-file:!read state:!read json
  - generate-config-out:!write
> apply import refresh taint untaint
  ~ publishes
  - auto-approve compact-warnings input:: lock:: lock-timeout: no-color parallelism: refresh:: refresh-only replace: target: var: var-file:!read state:!read state-out:!write backup:!write
  - json destroy!destroys allow-missing config:!ask
  . text text
> destroy
  ~ destroys
  - auto-approve input:: lock:: lock-timeout: no-color parallelism: refresh:: target: var: var-file:!read state:!read json compact-warnings
> console login logout force-unlock test metadata modules query stacks
  ~ ask

= terragrunt pulumi cdk serverless sls sam eb amplify
~ ask

= aws
~ connects global whole
- region: profile: output:!{json,text,table,yaml,yaml-stream} query: debug no-paginate no-cli-pager color: no-sign-request cli-read-timeout: cli-connect-timeout: page-size: max-items:
- starting-token: version!help help!help no-verify-ssl endpoint-url:!ask ca-bundle:!read cli-input-json:!ask cli-input-yaml:!ask generate-cli-skeleton::
> sts
  >> get-caller-identity get-session-token
> s3
  >> ls
     - recursive human-readable summarize request-payer::
     . text
  >> cp mv sync
     ~ writes publishes
     - recursive exclude: include: dryrun quiet acl: no-progress only-show-errors storage-class: sse:: content-type: cache-control: delete!destroys exact-timestamps size-only
     . @remote-read write
  >> rm rb
     ~ destroys
     - recursive exclude: include: dryrun quiet force only-show-errors
     . text
  >> mb presign website
     ~ publishes
     - expires-in:
     . text
> configure
  >> list list-profiles
> logs
  >> tail
     - since: follow format: filter-pattern: log-stream-names: log-stream-name-prefix:
     . text
  >> describe-log-groups describe-log-streams get-log-events filter-log-events
     - log-group-name: log-stream-name: log-group-name-prefix: log-stream-name-prefix: limit: start-time: end-time: filter-pattern: order-by: descending no-descending start-from-head
> ec2
  >> describe-instances describe-images describe-vpcs describe-subnets describe-security-groups describe-volumes describe-snapshots describe-regions describe-availability-zones describe-key-pairs describe-instance-status describe-network-interfaces describe-addresses describe-route-tables
     - instance-ids: filters: image-ids: owners: vpc-ids: group-ids: volume-ids: snapshot-ids: subnet-ids: include-all-instances group-names: dry-run all-regions
     . text*
> lambda
  >> list-functions get-function-configuration list-versions-by-function list-aliases get-policy
     - function-name: qualifier: master-region: function-version:
> iam
  >> get-user list-users list-roles get-role list-policies list-attached-role-policies list-groups
     - user-name: role-name: policy-arn: scope: path-prefix: only-attached
> ecs
  >> list-clusters list-services list-tasks describe-clusters describe-services describe-tasks describe-task-definition list-task-definitions
     - cluster: services: tasks: clusters: service-name: task-definition: family-prefix: desired-status: status: sort: include:
     . text*
> eks
  >> list-clusters describe-cluster list-nodegroups describe-nodegroup
     - name: cluster-name: nodegroup-name:
> rds
  >> describe-db-instances describe-db-clusters describe-db-snapshots
     - db-instance-identifier: db-cluster-identifier: filters:
> cloudformation
  >> describe-stacks list-stacks describe-stack-events describe-stack-resources list-stack-resources validate-template
     - stack-name: stack-status-filter: template-body: template-url:
> cloudwatch
  >> describe-alarms get-metric-statistics list-metrics
     - alarm-names: namespace: metric-name: dimensions: start-time: end-time: period: statistics: state-value:
> dynamodb
  >> list-tables describe-table get-item query scan
     - table-name: key: key-condition-expression: expression-attribute-values: expression-attribute-names: filter-expression: projection-expression: index-name: limit: select:
> ecr
  >> describe-repositories describe-images list-images
     - repository-name: repository-names: image-ids: filter:
> sqs sns
  >> list-queues list-topics list-subscriptions get-queue-attributes
     - queue-url: attribute-names: queue-name-prefix: topic-arn:

= gcloud gsutil bq az doctl heroku flyctl fly vercel netlify wrangler supabase firebase
~ connects ask

= ansible ansible-playbook ansible-galaxy ansible-vault packer consul nomad
~ ask

= act
~ daemon ask
" examples "
+ gh pr list
+ gh pr view 12 --json title -q .title
+ gh pr diff 12
+ gh pr checks
+ gh issue list --label bug
+ gh run list -L 5
+ gh run view 1 --log-failed
+ gh api repos/a/b
+ gh auth status
+ gh release list
+ terraform fmt -check
+ terraform validate
+ terraform plan -out=p
+ terraform init
+ terraform state list
+ aws sts get-caller-identity
+ aws s3 ls s3://b
+ aws ec2 describe-instances --region x --output json
? gh repo clone a/b -- -c core.fsmonitor=x
? gh extension exec x
? gh alias set x '!id'
? gh pr view -w
? gh auth token
? gh auth status --show-token
? gh pr list --odd
? gh browse
? gh config set editor ./x
? gh api -X odd x
? terraform init -plugin-dir=.
? terraform init -from-module=x
? terraform init -backend-config=x
? terraform console
? aws configure set x y
? aws ec2 run-instances
? aws --endpoint-url http://x s3 ls
? aws iam create-user
? cdk deploy --app ./x
? pulumi up
";
}
