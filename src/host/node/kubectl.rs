//! A container of a pod over the system's own `kubectl`: its configuration and its logins are the user's. No shell stands
//! between: the container is given exactly the words of [`Kubectl::args`].

use super::ssh::last_words;
use crate::gate::Unreached;
use crate::model::Code;
use std::ffi::OsString;
use std::path::PathBuf;

/// How a container is reached.
#[derive(Debug)]
pub struct Kubectl {
    /// The client.
    pub client: PathBuf,
    /// What the client finds in its environment.
    pub env: Vec<(OsString, OsString)>,
    /// `context`
    pub context: Option<String>,
    /// `namespace`
    pub namespace: Option<String>,
    /// `pod`
    pub pod: String,
    /// `container`
    pub container: Option<String>,
}

impl Kubectl {
    /// The arguments of a client that has a shell in the container read a text of it.
    pub(super) fn args(&self, text: &str) -> Vec<OsString> {
        let mut args: Vec<OsString> = Vec::new();
        for (name, value) in [("context", &self.context), ("namespace", &self.namespace)] {
            args.extend(value.iter().map(|value| format!("--{name}={value}").into()));
        }
        args.extend(["exec", "--stdin", "--quiet"].map(OsString::from));
        args.extend(self.container.iter().map(|value| format!("--container={value}").into()));
        args.push(format!("pod/{}", self.pod).into());
        args.extend(["--", "/bin/sh", "-c", text].map(OsString::from));
        args
    }

    /// Why nothing could be run, out of what the client has said.
    pub(super) fn fault(&self, name: &str, said: &str) -> Unreached {
        Unreached {
            code: Code::NodeUnreachable,
            reason: format!(
                "the node `{name}` (pod `{}`) cannot be reached; nothing was run there: {}",
                self.pod,
                last_words(said)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_its_own_and_no_name_is_an_option() {
        let mut kubectl = Kubectl {
            client: "/usr/bin/kubectl".into(),
            env: Vec::new(),
            context: Some("a b".to_owned()),
            namespace: Some("n".to_owned()),
            pod: "--all".to_owned(),
            container: Some("c".to_owned()),
        };
        let text = "eval \"$(head -c 3)\"";
        let expected = [
            "--context=a b",
            "--namespace=n",
            "exec",
            "--stdin",
            "--quiet",
            "--container=c",
            "pod/--all",
            "--",
            "/bin/sh",
            "-c",
            text,
        ];
        assert_eq!(kubectl.args(text), expected);
        (kubectl.context, kubectl.namespace, kubectl.container) = (None, None, None);
        assert_eq!(
            kubectl.args("x"),
            ["exec", "--stdin", "--quiet", "pod/--all", "--", "/bin/sh", "-c", "x"]
        );
        let fault = kubectl.fault("web", "E1 loud\nError from server (NotFound): pods \"x\" not found\n");
        assert!(fault.reason.contains("NotFound") && fault.reason.contains("nothing was run there"));
    }
}
