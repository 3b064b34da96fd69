//! `results.format`: Markdown for channels that show it, plain text for those that do not.

use std::borrow::Cow;

/// How text is written (`results.format`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// As the channel can show it.
    Auto,
    /// Unchanged.
    Markdown,
    /// Without emphasis, links written out.
    Plain,
}

impl Format {
    /// What `auto` means for a channel.
    #[must_use]
    pub fn resolve(self, channel: Option<&str>) -> Self {
        match self {
            Self::Auto => {
                let plain = channel.is_some_and(|c| PLAIN_CHANNELS.iter().any(|p| c.trim().eq_ignore_ascii_case(p)));
                if plain { Self::Plain } else { Self::Markdown }
            }
            other => other,
        }
    }
}

/// Channels that show Markdown as it is typed.
const PLAIN_CHANNELS: &[&str] = &["signal", "imessage", "whatsapp", "sms", "irc", "line", "zalo", "qqbot"];

/// Marks of emphasis, longest first.
const MARKS: &[&str] = &["***", "**", "__", "~~", "*", "_"];

/// The longest text of a link, in bytes.
const MAX_LINK: usize = 1024;

/// The text without Markdown. Code, in fences or between backticks, keeps every character but the marks around it.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(['*', '_', '~', '`', '[', '#']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let lead = line.trim_start_matches(' ');
        let indent = line.len() - lead.len();
        let mark = ["```", "~~~"].into_iter().find(|m| indent <= 3 && lead.starts_with(*m));
        match (fence, mark) {
            (None, Some(open)) => fence = Some(open),
            (Some(open), Some(close)) if open == close && lead.trim_end().trim_matches(['`', '~']).is_empty() => {
                fence = None;
            }
            (Some(_), _) => out.push_str(line),
            (None, None) => inline(heading(line), &mut out),
        }
    }
    Cow::Owned(out)
}

/// The line without the marks of a heading.
fn heading(line: &str) -> &str {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    match rest.strip_prefix(' ') {
        Some(title) if (1..=6).contains(&level) => title.trim_start_matches(' '),
        _ => line,
    }
}

/// One line: emphasis, code and links.
fn inline(line: &str, out: &mut String) {
    let mut rest = line;
    let mut previous = None;
    // After a letter a backslash belongs to a path, unless the line has shown that it escapes marks.
    let mut escapes = false;
    // Emphasis that is open: its mark, and where in `out` it would stand if it never closes.
    let mut open: Vec<(&str, usize)> = Vec::new();
    while let Some(c) = rest.chars().next() {
        if c == '\\'
            && (escapes || !previous.is_some_and(char::is_alphanumeric))
            && rest
                .get(1..)
                .is_some_and(|r| r.starts_with(|c: char| c.is_ascii_punctuation()))
        {
            // An escaped mark stands for itself; other backslashes belong to paths and code.
            let escaped = rest.get(1..2).unwrap_or_default();
            if MARKS.contains(&escaped) || matches!(escaped, "`" | "[" | "]" | "#") {
                out.push_str(escaped);
                escapes = true;
                previous = escaped.chars().next();
                rest = rest.get(2..).unwrap_or_default();
                continue;
            }
        }
        if c == '`'
            && let Some((code, after)) = code(rest)
        {
            out.push_str(code);
            previous = Some('`');
            rest = after;
            continue;
        }
        if (c == '[' || (c == '!' && rest.starts_with("![")))
            && let Some((text, target, after)) = link(rest)
        {
            write_link(text, target, out);
            previous = Some(')');
            rest = after;
            continue;
        }
        if let Some(mark) = MARKS.iter().find(|m| rest.starts_with(**m)) {
            let after = rest.get(mark.len()..).unwrap_or_default();
            let next = after.chars().next();
            if open.last().is_some_and(|(m, _)| m == mark) && closes(previous, next) {
                open.pop();
            } else if opens(previous, next) && open.len() < 16 {
                open.push((mark, out.len()));
            } else {
                out.push_str(mark);
            }
            previous = mark.chars().next();
            rest = after;
            continue;
        }
        out.push(c);
        previous = Some(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    // What never closed was no emphasis.
    for (mark, place) in open.into_iter().rev() {
        out.insert_str(place, mark);
    }
}

/// A mark opens before a letter or digit, after the start, a blank or an opening bracket.
fn opens(previous: Option<char>, next: Option<char>) -> bool {
    next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '`' | '[' | '"' | '\'' | '(' | '*' | '_' | '~'))
        && previous
            .is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '\'' | '*' | '_' | '~' | '-' | '>'))
}

