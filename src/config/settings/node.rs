//! The settings of other machines: `nodes`.

use crate::model::Sourced;
use std::path::PathBuf;

/// `nodes.<name>`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSettings {
    /// Its name.
    pub name: Sourced<String>,
    /// `ssh`
    pub ssh: Option<SshSettings>,
    /// `kubectl`
    pub kubectl: Option<KubectlSettings>,
    /// `path`; empty = the usual directories.
    pub path: Vec<String>,
    /// `workdir`; none = the home directory there.
    pub workdir: Option<String>,
}

/// `nodes.<name>.ssh`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SshSettings {
    /// `host`
    pub host: String,
    /// `port`
    pub port: Option<u64>,
    /// `user`
    pub user: Option<String>,
    /// `identityFile`, absolute.
    pub identity_file: Option<PathBuf>,
    /// `knownHostsFile`, absolute.
    pub known_hosts_file: Option<PathBuf>,
}

/// `nodes.<name>.kubectl`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubectlSettings {
    /// `context`
    pub context: Option<String>,
    /// `namespace`
    pub namespace: Option<String>,
    /// `pod`
    pub pod: String,
    /// `container`
    pub container: Option<String>,
}
