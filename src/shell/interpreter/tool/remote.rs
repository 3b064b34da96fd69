//! Other machines and repositories: `git`, `ssh`, transfers, containers.

use super::super::program::{instructions, remote_operand};
use super::super::{GUARDED, Operand, Row, Sub, TOOL};
use crate::shell::option::Abbreviation;

pub(super) static ROWS: &[Row] = &[
    Row {
        names: &["ssh", "scp", "slogin", "autossh", "sshfs"],
        spec: "o:!sshopt F:!config S:!run D: J: L: R: W: b: c: e: i: l: m: p: w: E:!write B: O: Q:!stop I:!load P: 1 2 4 6 A a C f G g K k M N n q s T t V!stop v X x Y y r",
        operand: Operand::Each(remote_operand),
        accepts: &[
            "ssh host ls",
            "ssh -p 22 u@host",
            "scp a host:b",
            "ssh -o BatchMode=yes host",
            "ssh -V",
        ],
        refuses: &[
            "ssh -oProxyCommand=x h",
            "ssh -o 'ProxyCommand x' h",
            "ssh -o LocalCommand=x -o PermitLocalCommand=yes h",
            "scp -S x a b:c",
            "ssh -F f h",
            "ssh -I lib h",
            "ssh -Zo ProxyCommand=x h",
            "scp -o ProxyCommand=x a b:",
            "ssh -o KnownHostsCommand=x h",
        ],
        ..GUARDED
    },
    // `!` runs a command on this machine.
    Row {
        names: &["sftp", "ftp", "lftp", "telnet", "ncftp", "tnftp"],
        spec: "o:!sshopt F:!config S:!run D:!run b:!load c:!code e:!code f:!load s:!run B: i: J: l: P: R: X: 1 2 4 6 a A C N p q r v V!stop",
        operand: Operand::Each(remote_operand),
        input: true,
        accepts: &["sftp host", "ftp -v host"],
        refuses: &[
            "sftp -S x h",
            "sftp -b f h",
            "sftp -qb f h",
            "lftp -c x",
            "lftp -e x h",
            "sftp -D x",
            "sftp -oProxyCommand=x h",
        ],
        ..GUARDED
    },
    Row {
        names: &["sshpass", "mosh"],
        spec: "ssh:!run server:!run client:!run f: p: d: P: e v V!stop version!stop",
        operand: Operand::Each(instructions),
        accepts: &["mosh --version", "sshpass -V"],
        refuses: &["sshpass -p x ssh h", "mosh --ssh=x h", "mosh h"],
        ..GUARDED
    },
    Row {
        names: &["rsync"],
        spec: "e:|rsh:!run rsync-path:!run files-from:!config include-from:!config exclude-from:!config config:!config daemon!run \
               password-file:!config early-input:!config write-batch:!write log-file:!write remove-source-files!write delete!write delete-after!write delete-before!write delete-during!write del!write delete-excluded!write \
               a v z r n u l p t g o D H A X x c q P h 0 i partial-dir: exclude: include: T: temp-dir: B: f: M:",
        accepts: &["rsync -av a/ b/", "rsync -n a b", "rsync -avz --exclude=x a b"],
        refuses: &[
            "rsync -e x a b",
            "rsync -ae x a b",
            "rsync --rsh=x a b",
            "rsync --rsync-path=x a b",
            "rsync --daemon",
            "rsync -a --delete a b",
            "rsync --rs=x a b",
        ],
        ..GUARDED
    },
    Row {
        names: &[
            "docker",
            "podman",
            "nerdctl",
            "buildah",
            "ctr",
            "docker-compose",
            "podman-compose",
            "crictl",
        ],
        spec: "H:!config host:!config c:!config context:!config config:!config D debug l: log-level: tls tlscacert: tlscert: tlskey: v!stop version!stop f:!config file:!config p: project-name: project-directory:!config profile: env-file:!config",
        abbreviation: Abbreviation::None,
        operand: Operand::Sub(&[Sub {
            names: "run exec create cp commit load import plugin swarm service stack secret config node buildx build compose up kube machine unshare system volume mount container image",
            effect: "run",
            spec: "",
        }]),
        accepts: &[
            "docker ps",
            "docker images",
            "docker logs x",
            "docker pull x",
            "docker --version",
            "docker inspect x",
        ],
        refuses: &[
            "docker run --rm -v /:/host alpine sh",
            "docker exec x sh",
            "docker -H tcp://x ps",
            "docker build .",
            "docker cp a b",
            "podman unshare x",
            "docker compose up",
            "docker --config d ps",
        ],
        ..GUARDED
    },
    Row {
        names: &["kubectl", "oc", "helm", "k9s", "minikube", "kustomize"],
        spec: "kubeconfig:!config n: namespace: context: s:!config server:!config cluster: user: as: token: v: plugin-dir:!load post-renderer:!run",
        abbreviation: Abbreviation::None,
        operand: Operand::Sub(&[
            Sub {
                names: "exec run debug cp attach edit plugin proxy port-forward krew ssh",
                effect: "run",
                spec: "",
            },
            Sub {
                names: "apply create replace patch delete install upgrade template",
                effect: "",
                spec: "post-renderer:!run kubeconfig:!config",
            },
        ]),
        accepts: &["kubectl get pods", "kubectl -n x logs y", "helm list"],
        refuses: &[
            "kubectl exec x -- sh",
            "kubectl --kubeconfig f get pods",
            "kubectl run x --image y",
            "helm install --post-renderer x y z",
            "kubectl edit x",
        ],
        ..GUARDED
    },
    Row {
        names: &["curl"],
        spec: "K:|config:!config o:|output:!write O|remote-name!write output-dir:!write remote-name-all!write D:|dump-header:!write c:|cookie-jar:!write trace:!write trace-ascii:!write stderr:!write \
               T:|upload-file:!config libcurl:!write etag-save:!write hsts:!write alt-svc:!write engine:!load proxy: A: d: H: X: e: u: x: b: F: m: w: r: E: y: Y: z: C: t: \
               data: header: request: user: url: data-binary: data-raw: form: retry: max-time: connect-timeout: s S L f i I v k g G j l n N p q R J # a B 0 1 2 3 4 6",
        accepts: &["curl -s http://x", "curl -sSL -H 'A: b' http://x", "curl -d x http://y"],
        refuses: &[
            "curl -sK f",
            "curl -o f http://x",
            "curl --config f",
            "curl -sO http://x",
            "curl --conf f",
            "curl -T f http://x",
            "curl -D f http://x",
            "curl --engine ./x http://y",
        ],
        ..TOOL
    },
    Row {
        names: &["wget"],
        spec: "use-askpass:!run e:|execute:!config config:!config i:|input-file:!config O:|output-document:!write P:|directory-prefix:!write o:|output-file:!write a:|append-output:!write post-file:!config body-file:!config rejected-log:!write save-cookies:!write q t: T: U: Q: A: R: D: I: X: B: l: w:",
        accepts: &["wget -q http://x", "wget --spider http://x"],
        refuses: &[
            "wget --use-askpass=x http://y",
            "wget -O f http://x",
            "wget -qO- --use-ask=x http://y",
            "wget -e x=y http://z",
            "wget -P d http://x",
            "wget --post-file=f http://x",
        ],
        ..TOOL
    },
];
