//! Finds rows, and the parts of a row, in their texts.

use super::class::Classes;
use super::notation::{self, Entry, Holders};
use super::table::FAMILIES;
use super::vocabulary::{Judge, Trait, Use, Wrap};
use crate::shell::option::{Abbreviation, Dash, Grammar, OptionSpec, Order};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The rows of one file: their text, and where each name stands in it.
#[derive(Debug)]
pub(super) struct Family {
    pub(super) text: &'static str,
    pub(super) index: &'static [Entry],
}

/// The rows of a file, with their examples, which only tests know. `wrapping`: rows of wrappers and shells, which have
/// words of their own.
macro_rules! family {
    (wrapping $($rest:tt)*) => {
        family! { @ true $($rest)* }
    };
    (@ $wrapping:literal $($row:literal $(examples $examples:literal)?;)*) => {
        const TEXT: &str = concat!($($row),*);
        #[allow(long_running_const_eval, reason = "every row is checked when it is compiled")]
        const NAMES: usize = crate::program::notation::names(TEXT, $wrapping);
        #[allow(long_running_const_eval, reason = "names are sorted when they are compiled")]
        static INDEX: [crate::program::notation::Entry; NAMES] = crate::program::notation::index(TEXT);
        pub(in crate::program) static FAMILY: crate::program::row::Family =
            crate::program::row::Family { text: TEXT, index: &INDEX };
        #[cfg(test)]
        pub(in crate::program) const EXAMPLES: &str = concat!($($($examples,)?)*);
    };
    ($($rest:tt)*) => {
        family! { @ false $($rest)* }
    };
}

/// One program or subcommand: its lines, those of its subcommands included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section {
    /// The names, as they stand in the heading.
    names: &'static str,
    /// What follows the heading.
    body: &'static str,
    depth: usize,
    /// Its traits, where they are known without reading it.
    traits: Option<u64>,
}

impl PartialEq for Section {
    /// By where they lie: no two share their lines.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.names, other.names) && std::ptr::eq(self.body, other.body)
    }
}

impl Eq for Section {}

impl Family {
    /// The row with a name.
    pub(super) fn named(&self, name: &str) -> Option<Section> {
        self.find(name, notation::hash(name.as_bytes()))
    }

    fn find(&self, name: &str, hash: u32) -> Option<Section> {
        let first = self.index.partition_point(|entry| entry.hash < hash);
        let same = self.index.get(first..)?.iter().take_while(|entry| entry.hash == hash);
        let mut sections = same.filter_map(|entry| self.section(entry));
        sections.find(|section| section.named(name))
    }

    fn section(&self, entry: &Entry) -> Option<Section> {
        let text = self.text.get(entry.start as usize..entry.end as usize)?;
        let (heading, body) = text.split_once('\n').unwrap_or((text, ""));
        Some(Section {
            names: heading.strip_prefix('=')?,
            body,
            depth: 0,
            traits: Some(entry.traits),
        })
    }

    /// Every row.
    #[cfg(test)]
    pub(super) fn rows(&self) -> impl Iterator<Item = Section> + '_ {
        let mut rows: Vec<&Entry> = self.index.iter().collect();
        rows.sort_unstable_by_key(|entry| entry.start);
        rows.dedup_by_key(|entry| entry.start);
        rows.into_iter().filter_map(|entry| self.section(entry))
    }
}

/// The families that may have a name, by its hash.
#[expect(clippy::indexing_slicing, reason = "nothing else is const, and it is compiled away")]
static HOLDERS: Holders = {
    let mut holders = [0; 1024];
    let mut number = 0;
    while number < FAMILIES.len() {
        holders = notation::note(holders, number, FAMILIES[number].index);
        number += 1;
    }
    holders
};

/// The row of a name, in the first family that has it.
pub(super) fn find(name: &str) -> Option<Section> {
    let hash = notation::hash(name.as_bytes());
    let mut holders = notation::holders_of(&HOLDERS, hash);
    while holders != 0 {
        let family = FAMILIES.get(holders.trailing_zeros() as usize);
        if let Some(section) = family.and_then(|family| family.find(name, hash)) {
            return Some(section);
        }
        holders &= holders - 1;
    }
    None
}