/// A mark closes after anything but a blank, before the end, a blank or the end of a phrase.
fn closes(previous: Option<char>, next: Option<char>) -> bool {
    previous.is_some_and(|c| !c.is_whitespace())
        && next.is_none_or(|c| {
            c.is_whitespace()
                || matches!(
                    c,
                    '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '"' | '\'' | '*' | '_' | '~' | '-' | '…'
                )
        })
}

/// Code between equal runs of backticks on one line.
fn code(text: &str) -> Option<(&str, &str)> {
    let run = text.len() - text.trim_start_matches('`').len();
    let marks = text.get(..run)?;
    let body = text.get(run..)?;
    let end = body.get(..body.len().min(floor(body, MAX_LINK)))?.find(marks)?;
    Some((body.get(..end)?, body.get(end + run..)?))
}

/// `[text](target)` or `![text](target)`.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let body = text.strip_prefix('!').unwrap_or(text).strip_prefix('[')?;
    let near = body.get(..floor(body, MAX_LINK))?;
    let close = near.find(']')?;
    let label = near.get(..close)?;
    let after = body.get(close + 1..)?.strip_prefix('(')?;
    let near = after.get(..floor(after, 2 * MAX_LINK))?;
    let end = near.find(')')?;
    let target = near.get(..end)?;
    let address = target.split_whitespace().next()?;
    (!label.contains('\n') && !target.contains('\n')).then_some(())?;
    Some((label, address.trim_matches(['<', '>']), after.get(end + 1..)?))
}

fn write_link(label: &str, target: &str, out: &mut String) {
    if label.is_empty() || label == target {
        out.push_str(target);
    } else {
        let mut text = String::new();
        inline(&label.replace('[', ""), &mut text);
        out.push_str(&text);
        out.push_str(" (");
        out.push_str(target);
        out.push(')');
    }
}

/// The last character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut end = at.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn emphasis_and_links_are_written_out() {
        for (text, want) in [
            (
                "**bold** and *it* and __b__ and _i_ and ~~s~~",
                "bold and it and b and i and s",
            ),
            ("***both***", "both"),
            ("# Title\ntext", "Title\ntext"),
            (
                "see [the page](https://e.org/a \"t\")!",
                "see the page (https://e.org/a)!",
            ),
            ("![alt](a.png)", "alt (a.png)"),
            ("[https://e.org](https://e.org)", "https://e.org"),
            ("[**b**](u)", "b (u)"),
            ("run `ls *a*` now", "run ls *a* now"),
            ("```sh\nls **x**\n```\n**y**\n", "ls **x**\ny\n"),
            ("\\*not\\*", "*not*"),
            ("(**a**), *b*.", "(a), b."),
        ] {
            assert_eq!(plain(text), want, "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_markdown_stays() {
        for text in [
            "2 * 3 * 4",
            "*.rs and *.toml",
            "snake_case_name",
            "def __init__(self):",
            "f(*args, **kwargs)",
            "a**b**c",
            "C:\\temp\\*",
            "#!/bin/sh",
            "#tag",
            "* item",
            "[not a link]",
            "x[0](1",
            "**never closed",
            "a_b_c _d",
            "`open",
            "~/.config/_x",
            "/* c */",
        ] {
            assert_eq!(plain(text), text, "{text}");
        }
    }

    #[test]
    fn channels_decide_under_auto() {
        for channel in PLAIN_CHANNELS {
            assert_eq!(Format::Auto.resolve(Some(channel)), Format::Plain);
            assert_eq!(Format::Markdown.resolve(Some(channel)), Format::Markdown);
        }
        assert_eq!(Format::Auto.resolve(Some("Signal ")), Format::Plain);
        assert_eq!(Format::Auto.resolve(Some("discord")), Format::Markdown);
        assert_eq!(Format::Auto.resolve(None), Format::Markdown);
        assert_eq!(Format::Plain.resolve(None), Format::Plain);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn never_panics_and_keeps_letters(text in "[a-b*_~`\\[\\]()!# \\n\\\\é]{0,40}") {
            let letters = |t: &str| t.chars().filter(|c| *c == 'a' || *c == 'b' || *c == 'é').count();
            let out = plain(&text);
            // Only the info line of a fence is dropped.
            prop_assert!(letters(&out) == letters(&text) || text.contains("```") || text.contains("~~~") || text.contains("]("));
        }
    }
}
