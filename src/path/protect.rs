//! Names that are read-only to every tool: what they hold is run or obeyed by other programs.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};
use std::sync::LazyLock;

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
    /// A name directly below a directory of that name, which may have several parts, and everything below it.
    Below(&'static str, &'static str),
}

/// The table. A row costs a look at each write; keep it to what makes a later program run something.
///
/// What belongs here is obeyed by a program as soon as a person starts it in that directory, or opens that directory, for
/// another purpose. What a project consists of does not, though it runs too: manifests, build and test files, settings of
/// linters, `.pre-commit-config.yaml` and its like are what agents are asked to edit every day, they are tracked and
/// reviewed as the rest of the project, and they run when a person builds, tests or commits that project, as all of its code
/// does. Nor do texts that only instruct other agents.
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
    // Shells, and what enters directories on its own.
    Kind::File(".autoenv"),
    Kind::File(".autoenv.zsh"),
    Kind::File(".autoenv_leave.zsh"),
    Kind::File(".mise.toml"),
    Kind::File(".mise.local.toml"),
    Kind::File("mise.toml"),
    Kind::File("mise.local.toml"),
    Kind::Below(".mise", "config.toml"),
    Kind::Below(".config", "mise"),
    Kind::Below(".config", "mise.toml"),
    Kind::File(".rvmrc"),
    Kind::File(".shrc"),
    Kind::File(".mkshrc"),
    Kind::File(".yashrc"),
    Kind::File(".xonshrc"),
    Kind::Below(".config", "nushell"),
    Kind::Below(".config", "elvish"),
    Kind::Below(".config", "zsh"),
    // Debuggers and read-eval-print loops.
    Kind::File(".pdbrc"),
    Kind::File(".pdbrc.py"),
    Kind::File(".pryrc"),
    Kind::File(".ghci"),
    Kind::File(".ghcid"),
    Kind::File(".iex.exs"),
    Kind::File(".erlang"),
    Kind::File(".ocamlinit"),
    Kind::File(".merlin"),
    Kind::File(".renviron"),
    Kind::File(".rdata"),
    Kind::File(".octaverc"),
    Kind::File(".perldb"),
    Kind::File(".jdbrc"),
    Kind::File(".phpdbginit"),
    Kind::File(".psysh.php"),
    Kind::File(".byebugrc"),
    Kind::File(".rdbgrc"),
    Kind::File(".rdbgrc.rb"),
    Kind::File(".railsrc"),
    Kind::File(".gdbearlyinit"),
    Kind::File(".dbxrc"),
    Kind::File(".bashdbinit"),
    Kind::File(".swiplrc"),
    Kind::File(".sbclrc"),
    Kind::File(".tclshrc"),
    Kind::File(".wishrc"),
    Kind::File(".psqlrc"),
    Kind::File(".sqliterc"),
    Kind::File(".user.ini"),
    Kind::Below(".ipython", "profile_default"),
    Kind::File("ipython_config.py"),
    Kind::File("jupyter_config.py"),
    Kind::File("jupyter_lab_config.py"),
    Kind::File("jupyter_notebook_config.py"),
    Kind::File("jupyter_server_config.py"),
    Kind::Below(".ammonite", "predef.sc"),
    Kind::Below(".julia/config", "startup.jl"),
    // Editors.
    Kind::Tree(".helix"),
    Kind::File(".dir-locals-2.el"),
    Kind::Below(".emacs.d", "early-init.el"),
    Kind::File(".spacemacs"),
    Kind::Tree(".doom.d"),
    Kind::File(".lvimrc"),
    Kind::Tree(".theia"),
    Kind::Suffix(".run.xml"),
    Kind::Tree(".nova"),
    Kind::Tree(".externaltoolbuilders"),
    Kind::Below(".vs", "tasks.vs.json"),
    Kind::Below(".vs", "launch.vs.json"),
    Kind::Below(".vscode", "c_cpp_properties.json"),
    Kind::Below(".vscode", "cmake-kits.json"),
    Kind::Below(".lapce", "run.toml"),
    Kind::Below(".lapce", "settings.toml"),
    Kind::Below(".codesandbox", "tasks.json"),
    Kind::File(".gitpod.yml"),
    Kind::File(".gitpod.yaml"),
    Kind::File(".stackblitzrc"),
    Kind::Tree(".idx"),
    Kind::Below(".config", "helix"),
    Kind::Below(".config", "kak"),
    Kind::Below(".config", "emacs"),
    Kind::Below(".config", "zed"),
    // Agents.
    Kind::File(".aider.conf.yml"),
    Kind::File("opencode.json"),
    Kind::File("opencode.jsonc"),
    Kind::Tree(".opencode"),
    Kind::File("crush.json"),
    Kind::File(".crush.json"),
    Kind::Tree(".openclaw"),
    Kind::Below(".cursor", "cli.json"),
    Kind::Below(".cursor", "environment.json"),
    Kind::Below(".cursor", "worktrees.json"),
    Kind::Below(".cursor", "hooks"),
    Kind::Below(".codex", "hooks.json"),
    Kind::Below(".codex", "rules"),
    Kind::Below(".gemini", "extensions"),
    Kind::Below(".gemini", "hooks"),
    Kind::Below(".windsurf", "hooks.json"),
    Kind::Below(".continue", "config.yaml"),
    Kind::Below(".continue", "config.json"),
    Kind::Below(".continue", "config.ts"),
    Kind::Below(".continue", "mcpservers"),
    Kind::Below(".roo", "mcp.json"),
    Kind::Below(".kilocode", "mcp.json"),
    Kind::Below(".clinerules", "hooks"),
    Kind::Below(".amazonq", "mcp.json"),
    Kind::Below(".amazonq", "cli-agents"),
    Kind::Below(".kiro", "hooks"),
    Kind::Below(".kiro", "settings"),
    Kind::Below(".qwen", "settings.json"),
    Kind::Below(".factory", "mcp.json"),
    Kind::Below(".factory", "hooks"),
    Kind::Below(".factory", "settings.json"),
    Kind::Below(".trae", "mcp.json"),
    Kind::Below(".junie", "mcp"),
    Kind::Below(".amp", "settings.json"),
    Kind::Below(".openhands", "setup.sh"),
    Kind::Below(".openhands", "pre-commit.sh"),
    Kind::Below(".openhands", "hooks.json"),
    Kind::Below(".github", "hooks"),
    Kind::Below(".augment", "settings.json"),
    // Other version control.
    Kind::Below(".jj/repo", "config.toml"),
    Kind::Below(".pijul", "config"),
    Kind::Below("_darcs/prefs", "defaults"),
    Kind::File(".hgrc"),
    Kind::File(".arcconfig"),
    Kind::File(".huskyrc"),
    // Package managers, and what downloads and sends.
    Kind::File(".pnpmfile.mjs"),
    Kind::Below(".yarn", "releases"),
    Kind::Below(".yarn", "plugins"),
    Kind::File(".bunfig.toml"),
    Kind::File(".terraformrc"),
    Kind::File(".ansible.cfg"),
    Kind::File(".curlrc"),
    Kind::File(".wgetrc"),
    Kind::File(".netrc"),
    Kind::File(".rhosts"),
    Kind::File(".forward"),
    Kind::File(".procmailrc"),
    Kind::File(".mailrc"),
    Kind::File(".lesskey"),
];

