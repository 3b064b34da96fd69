//! The key table as a page for a reader: every key with its description, its form, its default and an example.

use super::keys::{Join, Key, Narrows, ROOT, Shape};
use std::fmt::Write;

const HEAD: &str = "\
# Every configuration key

<!-- Made from the key table by `toolctl config schema --reference`; a test keeps it equal. -->

A key is written as `--set` takes it; `<name>` stands for a name of your choice, `[]` for an item of a list. `null` in the
place of a value takes away what lower layers gave. Below `agents.list[].tools` stands everything that stands below `tools`,
and below `agents.defaults.sandbox` and `agents.list[].sandbox` everything below `sandbox`; there, no defaults apply.

Signs: **restricts** — a project file that is not trusted, and the managed file, may say it too (in part, where the form
says so); **adds up** — the lists of all layers hold together.

Short forms: an entry of an `allowlist` that is text is its `pattern`, where a bare name such as `git` is that program in a
trusted directory (`**/git`). `tools.exec.commands` holds command lines, each of which becomes a rule of `tools.exec.rules`:
`allow: [\"git diff *\"]` allows `git diff` with any rest that is known to be harmless, `allow: [\"git status\"]` that command
and nothing beside it, and `ask` and `deny` hold for the command with any rest at all. `toolctl config show` prints the long
forms.
";

/// The reference of every key, Markdown.
pub fn reference() -> String {
    let mut page = HEAD.to_owned();
    for key in &ROOT {
        let _ = write!(page, "\n## `{}`\n\n", key.name);
        let _ = writeln!(page, "{}.", sentence(key.doc));
        let mut rows = Vec::new();
        match &key.shape {
            Shape::Map(keys) => keys.iter().for_each(|k| row(k, key.name, &mut rows)),
            shape => below(shape, key.name, &mut rows),
        }
        page.push('\n');
        for line in rows {
            page.push_str(&line);
        }
    }
    page
}

fn row(key: &Key, above: &str, rows: &mut Vec<String>) {
    let path = format!("{above}.{}", key.name);
    let mut line = format!("- **`{path}`** ({}): {}.", form(&key.shape), sentence(key.doc));
    if key.required {
        line.push_str(" Required.");
    }
    if !key.default.is_empty() {
        let _ = write!(line, " Default: `{}`.", key.default);
    }
    let example = key.sample();
    if !example.is_empty() && !matches!(key.shape, Shape::Bool | Shape::Word(_)) && example != key.default {
        let _ = write!(line, " Example: `{}: {example}`.", key.name);
    }
    let mut signs = Vec::new();
    match key.narrows {
        Narrows::No => {}
        Narrows::Yes => signs.push("restricts".to_owned()),
        Narrows::Inside if matches!(key.shape, Shape::Map(_) | Shape::Overlay(_)) => {}
        Narrows::Inside => signs.push("restricts, what in it does".to_owned()),
        Narrows::Only(word) => signs.push(format!("restricts, where it is {word}")),
        Narrows::Refusals => signs.push("restricts, where it does not allow".to_owned()),
    }
    if matches!(key.shape, Shape::List(_, Join::Add)) {
        signs.push("adds up".to_owned());
    }
    for sign in signs {
        let _ = write!(line, " *{sign}*");
    }
    line.push('\n');
    rows.push(line);
    below(&key.shape, &path, rows);
}

fn below(shape: &Shape, path: &str, rows: &mut Vec<String>) {
    match shape {
        Shape::Map(keys) | Shape::Entry(keys) => keys.iter().for_each(|k| row(k, path, rows)),
        Shape::Named(of, _) => below(of, &format!("{path}.<name>"), rows),
        Shape::List(of, _) => below(of, &format!("{path}[]"), rows),
        Shape::Overlay(_)
        | Shape::Command
        | Shape::Args
        | Shape::Text
        | Shape::Path
        | Shape::Bool
        | Shape::Word(_)
        | Shape::Whole(..)
        | Shape::Json => {}
    }
}

/// What may stand there, in words.
fn form(shape: &Shape) -> String {
    match shape {
        Shape::Map(_) | Shape::Overlay(_) => "section".to_owned(),
        Shape::Entry(_) => "text or section".to_owned(),
        Shape::Named(of, _) => format!("mapping of names to {}", plural(of)),
        Shape::List(of, _) => format!("list of {}", plural(of)),
        Shape::Command => "argv".to_owned(),
        Shape::Args => "list of arguments".to_owned(),
        Shape::Text => "text".to_owned(),
        Shape::Path => "path".to_owned(),
        Shape::Bool => "`true` or `false`".to_owned(),
        Shape::Word(words) => words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", "),
        Shape::Whole(min, max) => match (*min, *max) {
            (min, max) if max >= 1 << 22 => format!("whole number from {min}"),
            (min, max) => format!("whole number from {min} to {max}"),
        },
        Shape::Json => "any value".to_owned(),
    }
}

fn plural(shape: &Shape) -> String {
    match shape {
        Shape::Map(_) | Shape::Overlay(_) => "sections".to_owned(),
        Shape::Entry(_) => "texts or sections".to_owned(),
        Shape::Named(of, _) => format!("mappings of names to {}", plural(of)),
        Shape::List(of, _) => format!("lists of {}", plural(of)),
        Shape::Text => "texts".to_owned(),
        Shape::Path => "paths".to_owned(),
        Shape::Command | Shape::Args | Shape::Bool | Shape::Word(_) | Shape::Whole(..) | Shape::Json => form(shape),
    }
}

/// A doc line as the begin of a sentence; a star in it is no markup.
fn sentence(doc: &str) -> String {
    let mut chars = doc.chars();
    let first: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}", chars.as_str())
        .replace('*', "\\*")
        .replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_reference_is_this_one() {
        assert!(
            include_str!("../../docs/config.md") == reference(),
            "write it anew: toolctl config schema --reference > docs/config.md"
        );
    }

    #[test]
    fn every_key_stands_in_it() {
        let page = reference();
        for path in [
            "**`tools.exec.allowlist[].pattern`**",
            "**`tools.exec.commands.allow`**",
            "**`channels.<name>.groups.<name>.tools.deny`**",
            "**`mcp.servers.<name>.tools.allow`**",
            "**`audit.enabled`**",
            "**`tools.exec.floor`** (`auto`, `require`, `off`)",
        ] {
            assert!(page.contains(path), "{path}");
        }
    }
}
