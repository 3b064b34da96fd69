//! The settings of `web_fetch`.

use super::NameList;
use crate::model::Sourced;

/// `tools.web.fetch`, only what is written.
#[derive(Debug, Clone, Default)]
pub struct FetchSettings {
    /// `allowHosts`
    pub allow_hosts: Option<NameList>,
    /// `denyHosts`
    pub deny_hosts: Option<NameList>,
    /// `allowPrivate`
    pub allow_private: Option<Sourced<bool>>,
    /// `maxBytes`
    pub max_bytes: Option<Sourced<u64>>,
    /// `maxRedirects`
    pub max_redirects: Option<Sourced<u64>>,
    /// `timeoutSec`
    pub timeout_sec: Option<Sourced<u64>>,
    /// `cacheMin`
    pub cache_min: Option<Sourced<u64>>,
}
