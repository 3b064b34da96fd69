//! The registries that a project takes packages from: those of its kinds, and those that its files and its user's settings
//! name.

use super::Project;
use super::kinds::{Ecosystem, KINDS};

/// Most hosts that are listed.
const MOST_HOSTS: usize = 10;

/// A host that contained commands are to reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Host {
    /// As an entry of `network.allow`: a name or an address, with a port where it is not the usual one.
    pub(super) entry: String,
    /// Who names it; nobody where it is the registry of an ecosystem.
    pub(super) by: Option<String>,
}

/// The hosts of a project, each once.
pub(super) fn registries(project: &Project<'_>) -> Vec<Host> {
    let mut hosts: Vec<Host> = Vec::new();
    let mut add = |entry: String, by: Option<String>| {
        if hosts.len() < MOST_HOSTS && !hosts.iter().any(|known| known.entry == entry) {
            hosts.push(Host { entry, by });
        }
    };
    let directories: Vec<String> = std::iter::once(String::new())
        .chain(project.below.iter().map(|directory| format!("{directory}/")))
        .collect();
    let mut found: Vec<&Ecosystem> = Vec::new();
    for directory in &directories {
        let here = |name: &str| (project.look)(&format!("{directory}{name}")).is_some();
        let kinds = KINDS.iter().filter(|kind| here(kind.marker));
        for ecosystem in kinds.filter_map(|kind| kind.packages) {
            if !found.iter().any(|known| std::ptr::eq(*known, ecosystem)) {
                found.push(ecosystem);
            }
        }
    }
    // What a registry's name stands for counts only where the person or this program chose the name, not the project.
    let mut internal: Vec<(String, String)> = Vec::new();
    let mut chosen = |entry: String, by: Option<&str>| {
        let addresses = (project.internal)(&entry).into_iter();
        internal.extend(addresses.map(|address| (address, format!("the address of {entry} here"))));
        add(entry, by.map(str::to_owned));
    };
    for ecosystem in &found {
        ecosystem
            .registries
            .iter()
            .for_each(|host| chosen((*host).to_owned(), None));
        for (file, keys) in ecosystem.settings {
            let text = (project.settings)(file).unwrap_or_default();
            named(&text, keys).for_each(|host| chosen(host, Some(file)));
        }
        for variable in ecosystem.variables {
            let text = (project.settings)(&format!("${variable}")).unwrap_or_default();
            let addresses = text.split([' ', ',', '|']);
            addresses
                .filter_map(host_of)
                .for_each(|host| chosen(host, Some(variable)));
        }
    }
    for (address, why) in internal {
        add(address, Some(why));
    }
    for directory in &directories {
        for (file, keys) in found.iter().flat_map(|ecosystem| ecosystem.files) {
            let name = format!("{directory}{file}");
            let text = (project.look)(&name).unwrap_or_default();
            named(&text, keys).for_each(|host| add(host, Some(name.clone())));
        }
    }
    hosts
}

/// By which a lock file still names the index of crates.io; packages come from elsewhere.
const FORMER_INDEX: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The hosts of the addresses that stand as values of these keys. In any of the formats the key is the last word before the
/// address; comments are no values.
fn named<'t>(text: &'t str, keys: &'t [&'t str]) -> impl Iterator<Item = String> + 't {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with(['#', ';']));
    lines.flat_map(|line| {
        line.match_indices("://").filter_map(|(at, _)| {
            let before = line.get(..at)?;
            // `sparse+https`, `git+ssh`: the scheme is the whole word.
            let scheme = before
                .rfind(|c: char| !c.is_ascii_alphanumeric() && c != '+')
                .map_or(0, |found| found + 1);
            let key = before
                .get(..scheme)?
                .trim_end_matches(|c: char| " \t\"'=:[>".contains(c));
            let word = key.rsplit(|c: char| " \t\"',{}<.:".contains(c)).next()?;
            let address = line.get(scheme..)?;
            let named = keys.contains(&word) && !address.starts_with(FORMER_INDEX);
            named.then(|| host_of(address))?
        })
    })
}

