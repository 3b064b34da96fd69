//! A container of a pod over the system's own `kubectl`: its configuration and its logins are the user's. No shell stands
//! between: the container is given exactly the words of [`Pod::args`].

use super::ssh::last_words;
use crate::cluster::Kubectl;
use crate::gate::Unreached;
use crate::model::Code;
use std::ffi::OsString;

/// How a container is reached.
#[derive(Debug)]
pub struct Pod {
    /// The client.
    pub kubectl: Kubectl,
    /// `pod`
    pub name: String,
    /// `container`
    pub container: Option<String>,
}

impl Pod {
    /// The arguments of a client that has a shell in the container read a text of it.
    pub(super) fn args(&self, text: &str) -> Vec<OsString> {
        let at = format!("pod/{}", self.name);
        self.kubectl.exec(&at, self.container.as_deref(), false, text)
    }

    /// Why nothing could be run, out of what the client has said.
    pub(super) fn fault(&self, name: &str, said: &str) -> Unreached {
        Unreached {
            code: Code::NodeUnreachable,
            reason: format!(
                "the node `{name}` (pod `{}`) cannot be reached; nothing was run there: {}",
                self.name,
                last_words(said)
            ),
        }
    }
}
