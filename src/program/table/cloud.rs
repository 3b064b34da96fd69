//! Clouds, code forges and infrastructure.

family! {
"
= @gh-pr
- a|assignee: B|base: b|body:!text F|body-file:!read d|draft dry-run f|fill fill-first fill-verbose H|head: l|label: m|milestone: no-maintainer-edit p|project: r|reviewer:
- t|title:!text add-label: remove-label: add-assignee: remove-assignee: add-reviewer: remove-reviewer: admin author-email: auto d|delete-branch disable-auto match-head-commit:
- merge squash rebase s subject: approve comment request-changes c delete-last edit-last undo rebase yes recover:!read
- e|editor!run w|web!run T|template:!read

= @gh-issue
- a|assignee: b|body:!text F|body-file:!read l|label: m|milestone: p|project: t|title:!text T|template: r|reason:!text c|comment:!text add-label: remove-label: add-assignee: remove-assignee:
- yes edit-last delete-last e|editor!run w|web!run recover:!read

= gh
~ connects whole global
- R|repo: help!help version!help
> pr
  >> list ls
     - a|app: A|assignee: author:!text B|base: d|draft H|head: q|jq: json: l|label: L|limit: S|search: s|state: t|template: w|web!run
  >> view
     - c|comments q|jq: json: t|template: w|web!run
     . text
  >> diff
     - color: name-only patch w|web!run e|exclude:!text
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
     - app: a|assignee: A|author:!text q|jq: json: l|label: L|limit: mention: m|milestone: S|search: s|state: t|template: w|web!run
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
     ~ writes unpack
     - D|dir:!write n|name: p|pattern:!text
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
     ~ writes unpack
     - A|archive: clobber D|dir:!write O|output:!write p|pattern:!text skip-existing
     . text
  >> create edit upload delete delete-asset
     ~ publishes
     - d|draft discussion-category: generate-notes latest:: n|notes: F|notes-file:!read notes-from-tag notes-start-tag: p|prerelease target: t|title:!text verify-tag clobber cleanup-tag
     - yes tag:
     . text read*
> gist
  >> list ls view
     - L|limit: public secret f|filename: files r|raw w|web!run include-content filter:!text
     . text
  >> create edit delete clone rename
     ~ publishes ask
> search
  >> prs issues repos commits code
     - L|limit: json: q|jq: t|template: state: author:!text repo: owner: label: sort: order: language: extension: filename: size: match: assignee: created: updated: merged
     - archived visibility: stars: forks: topic: w|web!run
     . text*
> label milestone
  >> list ls
     - q|jq: json: L|limit: order: S|search: sort: t|template: w|web!run
  >> create edit delete clone
     ~ publishes
     - c|color: d|description:!text f|force n|name: yes
     . text
> auth
  >> status
     - h|hostname: a|active t|show-token!ask json: q|jq:
  >> login logout refresh setup-git switch token
     ~ ask
> api
  - cache: H|header:!text hostname: i|include q|jq: p|preview: paginate slurp silent t|template: verbose
  - X|method:!@http-method F|field:!publishes f|raw-field:!publishes input:!read+publishes
  . text
> status
  - e|exclude:!text o|org:
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
  >> schema
     - json
  >> lock
     ~ writes
     - platform: fs-mirror:!read net-mirror:!ask enable-plugin-cache
     . text*
  >> mirror
     ~ writes
     - platform: lock-file::
     . write
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
  - compact-warnings destroy detailed-exitcode input:: lock:: lock-timeout: no-color out:!write parallelism: refresh:: refresh-only replace:!text target: var: var-file:!read state:!read json
  - generate-config-out:!write
> apply import refresh taint untaint
  ~ publishes
  - auto-approve compact-warnings input:: lock:: lock-timeout: no-color parallelism: refresh:: refresh-only replace:!text target: var: var-file:!read state:!read state-out:!write backup:!write
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
- region:!@aws-text profile:!@aws-text output:!{json,text,table,yaml,yaml-stream} query:!@aws-text debug no-paginate no-cli-pager color:!@aws-text no-sign-request cli-read-timeout:!@aws-text cli-connect-timeout:!@aws-text page-size:!@aws-text max-items:!@aws-text
- starting-token:!@aws-text version!help help!help no-verify-ssl endpoint-url:!ask ca-bundle:!read cli-input-json:!ask cli-input-yaml:!ask generate-cli-skeleton::!@aws-text
> sts
  >> get-caller-identity
  >> get-session-token
     ~ ask
> s3
  >> ls
     - recursive human-readable summarize request-payer::!@aws-text
     . @aws-text
  >> cp mv
     ~ writes publishes
     - recursive!recursive exclude:!@aws-text include:!@aws-text dryrun quiet acl:!@aws-text no-progress only-show-errors storage-class:!@aws-text sse::!@aws-text content-type:!@aws-text cache-control:!@aws-text delete!destroys exact-timestamps size-only
     . @remote-read write
  >> sync
     ~ writes publishes recursive
     - exclude:!@aws-text include:!@aws-text dryrun quiet acl:!@aws-text no-progress only-show-errors storage-class:!@aws-text sse::!@aws-text content-type:!@aws-text cache-control:!@aws-text delete!destroys exact-timestamps size-only
     . @remote-read write
  >> rm rb
     ~ destroys
     - recursive exclude:!@aws-text include:!@aws-text dryrun quiet force only-show-errors
     . @aws-text
  >> mb presign website
     ~ publishes
     - expires-in:!@aws-text
     . @aws-text
> configure
  >> list list-profiles
> logs
  >> tail
     - since:!@aws-text follow format:!@aws-text filter-pattern:!@aws-text log-stream-names:!@aws-text log-stream-name-prefix:!@aws-text
     . @aws-text
  >> describe-log-groups describe-log-streams get-log-events filter-log-events
     - log-group-name:!@aws-text log-stream-name:!@aws-text log-group-name-prefix:!@aws-text log-stream-name-prefix:!@aws-text limit:!@aws-text start-time:!@aws-text end-time:!@aws-text filter-pattern:!@aws-text order-by:!@aws-text descending no-descending start-from-head
> ec2
  >> describe-instances describe-images describe-vpcs describe-subnets describe-security-groups describe-volumes describe-snapshots describe-regions describe-availability-zones describe-key-pairs describe-instance-status describe-network-interfaces describe-addresses describe-route-tables
     - instance-ids:!@aws-text filters:!@aws-text image-ids:!@aws-text owners:!@aws-text vpc-ids:!@aws-text group-ids:!@aws-text volume-ids:!@aws-text snapshot-ids:!@aws-text subnet-ids:!@aws-text include-all-instances group-names:!@aws-text dry-run all-regions
     . @aws-text*
> lambda
  >> list-functions get-function-configuration list-versions-by-function list-aliases get-policy
     - function-name:!@aws-text qualifier:!@aws-text master-region:!@aws-text function-version:!@aws-text
> iam
  >> get-user list-users list-roles get-role list-policies list-attached-role-policies list-groups
     - user-name:!@aws-text role-name:!@aws-text policy-arn:!@aws-text scope:!@aws-text path-prefix:!@aws-text only-attached
> ecs
  >> list-clusters list-services list-tasks describe-clusters describe-services describe-tasks describe-task-definition list-task-definitions
     - cluster:!@aws-text services:!@aws-text tasks:!@aws-text clusters:!@aws-text service-name:!@aws-text task-definition:!@aws-text family-prefix:!@aws-text desired-status:!@aws-text status:!@aws-text sort:!@aws-text include:!@aws-text
     . @aws-text*
> eks
  >> list-clusters describe-cluster list-nodegroups describe-nodegroup
     - name:!@aws-text cluster-name:!@aws-text nodegroup-name:!@aws-text
> rds
  >> describe-db-instances describe-db-clusters describe-db-snapshots
     - db-instance-identifier:!@aws-text db-cluster-identifier:!@aws-text filters:!@aws-text
> cloudformation
  >> describe-stacks list-stacks describe-stack-events describe-stack-resources list-stack-resources validate-template
     - stack-name:!@aws-text stack-status-filter:!@aws-text template-body:!@aws-text template-url:!@aws-text
> cloudwatch
  >> describe-alarms get-metric-statistics list-metrics
     - alarm-names:!@aws-text namespace:!@aws-text metric-name:!@aws-text dimensions:!@aws-text start-time:!@aws-text end-time:!@aws-text period:!@aws-text statistics:!@aws-text state-value:!@aws-text
> dynamodb
  >> list-tables describe-table get-item query scan
     - table-name:!@aws-text key:!@aws-text key-condition-expression:!@aws-text expression-attribute-values:!@aws-text expression-attribute-names:!@aws-text filter-expression:!@aws-text projection-expression:!@aws-text index-name:!@aws-text limit:!@aws-text select:!@aws-text
> ecr
  >> describe-repositories describe-images list-images
     - repository-name:!@aws-text repository-names:!@aws-text image-ids:!@aws-text filter:!@aws-text
> sqs sns
  >> list-queues list-topics list-subscriptions get-queue-attributes
     - queue-url:!@aws-text attribute-names:!@aws-text queue-name-prefix:!@aws-text topic-arn:!@aws-text

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