/// Names of the table that do not begin with a dot, in lower case: whole ones, and ends.
static UNDOTTED: LazyLock<(Vec<&str>, Vec<&str>)> = LazyLock::new(|| {
    let (mut whole, mut ends) = (Vec::new(), Vec::new());
    for kind in TABLE {
        match *kind {
            Kind::Suffix(end) => ends.push(end),
            Kind::Tree(name) | Kind::TreePrefix(name) | Kind::File(name) => whole.push(name),
            // Whatever lies below such a directory is looked at.
            Kind::Below(directory, _) => whole.extend(directory.split('/').next()),
        }
    }
    whole.retain(|name| !name.starts_with('.'));
    (whole, ends)
});

/// The protected name that a path inside some tree touches, if any. `relative` is the real name, without links.
pub fn protected_name(relative: &Path) -> Option<&'static str> {
    let names = folded(relative);
    TABLE.iter().find_map(|kind| kind.hits(&names))
}

/// Whether a path names a directory in which some name is protected that is not elsewhere.
pub fn may_hold_protected(relative: &Path) -> bool {
    let names = folded(relative);
    let ends_so = |parts: &[&str]| {
        let end = names.len().checked_sub(parts.len()).and_then(|from| names.get(from..));
        end.is_some_and(|end| end == parts)
    };
    TABLE.iter().any(|kind| match kind {
        Kind::Below(directory, _) => {
            let parts: Vec<&str> = directory.split('/').collect();
            (1..=parts.len()).any(|count| parts.get(..count).is_some_and(ends_so))
        }
        Kind::Tree(_) | Kind::TreePrefix(_) | Kind::File(_) | Kind::Suffix(_) => false,
    })
}

