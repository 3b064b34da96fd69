//! Containers, clusters and machines.

family! {
"
= @docker-format
- f|format: filter:!text q|quiet no-trunc n|last: l|latest a|all s|size

= docker podman nerdctl
~ whole global
- D|debug l|log-level: v|version!help help!help
- H|host:!config c|context:!config config:!config tls!config tlscacert:!config tlscert:!config tlskey:!config tlsverify!config
> ps
  - @docker-format
> images
  - f|filter:!text format: q|quiet no-trunc a|all digests tree
  . text
> image
  >> ls list
     - f|filter:!text format: q|quiet no-trunc a|all digests
     . text
  >> inspect
     - f|format:
     . text*
  >> history
     - format: H|human no-trunc q|quiet
     . text
  >> prune
     ~ daemon destroys
     - a|all f|force filter:!text
  >> rm remove
     ~ daemon
     - f|force no-prune
     . text*
  >> build
     ~ daemon ask
> container
  >> ls ps list
     - @docker-format
  >> logs
     - details f|follow since: n|tail: t|timestamps until:
     . text
  >> inspect
     - f|format: s|size
     . text*
  >> top
     . text*
  >> stats
     - a|all format: no-stream no-trunc
     . text*
  >> prune
     ~ daemon destroys
     - f|force filter:!text
> inspect
  - f|format: s|size type:
  . text*
> logs
  - details f|follow since: n|tail: t|timestamps until:
  . text
> top
  . text*
> stats
  - a|all format: no-stream no-trunc
  . text*
> port
  . text*
> diff
  . text
> history
  - format: H|human no-trunc q|quiet
  . text
> events
  - f|filter:!text format: since: until:
> version
  - f|format:
> info
  - f|format:
> search
  ~ connects
  - f|filter:!text format: limit: no-trunc
  . text
> context
  >> ls list show inspect
     - f|format: q|quiet
     . text*
> network
  >> ls list
     - f|filter:!text format: q|quiet no-trunc
  >> inspect
     - f|format: v|verbose
     . text*
  >> create connect disconnect rm remove
     ~ daemon
     - d|driver: f|force o|opt: subnet: gateway: label: alias: ip:
     . text*
  >> prune
     ~ daemon destroys
     - f|force filter:!text
> volume
  >> ls list
     - f|filter:!text format: q|quiet
  >> inspect
     - f|format:
     . text*
  >> rm remove
     ~ daemon destroys
     - f|force
     . text*
  >> prune
     ~ daemon destroys
     - a|all f|force filter:!text
> system
  >> df
     - format: v|verbose
  >> info
     - f|format:
  >> events
     - f|filter:!text format: since: until:
  >> prune
     ~ daemon destroys
     - a|all f|force volumes filter:!text
> manifest
  >> inspect
     ~ connects
     - v|verbose insecure
     . text*
> stop kill restart start pause unpause wait
  ~ daemon
  - t|time|timeout: s|signal:
  . text*
> rm
  ~ daemon destroys
  - f|force l|link v|volumes
  . text*
> rmi
  ~ daemon destroys
  - f|force no-prune
  . text*
> tag
  ~ daemon
  . text text
> rename
  ~ daemon
  . text text
> pull
  ~ daemon connects
  - a|all-tags disable-content-trust platform: q|quiet
  . text
> push
  ~ daemon publishes
  - a|all-tags disable-content-trust platform: q|quiet
  . text
> login logout
  ~ connects ask
> run create exec attach cp commit build buildx builder load import export save update plugin swarm service stack node secret config trust checkpoint
  ~ daemon ask
> compose
  - f|file:!config p|project-name: profile: ansi: progress: dry-run
  - env-file:!config project-directory:!config compatibility parallel: all-resources
  >> ps
     - a|all f|filter:!text format: no-trunc orphans q|quiet services status:
     . text*
  >> logs
     - f|follow index: n|tail: no-color no-log-prefix since: t|timestamps until:
     . text*
  >> config convert
     - environment format: hash: images no-consistency no-interpolate no-normalize no-path-resolution profiles q|quiet services variables volumes o|output:!write+writes
     . text*
  >> images
     - format: q|quiet
     . text*
  >> top
     . text*
  >> ls
     - a|all filter:!text format: q|quiet
  >> port
     - index: protocol:
     . text text
  >> version
     - f|format: short
  >> events
     - json
     . text*
  >> stats
     - a|all format: no-stream no-trunc
     . text*
  >> stop start restart pause unpause kill
     ~ daemon
     - t|timeout: s|signal: no-deps remove-orphans
     . text*
  >> down
     ~ daemon
     - remove-orphans rmi: t|timeout: v|volumes!destroys
     . text*
  >> pull
     ~ daemon connects
     - ignore-buildable ignore-pull-failures include-deps policy: q|quiet
     . text*
  >> up run exec build create push rm cp attach watch wait scale alpha
     ~ daemon ask

= docker-compose
~ whole
- f|file:!config p|project-name: profile: verbose log-level: no-ansi ansi: v|version!help h|help!help
> ps
  - a|all filter:!text q|quiet services
  . text*
> logs
  - f|follow no-color no-log-prefix tail: t|timestamps
  . text*
> config
  - q|quiet services volumes hash: no-interpolate profiles
> images
  - q|quiet
  . text*
> top
  . text*
> port
  - index: protocol:
  . text text
> version
  - short
> stop start restart pause unpause kill
  ~ daemon
  - t|timeout: s|signal:
  . text*
> down
  ~ daemon
  - rmi: v|volumes!destroys remove-orphans t|timeout:
> up run exec build create pull push rm
  ~ daemon ask

= kubectl oc
~ connects global whole
- n|namespace: context: cluster: user: as: as-group: as-uid: request-timeout: v: s|server:!ask h|help!help insecure-skip-tls-verify!ask match-server-version
- warnings-as-errors disable-compression log-flush-frequency: vmodule: logtostderr
- kubeconfig:!config token:!ask certificate-authority:!read client-certificate:!read client-key:!read tls-server-name: username: password: cache-dir:!write
- profile: profile-output:!write
> get g
  - A|all-namespaces o|output:!@kube-output w|watch watch-only l|selector: field-selector: L|label-columns: show-labels show-kind show-managed-fields no-headers
  - sort-by: chunk-size: ignore-not-found output-watch-events server-print raw:!ask subresource: f|filename:!ask k|kustomize!ask R|recursive allow-missing-template-keys
  - template:
  . @kube-resource*
> describe
  - A|all-namespaces l|selector: f|filename:!read show-events chunk-size: R|recursive
  . text*
> logs log
  - f|follow c|container: all-containers all-pods p|previous since: since-time: tail: timestamps l|selector: limit-bytes: max-log-requests: prefix ignore-errors
  - pod-running-timeout: insecure-skip-tls-verify-backend
  . text*
> top
  >> pod pods po node nodes no
     - A|all-namespaces containers l|selector: no-headers sort-by: sum field-selector: show-capacity use-protocol-buffers
     . text*
> explain
  - recursive api-version: output:
  . text*
> api-resources
  - api-group: cached namespaced no-headers o|output: sort-by: verbs: categories:
> api-versions
> version
  - client o|output:!{json,yaml} short
> cluster-info
  >> dump
     - A|all-namespaces namespaces: o|output:!{json,yaml} output-directory:!write+writes
> config
  >> view
     - flatten merge minify o|output:!@kube-output raw!ask
  >> current-context get-clusters get-users
  >> get-contexts
     - o|output:!{name} no-headers
     . text*
  >> use-context
     ~ writes
     . text
  >> set set-context set-cluster set-credentials unset delete-context delete-cluster delete-user rename-context
     ~ ask
> auth
  >> can-i
     - A|all-namespaces list no-headers q|quiet subresource:
     . text*
  >> whoami
     - o|output:!{json,yaml}
> diff
  ~ ask
> events
  - A|all-namespaces for: no-headers o|output:!{json,yaml} types: w|watch chunk-size:
> wait
  - for: timeout: all l|selector: A|all-namespaces f|filename:!ask field-selector: local o|output:!@kube-output R|recursive
  . text*
> rollout
  >> status history
     - f|filename:!read revision: timeout: w|watch l|selector: o|output:!@kube-output R|recursive
     . text*
  >> restart undo pause resume
     ~ publishes
     - f|filename:!read to-revision: l|selector: field-manager: dry-run:: o|output:!@kube-output R|recursive
     . text*
> scale autoscale label annotate expose set cordon uncordon taint create apply patch replace
  ~ publishes
  - f|filename:!read k|kustomize!ask R|recursive o|output:!@kube-output l|selector: A|all-namespaces all overwrite replicas: current-replicas: resource-version: timeout: dry-run::
  - server-side force-conflicts field-manager: validate:: prune!destroys force!destroys wait save-config type: p|patch: patch-file:!read subresource: list local
  - port: target-port: name: image: from-literal: from-file:!read from-env-file:!read cpu-percent: min: max: show-managed-fields overrides: env: e:
  . text*
> delete drain
  ~ destroys
  - f|filename:!read k|kustomize!ask R|recursive l|selector: A|all-namespaces all force grace-period: now ignore-not-found wait timeout: o|output: dry-run:: cascade::
  - field-selector: ignore-daemonsets delete-emptydir-data pod-selector: disable-eviction skip-wait-for-delete-timeout: chunk-size: i|interactive raw:
  . text*
> completion
  . text
> options
> exec run attach cp debug edit port-forward proxy kustomize plugin certificate alpha
  ~ ask

= helm
~ connects global whole
- n|namespace: kube-context: debug burst-limit: qps: h|help!help
- kubeconfig:!config kube-apiserver:!config kube-token:!ask kube-as-user: kube-as-group: kube-ca-file:!read kube-tls-server-name: kube-insecure-skip-tls-verify
- registry-config:!config repository-cache:!config repository-config:!config
> list ls
  - a|all A|all-namespaces d|date deployed failed f|filter:!text m|max: no-headers offset: o|output:!{json,yaml,table} pending r|reverse l|selector: q|short superseded
  - time-format: uninstalled uninstalling
> status
  - o|output:!{json,yaml,table} revision: show-desc show-resources
  . text
> history hist
  - max: o|output:!{json,yaml,table}
  . text
> get
  >> all values manifest notes hooks metadata
     - a|all o|output:!{json,yaml,table} revision: template:
     . text
> search
  >> repo hub
     - devel l|versions r|regexp version: max-col-width: o|output:!{json,yaml,table} list-repo-url endpoint: fail-on-no-result
     . text*
> show inspect
  >> all chart readme values crds
     - devel version: repo: verify jsonpath:
     . text
> lint
  - strict f|values:!read set: set-string: set-file:!ask set-json: quiet with-subcharts kube-version: skip-schema-validation
  . read*
> template
  - f|values:!read set: set-string: set-json: set-literal: version: repo: s|show-only: include-crds is-upgrade no-hooks skip-tests skip-crds validate g|generate-name
  - a|api-versions: kube-version: name-template: release-name create-namespace dependency-update output-dir:!write+writes devel dry-run:: post-renderer:!run set-file:!ask
  . text read
> version
  - short template: c|client
> env
> dependency dep dependencies
  >> list ls
     - max-col-width:
     . read
> install upgrade rollback uninstall delete del un push test package repo plugin pull fetch registry create verify
  ~ ask

= kustomize
> version
  - short o|output:
> build
  ~ ask

= minikube kind k3d k9s
> version status
  - o|output:
> get
  . text*
> profile
  . {list}
> delete start stop create ssh kubectl addons
  ~ daemon ask

= vagrant
> status global-status version
  . text*
> up ssh provision destroy halt reload
  ~ daemon ask
" examples "
+ docker ps -a
+ docker ps --format '{{.Names}}'
+ docker images
+ docker logs -f --tail 100 web
+ docker inspect web
+ docker version
+ docker compose ps
+ docker compose logs -f web
+ docker compose config
+ docker compose ls
+ docker system df
+ docker-compose logs web
+ kubectl get pods -A -o wide
+ kubectl -n x get po -o json
+ kubectl get deploy -o jsonpath='{.items}'
+ kubectl describe pod x
+ kubectl logs -f deploy/x --tail=100
+ kubectl top pods
+ kubectl config current-context
+ kubectl version --client
+ helm list -A
+ helm template x ./chart -f values.yaml
+ helm lint chart
? docker run -v /:/x alpine
? docker exec web sh
? docker -H unix:///x ps
? docker --host x ps
? docker --config d ps
? docker build .
? docker builder build .
? docker buildx build .
? docker save -o x y
? docker cp a:b c
? docker compose -f x.yaml config
? docker compose up
? docker compose run web sh
? docker container exec web sh
? docker --storage-driver vfs run x
? docker inspect --odd
? kubectl exec x -- id
? kubectl --request-timeout 5s exec x -- id
? kubectl get pods --kubeconfig k.yaml
? kubectl --kubeconfig=k get pods
? kubectl kustomize --enable-helm --helm-command=./x .
? kubectl apply -k dir
? kubectl config set-credentials x --exec-command ./x
? kubectl get po -o go-template-file=x
? kubectl cp a:b c
? kubectl plugin list
? kubectl -s http://e get po
? kubectl config view --raw
? kubectl get po,secrets
? kubectl foo get
? helm template x . --post-renderer ./x
? helm install x .
? helm ls --kubeconfig k
? helm plugin install x
? helm template x . --set-file a=/etc/shadow
";
}
