//! Compound commands: what may run, how often, and what is known afterwards.

use super::expand::{is_each_number, is_number, value_of};
use super::state::Value;
use super::{Arg, Compound, CompoundKind, Connector, Interpreter, Known, List, Means, Span, State};
use crate::shell::tree::{Arm, Word};

impl<'a> Interpreter<'a> {
    pub(super) fn compound(&mut self, compound: &'a Compound, next: Option<Connector>) -> Known<()> {
        let place = self.place;
        // A redirection may fail, and then nothing ran.
        let before = (!compound.redirects.is_empty()).then(|| self.state.clone());
        let redirects = self.redirections(&compound.redirects)?;
        let span = self.at(compound.span);
        self.redirected(compound.id, redirects, next, span);
        self.kind(&compound.kind, next, compound.span)?;
        if let Some(before) = before {
            self.state.join(&before);
        }
        self.place = place;
        Ok(())
    }

    fn kind(&mut self, kind: &'a CompoundKind, next: Option<Connector>, span: Span) -> Known<()> {
        match kind {
            CompoundKind::Group(list) => self.list(list, next),
            CompoundKind::Subshell(list) => self.apart(|_| {}, |walk| walk.list(list, next)),
            CompoundKind::If { branches, otherwise } => self.conditional(branches, otherwise.as_ref()),
            CompoundKind::While { condition, body, .. } => self.repeated(
                |walk| {
                    walk.list(condition, None)?;
                    walk.perhaps(|walk| walk.list(body, None))
                },
                None,
            ),
            CompoundKind::For {
                select,
                name,
                words,
                body,
            } => self.for_words(*select, name, words, body, span),
            CompoundKind::ForArithmetic { heads, body } => {
                let [first, test, step] = heads;
                self.arithmetic(first)?;
                self.repeated(
                    |walk| {
                        walk.arithmetic(test)?;
                        walk.perhaps(|walk| {
                            walk.list(body, None)?;
                            walk.arithmetic(step)
                        })
                    },
                    None,
                )
            }
            CompoundKind::Case { subject, arms } => self.case(subject, arms),
            CompoundKind::Test(tokens) => self.test(tokens, span),
            CompoundKind::Arithmetic(expression) => self.arithmetic(expression),
        }
    }

    fn conditional(&mut self, branches: &'a [(List, List)], otherwise: Option<&'a List>) -> Known<()> {
        let conditional = self.place.conditional;
        let mut ends: Vec<State> = Vec::with_capacity(branches.len());
        for (condition, body) in branches {
            self.list(condition, None)?;
            self.place.conditional = true;
            let not_taken = self.state.clone();
            self.list(body, None)?;
            ends.push(std::mem::replace(&mut self.state, not_taken));
        }
        if let Some(body) = otherwise {
            self.list(body, None)?;
        }
        for end in &ends {
            self.state.join(end);
        }
        self.place.conditional = conditional;
        Ok(())
    }

    /// Arms are tried one after the other and may fall through: each begins with what holds whether or not those before
    /// it ran.
    fn case(&mut self, subject: &'a Word, arms: &'a [Arm]) -> Known<()> {
        self.single(subject)?;
        for arm in arms {
            self.perhaps(|walk| {
                for pattern in &arm.patterns {
                    walk.single(pattern)?;
                }
                walk.list(&arm.body, None)
            })?;
        }
        Ok(())
    }

    fn for_words(&mut self, select: bool, name: &'a str, words: &'a [Word], body: &'a List, span: Span) -> Known<()> {
        let mut args: Vec<Arg> = Vec::with_capacity(words.len());
        for word in words {
            self.fields(word, &mut args)?;
        }
        let known = match args.as_slice() {
            _ if select => Value::Unknown,
            [only] if is_each_number(only) => Value::Number,
            [only] => value_of(only),
            several => match several.iter().map(|arg| arg.literal().map(str::to_owned)).collect() {
                Some(texts) => Value::OneOf(texts),
                None if several.iter().all(is_each_number) => Value::Number,
                None => Value::Unknown,
            },
        };
        let value = match args.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        };
        let bind = |walk: &mut Self| {
            walk.bind(name, Means::Loop, value.clone(), known.clone(), span)?;
            if select {
                walk.bind("REPLY", Means::Loop, None, Value::Unknown, span)?;
            }
            Ok(())
        };
        self.repeated(
            |walk| {
                walk.perhaps(|walk| {
                    bind(walk)?;
                    walk.list(body, None)
                })
            },
            Some(name),
        )
    }

    /// A part that may run any number of times. Before each round, and afterwards, a variable that the part sets is a
    /// number only if it was one before and every assignment in the part makes it one.
    fn repeated(&mut self, part: impl Fn(&mut Self) -> Known<()>, also: Option<&str>) -> Known<()> {
        if !self.survey {
            let mut survey = Interpreter::new(self.script, self.world, self.standard_splitting);
            survey.survey = true;
            survey.walked = self.walked;
            survey.nesting = self.nesting;
            survey.within = self.within;
            survey.state.positionals = None;
            survey.state.take_functions(&self.state);
            survey.functions.clone_from(&self.functions);
            part(&mut survey)?;
            self.walked = survey.walked;
            self.arrays.append(&mut survey.arrays);
            self.readonly.append(&mut survey.readonly);
            self.keyed.append(&mut survey.keyed);
            self.removed.append(&mut survey.removed);
            self.functions.clone_from(&survey.functions);
            for (name, function) in survey.state.functions() {
                if self.state.function(name) != Some(*function) {
                    self.state.confuse(name);
                }
            }
            for name in &self.removed {
                if self.state.function(name).is_some() {
                    self.state.confuse(name);
                }
            }
            if survey.shifts {
                self.shifts = true;
                self.state.positionals = None;
            }
            for binding in &survey.bindings {
                match binding.means {
                    Means::Declaration | Means::Export => self.state.perhaps_localise(&binding.name),
                    Means::Unset => self.state.unmake_map(&binding.name),
                    _ => {}
                }
                let stays = self.value(&binding.name).is_number()
                    && match binding.means {
                        Means::Arithmetic => true,
                        Means::Assignment | Means::Loop => binding.value.as_ref().is_some_and(is_number),
                        Means::Prefix
                        | Means::Declaration
                        | Means::Export
                        | Means::Builtin
                        | Means::Default
                        | Means::Unset => false,
                    };
                let known = if stays { Value::Number } else { Value::Unknown };
                self.state.set(&binding.name, known);
            }
            for name in survey.state.names() {
                if self.state.get(name).is_none() {
                    self.state.set(name, Value::Unknown);
                }
            }
            if let Some(name) = also {
                self.state.set(name, Value::Unknown);
            }
        }
        let looped = std::mem::replace(&mut self.place.looped, true);
        let recurs = std::mem::replace(&mut self.place.recurs, true);
        let before = self.state.clone();
        part(self)?;
        self.state = before;
        self.place.looped = looped;
        self.place.recurs = recurs;
        Ok(())
    }
}