/// Whether one name may be, or hold, one that is protected; cheap, and never no where it is. What is spelled strangely may.
pub fn may_be_protected(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    let ends = |end: &&str| {
        let from = bytes.len().checked_sub(end.len());
        from.and_then(|from| bytes.get(from..))
            .is_some_and(|tail| tail.eq_ignore_ascii_case(end.as_bytes()))
    };
    bytes.first() == Some(&b'.')
        || !bytes.is_ascii()
        || bytes.contains(&b':')
        || matches!(bytes.last(), Some(b'.' | b' '))
        || UNDOTTED
            .0
            .iter()
            .any(|whole| bytes.eq_ignore_ascii_case(whole.as_bytes()))
        || UNDOTTED.1.iter().any(ends)
}

/// The parts of a path as they are compared.
fn folded(path: &Path) -> Vec<String> {
    path.components()
        .filter_map(|c| match c {
            Component::Normal(name) => Some(fold(&name.to_string_lossy())),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        })
        .collect()
}

impl Kind {
    fn hits(&self, names: &[String]) -> Option<&'static str> {
        match *self {
            Self::Tree(name) => names.iter().any(|n| n == name).then_some(name),
            Self::TreePrefix(prefix) => names.iter().any(|n| n.starts_with(prefix)).then_some(prefix),
            Self::File(name) => names.last().is_some_and(|n| n == name).then_some(name),
            Self::Suffix(suffix) => names.last().is_some_and(|n| n.ends_with(suffix)).then_some(suffix),
            Self::Below(directory, file) => {
                let count = directory.split('/').count();
                names
                    .windows(count + 1)
                    .any(|names| directory.split('/').chain([file]).eq(names.iter().map(String::as_str)))
                    .then_some(file)
            }
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
    fn the_table_is_written_as_names_are_compared() {
        for kind in TABLE {
            let (names, path) = match *kind {
                Kind::Tree(name) | Kind::TreePrefix(name) | Kind::File(name) => (vec![name], name.to_owned()),
                Kind::Suffix(end) => (vec![end], format!("x{end}")),
                Kind::Below(directory, file) => {
                    for (end, _) in directory.match_indices('/').chain([(directory.len(), "")]) {
                        assert!(may_hold_protected(Path::new(&directory[..end])), "{directory}");
                    }
                    let names = directory.split('/').chain([file]).collect();
                    (names, format!("{directory}/{file}"))
                }
            };
            for name in names {
                assert_eq!(fold(name), name);
            }
            for path in [path.clone(), path.to_uppercase(), format!("a/{path}")] {
                let path = Path::new(&path);
                assert!(protected_name(path).is_some(), "{path:?}");
                assert!(path.iter().any(may_be_protected), "{path:?} is passed over");
            }
        }
        assert!(!may_hold_protected(Path::new("src")));
    }

    #[test]
    fn no_strange_spelling_is_passed_over() {
        for path in [
            "git~1/x",
            ".g\u{200c}it/x",
            "A.Code-Workspace",
            "x.code-workspace:y",
            "x.code-workspace.",
            "\u{200b}.envrc",
            ".idea/a/b.xml",
            "SiteCustomize.py",
            "OpenCode.json ",
        ] {
            let path = Path::new(path);
            assert!(hit(&path.to_string_lossy()), "{path:?}");
            assert!(path.iter().any(may_be_protected), "{path:?}");
        }
        assert!(!may_be_protected(OsStr::new("main.rs")));
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
            ".pre-commit-config.yaml",
            "rust-toolchain.toml",
            ".github/workflows/x.yml",
            ".jj/repo/store/x",
            ".cursor/rules/x.md",
            ".run/app.pid",
            "envrc",
            "...",
        ] {
            assert!(!hit(path), "{path}");
        }
    }
}