/// Whether a program looks for a file of this name by itself.
pub(super) fn is_looked_for(file: &str) -> bool {
    let texts = FAMILIES.iter().map(|family| family.text);
    let names = texts.flat_map(str::lines).filter_map(|line| line.strip_prefix(':'));
    names.flat_map(str::split_ascii_whitespace).any(|name| name == file)
}

thread_local! {
    /// Sections that were read, by where their lines lie: the text is the program's own and never moves.
    static READ: RefCell<BTreeMap<(usize, usize), About>> = const { RefCell::new(BTreeMap::new()) };
}

/// What a section says about itself, without its subcommands.
#[derive(Debug, Default, Clone)]
pub(super) struct About {
    traits: u64,
    /// Its classes.
    pub(super) classes: Classes,
    /// What it does whatever its options are.
    pub(super) uses: Vec<Use>,
    /// The same in words of wrappers and shells.
    pub(super) wraps: Vec<Wrap>,
    /// The lists of its options.
    pub(super) options: Vec<&'static str>,
    /// The forms of its operands; none where it takes none.
    pub(super) operands: Option<&'static str>,
    /// Whether it has subcommands.
    pub(super) divided: bool,
    /// The lists of options with which it still prints names only.
    kept: Vec<&'static str>,
}

impl About {
    /// Whether it has a trait.
    pub(super) fn is(&self, word: Trait) -> bool {
        self.traits & notation::bit(word) != 0
    }

    fn word(&mut self, word: &str) {
        if let Some(known) = Trait::of(word.as_bytes()) {
            self.traits |= notation::bit(known);
        } else if let Some(known) = Use::of(word.as_bytes()) {
            match known.class() {
                Some(class) => self.classes.add(class),
                None => self.uses.push(known),
            }
        } else {
            self.wraps.extend(Wrap::of(word.as_bytes()));
        }
    }

    /// Whether an option makes it sign.
    pub(super) fn signs(&self) -> bool {
        // Few lists have the word at all.
        let lists = self.options.iter().filter(|list| list.contains("signs"));
        let mut specs = lists.flat_map(|list| list.split_ascii_whitespace());
        specs.any(|spec| deeds(OptionSpec::parse(spec).effect).any(|deed| deed == Deed::Use(Use::Signs)))
    }

    /// Whether it still prints names only with an option.
    pub(super) fn keeps_names(&self, option: OptionSpec<'_>) -> bool {
        let ends = |deed| matches!(deed, Deed::Use(Use::Names | Use::Heading | Use::Help));
        deeds(option.effect).any(ends) || option.names().any(|name| self.keeps(name))
    }

    /// Whether an option stands among those with which it still prints names only, as it is written there.
    pub(super) fn keeps(&self, option: &str) -> bool {
        let mut kept = self.kept.iter().flat_map(|list| list.split_ascii_whitespace());
        kept.any(|name| name == option || name == "*")
    }

    /// Whether it still prints names only whichever of its options it is given.
    pub(super) fn always_keeps_names(&self) -> bool {
        let mut specs = self.options.iter().flat_map(|list| list.split_ascii_whitespace());
        specs.all(|spec| spec.starts_with('@') || self.keeps_names(OptionSpec::parse(spec)))
    }

    /// How its options are written.
    pub(super) fn grammar(&self) -> Grammar<'_> {
        Grammar {
            spec: "",
            more: &self.options,
            order: if self.is(Trait::Leading) {
                Order::FirstOperandEnds
            } else {
                Order::Mixed
            },
            dash: if self.is(Trait::Pairs) {
                Dash::Pairs
            } else if self.is(Trait::Words) {
                Dash::Word
            } else {
                Dash::Cluster
            },
            abbreviation: if self.is(Trait::Whole) {
                Abbreviation::None
            } else {
                Abbreviation::Unambiguous
            },
        }
    }
}

