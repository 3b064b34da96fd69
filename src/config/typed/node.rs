//! `nodes`.

use super::Reader;
use super::read::texts;
use crate::config::node::Node;
use crate::config::{KubectlSettings, NodeSettings, SshSettings};
use crate::model::Sourced;

pub(super) fn nodes(reader: &Reader<'_>, map: &Node) -> Vec<NodeSettings> {
    let node = map.entries().iter().map(|e| NodeSettings {
        name: Sourced::new(e.key.clone(), reader.files.origin(e.place)),
        ssh: e.value.get("ssh").and_then(|ssh| self::ssh(reader, ssh)),
        kubectl: e
            .value
            .get("kubectl")
            .and_then(|kubectl| self::kubectl(reader, kubectl)),
        path: texts(&e.value, "path"),
        workdir: reader.text(&e.value, "workdir").map(|dir| dir.value),
    });
    node.collect()
}

fn ssh(reader: &Reader<'_>, map: &Node) -> Option<SshSettings> {
    Some(SshSettings {
        host: reader.text(map, "host")?.value,
        port: reader.whole(map, "port").map(|port| port.value),
        user: reader.text(map, "user").map(|user| user.value),
        identity_file: reader.path(map, "identityFile").map(|path| path.value),
        known_hosts_file: reader.path(map, "knownHostsFile").map(|path| path.value),
    })
}

fn kubectl(reader: &Reader<'_>, map: &Node) -> Option<KubectlSettings> {
    let text = |key| reader.text(map, key).map(|text| text.value);
    Some(KubectlSettings {
        context: text("context"),
        namespace: text("namespace"),
        pod: text("pod")?,
        container: text("container"),
    })
}
