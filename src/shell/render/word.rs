//! Words: quoting made anew, expansions kept.

use super::{Place, Writer};
use crate::shell::tree::{Action, Expansion, Parameter, Part, Subscript, Tilde, Word};
use crate::text::quote::push_quoted;
use std::fmt::Write as _;

impl Writer<'_> {
    pub(super) fn word(&mut self, word: &Word, place: Place) {
        for part in &word.parts {
            self.part(part, place);
        }
    }

    pub(super) fn part(&mut self, part: &Part, place: Place) {
        match part {
            Part::Plain(text) if place == Place::AsItWas => self.push(text),
            Part::Plain(text) => self.plain(text),
            Part::Quoted(text) => push_quoted(&mut self.out, text),
            Part::Pattern(c) => self.out.push(*c),
            Part::Tilde(tilde) => self.push(match tilde {
                Tilde::Home => "~",
                Tilde::Current => "~+",
                Tilde::Previous => "~-",
            }),
            Part::Expansion { what, quoted, .. } => {
                let mark = if *quoted { "\"" } else { "" };
                self.push(mark);
                self.expansion(what, *quoted);
                self.push(mark);
            }
        }
    }

    /// Text outside quotes. Characters that mean something in another place only are escaped all the same.
    fn plain(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '{' | '}' | '~' | '#' => {
                    self.out.push('\\');
                    self.out.push(c);
                }
                c if c.is_ascii() => self.out.push(c),
                c => {
                    self.out.push('\'');
                    self.out.push(c);
                    self.out.push('\'');
                }
            }
        }
    }

    fn expansion(&mut self, what: &Expansion, quoted: bool) {
        match what {
            Expansion::Parameter(parameter) => self.parameter(parameter, quoted),
            Expansion::Command(list) => {
                self.push("$( ");
                self.list(list);
                self.push(" )");
            }
            Expansion::Arithmetic(expression) => {
                self.push("$((");
                self.arithmetic(expression);
                self.push("))");
            }
            Expansion::Process { input, body } => {
                self.push(if *input { ">( " } else { "<( " });
                self.list(body);
                self.push(" )");
            }
        }
    }

    fn parameter(&mut self, parameter: &Parameter, quoted: bool) {
        // `${!…}` is another form.
        if parameter.name == "!" {
            self.push("$!");
            return;
        }
        self.push("${");
        match parameter.action {
            Action::Length => self.push("#"),
            Action::Keys => self.push("!"),
            _ => {}
        }
        self.push(&parameter.name);
        match &parameter.subscript {
            Some(Subscript::All(sign)) => {
                let _ = write!(self.out, "[{sign}]");
            }
            Some(Subscript::Element(word)) => self.element(word),
            None => {}
        }
        match &parameter.action {
            Action::Value | Action::Length | Action::Keys => {}
            Action::Default(sign, word) | Action::Trim(sign, word) => {
                self.push(sign);
                self.operand(word, quoted);
            }
            Action::Replace(sign, pattern, replaced) => {
                self.push(sign);
                self.operand(pattern, quoted);
                if let Some(word) = replaced {
                    self.push("/");
                    self.operand(word, quoted);
                }
            }
            Action::Case(sign) => self.push(sign),
            Action::Slice(offset, length) => {
                self.push(":");
                self.push(offset);
                if let Some(length) = length {
                    self.push(":");
                    self.push(length);
                }
            }
        }
        self.push("}");
    }

    /// A subscript: nothing in it needs quotes.
    pub(super) fn element(&mut self, word: &Word) {
        self.push("[");
        for part in &word.parts {
            match part {
                Part::Plain(text) => self.push(text),
                Part::Expansion { what, .. } => self.expansion(what, true),
                Part::Quoted(_) | Part::Pattern(_) | Part::Tilde(_) => {}
            }
        }
        self.push("]");
    }

    fn operand(&mut self, word: &Word, quoted: bool) {
        for part in &word.parts {
            match part {
                Part::Quoted(text) if quoted => {
                    for c in text.chars() {
                        if matches!(c, '$' | '`' | '"' | '\\' | '}') {
                            self.out.push('\\');
                        }
                        self.out.push(c);
                    }
                }
                Part::Expansion { what, .. } if quoted => self.expansion(what, true),
                // A backslash between quotes would be read in more than one way here.
                Part::Quoted(text) if text.contains('\'') => {
                    self.push("\"");
                    for c in text.chars() {
                        if matches!(c, '$' | '`' | '"' | '\\') {
                            self.out.push('\\');
                        }
                        self.out.push(c);
                    }
                    self.push("\"");
                }
                part => self.part(part, Place::AsItWas),
            }
        }
    }
}