impl Section {
    /// The name by which it is spoken of.
    pub(super) fn name(&self) -> &'static str {
        self.names.split_ascii_whitespace().next().unwrap_or("")
    }

    /// Its names.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.names.split_ascii_whitespace()
    }

    /// The names by which a subcommand is called; where its row stands apart, the program's name is a part of each.
    pub(super) fn called(&self) -> impl Iterator<Item = &'static str> {
        self.names().map(|name| name.rsplit('/').next().unwrap_or(name))
    }

    fn named(&self, name: &str) -> bool {
        self.names().any(|n| n == name)
    }

    /// Whether it has a trait.
    pub(super) fn is(&self, word: Trait) -> bool {
        match self.traits {
            Some(traits) => traits & notation::bit(word) != 0,
            None => self.about().is(word),
        }
    }

    /// The names of its lines about files.
    pub(super) fn looks_for(self) -> impl Iterator<Item = &'static str> {
        let lines = self.body.lines().map(str::trim_start);
        let own = lines.take_while(|line| !line.starts_with('>'));
        own.filter_map(|line| line.strip_prefix(':'))
            .flat_map(str::split_ascii_whitespace)
    }

    /// What its own lines say, which are read once.
    pub(super) fn about(&self) -> About {
        let place = (self.body.as_ptr() as usize, self.body.len());
        if let Some(about) = READ.with_borrow(|read| read.get(&place).cloned()) {
            return about;
        }
        let about = self.read();
        READ.with_borrow_mut(|read| read.insert(place, about.clone()));
        about
    }

    fn read(&self) -> About {
        let mut about = About::default();
        for line in self.body.lines() {
            let line = line.trim_start();
            let Some(mark) = line.chars().next() else { continue };
            let rest = line.get(1..).unwrap_or("");
            match mark {
                '~' => rest.split_ascii_whitespace().for_each(|word| about.word(word)),
                '-' => about.list(rest),
                '.' => about.operands = Some(rest),
                '&' => about.kept.push(rest),
                '>' => {
                    about.divided = true;
                    break;
                }
                _ => {}
            }
        }
        about
    }

    /// Its subcommands.
    pub(super) fn subcommands(&self) -> impl Iterator<Item = Self> {
        let depth = self.depth + 1;
        let mut rest = self.body;
        std::iter::from_fn(move || {
            loop {
                let (line, next) = rest.split_once('\n').unwrap_or((rest, ""));
                if line.is_empty() && next.is_empty() {
                    return None;
                }
                rest = next;
                let line = line.trim_start();
                let names = line.trim_start_matches('>');
                if line.len() - names.len() == depth {
                    return Some(Self {
                        names,
                        body: until(rest, depth),
                        depth,
                        traits: None,
                    });
                }
            }
        })
    }

    /// The subcommand with a name; where `abbreviated`, also the only one that begins so.
    pub(super) fn subcommand(&self, name: &str, abbreviated: bool) -> Option<Self> {
        if self.depth == 0
            && let Some(apart) = find(&format!("{}/{name}", self.name()))
        {
            return Some(apart);
        }
        if let Some(exact) = self.subcommands().find(|sub| sub.named(name)) {
            return Some(exact);
        }
        let begins = |sub: &Self| sub.names().any(|n| n.starts_with(name));
        let mut candidates = self
            .subcommands()
            .filter(|sub| abbreviated && !name.is_empty() && begins(sub));
        candidates.next().filter(|_| candidates.next().is_none())
    }
}

/// The lines of a subcommand: up to the next that is not below it.
fn until(text: &'static str, depth: usize) -> &'static str {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start();
        let level = bare.len() - bare.trim_start_matches('>').len();
        if (1..=depth).contains(&level) {
            break;
        }
        at += line.len();
    }
    text.get(..at).unwrap_or(text)
}