/// The host of an address of the web, with its port where that is not a usual one.
fn host_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    if !matches!(scheme.rsplit('+').next(), Some("https" | "http")) {
        return None;
    }
    let authority = rest.split(|c: char| "/?#\"' \t<>,;)|".contains(c)).next()?;
    let host = authority.rsplit('@').next()?.to_ascii_lowercase();
    let (name, port) = host
        .split_once(':')
        .map_or((host.as_str(), None), |(name, port)| (name, Some(port)));
    let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b));
    // A name of one word, or this machine itself, is no registry that others share.
    let name = name.trim_end_matches('.');
    if !plain || !name.contains('.') || name.starts_with("127.") {
        return None;
    }
    match port {
        None | Some("80" | "443") => Some(name.to_owned()),
        Some(port) => port.parse::<u16>().ok().map(|port| format!("{name}:{port}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_the_user_and_lock_files_name_hosts_and_say_who_does() {
        let files = |name: &str| match name {
            "package.json" => Some("{}".to_owned()),
            "package-lock.json" => Some("\"resolved\": \"https://codeload.example/x\"".to_owned()),
            _ => None,
        };
        let settings = |name: &str| match name {
            "~/.npmrc" => Some("registry=https://npm.corp.example/".to_owned()),
            // Of an ecosystem that this project is not of.
            "/etc/pip.conf" => Some("index-url = https://pypi.corp.example/".to_owned()),
            "$NPM_CONFIG_REGISTRY" => Some("http://other.example:81/".to_owned()),
            _ => None,
        };
        let internal = |host: &str| match host {
            "npm.corp.example" => vec!["10.0.0.5:443".to_owned()],
            // What only a project names is not reached in a private network.
            "codeload.example" => vec!["10.0.0.6:443".to_owned()],
            _ => Vec::new(),
        };
        let project = Project {
            look: &files,
            below: Vec::new(),
            settings: &settings,
            internal: &internal,
            containment: Ok(()),
        };
        let hosts = registries(&project);
        let hosts: Vec<(&str, Option<&str>)> = hosts.iter().map(|host| (&*host.entry, host.by.as_deref())).collect();
        let expected = [
            ("registry.npmjs.org", None),
            ("npm.corp.example", Some("~/.npmrc")),
            ("other.example:81", Some("NPM_CONFIG_REGISTRY")),
            ("10.0.0.5:443", Some("the address of npm.corp.example here")),
            ("codeload.example", Some("package-lock.json")),
        ];
        assert_eq!(hosts, expected);
    }

    fn all(text: &str, keys: &[&str]) -> Vec<String> {
        named(text, keys).collect()
    }

    #[test]
    fn addresses_count_as_values_of_their_keys() {
        let lock = r#"  "resolved": "https://npm.corp.example/ms/-/ms-2.tgz", "funding": {"url": "https://opencollective.com/x"}"#;
        assert_eq!(all(lock, &["resolved"]), ["npm.corp.example"]);
        assert_eq!(
            all("@corp:registry=https://u:p@npm.corp.example:8443/x/\n", &["registry"]),
            ["npm.corp.example:8443"]
        );
        assert_eq!(
            all(
                "#registry=https://a.example\n; registry=https://b.example",
                &["registry"]
            ),
            [""; 0]
        );
        assert_eq!(
            all("index = \"sparse+https://crates.corp.example/i/\"", &["index"]),
            ["crates.corp.example"]
        );
        assert_eq!(
            all(
                "--index-url https://pypi.corp.example/simple\n# https://c.example",
                &["--index-url"]
            ),
            ["pypi.corp.example"]
        );
        assert_eq!(
            all("pkg @ https://files.corp.example/p.whl", &["@"]),
            ["files.corp.example"]
        );
        assert_eq!(
            all("<url>https://maven.corp.example/x</url>", &["url"]),
            ["maven.corp.example"]
        );
        assert_eq!(
            all("url = [\"https://one.example/\", \"https://two.example/\"]", &["url"]),
            ["one.example"]
        );
    }

    #[test]
    fn what_is_no_host_of_the_web_is_not_listed() {
        for address in [
            "ssh://git@git.corp.example/x",
            "https://localhost:4873/",
            "https://127.0.0.1:4873/",
            "file:///srv/x",
            "https://${HOST}/",
            "https://",
            "https://a..:0x/",
        ] {
            assert_eq!(host_of(address), None, "{address}");
        }
        assert_eq!(host_of("https://A.Example:443/x").as_deref(), Some("a.example"));
        assert_eq!(
            host_of("git+https://github.com/x/y#main").as_deref(),
            Some("github.com")
        );
    }
}
