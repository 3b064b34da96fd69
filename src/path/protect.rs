//! Names that are read-only to every tool: what they hold is run or obeyed by other programs.

use std::path::{Component, Path};

/// One kind of protected name. All comparisons are on folded names (see [`fold`]).
enum Kind {
    /// A component with this name, and everything below it.
    Tree(&'static str),
    /// A component that begins so, and everything below it.
    TreePrefix(&'static str),
    /// A file with this name, in any directory.
    File(&'static str),
    /// A file whose name ends so.
    Suffix(&'static str),
    /// A file of this name directly below a directory of that name.
    Below(&'static str, &'static str),
}

/// The table. A row costs a look at each write; keep it to what makes a later program run something.
const TABLE: &[Kind] = &[
    Kind::Tree(".git"),
    Kind::Tree("git~1"),
    Kind::Tree(".hg"),
    Kind::TreePrefix(".toolctl"),
    Kind::File(".mcp.json"),
    Kind::File(".envrc"),
    Kind::Tree(".idea"),
    Kind::Tree(".devcontainer"),
    Kind::File(".devcontainer.json"),
    Kind::Below(".vscode", "tasks.json"),
    Kind::Below(".vscode", "settings.json"),
    Kind::Below(".vscode", "launch.json"),
    Kind::Below(".vscode", "mcp.json"),
    Kind::Suffix(".code-workspace"),
    Kind::Suffix(".sublime-project"),
    Kind::Below(".zed", "tasks.json"),
    Kind::Below(".zed", "settings.json"),
    Kind::Below(".zed", "debug.json"),
    Kind::Tree(".fleet"),
    Kind::Below(".cursor", "mcp.json"),
    Kind::Below(".cursor", "hooks.json"),
    Kind::Below(".claude", "settings.json"),
    Kind::Below(".claude", "settings.local.json"),
    Kind::Below(".gemini", "settings.json"),
    Kind::Below(".codex", "config.toml"),
    Kind::File(".exrc"),
    Kind::File(".nvimrc"),
    Kind::File(".nvim.lua"),
    Kind::File(".vimrc"),
    Kind::File(".dir-locals.el"),
    Kind::Tree(".ssh"),
    Kind::Tree(".gnupg"),
    Kind::Tree(".husky"),
    Kind::Tree(".claude"),
    Kind::File(".bashrc"),
    Kind::File(".bash_profile"),
    Kind::File(".bash_login"),
    Kind::File(".bash_logout"),
    Kind::File(".bash_aliases"),
    Kind::File(".profile"),
    Kind::File(".zshrc"),
    Kind::File(".zshenv"),
    Kind::File(".zprofile"),
    Kind::File(".zlogin"),
    Kind::File(".zlogout"),
    Kind::File(".kshrc"),
    Kind::File(".cshrc"),
    Kind::File(".tcshrc"),
    Kind::File(".login"),
    Kind::File(".inputrc"),
    Kind::File(".pam_environment"),
    Kind::File(".xprofile"),
    Kind::File(".xinitrc"),
    Kind::File(".xsession"),
    Kind::File(".xsessionrc"),
    Kind::File(".emacs"),
    Kind::File(".emacs.el"),
    Kind::Below(".emacs.d", "init.el"),
    Kind::File(".gvimrc"),
    Kind::File(".ideavimrc"),
    Kind::Tree(".vim"),
    Kind::File(".gdbinit"),
    Kind::File(".lldbinit"),
    Kind::File(".gitconfig"),
    Kind::File(".git-credentials"),
    Kind::File(".npmrc"),
    Kind::File(".yarnrc"),
    Kind::File(".yarnrc.yml"),
    Kind::File(".pnpmfile.cjs"),
    Kind::File(".pypirc"),
    Kind::File(".pythonrc"),
    Kind::File(".pythonrc.py"),
    Kind::File(".condarc"),
    Kind::File(".gemrc"),
    Kind::File(".irbrc"),
    Kind::File(".rprofile"),
    Kind::File(".tmux.conf"),
    Kind::File(".screenrc"),
    Kind::File("sitecustomize.py"),
    Kind::File("usercustomize.py"),
    Kind::Below(".pip", "pip.conf"),
    Kind::Below(".bundle", "config"),
    Kind::Below(".docker", "config.json"),
    Kind::Below(".kube", "config"),
    Kind::Below(".local", "bin"),
    Kind::Below(".config", "autostart"),
    Kind::Below(".config", "environment.d"),
    Kind::Below(".config", "systemd"),
    Kind::Below(".config", "fish"),
    Kind::Below(".config", "git"),
    Kind::Below(".config", "nvim"),
    Kind::Below(".config", "vim"),
    Kind::Below(".config", "pip"),
    Kind::Below(".config", "tmux"),
    Kind::Below(".config", "toolctl"),
    Kind::Below(".config", "containers"),
    Kind::Below(".cargo", "config"),
    Kind::Below(".cargo", "config.toml"),
];

/// The protected name that a path inside some tree touches, if any. `relative` is the real name, without links.
pub fn protected_name(relative: &Path) -> Option<&'static str> {
    let names: Vec<String> = relative
        .components()
        .filter_map(|c| match c {
            Component::Normal(name) => Some(fold(&name.to_string_lossy())),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        })
        .collect();
    TABLE.iter().find_map(|kind| kind.hits(&names))
}

impl Kind {
    fn hits(&self, names: &[String]) -> Option<&'static str> {
        match *self {
            Self::Tree(name) => names.iter().any(|n| n == name).then_some(name),
            Self::TreePrefix(prefix) => names.iter().any(|n| n.starts_with(prefix)).then_some(prefix),
            Self::File(name) => names.last().is_some_and(|n| n == name).then_some(name),
            Self::Suffix(suffix) => names.last().is_some_and(|n| n.ends_with(suffix)).then_some(suffix),
            // Anything below the file's name counts too.
            Self::Below(dir, file) => names
                .windows(2)
                .any(|pair| matches!(pair, [d, f] if d == dir && f == file))
                .then_some(file),
        }
    }
}

/// The form under which file systems that ignore case, invisible characters or trailing dots would find the name.
fn fold(name: &str) -> String {
    let folded: String = name
        .chars()
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}'))
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            '\u{17f}' => 's',
            '\u{212a}' => 'k',
            c => c,
        })
        .collect();
    folded
        .split(':')
        .next()
        .unwrap_or_default()
        .trim_end_matches(['.', ' '])
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(path: &str) -> bool {
        protected_name(Path::new(path)).is_some()
    }

    #[test]
    fn what_runs_later_is_protected() {
        for path in [
            ".git",
            ".git/config",
            ".GIT/hooks/pre-commit",
            "sub/.git/HEAD",
            ".g\u{200c}it/config",
            ".git./config",
            "GIT~1/config",
            ".git:x/config",
            ".toolctl.yaml",
            ".toolctl/x",
            ".Toolctl-local.yaml",
            ".mcp.json",
            "a/.mcp.json",
            ".envrc",
            ".vscode/tasks.json",
            ".VSCode/Settings.json",
            "a/.vscode/launch.json",
            ".idea/runConfigurations/x.xml",
            "x.code-workspace",
            ".cargo/config.toml",
            ".claude/settings.json",
            ".zed/tasks.json",
            ".bashrc",
            "home/me/.zshrc",
            ".ssh/authorized_keys",
            ".gitconfig",
            ".config/autostart/x.desktop",
            ".config/fish/conf.d/x.fish",
            ".husky/pre-commit",
            ".yarnrc.yml",
            ".npmrc",
            ".gdbinit",
            ".claude/hooks/guard.sh",
            ".local/bin/git",
        ] {
            assert!(hit(path), "{path}");
        }
    }

    #[test]
    fn what_only_looks_like_it_is_not() {
        for path in [
            "git",
            ".gitignore",
            ".gitattributes",
            ".github/workflows/ci.yml",
            "git/config",
            "toolctl.yaml",
            "mcp.json",
            "settings.json",
            ".vscode/extensions.json",
            "vscode/tasks.json",
            ".cargo/audit.toml",
            "src/.git.rs",
            "envrc",
            "...",
        ] {
            assert!(!hit(path), "{path}");
        }
    }
}