impl About {
    /// A list of options; `@name` stands for a set.
    fn list(&mut self, text: &'static str) {
        self.options.push(text);
        for word in text.split_ascii_whitespace().filter(|word| word.starts_with('@')) {
            if let Some(set) = find(word) {
                let set = set.about();
                self.options.extend(set.options);
                self.kept.extend(set.kept);
            }
        }
    }
}

/// What an option, a value or an operand does, word by word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed<'t> {
    /// A word of the list.
    Use(Use),
    /// A judgement.
    Judge(Judge),
    /// A word of wrappers and shells.
    Wrap(Wrap),
    /// One of these texts.
    OneOf(&'t str),
}

/// The words of an effect.
pub(super) fn deeds(text: &str) -> impl Iterator<Item = Deed<'_>> {
    text.split('+').filter_map(|word| {
        let list = word.strip_prefix('{').and_then(|w| w.strip_suffix('}'));
        list.map(Deed::OneOf)
            .or_else(|| Use::of(word.as_bytes()).map(Deed::Use))
            .or_else(|| Judge::of(word.as_bytes()).map(Deed::Judge))
            .or_else(|| Wrap::of(word.as_bytes()).map(Deed::Wrap))
    })
}

impl Deed<'_> {
    /// Whether an argument that cannot be told must not turn out to be an option with it.
    pub(super) fn matters(self, named: bool) -> bool {
        match self {
            Self::Use(word) => word.matters(named),
            // What only makes names needs a directory elsewhere, too, to do harm.
            Self::Judge(Judge::Suffix | Judge::Prefix | Judge::Packed) => !named,
            Self::Judge(_) | Self::Wrap(_) => true,
            Self::OneOf(_) => false,
        }
    }
}

/// Whether one of the options does something that must not happen unseen.
pub(super) fn matters(options: &[&'static str], named: bool) -> bool {
    let specs = options.iter().flat_map(|list| list.split_ascii_whitespace());
    specs
        .map(OptionSpec::parse)
        .any(|spec| deeds(spec.effect).any(|deed| deed.matters(named)))
}

/// One form of operands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// What the operand must begin with; then the form holds wherever it stands.
    pub(super) prefix: Option<&'static str>,
    /// What it does.
    pub(super) deeds: &'static str,
    /// Whether there may be any number of them.
    pub(super) many: bool,
    /// Whether there may be none.
    pub(super) optional: bool,
}

impl Form {
    /// How many bytes of the operand say that it has this form.
    pub(super) fn length(&self) -> usize {
        self.prefix.map_or(0, str::len)
    }
}

/// The forms of operands, in order.
pub(super) fn forms(text: &'static str) -> impl Iterator<Item = Form> {
    text.split_ascii_whitespace().map(|word| {
        let (prefix, rest) = match word.rsplit_once('>') {
            Some((prefix, rest)) => (Some(prefix), rest),
            None => (None, word),
        };
        Form {
            prefix,
            deeds: rest.trim_end_matches(['*', '?']),
            many: rest.ends_with('*'),
            optional: rest.ends_with('?'),
        }
    })
}

impl Section {
    /// A section that says nothing.
    pub(super) fn none() -> Self {
        Self {
            names: "",
            body: "",
            depth: usize::MAX,
            traits: None,
        }
    }
}

/// Traits that hold for the subcommands of a program as well.
const PASSED_ON: [Trait; 8] = [
    Trait::Pairs,
    Trait::Whole,
    Trait::Words,
    Trait::Global,
    Trait::Abbreviated,
    Trait::Interpreter,
    Trait::Plain,
    Trait::Negatable,
];

impl About {
    /// The traits that subcommands take over.
    pub(super) fn passed_on(&self) -> u64 {
        PASSED_ON
            .iter()
            .fold(0, |all, word| all | self.traits & notation::bit(*word))
    }

    /// Takes traits over.
    pub(super) fn inherit(&mut self, traits: u64) {
        self.traits |= traits;
    }

    /// The same without its subcommands.
    pub(super) fn undivided(&self) -> Self {
        Self {
            traits: self.traits,
            operands: self.operands,
            options: self.options.clone(),
            ..Self::default()
        }
    }
}
