//! The normalisation tables, parsed from their text form at the first use.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

const DECOMPOSITIONS: &str = include_str!("decompositions.txt");
const CLASSES: &str = include_str!("classes.txt");

/// Parsed tables.
pub(super) struct Table {
    decompositions: HashMap<char, (bool, Vec<char>)>,
    compositions: HashMap<(char, char), char>,
    seconds: HashSet<char>,
    classes: Vec<(u32, u32, u8)>,
}

impl Table {
    /// The one table.
    pub(super) fn get() -> &'static Self {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(Self::parse)
    }

    /// One level of decomposition; compatible ones only when asked for.
    pub(super) fn decomposition(&self, c: char, compatible: bool) -> Option<&[char]> {
        self.decompositions
            .get(&c)
            .filter(|(is_compatible, _)| compatible || !is_compatible)
            .map(|(_, parts)| parts.as_slice())
    }

    /// The composition of a pair.
    pub(super) fn composition(&self, first: char, second: char) -> Option<char> {
        self.compositions.get(&(first, second)).copied()
    }

    /// Whether the character ends some composition.
    pub(super) fn is_second(&self, c: char) -> bool {
        self.seconds.contains(&c)
    }

    /// The canonical combining class.
    pub(super) fn class(&self, c: char) -> u8 {
        let code = u32::from(c);
        let at = self.classes.partition_point(|(_, last, _)| *last < code);
        match self.classes.get(at) {
            Some((first, _, class)) if *first <= code => *class,
            _ => 0,
        }
    }

    fn parse() -> Self {
        let mut table = Self {
            decompositions: HashMap::with_capacity(6000),
            compositions: HashMap::with_capacity(1000),
            seconds: HashSet::new(),
            classes: Vec::new(),
        };
        for line in DECOMPOSITIONS.lines() {
            table.add_decomposition(line);
        }
        table.classes = CLASSES.lines().filter_map(class_range).collect();
        table
    }

    /// A line is the code point, `c` (composes back), `x` (does not) or `k` (compatible), and its parts joined by `+`.
    fn add_decomposition(&mut self, line: &str) {
        let Some((code, rest)) = line.split_once(['c', 'x', 'k']) else {
            return;
        };
        let Some(c) = hex(code) else { return };
        let kind = line.as_bytes().get(code.len()).copied();
        let parts: Vec<char> = rest.split('+').filter_map(hex).collect();
        if let (Some(b'c'), [first, second]) = (kind, parts.as_slice()) {
            self.compositions.insert((*first, *second), c);
            self.seconds.insert(*second);
        }
        self.decompositions.insert(c, (kind == Some(b'k'), parts));
    }
}

fn class_range(line: &str) -> Option<(u32, u32, u8)> {
    let (range, class) = line.split_once(' ')?;
    let (first, last) = range.split_once('-')?;
    Some((
        u32::from_str_radix(first, 16).ok()?,
        u32::from_str_radix(last, 16).ok()?,
        class.parse().ok()?,
    ))
}

fn hex(text: &str) -> Option<char> {
    u32::from_str_radix(text, 16).ok().and_then(char::from_u32)
}
